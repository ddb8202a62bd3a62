#include "reports/site/places.h"

#include <algorithm>
#include <filesystem>

#include "reports/html/data.h"
#include "reports/html/page.h"
#include "reports/html/playground_link.h"
#include "reports/site/markdown.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr std::string_view kSitePrefix = "site:";

// Nothing but its own style: these pages have no script at all.
constexpr std::string_view kSitePolicy =
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

// "spec/claims.html" of "claims.md".
std::string PageOfDocument(const std::string& path) {
  std::string page = "spec/" + path.substr(0, path.size() - 3) + ".html";
  const size_t name = page.find_last_of('/') + 1;
  if (page.substr(name) == "README.html") page.replace(name, std::string::npos, "index.html");
  return page;
}

// From a page to the top of the site: "" or "../".
std::string RootFrom(const std::string& path) {
  std::string root;
  for (auto i = std::count(path.begin(), path.end(), '/'); i > 0; --i) root += "../";
  return root;
}

std::string FileName(const std::string& words) {
  std::string name;
  for (const char c : words) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += is_plain || c == '.' || c == '-' ? c : '-';
  }
  return name.substr(0, 100);
}

}  // namespace

SitePlaces::SitePlaces(const SiteInput& input) : input_(input) {
  for (const Case& c : input.catalogue.cases) cases_[c.id] = &c;
  const std::vector<std::string> pages = PageNames(input.set);
  for (size_t i = 0; i < pages.size(); ++i) {
    case_pages_[input.set.cases()[i].id] = std::string(kSiteReport) + "/cases/" + pages[i];
  }
  for (const Clause& clause : input.clauses.clauses) {
    const std::string file = std::filesystem::path(clause.file).filename().string();
    clauses_[clause.id] = PageOfDocument(file) + "#" + clause.id;
  }
  for (const SiteDocument& document : input.documents) documents_[document.path] = PageOfDocument(document.path);
}

std::string SitePlaces::OfCase(const std::string& id) const {
  if (const auto page = case_pages_.find(id); page != case_pages_.end()) return page->second;
  return cases_.contains(id) ? "catalogue.html#" + id : "";
}

std::string SitePlaces::OfClause(const std::string& id) const {
  const auto found = clauses_.find(id);
  return found == clauses_.end() ? "" : found->second;
}

std::string SitePlaces::OfDocument(const std::string& path) const {
  const auto found = documents_.find(path);
  return found == documents_.end() ? "" : found->second;
}

std::string SitePlaces::OfCauses(const CausesReport& report) const {
  for (size_t i = 0; i < input_.causes.size(); ++i) {
    if (&input_.causes[i] != &report) continue;
    return "causes/" + std::to_string(i + 1) + "-" + FileName(report.implementation) + ".html";
  }
  return "";
}

std::string SitePlaces::OfProgram(const std::string& case_id) const {
  const auto found = cases_.find(case_id);
  const std::string family = found == cases_.end() ? "" : PlaygroundFamily(*found->second, input_.playground_families);
  if (!input_.has_playground || family.empty()) return "";
  const std::string fragment = PlaygroundFragment(*found->second, family);
  return fragment.empty() ? "" : std::string(kSitePlayground) + "#" + fragment;
}

std::string SitePlaces::OfProgram(const Case& program, const std::string& profile) const {
  if (!input_.has_playground || PlaygroundFamily(program, input_.playground_families).empty()) return "";
  const size_t at = profile.find('@');
  const std::string name = profile.substr(0, at);
  const ProfileFamily* family = input_.profiles.Find(name);
  if (family == nullptr) return "";
  // A release that the playground does not list is shown on the newest.
  const auto is_listed = [&](const Version& release) { return name + "@" + release.ToString() == profile; };
  const bool listed = std::any_of(family->releases.begin(), family->releases.end(), is_listed);
  const std::string fragment = PlaygroundFragment(program, listed ? profile : name);
  return fragment.empty() ? "" : std::string(kSitePlayground) + "#" + fragment;
}

