#include "reference-impl/platform/sim_platform.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

SimPlatform::SimPlatform(Timing timing, Chooser& chooser, std::function<bool()> before_wait,
                         std::function<void()> at_rest, std::function<bool(uint64_t)> goes_on)
    : clock_(timing, chooser),
      chooser_(chooser),
      before_wait_(std::move(before_wait)),
      at_rest_(std::move(at_rest)),
      goes_on_between_(std::move(goes_on)) {}

void SimPlatform::Rest() {
  SettleBatch();
  goes_on_ = before_wait_();
  if (*goes_on_ && at_rest_) at_rest_();
}

void SimPlatform::RestBeforeRun() {
  if (at_rest_) at_rest_();
}

bool SimPlatform::Intrudes(bool usual) {
  if (clock_.timing() == Timing::kOnTime) return usual;
  return chooser_.Choose(
             2, [] { return std::string("does the engine run one of its own tasks here?"); },
             [](int i) { return std::string(i == 0 ? "no" : "yes"); }) == 1;
}

bool SimPlatform::IsLate(const char* what) {
  if (clock_.timing() == Timing::kOnTime) return false;
  return chooser_.Choose(
             2, [what] { return std::string(what); }, [](int i) { return std::string(i == 0 ? "no" : "yes"); }) == 1;
}

size_t SimPlatform::First(size_t count, const std::function<std::string(size_t)>& name) {
  return static_cast<size_t>(chooser_.Choose(
      static_cast<int>(count), [] { return std::string("which comes first? Nothing puts them in an order"); },
      [&name](int i) { return name(static_cast<size_t>(i)); }));
}

void SimPlatform::Watch(Source source, uint8_t readiness) {
  const auto entry =
      std::find_if(to_watch_.begin(), to_watch_.end(), [source](const auto& one) { return one.first == source; });
  if (entry != to_watch_.end()) {
    if (entry->second != 0 || readiness == 0) {
      entry->second = readiness;
      return;
    }
    to_watch_.erase(entry);  // stopped meanwhile: it has lost its place
  }
  to_watch_.emplace_back(source, readiness);
}

// spec: poll.ready-in-start-order, poll.data-waiting-is-ready. What is watched from now on comes after what was ready
// before, and is reported if it has anything.
bool SimPlatform::Wait(const WaitBound& bound, std::vector<ReadySource>* ready) {
  SettleBatch();
  if (!goes_on_) goes_on_ = before_wait_();
  if (!*goes_on_) return false;
  if (!bound.wait_follows) goes_on_.reset();
  ready->clear();
  // Requests that have ended before the poll begins: their wake-up comes before what is only now being watched. Where
  // nothing else is ready and the poll waits, it is the same whether they end now or then.
  // Where a wait follows a look, a request may as well end in that wait: no time need have passed until then.
  const bool can_end_later =
      bound.kind != WaitBound::Kind::kNoWait || (bound.wait_follows && clock_.MayStandAt(bound.base));
  const bool as_batch = bound.takes_one_by_one && !asks_everything_ && CanEndAsBatch();
  if (!requests_.empty() && !(can_end_later && !AnyIsReady() && !AnyMustHaveEnded())) {
    as_batch ? BeginBatch(false) : EndSome(false);
  }
  for (const auto& [source, readiness] : to_watch_) {
    const auto it = sources_.find(source);
    if (it == sources_.end()) continue;
    it->second.watched = readiness;
    Queue(source);
  }
  to_watch_.clear();
  // What was reported stays where it is until a poll finds nothing there. If there is something again by then, it has
  // kept its place before what became ready later.
  std::erase_if(ready_list_, [this](Source source) {
    const SimSource& s = sources_.at(source);
    return (s.ready & s.watched) == 0;
  });
  if (ready_list_.empty() && bound.kind != WaitBound::Kind::kNoWait) {
    const bool may_sleep = bound.kind == WaitBound::Kind::kUntil;
    if (requests_.empty()) {
      if (!may_sleep) return false;
      clock_.SleepUntil(bound.base, bound.deadline);
    } else if (const Request* const first = FirstToEnd()) {
      const Time end = LatestOf(first->earliest_ends);
      if (may_sleep && !clock_.NotAfter(end, bound.deadline)) {
        clock_.SleepUntil(bound.base, bound.deadline);
      } else {
        clock_.SpinUntil(end);
        for (const Time one : first->earliest_ends) clock_.Pass(one);
        EndSome(true);
      }
    } else if (!may_sleep || clock_.timing() == Timing::kOnTime) {
      // On time, a trip through the pool that takes no time is shorter than any sleep.
      as_batch ? BeginBatch(true) : EndSome(true);
    } else if (chooser_.Choose(
                   2, [] { return std::string("which comes first?"); },
                   [](int i) { return std::string(i == 0 ? "the end of a request" : "the deadline of a timer"); }) ==
               0) {
      as_batch ? BeginBatch(true) : EndSome(true);
    } else {
      clock_.SleepUntil(bound.base, bound.deadline);
    }
  } else if (!ready_list_.empty() && batch_ == Batch::kNone && AnyEndIsNews()) {
    // Requests that end while the poll looks: their wake-up comes last.
    EndSome(false);
  }
  just_asked_ = ready_list_.size() == 1 && (sources_.at(ready_list_.front()).is_signal ||
                                            (woken_ != pool_wakeup_ && ready_list_.front() == pool_wakeup_));
  for (Source source : ready_list_) {
    const SimSource& s = sources_.at(source);
    ready->push_back({source, static_cast<uint8_t>((s.ready & s.watched) | (HasHungUp(s) ? kHangup : 0))});
    if (ready->size() == kMaxReadyPerWait) break;
  }
  return true;
}

