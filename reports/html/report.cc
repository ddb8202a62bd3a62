#include "reports/html/report.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "reports/html/data.h"
#include "reports/html/page.h"
#include "runners/base/folders.h"
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

// The new pages are made in here, so that the old ones stay until all are there. One that is found was left by a report
// that was killed.
constexpr char kNew[] = ".conform-new";

// What a report writes, and nothing else: a slip of the fingers must not mix a report with somebody's files. A link is
// not part of a report, because what it leads to may be anywhere.
bool IsOwn(const fs::directory_entry& entry) {
  static const std::map<std::string, fs::file_type> own = {{"index.html", fs::file_type::regular},
                                                           {"report.js", fs::file_type::regular},
                                                           {"report.css", fs::file_type::regular},
                                                           {"cases", fs::file_type::directory},
                                                           {kNew, fs::file_type::directory}};
  const auto found = own.find(entry.path().filename().string());
  std::error_code gone;
  return found != own.end() && entry.symlink_status(gone).type() == found->second;
}

bool IsPageOfCase(const fs::directory_entry& entry) {
  std::error_code gone;
  return entry.path().extension() == ".html" && entry.symlink_status(gone).type() == fs::file_type::regular;
}

std::optional<Error> CheckEntries(const fs::path& folder, const fs::path& below,
                                  bool (*is_own)(const fs::directory_entry&)) {
  std::error_code trouble;
  for (fs::directory_iterator at(folder / below, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (is_own(*at)) continue;
    const std::string name = (below / at->path().filename()).string();
    return Error{"holds '" + name + "', which is not part of a report", folder.string(), {}, "choose another folder"};
  }
  if (trouble) return Trouble("cannot be read", trouble, folder / below);
  return std::nullopt;
}

// Anybody may have a file of this name.
bool IsStartPage(const fs::path& file) {
  std::string beginning(2'000, ' ');
  std::ifstream in(file, std::ios::binary);
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return beginning.find(TitleElement(std::string(kTitle))) != std::string::npos;
}

std::optional<Error> CheckFolder(const fs::path& folder) {
  std::error_code trouble;
  if (!fs::exists(folder, trouble)) return std::nullopt;
  if (!fs::is_directory(folder, trouble)) return Error{"already exists and is not a directory", folder.string()};
  if (auto error = CheckEntries(folder, "", IsOwn)) return error;
  if (fs::exists(folder / "cases", trouble)) {
    if (auto error = CheckEntries(folder, "cases", IsPageOfCase)) return error;
  }
  if (fs::exists(folder / "index.html", trouble) && !IsStartPage(folder / "index.html")) {
    return Error{"holds an index.html that is not that of a report", folder.string(), {}, "choose another folder"};
  }
  return std::nullopt;
}

// The new pages take the place of the old ones. The way in comes last: where it is, the rest is there.
std::optional<Error> Replace(const fs::path& folder, const fs::path& made) {
  std::error_code trouble;
  const fs::path cases = folder / "cases";
  if (fs::exists(cases, trouble)) fs::rename(cases, made / "old", trouble);
  if (trouble) return Trouble("cannot be replaced", trouble, cases);
  for (const char* name : {"cases", "report.js", "report.css", "index.html"}) {
    fs::rename(made / name, folder / name, trouble);
    if (trouble) return Trouble("cannot be replaced", trouble, folder / name);
  }
  return std::nullopt;
}

// What the page of a case needs of the whole.
nlohmann::ordered_json Frame(const nlohmann::ordered_json& index) {
  nlohmann::ordered_json frame = {{"conform", index["conform"]}, {"verdicts", index["verdicts"]}};
  frame["implementations"] = index["implementations"];
  frame["survey"] = index.contains("survey");
  frame["causes"] = index.contains("causes");
  if (index.contains("site")) frame["site"] = index["site"];
  for (auto& one : frame["implementations"]) {
    one.erase("totals");
    one.erase("profiles");
  }
  return frame;
}

std::optional<Error> WritePages(const HtmlInput& input, const fs::path& root) {
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
  return Write(root / "index.html", PageText({std::string(kTitle), "", false, {{"index", index}}}));
}

}  // namespace

std::optional<Error> WriteHtmlFolder(const HtmlInput& input, const std::string& folder) {
  const fs::path root(folder);
  if (auto error = CheckFolder(root)) return error;
  std::error_code trouble;
  const bool is_new = !fs::exists(root, trouble);
  fs::remove_all(root / kNew, trouble);
  fs::create_directories(root / kNew / "cases", trouble);
  if (trouble) return Trouble("cannot be created", trouble, root);
  std::optional<Error> error;
  {
    const TemporaryFolder made((root / kNew).string());
    error = WritePages(input, made.path());
    if (!error) error = Replace(root, made.path());
  }
  if (error && is_new) fs::remove(root, trouble);
  return error;
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
