#include "reports/site/markdown.h"

#include <algorithm>
#include <map>
#include <vector>

#include "reports/html/page.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

size_t CountOfAtStart(std::string_view text, char c) {
  const size_t end = text.find_first_not_of(c);
  return end == std::string_view::npos ? text.size() : end;
}

size_t Indent(std::string_view line) { return CountOfAtStart(line, ' '); }

// One pass over the lines; a block begins where the line says so, and ends where it must.
class MarkdownWriter {
 public:
  MarkdownWriter(std::string_view text, const MarkdownPlaces& places) : places_(places), lines_(Split(text, '\n')) {}

  std::string Whole() {
    while (at_ < lines_.size()) Block();
    for (; open_details_ > 0; --open_details_) out_ += "</details>\n";
    return std::move(out_);
  }

 private:
  const std::string& line() const { return lines_[at_]; }
  bool is_blank() const { return Trim(line()).empty(); }

  // Whether a line begins something other than more of a paragraph.
  bool Begins(std::string_view line) const {
    return Trim(line).empty() || line.starts_with("#") || line.starts_with("```") || IsItem(line) ||
           line.starts_with("|") || IsDetails(line);
  }

  static bool IsDetails(std::string_view line) {
    return line == "</details>" || (line.starts_with("<details><summary>") && line.ends_with("</summary>"));
  }

  // The length of the mark of an item of a list, "- " or "12. "; 0 where there is none.
  static size_t MarkOf(std::string_view line) {
    const size_t indent = Indent(line);
    line.remove_prefix(indent);
    if (line.starts_with("- ") || line.starts_with("* ")) return indent + 2;
    const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    return digits > 0 && digits < 4 && line.substr(digits).starts_with(". ") ? indent + digits + 2 : 0;
  }
  static bool IsItem(std::string_view line) { return MarkOf(line) > 0 && Indent(line) < 4; }

  void Block() {
    if (is_blank()) {
      ++at_;
    } else if (line().starts_with("#")) {
      Heading();
    } else if (line().starts_with("```")) {
      Fence();
    } else if (Indent(line()) >= 4) {
      IndentedCode();
    } else if (IsItem(line())) {
      List();
    } else if (line().starts_with("|") && at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with("| -")) {
      Table();
    } else if (IsDetails(line())) {
      Details();
    } else {
      Paragraph();
    }
  }

  void Heading() {
    const size_t level = std::min<size_t>(CountOfAtStart(line(), '#'), 6);
    const std::string words(Trim(std::string_view(line()).substr(level)));
    std::string id = places_.heading_id ? places_.heading_id(words) : "";
    if (id.empty()) id = HeadingId(words);
    if (const int before = headings_[id]++; before > 0) id += "-" + std::to_string(before);
    const std::string name = "h" + std::to_string(level);
    out_ += "<" + name + " id=\"" + HtmlText(id) + "\">" + Words(words) + "</" + name + ">\n";
    ++at_;
  }

  void Code(const std::string& code) { out_ += "<pre tabindex=\"0\"><code>" + HtmlText(code) + "</code></pre>\n"; }

  void Fence() {
    const std::string fence(CountOfAtStart(line(), '`'), '`');
    std::string code;
    for (++at_; at_ < lines_.size() && Trim(line()) != fence; ++at_) code += line() + "\n";
    if (at_ < lines_.size()) ++at_;
    Code(code);
  }

  void IndentedCode() {
    std::string code, blank;
    for (; at_ < lines_.size() && (is_blank() || Indent(line()) >= 4); ++at_) {
      if (is_blank()) {
        blank += "\n";
      } else {
        code += blank + line().substr(4) + "\n";
        blank.clear();
      }
    }
    Code(code);
  }

