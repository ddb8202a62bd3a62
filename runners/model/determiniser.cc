#include "runners/model/determiniser.h"

#include <algorithm>

#include "runners/model/path_weights.h"

namespace conform {
namespace {

using EdgeKind = Automaton::EdgeKind;

const std::string kFreshName = "_";

}  // namespace

Alphabet::Alphabet(std::vector<std::string> labels) : labels_(std::move(labels)) {
  std::sort(labels_.begin(), labels_.end());
  labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
}

int Alphabet::Find(const std::string& label) const {
  const auto it = std::lower_bound(labels_.begin(), labels_.end(), label);
  return it != labels_.end() && *it == label ? static_cast<int>(it - labels_.begin()) : fresh();
}

const std::string& Alphabet::Name(int symbol) const { return symbol == fresh() ? kFreshName : labels_[symbol]; }

int Determiniser::Moves::To(int symbol) const {
  const auto it = std::lower_bound(by_label.begin(), by_label.end(), std::pair(symbol, kDead));
  return it != by_label.end() && it->first == symbol ? it->second : otherwise;
}

size_t Determiniser::SetHash::operator()(const Set& set) const {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int member : set) {
    hash = (hash ^ static_cast<uint64_t>(member)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

Determiniser::Determiniser(const Automaton& automaton, const Alphabet& alphabet, size_t max_members)
    : automaton_(automaton), max_members_(max_members), mark_(automaton.size(), 0) {
  for (const std::string& label : automaton.labels()) {
    symbol_of_label_.push_back(alphabet.Find(label));
    CONFORM_CHECK(symbol_of_label_.back() != alphabet.fresh());
  }
  shortest_ = LeastWeights(automaton, LengthOf);
  longest_ = GreatestWeights(automaton, LengthOf, shortest_);
  start_ = Closed({0});
}

// The state that stands for `seeds` and all that follows from them without a label.
int Determiniser::Closed(Set seeds) {
  ++round_;
  Set set;
  while (!seeds.empty()) {
    const int state = seeds.back();
    seeds.pop_back();
    if (mark_[state] == round_ || shortest_[state] == kNoWay) continue;
    mark_[state] = round_;
    set.push_back(state);
    for (const Automaton::Edge& edge : automaton_.edges(state)) {
      if (edge.kind == EdgeKind::kEpsilon) seeds.push_back(edge.to);
    }
  }
  std::sort(set.begin(), set.end());
  return Named(std::move(set));
}

int Determiniser::Named(Set set) {
  if (set.empty()) return kDead;
  if (const auto it = ids_.find(set); it != ids_.end()) return it->second;
  if (members_ + set.size() > max_members_) {
    exhausted_ = true;
    return kDead;
  }
  members_ += set.size();
  State state{.members = nullptr, .shortest = kEndless, .moves = nullptr};
  for (int member : set) {
    state.accepting = state.accepting || automaton_.accepting(member);
    state.shortest = std::min(state.shortest, shortest_[member]);
    state.longest = std::max(state.longest, longest_[member]);
  }
  const int id = static_cast<int>(states_.size());
  state.members = &ids_.emplace(std::move(set), id).first->first;
  states_.push_back(std::move(state));
  return id;
}

const Determiniser::Moves& Determiniser::MovesOf(int state) {
  if (states_[state].moves != nullptr) return *states_[state].moves;
  std::map<int, Set> by_symbol;
  Set any;
  for (int member : *states_[state].members) {
    for (const Automaton::Edge& edge : automaton_.edges(member)) {
      switch (edge.kind) {
        case EdgeKind::kEpsilon:
          break;
        case EdgeKind::kLabel:
          by_symbol[symbol_of_label_[edge.label]].push_back(edge.to);
          break;
        case EdgeKind::kAnyLabel:
          any.push_back(edge.to);
          break;
      }
    }
  }
  auto moves = std::make_unique<Moves>();
  for (auto& [symbol, seeds] : by_symbol) {
    seeds.insert(seeds.end(), any.begin(), any.end());
    moves->by_label.push_back({symbol, Closed(std::move(seeds))});
  }
  moves->otherwise = Closed(std::move(any));
  states_[state].moves = std::move(moves);
  return *states_[state].moves;
}

bool Determiniser::Universal(int state) {
  if (!Accepting(state)) return false;
  const Moves& moves = MovesOf(state);
  return moves.otherwise == state && std::all_of(moves.by_label.begin(), moves.by_label.end(),
                                                 [&](const auto& move) { return move.second == state; });
}

}  // namespace conform
