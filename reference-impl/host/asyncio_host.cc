#include "reference-impl/host/asyncio_host.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

bool CountsFromStart(const std::vector<Step>& body) {
  return std::any_of(body.begin(), body.end(), [](const Step& step) {
    return (step.op == Op::kTimeout && step.kind == "at") || CountsFromStart(step.body);
  });
}

bool HearsSignals(const std::vector<Step>& body) {
  return std::any_of(body.begin(), body.end(),
                     [](const Step& step) { return step.op == Op::kSignal || HearsSignals(step.body); });
}

}  // namespace

AsyncioHost::AsyncioHost(const Case& c, const AsyncioRules& rules, Platform& platform, Recorder& recorder)
    : Interpreter(c, platform.clock(), recorder),
      platform_(platform),
      rules_(rules),
      start_(clock_.Read()),
      counts_from_start_(CountsFromStart(c.program)),
      hears_signals_(HearsSignals(c.program)),
      timers_(clock_),
      wakeup_(platform.OpenWakeup()) {
  platform_.Watch(wakeup_, kReadable);
}

AsyncioHost::~AsyncioHost() {
  for (const ObjectPtr& object : objects_) CloseSource(object.get());
  platform_.Close(wakeup_);
}

void AsyncioHost::RunFromStart() {
  main_stack_ = {{&case_.program}};
  RunMain();
}

void AsyncioHost::RunFromRest() {
  RunPasses();
  EndRun();
  RunMain();
}

void AsyncioHost::RunMain() {
  if (Continue(&main_stack_, main_, main_->runs, where_).thrown()) {
    Emit("exit", {"exit", "pass.errors"}, "1");
    return;
  }
  if (!ran_) RunLoop(false);
}

// Nothing keeps this loop alive: whoever runs it stops it, here when no callback will come any more.
void AsyncioHost::RunLoop(bool one_pass) {
  ran_ = true;
  if (one_pass) Stop();
  // spec: pass.stop-before-run
  if (stopping_ || AnythingLeft()) RunPasses();
}

void AsyncioHost::RunPasses() {
  do {
    RunPass();
  } while (!stopping_ && AnythingLeft());
  stopping_ = false;
}

// spec: pass.snapshot
void AsyncioHost::RunPass() {
  platform_.Rest(true);
  ++pass_;
  Look();
  TakeResults();
  size_t left = rules_.pass == AsyncioRules::Pass::kOne ? std::min<size_t>(queue_.size(), 1) : queue_.size();
  for (; left > 0; --left) {
    // spec: pass.in-order
    if (rules_.queue_order == QueueOrder::kNewestFirst) {
      const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(left);
      std::rotate(queue_.begin(), end - 1, end);
    }
    const Entry entry = queue_.front();
    queue_.pop_front();
    if (entry.kind == Entry::Kind::kStop) {
      stopping_ = true;
      return;
    }
    RunEntry(entry);
    if (rules_.pass == AsyncioRules::Pass::kUntilEmpty) left = queue_.size() + 1;
  }
}

// spec: pass.order, ready.data-waiting
void AsyncioHost::Look() {
  TakeResults();
  WaitBound bound;
  if (queue_.empty() && !stopping_) {
    bound.kind = WaitBound::Kind::kForever;
    if (!timers_.empty()) {
      const Time now = clock_.Read();
      const bool due = clock_.NotAfter(timers_.MinDeadline(), now);
      bound = {due ? WaitBound::Kind::kNoWait : WaitBound::Kind::kUntil, now, timers_.MinDeadline()};
    }
  }
  if (!platform_.Wait(bound, &ready_)) throw ProcessEnd();
  switch (rules_.pass_order) {
    case AsyncioRules::PassOrder::kDescriptorsFirst:
      QueueDescriptors();
      QueueDueTimers();
      break;
    case AsyncioRules::PassOrder::kTimersFirst:
      QueueDueTimers();
      QueueDescriptors();
      break;
  }
}

