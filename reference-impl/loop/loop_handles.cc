// The part of the loop that starts, stops and closes things; loop.cc has the part that runs them.
#include <algorithm>

#include "reference-impl/loop/loop.h"
#include "runners/base/check.h"

namespace conform::reference {

// spec: timers.cached-loop-time. A deadline counts from the time that the loop remembers.
void Loop::StartTimer(TimerHandle* timer, int64_t after_ms, int64_t repeat_ms) {
  if (rules_.Has(Fault::kTimerFromFreshTime)) UpdateTime();
  StartTimerAt(timer, now_ + after_ms, repeat_ms);
}

void Loop::StartTimerAt(TimerHandle* timer, Time deadline, int64_t repeat_ms) {
  if (timer->closing) return;
  if (timer->active && rules_.Has(Fault::kTimerRestartKeepsDeadline)) return;
  StopTimer(timer);
  timer->repeat_ms = repeat_ms;
  timers_.Insert(timer, deadline, next_start_id_++);
  Activate(timer);
}

void Loop::StopTimer(TimerHandle* timer) {
  if (timer->due_index >= 0) {
    if (!rules_.Has(Fault::kTimerStoppedRuns)) due_[static_cast<size_t>(timer->due_index)] = nullptr;
    timer->due_index = -1;
    return;
  }
  if (!timer->active) return;
  timers_.Remove(timer);
  Deactivate(timer);
}

void Loop::RepeatTimer(TimerHandle* timer) {
  if (timer->repeat_ms <= 0) return;
  const Time from = rules_.Has(Fault::kTimerRepeatFromDeadline) ? timer->place.deadline : now_;
  StartTimerAt(timer, from + timer->repeat_ms, timer->repeat_ms);
}

void Loop::StartInRing(PhaseHandle* handle, RingLink* ring) {
  if (handle->active || handle->closing) return;
  handle->InsertAfter(InStartOrder(ring) ? ring->previous : ring);  // the newest runs first
  Activate(handle);
}

void Loop::StopInPhase(PhaseHandle* handle) {
  if (!handle->active) return;
  if (next_in_phase_ == handle) next_in_phase_ = handle->next;
  handle->Leave();
  Deactivate(handle);
}

void Loop::StartWakeup(WakeupHandle* handle) {
  CONFORM_CHECK(!handle->active);
  wakeups_.push_back(handle);
  Activate(handle);
}

void Loop::Send(WakeupHandle* handle) {
  if (handle->pending.exchange(true)) return;
  if (!woken_.exchange(true)) platform_.Wake(wakeup_source_);
}

void Loop::StartIo(IoHandle* handle, Source source, uint8_t interest) {
  CONFORM_CHECK(source >= 0 && !handle->closing);
  handle->source = source;
  handle->interest = interest;
  any_signals_ = any_signals_ || handle->is_signal;
  if (source >= static_cast<int>(watchers_.size())) watchers_.resize(static_cast<size_t>(source) + 1, nullptr);
  watchers_[static_cast<size_t>(source)] = handle;
  platform_.Watch(source, interest);
  if (!handle->active) Activate(handle);
}

void Loop::StopIo(IoHandle* handle) {
  if (!handle->active) return;
  watchers_[static_cast<size_t>(handle->source)] = nullptr;
  handle->interest = 0;
  platform_.Watch(handle->source, 0);
  Deactivate(handle);
}

Source Loop::SignalSource() {
  if (signal_source_ == kNoSource) signal_source_ = platform_.OpenSignal();
  return signal_source_;
}

void Loop::Feed(IoHandle* handle) {
  if (std::find(pending_.begin(), pending_.end(), handle) == pending_.end()) pending_.push_back(handle);
}

void Loop::Submit(Request* request, int threads) {
  request->id = next_request_id_++;
  requests_[request->id] = request;
  ++requests_under_way_;
  platform_.Submit(request->id, threads + rules_.Has(Fault::kPoolOneThreadMore), wakeup_source_, request->name);
}

bool Loop::Cancel(Request* request) {
  if (rules_.Has(Fault::kCancelIgnored)) return false;
  if (!requests_.contains(request->id) || !platform_.Cancel(request->id)) return false;
  request->cancelled = true;
  return true;
}

void Loop::Close(Handle* handle, void (*on_close)(Handle*)) {
  CONFORM_CHECK(!handle->closing);
  handle->closing = true;
  handle->on_close = on_close;
  if (rules_.Has(Fault::kCloseAtOnce)) {
    if (on_close != nullptr) on_close(handle);
    return;
  }
  handle->next_closing = closing_;
  closing_ = handle;
}

void Loop::CloseTimer(TimerHandle* timer, void (*on_close)(Handle*)) {
  if (!rules_.Has(Fault::kClosedTimerRuns)) StopTimer(timer);
  Close(timer, on_close);
}

void Loop::CloseWakeup(WakeupHandle* handle, void (*on_close)(Handle*)) {
  std::erase(wakeups_, handle);
  std::replace(wakeup_pass_.begin(), wakeup_pass_.end(), handle, static_cast<WakeupHandle*>(nullptr));
  if (handle->active) Deactivate(handle);
  Close(handle, on_close);
}

void Loop::CloseIo(IoHandle* handle, void (*on_close)(Handle*)) {
  StopIo(handle);
  std::erase(pending_, handle);
  // The number may be given to another source before the events at hand are all seen.
  for (ReadySource& ready : ready_) {
    if (ready.source == handle->source) ready.source = kNoSource;
  }
  if (handle->source != kNoSource && handle->source != signal_source_) platform_.Close(handle->source);
  handle->source = kNoSource;
  Close(handle, on_close);
}

void Loop::Ref(Handle* handle) {
  if (rules_.Has(Fault::kRefIgnored)) return;
  if (handle->referenced && !rules_.Has(Fault::kRefCountsTwice)) return;
  handle->referenced = true;
  if (handle->active) ++active_;
}

void Loop::Unref(Handle* handle) {
  if (!handle->referenced || rules_.Has(Fault::kUnrefIgnored)) return;
  handle->referenced = false;
  if (handle->active) --active_;
}

void Loop::Activate(Handle* handle) {
  handle->active = true;
  if (handle->referenced) ++active_;
}

void Loop::Deactivate(Handle* handle) {
  handle->active = false;
  if (handle->referenced) --active_;
}

}  // namespace conform::reference
