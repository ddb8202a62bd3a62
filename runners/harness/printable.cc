#include "runners/harness/printable.h"

#include <algorithm>

#include "runners/base/text.h"
#include "runners/base/utf8.h"

namespace conform {
namespace {

bool IsSpace(char32_t code) {
  return code == ' ' || code == 0x00A0 || code == 0x3000 || code == 0xFEFF || (code >= 0x2000 && code <= 0x200A);
}

template <typename Refuses>
bool None(std::string_view text, const Refuses& refuses) {
  while (!text.empty()) {
    const Utf8Character first = FirstCharacter(text);
    if (first.length == 0 || refuses(first.code)) return false;
    text.remove_prefix(first.length);
  }
  return true;
}

}  // namespace

std::string Printable(std::string_view text, size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= max_bytes) return out + "…";
    const Utf8Character first = FirstCharacter(text);
    const std::string_view character = text.substr(0, std::max<size_t>(first.length, 1));
    if (character == "\n" || character == "\t" || character == "\r") {
      out += ' ';
    } else if (first.length == 0 || IsControl(first.code)) {
      out += '?';
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

std::string TellingLine(std::string_view text, size_t max_bytes) {
  std::string_view last, telling;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    if (!line.empty()) last = line;
    // Stacks name functions and files, which may be called anything.
    if (line.find("rror") != std::string_view::npos && !line.starts_with("at ")) telling = line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return Printable(telling.empty() ? last : telling, max_bytes);
}

bool IsPlain(std::string_view text) { return None(text, IsControl); }

bool IsOneWord(std::string_view text) {
  return None(text, [](char32_t code) { return IsControl(code) || IsSpace(code); });
}

}  // namespace conform
