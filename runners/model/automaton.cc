#include "runners/model/automaton.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "runners/base/check.h"
#include "runners/model/determiniser.h"

namespace conform {
namespace {

using Kind = PatternNode::Kind;
using EdgeKind = Automaton::EdgeKind;

// How much the deterministic view may grow while orders are counted or listed: some hundred megabytes.
constexpr size_t kMaxMembers = 50'000'000;

// Builds the automaton of a pattern by threading: Build(node, from) adds what leads from `from` through `node`, and
// returns the state where that ends. It adds no edge into `from`, so that alternatives may share it; a loop therefore
// starts with its own state.
class PatternBuilder {
 public:
  explicit PatternBuilder(Automaton& automaton) : automaton_(automaton) {}

  int Build(const PatternNode& node, int from) {
    switch (node.kind) {
      case Kind::kEmpty:
        return from;
      case Kind::kLabel:
        return Step(from, {EdgeKind::kLabel, automaton_.Intern(node.label), 0});
      case Kind::kAnyLabel:
        return Step(from, {EdgeKind::kAnyLabel, 0, 0});
      case Kind::kAnything: {
        const int loop = Step(from, {EdgeKind::kEpsilon, 0, 0});
        automaton_.AddEdge(loop, {EdgeKind::kAnyLabel, 0, loop});
        return loop;
      }
      case Kind::kSequence: {
        int end = from;
        for (const PatternNode& child : node.children) end = Build(child, end);
        return end;
      }
      case Kind::kAlternatives: {
        const int end = automaton_.AddState();
        for (const PatternNode& child : node.children) Skip(Build(child, from), end);
        return end;
      }
      case Kind::kInterleaving:
        return Interleave(node.children[0], node.children[1], from);
      case Kind::kRepetition:
        return Repeat(node, from);
    }
    CONFORM_CHECK(false);
  }

 private:
  int Step(int from, Automaton::Edge edge) {
    edge.to = automaton_.AddState();
    automaton_.AddEdge(from, edge);
    return edge.to;
  }
  void Skip(int from, int to) { automaton_.AddEdge(from, {EdgeKind::kEpsilon, 0, to}); }

  int Repeat(const PatternNode& node, int from) {
    const PatternNode& body = node.children[0];
    if (node.most) {
      int end = from;
      for (int64_t i = 0; i < node.least; ++i) end = Build(body, end);
      if (*node.most == node.least) return end;
      const int out = automaton_.AddState();
      for (int64_t i = node.least; i < *node.most; ++i) {
        Skip(end, out);
        end = Build(body, end);
      }
      Skip(end, out);
      return out;
    }
    int before = from;
    for (int64_t i = 1; i < node.least; ++i) before = Build(body, before);
    const int loop = Step(before, {EdgeKind::kEpsilon, 0, 0});
    const int end = Build(body, loop);
    if (end != loop) Skip(end, loop);
    return node.least == 0 ? loop : end;
  }

  // The product of the two sides: each step is one of the left or one of the right.
  int Interleave(const PatternNode& left_node, const PatternNode& right_node, int from) {
    Automaton left, right;
    const int left_end = PatternBuilder(left).Build(left_node, 0);
    const int right_end = PatternBuilder(right).Build(right_node, 0);
    std::unordered_map<int64_t, int> states{{0, from}};
    std::vector<int64_t> todo{0};
    const auto key = [&](int l, int r) { return static_cast<int64_t>(l) * right.size() + r; };
    const auto state_of = [&](int l, int r) {
      const auto [it, is_new] = states.try_emplace(key(l, r), 0);
      if (is_new) {
        it->second = automaton_.AddState();
        todo.push_back(it->first);
      }
      return it->second;
    };
    while (!todo.empty()) {
      const int l = static_cast<int>(todo.back() / right.size());
      const int r = static_cast<int>(todo.back() % right.size());
      const int here = states.at(todo.back());
      todo.pop_back();
      for (const Automaton::Edge& edge : left.edges(l)) Copy(left, edge, here, state_of(edge.to, r));
      for (const Automaton::Edge& edge : right.edges(r)) Copy(right, edge, here, state_of(l, edge.to));
    }
    return states.at(key(left_end, right_end));
  }

