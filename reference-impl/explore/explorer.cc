#include "reference-impl/explore/explorer.h"

#include <functional>
#include <optional>
#include <utility>

#include "reference-impl/explore/automaton_visitor.h"
#include "reference-impl/explore/choosers.h"
#include "reference-impl/explore/program_to_run.h"
#include "reference-impl/explore/search.h"
#include "reference-impl/explore/state_table.h"

namespace conform::reference {

namespace {

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
  bool TakesAnyPathNext() const override { return false; }  // the first that is found explains the order
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
  SharedStates states(limits.threads);
  std::vector<AutomatonVisitor> visitors;
  visitors.reserve(limits.threads);
  std::vector<SearchVisitor*> all;
  while (all.size() < limits.threads) all.push_back(&visitors.emplace_back(&states));
  const SearchResult result = Search(*ProgramToRun(c, model), model, timing, limits, all, nullptr, from);
  Exploration exploration;
  exploration.complete = result.limit_hit.empty();
  exploration.limit_hit = result.limit_hit;
  exploration.runs = result.runs;
  size_t edges = 0;
  for (const AutomatonVisitor& visitor : visitors) edges += visitor.edges();
  exploration.orders.Reserve(static_cast<size_t>(states.count()), edges);
  while (exploration.orders.size() < states.count()) exploration.orders.AddState();
  for (const AutomatonVisitor& visitor : visitors) {
    visitor.AddTo(&exploration.orders);
    exploration.states += visitor.fresh();
  }
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
    Search(*program, model, timing, limits, {&visitor});
    if (!visitor.found().has_value()) continue;
    PathChooser chooser(*visitor.found());
    runs.push_back(RunWith(*program, model, timing, chooser, limits));
  }
  return runs;
}

Membership CanGive(const Case& c, const Model& model, Timing timing, const Order& order, const ExploreLimits& limits) {
  GuidedVisitor visitor(order);
  const SearchResult result = Search(*ProgramToRun(c, model), model, timing, limits, {&visitor});
  if (visitor.found().has_value()) return Membership::kIn;
  return result.limit_hit.empty() ? Membership::kOut : Membership::kLimit;
}

Membership CanGiveInItsTime(const Case& c, const Model& model, const Trace& recorded, const ExploreLimits& limits) {
  const Order order = recorded.ToOrder();
  GuidedVisitor visitor(order);
  const SearchResult result = Search(*ProgramToRun(c, model), model, Timing::kLate, limits, {&visitor}, &recorded);
  if (visitor.found().has_value()) return Membership::kIn;
  return result.limit_hit.empty() ? Membership::kOut : Membership::kLimit;
}

ModelRun RunInVirtualTime(const Case& c, const Model& model, uint64_t seed, const ExploreLimits& limits) {
  SeededChooser chooser(seed);
  return RunWith(*ProgramToRun(c, model), model, Timing::kOnTime, chooser, limits);
}

}  // namespace conform::reference
