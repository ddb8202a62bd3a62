#include "reference-impl/explore/state_table.h"

#include <gtest/gtest.h>

namespace conform::reference {
namespace {

constexpr int kMany = 10'000;

// All with the same lower half, so that every place is fought for.
Visit Nth(int n) { return {{static_cast<uint64_t>(n % 100), 7}, static_cast<uint64_t>(n / 100)}; }

TEST(StateTable, KeepsNumbersWhileItGrows) {
  StateTable table;
  for (int n = 0; n < kMany; ++n) {
    const auto [number, fresh] = table.Find(Nth(n));
    ASSERT_TRUE(fresh) << n;
    *number = n;
  }
  for (int n = 0; n < kMany; ++n) {
    const auto [number, fresh] = table.Find(Nth(n));
    ASSERT_FALSE(fresh) << n;
    ASSERT_EQ(*number, n);
  }
  EXPECT_EQ(table.size(), static_cast<size_t>(kMany));
}

TEST(StateTable, OneStateAtTwoPlacesOfAnOrderIsTwoVisits) {
  StateTable table;
  EXPECT_TRUE(table.Find({{1, 2}, 0}).second);
  EXPECT_TRUE(table.Find({{1, 2}, 1}).second);
  EXPECT_FALSE(table.Find({{1, 2}, 0}).second);
}

}  // namespace
}  // namespace conform::reference
