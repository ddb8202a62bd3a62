#include "runners/base/text.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace conform {
namespace {

const std::vector<std::string> kNames = {"tick", "timeout", "interval", "immediate", "title"};

TEST(NearestName, FindsASlipOfTheFingers) {
  EXPECT_EQ(NearestName("timout", kNames), "timeout");
  EXPECT_EQ(NearestName("intervall", kNames), "interval");
  EXPECT_EQ(NearestName("tikc", kNames), "tick");
  EXPECT_EQ(NearestName("ittle", kNames), "title");
}

TEST(NearestName, FindsTheNameInAnotherCase) { EXPECT_EQ(NearestName("TIMEOUT", kNames), "timeout"); }

TEST(NearestName, FindsNothingWhenNothingIsNear) {
  EXPECT_EQ(NearestName("banana", kNames), std::nullopt);
  EXPECT_EQ(NearestName("", kNames), std::nullopt);
  EXPECT_EQ(NearestName("tick", {}), std::nullopt);
  EXPECT_EQ(NearestName("A", {"B", "C"}), std::nullopt);
}

TEST(NearestName, AllowsOneWrongLetterOfTwo) { EXPECT_EQ(NearestName("A1", {"B", "A2"}), "A2"); }

TEST(NearestName, PrefersTheNearestAndThenTheFirst) {
  EXPECT_EQ(NearestName("catch", {"check", "catch"}), "catch");
  EXPECT_EQ(NearestName("ab3", {"ab1", "ab2"}), "ab1");
}

TEST(NearestName, DoesNotCompareVeryLongNames) {
  const std::string long_name(100'000, 'a');
  EXPECT_EQ(NearestName(long_name, {long_name}), std::nullopt);
  EXPECT_EQ(NearestName("a", {long_name}), std::nullopt);
}

TEST(DidYouMean, IsAQuestionOrNothing) {
  EXPECT_EQ(DidYouMean("timout", kNames), "did you mean 'timeout'?");
  EXPECT_EQ(DidYouMean("banana", kNames), "");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(Split("a,b", ','), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Split(",a,,", ','), (std::vector<std::string>{"", "a", "", ""}));
  EXPECT_EQ(Split("", ','), (std::vector<std::string>{""}));
}

TEST(Join, UndoesSplit) {
  for (const char* text : {"a,b", ",a,,", "", "a"}) EXPECT_EQ(Join(Split(text, ','), ","), text);
  EXPECT_EQ(Join({}, ","), "");
}

TEST(Trim, TakesBlanksFromBothEndsOnly) {
  EXPECT_EQ(Trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(Trim("  "), "");
  EXPECT_EQ(Trim(""), "");
}

// ReadFile is tried on real files in a temporary folder.
class ReadFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "conform-text-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& contents) {
    const std::string path = (folder_ / "file").string();
    std::ofstream(path, std::ios::binary) << contents;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(ReadFileTest, ReturnsEveryByte) {
  std::string contents(40'000, 'x');
  contents[7] = '\0';
  contents[9] = '\r';
  const Result<std::string> read = ReadFile(Write(contents), 40'000);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, contents);
}

TEST_F(ReadFileTest, RefusesAFileThatIsTooLarge) {
  const std::string path = Write("12345");
  EXPECT_TRUE(ReadFile(path, 5).ok());
  const Result<std::string> read = ReadFile(path, 4);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().ToString(), path + ": is larger than 4 bytes");
}

TEST_F(ReadFileTest, NamesTheFileThatIsMissing) {
  const Result<std::string> read = ReadFile((folder_ / "none").string(), 10);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().ToString(), (folder_ / "none").string() + ": cannot be opened: No such file or directory");
}

TEST_F(ReadFileTest, RefusesAFolder) {
  const Result<std::string> read = ReadFile(folder_.string(), 10);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, "is a folder, not a file");
}

TEST(ContentHash, IsFnv1aIn16HexDigits) {
  EXPECT_EQ(ContentHash(""), "cbf29ce484222325");
  EXPECT_EQ(ContentHash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(ContentHash("foobar"), "85944171f73967e8");
  ContentHasher hasher;
  hasher.Add("foo");
  hasher.Add("bar");
  EXPECT_EQ(hasher.ToString(), "85944171f73967e8");
}

TEST(Text, IsShortenedBetweenCharacters) {
  EXPECT_EQ(Shortened("größer", 3), "gr…");
  EXPECT_EQ(Shortened("größer", 8), "größer");
}

}  // namespace
}  // namespace conform