bool SimPlatform::AnyIsReady() const {
  const auto is_ready = [this](Source source, uint8_t wanted) {
    const auto it = sources_.find(source);
    return it != sources_.end() && (it->second.ready & wanted) != 0;
  };
  return std::any_of(ready_list_.begin(), ready_list_.end(),
                     [&](Source source) { return is_ready(source, sources_.at(source).watched); }) ||
         std::any_of(to_watch_.begin(), to_watch_.end(),
                     [&](const auto& entry) { return is_ready(entry.first, entry.second); });
}

Source SimPlatform::OpenReadable() {
  SimSource source;
  source.ready = kReadable;
  source.bytes = 1;
  return Open(source);
}

int SimPlatform::Read(Source source) {
  SimSource& s = sources_.at(source);
  if (source == woken_) woken_ = kNoSource;
  const int bytes = s.bytes;
  s.bytes = 0;
  ClearReady(source, kReadable);
  if (bytes > 0) return bytes;
  return s.at_end ? 0 : -1;
}

Input SimPlatform::ReadByte(Source source) {
  SimSource& s = sources_.at(source);
  if (s.bytes > 0) {
    if (--s.bytes == 0 && !s.at_end) ClearReady(source, kReadable);
    return Input::kByte;
  }
  if (std::exchange(s.is_reset, false)) return Input::kReset;
  return s.at_end ? Input::kEnd : Input::kNothingYet;
}

Source SimPlatform::ConnectRefused() {
  // On loopback the refusal is there at once.
  SimSource source;
  source.ready = kWritable;
  return Open(source);
}

Source SimPlatform::OpenWakeup() { return Open({}); }

void SimPlatform::Wake(Source wakeup) {
  woken_ = wakeup;
  MakeReadable(wakeup);
}

void SimPlatform::MakeReadable(Source wakeup) {
  sources_.at(wakeup).bytes = 1;
  SetReady(wakeup, kReadable);
}

Source SimPlatform::Listen() { return Open({}); }

Source SimPlatform::Connect(Source listener) {
  SimSource client;
  client.ready = kWritable;
  const Source client_id = Open(client);
  SimSource server;
  server.ready = kWritable;
  server.peer = client_id;
  const Source server_id = Open(server);
  sources_.at(client_id).peer = server_id;
  sources_.at(listener).waiting.push_back(server_id);
  SetReady(listener, kReadable);
  return client_id;
}

// spec: poll.connections-in-order
Source SimPlatform::Accept(Source listener) {
  SimSource& s = sources_.at(listener);
  if (s.waiting.empty()) return kNoSource;
  const Source server = s.waiting.front();
  s.waiting.erase(s.waiting.begin());
  if (s.waiting.empty()) ClearReady(listener, kReadable);
  return server;
}

bool SimPlatform::Write(Source source) {
  if (sources_.at(source).is_shut) return false;
  const Source peer = sources_.at(source).peer;
  const auto it = sources_.find(peer);
  if (it == sources_.end()) return false;
  ++it->second.bytes;
  SetReady(peer, kReadable);
  return true;
}

void SimPlatform::Shutdown(Source source) {
  sources_.at(source).is_shut = true;
  const auto peer = sources_.find(sources_.at(source).peer);
  if (peer == sources_.end()) return;
  peer->second.at_end = true;
  SetReady(peer->first, kReadable);
}

Source SimPlatform::OpenDatagrams() {
  SimSource source;
  source.ready = kWritable;
  return Open(source);
}

void SimPlatform::SendDatagram(Source source) {
  ++sources_.at(source).bytes;
  SetReady(source, kReadable);
}

bool SimPlatform::ReceiveDatagram(Source source) {
  int& waiting = sources_.at(source).bytes;
  if (waiting == 0) return false;
  if (--waiting == 0) ClearReady(source, kReadable);
  return true;
}

Source SimPlatform::OpenSignal() {
  SimSource source;
  source.is_signal = true;
  return Open(source);
}

void SimPlatform::RaiseSignal() { StirSignals(); }

void SimPlatform::StirSignals() {
  for (auto& [id, source] : sources_) {
    if (!source.is_signal) continue;
    source.bytes = 1;
    SetReady(id, kReadable);
  }
}

