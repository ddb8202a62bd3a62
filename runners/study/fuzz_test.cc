// Random programs: that they are valid, replayable and end; that they have all that has a model; that what is found is
// made smaller and kept apart from what was not decided.
#include "runners/study/fuzz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "runners/harness/fake_runner.h"
#include "runners/model/case_text.h"
#include "runners/model/op_table.h"
#include "runners/study/shrink.h"

namespace conform {
namespace fuzz_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Profiles& AllProfiles() {
  static const Profiles profiles = *Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  return profiles;
}

Lexicon LexiconFor(const std::string& name, const std::vector<std::string>& only = {}) {
  const Profile profile = *AllProfiles().Resolve(name);
  return *LexiconOf(*AllProfiles().Find(profile.family), profile.version, only);
}

Case CaseFrom(const std::string& program) {
  return *ParseCase("program: " + program + "\nexpect: ...\n", "x.yaml", "x");
}

std::string TextOf(const Case& c) { return ProgramText(c.program, ""); }

void Visit(const Program& program, const std::function<void(const Step&)>& look) {
  for (const Step& step : program) {
    look(step);
    Visit(step.body, look);
  }
}

class OfProfile : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(RandomPrograms, OfProfile,
                         testing::Values("node@24", "node@20", "node@12", "node@10", "node@0.10", "libuv@1.51",
                                         "libuv@1.44", "asyncio", "html"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST_P(OfProfile, AreSupportedAndModelledAndOfTheRightSize) {
  const Profile profile = *AllProfiles().Resolve(GetParam());
  const ProgramGenerator generator(LexiconFor(GetParam()), 1);
  for (int64_t number = 1; number <= 150; ++number) {
    const Case c = generator.Make(number);
    EXPECT_EQ(AllProfiles().Find(profile.family)->Unsupported(c, profile.version), std::nullopt) << TextOf(c);
    EXPECT_EQ(reference::NotModelled(c, profile.family), std::nullopt) << TextOf(c);
    EXPECT_TRUE(EndsByItself(c.program, profile.family)) << TextOf(c);
    EXPECT_GE(CountCallbacks(c.program), 3) << TextOf(c);
    EXPECT_LE(CountCallbacks(c.program), 12) << TextOf(c);
  }
}

// Whoever adds a step and its model need not come here, unless nothing in the lexicon says what the step can refer to.
TEST_P(OfProfile, HaveEveryStepThatHasAModel) {
  const Lexicon lexicon = LexiconFor(GetParam());
  const ProgramGenerator generator(lexicon, 1);
  std::set<std::string> missing;
  for (const Word& word : lexicon.words) missing.insert(word.Name());
  for (int64_t number = 1; number <= 3'000 && !missing.empty(); ++number) {
    Visit(generator.Make(number).program, [&](const Step& step) {
      missing.erase(Word{step.op, step.kind, step.event}.Name());
    });
  }
  EXPECT_THAT(missing, IsEmpty()) << "no program has them; see lexicon.cc";
}

// With clearImmediate of a timer, some releases lose count of their immediates, and spin.
bool MayLoseCount(const Program& program) {
  bool may = false;
  Visit(program, [&](const Step& step) { may = may || (step.op == Op::kClear && step.kind == "immediate"); });
  return may;
}

// Libuv apart, whose adapter notices a wait without an end.
TEST_P(OfProfile, EndInTheModel) {
  const Profile profile = *AllProfiles().Resolve(GetParam());
  if (profile.family == "libuv") return;
  const ProgramGenerator generator(LexiconFor(GetParam()), 1);
  const reference::Model model(profile);
  for (int64_t number = 1; number <= 150; ++number) {
    const Case c = generator.Make(number);
    if (MayLoseCount(c.program)) continue;
    const reference::ModelRun run = reference::RunInVirtualTime(c, model, 0);
    EXPECT_EQ(run.limit_hit, "") << TextOf(c);
    const Order order = run.trace.ToOrder();
    EXPECT_FALSE(!order.empty() && order.back() == "exit=never") << number << "\n" << TextOf(c);
  }
}

TEST(ProgramGenerator, MakesTheSameProgramOfANumberWhateverWasMadeBefore) {
  const ProgramGenerator one(LexiconFor("node@24"), 7);
  const ProgramGenerator another(LexiconFor("node@24"), 7);
  for (int64_t number = 1; number < 20; ++number) another.Make(number);
  EXPECT_EQ(TextOf(one.Make(20)), TextOf(another.Make(20)));
  EXPECT_NE(TextOf(one.Make(20)), TextOf(ProgramGenerator(LexiconFor("node@24"), 8).Make(20)));
}

TEST(ProgramGenerator, UsesNoOtherStepsThanThoseThatWereAskedFor) {
  const ProgramGenerator generator(LexiconFor("node@24", {"immediate", "tick"}), 1);
  const std::set<Op> allowed = {Op::kImmediate, Op::kTick, Op::kLog, Op::kBusy, Op::kOnly, Op::kAgain};
  for (int64_t number = 1; number <= 50; ++number) {
    Visit(generator.Make(number).program, [&](const Step& step) { EXPECT_TRUE(allowed.contains(step.op)); });
  }
}

TEST(Lexicon, RefusesWhatTheVersionLacks) {
  const ProfileFamily& node = *AllProfiles().Find("node");
  const auto lacks = LexiconOf(node, *Version::Parse("10.24.1"), {"timeout", "microtask"});
  ASSERT_FALSE(lacks.ok());
  EXPECT_THAT(lacks.error().ToString(), HasSubstr("have no 'microtask'"));
  const auto wrong = LexiconOf(node, *Version::Parse("24.0.0"), {"timout"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().ToString(), HasSubstr("did you mean 'timeout'?"));
  EXPECT_FALSE(LexiconOf(node, *Version::Parse("24.0.0"), {"clear"}).ok()) << "there is nothing to clear";
}

TEST(ProgramGenerator, PrefersPairsOfRulesThatNoCaseHas) {
  const Profile profile = *AllProfiles().Resolve("node@24");
  const auto few = std::make_shared<RulePairs>(
      profile, std::vector<Case>{CaseFrom("[timeout A 0, immediate B, tick C, then D, file F]")});
  const ProgramGenerator plain(LexiconFor("node@24"), 1), weighted(LexiconFor("node@24"), 1, few);
  int64_t without = 0, with = 0;
  for (int64_t number = 1; number <= 20; ++number) {
    without += few->NewPairsOf(plain.Make(number));
    with += few->NewPairsOf(weighted.Make(number));
    EXPECT_EQ(TextOf(weighted.Make(number)), TextOf(weighted.Make(number)));
  }
  EXPECT_GT(with, without);
  // What a case has is not new.
  const Case c = plain.Make(1);
  EXPECT_EQ(RulePairs(profile, {c}).NewPairsOf(c), 0);
  EXPECT_NE(RulePairs(profile, {c}).Digest(), few->Digest());
}

// --- Making smaller ---

// Shows it whenever the program has all of the steps.
FirstThatShows HavingAll(std::vector<Op> ops) {
  return [ops](const std::vector<Case>& programs) -> std::optional<size_t> {
    for (size_t i = 0; i < programs.size(); ++i) {
      std::multiset<Op> left(ops.begin(), ops.end());
      Visit(programs[i].program, [&](const Step& step) {
        if (const auto it = left.find(step.op); it != left.end()) left.erase(it);
      });
      if (left.empty()) return i;
    }
    return std::nullopt;
  };
}

TEST(Shrink, LeavesNoMoreThanWhatShowsIt) {
  const Case c = CaseFrom(
      "[busy 3, timeout Q 30 x3: [tick R, immediate S: [then T: [read U]]], file V as promise, clear Q, log W]");
  const Case small = Shrink(c, "node", HavingAll({Op::kTick, Op::kRead}));
  EXPECT_EQ(TextOf(small), "- tick A\n- read B\n");
}

TEST(Shrink, SimplifiesWhatIsLeft) {
  const Case c = CaseFrom("[timeout Q 60 x3, message R via M x2]");
  const Case small = Shrink(c, "node", HavingAll({Op::kTimeout, Op::kMessage}));
  EXPECT_EQ(TextOf(small), "- timeout A 0\n- message B\n");
}

TEST(Shrink, RemovesWhatRefersToWhatIsGone) {
  for (const Case& smaller : SmallerPrograms(CaseFrom("[promise D, then A of D: [tick T], resolve D]"), "node")) {
    EXPECT_TRUE(CaseOf(smaller, smaller.program).ok());
  }
  const Case small =
      Shrink(CaseFrom("[promise D, then A of D, combine B of A, tick T]"), "node", HavingAll({Op::kTick}));
  EXPECT_EQ(TextOf(small), "- tick A\n");
}

// An interval that nothing ends, a server that nothing closes: each try would take as long as the deadline.
TEST(Shrink, MakesNoProgramWithoutAnEnd) {
  const Case c = CaseFrom(
      "[interval I 1: ['only 3..1000000': [clear I]], on uncaught U: [only 1: [throw]], listen L, timeout A 1: [only "
      "1: "
      "[refresh A]], timeout 40: [close of L]]");
  ASSERT_TRUE(EndsByItself(c.program, "node"));
  const std::vector<Case> all = SmallerPrograms(c, "node");
  EXPECT_GE(all.size(), 5u);
  for (const Case& smaller : all) EXPECT_TRUE(EndsByItself(smaller.program, "node")) << TextOf(smaller);
  EXPECT_FALSE(EndsByItself(CaseFrom("[interval I 1]").program, "node"));
  EXPECT_FALSE(EndsByItself(CaseFrom("[listen L]").program, "node"));
  EXPECT_FALSE(EndsByItself(CaseFrom("[timeout A 1: [refresh A]]").program, "node"));
}

// --- The hunt ---

struct OracleOf : LateOracle {
  explicit OracleOf(std::function<LateSet(const Case&)> says) : says_(std::move(says)) {}
  bool HasModel(const Case&, const Profile&) const override { return true; }
  LateSet WhetherLate(const Case& c, const Profile&, const Trace&) const override { return says_(c); }
  std::function<LateSet(const Case&)> says_;
};

struct Hunt {
  std::vector<FuzzFinding> told;
  FuzzResult result;

  Hunt(const Runner& runner, const LateOracle& late, int64_t count) {
    const Profile profile = *AllProfiles().Resolve("node@24");
    const ProgramGenerator generator(LexiconFor("node@24"), 1);
    Fuzzer fuzzer(generator, runner, profile, late,
                  {[](int64_t, const std::string&) {}, [this](const FuzzFinding& f) { told.push_back(f); },
                   [] { return false; }});
    result = fuzzer.Run({1, count, 0, 1});
  }
};

bool Has(const Case& c, Op op) {
  bool has = false;
  Visit(c.program, [&](const Step& step) { has = has || step.op == op; });
  return has;
}

TEST(Fuzzer, TellsOfWhatIsOutsideAndMakesItSmaller) {
  FakeRunner runner;
  runner.may_be_late = true;
  runner.outcomes = {FakeRunner::Gives({"Z"})};
  const OracleOf late([](const Case& c) { return Has(c, Op::kSignal) ? LateSet::kOut : LateSet::kIn; });
  const Hunt hunt(runner, late, 60);
  EXPECT_EQ(hunt.result.ran, 60);
  ASSERT_FALSE(hunt.result.findings.empty());
  EXPECT_EQ(hunt.result.inside + static_cast<int64_t>(hunt.result.findings.size()), 60);
  for (const FuzzFinding& finding : hunt.result.findings) {
    EXPECT_EQ(TextOf(finding.shrunk), "- signal A\n");
    EXPECT_THAT(finding.observed, ElementsAre("Z"));
    EXPECT_EQ(finding.outside, kConfirmingRuns);
  }
  // Once as drawn, so that nothing is lost if making it smaller is interrupted, and once when it is small.
  EXPECT_EQ(hunt.told.size(), 2 * hunt.result.findings.size());
}

TEST(Fuzzer, CountsApartWhatItCouldNotDecide) {
  FakeRunner runner;
  runner.may_be_late = true;
  runner.outcomes = {FakeRunner::Gives({"Z"})};
  FakeOracle oracle;
  oracle.late = LateSet::kLimit;
  const Hunt limits(runner, oracle, 5);
  EXPECT_EQ(limits.result.undecided, 5);
  EXPECT_EQ(limits.result.why_undecided.at(Undecided::kLimit).size(), 5u);

  runner.outcomes = {RunOutcome{{}, Trouble::kTimeout, "no end within 10000 ms"}};
  oracle.late = LateSet::kOut;
  EXPECT_EQ(Hunt(runner, oracle, 5).result.why_undecided.at(Undecided::kTimeout).size(), 5u);
  // Where the model waits forever too, nothing is open.
  oracle.late = LateSet::kIn;
  EXPECT_EQ(Hunt(runner, oracle, 5).result.inside, 5);
  oracle.late = LateSet::kOnTime;
  EXPECT_EQ(Hunt(runner, oracle, 5).result.inside, 5);
  RunOutcome spins{{}, Trouble::kSpins, "it works on and on"};
  spins.seen = spins.why;
  runner.outcomes = {spins};
  EXPECT_EQ(Hunt(runner, oracle, 5).result.why_undecided.at(Undecided::kTimeout).size(), 5u);

  runner.outcomes = {RunOutcome{{}, Trouble::kCrash, "ended by signal 11"}};
  EXPECT_EQ(Hunt(runner, oracle, 5).result.why_undecided.at(Undecided::kCrash).size(), 5u);
  runner.cannot_run = Obstacle{"no tick"};
  EXPECT_EQ(Hunt(runner, oracle, 5).result.why_undecided.at(Undecided::kUnsupported).size(), 5u);
}

TEST(FuzzReport, SaysHowToSeeAFindingAgain) {
  FuzzReport report{"node@24.21.0", "node@24", "node@22.23.3", false, 5, "timeout,on exit", {}};
  EXPECT_EQ(report.CommandFor(17),
            "conform fuzz --impl=node@24 --as=node@22.23.3 --seed=5 --first=17 --count=1 --ops='timeout,on exit'");
  FuzzFinding finding;
  finding.number = 17;
  finding.drawn = finding.shrunk = CaseFrom("[timeout A 0, immediate B]");
  finding.observed = {"B"};
  const Profile profile = *AllProfiles().Resolve("node@22.23.3");
  const std::string text = FindingFileText(report, finding, profile);
  const auto read = ParseCase(text, "x.yaml", "x");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(read->expect[0].pattern.text, "A B | B A");
}

}  // namespace fuzz_test
}  // namespace conform
