// UTF-8, character by character.
#ifndef CONFORM_RUNNERS_BASE_UTF8_H_
#define CONFORM_RUNNERS_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace conform {

// A character, and how many bytes it takes; none where the bytes are not UTF-8.
struct Utf8Character {
  size_t length = 0;
  char32_t code = 0;
};

// The character that `text` starts with. REQUIRES: !text.empty().
Utf8Character FirstCharacter(std::string_view text);

// Control characters, and the two that end a line or a paragraph.
bool IsControl(char32_t code);

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_UTF8_H_
