#include "runners/base/output.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

TEST(Wrap, BreaksAtSpacesAndKeepsLongWordsWhole) {
  EXPECT_EQ(Wrap("one two three", "- ", "  ", 9), "- one two\n  three\n");
  EXPECT_EQ(Wrap("a extraordinarily b", "", "", 6), "a\nextraordinarily\nb\n");
}

TEST(Wrap, TreatsNewlinesAsSpaces) { EXPECT_EQ(Wrap("one\ntwo\n", "", ""), "one two\n"); }

TEST(Wrap, CountsCharactersNotBytes) { EXPECT_EQ(Wrap("×× ××", "", "", 5), "×× ××\n"); }

TEST(Cut, LeavesRoomForTheEllipsis) {
  EXPECT_EQ(Cut("abcdef", 6), "abcdef");
  EXPECT_EQ(Cut("abcdef", 5), "abcd…");
  EXPECT_EQ(Cut("äöüß", 3), "äö…");
}

TEST(Padded, FillsUpToTheColumns) {
  EXPECT_EQ(Padded("ä", 3), "ä  ");
  EXPECT_EQ(Padded("abcd", 3), "abcd");
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(Counted(1, "case"), "1 case");
  EXPECT_EQ(Counted(0, "case"), "0 cases");
  EXPECT_EQ(Counted(2, "entry", "entries"), "2 entries");
}

TEST(Quoted, LeavesPlainWordsAlone) {
  EXPECT_EQ(Quoted("cases/a-b.yaml"), "cases/a-b.yaml");
  EXPECT_EQ(Quoted("a b"), "'a b'");
  EXPECT_EQ(Quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(Quoted(""), "''");
}

TEST(Style, WithoutColourAddsNothing) {
  EXPECT_EQ(Style(false).Bad("x"), "x");
  EXPECT_EQ(TerminalText(Style(true).Bad("x")), "\033[31mx\033[0m");
}

// Goal: nothing that others wrote moves the cursor, hides text or turns it round.
TEST(Output, OnlyOurOwnColoursReachATerminal) {
  EXPECT_EQ(TerminalText("a\033[31mb\033]0;title\007\r\177\n\tc"),
            "a\\u001b[31mb\\u001b]0;title\\u0007\\u000d\\u007f\n\tc");
  EXPECT_EQ(TerminalText("\u202ekcab\u2066x\u200f\u061c\u2028\u009b31m"),
            "\\u202ekcab\\u2066x\\u200f\\u061c\\u2028\\u009b31m");
  EXPECT_EQ(TerminalText("\xff\xc3(\xed\xa0\x80"), "\\xff\\xc3(\\xed\\xa0\\x80");
  EXPECT_EQ(TerminalText("é 日本 𝄞 × …"), "é 日本 𝄞 × …");
  EXPECT_EQ(TerminalText(Style(true).Good("\033[31m")), "\033[32m\\u001b[31m\033[0m");
}

}  // namespace
}  // namespace conform
