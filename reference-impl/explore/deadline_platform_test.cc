// A real run ends at its deadline, whatever it waits for.
#include "reference-impl/explore/deadline_platform.h"

#include <gtest/gtest.h>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/platform/system_clock.h"

namespace conform::reference {
namespace {

constexpr int64_t kDeadlineMs = 50;
constexpr int64_t kLongDeadlineMs = 60'000;  // which a busy machine keeps, too
constexpr int64_t kFarTooLongNs = 30'000'000'000;

ModelRun RunBriefly(const std::string& program, const std::string& profile, int64_t deadline_ms = kDeadlineMs) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  const auto c = ParseCase("program:\n" + program + "expect: ...\n", "x.yaml", "x");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  const SystemClock clock;
  ModelRun run = RunForReal(*c, *profiles->Resolve(profile), deadline_ms);
  EXPECT_LT(clock.ReadNs(), kFarTooLongNs);
  return run;
}

TEST(DeadlinePlatform, ATimerBeyondTheDeadlineIsNotWaitedFor) {
  const ModelRun run = RunBriefly("  - log A\n  - timeout B 60000\n", "node");
  EXPECT_EQ(run.limit_hit, "deadline");
  EXPECT_EQ(run.trace.ToOrder(), Order{"A"});
}

TEST(DeadlinePlatform, AChainWithoutAnEndIsCut) {
  EXPECT_EQ(RunBriefly("  - interval A 1\n", "node").limit_hit, "deadline");
}

// Method: an active idle handle keeps every poll from waiting.
TEST(DeadlinePlatform, ASpinIsCut) { EXPECT_EQ(RunBriefly("  - idle\n", "libuv").limit_hit, "deadline"); }

TEST(DeadlinePlatform, AWaitThatNothingEndsIsOneForEver) {
  const ModelRun run = RunBriefly("  - wake H unsent\n", "libuv");
  EXPECT_EQ(run.limit_hit, "");
  EXPECT_EQ(run.trace.ToOrder(), Order{"exit=never"});
}

TEST(DeadlinePlatform, WhatEndsInTimeIsNotTouched) {
  const ModelRun run = RunBriefly("  - file F:\n      - timeout A 1\n", "node", kLongDeadlineMs);
  EXPECT_EQ(run.limit_hit, "");
  EXPECT_EQ(run.trace.ToOrder(), (Order{"F", "A"}));
}

}  // namespace
}  // namespace conform::reference
