#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "runners/model/automaton.h"

namespace conform {
namespace inclusion_test {

using Counts = std::map<std::string, int64_t>;

Automaton A(std::string_view text) { return Automaton::FromPattern(Pattern::Parse(text).value()); }
// "yes", "truncated", or the counter-example.
std::string Inside(std::string_view a, std::string_view b, const Counts& counts = {}, size_t max_states = 2'000'000) {
  const Inclusion inclusion = Includes(A(a), A(b), counts, max_states);
  if (inclusion.counter_example) return OrderToString(*inclusion.counter_example);
  return inclusion.truncated ? "truncated" : "yes";
}

TEST(Includes, AShortestCounterExampleIsGiven) {
  EXPECT_EQ(Inside("A B", "A B | B A"), "yes");
  EXPECT_EQ(Inside("A B | B A", "A B"), "B A");
  EXPECT_EQ(Inside("A & B & C", "A ..."), "B A C");
  EXPECT_EQ(Inside("A*", "A{0,4}"), "A{5}");
  EXPECT_EQ(Inside("", "A"), "(nothing)");
  EXPECT_EQ(Inside("A", ""), "A");
}

TEST(Includes, NothingIsInsideOfEverythingAndEverythingInsideOfAnything) {
  EXPECT_FALSE(Includes(Automaton(), A("A")).counter_example);
  EXPECT_FALSE(Includes(Automaton(), Automaton()).counter_example);
  EXPECT_EQ(Includes(A("A"), Automaton()).counter_example, Order{"A"});
  EXPECT_EQ(Inside("...", "..."), "yes");
  EXPECT_EQ(Inside("A & B & ...", "..."), "yes");
}

TEST(Includes, ALabelOfNeitherSideIsPrintedAsAnyLabel) {
  EXPECT_EQ(Inside("_", "A | B"), "_");
  EXPECT_EQ(Inside("A _", "A (A | B)"), "A _");
  EXPECT_EQ(Inside("_ _", "_ _"), "yes");
  EXPECT_EQ(Inside("...", "_*"), "yes");
  EXPECT_EQ(Inside("A B", "_ _"), "yes");
}

TEST(Includes, CountsLeaveOutOrdersWithOtherNumbers) {
  const Counts counts{{"I", 10}, {"A", 1}};
  EXPECT_EQ(Inside("I{1,3} A I*", "I I A I{8} | I A I{9}", counts), "I{3} A I{7}");
  EXPECT_EQ(Inside("I{1,3} A I*", "I{1,3} A I{7,9}", counts), "yes");
  EXPECT_EQ(Inside("I{1,3} A I*", "I{1,3} A I{7,9}"), "I A");
  EXPECT_EQ(Inside("...", "(I | A)*", counts), "A I{10} _");
  EXPECT_EQ(Inside("(I | A)*", "I{0,10} A I{0,10}", counts), "yes");
  EXPECT_EQ(Inside("A", "B", {{"A", 2}}), "yes");
  EXPECT_EQ(Inside("A", "B", {{"C", 1}}), "yes");
  EXPECT_EQ(Inside("A", "B", {{"C", 0}}), "A");
  EXPECT_EQ(Inside("C", "B", {{"C", 0}}), "yes");
}

TEST(Includes, MoreCountersThanOneNumberHoldsStillCount) {
  Counts counts;
  std::string pattern;
  for (int i = 0; i < 40; ++i) {
    std::string label = std::to_string(i);
    label.insert(0, 1, 'L');
    counts[label] = 1000;
    pattern += label + "{999,1001} ";
  }
  // Each of the 40 counters goes through 1001 values: 40 times ten bits do not fit in 64.
  EXPECT_EQ(Inside(pattern, "...  L39{1000}", counts), "yes");
  const Inclusion inclusion = Includes(A(pattern), A("... L39{1001}"), counts);
  ASSERT_TRUE(inclusion.counter_example);
  EXPECT_EQ(inclusion.counter_example->size(), 40'000u);
}

TEST(Includes, WaysOnWhichTheCountsCannotComeOutAreGivenUpAtOnce) {
  // Without that, each label doubles the number of ways.
  Counts counts;
  std::string optional, sure;
  for (char label = 'a'; label <= 'z'; ++label) {
    counts[std::string(1, label)] = 1;
    optional += std::string(1, label) + "? ";
    sure += std::string(1, label) + " ";
  }
  EXPECT_EQ(Inside(optional, sure, counts, 1000), "yes");
  EXPECT_EQ(Inside(optional + sure, sure, counts, 1000), "yes");
}

TEST(Includes, ALimitIsReportedAndAProofBeforeItStands) {
  EXPECT_EQ(Inside("A{1000}", "A{1000} | B", {}, 100), "truncated");
  EXPECT_EQ(Inside("A{1000}", "A{1000} | B", {}, 2000), "yes");
  EXPECT_EQ(Inside("B | A{1000}", "A{1000}", {}, 100), "B");
  // The sets of the second side grow with every T: the limit on their size ends the search, not the machine's memory.
  EXPECT_EQ(Inside("T*", "... T{3000} | T*", {}, 10'000), "truncated");
  EXPECT_EQ(Inside("T*", "... T{300} | T*", {}, 10'000), "yes");
}

// With sanitizers, which look at memory and not at answers, a part of the random sample is enough, and nothing is
// quick.
#ifdef __SANITIZE_ADDRESS__
constexpr int kRounds = 300;
constexpr int kQuickSeconds = 100;
#else
constexpr int kRounds = 1500;
constexpr int kQuickSeconds = 20;
#endif

TEST(Includes, LongChainsAndWildcardsAreQuick) {
  const std::clock_t start = std::clock();
  EXPECT_EQ(Inside("T{1000} A", "T{1000} A", {{"T", 1000}, {"A", 1}}), "yes");
  EXPECT_EQ(Inside("...", "T{1000} A", {{"T", 1000}, {"A", 1}}).substr(0, 1), "A");
  EXPECT_EQ(Inside("T* A T*", "T{1000} A", {{"T", 1000}, {"A", 1}}), "A T{1000}");
  EXPECT_EQ(Inside("T{100000} A", "T* A T*", {{"T", 100'000}, {"A", 1}}), "yes");
  EXPECT_EQ(Inside("T{100000}", "T{100000}"), "yes");
  EXPECT_EQ(Inside("... A ...", "... A ... | B"), "yes");
  EXPECT_EQ(Inside("T{400} & U{400}", "T{400} & U{400}", {{"T", 400}, {"U", 400}}), "yes");
  EXPECT_LT(std::clock() - start, kQuickSeconds * CLOCKS_PER_SEC)
      << "processor time, so that a busy machine does not matter";
}

// Random small patterns against an independent reading of the grammar: a matcher that tries every split, on every word
// of up to five labels over A, B, C (C stands for a label that no pattern names).
class BruteForce {
 public:
  static bool Matches(const PatternNode& node, const std::string& word) {
    switch (node.kind) {
      case PatternNode::Kind::kEmpty:
        return word.empty();
      case PatternNode::Kind::kLabel:
        return word == node.label;
      case PatternNode::Kind::kAnyLabel:
        return word.size() == 1;
      case PatternNode::Kind::kAnything:
        return true;
      case PatternNode::Kind::kSequence:
        return Sequence(node.children, 0, word);
      case PatternNode::Kind::kAlternatives:
        return std::any_of(node.children.begin(), node.children.end(),
                           [&](const PatternNode& child) { return Matches(child, word); });
      case PatternNode::Kind::kInterleaving:
        return Interleaving(node, word);
      case PatternNode::Kind::kRepetition:
        return Repetition(node, word, 0);
    }
    return false;
  }

 private:
  static bool Sequence(const std::vector<PatternNode>& children, size_t first, const std::string& word) {
    if (first == children.size()) return word.empty();
    for (size_t cut = 0; cut <= word.size(); ++cut) {
      if (Matches(children[first], word.substr(0, cut)) && Sequence(children, first + 1, word.substr(cut))) return true;
    }
    return false;
  }
  static bool Interleaving(const PatternNode& node, const std::string& word) {
    for (unsigned side = 0; side < (1u << word.size()); ++side) {
      std::string left, right;
      for (size_t i = 0; i < word.size(); ++i) ((side >> i & 1) != 0 ? left : right) += word[i];
      if (Matches(node.children[0], left) && Matches(node.children[1], right)) return true;
    }
    return false;
  }
  static bool Repetition(const PatternNode& node, const std::string& word, int64_t done) {
    if (done >= node.least && word.empty()) return true;
    if (node.most && done >= *node.most) return false;
    // A round that reads nothing only helps to reach the least number.
    for (size_t cut = done < node.least ? 0 : 1; cut <= word.size(); ++cut) {
      if (Matches(node.children[0], word.substr(0, cut)) && Repetition(node, word.substr(cut), done + 1)) return true;
    }
    return false;
  }
};

class RandomPatterns {
 public:
  explicit RandomPatterns(unsigned seed) : random_(seed) {}
  std::string Next(int depth = 3) {
    const int shape = depth == 0 ? random_() % 4 : random_() % 11;
    switch (shape) {
      case 0:
        return "A";
      case 1:
        return "B";
      case 2:
        return random_() % 2 == 0 ? "_" : "A";
      case 3:
        return random_() % 3 == 0 ? "..." : "B";
      case 4:
        return "()";
      case 5:
      case 6:
        return "(" + Next(depth - 1) + " " + Next(depth - 1) + ")";
      case 7:
        return "(" + Next(depth - 1) + " | " + Next(depth - 1) + ")";
      case 8:
        return "(" + Next(depth - 1) + " & " + Next(depth - 1) + ")";
      default: {
        const char* const suffixes[] = {"*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}"};
        return "(" + Next(depth - 1) + ")" + suffixes[random_() % 7];
      }
    }
  }

 private:
  std::mt19937 random_;
};

constexpr size_t kLongestWord = 5;

std::vector<std::string> AllWords() {
  std::vector<std::string> words{""};
  for (size_t first = 0; first < words.size() && words[first].size() < kLongestWord; ++first) {
    for (char label : {'A', 'B', 'C'}) words.push_back(words[first] + label);
  }
  return words;
}

Order ToOrder(const std::string& word) {
  Order order;
  for (char c : word) order.push_back(std::string(1, c));
  return order;
}

TEST(Includes, AgreesWithBruteForceOnRandomPatterns) {
  RandomPatterns patterns(42);
  std::mt19937 random(43);
  const std::vector<std::string> words = AllWords();
  int inside = 0, outside = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Pattern a = Pattern::Parse(patterns.Next()).value();
    const Pattern b = Pattern::Parse(patterns.Next()).value();
    const Automaton automaton_a = Automaton::FromPattern(a);
    const Automaton automaton_b = Automaton::FromPattern(b);
    Counts counts;
    if (round % 3 == 1) counts["A"] = random() % 4;
    if (round % 3 == 2) counts = {{"A", random() % 3}, {"B", random() % 3}};
    const auto agrees = [&](const Order& order) {
      return std::all_of(counts.begin(), counts.end(), [&](const auto& count) {
        return std::count(order.begin(), order.end(), count.first) == count.second;
      });
    };
    size_t shortest = SIZE_MAX;
    for (const std::string& word : words) {
      const bool in_a = BruteForce::Matches(a.root, word);
      const bool in_b = BruteForce::Matches(b.root, word);
      ASSERT_EQ(automaton_a.Accepts(ToOrder(word)), in_a) << a.text << " on " << word;
      if (in_a && !in_b && agrees(ToOrder(word))) shortest = std::min(shortest, word.size());
    }
    const Inclusion inclusion = Includes(automaton_a, automaton_b, counts);
    const std::string what = a.text + " in " + b.text;
    ASSERT_FALSE(inclusion.truncated) << what;
    if (shortest != SIZE_MAX) {
      ASSERT_TRUE(inclusion.counter_example) << what;
      ASSERT_EQ(inclusion.counter_example->size(), shortest) << what;
    }
    if (inclusion.counter_example) {
      ++outside;
      ASSERT_TRUE(shortest != SIZE_MAX || inclusion.counter_example->size() > kLongestWord) << what;
      ASSERT_TRUE(automaton_a.Accepts(*inclusion.counter_example)) << what;
      ASSERT_FALSE(automaton_b.Accepts(*inclusion.counter_example)) << what;
      ASSERT_TRUE(agrees(*inclusion.counter_example)) << what;
    } else {
      ++inside;
    }
  }
  // The sample is worth something only if both answers are frequent.
  EXPECT_GT(inside, kRounds / 8);
  EXPECT_GT(outside, kRounds / 8);
}

TEST(Enumerate, AgreesWithBruteForceOnRandomPatterns) {
  RandomPatterns patterns(7);
  std::vector<std::string> words = AllWords();
  for (int round = 0; round < kRounds / 3; ++round) {
    const Pattern pattern = Pattern::Parse(patterns.Next()).value();
    const Automaton automaton = Automaton::FromPattern(pattern);
    // Over A and B and the fresh label, which Enumerate prints as `_` and takes for granted only where any label may
    // stand.
    std::vector<Order> expected;
    const auto& known = automaton.labels();
    for (const std::string& word : words) {
      Order order = ToOrder(word);
      std::replace(order.begin(), order.end(), std::string("C"), std::string("_"));
      const bool in_alphabet = std::all_of(order.begin(), order.end(), [&](const std::string& label) {
        return label == "_" || std::find(known.begin(), known.end(), label) != known.end();
      });
      if (in_alphabet && BruteForce::Matches(pattern.root, word)) expected.push_back(order);
    }
    std::vector<Order> found;
    for (Order& order : automaton.Enumerate(expected.size() + 1)) {
      if (order.size() <= kLongestWord) found.push_back(std::move(order));
    }
    ASSERT_EQ(found, expected) << pattern.text;
    ASSERT_EQ(automaton.CountOrders(200), automaton.Enumerate(200).size()) << pattern.text;
  }
}

}  // namespace inclusion_test
}  // namespace conform
