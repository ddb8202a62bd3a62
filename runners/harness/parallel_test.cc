#include "runners/harness/parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <vector>

namespace conform {
namespace {

using ::testing::ElementsAre;

class ForEachInOrderTest : public ::testing::TestWithParam<int> {};

TEST_P(ForEachInOrderTest, DoesEverythingAndTellsInOrder) {
  constexpr size_t kCount = 500;
  std::vector<int> worked(kCount);
  std::vector<size_t> told;
  ForEachInOrder(
      kCount, GetParam(), [&](size_t index) { worked[index] = 1; },
      [&](size_t index) {
        EXPECT_EQ(worked[index], 1);
        told.push_back(index);
        return true;
      });
  ASSERT_EQ(told.size(), kCount);
  for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(told[i], i);
}

TEST_P(ForEachInOrderTest, TellsNothingMoreOnceToldToStop) {
  std::atomic<int> begun = 0;
  std::vector<size_t> told;
  ForEachInOrder(
      1'000, GetParam(), [&](size_t) { ++begun; },
      [&](size_t index) {
        told.push_back(index);
        return index < 2;
      });
  EXPECT_THAT(told, ElementsAre(0, 1, 2));
  // How many others have begun by then depends on the threads; with one there are none.
  if (GetParam() == 1) {
    EXPECT_EQ(begun, 3);
  }
}

TEST_P(ForEachInOrderTest, DoesNothingForNothing) {
  ForEachInOrder(
      0, GetParam(), [](size_t) { FAIL(); },
      [](size_t) {
        ADD_FAILURE();
        return true;
      });
}

TEST_P(ForEachInOrderTest, HandsOnWhatWorkThrows) {
  const auto run = [&] {
    ForEachInOrder(
        100, GetParam(),
        [](size_t index) {
          if (index == 7) throw std::runtime_error("seven");
        },
        [](size_t index) {
          EXPECT_LT(index, 7u);
          return true;
        });
  };
  EXPECT_THROW(run(), std::runtime_error);
}

TEST_P(ForEachInOrderTest, WorkWaitsForThatWhichHearsOfIt) {
  // Nothing is heard of beyond what may be ahead, so no more than that may have begun at any time.
  constexpr size_t kCount = 4 * kMostAhead;
  std::atomic<size_t> begun = 0;
  ForEachInOrder(
      kCount, GetParam(), [&](size_t) { ++begun; },
      [&](size_t index) {
        EXPECT_LE(begun, index + kMostAhead);
        return true;
      });
  EXPECT_EQ(begun, kCount);
}

INSTANTIATE_TEST_SUITE_P(Jobs, ForEachInOrderTest, ::testing::Values(1, 2, 8));

TEST(ForEachInOrder, AsManyAsThereAreJobsMayBeUnderWayAtOnce) {
  // None ends before all have begun.
  constexpr size_t kJobs = 2 * kMostAhead;
  std::latch all_begun(kJobs);
  size_t told = 0;
  ForEachInOrder(
      kJobs, static_cast<int>(kJobs), [&](size_t) { all_begun.arrive_and_wait(); },
      [&](size_t) {
        ++told;
        return true;
      });
  EXPECT_EQ(told, kJobs);
}

TEST(DefaultJobs, IsAtLeastOne) { EXPECT_GE(DefaultJobs(), 1); }

}  // namespace
}  // namespace conform
