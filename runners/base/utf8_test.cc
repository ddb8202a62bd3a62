#include "runners/base/utf8.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

TEST(Utf8, ReadsTheFirstCharacter) {
  EXPECT_EQ(FirstCharacter("A…").length, 1u);
  EXPECT_EQ(FirstCharacter("…A").length, 3u);
  EXPECT_EQ(FirstCharacter("…A").code, U'…');
  EXPECT_EQ(FirstCharacter("\xF0\x9F\x98\x80").code, U'\U0001F600');
}

TEST(Utf8, RefusesWhatIsCutTooLongASurrogateOrBeyondTheLastCharacter) {
  for (const char* bytes :
       {"\xE2\x80", "\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_EQ(FirstCharacter(bytes).length, 0u) << bytes;
  }
}

TEST(Utf8, KnowsControlCharactersBeyondAscii) {
  EXPECT_TRUE(IsControl(0x85));
  EXPECT_TRUE(IsControl(0x2028));
  EXPECT_FALSE(IsControl(0xA0));
}

}  // namespace
}  // namespace conform
