#include "runners/study/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "runners/study/cause_truth.h"
#include "runners/study/home.h"

namespace conform {
namespace causes_test {

using ::testing::Contains;
using ::testing::IsEmpty;

// The catalogue, and loops that deviate in ways that are known: the reference loop with changes of its profile.
class CausesTest : public ::testing::Test {
 protected:
  struct Known {
    Profiles profiles;
    std::vector<SelectedCase> cases;
  };
  static const Known& Loaded() {
    static const Known known = [] {
      const auto home = FindHome();
      Known loaded{*LoadProfiles(*home), {}};
      for (Case& c : LoadCatalogue(home->Cases()).cases) loaded.cases.push_back({c, c.id});
      return loaded;
    }();
    return known;
  }

  static RuleChange Change(const Profile& profile, const std::string& word) {
    return *ParseChange(Loaded().profiles, profile, word);
  }

  // What a loop with the rules of `does` gives for the cases that `held_to` knows, or for those in one folder; some
  // draws of each.
  static std::vector<CaseResult> Ran(const Profile& does, const Profile& held_to, const std::string& folder = "") {
    const ProfileFamily& family = *Loaded().profiles.Find(held_to.family);
    std::vector<CaseResult> results;
    for (const SelectedCase& selected : Loaded().cases) {
      const Case& c = selected.c;
      if (!c.id.starts_with(folder) || !c.models.empty()) continue;
      if (c.ExpectationFor(held_to.family, held_to.version) == nullptr) continue;
      if (family.Unsupported(c, held_to.version) || family.Unsupported(c, does.version)) continue;
      if (reference::NotModelled(c, held_to.family)) continue;
      reference::ExploreLimits limits;
      limits.max_callbacks = 20'000;
      CaseResult result;
      result.case_id = c.id;
      result.content_hash = c.content_hash;
      result.implementation = "hidden";
      result.profile = held_to.Name();
      for (uint64_t seed = 0; seed < 3; ++seed) {
        const reference::ModelRun run = reference::RunInVirtualTime(c, does, seed, limits);
        Try one;
        one.trace = run.trace;
        one.trouble = run.limit_hit;
        result.tries.push_back(std::move(one));
      }
      results.push_back(std::move(result));
    }
    return results;
  }

  static CausesReport Find(const Profile& does, const Profile& held_to, bool programs = false,
                           const std::string& folder = "", const Profile* observed = nullptr) {
    const CauseEvidence evidence =
        GatherEvidence(Ran(does, held_to, folder), Loaded().cases, Loaded().profiles, held_to, 1);
    const std::vector<RuleChange> hypotheses = AllChanges(Loaded().profiles, held_to, Narrower::kLeftOut);
    CausesSettings settings;
    settings.releases = ReleasesOf(Loaded().profiles, held_to);
    if (observed != nullptr) settings.observe = Observing(*observed).observe;
    CausesReport report = CauseFinder(evidence, hypotheses, settings).Find();
    if (programs) FindPrograms(&report, evidence, settings);
    return report;
  }

  // Runs are those of a loop with the rules of `does`.
  static CausesSettings Observing(const Profile& does) {
    CausesSettings settings;
    settings.observe = [does](const Case& c, int64_t number) -> RunOutcome {
      return {reference::RunInVirtualTime(c, does, static_cast<uint64_t>(number)).trace};
    };
    return settings;
  }

  // The change, or one that is indistinguishable from it.
  static bool Names(const Cause& cause, const RuleChange& change) {
    return cause.change == change ||
           std::find(cause.alternatives.begin(), cause.alternatives.end(), change) != cause.alternatives.end();
  }

