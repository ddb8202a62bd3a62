// Sets of orders as automata: what a pattern describes, and what exploring found.
#ifndef CONFORM_RUNNERS_MODEL_AUTOMATON_H_
#define CONFORM_RUNNERS_MODEL_AUTOMATON_H_

#include <cstddef>
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
  class Edges;

  Automaton();
  static Automaton FromPattern(const Pattern& pattern);
  static Automaton FromOrders(const std::vector<Order>& orders);

  // Building, for the explorer.
  void Reserve(size_t states, size_t edges);  // how many there will be
  int AddState();
  int Intern(const std::string& label);
  void AddEdge(int from, Edge edge);
  void SetAccepting(int state);

  const std::vector<std::string>& labels() const { return labels_; }
  // In the order in which they were added. They stay as they are until the next is.
  Edges edges(int state) const;
  bool accepting(int state) const { return states_[static_cast<size_t>(state)].accepting; }
  int size() const { return static_cast<int>(states_.size()); }
  // Built in the same way. Two that are not equal may accept the same orders.
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
  static constexpr int kNoLink = -1;
  struct State {
    int first = kNoLink;  // of its edges
    int last = kNoLink;
    bool accepting = false;
    bool operator==(const State&) const = default;
  };
  // Edges of all states are in one piece of memory: there are many states, with one edge or two.
  struct Link {
    Edge edge;
    int next;  // of the same state
    bool operator==(const Link&) const = default;
  };

  std::vector<State> states_;
  std::vector<Link> links_;
};

// The edges of one state, to be iterated over.
class Automaton::Edges {
 public:
  class Iterator {
   public:
    Iterator(const std::vector<Link>* links, int at) : links_(links), at_(at) {}
    const Edge& operator*() const { return (*links_)[static_cast<size_t>(at_)].edge; }
    const Edge* operator->() const { return &**this; }
    Iterator& operator++() {
      at_ = (*links_)[static_cast<size_t>(at_)].next;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const std::vector<Link>* links_;
    int at_;
  };

  Edges(const std::vector<Link>& links, int first) : links_(&links), first_(first) {}
  Iterator begin() const { return {links_, first_}; }
  Iterator end() const { return {links_, kNoLink}; }

 private:
  const std::vector<Link>* links_;
  int first_;
};

inline Automaton::Edges Automaton::edges(int state) const {
  return {links_, states_[static_cast<size_t>(state)].first};
}

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
