// Goal: whatever an adapter does, a case gets its exact verdict within its deadline, the cases after it run, and no
// process is left. Method: one fake with many faults (fakes/hostile.py), which behaves except in the case `Bad`. No
// verdict here depends on how fast the machine is: where a deadline has to pass, the fake never answers, and where none
// may, it is far away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runners/base/text.h"
#include "runners/harness/adapter_runner.h"
#include "runners/harness/fake_adapter.h"
#include "runners/harness/fake_runner.h"
#include "runners/harness/process_guard.h"
#include "runners/harness/run_item.h"

namespace conform {
namespace hostile_test {

using ::testing::HasSubstr;
using ::testing::TestParamInfo;

// Only steps that take time make a deadline longer than this.
constexpr int64_t kShortMs = 400;

AdapterCommand Hostile(const std::string& fault, const std::string& isolation, const std::string& file = "") {
  AdapterCommand command = FakeAdapter("hostile.py", {fault, isolation, file});
  command.option = fault;
  return command;
}

std::unique_ptr<Runner> Started(const AdapterCommand& command, const std::string& run_word = "") {
  AdapterRunnerOptions options;
  options.least_deadline_ms = kShortMs;
  options.ready_ms = 60'000;
  options.run_word = run_word;
  auto runner = StartAdapterRunner(command, options);
  EXPECT_TRUE(runner.ok()) << runner.error().ToString();
  return std::move(*runner);
}

// The label is expected, and the timer after it, which is there for the long deadline that it brings.
CaseResult RunCase(const Runner& runner, const std::string& label, bool has_long_deadline = true) {
  const std::string timer = has_long_deadline ? "  - timeout T 25000\n" : "";
  Plan plan;
  plan.cases.push_back({*ParseCase("program:\n  - log " + label + "\n" + timer + "expect: " + label +
                                       (has_long_deadline ? " T\n" : "\n"),
                                   "x", label),
                        "x"});
  const Case& c = plan.cases[0].c;
  const Profile profile{"node", {20, 0, 0}, {}};
  EXPECT_FALSE(runner.CannotRun(c, profile));
  const PlanItem item{0, &runner, std::make_shared<Profile>(profile), "",
                      std::make_shared<ExpectedOrders>(c, c.expect[0])};
  return RunItem(plan, item, FakeOracle(), {}).value();
}

std::vector<std::string> LabelsOf(const CaseResult& result) { return result.tries.back().trace.ToOrder(); }

struct Fault {
  const char* name;
  Verdict verdict;
  const char* reason;
  bool passes_its_deadline = false;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.name; }

class HostileTest : public ::testing::TestWithParam<Fault> {
 protected:
  void RunWith(const std::string& isolation) {
    const Fault& fault = GetParam();
    const auto runner = Started(Hostile(fault.name, isolation));
    // So that the session is one that was used before.
    if (isolation == "session") {
      EXPECT_EQ(RunCase(*runner, "Before").verdict, Verdict::kPass);
    }
    const CaseResult bad = RunCase(*runner, "Bad", !fault.passes_its_deadline);
    EXPECT_EQ(VerdictName(bad.verdict), VerdictName(fault.verdict)) << bad.reason;
    EXPECT_THAT(bad.reason, HasSubstr(fault.reason));
    const CaseResult after = RunCase(*runner, "After");
    EXPECT_EQ(after.verdict, Verdict::kPass) << after.reason;
  }
};

TEST_P(HostileTest, GetsItsVerdictInAProcessOfItsOwn) { RunWith("process"); }
TEST_P(HostileTest, GetsItsVerdictInASession) { RunWith("session"); }

constexpr Verdict kProtocolError = Verdict::kProtocolError;

INSTANTIATE_TEST_SUITE_P(
    Faults, HostileTest,
    ::testing::Values(Fault{"none", Verdict::kPass, ""}, Fault{"silent", Verdict::kTimeout, "within 400 ms", true},
                      Fault{"crashes-midway", Verdict::kCrash, "was killed by SIGSEGV (stderr: Error: it went wrong)"},
                      Fault{"crashes-at-once-unless-each", Verdict::kCrash, "was killed by SIGABRT"},
                      Fault{"exits-zero-without-answer", kProtocolError, "ended with code 0 without an answer"},
                      Fault{"exits-seven-without-answer", Verdict::kCrash,
                            "ended with code 7 without an answer (stderr: out of luck)"},
                      Fault{"floods-stdout", kProtocolError, "is not JSON"},
                      Fault{"floods-stdout-with-traces", kProtocolError, "writes more than the limit"},
                      Fault{"floods-stderr", Verdict::kPass, ""},
                      Fault{"floods-stderr-for-ever", Verdict::kTimeout, "within 400 ms", true},
                      Fault{"half-a-line", kProtocolError, "ended in the middle of a line, '{\"type\": \"trace\""},
                      Fault{"a-line-without-its-end", kProtocolError, "ended in the middle of a line"},
                      Fault{"invalid-utf8", kProtocolError, "is not UTF-8 at byte"},
                      Fault{"no-json", kProtocolError, "the line 'Hello, world!' is not JSON"},
                      Fault{"no-message", kProtocolError, "events[0].label is not a text"},
                      Fault{"wrong-seq", kProtocolError, ", not "}, Fault{"answers-twice", kProtocolError, "answer"},
                      Fault{"refuses-twice", kProtocolError, "answer"},
                      Fault{"answers-and-refuses", kProtocolError, "answer"},
                      Fault{"ready-twice", kProtocolError, "sends ready twice"},
                      Fault{"says-error", kProtocolError, "says: the loop is broken"},
                      Fault{"says-broken", Verdict::kCrash, "says: uv_loop_close: EBUSY"},
                      Fault{"has-not", Verdict::kUnsupported, "fake@1.0 has no a thing"},
                      Fault{"lies-about-ops", kProtocolError, "reports that it has no timeout, which is among its ops"},
                      Fault{"ignores-sigterm", Verdict::kTimeout, "within 400 ms", true},
                      Fault{"closes-stdout", kProtocolError, "closed its output without an answer"},
                      Fault{"100-MB-line", kProtocolError, "writes more than the limit"},
                      Fault{"deep-json", kProtocolError, "is nested deeper than 32"},
                      Fault{"slow-drip", Verdict::kTimeout, "within 400 ms", true}),
    [](const TestParamInfo<Fault>& fault) {
      std::string name;
      for (const char c : std::string(fault.param.name)) name += isalnum(c) ? std::string(1, c) : "_";
      return name;
    });

class HostileAdapters : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(file_); }
  void TearDown() override { std::filesystem::remove(file_); }

