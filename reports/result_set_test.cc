#include "reports/result_set.h"

#include <gtest/gtest.h>

#include "reports/behaviours.h"
#include "reports/first_difference.h"
#include "reports/report_testing.h"

namespace conform::reports {
namespace {

TEST(ResultSet, IdsThatDifferInWhatCannotBeShownAreStillTwo) {
  const ResultSet set = MakeSet({MakeResult("a\x01", "ref", Verdict::kPass), MakeResult("a\x02", "ref", Verdict::kPass),
                                 MakeResult("a\nb", "ref", Verdict::kPass)});
  ASSERT_EQ(set.cases().size(), 3u);
  EXPECT_EQ(set.cases()[0].id, "a\\u0001");
  EXPECT_EQ(set.cases()[2].id, "a\\u000ab");
}

TEST(ResultSet, IsAMatrixOfCasesByImplementations) {
  const ResultSet set =
      MakeSet({MakeResult("b", "bun@1.4.4", Verdict::kPass), MakeResult("a", "bun@1.4.4", Verdict::kFail, "B A"),
               MakeResult("a", "ref", Verdict::kPass)});
  ASSERT_EQ(set.cases().size(), 2u);
  EXPECT_EQ(set.cases()[0].id, "a");
  ASSERT_EQ(set.implementations().size(), 2u);
  EXPECT_EQ(set.implementations()[0].kind, "bun");
  EXPECT_EQ(set.implementations()[0].version, "1.4.4");
  EXPECT_EQ(set.implementations()[0].totals, (Totals{{Verdict::kPass, 1}, {Verdict::kFail, 1}}));
  ASSERT_EQ(set.Of(0, 0).size(), 1u);
  EXPECT_EQ(set.Of(0, 0)[0].verdict, Verdict::kFail);
  EXPECT_EQ(set.Of(0, 1)[0].verdict, Verdict::kPass);
  EXPECT_TRUE(set.Of(1, 1).empty());
  EXPECT_EQ(set.Find("b", "bun@1.4.4", "node@24.21.0")->verdict, Verdict::kPass);
  EXPECT_EQ(set.Find("b", "bun@1.4.4", "node@10.0.0"), nullptr);
  EXPECT_EQ(set.Find("c", "bun@1.4.4", "node@24.21.0"), nullptr);
  EXPECT_TRUE(set.complete());
}

TEST(ResultSet, KeepsTheProfilesOfOneImplementationInTheirOrder) {
  CaseResult older = MakeResult("a", "ref", Verdict::kPass);
  older.profile = "node@10.24.1";
  const ResultSet set = MakeSet({MakeResult("a", "ref", Verdict::kPass), older});
  ASSERT_EQ(set.Of(0, 0).size(), 2u);
  EXPECT_EQ(set.Of(0, 0)[1].profile, "node@10.24.1");
  EXPECT_EQ(set.implementations()[0].profiles, (std::vector<std::string>{"node@24.21.0", "node@10.24.1"}));
}

TEST(ResultSet, OfAPassThatIsNotKeptOnlyItsCountIsThere) {
  const auto keep = [](const CaseResult& result) { return result.case_id == "kept"; };
  const auto set = ResultSet::Of(
      {MakeSource({MakeResult("a", "ref", Verdict::kPass), MakeResult("kept", "ref", Verdict::kPass)}, "one.jsonl"),
       MakeSource({MakeResult("a", "ref", Verdict::kFail), MakeResult("b", "ref", Verdict::kPass)}, "two.jsonl")},
      ResultSet::Runs::kSeveral, keep);
  ASSERT_TRUE(set.ok()) << set.error().ToString();
  ASSERT_EQ(set->results().size(), 2u);
  EXPECT_EQ(set->results()[0].verdict, Verdict::kFail);
  EXPECT_EQ(set->results()[1].case_id, "kept");
  EXPECT_EQ(set->passes_not_kept(), 2);
  EXPECT_EQ(set->PassesBeside(set->results()[0]), 1);
  EXPECT_EQ(set->PassesBeside(set->results()[1]), 0);
  EXPECT_EQ(set->totals(), (Totals{{Verdict::kPass, 3}, {Verdict::kFail, 1}}));
  EXPECT_TRUE(set->Of(*set->FindCase("b"), 0).empty());
  EXPECT_TRUE(set->Ran(*set->FindCase("b"), 0));
  EXPECT_TRUE(set->complete());
}

TEST(ResultSet, RefusesASecondResultForOnePlaceWithBothLines) {
  const auto set = ResultSet::Of(
      {MakeSource({MakeResult("a", "ref", Verdict::kPass)}, "one.jsonl"),
       MakeSource({MakeResult("b", "ref", Verdict::kPass), MakeResult("a", "ref", Verdict::kFail)}, "two.jsonl")});
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().ToString(),
            "two.jsonl:3: a second result for a on ref as node@24.21.0; the first is in one.jsonl:2 (compare two runs "
            "with conform diff)");
}

TEST(ResultSet, RefusesResultsOfACaseThatChangedInBetween) {
  CaseResult changed = MakeResult("a", "bun@1.4.4", Verdict::kPass);
  changed.content_hash = "other";
  const auto set = ResultSet::Of(
      {MakeSource({MakeResult("a", "ref", Verdict::kPass)}, "one.jsonl"), MakeSource({changed}, "two.jsonl")});
  ASSERT_FALSE(set.ok());
  EXPECT_NE(set.error().ToString().find("two.jsonl:2: the case a is not the same as in one.jsonl:2"),
            std::string::npos);
}

TEST(ResultSet, KnowsARunThatWasCutShortAndAPartThatWasNotMerged) {
  auto cut = MakeSource({MakeResult("a", "ref", Verdict::kPass)}, "cut.jsonl");
  cut.results.run.planned = 7;
  cut.results.complete = false;
  auto part = MakeSource({MakeResult("b", "ref", Verdict::kPass)}, "part.jsonl");
  part.results.run.shard = "2/8";
  const auto set = ResultSet::Of({cut, part, MakeSource({MakeResult("c", "ref", Verdict::kPass)})});
  ASSERT_TRUE(set.ok());
  EXPECT_FALSE(set->complete());
  EXPECT_EQ(set->Incompleteness(),
            (std::vector<std::string>{"cut.jsonl: cut short, with 1 of 7 results",
                                      "part.jsonl: part 2/8 of a run; conform merge joins the parts"}));
}

TEST(ResultSet, KnowsACaseOnlyAsLongAsItIsTheSame) {
  ResultSet set = MakeSet({MakeResult("a", "ref", Verdict::kPass), MakeResult("b", "ref", Verdict::kPass)});
  Catalogue catalogue;
  catalogue.cases.resize(2);
  catalogue.cases[0].id = "a";
  catalogue.cases[0].title = "A title";
  catalogue.cases[0].content_hash = ContentHash("a");
  catalogue.cases[1].id = "b";
  catalogue.cases[1].content_hash = "changed since";
  set.Describe(catalogue);
  EXPECT_EQ(set.cases()[0].known->title, "A title");
  EXPECT_FALSE(set.cases()[1].known.has_value());
}

TEST(ResultSet, CountsObservedOrdersAndTellsThoseThatDidNotEnd) {
  CaseResult result = MakeResult("a", "ref", Verdict::kTimeout, "B A");
  result.tries.push_back(result.tries[0]);
  result.tries.push_back(result.tries[0]);
  result.tries[2].trouble = "no answer";
  const auto orders = ObservedOrders(result);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].count, 2);
  EXPECT_TRUE(orders[0].ended);
  EXPECT_EQ(orders[1].order, (Order{"B", "A"}));
  EXPECT_FALSE(orders[1].ended);
}

