#include "runners/model/path_weights.h"

#include <algorithm>
#include <numeric>

namespace conform {
namespace {

// States that can reach each other (Tarjan's components) share their greatest weight: it is endless where a way inside
// the component weighs something. Only states with a way to acceptance take part.
class Components {
 public:
  Components(const Automaton& automaton, const EdgeWeight& weight, const std::vector<int64_t>& least)
      : automaton_(automaton),
        weight_(weight),
        least_(least),
        index_(automaton.size(), kUnseen),
        low_(automaton.size(), 0),
        component_(automaton.size(), kUnseen),
        greatest_(automaton.size(), 0) {}

  std::vector<int64_t> GreatestWeights() {
    for (int state = 0; state < automaton_.size(); ++state) {
      if (least_[state] != kNoWay && index_[state] == kUnseen) Search(state);
    }
    return std::move(greatest_);
  }

 private:
  static constexpr int kUnseen = -1;
  struct Visit {
    int state;
    Automaton::Edges::Iterator next_edge;
  };

  // Depth first with a stack of its own: a pattern such as T{100000} is deeper than the machine's.
  void Search(int root) {
    std::vector<Visit> visits;
    Enter(root, visits);
    while (!visits.empty()) {
      const int state = visits.back().state;
      Automaton::Edges::Iterator& next_edge = visits.back().next_edge;
      if (next_edge == automaton_.edges(state).end()) {
        visits.pop_back();
        if (!visits.empty()) low_[visits.back().state] = std::min(low_[visits.back().state], low_[state]);
        if (low_[state] == index_[state]) Close(state);
        continue;
      }
      const int to = next_edge->to;
      ++next_edge;
      if (least_[to] == kNoWay) continue;
      if (index_[to] == kUnseen) {
        Enter(to, visits);
      } else if (component_[to] == kUnseen) {
        low_[state] = std::min(low_[state], index_[to]);
      }
    }
  }

  void Enter(int state, std::vector<Visit>& visits) {
    index_[state] = low_[state] = counter_++;
    open_.push_back(state);
    visits.push_back({state, automaton_.edges(state).begin()});
  }

  // A component is complete, and everything that it leads to is already known.
  void Close(int root) {
    const auto first = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    for (auto it = first; it != open_.end(); ++it) component_[*it] = root;
    int64_t greatest = 0;
    for (auto it = first; it != open_.end(); ++it) {
      for (const Automaton::Edge& edge : automaton_.edges(*it)) {
        if (least_[edge.to] != kNoWay) greatest = std::max(greatest, Through(edge, component_[edge.to] == root));
      }
    }
    for (auto it = first; it != open_.end(); ++it) greatest_[*it] = greatest;
    open_.erase(first, open_.end());
  }

  int64_t Through(const Automaton::Edge& edge, bool inside) const {
    if (inside) return weight_(edge) > 0 ? kEndless : 0;
    return greatest_[edge.to] == kEndless ? kEndless : greatest_[edge.to] + weight_(edge);
  }

  const Automaton& automaton_;
  const EdgeWeight& weight_;
  const std::vector<int64_t>& least_;
  std::vector<int> index_, low_, component_;
  std::vector<int64_t> greatest_;
  std::vector<int> open_;
  int counter_ = 0;
};

}  // namespace

int64_t LengthOf(const Automaton::Edge& edge) { return edge.kind == Automaton::EdgeKind::kEpsilon ? 0 : 1; }

// Backwards from the accepting states, one weight after the other: with weights of 0 and 1, two stacks replace a heap.
std::vector<int64_t> LeastWeights(const Automaton& automaton, const EdgeWeight& weight) {
  // The edges into each state, all in one piece: those into `to` are from first_into[to] on.
  struct Backwards {
    int from;
    int64_t weight;
  };
  std::vector<size_t> first_into(static_cast<size_t>(automaton.size()) + 2, 0);
  for (int state = 0; state < automaton.size(); ++state) {
    for (const Automaton::Edge& edge : automaton.edges(state)) ++first_into[edge.to + 2];
  }
  std::partial_sum(first_into.begin(), first_into.end(), first_into.begin());
  std::vector<Backwards> edges(first_into.back());
  std::vector<int64_t> least(automaton.size(), kNoWay);
  std::vector<int> now;
  for (int state = 0; state < automaton.size(); ++state) {
    // Until all are in place, first_into[to + 1] is where the next one goes.
    for (const Automaton::Edge& edge : automaton.edges(state)) {
      edges[first_into[edge.to + 1]++] = {state, weight(edge)};
    }
    if (automaton.accepting(state)) now.push_back(state);
  }
  std::vector<int> next;
  for (int64_t total = 0; !now.empty(); ++total) {
    while (!now.empty()) {
      const int state = now.back();
      now.pop_back();
      if (least[state] != kNoWay) continue;
      least[state] = total;
      for (size_t i = first_into[state]; i < first_into[state + 1]; ++i) {
        if (least[edges[i].from] == kNoWay) (edges[i].weight == 0 ? now : next).push_back(edges[i].from);
      }
    }
    now.swap(next);
  }
  return least;
}

std::vector<int64_t> GreatestWeights(const Automaton& automaton, const EdgeWeight& weight,
                                     const std::vector<int64_t>& least) {
  return Components(automaton, weight, least).GreatestWeights();
}

}  // namespace conform
