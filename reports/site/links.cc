#include "reports/site/links.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "reports/site/site.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPageBytes = size_t{1} << 30;

struct PageLink {
  std::string target;
  int line = 0;
};

struct PageFacts {
  std::vector<PageLink> links;
  std::set<std::string> ids;
  bool is_drawn = false;  // by its script, from data
};

// What HtmlText has written, read again.
std::string Unescaped(std::string_view text) {
  static const std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}};
  std::string out;
  while (!text.empty()) {
    const auto* entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                      [&](const auto& one) { return text.starts_with(one.first); });
    const bool is_entity = entity != std::end(kEntities);
    out += is_entity ? entity->second : text[0];
    text.remove_prefix(is_entity ? entity->first.size() : 1);
  }
  return out;
}

// The value of an attribute of a tag; nothing where it has none. `name` begins with the space before it.
std::optional<std::string> Attribute(std::string_view tag, std::string_view name) {
  const std::string begin = std::string(name) + "=\"";
  const size_t at = tag.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  const size_t end = tag.find('"', at + begin.size());
  return Unescaped(tag.substr(at + begin.size(), end - at - begin.size()));
}

// Where the tag ends that begins at `at`: after its '>', which may also be in a value.
size_t EndOfTag(std::string_view text, size_t at) {
  bool in_value = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') in_value = !in_value;
    if (text[at] == '>' && !in_value) return at + 1;
  }
  return text.size();
}

PageFacts FactsOf(std::string_view text) {
  PageFacts facts;
  int line = 1;
  size_t counted = 0;
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    line += static_cast<int>(std::count(text.begin() + counted, text.begin() + at, '\n'));
    counted = at;
    const size_t end = EndOfTag(text, at);
    const std::string_view tag = text.substr(at, end - at);
    for (const std::string_view name : {" href", " src"}) {
      if (auto target = Attribute(tag, name)) facts.links.push_back({std::move(*target), line});
    }
    if (auto id = Attribute(tag, " id")) facts.ids.insert(std::move(*id));
    if (tag.starts_with("<body data-root")) facts.is_drawn = true;
    at = end;
    // What a script or a style holds is not HTML.
    for (const std::string_view name : {"script", "style"}) {
      if (!tag.substr(1).starts_with(name)) continue;
      const size_t close = text.find("</" + std::string(name), at);
      at = close == std::string_view::npos ? text.size() : close;
    }
  }
  return facts;
}

// Whether the report shows something for what follows the #: `spec/timers.deadline-order`, `matrix?verdict=fail`.
bool ReportShows(const std::string& fragment, const std::set<std::string>& clauses) {
  static const std::set<std::string> kViews = {"", "start", "matrix", "spec", "causes", "survey", "history"};
  const std::string path = fragment.substr(0, fragment.find('?'));
  const size_t slash = path.find('/');
  const std::string view = path.substr(0, slash);
  if (!kViews.contains(view)) return false;
  return slash == std::string::npos || (view == "spec" && clauses.contains(path.substr(slash + 1)));
}

}  // namespace

LinkCheck CheckLinks(const std::string& folder, const std::set<std::string>& clauses) {
  LinkCheck check;
  std::map<std::string, PageFacts> pages;  // by path below the folder
  std::set<std::string> files;
  std::error_code trouble;
  for (fs::recursive_directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (!at->is_regular_file()) continue;
    const std::string path = at->path().lexically_relative(folder).generic_string();
    files.insert(path);
    if (at->path().extension() != ".html") continue;
    const auto text = ReadFile(at->path().string(), kMaxPageBytes);
    if (!text) {
      check.broken.push_back(text.error());
    } else {
      pages[path] = FactsOf(*text);
    }
  }
  if (trouble) check.broken.push_back(Error::OfSystem("cannot be read", trouble.value(), folder));
  for (const auto& [path, facts] : pages) {
    for (const PageLink& link : facts.links) {
      if (link.target.starts_with("https://") || link.target.starts_with("data:")) continue;
      ++check.links;
      const std::string file = link.target.substr(0, link.target.find('#'));
      const std::string fragment = file.size() == link.target.size() ? "" : link.target.substr(file.size() + 1);
      const std::string target =
          file.empty() ? path : (fs::path(path).parent_path() / file).lexically_normal().generic_string();
      const auto page = pages.find(target);
      bool leads = files.contains(target);
      if (leads && !fragment.empty() && target != kSitePlayground) {
        leads = page != pages.end() &&
                (page->second.is_drawn ? ReportShows(fragment, clauses) : page->second.ids.contains(fragment));
      }
      if (!leads)
        check.broken.push_back(Error("the link to '" + link.target + "' leads nowhere", path, {link.line, 0}));
    }
  }
  return check;
}

}  // namespace conform::reports
