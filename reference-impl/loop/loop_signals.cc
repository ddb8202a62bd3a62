// Signals, and children, whose ends are signals: how they are caught, on their way, and reported.

#include <signal.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "reference-impl/loop/loop.h"

namespace conform::reference {

void Loop::WatchSignals() {
  if (signal_source_ != kNoSource) return;
  signal_source_ = platform_.OpenSignal();
  platform_.Watch(signal_source_, kReadable);
}

void Loop::StartSignal(SignalHandle* handle) {
  if (handle->started || handle->closing) return;
  WatchSignals();
  const SignalHandle* const first = FirstOf(handle->number);
  if (first == nullptr || (first->is_once && !handle->is_once)) caught_[handle->number] = handle->is_once;
  const auto behind = [handle](const SignalHandle* other) {
    return std::tie(other->is_once, other->address) > std::tie(handle->is_once, handle->address);
  };
  signals_.insert(std::find_if(signals_.begin(), signals_.end(), behind), handle);
  handle->started = true;
  if (!handle->active) Activate(handle);
}

// spec: close.signal-under-way
void Loop::StopSignal(SignalHandle* handle) {
  if (!handle->started) return;
  std::erase(signals_, handle);
  handle->started = false;
  const SignalHandle* const first = FirstOf(handle->number);
  if (first == nullptr) {
    caught_.erase(handle->number);
  } else if (first->is_once && !handle->is_once) {
    caught_[handle->number] = true;
  }
  const bool stays = rules_.signal_close == LoopRules::SignalClose::kActiveUntilDelivered;
  if (!stays || handle->under_way == 0) Deactivate(handle);
}

// The one that decides how the signal is caught: one that stops itself only where there is no other.
const SignalHandle* Loop::FirstOf(int number) const {
  const auto first = std::find_if(signals_.begin(), signals_.end(),
                                  [number](const SignalHandle* handle) { return handle->number == number; });
  return first == signals_.end() ? nullptr : *first;
}

// A signal that no handle is started for is not caught, and one for handles that stop themselves only once.
// spec: poll.signal-once
void Loop::RaiseSignal(int number) {
  const auto caught = caught_.find(number);
  if (caught == caught_.end()) return;
  if (caught->second) caught_.erase(caught);
  CatchEndsOfChildren();
  CatchSignal(number);
  platform_.RaiseSignal();
}

// spec: poll.signals-in-order
void Loop::CatchSignal(int number) {
  for (SignalHandle* handle : signals_) {
    if (handle->number != number) continue;
    ++handle->under_way;
    caught_signals_.push_back(handle);
  }
}

// spec: poll.children
void Loop::StartChild(Request* request) {
  WatchSignals();
  request->id = next_request_id_++;
  requests_[request->id] = request;
  ++requests_under_way_;
  platform_.Spawn(request->id, request->name);
}

// Those that have ended before a signal is raised are on their way before it.
void Loop::CatchEndsOfChildren() {
  if (requests_under_way_ == 0) return;
  for (int left = platform_.SignalsOfChildren(); left > 0; --left) caught_signals_.push_back(nullptr);
}

// Any of their signals makes the loop look for all that have ended.
void Loop::ReapChildren() {
  for (const int64_t id : platform_.TakeEndedChildren()) {
    Request* request = TakeRequest(id);
    request->callback(request);
  }
}

// spec: poll.signal-each-time. As many as fit are read at a time, and more only if that many were there: what is raised
// meanwhile is then among them, and otherwise waits for the next poll.
void Loop::HandleSignals() {
  constexpr size_t kReadAtOnce = 32;
  CatchEndsOfChildren();
  const bool stirred = platform_.Read(signal_source_) > 0;
  // Raised elsewhere, if not here.
  if (stirred && caught_signals_.empty() && !signals_.empty()) CatchSignal(signals_.front()->number);
  if (rules_.signal_queue == LoopRules::SignalQueue::kByNumber) {
    const auto number = [](const SignalHandle* handle) { return handle == nullptr ? SIGCHLD : handle->number; };
    std::stable_sort(caught_signals_.begin(), caught_signals_.end(),
                     [&](const SignalHandle* a, const SignalHandle* b) { return number(a) < number(b); });
  }
  size_t read = 0;
  do {
    read = std::min(caught_signals_.size(), kReadAtOnce);
    const std::vector<SignalHandle*> batch(caught_signals_.begin(),
                                           caught_signals_.begin() + static_cast<std::ptrdiff_t>(read));
    caught_signals_.erase(caught_signals_.begin(), caught_signals_.begin() + static_cast<std::ptrdiff_t>(read));
    for (SignalHandle* handle : batch) {
      if (handle == nullptr) {
        ReapChildren();
        continue;
      }
      if (handle->started) handle->callback(handle);
      --handle->under_way;
      if (handle->is_once && rules_.signal_once == LoopRules::SignalOnce::kStops) StopSignal(handle);
      if (handle->under_way > 0) continue;
      if (!handle->started && handle->active) Deactivate(handle);
      const bool awaited = std::exchange(handle->awaits_signal, false);
      if (awaited && rules_.signal_close != LoopRules::SignalClose::kWaitsInQueue) QueueClosing(handle);
    }
    if (read == kReadAtOnce) platform_.Read(signal_source_);
  } while (read == kReadAtOnce);
}

// spec: close.signal-under-way
void Loop::CloseSignal(SignalHandle* handle, void (*on_close)(Handle*)) {
  StopSignal(handle);
  handle->awaits_signal = handle->under_way > 0;
  Close(handle, on_close);
}

}  // namespace conform::reference
