#include "reports/html/report.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "reports/html/data.h"
#include "reports/html/page.h"
#include "runners/base/write_file.h"

namespace conform::reports {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTitle = "conform report";

std::optional<Error> Write(const fs::path& file, const std::string& text) {
  return WriteWholeFile(file.string(), text);
}

Error Trouble(std::string_view what, const std::error_code& code, const fs::path& file) {
  return Error::OfSystem(what, code.value(), file.string());
}

// What a report writes, and nothing else: a slip of the fingers must not mix a report with somebody's files. A link is
// not part of a report, because what it leads to may be anywhere.
std::optional<Error> CheckFolder(const fs::path& folder) {
  std::error_code trouble;
  if (!fs::exists(folder, trouble)) return std::nullopt;
  if (!fs::is_directory(folder, trouble)) return Error{"already exists and is not a directory", folder.string()};
  static const std::map<std::string, fs::file_type> own = {{"index.html", fs::file_type::regular},
                                                           {"report.js", fs::file_type::regular},
                                                           {"report.css", fs::file_type::regular},
                                                           {"cases", fs::file_type::directory}};
  for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    const std::string name = at->path().filename().string();
    const auto found = own.find(name);
    std::error_code gone;
    if (found == own.end() || at->symlink_status(gone).type() != found->second) {
      return Error{"holds '" + name + "', which is not part of a report", folder.string(), {}, "choose another folder"};
    }
  }
  if (trouble) return Trouble("cannot be read", trouble, folder);
  return std::nullopt;
}

std::optional<Error> ClearPages(const fs::path& cases) {
  std::error_code trouble;
  fs::create_directories(cases, trouble);
  if (trouble) return Trouble("cannot be created", trouble, cases);
  std::vector<fs::path> old;
  for (fs::directory_iterator at(cases, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (at->path().extension() == ".html") old.push_back(at->path());
  }
  for (size_t i = 0; i < old.size() && !trouble; ++i) fs::remove(old[i], trouble);
  if (trouble) return Trouble("cannot be emptied", trouble, cases);
  return std::nullopt;
}

// What the page of a case needs of the whole.
nlohmann::ordered_json Frame(const nlohmann::ordered_json& index) {
  nlohmann::ordered_json frame = {{"conform", index["conform"]}, {"verdicts", index["verdicts"]}};
  frame["implementations"] = index["implementations"];
  frame["survey"] = index.contains("survey");
  if (index.contains("site")) frame["site"] = index["site"];
  for (auto& one : frame["implementations"]) {
    one.erase("totals");
    one.erase("profiles");
  }
  return frame;
}

}  // namespace

std::optional<Error> WriteHtmlFolder(const HtmlInput& input, const std::string& folder) {
  const fs::path root(folder);
  if (auto error = CheckFolder(root)) return error;
  if (auto error = ClearPages(root / "cases")) return error;
  const std::vector<std::string> pages = PageNames(input.set);
  const nlohmann::ordered_json index = IndexData(input, pages);
  if (auto error = Write(root / "report.js", HtmlScript())) return error;
  if (auto error = Write(root / "report.css", HtmlStyle())) return error;
  const nlohmann::ordered_json frame = Frame(index);
  for (size_t i = 0; i < pages.size(); ++i) {
    const HtmlPage page = {input.set.cases()[i].id + " · " + std::string(kTitle),
                           "../",
                           false,
                           {{"frame", frame}, {"case", CaseData(input, i, pages)}}};
    if (auto error = Write(root / "cases" / pages[i], PageText(page))) return error;
  }
  // The way in comes last: where it is, the rest is there.
  return Write(root / "index.html", PageText({std::string(kTitle), "", false, {{"index", index}}}));
}

std::string HtmlSinglePage(const HtmlInput& input) {
  const std::vector<std::string> pages = PageNames(input.set);
  HtmlPage page = {std::string(kTitle), "", true, {{"index", IndexData(input, pages)}}};
  for (size_t i = 0; i < pages.size(); ++i) {
    page.data.emplace_back("case-" + std::to_string(i), CaseData(input, i, pages));
  }
  return PageText(page);
}

}  // namespace conform::reports
