// What the threads of one search share: paths for those that have none left, and how much all of them have used up.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_SHARE_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_SHARE_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/run.h"
#include "reference-impl/explore/search_paths.h"

namespace conform::reference {

// A path that any thread can take: all choices from the start of the run, and the branch that it belongs to.
struct SharedPath {
  Choices choices;
  int branch = 0;
};

// Every method may be called from any thread.
class SearchShare {
 public:
  SearchShare(size_t threads, int64_t max_runs) : threads_(threads), max_runs_(max_runs), used_(threads), working_(1) {}

  size_t threads() const { return threads_; }

  // Another thread takes part; or it does not after all.
  void Join();
  void Leave();
  // A path that was offered. Waits for one where there is none; nothing when the search is over, because it was ended
  // or because nobody who could offer one is left.
  std::optional<SharedPath> Take();
  void Offer(SharedPath path);
  // More threads wait in Take than there are offers.
  bool IsAskedFor() const { return wanted_.load(std::memory_order_relaxed) > 0; }

  // Ends the search before its time. `limit`: the name of the limit that was hit, "" where none was. The first counts.
  void End(const std::string& limit);
  // The same; what was thrown is thrown again by those who wait for the search.
  void Fail(std::exception_ptr thrown);
  bool has_ended() const { return ended_.load(std::memory_order_relaxed); }
  // REQUIRES for all below: no other thread is left.
  const std::string& limit_hit() const { return limit_hit_; }
  const std::exception_ptr& thrown() const { return thrown_; }
  int64_t runs() const { return runs_; }

  // False where there have been as many as there may be.
  bool CountRun() {
    if (threads_ == 1) {
      const int64_t runs = runs_.load(std::memory_order_relaxed);
      runs_.store(std::min(runs + 1, max_runs_), std::memory_order_relaxed);
      return runs < max_runs_;
    }
    if (runs_.fetch_add(1, std::memory_order_relaxed) < max_runs_) return true;
    runs_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }

  struct Used {
    int64_t callbacks = 0;
    int64_t bytes = 0;
    int64_t cpu_ms = 0;
  };
  // Notes what the thread with this number has used, and returns what the others had when they last noted it.
  Used Note(size_t thread, const Used& used);

 private:
  const size_t threads_;  // that may take part
  const int64_t max_runs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Protected by mutex_.
  std::vector<SharedPath> offered_;
  std::vector<Used> used_;
  size_t working_;  // threads that are not waiting
  std::string limit_hit_;
  std::exception_ptr thrown_;

  std::atomic<int64_t> runs_{0};
  std::atomic<int64_t> wanted_{0};  // threads that wait, less what is offered
  std::atomic<bool> ended_{false};
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_SHARE_H_
