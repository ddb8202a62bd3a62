// Sets of orders as automata: what a pattern describes, and what exploring found.
#ifndef CONFORM_RUNNERS_MODEL_AUTOMATON_H_
#define CONFORM_RUNNERS_MODEL_AUTOMATON_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/model/pattern.h"

namespace conform {

// A nondeterministic automaton over labels. State 0 is the start. Edges carry one label, nothing (epsilon), or any
// label.
class Automaton {
 public:
  enum class EdgeKind : uint8_t { kEpsilon, kLabel, kAnyLabel };
  struct Edge {
    EdgeKind kind;
    int label;  // index into labels(), for kLabel
    int to;
    bool operator==(const Edge&) const = default;
  };

  Automaton();
  static Automaton FromPattern(const Pattern& pattern);
  static Automaton FromOrders(const std::vector<Order>& orders);

  // Building, for the explorer.
  int AddState();
  int Intern(const std::string& label);
  void AddEdge(int from, Edge edge);
  void SetAccepting(int state);

  const std::vector<std::string>& labels() const { return labels_; }
  const std::vector<Edge>& edges(int state) const { return edges_[state]; }
  bool accepting(int state) const { return accepting_[state]; }
  int size() const { return static_cast<int>(edges_.size()); }
  // State by state. Two that are not equal may accept the same orders.
  bool operator==(const Automaton&) const = default;

  bool Accepts(const Order& order) const;

  // Up to `limit` distinct orders, shortest first, then in label order. REQUIRES: no label edge on a cycle, or the
  // limit cuts.
  std::vector<Order> Enumerate(size_t limit) const;

  // The number of distinct orders, counted up to `limit`.
  size_t CountOrders(size_t limit) const;

 private:
  std::vector<std::string> labels_;
  std::map<std::string, int> label_index_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<bool> accepting_;
};

// What comparing two sets found. `truncated`: a limit was hit, and nothing may be concluded from the absence of a
// witness.
struct Inclusion {
  std::optional<Order> counter_example;  // a shortest order of the first that is not in the second
  bool truncated = false;
};

// Is every order of `a`, whose label counts agree with `counts`, in `b`? Both sides may be infinite.
// `counts`: labels with a fixed number of occurrences; orders of `a` with other numbers are left out.
Inclusion Includes(const Automaton& a, const Automaton& b, const std::map<std::string, int64_t>& counts = {},
                   size_t max_states = 2'000'000);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_AUTOMATON_H_
