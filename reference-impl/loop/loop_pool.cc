// The loop's part in what the pool does.
#include <optional>
#include <vector>

#include "reference-impl/loop/loop.h"
#include "runners/base/check.h"

namespace conform::reference {

void Loop::Submit(Request* request, int threads) {
  request->id = next_request_id_++;
  requests_[request->id] = request;
  ++requests_under_way_;
  if (!request->referenced) ++unreferenced_requests_;
  platform_.Submit(request->id, threads, wakeup_source_, request->name, request->ms);
}

// spec: poll.cancel
bool Loop::Cancel(Request* request) {
  if (!requests_.contains(request->id) || !platform_.Cancel(request->id)) return false;
  request->cancelled = true;
  return true;
}

// spec: poll.pool-completions
void Loop::RunPool() {
  phase_ = "poll";
  const bool served = HandleWakeups();
  if (ServesSignalsWithPool()) HandleSignals();
  if (served && after_phase_) after_phase_();
}

bool Loop::RunCompletions() {
  if (requests_under_way_ == 0) return false;
  const std::vector<int64_t> ended = platform_.TakeEnded();
  const auto serve = [this](int64_t id) {
    ++served_;
    Request* request = TakeRequest(id);
    request->callback(request);
  };
  for (const int64_t id : ended) serve(id);
  while (GoesOnServing()) {
    const std::optional<int64_t> id = platform_.TakeOneMore(CompletionsCanWait());
    if (!id) break;
    serve(*id);
  }
  return !ended.empty();
}

// Where a poll serves completions and nothing else, all that the loop has yet to do in it is to serve more of them.
bool Loop::GoesOnServing() {
  if (has_pool_phase_ || has_pool_again_ || ready_.size() != 1 || !wakeups_.empty() || !wakeup_pass_.empty())
    return true;
  if (after_phase_) return true;
  // What CompletionsCanWait looks at beyond the state of the loop.
  const bool has_done_nothing =
      owner_ != nullptr && owner_->steps() == steps_at_poll_ && next_request_id_ == requests_at_poll_;
  stuck_ = !platform_.GoesOn(1u | (has_done_nothing ? 2u : 0u) | (poll_could_wait_ ? 4u : 0u) |
                             (now_ == polled_at_ ? 8u : 0u));
  return !stuck_;
}

// Whether the loop may come from here to its next wait with nothing happening on the way: no callback would do
// anything, nothing has been remembered of the time at which the poll ended, and no timer must be due by then. What a
// request causes that ends by now is then the same as if it ended in that wait.
bool Loop::CompletionsCanWait() const {
  if (owner_ == nullptr || owner_->steps() != steps_at_poll_ || next_request_id_ != requests_at_poll_) return false;
  if (mode_ != RunMode::kDefault || stopped_ || has_pool_phase_ || has_pool_again_ || !HasRequests()) return false;
  if (!poll_could_wait_ || ready_.size() > 1 || !wakeups_.empty() || !wakeup_pass_.empty() || after_phase_)
    return false;
  if (!pending_.empty() || !idle_.alone() || closing_ != nullptr || !signals_.empty() || !caught_signals_.empty()) {
    return false;
  }
  if (now_ != polled_at_ || !clock_.MayStandAt(now_)) return false;
  if (!timers_.empty() && clock_.MustHavePassed(NextDeadline(), now_)) return false;
  return owner_->IsQuiet();
}

// A turn in which nothing happens is seen by what runs in every turn, and by who runs a single one. In Node nothing
// sees it, but for what OnIntruder of the host asks about.
bool Loop::MayBeWokenForNothing() const {
  return served_ >= 2 && owner_ == nullptr && (mode_ != RunMode::kDefault || !prepare_.alone() || !check_.alone());
}

Request* Loop::TakeRequest(int64_t id) {
  const auto it = requests_.find(id);
  CONFORM_CHECK(it != requests_.end());
  Request* request = it->second;
  requests_.erase(it);
  --requests_under_way_;
  if (!request->referenced) --unreferenced_requests_;
  return request;
}

}  // namespace conform::reference
