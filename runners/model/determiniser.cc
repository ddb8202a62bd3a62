#include "runners/model/determiniser.h"

#include <algorithm>

#include "runners/model/path_weights.h"

namespace conform {
namespace {

using EdgeKind = Automaton::EdgeKind;

const std::string kFreshName = "_";
constexpr size_t kFewSets = 64;

uint64_t HashOf(std::span<const int> set) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int member : set) {
    hash = (hash ^ static_cast<uint64_t>(member)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

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

Determiniser::Determiniser(const Automaton& automaton, const Alphabet& alphabet, size_t max_members)
    : automaton_(automaton), max_members_(max_members), mark_(automaton.size(), 0), table_(kFewSets, kDead) {
  for (const std::string& label : automaton.labels()) {
    symbol_of_label_.push_back(alphabet.Find(label));
    CONFORM_CHECK(symbol_of_label_.back() != alphabet.fresh());
  }
  shortest_ = LeastWeights(automaton, LengthOf);
  longest_ = GreatestWeights(automaton, LengthOf, shortest_);
  constexpr int kStart[] = {0};
  start_ = Closed(kStart);
}

// The state that stands for `seeds` and all that follows from them without a label.
int Determiniser::Closed(std::span<const int> seeds) {
  ++round_;
  set_.clear();
  seeds_.assign(seeds.begin(), seeds.end());
  while (!seeds_.empty()) {
    const int state = seeds_.back();
    seeds_.pop_back();
    if (mark_[state] == round_ || shortest_[state] == kNoWay) continue;
    mark_[state] = round_;
    set_.push_back(state);
    for (const Automaton::Edge& edge : automaton_.edges(state)) {
      if (edge.kind == EdgeKind::kEpsilon) seeds_.push_back(edge.to);
    }
  }
  std::sort(set_.begin(), set_.end());
  return Named(set_);
}

int Determiniser::Named(std::span<const int> set) {
  if (set.empty()) return kDead;
  if (states_.size() * 2 >= table_.size()) GrowTable();
  const uint64_t hash = HashOf(set);
  int& known = table_[PlaceOf(set, hash)];
  if (known != kDead) return known;
  if (members_.size() + set.size() > max_members_) {
    exhausted_ = true;
    return kDead;
  }
  State state{members_.size(), set.size(), hash};
  for (int member : set) {
    state.accepting = state.accepting || automaton_.accepting(member);
    state.shortest = std::min(state.shortest, shortest_[member]);
    state.longest = std::max(state.longest, longest_[member]);
  }
  members_.insert(members_.end(), set.begin(), set.end());
  known = static_cast<int>(states_.size());
  states_.push_back(std::move(state));
  return known;
}

size_t Determiniser::PlaceOf(std::span<const int> set, uint64_t hash) const {
  const size_t mask = table_.size() - 1;
  const auto is_it = [&](int id) {
    const std::span<const int> members = MembersOf(states_[id]);
    return states_[id].hash == hash && std::equal(members.begin(), members.end(), set.begin(), set.end());
  };
  size_t place = static_cast<size_t>(hash ^ (hash >> 32)) & mask;
  while (table_[place] != kDead && !is_it(table_[place])) place = (place + 1) & mask;
  return place;
}

void Determiniser::GrowTable() {
  table_.assign(table_.size() * 2, kDead);
  for (size_t id = 0; id < states_.size(); ++id) {
    table_[PlaceOf(MembersOf(states_[id]), states_[id].hash)] = static_cast<int>(id);
  }
}

const Determiniser::Moves& Determiniser::MovesOf(int state_number) {
  State& state = states_[state_number];
  if (state.has_moves) return state.moves;
  // What any label does, each label does too.
  steps_.clear();
  std::vector<int> any;
  for (int member : MembersOf(state)) {
    for (const Automaton::Edge& edge : automaton_.edges(member)) {
      switch (edge.kind) {
        case EdgeKind::kEpsilon:
          break;
        case EdgeKind::kLabel:
          steps_.emplace_back(symbol_of_label_[edge.label], edge.to);
          break;
        case EdgeKind::kAnyLabel:
          any.push_back(edge.to);
          break;
      }
    }
  }
  std::sort(steps_.begin(), steps_.end());
  std::vector<int> seeds;
  for (size_t i = 0; i < steps_.size();) {
    const int symbol = steps_[i].first;
    seeds = any;
    for (; i < steps_.size() && steps_[i].first == symbol; ++i) seeds.push_back(steps_[i].second);
    state.moves.by_label.push_back({symbol, Closed(seeds)});
  }
  state.moves.otherwise = Closed(any);
  state.has_moves = true;
  return state.moves;
}

bool Determiniser::Universal(int state) {
  if (!Accepting(state)) return false;
  const Moves& moves = MovesOf(state);
  return moves.otherwise == state && std::all_of(moves.by_label.begin(), moves.by_label.end(),
                                                 [&](const auto& move) { return move.second == state; });
}

}  // namespace conform
