#include "runners/model/clause_scope.h"

#include <gtest/gtest.h>

namespace conform {
namespace clause_scope_test {

TEST(ClauseScope, AClauseHoldsFromSinceToUntilOfItsFamily) {
  Clause clause;
  clause.applies = "node, libuv · since libuv 1.44.2 · until libuv 1.48 · since node 11";
  EXPECT_FALSE(HoldsFor(clause, "node@10.24.1"));
  EXPECT_TRUE(HoldsFor(clause, "node@11.0.0"));
  EXPECT_FALSE(HoldsFor(clause, "libuv@1.44.1"));
  EXPECT_TRUE(HoldsFor(clause, "libuv@1.44.2"));
  EXPECT_TRUE(HoldsFor(clause, "libuv@1.47.0"));
  EXPECT_FALSE(HoldsFor(clause, "libuv@1.48.0"));
}

TEST(ClauseScope, NothingIsSaidOfOtherFamiliesAndOfProfilesWithoutAVersion) {
  Clause clause;
  EXPECT_TRUE(HoldsFor(clause, "node@10.24.1"));
  clause.applies = "node · since node 11";
  EXPECT_TRUE(HoldsFor(clause, "html@1.0.0"));
  EXPECT_TRUE(HoldsFor(clause, "node"));
  EXPECT_TRUE(HoldsFor(clause, "./my.yaml"));
}

}  // namespace clause_scope_test
}  // namespace conform
