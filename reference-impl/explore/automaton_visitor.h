// Builds the automaton of all orders that a search finds; equal states are one state.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_AUTOMATON_VISITOR_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_AUTOMATON_VISITOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/explore/search.h"
#include "reference-impl/explore/state_table.h"
#include "runners/model/automaton.h"

namespace conform::reference {

// The numbers of states, for all threads of a search. The start has the number 0.
class SharedStates {
 public:
  explicit SharedStates(size_t threads)
      : has_threads_(threads > 1), shards_(has_threads_ ? kShards : 1), tables_(std::make_unique<Shard[]>(shards_)) {}

  // The number of a state, and whether nobody has been there.
  std::pair<int, bool> Find(const Fingerprint::Value& state) {
    Shard& shard = tables_[state.high & (shards_ - 1)];
    std::unique_lock<std::mutex> lock(shard.mutex, std::defer_lock);
    if (has_threads_) lock.lock();
    const auto [number, fresh] = shard.table.Find({state});
    if (fresh) *number = New();
    return {*number, fresh};
  }
  // The number of a state that nobody looks for.
  int New() {
    if (has_threads_) return count_.fetch_add(1, std::memory_order_relaxed);
    const int next = count_.load(std::memory_order_relaxed);  // to lock the bus takes longer
    count_.store(next + 1, std::memory_order_relaxed);
    return next;
  }
  int count() const { return count_; }

 private:
  static constexpr size_t kShards = 64;
  struct Shard {
    std::mutex mutex;
    StateTable table;  // protected by mutex
  };

  const bool has_threads_;
  const size_t shards_;  // a power of two
  const std::unique_ptr<Shard[]> tables_;
  std::atomic<int> count_{1};
};

// Notes what one thread finds of it.
class AutomatonVisitor : public SearchVisitor {
 public:
  explicit AutomatonVisitor(SharedStates* states) : states_(states) {
    edges_.reserve(kFewEdges);
    short_labels_.reserve(kFewLabels);
  }

  void Resume(int branch) override {
    at_ = branch;
    label_.reset();
  }
  bool Emit(const std::string& label) override {
    at_ = Here();
    label_ = Intern(label);
    return true;
  }
  bool AtState(const Fingerprint::Value& state) override {
    const auto [number, fresh] = states_->Find(state);
    if (fresh) ++fresh_;
    StepTo(number);
    return fresh;
  }
  int Branch() override { return Here(); }
  bool TakesAnyPathNext() const override { return true; }
  bool End(const std::function<std::vector<int>()>&) override {
    accepting_.push_back(Here());
    return false;
  }
  int64_t bytes() const override {
    constexpr int64_t kBytesPerState = 128;  // with the edge that leads to it
    constexpr int64_t kBytesPerFingerprint = 64;
    return (fresh_ + between_) * kBytesPerState + fresh_ * kBytesPerFingerprint;
  }
  // States that it was the first to come to.
  int64_t fresh() const { return fresh_; }

  size_t edges() const { return edges_.size(); }
  // REQUIRES: the automaton has all states.
  void AddTo(Automaton* automaton) const {
    std::vector<int> labels;
    for (const std::string& label : labels_) labels.push_back(automaton->Intern(label));
    for (const auto& [from, edge] : edges_) {
      const bool is_label = edge.kind == Automaton::EdgeKind::kLabel;
      automaton->AddEdge(from, {edge.kind, is_label ? labels[static_cast<size_t>(edge.label)] : 0, edge.to});
    }
    for (const int state : accepting_) automaton->SetAccepting(state);
  }

 private:
  // The state that the last label leads to: a new one where none is known.
  int Here() {
    if (label_) {
      ++between_;
      StepTo(states_->New());
    }
    return at_;
  }
  void StepTo(int state) {
    edges_.push_back({at_, label_ ? Automaton::Edge{Automaton::EdgeKind::kLabel, *label_, state}
                                  : Automaton::Edge{Automaton::EdgeKind::kEpsilon, 0, state}});
    at_ = state;
    label_.reset();
  }
  // The first few short labels are numbers, which are compared sooner than a map is searched.
  int Intern(const std::string& label) {
    uint64_t key = 0;
    const bool is_short = label.size() <= sizeof key;
    if (is_short) {
      std::memcpy(&key, label.data(), label.size());
      for (const auto& [known, number] : short_labels_) {
        if (known == key) return number;
      }
    }
    const int next = static_cast<int>(labels_.size());
    if (is_short && short_labels_.size() < kFewLabels) {
      short_labels_.emplace_back(key, next);
    } else if (const auto [it, is_new] = numbers_.try_emplace(label, next); !is_new) {
      return it->second;
    }
    labels_.push_back(label);
    return next;
  }

  static constexpr size_t kFewLabels = 12;
  static constexpr size_t kFewEdges = 64;

  SharedStates* states_;
  int at_ = 0;
  std::optional<int> label_;  // was emitted at at_; where it leads to is not known yet
  int64_t fresh_ = 0;
  int64_t between_ = 0;
  std::vector<std::string> labels_;
  std::vector<std::pair<uint64_t, int>> short_labels_;  // their bytes, none of which is 0, and their numbers
  std::map<std::string, int> numbers_;                  // of the other labels
  std::vector<std::pair<int, Automaton::Edge>> edges_;
  std::vector<int> accepting_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_AUTOMATON_VISITOR_H_
