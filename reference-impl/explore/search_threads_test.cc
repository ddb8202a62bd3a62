// One exploration on several threads finds what it finds on one.
#include <gtest/gtest.h>

#include <string>

#include "reference-impl/explore/arena.h"
#include "reference-impl/explore/explorer.h"

namespace conform::reference {
namespace search_threads_test {

constexpr size_t kMostOrders = 2'000;

Profile TheProfile(const std::string& name) {
  const Result<Profiles> profiles = Profiles::Load(std::string(CONFORM_SOURCE_DIR) + "/spec/profiles");
  CONFORM_CHECK(profiles.ok());
  const Result<Profile> profile = profiles->Resolve(name);
  CONFORM_CHECK(profile.ok());
  return *profile;
}

Case Program(const std::string& steps) {
  const Result<Case> c = ParseCase("program:\n" + steps + "expect: '...'\n", "threads.yaml", "threads");
  CONFORM_CHECK(c.ok());
  return *c;
}

// Whether the whole set is within the limits.
bool Compare(const Case& c, const Model& model, Timing timing, ExploreLimits limits) {
  const Exploration alone = Explore(c, model, timing, limits);
  if (!alone.complete) return false;
  limits.threads = 3;
  limits.runs_alone = 1;
  const Exploration together = Explore(c, model, timing, limits);
  EXPECT_TRUE(together.complete) << c.id << ": " << together.limit_hit;
  EXPECT_EQ(together.runs, alone.runs) << c.id;
  EXPECT_EQ(together.states, alone.states) << c.id;
  EXPECT_EQ(together.orders.size(), alone.orders.size()) << c.id;
  EXPECT_EQ(together.orders.Enumerate(kMostOrders), alone.orders.Enumerate(kMostOrders)) << c.id;
  EXPECT_FALSE(Includes(together.orders, alone.orders).counter_example.has_value()) << c.id;
  EXPECT_FALSE(Includes(alone.orders, together.orders).counter_example.has_value()) << c.id;
  return true;
}

class Threads : public testing::TestWithParam<const char*> {};

// Goal: equal sets. Method: cases of the catalogue, on time and late, on one thread, and on three from the first run
// on.
TEST_P(Threads, FindTheSameAsOne) {
  const Profile profile = TheProfile(GetParam());
  const Model model(profile);
  ExploreLimits limits;
  limits.max_runs = 1'000;
  limits.max_callbacks = 500;
  int compared = 0;
  for (const Case& c : LoadCatalogue(std::string(CONFORM_SOURCE_DIR) + "/cases").cases) {
    if (NotModelled(c, profile.family) || c.ExpectationFor(profile.family, profile.version) == nullptr) continue;
    // Sanitizers make everything slow: those of one chapter are enough for them.
    if (!kHasArenas && c.id.rfind("poll/", 0) != 0) continue;
    for (const Timing timing : {Timing::kOnTime, Timing::kLate}) compared += Compare(c, model, timing, limits) ? 1 : 0;
  }
  EXPECT_GT(compared, 10);
}

INSTANTIATE_TEST_SUITE_P(Loops, Threads, testing::Values("node@26.3.0", "node@10.24.1", "libuv@1.51.0"));

TEST(SearchThreads, ALargeProgramIsSharedOut) {
  std::string steps = "  - timeout T 1\n  - immediate I\n";
  for (char label = 'A'; label < (kHasArenas ? 'H' : 'E'); ++label) steps += std::string("  - file ") + label + "\n";
  const Case c = Program(steps);
  const Model model(TheProfile("node@26.3.0"));
  for (const Timing timing : {Timing::kOnTime, Timing::kLate}) EXPECT_TRUE(Compare(c, model, timing, {}));
}

// The way to an alternative is as long as the chain, and would be gone again from its start.
TEST(SearchThreads, ALongChainStaysWithOne) {
  const Case c = Program(kHasArenas ? "  - timeout A 0 x5000\n" : "  - timeout A 0 x50\n");
  const Model model(TheProfile("node@26.3.0"));
  for (const Timing timing : {Timing::kOnTime, Timing::kLate}) EXPECT_TRUE(Compare(c, model, timing, {}));
}

TEST(SearchThreads, ALimitEndsAllOfThem) {
  std::string steps = "  - timeout T 1\n";
  for (char label = 'A'; label < 'I'; ++label)
    steps += std::string("  - file ") + label + ":\n      - immediate I" + label + "\n";
  const Model model(TheProfile("node@26.3.0"));
  ExploreLimits limits;
  limits.threads = 3;
  limits.runs_alone = 1;
  limits.max_runs = 300;
  const Exploration exploration = Explore(Program(steps), model, Timing::kLate, limits);
  EXPECT_EQ(exploration.limit_hit, "runs");
  EXPECT_EQ(exploration.runs, 300);
  limits.max_runs = 1'000'000;
  limits.max_total_callbacks = 5'000;
  EXPECT_EQ(Explore(Program(steps), model, Timing::kLate, limits).limit_hit, "callbacks in all runs");
}

TEST(SearchThreads, TheRulesThatAnyOfThemReadAreNoted) {
  const Case c = Program("  - file A\n  - file B\n  - file C\n  - timeout T 1\n  - immediate I\n");
  const Model model(TheProfile("node@26.3.0"));
  ExploreLimits limits;
  const RuleSet alone = RulesReadBy(model, [&] { Explore(c, model, Timing::kLate, limits); });
  limits.threads = 3;
  limits.runs_alone = 1;
  EXPECT_EQ(RulesReadBy(model, [&] { Explore(c, model, Timing::kLate, limits); }), alone);
}

}  // namespace search_threads_test
}  // namespace conform::reference
