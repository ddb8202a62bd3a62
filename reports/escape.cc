#include "reports/escape.h"

#include <algorithm>

#include "runners/base/utf8.h"

namespace conform::reports {
namespace {

bool IsHarmful(char32_t code) {
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  const bool no_character = (code & 0xFFFE) == 0xFFFE;
  return IsControl(code) || direction || no_character;
}

std::string CleanedText(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character first = FirstCharacter(text);
    const size_t length = std::max<size_t>(first.length, 1);
    if (first.length == 1 && (text[0] == '\n' || text[0] == '\t' || text[0] == '\r')) {
      out += keep_lines && text[0] == '\n' ? '\n' : ' ';
    } else if (first.length == 0 || IsHarmful(first.code)) {
      out += '?';
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

// `text` with each byte of `special` as what `replacement` makes of it.
template <typename Replacement>
std::string Replaced(std::string_view text, std::string_view special, const Replacement& replacement) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == special.npos) {
      out += c;
    } else {
      out += replacement(c);
    }
  }
  return out;
}

std::string Percent(char c) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return {'%', kDigits[static_cast<unsigned char>(c) >> 4], kDigits[static_cast<unsigned char>(c) & 15]};
}

}  // namespace

std::string Cleaned(std::string_view text) { return CleanedText(text, /*keep_lines=*/false); }

std::string XmlEscaped(std::string_view text) {
  return Replaced(CleanedText(text, /*keep_lines=*/true), "&<>\"'", [](char c) -> std::string_view {
    if (c == '&') return "&amp;";
    if (c == '<') return "&lt;";
    if (c == '>') return "&gt;";
    if (c == '"') return "&quot;";
    return "&#39;";
  });
}

std::string MarkdownCode(std::string_view text) {
  const std::string code = Cleaned(text);
  size_t longest = 0;
  for (size_t i = 0, run = 0; i < code.size(); ++i) {
    run = code[i] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool pad = code.empty() || code.front() == '`' || code.back() == '`' || code.front() == ' ';
  return pad ? fence + ' ' + code + ' ' + fence : fence + code + fence;
}

std::string MarkdownCell(std::string_view text) {
  // A bar is escaped by a backslash, even in code. One that is there already would be taken for that, and is shown
  // as the character that looks like it.
  std::string cell;
  for (const char c : MarkdownCode(text)) {
    if (c == '|' && cell.ends_with('\\')) cell.replace(cell.size() - 1, 1, "∖");
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string GithubProperty(std::string_view text) { return Replaced(Cleaned(text), "%\r\n:,", Percent); }

std::string GithubMessage(std::string_view text) {
  return Replaced(CleanedText(text, /*keep_lines=*/true), "%\r\n", Percent);
}

std::string TapEscaped(std::string_view text) {
  return Replaced(Cleaned(text), "\\#", [](char c) { return std::string{'\\', c}; });
}

}  // namespace conform::reports