  // An item continues for as long as lines are indented below its mark.
  void List() {
    const bool is_ordered = !line().starts_with("-") && !line().starts_with("*");
    const char* name = is_ordered ? "ol" : "ul";
    out_ += std::string("<") + name + ">\n";
    while (at_ < lines_.size() && IsItem(line())) {
      const size_t mark = MarkOf(line());
      std::string item = line().substr(mark);
      for (++at_; at_ < lines_.size(); ++at_) {
        const bool goes_on =
            is_blank() ? at_ + 1 < lines_.size() && Indent(lines_[at_ + 1]) >= 2 && !Trim(lines_[at_ + 1]).empty()
                       : Indent(line()) >= 2 || !Begins(line());
        if (!goes_on) break;
        item += "\n" + (Indent(line()) >= mark ? line().substr(mark) : std::string(Trim(line())));
      }
      const bool is_plain = item.find("\n\n") == std::string::npos && item.find("\n- ") == std::string::npos &&
                            item.find("\n```") == std::string::npos;
      std::replace(item.begin(), is_plain ? item.end() : item.begin(), '\n', ' ');
      out_ += "<li>" + (is_plain ? Words(item) : MarkdownWriter(item, places_).Whole()) + "</li>\n";
    }
    out_ += std::string("</") + name + ">\n";
  }