void SimPlatform::Close(Source source) {
  // Connections that were not accepted go with their listener.
  if (const auto it = sources_.find(source); it != sources_.end()) {
    for (const Source waiting : std::exchange(it->second.waiting, {})) {
      const auto client = sources_.find(sources_.at(waiting).peer);
      if (client != sources_.end()) client->second.is_reset = true;
      Close(waiting);
    }
  }
  // The other side of a connection sees the end.
  if (const auto it = sources_.find(source); it != sources_.end() && sources_.contains(it->second.peer)) {
    SimSource& peer = sources_.at(it->second.peer);
    peer.at_end = true;
    if (it->second.bytes > 0) peer.is_reset = true;
    SetReady(it->second.peer, kReadable);
  }
  std::erase(ready_list_, source);
  std::erase_if(to_watch_, [&](const auto& entry) { return entry.first == source; });
  sources_.erase(source);
}

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
  const std::vector<size_t> running = Running();
  const auto must = [this](size_t i) { return MustHaveEnded(requests_[i]); };
  if (!at_least_one && std::none_of(running.begin(), running.end(), must) && !HasOneEnded()) return;
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

Source SimPlatform::Open(SimSource source) {
  sources_[next_source_] = std::move(source);
  return next_source_++;
}

void SimPlatform::SetReady(Source source, uint8_t readiness) {
  sources_.at(source).ready |= readiness;
  Queue(source);
}

void SimPlatform::ClearReady(Source source, uint8_t readiness) {
  sources_.at(source).ready &= static_cast<uint8_t>(~readiness);
}

void SimPlatform::Queue(Source source) {
  const SimSource& s = sources_.at(source);
  if ((s.ready & s.watched) == 0) return;
  if (std::find(ready_list_.begin(), ready_list_.end(), source) == ready_list_.end()) ready_list_.push_back(source);
}

bool SimPlatform::HasHungUp(const SimSource& source) const {
  return source.at_end && (source.is_shut || !sources_.contains(source.peer));
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

void SimPlatform::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(sources_.size());
  // Sources are named by age: a name that a path has used up changes nothing.
  std::vector<Source> by_age;
  by_age.reserve(sources_.size());
  for (const auto& [id, source] : sources_) by_age.push_back(id);
  auto name_of = [&](Source id) {
    const auto found = std::lower_bound(by_age.begin(), by_age.end(), id);
    const bool is_there = found != by_age.end() && *found == id;
    return is_there ? static_cast<uint64_t>(found - by_age.begin()) + 1 : 0;
  };
  for (const auto& [id, source] : sources_) {
    fingerprint->Add(source.ready | (source.watched << 4) | (static_cast<uint64_t>(source.is_signal) << 8) |
                     (static_cast<uint64_t>(source.at_end) << 9) | (static_cast<uint64_t>(source.is_shut) << 10) |
                     (static_cast<uint64_t>(source.is_reset) << 11));
    fingerprint->Add(static_cast<uint64_t>(source.bytes));
    fingerprint->Add(name_of(source.peer));
    fingerprint->Add(source.waiting.size());
    for (Source waiting : source.waiting) fingerprint->Add(name_of(waiting));
  }
  for (const auto& [source, readiness] : to_watch_) {
    fingerprint->Add(name_of(source));
    fingerprint->Add(readiness);
  }
  fingerprint->Add(ready_list_.size());
  for (Source source : ready_list_) fingerprint->Add(name_of(source));
  auto rank = [this](int64_t id) {
    const auto older = [id](const Request& r) { return r.id < id; };
    return static_cast<uint64_t>(
        std::count_if(requests_.begin(), requests_.end(), older) +
        std::count_if(ended_.begin(), ended_.end(), [id](int64_t e) { return e < id; }) +
        std::count_if(ended_children_.begin(), ended_children_.end(), [id](int64_t e) { return e < id; }));
  };
  fingerprint->Add(requests_.size());
  const bool any_takes_time = AnyTakesTime();
  for (const Request& request : requests_) {
    fingerprint->Add(request.name);
    fingerprint->Add(rank(request.id));
    fingerprint->Add((MustHaveEnded(request) ? 1u : 0u) | (MustHaveBeenTaken(request) ? 2u : 0u) |
                     (request.is_child ? 4u : 0u) | (request.has_own_thread ? 8u : 0u) |
                     (request.is_of_batch ? 16u : 0u) | (request.is_of_batch && request.must_be_of_batch ? 32u : 0u));
    if (!any_takes_time) continue;
    fingerprint->Add(static_cast<uint64_t>(request.ms));
    fingerprint->Add(static_cast<uint64_t>(clock_.due_now() - request.due_when_submitted));
    for (const Time end : request.earliest_ends) fingerprint->Add(end);
  }
  fingerprint->Add(ended_.size());
  for (int64_t id : ended_) fingerprint->Add(rank(id));
  fingerprint->Add(static_cast<uint64_t>(ended_unsignalled_));
  fingerprint->Add(ended_children_.size());
  for (int64_t id : ended_children_) fingerprint->Add(rank(id));
}

}  // namespace conform::reference
