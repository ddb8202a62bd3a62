#include "reference-impl/platform/sim_platform.h"

#include <algorithm>
#include <utility>

namespace conform::reference {

SimPlatform::SimPlatform(Timing timing, Chooser& chooser, std::function<bool()> before_wait,
                         std::function<bool(bool, bool)> at_rest, std::function<bool(uint64_t)> goes_on)
    : clock_(timing, chooser),
      chooser_(chooser),
      before_wait_(std::move(before_wait)),
      at_rest_(std::move(at_rest)),
      goes_on_between_(std::move(goes_on)) {}

void SimPlatform::Rest(bool is_open) {
  SettleBatch();
  goes_on_ = before_wait_() && (!at_rest_ || at_rest_(true, is_open));
}

void SimPlatform::RestWithoutWait() {
  if (at_rest_) at_rest_(false, true);
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
  // nothing else is ready and the poll waits, it is the same whether they end now or then; not so where that they have
  // ended tells what time it is.
  // Where a wait follows a look, a request may as well end in that wait: no time need have passed until then.
  const bool waits_or_will =
      bound.kind != WaitBound::Kind::kNoWait || (bound.wait_follows && clock_.MayStandAt(bound.base));
  const bool can_end_later = waits_or_will && !asks_everything_ && !AnyTakesTime();
  const bool as_batch = bound.takes_one_by_one && !asks_everything_ && CanEndAsBatch();
  if (!requests_.empty() && !(can_end_later && !AnyIsReady() && !AnyMustHaveEnded())) {
    as_batch ? BeginBatch(false) : EndSome(false);
  }
  bool follows_one_that_is_ready = false;
  for (const auto& [source, readiness] : to_watch_) {
    const auto it = sources_.find(source);
    if (it == sources_.end()) continue;
    // Sources are watched one by one. Late, the wake-up of a request may come between two of them.
    const bool is_ready = (it->second.ready & readiness) != 0;
    const bool may_come_between = clock_.timing() == Timing::kLate && batch_ == Batch::kNone && !requests_.empty();
    const bool place_matters = asks_everything_ || (is_ready && follows_one_that_is_ready);
    if (place_matters && may_come_between && AnyEndIsNews()) EndSome(false);
    follows_one_that_is_ready = follows_one_that_is_ready || is_ready;
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
  const bool waits = bound.kind != WaitBound::Kind::kNoWait || bound.wait_follows;
  if (ready_list_.empty() && waits && bound.may_be_woken_for_nothing &&
      IsLate("did a request end between its wake-up and the look?")) {
    MakeReadable(pool_wakeup_);
  }
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
  } else if ((!ready_list_.empty() || asks_everything_) && batch_ == Batch::kNone && AnyEndIsNews()) {
    // Requests that end while the poll looks: their wake-up comes last.
    EndSome(false);
  }
  just_asked_ =
      !asks_everything_ && !AnyTakesTime() && ready_list_.size() == 1 &&
      (sources_.at(ready_list_.front()).is_signal || (woken_ != pool_wakeup_ && ready_list_.front() == pool_wakeup_));
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
