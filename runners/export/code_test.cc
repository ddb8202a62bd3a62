#include "runners/export/code.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

TEST(Code, ABlockWithOneShortLineStandsOnOneLine) {
  Code body;
  body.Line("log('A');");
  Code out;
  out.Block("f(function () {", body, "});");
  EXPECT_EQ(out.ToString(), "f(function () { log('A'); });\n");
  body.Line("log('B');");
  Code longer;
  longer.Block("f(function () {", body, "});");
  EXPECT_EQ(longer.ToString(), "f(function () {\n  log('A');\n  log('B');\n});\n");
}

TEST(Code, AppendedLinesKeepTheirDepth) {
  Code inner;
  inner.Open("if (x) {");
  inner.Line("y();");
  inner.Close("}");
  Code out(4);
  out.Open("{");
  out.Append(inner);
  out.Close("}");
  EXPECT_EQ(out.ToString(), "{\n    if (x) {\n        y();\n    }\n}\n");
}

TEST(Quoting, EndsNoLiteralEarly) {
  EXPECT_EQ(JsString("it's \\ here"), "'it\\'s \\\\ here'");
  EXPECT_EQ(CString("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(PythonString("a\nb"), "'a\\x0ab'");
}

TEST(Quoting, WritesOnlyAscii) {
  EXPECT_EQ(JsString("\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80"), "'\\xe9\\u2028\\ud83d\\ude00'");
  EXPECT_EQ(PythonString("\xf0\x9f\x98\x80"), "'\\U0001f600'");
  EXPECT_EQ(CString("\xc3\xa9"), "\"\\303\\251\"");
}

TEST(Quoting, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(JsString("a\xff"
                     "b\xc3"),
            "'a\\ufffdb\\ufffd'");
  EXPECT_EQ(JsString("\xed\xa0\x80"), "'\\ufffd\\ufffd\\ufffd'") << "a surrogate";
  EXPECT_EQ(JsString("\xc0\xaf"), "'\\ufffd\\ufffd'") << "an overlong form";
}

TEST(Quoting, FormsNoTrigraphInC) { EXPECT_EQ(CString("?\?/"), "\"\\?\\?/\""); }

TEST(CommentText, StaysOnItsLine) {
  EXPECT_EQ(CommentText("a\nb\rc\xe2\x80\xa8"
                        "d"),
            "a b c d");
  EXPECT_EQ(CommentText("ends with a backslash \\"), "ends with a backslash |");
}

TEST(CommentText, EndsNoComment) { EXPECT_EQ(CommentText("a */ b **/ c"), "a *| b **| c"); }

TEST(CommentText, HidesNothingFromTheReader) {
  EXPECT_EQ(CommentText("a\xe2\x80\xae"
                        "b\x1b[31m"),
            "a b [31m");
}

TEST(CommentText, KeepsLettersOfEveryLanguage) { EXPECT_EQ(CommentText("Größe – 順序"), "Größe – 順序"); }

TEST(Names, GivesEachNameOnce) {
  Names names({"loop"});
  EXPECT_EQ(names.Unique("loop"), "loop2");
  EXPECT_EQ(names.Unique("on_A"), "on_A");
  EXPECT_EQ(names.Unique("on_A"), "on_A2");
  EXPECT_EQ(names.Unique("on_A"), "on_A3");
}

TEST(IdentifierPart, HoldsOnlyLettersDigitsAndUnderscores) { EXPECT_EQ(IdentifierPart("a.b-c;d()"), "a_b_c_d__"); }

TEST(FileStem, IsTheLastPartOfTheIdAndNoPath) {
  Case c;
  c.id = "timers/drain-between-timers";
  EXPECT_EQ(FileStem(c), "drain-between-timers");
  c.id = "a/-rf; echo $(x) `y`";
  EXPECT_EQ(FileStem(c), "rf--echo---x---y-");
  c.id = "a/..";
  EXPECT_EQ(FileStem(c), "case");
}

}  // namespace
}  // namespace conform
