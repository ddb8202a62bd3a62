#include "runners/study/exploring.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

TEST(PathOf, LeavesOutZerosAtTheEnd) {
  EXPECT_EQ(PathOf({}), "");
  EXPECT_EQ(PathOf({{"", "", 0, 2}, {"", "", 0, 2}}), "0");
  EXPECT_EQ(PathOf({{"", "", 0, 2}, {"", "", 2, 3}, {"", "", 0, 2}}), "0,2");
}

}  // namespace
}  // namespace conform
