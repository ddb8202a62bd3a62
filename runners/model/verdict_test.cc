#include "runners/model/verdict.h"

#include <gtest/gtest.h>

#include <set>

namespace conform {
namespace {

TEST(Verdict, EveryNameLeadsBackToItsVerdict) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Verdict::kProtocolError); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(VerdictFromName(VerdictName(verdict)), verdict);
    names.insert(VerdictName(verdict));
  }
  EXPECT_EQ(names.size(), 10u);
  EXPECT_EQ(VerdictName(Verdict::kProtocolError), "protocol-error");
  EXPECT_EQ(VerdictFromName("passed"), std::nullopt);
  EXPECT_EQ(VerdictFromName(""), std::nullopt);
}

TEST(Standing, EveryNameLeadsBackToItsStanding) {
  for (int i = 0; i <= static_cast<int>(Standing::kUnknown); ++i) {
    const auto standing = static_cast<Standing>(i);
    EXPECT_EQ(StandingFromName(StandingName(standing)), standing);
  }
  EXPECT_EQ(StandingFromName("early"), std::nullopt);
}

TEST(Basis, EveryNameLeadsBackToItsBasis) {
  for (int i = 0; i <= static_cast<int>(Basis::kTimes); ++i) {
    const auto basis = static_cast<Basis>(i);
    EXPECT_EQ(BasisFromName(BasisName(basis)), basis);
  }
  EXPECT_EQ(BasisFromName("faith"), std::nullopt);
}

TEST(Trace, ItsOrderIsTheLabelsInTheOrderOfTheEvents) {
  Trace trace;
  EXPECT_TRUE(trace.ToOrder().empty());
  trace.events.push_back({"B", 200, {}, "", ""});
  trace.events.push_back({"A", 100, {}, "", ""});
  EXPECT_EQ(trace.ToOrder(), (Order{"B", "A"}));
}

}  // namespace
}  // namespace conform