std::string SitePlaces::CodeHtml(const SitePage& page, const std::string& root, const std::string& code) const {
  std::string place = OfCase(code);
  if (place.empty()) place = OfClause(code);
  if (place.empty()) return "";
  std::string out = "<a href=\"" + HtmlText(root + place) + "\"><code>" + HtmlText(code) + "</code></a>";
  if (const std::string program = page.has_tries ? OfProgram(code) : ""; !program.empty()) {
    out += "&nbsp;<a class=\"try\" href=\"" + HtmlText(root + program) + "\" aria-label=\"try " + HtmlText(code) +
           " in the playground\">try</a>";
  }
  return out;
}

std::optional<std::string> SitePlaces::LinkTo(const SitePage& page, const std::string& root,
                                              const std::string& target) const {
  if (target.starts_with("https://") || target.starts_with("#")) return target;
  if (target.starts_with(kSitePrefix)) return root + target.substr(kSitePrefix.size());
  const std::string file = target.substr(0, target.find('#'));
  const std::string fragment = target.substr(file.size());
  const std::string path = (std::filesystem::path("spec") / page.folder / file).lexically_normal().generic_string();
  if (path.starts_with("cases/") && path.ends_with(".yaml")) {
    const std::string place = OfCase(path.substr(6, path.size() - 11));
    return place.empty() ? std::nullopt : std::optional(root + place);
  }
  const std::string place = path.starts_with("spec/") ? OfDocument(path.substr(5)) : "";
  // What is not on the site, such as a file of the sources, is named without a link.
  return place.empty() ? std::nullopt : std::optional(root + place + fragment);
}

std::string SitePlaces::RenderText(const SitePage& page) const {
  const std::string root = RootFrom(page.path);
  MarkdownPlaces places;
  places.link = [&](const std::string& target) { return LinkTo(page, root, target); };
  places.code = [&](const std::string& code) { return CodeHtml(page, root, code); };
  places.heading_id = [&](const std::string& words) {
    return clauses_.contains(words) || cases_.contains(words) ? words : std::string();
  };
  return MarkdownHtml(page.text, places);
}

std::string SitePlaces::Render(const SitePage& page) const {
  const std::string root = RootFrom(page.path);
  std::vector<std::pair<std::string, std::string>> sections = {{"index.html", "Start"}};
  if (input_.has_playground) sections.emplace_back(kSitePlayground, "Playground");
  const std::vector<std::pair<std::string, std::string>> others = {
      {OfDocument("README.md"), "Spec"},     {OfDocument("claims.md"), "What people say"},
      {"catalogue.html", "Catalogue"},       {std::string(kSiteReport) + "/index.html", "Compatibility"},
      {"causes/index.html", "Causes"},       {"rules.html", "Rules"},
      {OfDocument("history.md"), "History"},
  };
  sections.insert(sections.end(), others.begin(), others.end());
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + std::string(kSitePolicy) + "\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";
  out += "<title>" + HtmlText(page.title) + " · conform</title>\n<link rel=\"icon\" href=\"data:,\">\n";
  out += "<link rel=\"stylesheet\" href=\"" + root + "site.css\">\n</head>\n<body>\n";
  out += "<a class=\"skip\" href=\"#site-content\">Skip to the content</a>\n<header class=\"top\">";
  out += "<a class=\"brand\" href=\"" + root + "index.html\">conform</a>\n<nav aria-label=\"Site\">\n";
  for (const auto& [path, title] : sections) {
    if (path.empty()) continue;  // a spec without this page
    out += "<a href=\"" + root + path + "\"" + (path == page.section ? " aria-current=\"page\"" : "") + ">" + title +
           "</a>\n";
  }
  out +=
      "</nav></header>\n<main id=\"site-content\" class=\"site\" tabindex=\"-1\">\n" + RenderText(page) + "</main>\n";
  return out + "<footer>Made by conform " + HtmlText(input_.conform) + ".</footer>\n</body>\n</html>\n";
}

}  // namespace conform::reports
