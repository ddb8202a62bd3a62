#include "runners/model/automaton.h"

#include <gtest/gtest.h>

#include <ctime>

namespace conform {
namespace automaton_test {

Automaton A(std::string_view text) { return Automaton::FromPattern(Pattern::Parse(text).value()); }
Order O(std::string_view text) {
  Order order;
  for (char c : text) order.push_back(std::string(1, c));
  return order;
}
// The orders of one-letter labels that `pattern` accepts, as words: "AB BA".
std::string Words(const Automaton& automaton, size_t limit = 100) {
  std::string words;
  for (const Order& order : automaton.Enumerate(limit)) {
    if (!words.empty()) words += ' ';
    for (const std::string& label : order) words += label;
    if (order.empty()) words += '-';
  }
  return words;
}

TEST(Automaton, AnEmptyOneAcceptsNothing) {
  EXPECT_FALSE(Automaton().Accepts({}));
  EXPECT_EQ(Automaton().CountOrders(10), 0u);
  EXPECT_EQ(Words(Automaton()), "");
}

TEST(Automaton, TheEmptyPatternAcceptsTheEmptyOrderAlone) {
  EXPECT_TRUE(A("").Accepts({}));
  EXPECT_FALSE(A("").Accepts({"A"}));
  EXPECT_EQ(Words(A("")), "-");
}

TEST(Automaton, SequencesAndAlternatives) {
  EXPECT_EQ(Words(A("A B C")), "ABC");
  EXPECT_EQ(Words(A("(A | B) C | D")), "D AC BC");
  EXPECT_EQ(Words(A("A | () | A")), "- A");
}

TEST(Automaton, Repetitions) {
  EXPECT_EQ(Words(A("A{3}")), "AAA");
  EXPECT_EQ(Words(A("A{1,3} B")), "AB AAB AAAB");
  EXPECT_EQ(Words(A("A? B?")), "- A B AB");
  EXPECT_EQ(Words(A("(A B)+"), 3), "AB ABAB ABABAB");
  EXPECT_EQ(Words(A("(A B)*"), 3), "- AB ABAB");
  EXPECT_EQ(Words(A("A{2,}"), 2), "AA AAA");
  EXPECT_EQ(Words(A("A{0}")), "-");
}

TEST(Automaton, ALoopDoesNotLeakIntoItsNeighbours) {
  EXPECT_FALSE(A("A* | B").Accepts(O("AB")));
  EXPECT_FALSE(A("A* | B").Accepts(O("BA")));
  EXPECT_FALSE(A("(A+ | B) C").Accepts(O("BAC")));
  EXPECT_FALSE(A("(A* B*){1}").Accepts(O("ABA")));
  EXPECT_TRUE(A("(A* B*)*").Accepts(O("ABAABB")));
  EXPECT_TRUE(A("(()*)* A").Accepts(O("A")));
}

TEST(Automaton, InterleavingKeepsTheOrderOfEachSide) {
  EXPECT_EQ(Words(A("A & B")), "AB BA");
  EXPECT_EQ(Words(A("A B & C")), "ABC ACB CAB");
  EXPECT_EQ(A("A B C & D E F").CountOrders(1000), 20u);
  EXPECT_EQ(A("A & B & C & D").CountOrders(1000), 24u);
  EXPECT_EQ(Words(A("A & A B")), "AAB ABA");
  EXPECT_EQ(Words(A("(A | B) & C?")), "A B AC BC CA CB");
  EXPECT_EQ(Words(A("(A & B) C")), "ABC BAC");
}

TEST(Automaton, WildcardsTakeLabelsThatThePatternDoesNotName) {
  EXPECT_TRUE(A("A _ B").Accepts({"A", "anything", "B"}));
  EXPECT_FALSE(A("A _ B").Accepts({"A", "B"}));
  EXPECT_TRUE(A("... A").Accepts(O("XAYA")));
  EXPECT_FALSE(A("... A").Accepts(O("XAYAX")));
  EXPECT_TRUE(A("A & ...").Accepts(O("XYA")));
  EXPECT_FALSE(A("A & ...").Accepts(O("XY")));
  EXPECT_EQ(Words(A("A _")), "AA A_");
}

TEST(Automaton, OrdersComeShortestFirstThenByLabelAndOnce) {
  const Automaton trie = Automaton::FromOrders({O("BA"), O("AB"), O("C"), {}, O("AB")});
  EXPECT_EQ(Words(trie), "- C AB BA");
  EXPECT_EQ(trie.CountOrders(100), 4u);
  EXPECT_EQ(trie.CountOrders(3), 3u);
  EXPECT_EQ(Words(trie, 2), "- C");
  EXPECT_TRUE(trie.Accepts(O("BA")));
  EXPECT_FALSE(trie.Accepts(O("B")));
  EXPECT_EQ(trie.size(), 6);
}

TEST(Automaton, EndlessSetsAreCountedToTheLimit) {
  EXPECT_EQ(A("A*").CountOrders(7), 7u);
  EXPECT_EQ(A("...").CountOrders(7), 7u);
  EXPECT_EQ(A("...").Enumerate(50).size(), 50u);
  // A loop from which nothing is accepted does not make the set endless.
  Automaton automaton;
  const int trap = automaton.AddState();
  automaton.AddEdge(0, {Automaton::EdgeKind::kLabel, automaton.Intern("A"), trap});
  automaton.AddEdge(trap, {Automaton::EdgeKind::kLabel, automaton.Intern("A"), trap});
  automaton.SetAccepting(0);
  EXPECT_EQ(automaton.CountOrders(7), 1u);
  EXPECT_EQ(Words(automaton), "-");
}

TEST(Automaton, ListingAFewOfManyOrdersIsQuick) {
  const Automaton many = A("A & B & C & D & E & F & G & H & I & J & K & L");
  EXPECT_EQ(many.Enumerate(3).back(), O("ABCDEFGHIKJL"));
  EXPECT_EQ(many.CountOrders(1'000'000'000), 479'001'600u);
}

TEST(Automaton, LengthsWithGapsAreListed) {
  EXPECT_EQ(A("(A{7} | B{3})*").Enumerate(4), (std::vector<Order>{{}, Order(3, "B"), Order(6, "B"), Order(7, "A")}));
}

TEST(Automaton, AHundredThousandTicksAreNoTrouble) {
  const std::clock_t start = std::clock();
  const Automaton ticks = A("T{100000} A");
  EXPECT_EQ(ticks.size(), 100'002);
  Order order(100'000, "T");
  EXPECT_FALSE(ticks.Accepts(order));
  order.push_back("A");
  EXPECT_TRUE(ticks.Accepts(order));
  order.insert(order.begin(), "T");
  EXPECT_FALSE(ticks.Accepts(order));
  EXPECT_EQ(ticks.CountOrders(10), 1u);
  EXPECT_EQ(ticks.Enumerate(10).size(), 1u);
  EXPECT_EQ(A("T{0,100000}").CountOrders(1'000'000), 100'001u);
  EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC) << "processor time, so that a busy machine does not matter";
}

}  // namespace automaton_test
}  // namespace conform
