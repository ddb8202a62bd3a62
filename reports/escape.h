// Text that others wrote, made inert for each place where a report puts it.
#ifndef CONFORM_REPORTS_ESCAPE_H_
#define CONFORM_REPORTS_ESCAPE_H_

#include <string>
#include <string_view>

namespace conform::reports {

// Ends of lines and tabs become spaces. Other control characters, those that turn the direction of writing, and those
// that XML cannot hold become question marks. `text` is UTF-8; bytes that are not are question marks too.
std::string Cleaned(std::string_view text);

// For the text and the attributes of XML: & < > " '. What Cleaned replaces is replaced here too, but for ends of lines.
std::string XmlEscaped(std::string_view text);

// As code in Markdown, with as many backquotes around it as it takes. Code is the one place where nothing is a link, a
// mention, a picture, HTML or emphasis; pages make links of `a@b.c` and `@name` even where their marks are escaped.
std::string MarkdownCode(std::string_view text);
// The same in a cell of a table, where a bar would end the cell.
std::string MarkdownCell(std::string_view text);

// The value of a property, and the message, of a workflow command of GitHub: `::error file=VALUE::MESSAGE`.
std::string GithubProperty(std::string_view text);
std::string GithubMessage(std::string_view text);

// The description of a test point of TAP: no directive, no end of line.
std::string TapEscaped(std::string_view text);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_ESCAPE_H_