  void Copy(const Automaton& source, Automaton::Edge edge, int from, int to) {
    if (edge.kind == EdgeKind::kLabel) edge.label = automaton_.Intern(source.labels()[edge.label]);
    edge.to = to;
    automaton_.AddEdge(from, edge);
  }

  Automaton& automaton_;
};

// Where each symbol leads from `state`, by alphabetical order of the symbols, the fresh label last.
std::vector<std::pair<int, int>> Successors(Determiniser& view, const Alphabet& alphabet, int state) {
  const Determiniser::Moves& moves = view.MovesOf(state);
  if (moves.otherwise == Determiniser::kDead) return moves.by_label;
  std::vector<std::pair<int, int>> all;
  for (int symbol = 0; symbol <= alphabet.fresh(); ++symbol) all.push_back({symbol, moves.To(symbol)});
  return all;
}

// Lists the orders of one exact length after the other. The lengths that a state can still accept prune the search, and
// a pair of state and length that led nowhere is not tried again.
class Enumeration {
 public:
  Enumeration(const Automaton& automaton, size_t limit)
      : alphabet_(automaton.labels()), view_(automaton, alphabet_, kMaxMembers), limit_(limit) {}

  std::vector<Order> Run() {
    if (view_.start() == Determiniser::kDead) return {};
    const int64_t longest = view_.Longest(view_.start());
    for (int64_t length = view_.Shortest(view_.start()); length <= longest && !Done(); ++length) OfLength(length);
    return std::move(found_);
  }

 private:
  struct Visit {
    std::vector<std::pair<int, int>> successors;
    size_t next = 0;
    int state;
    size_t found_before;
  };

  bool Done() const { return found_.size() >= limit_ || view_.exhausted(); }

  bool MayAccept(int state, int64_t length) const {
    return state != Determiniser::kDead && view_.Shortest(state) <= length && length <= view_.Longest(state) &&
           !fruitless_.contains({state, length});
  }

  void OfLength(int64_t length) {
    std::vector<Visit> visits;
    Order order;
    const auto enter = [&](int state) {
      if (static_cast<int64_t>(order.size()) == length) {
        if (view_.Accepting(state)) found_.push_back(order);
        return false;
      }
      visits.push_back({Successors(view_, alphabet_, state), 0, state, found_.size()});
      return true;
    };
    enter(view_.start());
    while (!visits.empty() && !Done()) {
      Visit& visit = visits.back();
      if (visit.next == visit.successors.size()) {
        const int64_t rest = length - static_cast<int64_t>(order.size());
        if (found_.size() == visit.found_before) fruitless_.insert({visit.state, rest});
        visits.pop_back();
        if (!order.empty()) order.pop_back();
        continue;
      }
      const auto [symbol, to] = visit.successors[visit.next++];
      if (!MayAccept(to, length - static_cast<int64_t>(order.size()) - 1)) continue;
      order.push_back(alphabet_.Name(symbol));
      if (!enter(to)) order.pop_back();
    }
  }

