#include "reports/terminal/lift_report.h"

#include <gtest/gtest.h>

namespace conform::reports {
namespace {
namespace lift_report_test {

LiftedSpan Span(const std::string& since, int64_t count) {
  LiftedSpan span{*Version::Parse(since), {}, {count, false}, {}};
  for (int64_t i = 0; i < count; ++i) span.orders.push_back({"A" + std::to_string(i)});
  return span;
}

}  // namespace lift_report_test

using namespace lift_report_test;

TEST(LiftVerdict, SaysSinceWhenThereIsOnlyOneOrder) {
  LiftedOrders orders;
  orders.spans = {Span("0.10", 1)};
  EXPECT_EQ(LiftVerdict(orders), "this is the only order in every release, whatever is late");
  orders.spans.push_back(Span("11.0.0", 1));
  EXPECT_EQ(LiftVerdict(orders), "since Node 11.0.0 this is the only order, whatever is late");
}

TEST(LiftVerdict, SaysWhatADelayAdds) {
  LiftedOrders orders;
  orders.spans = {Span("0.10", 1)};
  orders.late = {{1, false}, Order{"B"}};
  EXPECT_EQ(LiftVerdict(orders),
            "on time, this is the only order in every release; one more is allowed when something is late: `B`");
  orders.spans = {Span("0.10", 2)};
  orders.late = {{5, false}, Order{"B"}};
  EXPECT_EQ(LiftVerdict(orders),
            "both orders are allowed, so a test that asserts one is flaky by right; 5 more are allowed when something "
            "is late, such as `B`");
  orders.late = {{5, true}, std::nullopt};
  EXPECT_EQ(LiftVerdict(orders),
            "both orders are allowed, so a test that asserts one is flaky by right; more may be allowed when something "
            "is late");
}

TEST(LiftVerdict, CallsATestOfOneOfSeveralOrdersFlakyByRight) {
  LiftedOrders orders;
  orders.spans = {Span("0.10", 2)};
  EXPECT_EQ(LiftVerdict(orders), "both orders are allowed, so a test that asserts one is flaky by right");
  orders.spans = {Span("0.10", 3)};
  EXPECT_EQ(LiftVerdict(orders), "all 3 orders are allowed, so a test that asserts one is flaky by right");
}

TEST(LiftText, ShowsAFewOfManyOrdersAndCountsTheRest) {
  Lifted lifted;
  lifted.c.id = "x.js";
  LiftedOrders orders;
  orders.spans = {Span("0.10", 9)};
  const std::string text = LiftText(lifted, orders, Style(false));
  EXPECT_NE(text.find("`A5`"), std::string::npos) << text;
  EXPECT_EQ(text.find("`A6`"), std::string::npos) << text;
  EXPECT_NE(text.find("and 3 more\n"), std::string::npos) << text;
}

TEST(LiftText, NamesTheLineOfWhatIsLeftOut) {
  Lifted lifted;
  lifted.c.id = "x.js";
  lifted.notes = {{7, "", "http has no step", false}, {2, "lib.js", "dns has no step", false}};
  const std::string text = LiftText(lifted, {}, Style(false));
  EXPECT_NE(text.find("    line 7: http has no step\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    lib.js, line 2: dns has no step\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace conform::reports
