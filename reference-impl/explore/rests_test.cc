// Resuming from rests finds what running from the start finds.
#include <gtest/gtest.h>

#include <string>

#include "reference-impl/explore/explorer.h"

namespace conform::reference {
namespace rests_test {

constexpr size_t kMostOrders = 1'000;
// Where there are more, the first of them are compared.
constexpr int64_t kMostRuns = 2'000;
constexpr int64_t kMostCallbacks = 500;

class Rests : public testing::TestWithParam<const char*> {};

// Goal: equal sets. Method: every case of the catalogue, on time and late, both ways; a state that lacks something
// would lead to other orders, or to another number of runs.
TEST_P(Rests, FindTheSameAsTheStart) {
  const std::string root = CONFORM_SOURCE_DIR;
  const Result<Profiles> profiles = Profiles::Load(root + "/spec/profiles");
  ASSERT_TRUE(profiles.ok());
  const Result<Profile> profile = profiles->Resolve(GetParam());
  ASSERT_TRUE(profile.ok());
  const Model model(*profile);
  ExploreLimits limits;
  limits.max_runs = kMostRuns;
  limits.max_callbacks = kMostCallbacks;
  int compared = 0;
  for (const Case& c : LoadCatalogue(root + "/cases").cases) {
    if (NotModelled(c, profile->family) || c.ExpectationFor(profile->family, profile->version) == nullptr) continue;
    for (const Timing timing : {Timing::kOnTime, Timing::kLate}) {
      const Exploration from_rests = Explore(c, model, timing, limits);
      const Exploration from_start = Explore(c, model, timing, limits, RunsFrom::kStart);
      EXPECT_EQ(from_rests.limit_hit, from_start.limit_hit) << c.id;
      EXPECT_EQ(from_rests.runs, from_start.runs) << c.id;
      EXPECT_EQ(from_rests.states, from_start.states) << c.id;
      EXPECT_EQ(from_rests.orders.Enumerate(kMostOrders), from_start.orders.Enumerate(kMostOrders)) << c.id;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

// Goal: the same where copies are rare, and where there are so many that the oldest paths come first. Method: a chain
// of choices beside so many reactions that a copy of each state is large.
TEST(RestsOfLargeStates, FindTheSameAsTheStart) {
  const std::string root = CONFORM_SOURCE_DIR;
  const Result<Profile> profile = Profiles::Load(root + "/spec/profiles")->Resolve("node@26.3.0");
  ASSERT_TRUE(profile.ok());
  std::string text = "program:\n  - promise P\n  - immediate I x20\n  - timeout A 0 x60\n";
  for (int i = 0; i < 400; ++i) text += "  - then B" + std::to_string(i) + " of P\n";
  const Result<Case> c = ParseCase(text + "expect: ...\n", "large.yaml", "large");
  ASSERT_TRUE(c.ok()) << c.error().ToString();
  for (const Timing timing : {Timing::kOnTime, Timing::kLate}) {
    const Exploration from_rests = Explore(*c, *profile, timing);
    const Exploration from_start = Explore(*c, *profile, timing, {}, RunsFrom::kStart);
    EXPECT_TRUE(from_rests.complete);
    EXPECT_TRUE(from_start.complete);
    EXPECT_EQ(from_rests.runs, from_start.runs);
    EXPECT_EQ(from_rests.states, from_start.states);
    EXPECT_EQ(from_rests.orders.Enumerate(kMostOrders), from_start.orders.Enumerate(kMostOrders));
  }
}

INSTANTIATE_TEST_SUITE_P(Loops, Rests,
                         testing::Values("node@26.3.0", "node@10.24.1", "node@0.10.48", "libuv@1.51.0", "asyncio",
                                         "html", "glib"));

}  // namespace rests_test
}  // namespace conform::reference
