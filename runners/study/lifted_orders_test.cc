#include "runners/study/lifted_orders.h"

#include <gtest/gtest.h>

namespace conform {
namespace {
namespace lifted_orders_test {

const Profiles& TheProfiles() {
  static const Profiles kProfiles = *Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  return kProfiles;
}

Lifted LiftedFrom(const std::string& program) {
  Lifted lifted;
  lifted.program = program;
  lifted.runtime = "node@24";
  lifted.c = *ParseCase(program + "expect:\n  node: ...\n", "x.js", "x.js");
  return lifted;
}

constexpr char kBetweenTimers[] = "program:\n  - timeout A 0:\n      - tick T\n  - timeout B 0\n  - busy 5\n";

}  // namespace lifted_orders_test

using namespace lifted_orders_test;

TEST(LiftedOrders, HasOneSpanForEachChangeOfOrder) {
  const LiftedOrders orders = OrdersByRelease(LiftedFrom(kBetweenTimers), TheProfiles(), {});
  ASSERT_EQ(orders.spans.size(), 2u);
  EXPECT_EQ(orders.spans[0].orders, (std::vector<Order>{{"A", "B", "T"}}));
  EXPECT_EQ(orders.spans[1].orders, (std::vector<Order>{{"A", "T", "B"}}));
  EXPECT_EQ(orders.spans[1].since.ToString(), "11.0.0");
  EXPECT_FALSE(orders.spans[1].changed_by.empty());
}

TEST(LiftedOrders, FindsAnOrderThatNoDelayExplains) {
  Lifted lifted = LiftedFrom(kBetweenTimers);
  lifted.seen = {{"A", "T", "B"}, {"T", "A", "B"}};
  EXPECT_EQ(OrdersByRelease(lifted, TheProfiles(), {}).doubts.unexplained, (Order{"T", "A", "B"}));
  lifted.seen.pop_back();
  EXPECT_EQ(OrdersByRelease(lifted, TheProfiles(), {}).doubts.unexplained, std::nullopt);
}

TEST(LiftedOrders, LabelsThatWereMadeUpAreNotExpectedInARun) {
  Lifted lifted = LiftedFrom(kBetweenTimers);
  lifted.made_up["T"] = {{1, "", "needs a name", false}, false};
  lifted.seen = {{"A", "B"}};
  EXPECT_EQ(OrdersByRelease(lifted, TheProfiles(), {}).doubts.unexplained, std::nullopt);
  lifted.seen = {{"B", "A"}};
  EXPECT_NE(OrdersByRelease(lifted, TheProfiles(), {}).doubts.unexplained, std::nullopt);
}

TEST(LiftedOrders, OrdersThatPrintTheSameAreOne) {
  Lifted lifted = LiftedFrom("program:\n  - timeout A 0\n  - immediate B\n");
  EXPECT_EQ(OrdersByRelease(lifted, TheProfiles(), {}).spans[0].size.orders, 2);
  lifted.made_up["A"] = {{1, "", "needs a name", false}, false};
  const LiftedOrders orders = OrdersByRelease(lifted, TheProfiles(), {});
  ASSERT_EQ(orders.spans.size(), 1u);
  EXPECT_EQ(orders.spans[0].orders, (std::vector<Order>{{"B"}}));
  EXPECT_EQ(orders.spans[0].size.orders, 1);
  EXPECT_EQ(orders.expected[0].pattern, "A B | B A");
}

TEST(LiftedOrders, KnowsWhatOnlyADelayShows) {
  const LiftedDelays none = OrdersByRelease(LiftedFrom(kBetweenTimers), TheProfiles(), {}).late;
  EXPECT_EQ(none.size.orders, 0);
  EXPECT_FALSE(none.example);
  const Lifted lifted = LiftedFrom("program:\n  - timeout A 30\n  - timeout B 1:\n      - immediate I\n");
  const LiftedDelays some = OrdersByRelease(lifted, TheProfiles(), {}).late;
  EXPECT_EQ(some.size.orders, 2);
  ASSERT_TRUE(some.example);
  EXPECT_NE(*some.example, (Order{"B", "I", "A"}));
}

TEST(LiftedOrders, ACallbackThatRanInNoRunCountsOnlyWhereItMayRun) {
  Lifted lifted = LiftedFrom("program:\n  - timeout A 5\n  - timeout B 5\n  - clear B\n");
  lifted.made_up["A"] = {{1, "", "ran in no run", false}, true};
  lifted.made_up["B"] = {{2, "", "ran in no run", false}, true};
  EXPECT_EQ(OrdersByRelease(lifted, TheProfiles(), {}).doubts.unknown, (std::vector<std::string>{"A"}));
}

TEST(LiftedOrders, TheCaseFileExpectsWhatTheModelGives) {
  const Lifted lifted = LiftedFrom(kBetweenTimers);
  const std::string file = CaseFileOf(lifted, OrdersByRelease(lifted, TheProfiles(), {}));
  const auto c = ParseCase(file, "x.yaml", "x");
  ASSERT_TRUE(c.ok()) << file;
  EXPECT_EQ(c->ExpectationFor("node", *Version::Parse("10"))->pattern.text, "A B T");
  EXPECT_EQ(c->ExpectationFor("node", *Version::Parse("24"))->pattern.text, "A T B");
}

}  // namespace
}  // namespace conform
