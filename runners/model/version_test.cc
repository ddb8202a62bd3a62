#include "runners/model/version.h"

#include <gtest/gtest.h>

#include <random>

namespace conform {
namespace {

Version V(std::string_view text) { return Version::Parse(text).value(); }
VersionRange R(std::string_view text) { return VersionRange::Parse(text).value(); }
std::string RangeError(std::string_view text) {
  auto range = VersionRange::Parse(text);
  return range.ok() ? "" : std::to_string(range.error().at.column) + ": " + range.error().message;
}

TEST(Version, MissingPartsAreZero) {
  EXPECT_EQ(V("24"), (Version{24, 0, 0}));
  EXPECT_EQ(V("24.2"), (Version{24, 2, 0}));
  EXPECT_EQ(V("v24.2.1"), (Version{24, 2, 1}));
  EXPECT_EQ(V("0.10.48").ToString(), "0.10.48");
  EXPECT_EQ(V("24").ToString(), "24.0.0");
}

TEST(Version, PartsCompareAsNumbersNotAsText) {
  EXPECT_LT(V("9.11.2"), V("10.0.0"));
  EXPECT_LT(V("20.9"), V("20.10"));
  EXPECT_LT(V("1.44.1"), V("1.44.2"));
}

TEST(Version, AnythingElseIsRefused) {
  for (const char* text : {"", "v", "x", "1.", "1..2", "1.2.3.4", "1.2.3-rc1", "-1", "1 2", "9999999999", "1.2.3."}) {
    EXPECT_FALSE(Version::Parse(text).ok()) << text;
  }
  EXPECT_TRUE(Version::Parse("999999999.0.0").ok());
}

TEST(VersionRange, TheEmptyTextIsEveryVersion) {
  EXPECT_TRUE(R("").Contains(V("0")));
  EXPECT_TRUE(R("  ").Contains(V("99.9.9")));
  EXPECT_EQ(R("").ToString(), "");
}

TEST(VersionRange, TheLowerEndBelongsToItAndTheUpperDoesNot) {
  const VersionRange range = R(">=0.12 <11");
  EXPECT_FALSE(range.Contains(V("0.11.99")));
  EXPECT_TRUE(range.Contains(V("0.12.0")));
  EXPECT_TRUE(range.Contains(V("10.24.1")));
  EXPECT_FALSE(range.Contains(V("11.0.0")));
}

TEST(VersionRange, AUnionHasAGap) {
  const VersionRange range = R(">=12.17 <13 || >=13.8");
  EXPECT_TRUE(range.Contains(V("12.22.12")));
  EXPECT_FALSE(range.Contains(V("13.0.1")));
  EXPECT_TRUE(range.Contains(V("13.8.0")));
  EXPECT_EQ(range.ToString(), ">=12.17 <13 || >=13.8");
}

TEST(VersionRange, EqualsIsOneVersionAlone) {
  const VersionRange range = R("=1.45.0");
  EXPECT_TRUE(range.Contains(V("1.45.0")));
  EXPECT_FALSE(range.Contains(V("1.45.1")));
  EXPECT_FALSE(range.Contains(V("1.44.9")));
  EXPECT_EQ(range.ToString(), "=1.45.0");
}

TEST(VersionRange, NeighboursDoNotOverlapAndJoinInAUnion) {
  EXPECT_FALSE(R("<11").Overlaps(R(">=11")));
  EXPECT_FALSE(R("=1.2.3").Overlaps(R(">=1.2.4")));
  EXPECT_FALSE(R("=1.2.3").Overlaps(R("<1.2.3")));
  EXPECT_TRUE(R("=1.2.3").Overlaps(R("<1.2.4")));
  EXPECT_TRUE(R("<11").Overlaps(R(">=10.24.1")));
  EXPECT_TRUE(R("").Overlaps(R("=0.0.1")));
  EXPECT_FALSE(R(">=1 <2 || >=3 <4").Overlaps(R(">=2 <3 || >=4")));
  EXPECT_EQ(R(">=13 || >=12 <13").ToString(), ">=12");
  EXPECT_EQ(R("<5 || >=4").ToString(), "");
}

TEST(VersionRange, ErrorsSayWhereAndWhy) {
  EXPECT_EQ(RangeError(">=12 <=13"), "6: '<=' is not a range operator");
  EXPECT_EQ(RangeError(">12"), "1: '>' is not a range operator");
  EXPECT_EQ(RangeError("12"), "1: expected '>=', '<' or '='");
  EXPECT_EQ(RangeError(">=12 >=13"), "6: '>=' is given twice");
  EXPECT_EQ(RangeError(">=13 <12"), "1: this range contains no version");
  EXPECT_EQ(RangeError("<0"), "1: this range contains no version");
  EXPECT_EQ(RangeError("=1.2.3 <2"), "8: '=' must be alone in a range");
  EXPECT_EQ(RangeError(">=1 || "), "7: expected a range such as '>=12.17 <13'");
  EXPECT_NE(RangeError(">=twelve"), "");
  EXPECT_NE(RangeError(">="), "");
  EXPECT_NE(RangeError(">=1 | >=2"), "");
}

// Random unions: what is printed reads back as the same set, and Overlaps agrees with trying every small version.
TEST(VersionRange, PrintingRoundTripsAndOverlapIsExact) {
  std::mt19937 random(20261116);
  std::vector<Version> all;
  for (int major = 0; major < 4; ++major) {
    for (int minor = 0; minor < 3; ++minor) {
      for (int patch = 0; patch < 3; ++patch) all.push_back({major, minor, patch});
    }
  }
  auto pick = [&] { return all[random() % all.size()]; };
  auto random_range = [&]() -> VersionRange {
    for (;;) {
      std::string text;
      const int parts = 1 + random() % 3;
      for (int i = 0; i < parts; ++i) {
        if (i > 0) text += " || ";
        const int shape = random() % 4;
        if (shape == 0) text += ">=" + pick().ToString();
        if (shape == 1) text += "<" + pick().ToString();
        if (shape == 2) text += ">=" + pick().ToString() + " <" + pick().ToString();
        if (shape == 3) text += "=" + pick().ToString();
      }
      auto range = VersionRange::Parse(text);
      if (range.ok()) return *range;
    }
  };
  int overlapping = 0;
  for (int i = 0; i < 2000; ++i) {
    const VersionRange a = random_range();
    const VersionRange b = random_range();
    EXPECT_EQ(R(a.ToString()).intervals(), a.intervals()) << a.ToString();
    // Between two neighbours of `all` lies at most what the lower one stands for, except above the last.
    bool common = a.Contains({99, 0, 0}) && b.Contains({99, 0, 0});
    for (const Version& version : all) {
      const Version next{version.major, version.minor, version.patch + 1};
      common |= (a.Contains(version) && b.Contains(version)) || (a.Contains(next) && b.Contains(next));
    }
    EXPECT_EQ(a.Overlaps(b), common) << a.ToString() << " and " << b.ToString();
    overlapping += common;
  }
  EXPECT_GT(overlapping, 200);
  EXPECT_LT(overlapping, 1900);
}

}  // namespace
}  // namespace conform
