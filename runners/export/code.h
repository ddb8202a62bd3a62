// Writing source text: lines, literals, comments and names. Everything that comes from a case file passes through here.
#ifndef CONFORM_RUNNERS_EXPORT_CODE_H_
#define CONFORM_RUNNERS_EXPORT_CODE_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runners/model/case.h"

namespace conform {

// Lines of a program under construction, with their indentation.
class Code {
 public:
  explicit Code(int indent_width = 2) : indent_width_(indent_width) {}

  void Line(const std::string& text = "");
  void Open(const std::string& text);   // a line, and what follows is one level deeper
  void Close(const std::string& text);  // one level back, then a line
  void Indent() { ++depth_; }
  void Outdent() { --depth_; }
  // Its lines, and empty ones behind. REQUIRES: it begins with a line end, as raw strings do.
  void Text(std::string_view text, int empty_lines = 0);
  void Append(const Code& inner);  // its lines, at the present depth

  // `head body tail` on one line where the body is one short line, otherwise the body between head and tail.
  void Block(const std::string& head, const Code& body, const std::string& tail);

  int indent_width() const { return indent_width_; }
  bool empty() const { return lines_.empty(); }
  std::string ToString() const;

 private:
  struct Entry {
    int depth;
    std::string text;
  };
  int indent_width_;
  int depth_ = 0;
  std::vector<Entry> lines_;
};

// Literals with single quotes, in ASCII, the rest as \xNN and \uNNNN; above that JavaScript has surrogate pairs and
// Python \UNNNNNNNN.
std::string JsString(std::string_view text);
std::string PythonString(std::string_view text);

// A literal for C: ASCII, the rest as octal bytes.
std::string CString(std::string_view text);

// One line that is safe after `//` or `#`: no line end, control or direction mark, no backslash at the end, no `*/`.
std::string CommentText(std::string_view text);

// The lines that open an exported program, without the comment marks: title, id, expectations.
std::vector<std::string> HeaderLines(const Case& c);

// Letters, digits and underscores of `label`; everything else becomes an underscore.
std::string IdentifierPart(std::string_view label);

// `prefix`, and behind it what the label of the step has for a name.
std::string NameFor(const std::string& prefix, const Step& step);

// The last part of the case's id as a file name without ending.
std::string FileStem(const Case& c);

// Names that are given once.
class Names {
 public:
  explicit Names(std::set<std::string> taken) : taken_(std::move(taken)) {}
  // `wanted`, or with the first free number behind it.
  std::string Unique(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_CODE_H_