  std::vector<pid_t> LeftBehind() const {
    std::vector<pid_t> pids;
    std::ifstream in(file_);
    for (pid_t pid = 0; in >> pid;) pids.push_back(pid);
    return pids;
  }

  static bool Lives(pid_t pid) {
    const Result<std::string> status = ReadFile("/proc/" + std::to_string(pid) + "/stat", 1 << 16);
    return status.ok() && status->find(") Z ") == std::string::npos;
  }

  // What was killed may take a moment to be gone; the test as a whole has a limit.
  static void WaitUntilGone(pid_t pid) {
    while (Lives(pid)) usleep(1000);
  }

  const std::string file_ = ::testing::TempDir() + "hostile-" + std::to_string(getpid());
};

TEST_F(HostileAdapters, OneThatIsNeverReadyIsAnErrorThatSaysWhatWasRun) {
  for (const char* isolation : {"process", "session"}) {
    AdapterRunnerOptions options;
    options.ready_ms = 300;
    const auto runner = StartAdapterRunner(Hostile("never-ready", isolation), options);
    ASSERT_FALSE(runner.ok());
    EXPECT_THAT(runner.error().message, HasSubstr("the adapter of never-ready: did not send ready within 300 ms"));
    EXPECT_THAT(runner.error().message, HasSubstr("hostile.py never-ready"));
  }
}

TEST_F(HostileAdapters, WhatACrashLeftIsKept) {
  for (const char* isolation : {"process", "session"}) {
    const auto runner = Started(Hostile("crashes-midway", isolation));
    EXPECT_THAT(LabelsOf(RunCase(*runner, "Bad")), ::testing::ElementsAre("Bad"));
  }
}

TEST_F(HostileAdapters, WhereNothingWasLeftTheLabelsAreAskedForOneByOne) {
  for (const char* isolation : {"process", "session"}) {
    const auto runner = Started(Hostile("crashes-at-once-unless-each", isolation));
    EXPECT_THAT(LabelsOf(RunCase(*runner, "Bad")), ::testing::ElementsAre("Bad"));
    EXPECT_THAT(LabelsOf(RunCase(*runner, "Bad")), ::testing::ElementsAre("Bad"));
  }
}

// A new session would have answered well, and hidden it.
TEST_F(HostileAdapters, AWrongAnswerOfASessionThatWasUsedIsNotForgiven) {
  const auto runner = Started(Hostile("wrong-seq-once-used", "session"));
  EXPECT_EQ(RunCase(*runner, "Good").verdict, Verdict::kPass);
  const CaseResult result = RunCase(*runner, "Bad");
  EXPECT_EQ(result.verdict, Verdict::kProtocolError);
  EXPECT_THAT(result.reason, HasSubstr("answers seq 3, not 2"));
}

