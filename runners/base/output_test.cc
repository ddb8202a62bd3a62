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
  EXPECT_EQ(Style(true).Bad("x"), "\033[31mx\033[0m");
}

}  // namespace
}  // namespace conform
