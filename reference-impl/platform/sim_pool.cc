// The pool and the children of the simulated platform: when they end, and in which order.
#include <algorithm>
#include <utility>

#include "reference-impl/platform/sim_platform.h"

namespace conform::reference {

void SimPlatform::Submit(int64_t id, int threads, Source wakeup, std::string name, int64_t ms) {
  if (threads != kOwnThread) threads_ = threads;
  pool_wakeup_ = wakeup;
  Request request{id, std::move(name), clock_.spent_count(), clock_.due_now(), ms};
  request.has_own_thread = threads == kOwnThread;
  if (ms > 0) request.earliest_ends.push_back(clock_.Read() + ms);
  requests_.push_back(std::move(request));
}

void SimPlatform::Spawn(int64_t id, std::string name) {
  Request child{id, std::move(name), clock_.spent_count(), clock_.due_now(), 0};
  child.is_child = true;
  requests_.push_back(std::move(child));
}

int SimPlatform::SignalsOfChildren() {
  if (!std::exchange(just_asked_, false) && !requests_.empty()) EndSome(false);
  const int ended = std::exchange(ended_unsignalled_, 0);
  if (ended < 2) return ended;
  return 1 + chooser_.Choose(
                 ended, [] { return std::string("how many signals report the ends of children?"); },
                 [](int i) { return std::to_string(i + 1); });
}

std::vector<int64_t> SimPlatform::TakeEndedChildren() {
  if (!requests_.empty()) EndSome(false);
  std::sort(ended_children_.begin(), ended_children_.end());
  return std::exchange(ended_children_, {});
}

bool SimPlatform::Cancel(int64_t id) {
  // Whether a thread has taken it depends on what has ended by now, and on how quick the thread was.
  if (!requests_.empty()) EndSome(false);
  for (size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i].id != id) continue;
    const std::vector<size_t> running = Running();
    const bool has_a_thread = std::find(running.begin(), running.end(), i) != running.end();
    if (has_a_thread && (MustHaveBeenTaken(requests_[i]) ||
                         chooser_.Choose(
                             2, [] { return std::string("has a thread taken the request?"); },
                             [](int taken) { return std::string(taken == 0 ? "yes" : "not yet"); }) == 0)) {
      return false;
    }
    requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(i));
    ended_.push_back(id);
    MakeReadable(pool_wakeup_);
    return true;
  }
  return false;
}

std::vector<int64_t> SimPlatform::TakeEnded() {
  if (batch_ == Batch::kAtLeastOne) {
    just_asked_ = false;
    return {*NextOfBatch(false)};
  }
  // More may have ended since the poll returned, unless nothing has happened since.
  if (!std::exchange(just_asked_, false) && !requests_.empty()) EndSome(false);
  return std::exchange(ended_, {});
}

std::optional<int64_t> SimPlatform::TakeOneMore(bool can_wait) {
  if (rest_of_batch_.empty()) return NextOfBatch(can_wait);
  const int64_t next = rest_of_batch_.front();
  rest_of_batch_.pop_front();
  return next;
}

// Those that a batch has begun with may have ended in any order. The first of them tells runs apart.
bool SimPlatform::GoesOn(uint64_t how) {
  if (batch_ != Batch::kMaybeMore || taken_of_batch_ < 2 || !rest_of_batch_.empty()) return true;
  return !goes_on_between_ || goes_on_between_(how);
}

bool SimPlatform::CanEndAsBatch() const {
  const auto is_plain = [](const Request& r) { return !r.is_child && r.earliest_ends.empty(); };
  return ended_.empty() && !AnyIsReady() && std::all_of(requests_.begin(), requests_.end(), is_plain);
}

void SimPlatform::BeginBatch(bool at_least_one) {
  if (!at_least_one) {
    const std::vector<size_t> running = Running();
    const auto must = [this](size_t i) { return MustHaveEnded(requests_[i]); };
    if (std::none_of(running.begin(), running.end(), must) && !HasOneEnded()) return;
  }
  for (Request& request : requests_) {
    request.is_of_batch = true;
    request.must_be_of_batch = MustHaveEnded(request);
  }
  batch_ = Batch::kAtLeastOne;
  taken_of_batch_ = 0;
  MakeReadable(pool_wakeup_);
}

std::optional<int64_t> SimPlatform::NextOfBatch(bool can_wait) {
  if (batch_ == Batch::kNone) return std::nullopt;
  std::vector<size_t> those;
  those.reserve(requests_.size());
  bool must = batch_ == Batch::kAtLeastOne;
  int threads_left = threads_;
  for (size_t i = 0; i < requests_.size(); ++i) {
    if (!requests_[i].is_of_batch || (!requests_[i].has_own_thread && threads_left-- <= 0)) continue;
    those.push_back(i);
    must = must || requests_[i].must_be_of_batch;
  }
  if (those.empty() || (!must && (can_wait || !HasOneEnded()))) {
    for (Request& request : requests_) request.is_of_batch = false;
    batch_ = Batch::kNone;
    return std::nullopt;
  }
  const auto next = requests_.begin() + static_cast<std::ptrdiff_t>(WhichEnded(those));
  const int64_t id = next->id;
  requests_.erase(next);
  batch_ = Batch::kMaybeMore;
  ++taken_of_batch_;
  return id;
}

void SimPlatform::SettleBatch() {
  if (batch_ == Batch::kNone) return;
  const bool is_being_taken = batch_ == Batch::kMaybeMore;
  while (const std::optional<int64_t> next = NextOfBatch(false)) {
    if (is_being_taken) {
      rest_of_batch_.push_back(*next);
    } else {
      ended_.push_back(*next);
    }
  }
}

