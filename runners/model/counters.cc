#include "runners/model/counters.h"

#include "runners/base/check.h"
#include "runners/model/path_weights.h"

namespace conform {
namespace {

// Pruning is an aid, not a duty: beyond this many bounds it costs more memory than it saves.
constexpr size_t kMaxBounds = 20'000'000;

}  // namespace

Counters::Counters(const std::map<std::string, int64_t>& counts, const Alphabet& alphabet) {
  uint64_t room = 0;
  uint64_t unit = 1;
  for (const auto& [label, count] : counts) {
    CONFORM_CHECK(count >= 0);
    const uint64_t radix = static_cast<uint64_t>(count) + 1;
    if (room < radix) {
      full_.push_back(0);
      room = UINT64_MAX;
      unit = 1;
    }
    by_symbol_[alphabet.Find(label)] = digits_.size();
    digits_.push_back({alphabet.Find(label), full_.size() - 1, unit, radix});
    full_.back() += unit * static_cast<uint64_t>(count);
    unit *= radix;
    room /= radix;
  }
  CONFORM_CHECK(Named(Words(full_.size(), 0)) == Zero());
}

std::vector<int> Counters::Symbols() const {
  std::vector<int> symbols;
  for (const Digit& digit : digits_) symbols.push_back(digit.symbol);
  return symbols;
}

std::optional<int> Counters::After(int values, int symbol) {
  const auto index = by_symbol_.find(symbol);
  if (index == by_symbol_.end()) return values;
  const Digit& digit = digits_[index->second];
  Words words = *values_[values];
  if (Read(words, digit) + 1 == digit.radix) return std::nullopt;
  words[digit.word] += digit.unit;
  return Named(std::move(words));
}

int64_t Counters::Missing(int values, size_t index) const {
  return static_cast<int64_t>(digits_[index].radix - 1 - Read(*values_[values], digits_[index]));
}

int Counters::Named(Words words) {
  const auto [it, is_new] = names_.try_emplace(std::move(words), static_cast<int>(values_.size()));
  if (is_new) values_.push_back(&it->first);
  return it->second;
}

size_t Counters::Hash::operator()(const Words& words) const {
  uint64_t hash = words.size();
  for (uint64_t word : words) {
    hash = (hash + word + 1) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

RemainingOccurrences::RemainingOccurrences(const Automaton& automaton, const std::map<std::string, int64_t>& counts) {
  if (static_cast<size_t>(automaton.size()) * counts.size() > kMaxBounds) return;
  for (const auto& entry : counts) {
    const std::string& label = entry.first;  // clang 14 has no bindings in lambdas
    // An edge for any label may read this one, and need not.
    const auto weight = [&](const Automaton::Edge& edge, int64_t of_any) -> int64_t {
      switch (edge.kind) {
        case Automaton::EdgeKind::kEpsilon:
          return 0;
        case Automaton::EdgeKind::kLabel:
          return automaton.labels()[edge.label] == label ? 1 : 0;
        case Automaton::EdgeKind::kAnyLabel:
          return of_any;
      }
      CONFORM_CHECK(false);
    };
    Bounds bounds;
    bounds.least = LeastWeights(automaton, [&](const Automaton::Edge& edge) { return weight(edge, 0); });
    bounds.greatest = GreatestWeights(
        automaton, [&](const Automaton::Edge& edge) { return weight(edge, 1); }, bounds.least);
    bounds_.push_back(std::move(bounds));
  }
}

bool RemainingOccurrences::MayComeOut(std::span<const int> members, const Counters& counters, int values) const {
  for (int member : members) {
    bool possible = true;
    for (size_t i = 0; i < bounds_.size() && possible; ++i) {
      const int64_t missing = counters.Missing(values, i);
      possible = bounds_[i].least[member] <= missing && missing <= bounds_[i].greatest[member];
    }
    if (possible) return true;
  }
  return false;
}

}  // namespace conform
