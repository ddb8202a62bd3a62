#include "reference-impl/explore/search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "reference-impl/explore/arena.h"
#include "reference-impl/platform/system_clock.h"

namespace conform::reference {

namespace {

// A state that runs resume from, and the way to it.
struct Base {
  Base(Arena::Image state, std::shared_ptr<const Base> earlier, std::vector<int> between, int64_t* total)
      : image(std::move(state)), before(std::move(earlier)), choices(std::move(between)), total_bytes(total) {
    *total_bytes += bytes();
  }
  ~Base() {
    *total_bytes -= bytes();
    Arena::OfThread().GiveBack(std::move(image));
    // One after the other: the chain may be longer than a stack is deep.
    std::shared_ptr<const Base> last = std::move(before);
    while (last != nullptr && last.use_count() == 1) last = std::exchange(last->before, nullptr);
  }
  Base(const Base&) = delete;
  Base& operator=(const Base&) = delete;
  int64_t bytes() const { return static_cast<int64_t>(sizeof *this + image.capacity() + choices.size() * sizeof(int)); }

  Arena::Image image;
  mutable std::shared_ptr<const Base> before;  // null: the start of the run
  const std::vector<int> choices;              // from there to here
  int64_t* const total_bytes;                  // of all of them
};
using BasePtr = std::shared_ptr<const Base>;

struct Pending {
  BasePtr base;              // null: the start of the run
  std::vector<int> choices;  // from there; the last is an untried alternative
  int branch;

  int64_t bytes() const { return static_cast<int64_t>(sizeof *this + choices.size() * sizeof(int)); }
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
  // The last paths that begin with the first `count` of `choices` from `from` begin at `to`, which lies there.
  void Move(const BasePtr& from, const std::vector<int>& choices, size_t count, const BasePtr& to) {
    const auto end = choices.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto path = paths_.rbegin(); path != paths_.rend(); ++path) {
      if (path->base != from || path->choices.size() <= count) return;
      if (!std::equal(choices.begin(), end, path->choices.begin())) return;
      bytes_ -= path->bytes();
      path->base = to;
      path->choices.erase(path->choices.begin(), path->choices.begin() + static_cast<std::ptrdiff_t>(count));
      bytes_ += path->bytes();
    }
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

// Takes a run from a base along a path, then reports choices to the search. Where a run rests, its state is copied; the
// copy becomes a base if there is a choice before the next rest.
class SearchGuide : public Chooser, public RunObserver {
 public:
  SearchGuide(SearchVisitor* visitor, PendingPaths* pending, bool rests)
      : visitor_(visitor), pending_(pending), rests_(rests) {}
  ~SearchGuide() override {
    if (!rests_) return;
    Arena::OfThread().GiveBack(std::move(rest_));
    Arena::OfThread().GiveBack(std::move(last_));
  }
  SearchGuide(const SearchGuide&) = delete;
  SearchGuide& operator=(const SearchGuide&) = delete;

  // The next run is this one.
  void Begin(Pending next) {
    base_ = std::move(next.base);
    choices_ = std::move(next.choices);
    replayed_ = choices_.size();
    starts_at_last_ = base_ != nullptr && base_ == last_base_ && last_choices_.size() < replayed_ &&
                      std::equal(last_choices_.begin(), last_choices_.end(), choices_.begin());
    if (!starts_at_last_) last_base_ = nullptr;  // would keep all before it
    position_ = starts_at_last_ ? last_choices_.size() : 0;
    SetHalfWay();
    branch_ = next.branch;
    has_rested_ = false;
    is_over_ = false;
    if (replayed_ == 0) visitor_->Resume(branch_);
  }
  // The state that it goes on from; null: the start of the run.
  const Arena::Image* image() const {
    if (starts_at_last_) return &last_;
    return base_ == nullptr ? nullptr : &base_->image;
  }

  int Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) override {
    if (is_over_) return 0;
    const Arena::Outside outside;
    if (position_ < replayed_) {
      const int index = choices_[position_++];
      if (position_ == replayed_) visitor_->Resume(branch_);
      return index;
    }
    const int branch = visitor_->Branch();
    if (has_rested_ && stands_on_rest_) StandOnRest();
    if (has_rested_) RememberRest();
    // The last alternative is tried first of those that are left, so that the list stays a stack.
    for (int index = count - 1; index >= 1; --index) {
      std::vector<int> choices;
      choices.reserve(choices_.size() + 1);
      choices = choices_;
      choices.push_back(index);
      pending_->Push({base_, std::move(choices), branch});
    }
    choices_.push_back(0);
    replayed_ = ++position_;
    return 0;
  }

