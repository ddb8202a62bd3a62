// Leaving choices out that cannot make a difference leaves no order out.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "reference-impl/explore/explorer.h"

namespace conform::reference {
namespace reductions_test {

constexpr size_t kMostOrders = 2'000;

class Reductions : public testing::TestWithParam<const char*> {
 protected:
  Reductions() {
    const Result<Profiles> profiles = Profiles::Load(std::string(CONFORM_SOURCE_DIR) + "/spec/profiles");
    CONFORM_CHECK(profiles.ok());
    const Result<Profile> profile = profiles->Resolve(GetParam());
    CONFORM_CHECK(profile.ok());
    profile_ = *profile;
  }

  // Whether both sets are within the limits. They must be equal then.
  bool Compare(const Case& c, const ExploreLimits& limits) {
    const Model model(profile_);
    bool complete = true;
    for (const Timing timing : {Timing::kOnTime, Timing::kLate}) {
      const Exploration all = Explore(c, model, timing, limits, RunsFrom::kStartWithEveryChoice);
      if (!all.complete) {
        complete = false;
        continue;
      }
      const Exploration reduced = Explore(c, model, timing, limits);
      EXPECT_TRUE(reduced.complete) << c.id;
      EXPECT_LE(reduced.runs, all.runs) << c.id;
      saved_ += all.runs - reduced.runs;
      EXPECT_EQ(reduced.orders.Enumerate(kMostOrders), all.orders.Enumerate(kMostOrders))
          << c.id << (timing == Timing::kLate ? " late" : " on time");
    }
    return complete;
  }

  Profile profile_;
  int64_t saved_ = 0;  // runs
};

TEST_P(Reductions, KeepEveryOrderOfTheCatalogue) {
  ExploreLimits limits;
  limits.max_runs = 2'000;
  limits.max_callbacks = 500;
  int compared = 0;
  for (const Case& c : LoadCatalogue(std::string(CONFORM_SOURCE_DIR) + "/cases").cases) {
    const bool fits =
        !NotModelled(c, profile_.family) && c.ExpectationFor(profile_.family, profile_.version) != nullptr;
    if (fits && Compare(c, limits)) ++compared;
  }
  EXPECT_GT(compared, 20);
  EXPECT_TRUE(profile_.family != "node" || saved_ > 0);
}

TEST_P(Reductions, KeepEveryOrderWhereAnotherThreadReportsSignals) {
  if (profile_.family != "node") return;
  profile_.rules["signal-handlers"] = "by-another-thread";
  profile_.rules["pool-width"] = "one-each";
  ExploreLimits limits;
  limits.max_runs = 20'000;
  int compared = 0;
  for (const Case& c : LoadCatalogue(std::string(CONFORM_SOURCE_DIR) + "/cases").cases) {
    const bool has_signals = c.id.find("signal") != std::string::npos && c.native.empty();
    if (has_signals && !NotModelled(c, profile_.family) && Compare(c, limits)) ++compared;
  }
  EXPECT_GT(compared, 10);
}

// Draws programs of requests among timers, immediates, ticks and the time that callbacks take.
class Programs {
 public:
  explicit Programs(uint32_t seed) : random_(seed) {}

  std::string Next(bool node) {
    label_ = 'A';
    text_ = "program:\n";
    AddBody(node, 2 + Below(4), "  ");
    return text_ + "expect: '...'\n";
  }

 private:
  uint32_t Below(uint32_t bound) { return random_() % bound; }

  void AddBody(bool node, uint32_t steps, const std::string& indent) {
    for (uint32_t i = 0; i < steps && label_ < 'H'; ++i) {
      text_ += indent + "- ";
      if (Below(9) == 0) {
        text_ += "busy " + std::to_string(1 + Below(3)) + "\n";
        continue;
      }
      const std::string label(1, label_++);
      switch (Below(node ? 7 : 5)) {
        case 0:
        case 1:
        case 2:
          text_ += (node ? "file " : "work ") + label;
          break;
        case 3:
          text_ += "timeout " + label + " " + std::to_string(Below(4));
          break;
        case 4:
          text_ += "timeout " + label + " 1";
          break;
        case 5:
          text_ += "immediate " + label;
          break;
        case 6:
          text_ += "tick " + label;
          break;
      }
      const bool nests = indent.size() < 8 && Below(3) == 0 && label_ < 'H';
      text_ += nests ? ":\n" : "\n";
      if (nests) AddBody(node, 1 + Below(2), indent + "    ");
    }
    if (text_.ends_with(":\n")) text_ += indent + "- busy 1\n";
  }

  std::mt19937 random_;
  char label_ = 'A';
  std::string text_;
};

TEST_P(Reductions, KeepEveryOrderOfRandomPrograms) {
  ExploreLimits limits;
  limits.max_runs = 20'000;
  Programs programs(17);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string text = programs.Next(profile_.family == "node");
    const Result<Case> c = ParseCase(text, "random", "random");
    ASSERT_TRUE(c.ok()) << text << c.error().ToString();
    SCOPED_TRACE(text);
    if (Compare(*c, limits)) ++compared;
  }
  EXPECT_GT(compared, 100);
}

INSTANTIATE_TEST_SUITE_P(Loops, Reductions,
                         testing::Values("node@26.3.0", "node@10.24.1", "node@0.10.48", "libuv@1.51.0"));

}  // namespace reductions_test
}  // namespace conform::reference
