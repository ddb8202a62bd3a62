#include "runners/harness/adapter_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "runners/base/text.h"
#include "runners/harness/fake_adapter.h"

namespace conform {
namespace adapter_runner_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const Profile kProfile{"node", {20, 0, 0}, {}};

AdapterCommand Curious(const std::string& isolation) {
  AdapterCommand command = FakeAdapter("curious.py", {isolation});
  command.option = "curious@1";
  return command;
}

std::unique_ptr<Runner> Started(const AdapterCommand& command, AdapterRunnerOptions options = {}) {
  options.least_deadline_ms = 60'000;
  options.ready_ms = 60'000;
  auto runner = StartAdapterRunner(command, std::move(options));
  EXPECT_TRUE(runner.ok()) << runner.error().ToString();
  return std::move(*runner);
}

std::string WhyNot(const AdapterCommand& command) {
  AdapterRunnerOptions options;
  options.ready_ms = 60'000;
  const auto runner = StartAdapterRunner(command, options);
  return runner.ok() ? "" : runner.error().ToString();
}

AdapterCommand Shell(const std::string& script) {
  AdapterCommand command;
  command.option = "x";
  command.command = {"sh", "-c", script};
  return command;
}

Case CaseOf(const std::string& program, const std::string& more = "") {
  auto c = ParseCase("program:\n" + program + more + "expect: ...\n", "folder/x.yaml", "x");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return std::move(*c);
}

Case NativeCase(const std::string& native) {
  auto c = ParseCase("native: " + native + "\nexpect: ...\n", "folder/x.yaml", "x");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return std::move(*c);
}

Order LabelsOf(const Runner& runner, const Case& c, int64_t number = 0) {
  EXPECT_FALSE(runner.CannotRun(c, kProfile));
  const RunOutcome outcome = runner.Run(c, kProfile, {number});
  EXPECT_EQ(outcome.trouble, Trouble::kNone) << outcome.why;
  return outcome.trace.ToOrder();
}

TEST(AdapterRunner, IsNamedAfterWhatItSaysItIsOrAfterItsPath) {
  AdapterCommand command = Curious("process");
  EXPECT_EQ(Started(command)->name(), "curious@1.2");
  EXPECT_EQ(Started(command)->option(), "curious@1");
  EXPECT_EQ(Started(command)->claims()->version, "20.0.0");
  command.option = "curious=./here";
  command.by_path = true;
  EXPECT_EQ(Started(command)->name(), "curious=./here");
}

TEST(AdapterRunner, AnAdapterThatDoesNotWorkIsAnErrorThatHelps) {
  AdapterCommand missing;
  missing.option = "thing";
  missing.command = {"no-such-thing"};
  EXPECT_THAT(WhyNot(missing), AllOf(HasSubstr("the adapter of thing"), HasSubstr("cannot start no-such-thing")));
  EXPECT_THAT(
      WhyNot(Shell("echo oh no >&2; exit 3")),
      AllOf(HasSubstr("ended with code 3 without an answer (stderr: oh no)"), HasSubstr("it was run as: sh -c")));
  EXPECT_THAT(WhyNot(Shell("echo hello")), HasSubstr("the line 'hello' is not JSON"));
  const std::string ready =
      R"({"type":"ready","protocol":1,"implementation":{"name":"x","version":"1"},"isolation":"process")";
  EXPECT_THAT(WhyNot(Shell("echo '" + ready + "}'")), HasSubstr("does not list its ops in ready"));
  EXPECT_THAT(WhyNot(Shell("echo '" + ready + ",\"ops\":[]}'; exit 2")), HasSubstr("ended with code 2"));
  EXPECT_THAT(WhyNot(Shell(R"(echo '{"type":"trace","seq":1,"events":[]}')")), HasSubstr("without being asked"));
}

TEST(AdapterRunner, WhatItHasNotIsNotRun) {
  const auto runner = Started(Curious("process"));
  const auto why = [&](const Case& c) { return runner->CannotRun(c, kProfile).value_or(Obstacle{}).why; };
  EXPECT_EQ(why(CaseOf("  - tick T\n  - log X\n")), "");
  EXPECT_EQ(why(CaseOf("  - microtask M\n")), "curious@1.2 has no microtask");
  EXPECT_EQ(why(CaseOf("  - tick T\n", "entry: worker\n")), "curious@1.2 has no entry worker");
  EXPECT_EQ(why(NativeCase("x.cjs")), "");
  EXPECT_EQ(why(NativeCase("{other: x.cjs}")), "the case has no file for curious@1.2");
  EXPECT_EQ(why(CaseOf("  - immediate I x1000:\n      - read R\n")), "its steps `read` need more than 256 descriptors");
}

TEST(AdapterRunner, TheEnvironmentIsWhatIsNeeded) {
  setenv("CONFORM_TEST_ASKED", "yes", 1);
  setenv("CONFORM_TEST_OTHER", "no", 1);
  AdapterCommand command = Curious("process");
  command.environment = {"CONFORM_TEST_ASKED", "CONFORM_TEST_ABSENT"};
  AdapterRunnerOptions options;
  options.run_word = "abc";
  const auto runner = Started(command, options);
  const Order labels = LabelsOf(*runner, CaseOf("  - tick T\n", "pool: 2\n"));
  EXPECT_THAT(labels, Contains("CONFORM_TEST_ASKED=yes"));
  EXPECT_THAT(labels, Contains("CONFORM_RUN=abc"));
  EXPECT_THAT(labels, Contains("LANG=C.UTF-8"));
  EXPECT_THAT(labels, Contains("UV_THREADPOOL_SIZE=2"));
  EXPECT_THAT(labels, Contains(HasSubstr("PATH=")));
  EXPECT_THAT(labels, Not(Contains(HasSubstr("CONFORM_TEST_OTHER"))));
  EXPECT_THAT(LabelsOf(*runner, CaseOf("  - tick T\n")), Not(Contains(HasSubstr("UV_THREADPOOL_SIZE"))));
}

TEST(AdapterRunner, EveryReadGetsADescriptorWithAByte) {
  for (const char* isolation : {"process", "session"}) {
    const auto runner = Started(Curious(isolation));
    const Case c = CaseOf("  - read A\n  - immediate I x2:\n      - read B\n");
    for (int i = 0; i < 2; ++i) {
      const Order labels = LabelsOf(*runner, c);
      EXPECT_THAT(labels, AllOf(Contains("3=x"), Contains("4=x"), Contains("5=x"), Not(Contains("6=x"))));
    }
  }
}

TEST(AdapterRunner, ANativeCaseIsAFileBesideItAndItsEndingSaysTheEntry) {
  AdapterCommand command = Curious("process");
  command.entries[Entry::kEsm] = command.command;
  command.entries[Entry::kEsm].push_back("other");
  const auto runner = Started(command);
  Order labels = LabelsOf(*runner, NativeCase("x.cjs"));
  EXPECT_THAT(labels,
              AllOf(Contains("entry=script"), Contains(HasSubstr("/folder/x.cjs")), Contains(HasSubstr("native=/"))));
  EXPECT_THAT(labels, Not(Contains("word=other")));
  labels = LabelsOf(*runner, NativeCase("{curious: y.mjs, node: z.cjs}"));
  EXPECT_THAT(labels, AllOf(Contains("entry=esm"), Contains(HasSubstr("/folder/y.mjs")), Contains("word=other")));
  labels = LabelsOf(*runner, NativeCase("{node: z.cjs}"));
  EXPECT_THAT(labels, Contains(HasSubstr("/folder/z.cjs")));
}

TEST(AdapterRunner, TimesStartWithTheFirstLabel) {
  const auto runner = Started(Curious("process"));
  const RunOutcome outcome = runner->Run(CaseOf("  - tick T\n"), kProfile, {});
  EXPECT_EQ(outcome.trace.events.at(0).t_ns, 0);
  EXPECT_EQ(outcome.trace.events.at(1).t_ns, 1);
}

TEST(AdapterRunner, OneSessionRunsManyPrograms) {
  const auto runner = Started(Curious("session"));
  const Case c = CaseOf("  - tick T\n");
  const std::string first = LabelsOf(*runner, c)[0];
  const std::string second = LabelsOf(*runner, c)[0];
  EXPECT_THAT(first, ::testing::EndsWith(":1"));
  EXPECT_EQ(second, first.substr(0, first.size() - 1) + "2");
}

TEST(AdapterRunner, ThereAreAsManySessionsAsCallers) {
  const auto runner = Started(Curious("session"));
  const Case c = CaseOf("  - tick T\n");
  std::vector<std::set<std::string>> sessions(4);
  std::vector<std::thread> threads;
  for (auto& seen : sessions) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) seen.insert(Split(LabelsOf(*runner, c)[0], ':')[0]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& seen : sessions) all.insert(seen.begin(), seen.end());
  EXPECT_GE(all.size(), 1u);
  EXPECT_LE(all.size(), 4u);
}

