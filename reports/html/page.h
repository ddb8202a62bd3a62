// A page as text: a frame, a policy that lets nothing in, and data that stays data.
#ifndef CONFORM_REPORTS_HTML_PAGE_H_
#define CONFORM_REPORTS_HTML_PAGE_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conform::reports {

// JSON that can be inside a <script type="application/json">: no '<', '>' or '&', and ASCII alone. Bytes that are
// not UTF-8 become U+FFFD.
std::string ScriptJson(const nlohmann::ordered_json& data);

// `text` with the five characters that mean something in HTML written as entities.
std::string HtmlText(std::string_view text);
// As every page has one, in its first 2,000 bytes.
std::string TitleElement(std::string_view title);

struct HtmlPage {
  std::string title;
  std::string root;  // from this page to the folder of index.html: "" or "../"
  bool inline_assets = false;
  std::vector<std::pair<std::string, nlohmann::ordered_json>> data;  // id of the element, and what it holds
};

std::string PageText(const HtmlPage& page);

// The script and the style of every page: page/*.js and page/*.css, one after the other.
const std::string& HtmlScript();
const std::string& HtmlStyle();

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_PAGE_H_