bool SimPlatform::MustHaveBeenTaken(const Request& request) const {
  if (clock_.timing() != Timing::kOnTime) return false;
  if (request.due_when_taken) return *request.due_when_taken < clock_.due_now();
  return request.spent_when_submitted < clock_.spent_count();
}

bool SimPlatform::MustHaveEnded(const Request& request) const {
  if (request.earliest_ends.empty()) return MustHaveBeenTaken(request);
  return clock_.timing() == Timing::kOnTime && DueEnd(request) < clock_.due_now();
}

int64_t SimPlatform::DueEnd(const Request& request) const {
  int64_t due = request.due_when_submitted;
  for (const Time end : request.earliest_ends) due = std::max(due, clock_.Due(end));
  return due;
}

bool SimPlatform::AnyMustHaveEnded() const {
  return std::any_of(requests_.begin(), requests_.end(), [this](const Request& r) { return MustHaveEnded(r); });
}

bool SimPlatform::AnyEndIsNews() const {
  if (asks_everything_) return true;
  return std::any_of(requests_.begin(), requests_.end(),
                     [this](const Request& r) { return r.is_child ? ended_children_.empty() : ended_.empty(); });
}

std::vector<size_t> SimPlatform::Running() const {
  std::vector<size_t> running;
  running.reserve(requests_.size());
  int threads_left = threads_;
  for (size_t i = 0; i < requests_.size(); ++i) {
    const bool apart = requests_[i].is_child || requests_[i].has_own_thread;
    if (apart || threads_left-- > 0) running.push_back(i);
  }
  return running;
}

bool SimPlatform::AnyTakesTime() const {
  return std::any_of(requests_.begin(), requests_.end(), [](const Request& r) { return !r.earliest_ends.empty(); });
}

Time SimPlatform::LatestOf(const std::vector<Time>& times) const {
  return *std::max_element(times.begin(), times.end(),
                           [this](Time a, Time b) { return clock_.Due(a) < clock_.Due(b); });
}

const SimPlatform::Request* SimPlatform::FirstToEnd() const {
  if (clock_.timing() != Timing::kOnTime) return nullptr;
  const Request* first = nullptr;
  for (const size_t i : Running()) {
    if (requests_[i].earliest_ends.empty()) return nullptr;
    if (first == nullptr || DueEnd(requests_[i]) < DueEnd(*first)) first = &requests_[i];
  }
  return first;
}

std::vector<size_t> SimPlatform::ThatMayEnd() {
  std::vector<size_t> those = Running();
  // Late, what takes time may end at any time: what is known is then that its time has passed.
  if (clock_.timing() != Timing::kOnTime || !AnyTakesTime()) return those;
  const Time now = clock_.Read();
  std::erase_if(those, [&](size_t i) {
    const std::vector<Time>& ends = requests_[i].earliest_ends;
    return !std::all_of(ends.begin(), ends.end(), [&](Time end) { return clock_.NotAfter(end, now); });
  });
  // Of two of which one takes time, the one that ends first is first.
  const std::vector<size_t> ended = those;
  std::erase_if(those, [&](size_t i) {
    return std::any_of(ended.begin(), ended.end(), [&](size_t j) {
      const bool timed = !requests_[i].earliest_ends.empty() || !requests_[j].earliest_ends.empty();
      const bool children = requests_[i].is_child || requests_[j].is_child;
      return timed && !children && DueEnd(requests_[j]) < DueEnd(requests_[i]);
    });
  });
  return those;
}

bool SimPlatform::HasOneEnded() {
  return chooser_.Choose(
             2, [] { return std::string("has a request ended?"); },
             [](int i) { return std::string(i == 0 ? "yes" : "not yet"); }) == 0;
}

size_t SimPlatform::WhichEnded(const std::vector<size_t>& those) {
  if (those.size() == 1) return those[0];
  return those[static_cast<size_t>(chooser_.Choose(
      static_cast<int>(those.size()), [] { return std::string("which request ended?"); },
      [&](int i) { return requests_[those[static_cast<size_t>(i)]].name; }))];
}

void SimPlatform::EndSome(bool at_least_one) {
  SettleBatch();
  bool need_one = at_least_one;
  while (!requests_.empty()) {
    const std::vector<size_t> those = ThatMayEnd();
    if (those.empty()) break;
    const bool must = std::any_of(those.begin(), those.end(), [this](size_t i) { return MustHaveEnded(requests_[i]); });
    if (!need_one && !must && !HasOneEnded()) break;
    EndOne(those);
    need_one = false;
  }
}

void SimPlatform::EndOne(const std::vector<size_t>& those) {
  const size_t chosen = WhichEnded(those);
  const Request ended = std::move(requests_[chosen]);
  requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(chosen));
  if (ended.is_child) {
    ended_children_.push_back(ended.id);
    ++ended_unsignalled_;
    StirSignals();
    return;
  }
  ended_.push_back(ended.id);
  MakeReadable(pool_wakeup_);
  if (clock_.timing() == Timing::kLate) {
    for (const Time end : ended.earliest_ends) clock_.Pass(end);
  }
  if (ended.earliest_ends.empty()) return;
  // spec: poll.pool-waits. Its thread takes the next.
  int threads_left = threads_;
  for (Request& next : requests_) {
    if (next.is_child || next.has_own_thread || --threads_left > 0) continue;
    for (const Time end : ended.earliest_ends) next.earliest_ends.push_back(end + next.ms);
    next.due_when_taken = DueEnd(ended);
    break;
  }
}

}  // namespace conform::reference
