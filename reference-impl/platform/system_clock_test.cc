#include "reference-impl/platform/system_clock.h"

#include <gtest/gtest.h>

namespace conform::reference {
namespace {

// Goal: it starts at zero, however long this test is kept waiting. Method: it stays behind a clock that is older.
TEST(SystemClock, StartsAtZero) {
  SystemClock older;
  older.Busy(5);
  SystemClock clock;
  const Time now = clock.Read();
  EXPECT_EQ(now.reading, 0);
  EXPECT_GE(now.ms, 0);
  EXPECT_LE(now.ms + 5, older.Read().ms);
}

TEST(SystemClock, NeverGoesBack) {
  SystemClock clock;
  Time last = clock.Read();
  for (int i = 0; i < 100'000; ++i) {
    const Time now = clock.Read();
    ASSERT_GE(now.ms, last.ms);
    last = now;
  }
}

TEST(SystemClock, ReadIsTheFloorOfTheNanoseconds) {
  SystemClock clock;
  for (int i = 0; i < 10'000; ++i) {
    const int64_t before_ns = clock.ReadNs();
    const int64_t ms = clock.Read().ms;
    const int64_t after_ns = clock.ReadNs();
    ASSERT_LE(before_ns / 1'000'000, ms);
    ASSERT_LE(ms, after_ns / 1'000'000);
  }
}

// Goal: flooring matches every other loop on the machine, whenever each was started. Method: a whole number of
// milliseconds must lie between two clocks; the second reading is enclosed by two of the first.
TEST(SystemClock, TwoClocksTurnOverTogether) {
  SystemClock one;
  one.Busy(1);
  SystemClock other;
  const int64_t before_ns = one.ReadNs();
  const int64_t other_ns = other.ReadNs();
  const int64_t after_ns = one.ReadNs();
  const int64_t whole_ns = (after_ns - other_ns) / 1'000'000 * 1'000'000;
  EXPECT_GE(whole_ns, before_ns - other_ns);
  EXPECT_GE(whole_ns, 1'000'000);
}

TEST(SystemClock, BusyTakesMoreThanItSays) {
  SystemClock clock;
  for (int64_t ms : {0, 1, 3, 7}) {
    const Time armed = clock.Read();
    const int64_t start_ns = clock.ReadNs();
    clock.Busy(ms);
    EXPECT_GT(clock.ReadNs() - start_ns, ms * 1'000'000);
    EXPECT_TRUE(clock.NotAfter(armed + ms, clock.Read())) << "a timer of " << ms << " ms is due";
  }
}

TEST(SystemClock, ComparesAsNumbers) {
  SystemClock clock;
  EXPECT_TRUE(clock.NotAfter({0, 5}, {0, 5}));
  EXPECT_FALSE(clock.Before({0, 5}, {0, 5}));
  EXPECT_TRUE(clock.Before({0, 5}, {0, 6}));
  EXPECT_EQ(clock.Later({0, 5}, {0, 6}), (Time{0, 6}));
}

}  // namespace
}  // namespace conform::reference
