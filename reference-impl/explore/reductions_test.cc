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
    Result<Profiles> profiles = Profiles::Load(std::string(CONFORM_SOURCE_DIR) + "/spec/profiles");
    CONFORM_CHECK(profiles.ok());
    profiles_ = std::move(*profiles);
    const Result<Profile> profile = profiles_.Resolve(GetParam());
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

  Profiles profiles_;
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

// Draws programs of requests among timers, descriptors that are ready, children and the time that callbacks take, some
// of which are cleared again.
class Programs {
 public:
  Programs(uint32_t seed, const std::string& family) : random_(seed), is_node_(family == "node") {}

  std::string Next() {
    label_ = 'A';
    can_be_cleared_.clear();
    text_ = "program:\n";
    AddBody(2 + Below(4), "  ");
    return text_ + "expect: '...'\n";
  }

 private:
  uint32_t Below(uint32_t bound) { return random_() % bound; }

  void AddBody(uint32_t steps, const std::string& indent) {
    for (uint32_t i = 0; i < steps && label_ < 'H'; ++i) {
      text_ += indent + "- ";
      if (Below(9) == 0) {
        text_ += "busy " + std::to_string(1 + Below(3)) + "\n";
        continue;
      }
      if (!can_be_cleared_.empty() && Below(9) == 0) {
        text_ += std::string("clear ") + can_be_cleared_[Below(static_cast<uint32_t>(can_be_cleared_.size()))] + "\n";
        continue;
      }
      text_ += Step(label_++);
      const bool nests = indent.size() < 8 && Below(3) == 0 && label_ < 'H';
      text_ += nests ? ":\n" : "\n";
      if (nests) AddBody(1 + Below(2), indent + "    ");
    }
    if (text_.ends_with(":\n")) text_ += indent + "- busy 1\n";
  }

  std::string Step(char name) {
    const std::string label(1, name);
    switch (Below(10)) {
      case 0:
      case 1:
        return Request(name);
      case 2:
        if (is_node_) return Request(name);
        can_be_cleared_ += name;
        return "work " + label + " " + std::to_string(1 + Below(3));
      case 3:
        can_be_cleared_ += name;
        return "timeout " + label + " " + std::to_string(Below(4));
      case 4:
        can_be_cleared_ += name;
        return "timeout " + label + " 1";
      case 5:
      case 6:
        return "read " + label;
      case 7:
        return "child " + label;
      case 8:
        return (is_node_ ? "immediate " : "wake ") + label;
      default:
        return is_node_ ? "tick " + label : Request(name);
    }
  }

  // That takes no time. Only libuv can cancel it.
  std::string Request(char name) {
    if (!is_node_) can_be_cleared_ += name;
    return (is_node_ ? "file " : "work ") + std::string(1, name);
  }

  std::mt19937 random_;
  const bool is_node_;
  char label_ = 'A';
  std::string can_be_cleared_;
  std::string text_;
};

TEST_P(Reductions, KeepEveryOrderOfRandomPrograms) {
  ExploreLimits limits;
  limits.max_runs = 20'000;
  Programs programs(17, profile_.family);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string text = programs.Next();
    const Result<Case> c = ParseCase(text, "random", "random");
    ASSERT_TRUE(c.ok()) << text << c.error().ToString();
    SCOPED_TRACE(text);
    if (!WhyNotExplored(profiles_, *c, profile_, "") && Compare(*c, limits)) ++compared;
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(saved_, 0);
}

// Each has an order that is lost if one choice is left out, or a state that could be lost.
TEST_P(Reductions, KeepEveryOrderOfProgramsMadeForThem) {
  const char* const programs[] = {
      // When B ends, between the poll that A wakes and the look for what has ended, decides when C is due.
      "  - work A 10\n  - work B 12:\n      - timeout C 5\n  - timeout D 16\n",
      // The millisecond may have turned over before the poll, which is all that A takes.
      "  - timeout T 1\n  - work A 1:\n      - work W\n  - timeout U 2\n",
      // A request that ends between two descriptors that are newly watched, or behind both.
      "  - read A\n  - work B\n  - read C\n",
      "  - file A\n  - read B\n  - read C:\n      - immediate D\n",
      // One that ends behind what is ready is cancelled by it, or too late.
      "  - work A\n  - work B\n  - work C\n  - work D\n  - work E\n  - read F:\n      - clear E\n",
      // Children end beside requests, and while their signal is reported.
      "  - child A\n  - child B\n  - read C\n",
      "  - child A:\n      - child B\n  - file C\n  - read D\n",
      "  - work A\n  - child B\n  - read C\n  - wake D\n",
      // A request that ends while another one's callback runs, and what that callback made is newly watched.
      "  - file A:\n      - read B\n      - read C\n  - file D\n  - file E\n",
      "  - timeout A 1:\n      - read B\n      - file C\n  - file D\n  - immediate E\n",
  };
  ExploreLimits limits;
  limits.max_runs = 500'000;
  int explored = 0;
  for (const char* steps : programs) {
    const Result<Case> c = ParseCase(std::string("program:\n") + steps + "expect: '...'\n", "made", "made");
    ASSERT_TRUE(c.ok()) << c.error().ToString();
    if (WhyNotExplored(profiles_, *c, profile_, "")) continue;
    SCOPED_TRACE(steps);
    EXPECT_TRUE(Compare(*c, limits));
    ++explored;
  }
  EXPECT_GT(explored, 2);
}

INSTANTIATE_TEST_SUITE_P(Loops, Reductions,
                         testing::Values("node@26.3.0", "node@10.24.1", "node@0.10.48", "libuv@1.51.0"));

}  // namespace reductions_test
}  // namespace conform::reference
