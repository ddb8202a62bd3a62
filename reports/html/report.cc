#include "reports/html/report.h"

#include <filesystem>
#include <fstream>
#include <set>

#include "reports/html/data.h"
#include "reports/html/page.h"

namespace conform::reports {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTitle = "conform report";

std::optional<Error> Write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out.good()) return std::nullopt;
  return Error{"cannot be written", file.string()};
}

// What a report writes, and nothing else: a slip of the fingers must not mix a report with somebody's files.
std::optional<Error> CheckFolder(const fs::path& folder) {
  std::error_code trouble;
  if (!fs::exists(folder, trouble)) return std::nullopt;
  if (!fs::is_directory(folder, trouble)) return Error{"already exists and is not a directory", folder.string()};
  static const std::set<std::string> own = {"index.html", "report.js", "report.css", "cases"};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, trouble)) {
    const std::string name = entry.path().filename().string();
    if (!own.contains(name)) {
      return Error{"holds '" + name + "', which is not part of a report", folder.string(), {}, "choose another folder"};
    }
  }
  if (trouble) return Error{"cannot be read: " + trouble.message(), folder.string()};
  return std::nullopt;
}

std::optional<Error> ClearPages(const fs::path& cases) {
  std::error_code trouble;
  fs::create_directories(cases, trouble);
  if (trouble) return Error{"cannot be created: " + trouble.message(), cases.string()};
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(cases, trouble)) {
    if (entry.path().extension() == ".html") old.push_back(entry.path());
  }
  for (const fs::path& page : old) fs::remove(page, trouble);
  if (trouble) return Error{"cannot be emptied: " + trouble.message(), cases.string()};
  return std::nullopt;
}

// What the page of a case needs of the whole.
nlohmann::ordered_json Frame(const nlohmann::ordered_json& index) {
  nlohmann::ordered_json frame = {{"conform", index["conform"]}, {"verdicts", index["verdicts"]}};
  frame["implementations"] = index["implementations"];
  frame["survey"] = index.contains("survey");
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
