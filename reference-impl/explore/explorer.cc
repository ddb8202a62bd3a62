#include "reference-impl/explore/explorer.h"

#include <functional>
#include <optional>
#include <utility>

#include "reference-impl/explore/choosers.h"
#include "reference-impl/explore/program_to_run.h"
#include "reference-impl/explore/search.h"
#include "reference-impl/explore/state_table.h"

namespace conform::reference {

namespace {

// Builds the automaton of all orders; equal states are one state.
class AutomatonVisitor : public SearchVisitor {
 public:
  explicit AutomatonVisitor(Automaton* automaton) : automaton_(automaton) {}

  void Resume(int branch) override {
    at_ = branch;
    label_.reset();
  }
  bool Emit(const std::string& label) override {
    at_ = Here();
    label_ = automaton_->Intern(label);
    return true;
  }
  bool AtState(const Fingerprint::Value& state) override {
    const auto [number, fresh] = states_.Find({state});
    if (fresh) *number = automaton_->AddState();
    StepTo(*number);
    return fresh;
  }
  int Branch() override { return Here(); }
  bool End(const std::function<std::vector<int>()>&) override {
    automaton_->SetAccepting(Here());
    return false;
  }
  int64_t bytes() const override {
    constexpr int64_t kBytesPerState = 128;  // with the edge that leads to it
    constexpr int64_t kBytesPerFingerprint = 64;
    return automaton_->size() * kBytesPerState + states() * kBytesPerFingerprint;
  }
  int64_t states() const { return static_cast<int64_t>(states_.size()); }

 private:
  // The state that the last label leads to: a new one where none is known.
  int Here() {
    if (label_) StepTo(automaton_->AddState());
    return at_;
  }
  void StepTo(int state) {
    automaton_->AddEdge(at_, label_ ? Automaton::Edge{Automaton::EdgeKind::kLabel, *label_, state}
                                    : Automaton::Edge{Automaton::EdgeKind::kEpsilon, 0, state});
    at_ = state;
    label_.reset();
  }

  Automaton* automaton_;
  int at_ = 0;
  std::optional<int> label_;  // was emitted at at_; where it leads to is not known yet
  StateTable states_;
};

// Walks along one order, and prunes at the first wrong label.
class GuidedVisitor : public SearchVisitor {
 public:
  explicit GuidedVisitor(const Order& order) : order_(order) {}

  void Resume(int branch) override { at_ = static_cast<size_t>(branch); }
  bool Emit(const std::string& label) override {
    if (at_ >= order_.size() || order_[at_] != label) return false;
    ++at_;
    return true;
  }
  bool AtState(const Fingerprint::Value& state) override { return visited_.Find({state, at_}).second; }
  int Branch() override { return static_cast<int>(at_); }
  bool End(const std::function<std::vector<int>()>& path) override {
    if (at_ != order_.size()) return false;
    found_ = path();
    return true;
  }
  int64_t bytes() const override {
    constexpr int64_t kBytesPerVisit = 80;
    return static_cast<int64_t>(visited_.size()) * kBytesPerVisit;
  }
  const std::optional<std::vector<int>>& found() const { return found_; }

 private:
  const Order& order_;
  size_t at_ = 0;
  StateTable visited_;
  std::optional<std::vector<int>> found_;
};

// Keeps everything.
class TraceRecorder : public Recorder {
 public:
  explicit TraceRecorder(const ExploreLimits& limits) : limits_(limits) {}
  void Emit(const std::string& label, const char* phase, int64_t iteration, const char* clause) override {
    trace_.events.push_back({label, std::nullopt, iteration, phase, clause});
  }
  void CountStep() override {
    if (++steps_ > limits_.max_callbacks) throw LimitHit{"callbacks in one run"};
  }
  Trace Take() { return std::move(trace_); }
  int64_t steps() const { return steps_; }

 private:
  const ExploreLimits& limits_;
  Trace trace_;
  int64_t steps_ = 0;
};

// One simulated run with whatever chooser.
template <typename ChooserType>
ModelRun RunWith(const Case& c, const Model& model, Timing timing, ChooserType& chooser, const ExploreLimits& limits) {
  ModelRun result;
  TraceRecorder recorder(limits);
  try {
    SimulatedRun run(c, model, timing, chooser, recorder);
    run.Run();
  } catch (const LimitHit& limit) {
    result.limit_hit = limit.name;
  }
  result.steps = recorder.steps();
  result.trace = recorder.Take();
  result.choices = chooser.choices();
  return result;
}

}  // namespace

Exploration Explore(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits, RunsFrom from) {
  Exploration exploration;
  AutomatonVisitor visitor(&exploration.orders);
  const SearchResult result = Search(*ProgramToRun(c, model), model, timing, limits, &visitor, nullptr, from);
  exploration.complete = result.limit_hit.empty();
  exploration.limit_hit = result.limit_hit;
  exploration.runs = result.runs;
  exploration.states = visitor.states();
  return exploration;
}

Result<ModelRun> Replay(const Case& c, const Model& model, Timing timing, const std::vector<int>& path,
                        const ExploreLimits& limits) {
  PathChooser chooser(path);
  ModelRun run = RunWith(*ProgramToRun(c, model), model, timing, chooser, limits);
  if (chooser.error().has_value()) return Error{*chooser.error()};
  if (chooser.choices().size() < path.size()) {
    const auto counted = [](size_t count) { return std::to_string(count) + (count == 1 ? " choice" : " choices"); };
    return Error{"the path has " + counted(path.size()) + ", but the run has only " +
                 counted(chooser.choices().size())};
  }
  return run;
}

std::vector<ModelRun> Explain(const Case& c, const Model& model, Timing timing, const std::vector<Order>& orders,
                              const ExploreLimits& limits) {
  std::vector<ModelRun> runs;
  const ProgramToRun program(c, model);
  for (const Order& order : orders) {
    GuidedVisitor visitor(order);
    Search(*program, model, timing, limits, &visitor);
    if (!visitor.found().has_value()) continue;
    PathChooser chooser(*visitor.found());
    runs.push_back(RunWith(*program, model, timing, chooser, limits));
  }
  return runs;
}

Membership CanGive(const Case& c, const Model& model, Timing timing, const Order& order, const ExploreLimits& limits) {
  GuidedVisitor visitor(order);
  const SearchResult result = Search(*ProgramToRun(c, model), model, timing, limits, &visitor);
  if (visitor.found().has_value()) return Membership::kIn;
  return result.limit_hit.empty() ? Membership::kOut : Membership::kLimit;
}

Membership CanGiveInItsTime(const Case& c, const Model& model, const Trace& recorded, const ExploreLimits& limits) {
  const Order order = recorded.ToOrder();
  GuidedVisitor visitor(order);
  const SearchResult result = Search(*ProgramToRun(c, model), model, Timing::kLate, limits, &visitor, &recorded);
  if (visitor.found().has_value()) return Membership::kIn;
  return result.limit_hit.empty() ? Membership::kOut : Membership::kLimit;
}

ModelRun RunInVirtualTime(const Case& c, const Model& model, uint64_t seed, const ExploreLimits& limits) {
  SeededChooser chooser(seed);
  return RunWith(*ProgramToRun(c, model), model, Timing::kOnTime, chooser, limits);
}

}  // namespace conform::reference