  bool IsOver() const override { return is_over_; }
  bool WantsState() const override { return !replaying(); }
  bool AtState(const Fingerprint::Value& state) override {
    const Arena::Outside outside;
    is_over_ = is_over_ || !visitor_->AtState(state);
    return !is_over_;
  }
  void AtRest() override {
    if (!rests_ || is_over_) return;
    const Arena::Outside outside;
    if (replaying()) {
      if (position_ >= half_way_ && base_bytes_ < 2 * kFewBaseBytes) StandHere();
      return;
    }
    const Arena& arena = Arena::OfThread();
    // Where copies are many or large, some way is gone again instead: the longer, the more there are.
    const bool is_small = arena.used() < kSmallState;
    const bool is_cheap = is_small && base_bytes_ < kFewBaseBytes;
    stands_on_rest_ = is_cheap || choices_.size() >= kLongWay << (base_bytes_ / kFewBaseBytes);
    if (!is_small && !stands_on_rest_) return;
    if (rest_.capacity() == 0) rest_ = Arena::OfThread().TakeSpare();
    arena.CopyTo(&rest_);
    choices_at_rest_ = choices_.size();
    has_rested_ = true;
  }

  bool replaying() const { return position_ < replayed_; }
  // What the run still does counts for nothing.
  void Abandon() { is_over_ = true; }
  int64_t base_bytes() const { return base_bytes_; }

  // All choices from the start of the run.
  std::vector<int> Path() const {
    std::vector<const Base*> bases;
    for (const Base* base = base_.get(); base != nullptr; base = base->before.get()) bases.push_back(base);
    std::vector<int> path;
    for (auto base = bases.rbegin(); base != bases.rend(); ++base) {
      path.insert(path.end(), (*base)->choices.begin(), (*base)->choices.end());
    }
    path.insert(path.end(), choices_.begin(), choices_.end());
    return path;
  }

 private:
  static constexpr size_t kSmallState = 64 << 10;
  static constexpr int64_t kFewBaseBytes = 32 << 20;
  static constexpr size_t kLongWay = 24;
  static constexpr size_t kShortWay = 32;

  void StandOnRest() {
    const auto rest = choices_.begin() + static_cast<std::ptrdiff_t>(choices_at_rest_);
    base_ =
        std::make_shared<Base>(std::exchange(rest_, {}), base_, std::vector<int>(choices_.begin(), rest), &base_bytes_);
    choices_.erase(choices_.begin(), rest);
    position_ = replayed_ = choices_.size();
    has_rested_ = false;
  }

  // On a way that has to be gone again, the states half way and, when little is left, at every rest are bases for the
  // paths that have the same way before them, so that the way is not gone as often as there are choices on it.
  void StandHere() {
    Arena::Image image = Arena::OfThread().TakeSpare();
    Arena::OfThread().CopyTo(&image);
    const auto here = choices_.begin() + static_cast<std::ptrdiff_t>(position_);
    auto base = std::make_shared<Base>(std::move(image), base_, std::vector<int>(choices_.begin(), here), &base_bytes_);
    pending_->Move(base_, choices_, position_, base);
    base_ = std::move(base);
    choices_.erase(choices_.begin(), here);
    replayed_ = choices_.size();
    position_ = 0;
    SetHalfWay();
  }

  void SetHalfWay() { half_way_ = replayed_ > kShortWay ? replayed_ / 2 : 1; }

  // What is tried next is mostly what the last choice left.
  void RememberRest() {
    std::swap(last_, rest_);
    last_base_ = base_;
    last_choices_.assign(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(choices_at_rest_));
    has_rested_ = false;
  }

  SearchVisitor* visitor_;
  PendingPaths* pending_;
  const bool rests_;
  int64_t base_bytes_ = 0;
  BasePtr base_;
  std::vector<int> choices_;  // since the base
  size_t replayed_ = 0;
  size_t position_ = 0;
  size_t half_way_ = 0;  // where it is worth standing while it replays
  int branch_ = 0;
  Arena::Image rest_;  // the state where the run rested last
  size_t choices_at_rest_ = 0;
  bool has_rested_ = false;      // since the base, or since the last choice
  bool stands_on_rest_ = false;  // at the next choice
  // Likewise where no base was made of it, before the last choice, and the way there.
  Arena::Image last_;
  BasePtr last_base_;
  std::vector<int> last_choices_;
  bool starts_at_last_ = false;
  bool is_over_ = false;
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
  SearchRecorder(SearchGuide* guide, SearchVisitor* visitor, const ExploreLimits& limits, int64_t* total, CpuLimit* cpu,
                 BoundsOfRun* bounds)
      : guide_(*guide), visitor_(visitor), limits_(limits), total_(total), cpu_(cpu), bounds_(bounds) {}

