#include "reference-impl/explore/search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reference-impl/platform/system_clock.h"

namespace conform::reference {

namespace {

struct Pending {
  std::vector<int> path;  // ends with an untried alternative
  int branch;

  int64_t bytes() const { return static_cast<int64_t>(sizeof *this + path.size() * sizeof(int)); }
};

// Paths that are still to be taken, the last one first.
class PendingPaths {
 public:
  void Push(Pending pending) {
    bytes_ += pending.bytes();
    paths_.push_back(std::move(pending));
  }
  Pending Pop() {
    Pending last = std::move(paths_.back());
    paths_.pop_back();
    bytes_ -= last.bytes();
    return last;
  }
  bool empty() const { return paths_.empty(); }
  int64_t bytes() const { return bytes_; }

 private:
  std::vector<Pending> paths_;
  int64_t bytes_ = 0;
};

// Looks at the clock now and then.
class CpuLimit {
 public:
  explicit CpuLimit(int64_t max_ms) : end_ms_(ThreadCpuMs() + max_ms) {}

  // REQUIRES: called for each callback of each run.
  void Check() {
    if (++calls_ % kCallsPerLook == 0 && ThreadCpuMs() > end_ms_) throw LimitHit{"CPU time"};
  }

 private:
  static constexpr int64_t kCallsPerLook = 1'000;
  const int64_t end_ms_;
  int64_t calls_ = 0;
};

// Replays a path, then reports choices to the search.
class SearchChooser : public Chooser {
 public:
  SearchChooser(std::vector<int> path, int branch, SearchVisitor* visitor, PendingPaths* pending)
      : path_(std::move(path)), replayed_(path_.size()), visitor_(visitor), pending_(pending) {
    if (replayed_ == 0) visitor_->Resume(branch);
    branch_ = branch;
  }

  int Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) override {
    if (position_ < replayed_) {
      const int index = path_[position_++];
      if (position_ == replayed_) visitor_->Resume(branch_);
      return index;
    }
    const int branch = visitor_->Branch();
    // The last alternative is tried first of those that are left, so that the list stays a stack.
    for (int index = count - 1; index >= 1; --index) {
      std::vector<int> path = path_;
      path.push_back(index);
      pending_->Push({std::move(path), branch});
    }
    path_.push_back(0);
    ++position_;
    return 0;
  }

  bool replaying() const { return position_ < replayed_; }
  const std::vector<int>& path() const { return path_; }

 private:
  std::vector<int> path_;
  const size_t replayed_;
  size_t position_ = 0;
  int branch_ = 0;
  SearchVisitor* visitor_;
  PendingPaths* pending_;
};

// A loop may read a coarse clock, which lags behind by up to a millisecond; and a reading is a whole number of
// milliseconds, counted from another moment than the times of the labels.
constexpr int64_t kLagMs = 2;
constexpr int64_t kNsPerMs = 1'000'000;

// Where in a recorded run the readings of one simulated run are made.
class BoundsOfRun : public RecordedBounds {
 public:
  // REQUIRES: recorded.start_ns.
  explicit BoundsOfRun(const Trace& recorded) : start_ns_(*recorded.start_ns) {
    int64_t latest_ns = start_ns_;
    before_ns_.push_back(latest_ns);
    for (const TraceEvent& event : recorded.events) {
      if (event.t_ns) latest_ns = std::max(latest_ns, *event.t_ns);
      before_ns_.push_back(latest_ns);
    }
    std::optional<int64_t> next_ns;
    after_ns_.resize(recorded.events.size());
    for (size_t i = recorded.events.size(); i-- > 0;) {
      if (recorded.events[i].t_ns) next_ns = recorded.events[i].t_ns;
      after_ns_[i] = next_ns;
    }
  }

  void Step() { has_begun_ = true; }
  void Emit() { ++emitted_; }

  // The moment that they count from is the start of the program on the loop's clock, less kLagMs and one.
  Bounds Now() const override {
    Bounds bounds;
    // What the loop read before the program began may be much older.
    if (has_begun_) bounds.least = Since(before_ns_[std::min(emitted_, before_ns_.size() - 1)]) + 1;
    if (emitted_ < after_ns_.size() && after_ns_[emitted_]) bounds.most = Since(*after_ns_[emitted_]) + kLagMs + 2;
    return bounds;
  }
  [[noreturn]] void Contradicted() const override { throw RunAbandoned(); }

 private:
  int64_t Since(int64_t ns) const { return (ns - start_ns_) / kNsPerMs; }

  const int64_t start_ns_;
  std::vector<int64_t> before_ns_;                // by the number of labels emitted: the last known time
  std::vector<std::optional<int64_t>> after_ns_;  // likewise: the next known time
  bool has_begun_ = false;
  size_t emitted_ = 0;
};

class SearchRecorder : public Recorder {
 public:
  SearchRecorder(const SearchChooser& chooser, SearchVisitor* visitor, const ExploreLimits& limits, int64_t* total,
                 CpuLimit* cpu, BoundsOfRun* bounds)
      : chooser_(chooser), visitor_(visitor), limits_(limits), total_(total), cpu_(cpu), bounds_(bounds) {}

  void Emit(const std::string& label, const char*, int64_t, const char*) override {
    if (bounds_ != nullptr) bounds_->Emit();
    if (!chooser_.replaying()) visitor_->Emit(label);
  }
  void CountStep() override {
    if (bounds_ != nullptr) bounds_->Step();
    if (++steps_ > limits_.max_callbacks) throw LimitHit{"callbacks in one run"};
    if (++*total_ > limits_.max_total_callbacks) throw LimitHit{"callbacks in all runs"};
    cpu_->Check();
  }

 private:
  const SearchChooser& chooser_;
  SearchVisitor* visitor_;
  const ExploreLimits& limits_;
  int64_t* total_;
  CpuLimit* cpu_;
  BoundsOfRun* bounds_;  // may be null
  int64_t steps_ = 0;
};

}  // namespace

SearchResult Search(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits,
                    SearchVisitor* visitor, const Trace* recorded) {
  SearchResult result;
  PendingPaths pending;
  pending.Push({{}, 0});
  int64_t total = 0;
  CpuLimit cpu(limits.max_cpu_ms);
  while (!pending.empty()) {
    if (result.runs == limits.max_runs) {
      result.limit_hit = "runs";
      return result;
    }
    if (pending.bytes() + visitor->bytes() > limits.max_memory_bytes) {
      result.limit_hit = "memory";
      return result;
    }
    ++result.runs;
    Pending next = pending.Pop();
    SearchChooser chooser(std::move(next.path), next.branch, visitor, &pending);
    std::optional<BoundsOfRun> bounds;
    if (recorded != nullptr) bounds.emplace(*recorded);
    SearchRecorder recorder(chooser, visitor, limits, &total, &cpu, bounds ? &*bounds : nullptr);
    try {
      SimulatedRun run(
          c, model, timing, chooser, recorder,
          [&](const Fingerprint::Value& state) {
            if (!chooser.replaying()) visitor->AtPoll(state);
          },
          bounds ? &*bounds : nullptr);
      run.Run();
      if (visitor->End(chooser.path())) return result;
    } catch (const RunAbandoned&) {
      // Another run has been here, or nobody wants to go on.
    } catch (const LimitHit& limit) {
      result.limit_hit = limit.name;
      return result;
    }
  }
  return result;
}

}  // namespace conform::reference
