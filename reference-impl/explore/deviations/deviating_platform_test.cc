#include "reference-impl/explore/deviations/deviating_platform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "reference-impl/loop/loop_testing.h"

namespace conform::reference {
namespace {

// Remembers the widest choice, and takes the first alternative.
class MostChooser : public Chooser {
 public:
  int Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) override {
    most = std::max(most, count);
    return 0;
  }
  int most = 0;
};

class DeviatingPlatformTest : public testing::Test {
 protected:
  // What a look reports of two descriptors that are ready, the older one first.
  std::vector<Source> LookAtTwo(const PlatformRules& rules) {
    DeviatingPlatform platform(sim_, rules);
    older_ = platform.OpenReadable();
    newer_ = platform.OpenReadable();
    platform.Watch(older_, kReadable);
    platform.Watch(newer_, kReadable);
    return Look(&platform);
  }
  static std::vector<Source> Look(Platform* platform) {
    std::vector<ReadySource> ready;
    platform->Wait({}, &ready);
    std::vector<Source> sources;
    for (const ReadySource& one : ready) sources.push_back(one.source);
    return sources;
  }

  FirstChooser chooser_;
  SimPlatform sim_{Timing::kOnTime, chooser_, [] { return true; }};
  Source older_ = kNoSource;
  Source newer_ = kNoSource;
};

TEST_F(DeviatingPlatformTest, WithoutADeviationItHandsEverythingOn) {
  const std::vector<Source> seen = LookAtTwo({});
  EXPECT_EQ(seen, (std::vector<Source>{older_, newer_}));
}

TEST_F(DeviatingPlatformTest, WhatIsReadyMayBeReportedNewestFirst) {
  PlatformRules rules;
  rules.ready_sources = PlatformRules::ReadySources::kNewestFirst;
  const std::vector<Source> seen = LookAtTwo(rules);
  EXPECT_EQ(seen, (std::vector<Source>{newer_, older_}));
}

TEST_F(DeviatingPlatformTest, WhatIsReadyMayBeReportedOneByOne) {
  PlatformRules rules;
  rules.ready_sources = PlatformRules::ReadySources::kOnePerPoll;
  const std::vector<Source> seen = LookAtTwo(rules);
  EXPECT_EQ(seen, (std::vector<Source>{older_}));
}

TEST_F(DeviatingPlatformTest, WakeUpsAfterTheFirstMayBeLost) {
  PlatformRules rules;
  rules.wakes = PlatformRules::Wakes::kFirstOnly;
  DeviatingPlatform platform(sim_, rules);
  Fingerprint before, after;
  platform.AddTo(&before);
  const Source wakeup = platform.OpenWakeup();
  platform.Watch(wakeup, kReadable);
  platform.Wake(wakeup);
  platform.AddTo(&after);
  EXPECT_NE(before.value(), after.value()) << "whether one came decides what the next one does";
  EXPECT_EQ(Look(&platform), (std::vector<Source>{wakeup}));
  platform.Read(wakeup);
  platform.Wake(wakeup);
  EXPECT_EQ(Look(&platform), (std::vector<Source>{}));
}

TEST_F(DeviatingPlatformTest, EachRequestMayHaveItsOwnThread) {
  // Of three requests to a pool of one thread. How many of them may be the first to end?
  using Width = PlatformRules::PoolWidth;
  for (const auto& [width, first] : {std::pair(Width::kAsAsked, 0), {Width::kOneMore, 2}, {Width::kOneEach, 3}}) {
    MostChooser chooser;
    SimPlatform sim(Timing::kOnTime, chooser, [] { return true; });
    PlatformRules rules;
    rules.pool_width = width;
    DeviatingPlatform platform(sim, rules);
    const Source wakeup = platform.OpenWakeup();
    platform.Watch(wakeup, kReadable);
    for (int64_t id = 1; id <= 3; ++id) platform.Submit(id, 1, wakeup, "F", 0);
    sim.clock().Busy(5);
    Look(&platform);
    EXPECT_EQ(chooser.most, first);
  }
}

}  // namespace
}  // namespace conform::reference
