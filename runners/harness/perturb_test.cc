#include "runners/harness/perturb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace conform {
namespace {

TEST(Perturb, IsAFunctionOfSeedCaseAndNumberAlone) {
  EXPECT_EQ(DisturbanceOf({1}, "a", 2).ToString(), DisturbanceOf({1}, "a", 2).ToString());
  std::set<std::string> by_number, by_case, by_seed;
  for (int i = 0; i < 50; ++i) {
    by_number.insert(DisturbanceOf({1}, "a", i).ToString());
    by_case.insert(DisturbanceOf({1}, "a" + std::to_string(i), 0).ToString());
    by_seed.insert(DisturbanceOf({static_cast<uint64_t>(i)}, "a", 0).ToString());
  }
  EXPECT_GT(by_number.size(), 5u);
  EXPECT_GT(by_case.size(), 5u);
  EXPECT_GT(by_seed.size(), 5u);
}

TEST(Perturb, EachOfItsMeansOccursAndIsAbsent) {
  int neighbours = 0, nice = 0, cpu = 0;
  for (int i = 0; i < 100; ++i) {
    const Disturbance disturbance = DisturbanceOf({3}, "x", i);
    neighbours += disturbance.neighbours > 0 ? 1 : 0;
    nice += disturbance.nice > 0 ? 1 : 0;
    cpu += disturbance.cpu ? 1 : 0;
    EXPECT_GE(disturbance.nice, 0);
  }
  for (const int count : {neighbours, nice, cpu}) {
    EXPECT_GT(count, 10);
    EXPECT_LT(count, 95);
  }
}

TEST(Perturb, IsWrittenForAPerson) {
  EXPECT_EQ(Disturbance{}.ToString(), "nothing");
  EXPECT_EQ((Disturbance{2, 10, 1}).ToString(), "2 neighbours, nice 10, cpu 1");
  EXPECT_EQ((Disturbance{1, 0, {}}).ToString(), "1 neighbour");
}

TEST(Perturb, NeighboursGoAwayAgain) {
  const Neighbours neighbours({3, 0, 0});
  const Neighbours none({});
}

}  // namespace
}  // namespace conform
