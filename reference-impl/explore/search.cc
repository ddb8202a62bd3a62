#include "reference-impl/explore/search.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "reference-impl/explore/arena.h"
#include "reference-impl/explore/recorded_run.h"
#include "reference-impl/explore/search_guide.h"
#include "reference-impl/explore/search_paths.h"
#include "reference-impl/explore/search_share.h"
#include "reference-impl/loop/rule.h"
#include "reference-impl/platform/system_clock.h"

namespace conform::reference {

namespace {

// What one thread has used of what the whole search may use. Looks at the clock, and at the other threads, now and
// then.
class Budget {
 public:
  Budget(const ExploreLimits& limits, SearchShare* share, size_t thread)
      : limits_(limits), share_(share), thread_(thread) {}

  // REQUIRES: called for each callback of each run.
  void CountCallback() {
    if (++used_.callbacks + others_.callbacks > limits_.max_total_callbacks) throw LimitHit{"callbacks in all runs"};
    if (used_.callbacks % kCallbacksPerLook == 0) Look();
  }
  // REQUIRES: called before each run.
  void SetBytes(int64_t bytes) {
    used_.bytes = bytes;
    if (bytes + others_.bytes > limits_.max_memory_bytes) throw LimitHit{"memory"};
  }

 private:
  static constexpr int64_t kCallbacksPerLook = 1'000;

  void Look() {
    // To ask for the time takes so long that most searches are over before it is worth it.
    const int64_t now_ms = ThreadCpuMs();
    if (used_.callbacks == kCallbacksPerLook) began_ms_ = now_ms;
    used_.cpu_ms = now_ms - began_ms_;
    others_ = share_->Note(thread_, used_);
    if (used_.cpu_ms + others_.cpu_ms > limits_.max_cpu_ms) throw LimitHit{"CPU time"};
  }

  const ExploreLimits& limits_;
  SearchShare* share_;
  const size_t thread_;
  int64_t began_ms_ = 0;
  SearchShare::Used used_;
  SearchShare::Used others_;
};

class SearchRecorder : public Recorder {
 public:
  SearchRecorder(SearchGuide* guide, SearchVisitor* visitor, const ExploreLimits& limits, Budget* budget,
                 BoundsOfRun* bounds)
      : guide_(*guide), visitor_(visitor), limits_(limits), budget_(budget), bounds_(bounds) {}

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
    budget_->CountCallback();
  }

 private:
  // To throw takes as long as many steps: a run that is over is left to end by itself, unless it goes on for long.
  static constexpr int kMostWhenOver = 20;

  SearchGuide& guide_;
  SearchVisitor* visitor_;
  const ExploreLimits& limits_;
  Budget* budget_;
  BoundsOfRun* bounds_;  // may be null
  int64_t steps_ = 0;
  int steps_when_over_ = 0;
};

// A run and what counts along with it. All of it is put back together.
struct RunUnderWay {
  RunUnderWay(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits, const Trace* recorded,
              SearchGuide* guide, SearchVisitor* visitor, Budget* budget)
      : bounds(recorded == nullptr ? std::nullopt : std::make_optional<BoundsOfRun>(*recorded)),
        recorder(guide, visitor, limits, budget, bounds ? &*bounds : nullptr),
        run(c, model, timing, *guide, recorder, guide, bounds ? &*bounds : nullptr) {}

  std::optional<BoundsOfRun> bounds;
  SearchRecorder recorder;
  SimulatedRun run;
};

// What is searched, and how.
struct Question {
  const Case& c;
  const Model& model;
  Timing timing;
  const ExploreLimits& limits;
  const Trace* recorded;
  RunsFrom from;
};

// One thread's part of a search: the paths that it has, and those that it takes from others when it has none left.
class SearchPart {
 public:
  SearchPart(const Question& question, SearchVisitor* visitor, SearchShare* share, size_t thread)
      : question_(question),
        visitor_(visitor),
        share_(share),
        rests_(kHasArenas && question.from == RunsFrom::kLastRest),
        guide_(visitor, &pending_, rests_, share->threads() > 1 || !visitor->TakesAnyPathNext()),
        budget_(question.limits, share, thread) {}

  // Until nothing is left to take, or the search has ended otherwise. `get_help`, which may be empty, is called once,
  // when others could help.
  void Work(std::function<void()> get_help) {
    try {
      while (!share_->has_ended() && HasPath()) {
        if (get_help && runs_ >= question_.limits.runs_alone) std::exchange(get_help, nullptr)();
        MakeRun();
      }
    } catch (const LimitHit& limit) {
      share_->End(limit.name);
    } catch (const ArenaFull&) {
      share_->End("memory");
    } catch (...) {
      share_->Fail(std::current_exception());
    }
  }