TEST(AdapterRunner, APerturbedRunGivesTheSameAndSaysHowToRepeatIt) {
  for (const char* isolation : {"process", "session"}) {
    AdapterRunnerOptions options;
    options.perturb = Perturb{7};
    const auto runner = Started(Curious(isolation), options);
    for (int64_t number = 0; number < 3; ++number) {
      EXPECT_THAT(LabelsOf(*runner, CaseOf("  - tick T\n"), number)[0], ::testing::EndsWith(":1"));
    }
    EXPECT_EQ(runner->OptionsToRepeat(0), "--perturb=7");
  }
  EXPECT_EQ(Started(Curious("process"))->OptionsToRepeat(0), "");
}

TEST(AdapterRunner, AnInterruptEndsTheRunAndThereIsNoResult) {
  const Interrupt interrupt;
  AdapterRunnerOptions options;
  options.interrupt = &interrupt;
  const auto runner = Started(Curious("process"), options);
  raise(SIGINT);
  EXPECT_EQ(runner->Run(CaseOf("  - tick T\n"), kProfile, {}).trouble, Trouble::kInterrupted);
}

TEST(CaseNeeds, TheDeadlineGrowsWithWhatTheProgramAsksForUpToALimit) {
  EXPECT_EQ(DeadlineMs(CaseOf("  - tick T\n")), 10'000);
  EXPECT_EQ(DeadlineMs(CaseOf("  - timeout A 100 x10\n  - busy 5\n")), 10'000 + 4 * 1005);
  EXPECT_EQ(DeadlineMs(CaseOf("  - timeout A 100000\n")), 120'000);
  EXPECT_EQ(DeadlineMs(CaseOf("  - timeout A 2147483648\n")), 10'000 + 4);
  EXPECT_EQ(DeadlineMs(CaseOf("  - tick T\n"), 50), 50);
}

TEST(CaseNeeds, TheBudgetOfProcessorTimeGrowsWithWhatIsStartedAskedForAndRun) {
  EXPECT_EQ(CpuBudgetMs(CaseOf("  - tick T\n"), 10), kLeastCpuMs);
  EXPECT_EQ(CpuBudgetMs(CaseOf("  - tick T\n"), 150), 4 * 150);
  EXPECT_EQ(CpuBudgetMs(CaseOf("  - tick T\n", "entry: worker\n"), 150), 4 * 300);
  EXPECT_EQ(CpuBudgetMs(CaseOf("  - child K\n"), 150), 4 * 300);
  EXPECT_EQ(CpuBudgetMs(CaseOf("  - timeout A 100\n  - busy 50\n"), 150), 4 * (150 + 150));
  EXPECT_EQ(CpuBudgetMs(CaseOf("  - tick T x10000\n"), 150), 4 * (150 + 2000));
  EXPECT_EQ(CpuBudgetMs(NativeCase("x.cjs"), 150), 4 * (150 + 300));
}

TEST(CaseNeeds, ReadsAreCountedAsOftenAsTheyRun) {
  const auto needed = [](const std::string& program) { return DescriptorsNeeded(CaseOf(program).program); };
  EXPECT_EQ(needed("  - tick T\n"), 0);
  EXPECT_EQ(needed("  - read A\n  - read B x3\n"), 4);
  EXPECT_EQ(needed("  - read A x2:\n      - tick T x3:\n          - read B\n"), 2 + 2 * 3);
  EXPECT_EQ(needed("  - immediate I x1000:\n      - only 2..3: [read A]\n"), 2);
  EXPECT_EQ(needed("  - on beforeExit B:\n      - only 1: [read A]\n"), 1);
  EXPECT_GT(needed("  - timeout A 1:\n      - read B\n      - only 1: [refresh A]\n"), 1);
  EXPECT_GT(needed("  - read A x1000000:\n      - read B x1000000\n"), kMaxDescriptors);
}

}  // namespace adapter_runner_test
}  // namespace conform