TEST(FirstDifference, IsTheFirstLabelThatNoExpectedOrderHasThere) {
  const auto difference = FindFirstDifference("A (B | C) D", {"A", "D", "B"});
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->at, 1u);
  EXPECT_EQ(difference->expected, (std::vector<std::string>{"B", "C"}));
  EXPECT_FALSE(difference->may_end);
  EXPECT_FALSE(FindFirstDifference("A (B | C) D", {"A", "C", "D"}).has_value());
}

TEST(FirstDifference, IsTheEndOfAnOrderThatStopsTooEarlyOrGoesOnTooLong) {
  EXPECT_EQ(FindFirstDifference("A B", {"A"})->at, 1u);
  const auto longer = FindFirstDifference("A B?", {"A", "B", "A"});
  EXPECT_EQ(longer->at, 2u);
  EXPECT_TRUE(longer->may_end);
  EXPECT_TRUE(longer->expected.empty());
  EXPECT_EQ(FirstDifferenceText(MakeResult("a", "x", Verdict::kFail, "A", "A B")),
            "first difference at 2: observed the end, expected B");
}

TEST(FirstDifference, OfWhatIsNoPatternIsNothing) { EXPECT_FALSE(FindFirstDifference("A (", {"A"}).has_value()); }

}  // namespace
}  // namespace conform::reports