  Alphabet alphabet_;
  Determiniser view_;
  size_t limit_;
  std::vector<Order> found_;
  std::set<std::pair<int, int64_t>> fruitless_;
};

}  // namespace

Automaton::Automaton() { AddState(); }

Automaton Automaton::FromPattern(const Pattern& pattern) {
  Automaton automaton;
  automaton.SetAccepting(PatternBuilder(automaton).Build(pattern.root, 0));
  return automaton;
}

Automaton Automaton::FromOrders(const std::vector<Order>& orders) {
  Automaton automaton;
  std::map<std::pair<int, int>, int> children;
  for (const Order& order : orders) {
    int state = 0;
    for (const std::string& name : order) {
      const int label = automaton.Intern(name);
      const auto [it, is_new] = children.try_emplace({state, label}, 0);
      if (is_new) {
        it->second = automaton.AddState();
        automaton.AddEdge(state, {EdgeKind::kLabel, label, it->second});
      }
      state = it->second;
    }
    automaton.SetAccepting(state);
  }
  return automaton;
}

void Automaton::Reserve(size_t states, size_t edges) {
  states_.reserve(states);
  links_.reserve(edges);
}

int Automaton::AddState() {
  states_.emplace_back();
  return size() - 1;
}

int Automaton::Intern(const std::string& label) {
  const auto [it, is_new] = label_index_.try_emplace(label, static_cast<int>(labels_.size()));
  if (is_new) labels_.push_back(label);
  return it->second;
}

void Automaton::AddEdge(int from, Edge edge) {
  CONFORM_CHECK(from >= 0 && from < size() && edge.to >= 0 && edge.to < size());
  State& state = states_[static_cast<size_t>(from)];
  const int link = static_cast<int>(links_.size());
  (state.last == kNoLink ? state.first : links_[static_cast<size_t>(state.last)].next) = link;
  state.last = link;
  links_.push_back({edge, kNoLink});
}

void Automaton::SetAccepting(int state) {
  CONFORM_CHECK(state >= 0 && state < size());
  states_[static_cast<size_t>(state)].accepting = true;
}

bool Automaton::Accepts(const Order& order) const {
  std::vector<size_t> mark(states_.size(), 0);
  size_t round = 0;
  std::vector<int> current{0}, next;
  // Adds to `current` what follows from it without a label.
  const auto close = [&] {
    ++round;
    for (int state : current) mark[state] = round;
    for (size_t i = 0; i < current.size(); ++i) {
      for (const Edge& edge : edges(current[i])) {
        if (edge.kind != EdgeKind::kEpsilon || mark[edge.to] == round) continue;
        mark[edge.to] = round;
        current.push_back(edge.to);
      }
    }
  };
  close();
  for (const std::string& name : order) {
    const auto known = label_index_.find(name);
    const int label = known == label_index_.end() ? -1 : known->second;
    next.clear();
    ++round;
    for (int state : current) {
      for (const Edge& edge : edges(state)) {
        const bool fits = edge.kind == EdgeKind::kAnyLabel || (edge.kind == EdgeKind::kLabel && edge.label == label);
        if (!fits || mark[edge.to] == round) continue;
        mark[edge.to] = round;
        next.push_back(edge.to);
      }
    }
    current.swap(next);
    if (current.empty()) return false;
    close();
  }
  return std::any_of(current.begin(), current.end(), [&](int state) { return accepting(state); });
}

std::vector<Order> Automaton::Enumerate(size_t limit) const { return Enumeration(*this, limit).Run(); }

size_t Automaton::CountOrders(size_t limit) const {
  const Alphabet alphabet(labels_);
  Determiniser view(*this, alphabet, kMaxMembers);
  if (view.start() == Determiniser::kDead || limit == 0) return 0;
  if (view.Longest(view.start()) == kEndless) return limit;
  // Without endless orders the deterministic view has no cycle: count each state after its successors.
  struct Visit {
    std::vector<std::pair<int, int>> successors;
    size_t next = 0;
    int state;
  };
  std::unordered_map<int, size_t> counts;
  std::vector<Visit> visits{{Successors(view, alphabet, view.start()), 0, view.start()}};
  while (!visits.empty()) {
    if (view.exhausted()) return limit;
    Visit& visit = visits.back();
    if (visit.next < visit.successors.size()) {
      const int to = visit.successors[visit.next++].second;
      if (to != Determiniser::kDead && !counts.contains(to)) visits.push_back({Successors(view, alphabet, to), 0, to});
      continue;
    }
    size_t count = view.Accepting(visit.state) ? 1 : 0;
    for (const auto& [symbol, to] : visit.successors) {
      if (to != Determiniser::kDead) count += std::min(limit - std::min(limit, count), counts.at(to));
    }
    counts[visit.state] = std::min(count, limit);
    visits.pop_back();
  }
  return counts.at(view.start());
}

}  // namespace conform