  // The cells of a row. A bar in a cell has a backslash before it.
  static std::vector<std::string> Cells(std::string_view row) {
    row = Trim(row);
    row.remove_prefix(1);
    if (row.ends_with('|')) row.remove_suffix(1);
    std::vector<std::string> cells(1);
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
        cells.back() += row[++i];
      } else if (row[i] == '|') {
        cells.emplace_back();
      } else {
        cells.back() += row[i];
      }
    }
    return cells;
  }

  void Head(const std::string& row) {
    out_ += "<thead>\n<tr>";
    for (const std::string& cell : Cells(row)) out_ += "<th>" + Words(Trim(cell)) + "</th>";
    out_ += "</tr>\n</thead>\n";
  }

  // Each cell knows the name of its column, which is shown where a row is laid out as a list. The first is that of the
  // row.
  void Row(const std::string& row, const std::vector<std::string>& columns) {
    const std::vector<std::string> cells = Cells(row);
    out_ += "<tr>";
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string column = i > 0 && i < columns.size() ? ColumnName(columns[i]) : "";
      out_ += column.empty() ? "<td>" : "<td data-column=\"" + HtmlText(column) + "\">";
      out_ += Words(Trim(cells[i])) + "</td>";
    }
    out_ += "</tr>\n";
  }

  // Without marks, as an attribute has no elements; "" for a link, of which only the text would be left.
  static std::string ColumnName(std::string_view head) {
    std::string name(Trim(head));
    if (name.find('[') != std::string::npos) return "";
    std::erase(name, '`');
    std::erase(name, '*');
    return name;
  }

  void Table() {
    // The keyboard scrolls what has the focus.
    out_ +=
        "<div class=\"scroll\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table class=\"plain labelled\">\n";
    const std::vector<std::string> columns = Cells(line());
    Head(line());
    out_ += "<tbody>\n";
    for (at_ += 2; at_ < lines_.size() && line().starts_with("|"); ++at_) Row(line(), columns);
    out_ += "</tbody>\n</table></div>\n";
  }

  void Details() {
    if (line() == "</details>") {
      if (open_details_ > 0) out_ += "</details>\n";
      open_details_ = std::max(0, open_details_ - 1);
    } else {
      const std::string_view summary = std::string_view(line()).substr(18, line().size() - 18 - 10);
      out_ += "<details><summary>" + HtmlText(summary) + "</summary>\n";
      ++open_details_;
    }
    ++at_;
  }

  void Paragraph() {
    std::string text = line();
    for (++at_; at_ < lines_.size() && !Begins(line()); ++at_) text += " " + std::string(Trim(line()));
    out_ += "<p>" + Words(text) + "</p>\n";
  }

  // The words of one line or paragraph.
  std::string Words(std::string_view text) const {
    std::string out;
    for (size_t i = 0; i < text.size();) {
      if (const size_t length = OneSpan(text, i, &out); length > 0) {
        i += length;
      } else {
        out += HtmlText(text.substr(i, 1));
        ++i;
      }
    }
    return out;
  }

  // The length of what begins at `i` and is more than a character, with its HTML added; 0 where nothing does.
  size_t OneSpan(std::string_view text, size_t i, std::string* out) const {
    const std::string_view rest = text.substr(i);
    if (rest[0] == '\\' && rest.size() > 1 && kPunctuation.find(rest[1]) != std::string_view::npos) {
      *out += HtmlText(rest.substr(1, 1));
      return 2;
    }
    if (rest[0] == '`') return CodeSpan(rest, out);
    if (rest[0] == '[') return Link(rest, out);
    if (rest.starts_with("**")) return Marked(rest, "**", "strong", out);
    const bool in_word = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0);
    if (rest[0] == '*' && !in_word) return Marked(rest, "*", "em", out);
    return 0;
  }

  size_t CodeSpan(std::string_view rest, std::string* out) const {
    const size_t length = CountOfAtStart(rest, '`');
    const std::string fence(length, '`');
    for (size_t end = rest.find(fence, length); end != std::string_view::npos;) {
      const size_t run = CountOfAtStart(rest.substr(end), '`');
      if (run != length) {
        end = rest.find(fence, end + run);
        continue;
      }
      std::string_view code = rest.substr(length, end - length);
      if (code.size() > 2 && code.starts_with(' ') && code.ends_with(' ')) code = code.substr(1, code.size() - 2);
      const std::string special = places_.code ? places_.code(std::string(code)) : "";
      *out += special.empty() ? "<code>" + HtmlText(code) + "</code>" : special;
      return end + length;
    }
    *out += fence;
    return length;
  }

  size_t Link(std::string_view rest, std::string* out) const {
    size_t close = std::string_view::npos;
    int depth = 0;
    for (size_t i = 0; i < rest.size() && close == std::string_view::npos; ++i) {
      if (rest[i] == '[') ++depth;
      if (rest[i] == ']' && --depth == 0) close = i;
    }
    if (close == std::string_view::npos || !rest.substr(close + 1).starts_with("(")) return 0;
    const size_t end = rest.find(')', close);
    if (end == std::string_view::npos) return 0;
    const std::string target(Trim(rest.substr(close + 2, end - close - 2)));
    if (target.find_first_of(" <>") != std::string::npos) return 0;
    const std::string_view words = rest.substr(1, close - 1);
    const auto address = places_.link ? places_.link(target) : std::nullopt;
    MarkdownPlaces inside = places_;
    inside.code = nullptr;  // no link within a link
    const std::string shown = MarkdownWriter("", inside).Words(words);
    *out += address ? "<a href=\"" + HtmlText(*address) + "\">" + shown + "</a>" : shown;
    return end + 1;
  }

  size_t Marked(std::string_view rest, std::string_view mark, const char* name, std::string* out) const {
    const size_t end = rest.find(mark, mark.size());
    if (end == std::string_view::npos || end == mark.size() || rest[mark.size()] == ' ' || rest[end - 1] == ' ') {
      return 0;
    }
    *out += std::string("<") + name + ">" + Words(rest.substr(mark.size(), end - mark.size())) + "</" + name + ">";
    return end + mark.size();
  }

  const MarkdownPlaces& places_;
  const std::vector<std::string> lines_;
  size_t at_ = 0;
  int open_details_ = 0;
  std::map<std::string, int> headings_;
  std::string out_;
};

}  // namespace

std::string MarkdownHtml(std::string_view text, const MarkdownPlaces& places) {
  return MarkdownWriter(text, places).Whole();
}

std::string HeadingId(std::string_view words) {
  std::string id;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      id += '-';
    } else if (c == '-' || c == '_' || byte >= 0x80 || std::isalnum(byte) != 0) {
      id += static_cast<char>(std::tolower(byte));
    }
  }
  return id;
}

}  // namespace conform::reports
