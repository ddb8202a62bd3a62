#include "runners/export/code.h"

#include <cstdint>
#include <cstdio>

#include "runners/base/text.h"

namespace conform {
namespace {

constexpr size_t kMaxBlockOnOneLine = 100;
constexpr size_t kMaxFileStem = 60;

bool IsLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// Takes one code point off the front of `text`; U+FFFD for a byte that is not UTF-8.
uint32_t TakeCodePoint(std::string_view& text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  constexpr uint32_t kReplacement = 0xfffd;
  if (length == 0 || length > text.size() || first >= 0xf5) {
    text.remove_prefix(1);
    return kReplacement;
  }
  uint32_t point = length == 1 ? first : first & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) {
      text.remove_prefix(1);
      return kReplacement;
    }
    point = point << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kLeastOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  if (point < kLeastOfLength[length] || surrogate || point > 0x10ffff) {
    text.remove_prefix(1);
    return kReplacement;
  }
  text.remove_prefix(length);
  return point;
}

std::string Formatted(const char* format, uint32_t value) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

// Line ends, controls and the marks that change the direction of writing: text that a reader would not see as it is.
bool IsInvisible(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x2069) || point == 0xfeff;
}

}  // namespace

void Code::Line(const std::string& text) { lines_.push_back({depth_, text}); }

void Code::Open(const std::string& text) {
  Line(text);
  ++depth_;
}

void Code::Close(const std::string& text) {
  --depth_;
  Line(text);
}

void Code::Text(std::string_view text, int empty_lines) {
  for (const std::string& line : Split(text.substr(1), '\n')) Line(line);
  for (int i = 0; i < empty_lines; ++i) Line();
}

void Code::Append(const Code& inner) {
  for (const Entry& entry : inner.lines_) lines_.push_back({depth_ + entry.depth, entry.text});
}

void Code::Block(const std::string& head, const Code& body, const std::string& tail) {
  if (body.lines_.size() == 1) {
    const std::string line = head + " " + body.lines_[0].text + " " + tail;
    if (line.size() <= kMaxBlockOnOneLine) return Line(line);
  }
  if (body.lines_.empty()) return Line(head + tail);
  Open(head);
  Append(body);
  Close(tail);
}

std::string Code::ToString() const {
  std::string text;
  for (const Entry& entry : lines_) {
    if (!entry.text.empty()) text.append(static_cast<size_t>(entry.depth * indent_width_), ' ').append(entry.text);
    text += '\n';
  }
  return text;
}

namespace {

std::string ScriptString(std::string_view text, bool surrogate_pairs) {
  std::string literal = "'";
  while (!text.empty()) {
    const uint32_t point = TakeCodePoint(text);
    if (point == '\'' || point == '\\') {
      literal += '\\';
      literal += static_cast<char>(point);
    } else if (point >= 0x20 && point < 0x7f) {
      literal += static_cast<char>(point);
    } else if (point < 0x100) {
      literal += Formatted("\\x%02x", point);
    } else if (point < 0x10000) {
      literal += Formatted("\\u%04x", point);
    } else if (!surrogate_pairs) {
      literal += Formatted("\\U%08x", point);
    } else {
      literal += Formatted("\\u%04x", 0xd800 + ((point - 0x10000) >> 10));
      literal += Formatted("\\u%04x", 0xdc00 + ((point - 0x10000) & 0x3ff));
    }
  }
  return literal + "'";
}

}  // namespace

std::string JsString(std::string_view text) { return ScriptString(text, true); }

std::string PythonString(std::string_view text) { return ScriptString(text, false); }

std::string CString(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    // A question mark is escaped so that no three characters are ever read as a trigraph.
    if (c == '"' || c == '\\' || c == '?') {
      literal += '\\';
      literal += c;
    } else if (c >= 0x20 && c < 0x7f) {
      literal += c;
    } else {
      literal += Formatted("\\%03o", static_cast<unsigned char>(c));
    }
  }
  return literal + "\"";
}

std::string CommentText(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::string_view before = text;
    const uint32_t point = TakeCodePoint(text);
    if (IsInvisible(point)) {
      line += ' ';
    } else if (point == 0xfffd) {
      line += '?';
    } else if (point == '\\' || (point == '/' && !line.empty() && line.back() == '*')) {
      // A backslash at the end would continue the comment on the next line, and `*/` would end one.
      line += '|';
    } else {
      line += before.substr(0, before.size() - text.size());
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::vector<std::string> HeaderLines(const Case& c) {
  if (c.expect.empty()) return {CommentText(c.title.empty() ? c.id : c.title)};
  const std::string intro = "Case " + CommentText(c.id) + ", expected order of labels:";
  std::vector<std::string> lines = {CommentText(c.title), "", intro};
  for (const Expectation& expectation : c.expect) {
    std::string where = expectation.family.empty() ? "everywhere" : expectation.family;
    const std::string range = expectation.range.ToString();
    if (!expectation.family.empty() && !range.empty()) where += " " + range;
    const std::string& pattern = expectation.pattern.text;
    lines.push_back("  " + CommentText(where) + ": " + (pattern.empty() ? "(nothing)" : CommentText(pattern)));
  }
  return lines;
}

std::string IdentifierPart(std::string_view label) {
  std::string part;
  for (const char c : label) part += IsLetterOrDigit(c) ? c : '_';
  return part;
}

std::string NameFor(const std::string& prefix, const Step& step) {
  return step.label.empty() ? prefix : prefix + "_" + IdentifierPart(step.label);
}

std::string FileStem(const Case& c) {
  const size_t slash = c.id.rfind('/');
  std::string stem;
  for (const char letter : slash == std::string::npos ? c.id : c.id.substr(slash + 1)) {
    stem += IsLetterOrDigit(letter) || letter == '-' || letter == '_' ? letter : '-';
  }
  while (!stem.empty() && stem.front() == '-') stem.erase(0, 1);
  if (stem.size() > kMaxFileStem) stem.resize(kMaxFileStem);
  return stem.empty() ? "case" : stem;
}

std::string Names::Unique(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; !taken_.insert(name).second; ++number) name = wanted + std::to_string(number);
  return name;
}

}  // namespace conform