  const Profile node_ = *Loaded().profiles.Resolve("node@24");
};

TEST_F(CausesTest, AHiddenChangeIsFoundWithTheSmallestProgramThatShowsIt) {
  const RuleChange hidden = Change(node_, "tick-order=newest-first");
  const CausesReport report = Find(hidden.ApplyTo(node_), node_, true);
  EXPECT_GT(report.failing, 10);
  EXPECT_THAT(report.unexplained, IsEmpty());
  EXPECT_THAT(report.contradicted, IsEmpty());
  ASSERT_EQ(report.causes.size(), 1u);
  const Cause& cause = report.causes[0];
  EXPECT_TRUE(Names(cause, hidden)) << cause.change.Name();
  EXPECT_EQ(cause.explains.size(), static_cast<size_t>(report.failing));
  EXPECT_EQ(cause.mends.size(), cause.explains.size());
  ASSERT_TRUE(cause.program);
  EXPECT_EQ(cause.program->program.size(), 2u);
  EXPECT_NE(cause.expected, cause.given);
  const reference::Model model(hidden.ApplyTo(node_));
  using reference::Timing;
  EXPECT_EQ(reference::CanGive(*cause.program, node_, Timing::kLate, cause.given), reference::Membership::kOut);
  EXPECT_EQ(reference::CanGive(*cause.program, model, Timing::kOnTime, cause.given), reference::Membership::kIn);
}

TEST_F(CausesTest, ACauseIsConfirmedByRunsOfItsProgram) {
  const RuleChange hidden = Change(node_, "tick-order=newest-first");
  CausesReport report = Find(hidden.ApplyTo(node_), node_, true, "ticks/");
  ASSERT_EQ(report.causes.size(), 1u);
  EXPECT_NE(report.causes[0].script.find("process.nextTick("), std::string::npos);
  ConfirmCauses(&report, node_, Observing(hidden.ApplyTo(node_)));
  ASSERT_TRUE(report.causes[0].confirmation);
  EXPECT_TRUE(report.causes[0].confirmation->confirmed());
  EXPECT_EQ(report.causes[0].confirmation->runs, kRunsToConfirm);
  // A loop that does what the profile says confirms nothing.
  ConfirmCauses(&report, node_, Observing(node_));
  EXPECT_EQ(report.causes[0].confirmation->as_predicted, 0);
  EXPECT_FALSE(report.causes[0].confirmation->confirmed());
}

// What shrinks in the model alone may end in a program with which the implementation does something else.
TEST_F(CausesTest, AProgramShowsACauseOnlyIfTheImplementationDoes) {
  const RuleChange hidden = Change(node_, "tick-order=newest-first");
  const Profile does = hidden.ApplyTo(node_);
  const CausesReport shown = Find(does, node_, true, "ticks/", &does);
  ASSERT_EQ(shown.causes.size(), 1u);
  EXPECT_TRUE(shown.causes[0].program);
  const CausesReport not_shown = Find(does, node_, true, "ticks/", &node_);
  ASSERT_EQ(not_shown.causes.size(), 1u);
  EXPECT_FALSE(not_shown.causes[0].program);
}

TEST_F(CausesTest, AProgramTellsACauseFromWhatFitsAsWell) {
  const RuleChange hidden = Change(node_, "tick-order=newest-first");
  const RuleChange wrong = Change(node_, "microtask-order=newest-first");
  const Profile does = hidden.ApplyTo(node_), other = wrong.ApplyTo(node_);
  CausesReport report;
  report.causes.emplace_back();
  report.causes[0].change = hidden;
  report.causes[0].alternatives = {wrong};
  TellCausesApart(&report, Loaded().profiles, node_, Observing(does));
  const Cause& cause = report.causes[0];
  EXPECT_EQ(cause.change, hidden);
  EXPECT_THAT(cause.alternatives, IsEmpty());
  ASSERT_EQ(cause.told_apart.size(), 1u);
  const ToldApart& told = cause.told_apart[0];
  EXPECT_EQ(told.change, wrong);
  EXPECT_EQ(reference::CanGive(told.program, does, reference::Timing::kLate, told.given), reference::Membership::kIn);
  EXPECT_EQ(reference::CanGive(told.program, other, reference::Timing::kLate, told.given), reference::Membership::kOut);
}

TEST_F(CausesTest, WhereTheCauseIsRuledOutAnAlternativeTakesItsPlace) {
  const RuleChange hidden = Change(node_, "tick-order=newest-first");
  const RuleChange wrong = Change(node_, "microtask-order=newest-first");
  CausesReport report;
  report.causes.emplace_back();
  report.causes[0].change = wrong;
  report.causes[0].alternatives = {hidden};
  TellCausesApart(&report, Loaded().profiles, node_, Observing(hidden.ApplyTo(node_)));
  EXPECT_EQ(report.causes[0].change, hidden);
  EXPECT_THAT(report.causes[0].alternatives, IsEmpty());
  ASSERT_EQ(report.causes[0].told_apart.size(), 1u);
  EXPECT_EQ(report.causes[0].told_apart[0].change, wrong);
}

TEST_F(CausesTest, KnownReportsAreOfACause) {
  const auto all = LoadKnownReports(FindHome()->KnownReports());
  ASSERT_TRUE(all.ok()) << all.error().ToString();
  EXPECT_FALSE(all->empty());
  for (const KnownReport& one : *all) {
    // A rule, and a value, that there are in a release of Node or of libuv.
    bool is_known = false;
    for (const char* name : {"node@24", "node@26", "node@10", "libuv"}) {
      const Profile profile = *Loaded().profiles.Resolve(name);
      for (const RuleChange& change : AllChanges(Loaded().profiles, profile, Narrower::kLeftOut)) {
        is_known = is_known || one.IsAbout(one.of, change.rule, change.to);
      }
    }
    EXPECT_TRUE(is_known) << one.rule << " " << one.value;
  }
  CausesReport report;
  report.implementation = all->front().of + "@1.0.0";
  report.causes.resize(2);
  report.causes[1].change.rule = all->front().rule;
  report.causes[1].change.to = all->front().value;
  NoteKnownReports(&report, *all);
  EXPECT_THAT(report.causes[0].reports, IsEmpty());
  ASSERT_FALSE(report.causes[1].reports.empty());
  EXPECT_EQ(report.causes[1].reports[0].report, all->front().report);
}

TEST_F(CausesTest, TwoHiddenChangesAreTwoCauses) {
  const RuleChange first = Change(node_, "immediate-drain=after-batch"), second = Change(node_, "least-delay=0"),
                   third = Change(node_, "microtask-order=newest-first");
  const CausesReport report = Find(third.ApplyTo(first.ApplyTo(node_)), node_);
  EXPECT_THAT(report.unexplained, IsEmpty());
  ASSERT_EQ(report.causes.size(), 2u);
  for (const RuleChange& hidden : {first, third}) {
    EXPECT_TRUE(std::any_of(report.causes.begin(), report.causes.end(), [&](const Cause& cause) {
      return Names(cause, hidden);
    })) << hidden.Name();
  }
  EXPECT_FALSE(std::any_of(report.causes.begin(), report.causes.end(),
                           [&](const Cause& cause) { return cause.change == second; }));
}

TEST_F(CausesTest, ALoopThatConformsHasNone) {
  const CausesReport report = Find(node_, node_);
  EXPECT_EQ(report.failing, 0);
  EXPECT_GT(report.passing, 300);
  EXPECT_THAT(report.causes, IsEmpty());
  EXPECT_EQ(report.ExitCode(), 0);
}

TEST_F(CausesTest, ResultsOfOtherVersionsOfACaseAreLeftOut) {
  std::vector<CaseResult> results = Ran(node_, node_);
  results[0].content_hash = "0";
  results[1].case_id = "timers/gone";
  const CauseEvidence evidence = GatherEvidence(results, Loaded().cases, Loaded().profiles, node_, 1);
  EXPECT_EQ(evidence.older, 2);
  for (const Observation& one : evidence.observations) EXPECT_NE(one.c->id, results[0].case_id);
}

// Goal: an answer that is taken over is the one that would be given. Method: all changes, each alone and beside
// another, asked with and without what is known.
TEST_F(CausesTest, AnAnswerHoldsWhereTheRulesThatWereReadAreTheSame) {
  const CauseEvidence evidence = GatherEvidence(Ran(*Loaded().profiles.Resolve("node@10"), node_, "timers/"),
                                                Loaded().cases, Loaded().profiles, node_, 1);
  const std::vector<RuleChange> all = AllChanges(Loaded().profiles, node_, Narrower::kLeftOut);
  CauseQuestions questions(evidence);
  int64_t count = 0;
  for (size_t at = 0; at < all.size(); at += 3) {
    std::vector<RuleChange> changes{all[at]};
    if (at % 2 == 0 && all[at].rule != all.back().rule) changes.push_back(all.back());
    const reference::Model model(WithChanges(node_, changes));
    for (size_t i = 0; i < evidence.observations.size(); ++i, ++count) {
      const Observation& one = evidence.observations[i];
      bool all_in = true;
      for (const Order& order : one.orders) {
        const auto membership = reference::CanGive(*one.c, model, reference::Timing::kLate, order, one.limits);
        all_in = all_in && membership == reference::Membership::kIn;
      }
      EXPECT_EQ(questions.Late(questions.With(changes), i) == reference::Membership::kIn, all_in)
          << one.c->id << " with " << changes.front().Name();
    }
  }
  EXPECT_GT(count, 1'000);
  EXPECT_LT(questions.asked(), count / 2);
}

TEST_F(CausesTest, WhatIsRightIsKnownWhereTheTruthIs) {
  const RuleChange hidden = Change(node_, "tick-order=newest-first"), other = Change(node_, "least-delay=0");
  const Profile does = hidden.ApplyTo(node_);
  const CauseEvidence evidence =
      GatherEvidence(Ran(does, node_, "ticks/"), Loaded().cases, Loaded().profiles, node_, 1);
  const std::vector<RuleChange> all = AllChanges(Loaded().profiles, node_, Narrower::kLeftOut);
  CausesReport report = CauseFinder(evidence, all, {}).Find();
  const CauseTruth right = CompareWithTruth(report, evidence, all, does, 1);
  EXPECT_EQ(right.differing, 1);
  EXPECT_EQ(right.right, 1);
  EXPECT_THAT(right.wrong, IsEmpty());
  ASSERT_EQ(right.visible.size(), 1u);
  EXPECT_TRUE(right.visible[0].is_named);
  EXPECT_EQ(right.recall(), 1);
  // The same, named wrongly.
  ASSERT_EQ(report.causes.size(), 1u);
  report.causes[0].change = other;
  report.causes[0].alternatives.clear();
  const CauseTruth wrong = CompareWithTruth(report, evidence, all, does, 1);
  EXPECT_EQ(wrong.precision(), 0);
  EXPECT_EQ(wrong.recall(), 0);
  // Of a rule that these cases do not show, nothing can be said.
  EXPECT_THAT(CompareWithTruth(report, evidence, all, other.ApplyTo(node_), 1).visible, IsEmpty());
}

TEST_F(CausesTest, AnotherReleaseIsRecognisedAsAWhole) {
  const Profile old = *Loaded().profiles.Resolve("node@10");
  const CausesReport report = Find(old, node_, false, "timers/");
  EXPECT_EQ(report.release, old.Name());
  EXPECT_THAT(report.unexplained, IsEmpty());
  EXPECT_GT(report.causes.size(), 2u);
  for (const Cause& cause : report.causes) {
    EXPECT_EQ(cause.change.to, old.Rule(cause.change.rule)) << cause.change.rule;
    EXPECT_FALSE(cause.explains.empty() && cause.without_delay.empty()) << cause.change.rule;
  }
  // A single change makes no release of it.
  const RuleChange hidden = Change(node_, "immediate-drain=after-batch");
  const CausesReport single = Find(hidden.ApplyTo(node_), node_, false, "drain/");
  ASSERT_EQ(single.causes.size(), 1u);
  EXPECT_EQ(single.causes[0].change, hidden);
}

TEST_F(CausesTest, AReportSaysThatThereMayBeMoreCauses) {
  const Profile does =
      Change(node_, "microtask-order=newest-first").ApplyTo(Change(node_, "tick-order=newest-first").ApplyTo(node_));
  const CauseEvidence evidence =
      GatherEvidence(Ran(does, node_, "ticks/"), Loaded().cases, Loaded().profiles, node_, 1);
  const std::vector<RuleChange> all = AllChanges(Loaded().profiles, node_, Narrower::kLeftOut);
  CausesSettings settings;
  EXPECT_FALSE(CauseFinder(evidence, all, settings).Find().at_limit);
  settings.most_causes = 1;
  const CausesReport report = CauseFinder(evidence, all, settings).Find();
  EXPECT_EQ(report.causes.size(), 1u);
  EXPECT_TRUE(report.at_limit);
}

TEST_F(CausesTest, CausesPredictTheHalfThatWasWithheld) {
  const RuleChange hidden = Change(node_, "tick-order=newest-first");
  CauseEvidence evidence =
      GatherEvidence(Ran(hidden.ApplyTo(node_), node_, "ticks/"), Loaded().cases, Loaded().profiles, node_, 1);
  const int64_t failing = evidence.failing(), passing = evidence.passing();
  const CauseEvidence withheld = WithholdHalf(&evidence, 1);
  EXPECT_EQ(evidence.failing() + withheld.failing(), failing);
  EXPECT_EQ(evidence.passing() + withheld.passing(), passing);
  const std::vector<RuleChange> all = AllChanges(Loaded().profiles, node_, Narrower::kLeftOut);
  CausesSettings settings;
  CausesReport report = CauseFinder(evidence, all, settings).Find();
  const CausePrediction right = PredictWithheld(report, withheld, 1);
  EXPECT_GT(right.failing, 3);
  EXPECT_EQ(right.explained, right.failing);
  EXPECT_EQ(right.contradicted, 0);
  report.causes.clear();
  EXPECT_EQ(PredictWithheld(report, withheld, 1).explained, 0);
}

// How often is the truth found, where it is known? CONFORM_EVERY=1 asks about every change, by default a few; of
// CONFORM_PROFILE.
TEST_F(CausesTest, HiddenChangesComeFirst) {
  const char* every_text = std::getenv("CONFORM_EVERY");
  const char* name = std::getenv("CONFORM_PROFILE");
  const size_t every = every_text == nullptr ? 90 : static_cast<size_t>(std::max(1, std::atoi(every_text)));
  const Profile profile = name == nullptr ? node_ : *Loaded().profiles.Resolve(name);
  const std::vector<RuleChange> all = AllChanges(Loaded().profiles, profile, Narrower::kLeftOut);
  int visible = 0, first = 0;
  for (size_t i = 0; i < all.size(); i += every) {
    const CausesReport report = Find(all[i].ApplyTo(profile), profile);
    if (report.failing == 0) continue;
    ++visible;
    const bool is_first = !report.causes.empty() && Names(report.causes[0], all[i]);
    first += is_first ? 1 : 0;
    if (!is_first) {
      std::cout << all[i].Name() << ": " << report.failing << " fail, "
                << (report.causes.empty() ? "unexplained" : report.causes[0].change.Name()) << "\n";
    }
  }
  std::cout << first << " of " << visible << " come first\n";
  EXPECT_GT(visible, 0);
  EXPECT_GE(first * 100, visible * 95);
}

// Every rule that is named must differ between the two releases.
TEST_F(CausesTest, AnOlderReleaseIsExplainedByRulesThatDiffer) {
  const Profile old = *Loaded().profiles.Resolve("node@10");
  const CausesReport report = Find(old, node_, false, std::getenv("CONFORM_EVERY") == nullptr ? "timers/" : "");
  EXPECT_GT(report.failing, 5);
  size_t right = 0;
  for (const Cause& cause : report.causes) {
    bool is_right = old.Rule(cause.change.rule) == cause.change.to;
    for (const RuleChange& other : cause.alternatives) is_right = is_right || old.Rule(other.rule) == other.to;
    right += is_right ? 1 : 0;
    if (!is_right) std::cout << "wrong: " << cause.change.Name() << " for " << cause.explains.size() << "\n";
  }
  std::cout << right << " of " << report.causes.size() << " causes right, " << report.unexplained.size() << " of "
            << report.failing << " unexplained\n";
  EXPECT_GE(right * 100, report.causes.size() * 97);
}

}  // namespace causes_test
}  // namespace conform
