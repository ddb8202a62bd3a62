// Markdown as HTML, as far as the spec and the reports of this project use it: headings, paragraphs, lists, tables,
// blocks of code, <details>, and within a line code, links, strong and emphasised words. Everything else is text.
#ifndef CONFORM_REPORTS_SITE_MARKDOWN_H_
#define CONFORM_REPORTS_SITE_MARKDOWN_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace conform::reports {

struct MarkdownPlaces {
  // Where a link of the text leads on the page: an address, or nothing where the words stay without a link.
  std::function<std::optional<std::string>(const std::string& target)> link;
  // HTML in place of a piece of code, such as a link to the case that it names; "" for plain code.
  std::function<std::string(const std::string& code)> code;
  // The id of a heading; "" for one made from its words.
  std::function<std::string(const std::string& words)> heading_id;
};

// No text ever becomes HTML: whatever it says, the elements are those of this function and of `places.code`.
std::string MarkdownHtml(std::string_view text, const MarkdownPlaces& places);

// As GitHub makes it: "1. The phases, in order" is "1-the-phases-in-order".
std::string HeadingId(std::string_view words);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_MARKDOWN_H_