 private:
  // A longer way takes longer to be gone again than most paths of it are worth.
  static constexpr size_t kLongestOffered = 200;

  bool HasPath() {
    if (pending_.empty()) {
      std::optional<SharedPath> path = share_->Take();
      if (!path) return false;
      pending_.Push({nullptr, std::move(path->choices), path->branch});
    } else if (share_->IsAskedFor()) {
      OfferOldest();
    }
    return true;
  }

  // The oldest is nearest to the start, and so mostly that with the most to be found behind it.
  void OfferOldest() {
    if (pending_.size() < 2) return;
    const Pending& oldest = pending_.first();
    // A run that was left at a rest cannot be found again by its choices alone.
    if (oldest.choices.empty()) return;
    const WayPtr way = oldest.base == nullptr ? nullptr : oldest.base->way;
    if ((way == nullptr ? 0 : way->length) + oldest.choices.size() > kLongestOffered) return;
    SharedPath path{WholePath(way, oldest.choices), oldest.branch};
    pending_.TakeFirst();
    share_->Offer(std::move(path));
  }

  void MakeRun() {
    budget_.SetBytes(pending_.bytes() + guide_.bytes() + visitor_->bytes());
    Pending next = guide_.TakeNext();
    // One that was left is the same run still.
    if (next.base == nullptr || !next.choices.empty()) CountRun();
    guide_.Begin(std::move(next));
    try {
      Run();
      if (!guide_.IsOver() && visitor_->End([&] { return guide_.Path(); })) share_->End("");
    } catch (const RunAbandoned&) {
      // Its order is of no use.
    }
  }

  void CountRun() {
    if (!share_->CountRun()) throw LimitHit{"runs"};
    ++runs_;
  }

  // From the base of the guide to the end of the run.
  void Run() {
    if (!rests_) return Start()->run.Run();
    Arena& arena = Arena::OfThread();
    if (const Arena::Image* image = guide_.image()) {
      arena.Restore(*image);
      const Arena::Inside inside(arena);
      return in_arena_->run.Continue();
    }
    arena.Clear();
    const Arena::Inside inside(arena);
    in_arena_ = Start().release();  // its memory is forgotten as a whole
    in_arena_->run.Run();
  }

  std::unique_ptr<RunUnderWay> Start() {
    const Question& q = question_;
    auto begun =
        std::make_unique<RunUnderWay>(q.c, q.model, q.timing, q.limits, q.recorded, &guide_, visitor_, &budget_);
    if (q.from == RunsFrom::kStartWithEveryChoice) begun->run.AskEverything();
    return begun;
  }

  const Question& question_;
  SearchVisitor* visitor_;
  SearchShare* share_;
  const bool rests_;
  PendingPaths pending_;
  SearchGuide guide_;
  Budget budget_;
  int64_t runs_ = 0;
  RunUnderWay* in_arena_ = nullptr;
};

// Threads that take part in a search that another thread has begun.
class Helpers {
 public:
  Helpers(const Question& question, const std::vector<SearchVisitor*>& visitors, SearchShare* share)
      : question_(question), visitors_(visitors), share_(share), rules_read_(visitors.size()) {}

  // One for each visitor but the first.
  void Start() {
    try {
      for (size_t thread = 1; thread < visitors_.size(); ++thread) {
        share_->Join();
        threads_.emplace_back([this, thread] { Work(thread); });
      }
    } catch (const std::system_error&) {
      share_->Leave();  // those that there are do all of it
    }
  }
  // Once the search has ended. What they have read of the rules, this thread has read.
  void Join() {
    for (std::thread& thread : threads_) thread.join();
    for (const auto& read : rules_read_) {
      for (size_t i = 0; i < read.size(); ++i) rules_read[i] = rules_read[i] || read[i];
    }
  }

 private:
  void Work(size_t thread) {
    SearchPart(question_, visitors_[thread], share_, thread).Work(nullptr);
    rules_read_[thread] = rules_read;
  }

  const Question& question_;
  const std::vector<SearchVisitor*>& visitors_;
  SearchShare* share_;
  std::vector<std::array<bool, kMostRules>> rules_read_;
  std::vector<std::thread> threads_;
};

}  // namespace

SearchResult Search(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits,
                    const std::vector<SearchVisitor*>& visitors, const Trace* recorded, RunsFrom from) {
  const Question question{c, model, timing, limits, recorded, from};
  SearchShare share(visitors.size(), limits.max_runs);
  share.Offer({});
  Helpers helpers(question, visitors, &share);
  SearchPart part(question, visitors[0], &share, 0);
  part.Work([&] { helpers.Start(); });
  helpers.Join();
  if (share.thrown() != nullptr) std::rethrow_exception(share.thrown());
  return {share.limit_hit(), share.runs()};
}

}  // namespace conform::reference
