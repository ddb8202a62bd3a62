#include "runners/harness/printable.h"

#include <algorithm>

#include "runners/base/text.h"

namespace conform {
namespace {

// How many bytes the character takes that `text` starts with; 0 where no valid one does. REQUIRES: !text.empty().
size_t CharacterLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Too long for what they say, halves of surrogates, and what is beyond the last character.
  const bool bad = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                   (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
  return bad ? 0 : length;
}

bool IsControl(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  // The second set of control characters, and the two that end a line or a paragraph.
  return (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0) || character == "\u2028" ||
         character == "\u2029";
}

bool IsSpace(std::string_view character) {
  return character == " " || character == "\u00A0" || character == "\u3000" || character == "\uFEFF" ||
         (character >= "\u2000" && character <= "\u200A");
}

template <typename Refuses>
bool None(std::string_view text, const Refuses& refuses) {
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    if (length == 0 || refuses(text.substr(0, length))) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

std::string Printable(std::string_view text, size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= max_bytes) return out + "…";
    const size_t length = CharacterLength(text);
    const std::string_view character = text.substr(0, std::max<size_t>(length, 1));
    if (character == "\n" || character == "\t" || character == "\r") {
      out += ' ';
    } else if (length == 0 || IsControl(character)) {
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
  return None(text, [](std::string_view character) { return IsControl(character) || IsSpace(character); });
}

}  // namespace conform