// spec: ready.any-order
void AsyncioHost::QueueDescriptors() {
  std::vector<Entry> found;
  for (const ReadySource& ready : ready_) {
    if (ready.source == wakeup_) {
      // Where no signal can come, what waking up takes cannot be seen.
      if (hears_signals_) {
        found.push_back({Entry::Kind::kWokenUp, nullptr});
      } else {
        platform_.Read(wakeup_);
      }
    } else if (const auto reader = readers_.find(ready.source); reader != readers_.end()) {
      found.push_back({Entry::Kind::kCall, reader->second});
    }
  }
  while (!found.empty()) {
    size_t first = 0;
    if (rules_.ready_descriptors == AsyncioRules::ReadyDescriptors::kAny && found.size() > 1) {
      first = platform_.First(found.size(), [&](size_t i) {
        return found[i].object == nullptr ? std::string("the wake-up of the loop") : found[i].object->step->label;
      });
    }
    Queue(found[first]);
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

// spec: later.deadline-order, later.equal-deadlines, later.zero
void AsyncioHost::QueueDueTimers() {
  if (timers_.empty()) return;
  const Time now = clock_.Read();
  const auto take = [this] {
    Object* timer = timers_.Min();
    timers_.Remove(timer);
    return timer;
  };
  const size_t before = queue_.size();
  while (!timers_.empty() && IsDue(timers_.MinDeadline(), now)) {
    const Time deadline = timers_.MinDeadline();
    std::vector<Object*> together{take()};
    if (rules_.equal_deadlines == AsyncioRules::EqualDeadlines::kAny) {
      while (!timers_.empty() && clock_.NotAfter(timers_.MinDeadline(), deadline)) together.push_back(take());
    }
    while (!together.empty()) {
      size_t first = 0;
      if (together.size() > 1) {
        first = platform_.First(together.size(), [&](size_t i) { return together[i]->step->label; });
      }
      Queue({Entry::Kind::kCall, together[first]});
      together.erase(together.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
  if (rules_.due_order == AsyncioRules::DueOrder::kLatestFirst) {
    std::reverse(queue_.begin() + static_cast<std::ptrdiff_t>(before), queue_.end());
  }
}

// The clock of asyncio is finer than a millisecond: in the very millisecond of its deadline a timer may be due or not.
bool AsyncioHost::IsDue(Time deadline, Time now) {
  if (!clock_.NotAfter(deadline, now)) return false;
  return !(clock_.NotAfter(now, deadline) && platform_.IsLate("does a timer miss a look in its millisecond?"));
}

void AsyncioHost::Queue(Entry entry) {
  TakeResults();
  queue_.push_back(entry);
}

// A thread hands its result over as soon as it has it, whatever the loop is doing. Only its place in the queue can be
// seen, so it is enough to ask whenever something else gets a place.
void AsyncioHost::TakeResults() {
  if (requests_.empty()) return;
  for (int64_t id : platform_.TakeEnded()) {
    const auto found = requests_.find(id);
    CONFORM_CHECK(found != requests_.end());
    Object* work = found->second;
    requests_.erase(found);
    if (work != nullptr) queue_.push_back({Entry::Kind::kResult, work});
  }
}

bool AsyncioHost::AnythingLeft() const {
  const auto is_something = [](const Entry& entry) { return entry.kind != Entry::Kind::kNothing; };
  const auto is_wanted = [](const auto& request) { return request.second != nullptr; };
  return !timers_.empty() || !readers_.empty() || raised_ > 0 ||
         std::any_of(queue_.begin(), queue_.end(), is_something) ||
         std::any_of(requests_.begin(), requests_.end(), is_wanted);
}

// spec: pass.stop
void AsyncioHost::Stop() {
  if (rules_.stop == AsyncioRules::Stop::kQueued) {
    Queue({Entry::Kind::kStop, nullptr});
  } else {
    stopping_ = true;
  }
}

void AsyncioHost::RunEntry(const Entry& entry) {
  Object* object = entry.object;
  switch (entry.kind) {
    case Entry::Kind::kNothing:
    case Entry::Kind::kDone:
    case Entry::Kind::kStop:
      break;
    case Entry::Kind::kCall:
      if (object->step->op == Op::kRead) {
        if (object->source == kNoSource) break;
        platform_.Read(object->source);
        CloseSource(object);
        Call(object, {"descriptors", "ready.data-waiting"});
      } else if (object->step->op == Op::kTimeout) {
        Call(object, {"timers", "later.deadline-order"});
      } else {
        Call(object, {"soon", "pass.in-order"});
      }
      break;
    case Entry::Kind::kReaction:
      RunReaction(object, entry.failed);
      break;
    case Entry::Kind::kStep:
      Resume(object, entry.failed);
      break;
    case Entry::Kind::kResult:
      // spec: futures.work
      object->state = Object::State::kDone;
      switch (rules_.work_result) {
        case AsyncioRules::WorkResult::kQueued:
          Queue({Entry::Kind::kWorkDone, object});
          break;
        case AsyncioRules::WorkResult::kAtOnce:
          RunEntry({Entry::Kind::kWorkDone, object});
          break;
      }
      break;
    case Entry::Kind::kWorkDone:
      Call(object, {"soon", "futures.work"}, object->state == Object::State::kFailed ? "ECANCELED" : "");
      break;
    case Entry::Kind::kWokenUp:
      OnWokenUp();
      break;
    case Entry::Kind::kSignal:
      Call(object, {"soon", "ready.signals"});
      break;
  }
}

// spec: ready.signals. The loop learns of a signal through a descriptor; the handler is queued, which wakes it again.
void AsyncioHost::OnWokenUp() {
  platform_.Read(wakeup_);
  for (int i = std::exchange(raised_, 0); i > 0; --i) {
    Queue({Entry::Kind::kSignal, signal_});
    platform_.Wake(wakeup_);
  }
}

void AsyncioHost::Object::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(step->id));
  AddTask(fingerprint, task);
  fingerprint->Add(static_cast<uint64_t>(state) | (started ? 4u : 0u) | (must_cancel ? 8u : 0u) |
                   (source != kNoSource ? 16u : 0u));
  fingerprint->Add(waiting.size());
  for (const Entry& entry : waiting) AddThing(fingerprint, entry.object);
  AddThing(fingerprint, waits_for);
  fingerprint->Add(stack.size());
  for (const Frame& frame : stack) fingerprint->Add(frame.next);
}

void AsyncioHost::AddTo(Fingerprint* fingerprint) const {
  AddNames(fingerprint);
  fingerprint->Add((stopping_ ? 1u : 0u) | (ran_ ? 2u : 0u));
  fingerprint->Add(static_cast<uint64_t>(raised_));
  fingerprint->Add(queue_.size());
  for (const Entry& entry : queue_) {
    fingerprint->Add(static_cast<uint64_t>(entry.kind) | (entry.failed ? 64u : 0u));
    AddThing(fingerprint, entry.object);
  }
  std::map<uint64_t, std::pair<const Object*, Time>> timers;  // by age
  timers_.ForEach([&](const Object* timer, Time deadline, uint64_t id) { timers[id] = {timer, deadline}; });
  fingerprint->Add(timers.size());
  for (const auto& [id, timer] : timers) {
    AddThing(fingerprint, timer.first);
    fingerprint->Add(timer.second);
  }
  if (counts_from_start_) fingerprint->Add(start_);
  fingerprint->Add(readers_.size());
  for (const auto& [source, reader] : readers_) AddThing(fingerprint, reader);
  fingerprint->Add(requests_.size());
  for (const auto& [id, work] : requests_) AddThing(fingerprint, work);
  AddThing(fingerprint, signal_);
  AddThing(fingerprint, listener_);
  fingerprint->Add(main_stack_.size());
  for (const Frame& frame : main_stack_) fingerprint->Add(frame.next);
}

}  // namespace conform::reference
