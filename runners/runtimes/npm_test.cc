#include "runners/runtimes/npm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conform {
namespace {

using testing::HasSubstr;

TEST(Npm, ListsVersionsOrNamesTheOnlyOne) {
  EXPECT_EQ(ParseVersions(R"(["1.0.0", "1.1.0"])").value(), (std::vector<std::string>{"1.0.0", "1.1.0"}));
  EXPECT_EQ(ParseVersions(R"("1.0.0")").value(), std::vector<std::string>{"1.0.0"});
}

TEST(Npm, VersionsThatCouldBePathsAreLeftOut) {
  EXPECT_EQ(ParseVersions(R"(["../../x", "1.0.0", "1.0.0-a/../..", "", "-rf"])").value(),
            std::vector<std::string>{"1.0.0"});
}

TEST(Npm, AnswersThatCannotBeAreErrors) {
  for (const char* output : {"", "null", "{}", "[1]", "[[]]", "[\"1.0.0\"", "\xff", "3"}) {
    EXPECT_FALSE(ParseVersions(output).ok()) << output;
  }
  for (const char* output : {"", "null", "{}", "[]", R"({"shasum": 3})", R"({"integrity": "sha512-AAAA"})"}) {
    EXPECT_FALSE(ParseDist(output).ok()) << output;
  }
}

TEST(Npm, TheStrongestChecksumCounts) {
  const std::string sum(86, 'A');
  EXPECT_EQ(ParseDist(R"({"integrity": "sha512-)" + sum + R"(==", "shasum": "x"})")->hex, std::string(128, '0'));
  const auto old = ParseDist(R"({"shasum": "8934ee799878a222465e43284f2fcfa05a8098b5"})");
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(old->kind, Checksum::Kind::kSha1);
  EXPECT_EQ(old->text, "sha1-iTTueZh4oiJGXkMoTy/PoFqAmLU=");
}

TEST(Npm, AMissingNetworkIsCalledThat) {
  const Error error = NpmTrouble(
      R"({"error": {"code": "ECONNREFUSED", "summary": "FetchError: connect ECONNREFUSED 127.0.0.1:9"}})", "");
  EXPECT_THAT(error.message, HasSubstr("cannot be reached: FetchError: connect ECONNREFUSED"));
  EXPECT_EQ(error.hint, "is there a network?");
  const Error old = NpmTrouble("", "npm ERR! code ENOTFOUND\nnpm ERR! errno ENOTFOUND\nnpm ERR! network failed\n");
  EXPECT_THAT(old.message, HasSubstr("cannot be reached: network failed"));
}

TEST(Npm, OtherTroubleIsToldInShort) {
  EXPECT_EQ(NpmTrouble(R"({"error": {"code": "E404", "summary": "Not Found"}})", "").message, "npm failed: Not Found");
  EXPECT_EQ(NpmTrouble("garbage", "npm error code E401\nnpm error Log in first\n").message, "npm failed: Log in first");
  EXPECT_EQ(NpmTrouble("", "").message, "npm failed: it does not say why");
  EXPECT_EQ(NpmTrouble("", "one\n\x1b[31mtwo\n\n").message, "npm failed: [31mtwo");
  EXPECT_LT(NpmTrouble("", std::string(10'000, 'x')).message.size(), 400u);
}

TEST(Npm, AnErrorThatEndsWithCodeZeroIsAnError) {
  const auto versions = ParseVersions(R"({"error": {"code": "E404", "summary": "No match found for version 99"}})");
  ASSERT_FALSE(versions.ok());
  EXPECT_EQ(versions.error().message, "npm failed: No match found for version 99");
}

}  // namespace
}  // namespace conform