// Each case would take its whole deadline: far away here, but for the first.
TEST_F(HostileAdapters, ASessionThatDoesNotFlushIsFoundOutOnce) {
  AdapterRunnerOptions options;
  options.least_deadline_ms = kShortMs;
  options.ready_ms = 3'000;
  const auto runner = StartAdapterRunner(Hostile("never-flushes", "session"), options);
  ASSERT_TRUE(runner.ok()) << runner.error().ToString();
  for (const bool has_long_deadline : {false, true}) {
    const CaseResult result = RunCase(**runner, "Good", has_long_deadline);
    EXPECT_EQ(result.verdict, Verdict::kProtocolError);
    EXPECT_THAT(result.reason, HasSubstr("each has to be flushed"));
  }
}

// Both are known long before the deadline, which is two minutes away here: the test as a whole has a limit.
class EndlessAdapters : public ::testing::TestWithParam<const char*> {
 protected:
  CaseResult RunBad(const std::string& fault) {
    AdapterRunnerOptions options;
    options.least_deadline_ms = 120'000;
    options.ready_ms = 60'000;
    const auto runner = StartAdapterRunner(Hostile(fault, GetParam()), options);
    EXPECT_TRUE(runner.ok()) << runner.error().ToString();
    return RunCase(**runner, "Bad", /*has_long_deadline=*/false);
  }
  static int Processes(const CaseResult& result) {
    int processes = 0;
    for (const Try& one : result.tries) processes += one.processes;
    return processes;
  }
};

TEST_P(EndlessAdapters, AWaitForNothingIsALabelAndFailsWhenThreeProcessesHaveShownIt) {
  const CaseResult result = RunBad("waits-for-nothing");
  EXPECT_EQ(result.verdict, Verdict::kFail);
  EXPECT_EQ(result.basis, Basis::kProof);
  EXPECT_THAT(result.reason, HasSubstr("no delay of any length explains Bad exit=never: waits forever: all 1 threads"));
  EXPECT_EQ(Processes(result), 3);
}

TEST_P(EndlessAdapters, ASpinIsATimeoutWhenThreeProcessesHaveShownIt) {
  const CaseResult result = RunBad("spins");
  EXPECT_EQ(result.verdict, Verdict::kTimeout);
  EXPECT_THAT(result.reason, HasSubstr("spins: it has used"));
  EXPECT_THAT(LabelsOf(result), ::testing::ElementsAre("Bad"));
  EXPECT_EQ(Processes(result), 3);
}

TEST_P(EndlessAdapters, OneThatEmitsOnAndOnIsATimeoutToo) {
  const CaseResult result = RunBad("emits-without-end");
  EXPECT_EQ(result.verdict, Verdict::kTimeout);
  EXPECT_THAT(result.reason, HasSubstr("spins: it has used"));
  EXPECT_GT(LabelsOf(result).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Isolation, EndlessAdapters, ::testing::Values("process", "session"));

TEST_F(HostileAdapters, ACodeAfterATraceIsALabel) {
  const auto runner = Started(Hostile("exits-seven-after-its-answer", "process"));
  EXPECT_THAT(LabelsOf(RunCase(*runner, "Bad")), ::testing::ElementsAre("Bad", "T", "exit=7"));
}

TEST_F(HostileAdapters, AChildThatIsLeftBehindIsEnded) {
  for (const char* isolation : {"process", "session"}) {
    {
      const auto runner = Started(Hostile("leaves-a-child", isolation, file_));
      EXPECT_EQ(RunCase(*runner, "Bad").verdict, Verdict::kPass);
    }
    for (const pid_t pid : LeftBehind()) WaitUntilGone(pid);
  }
  EXPECT_EQ(LeftBehind().size(), 2u);
}

TEST_F(HostileAdapters, AChildThatLeftItsGroupIsEndedByTheGuard) {
  const pid_t conform = fork();
  if (conform == 0) {
    const auto guard = ProcessGuard::Start();
    const auto runner = Started(Hostile("leaves-a-child-in-another-session", "process", file_), (*guard)->run_word());
    const bool passes = RunCase(*runner, "Bad").verdict == Verdict::kPass;
    _exit(passes && LeftBehind().size() == 1 && Lives(LeftBehind()[0]) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(conform, &status, 0), conform);
  EXPECT_EQ(status, 0);
  ASSERT_EQ(LeftBehind().size(), 1u);
  EXPECT_FALSE(Lives(LeftBehind()[0]));
}

}  // namespace hostile_test
}  // namespace conform