  void Emit(const std::string& label, const char*, int64_t, const char*) override {
    if (bounds_ != nullptr) bounds_->Emit();
    if (guide_.replaying() || guide_.IsOver()) return;
    const Arena::Outside outside;
    if (!visitor_->Emit(label)) guide_.Abandon();
  }
  void CountStep() override {
    if (guide_.IsOver()) {
      if (++steps_when_over_ > kMostWhenOver) throw RunAbandoned();
      return;
    }
    if (bounds_ != nullptr) bounds_->Step();
    if (++steps_ > limits_.max_callbacks) throw LimitHit{"callbacks in one run"};
    if (++*total_ > limits_.max_total_callbacks) throw LimitHit{"callbacks in all runs"};
    cpu_->Check();
  }

 private:
  // To throw takes as long as many steps: a run that is over is left to end by itself, unless it goes on for long.
  static constexpr int kMostWhenOver = 20;

  SearchGuide& guide_;
  SearchVisitor* visitor_;
  const ExploreLimits& limits_;
  int64_t* total_;
  CpuLimit* cpu_;
  BoundsOfRun* bounds_;  // may be null
  int64_t steps_ = 0;
  int steps_when_over_ = 0;
};

// A run and what counts along with it. All of it is put back together.
struct RunUnderWay {
  RunUnderWay(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits, const Trace* recorded,
              SearchGuide* guide, SearchVisitor* visitor, int64_t* total, CpuLimit* cpu)
      : bounds(recorded == nullptr ? std::nullopt : std::make_optional<BoundsOfRun>(*recorded)),
        recorder(guide, visitor, limits, total, cpu, bounds ? &*bounds : nullptr),
        run(c, model, timing, *guide, recorder, guide, bounds ? &*bounds : nullptr) {}

  std::optional<BoundsOfRun> bounds;
  SearchRecorder recorder;
  SimulatedRun run;
};

}  // namespace

SearchResult Search(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits,
                    SearchVisitor* visitor, const Trace* recorded, RunsFrom from) {
  SearchResult result;
  const bool rests = kHasArenas && from == RunsFrom::kLastRest;
  PendingPaths pending;
  pending.Push({nullptr, {}, 0});
  SearchGuide guide(visitor, &pending, rests);
  int64_t total = 0;
  CpuLimit cpu(limits.max_cpu_ms);
  const auto start = [&] {
    auto begun = std::make_unique<RunUnderWay>(c, model, timing, limits, recorded, &guide, visitor, &total, &cpu);
    if (from == RunsFrom::kStartWithEveryChoice) begun->run.AskEverything();
    return begun;
  };
  RunUnderWay* in_arena = nullptr;
  // From the base of the guide to the end of the run.
  const auto run = [&] {
    if (!rests) return start()->run.Run();
    Arena& arena = Arena::OfThread();
    if (const Arena::Image* image = guide.image()) {
      arena.Restore(*image);
      const Arena::Inside inside(arena);
      return in_arena->run.Continue();
    }
    arena.Clear();
    const Arena::Inside inside(arena);
    in_arena = start().release();  // its memory is forgotten as a whole
    in_arena->run.Run();
  };
  while (!pending.empty()) {
    if (result.runs == limits.max_runs) {
      result.limit_hit = "runs";
      return result;
    }
    if (pending.bytes() + guide.base_bytes() + visitor->bytes() > limits.max_memory_bytes) {
      result.limit_hit = "memory";
      return result;
    }
    ++result.runs;
    guide.Begin(pending.Pop());
    try {
      run();
      if (!guide.IsOver() && visitor->End([&] { return guide.Path(); })) return result;
    } catch (const RunAbandoned&) {
      // Its order is of no use.
    } catch (const LimitHit& limit) {
      result.limit_hit = limit.name;
      return result;
    } catch (const ArenaFull&) {
      result.limit_hit = "memory";
      return result;
    }
  }
  return result;
}

}  // namespace conform::reference
