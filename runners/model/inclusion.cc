// Includes: a breadth-first search through pairs of states of the two deterministic views, and how often each counted
// label has occurred. Breadth first makes the counter-example a shortest one.
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runners/model/automaton.h"
#include "runners/model/counters.h"
#include "runners/model/determiniser.h"

namespace conform {
namespace {

// The sets of the two views together may hold this many states for each pair that may be visited.
constexpr size_t kMembersPerState = 16;

Alphabet JointAlphabet(const Automaton& a, const Automaton& b, const std::map<std::string, int64_t>& counts) {
  std::vector<std::string> labels = a.labels();
  labels.insert(labels.end(), b.labels().begin(), b.labels().end());
  for (const auto& [label, count] : counts) labels.push_back(label);
  return Alphabet(std::move(labels));
}

class Search {
 public:
  Search(const Automaton& a, const Automaton& b, const std::map<std::string, int64_t>& counts, size_t max_states)
      : alphabet_(JointAlphabet(a, b, counts)),
        a_(a, alphabet_, max_states * kMembersPerState),
        b_(b, alphabet_, max_states * kMembersPerState),
        counters_(counts, alphabet_),
        remaining_(a, counts),
        counted_(counters_.Symbols()),
        max_states_(max_states) {}

  Inclusion Run() {
    if (a_.start() == Determiniser::kDead) return {.counter_example = {}, .truncated = a_.exhausted()};
    Visit({a_.start(), b_.start(), counters_.Zero()}, kNoParent, 0);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (Exhausted()) return {.counter_example = {}, .truncated = true};
      const Triple at = nodes_[i].at;
      const bool in_b = at.b != Determiniser::kDead && b_.Accepting(at.b);
      if (a_.Accepting(at.a) && !in_b && counters_.Full(at.counters)) return {PathTo(i), Truncated()};
      // What already waits is still looked at beyond the limit: an order found there is a proof nevertheless.
      if (nodes_.size() <= max_states_) Expand(i, at);
    }
    return {.counter_example = {}, .truncated = Truncated()};
  }

 private:
  static constexpr size_t kNoParent = SIZE_MAX;
  struct Triple {
    int a, b, counters;
    bool operator==(const Triple&) const = default;
  };
  struct TripleHash {
    size_t operator()(const Triple& triple) const {
      uint64_t hash = 0;
      for (int part : {triple.a, triple.b, triple.counters}) {
        hash = (hash + static_cast<uint32_t>(part) + 1) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };
  struct Node {
    Triple at;
    size_t parent;
    int symbol;
  };

  bool Exhausted() const { return a_.exhausted() || b_.exhausted(); }
  bool Truncated() const { return Exhausted() || nodes_.size() > max_states_; }

  void Expand(size_t from, const Triple& at) {
    const Determiniser::Moves& moves = a_.MovesOf(at.a);
    if (moves.otherwise == Determiniser::kDead) {
      for (const auto& [symbol, to] : moves.by_label) Go(from, at, symbol, to);
      return;
    }
    // Any label may follow. Only those that a side or a counter tells apart have to be tried, and a fresh one for the
    // rest.
    std::vector<int> symbols = counted_;
    for (const auto& move : moves.by_label) symbols.push_back(move.first);
    if (at.b != Determiniser::kDead) {
      for (const auto& move : b_.MovesOf(at.b).by_label) symbols.push_back(move.first);
    }
    symbols.push_back(alphabet_.fresh());
    std::sort(symbols.begin(), symbols.end());
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    for (int symbol : symbols) Go(from, at, symbol, moves.To(symbol));
  }

  void Go(size_t from, const Triple& at, int symbol, int to_a) {
    if (to_a == Determiniser::kDead) return;
    const auto counters = counters_.After(at.counters, symbol);
    if (!counters) return;
    const int to_b = at.b == Determiniser::kDead ? Determiniser::kDead : b_.MovesOf(at.b).To(symbol);
    Visit({to_a, to_b, *counters}, from, symbol);
  }

  void Visit(const Triple& at, size_t parent, int symbol) {
    // Where the second side takes everything from here on, no counter-example follows; nor where the counts cannot come
    // out right any more.
    if (at.b != Determiniser::kDead && b_.Universal(at.b)) return;
    if (!seen_.insert(at).second) return;
    if (!remaining_.MayComeOut(a_.Members(at.a), counters_, at.counters)) return;
    nodes_.push_back({at, parent, symbol});
  }

  Order PathTo(size_t node) const {
    Order order;
    for (; nodes_[node].parent != kNoParent; node = nodes_[node].parent) {
      order.push_back(alphabet_.Name(nodes_[node].symbol));
    }
    return Order(order.rbegin(), order.rend());
  }

  const Alphabet alphabet_;
  Determiniser a_, b_;
  Counters counters_;
  const RemainingOccurrences remaining_;
  const std::vector<int> counted_;
  const size_t max_states_;
  std::unordered_set<Triple, TripleHash> seen_;
  std::vector<Node> nodes_;
};

}  // namespace

Inclusion Includes(const Automaton& a, const Automaton& b, const std::map<std::string, int64_t>& counts,
                   size_t max_states) {
  return Search(a, b, counts, max_states).Run();
}

}  // namespace conform
