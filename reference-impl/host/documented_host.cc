#include "reference-impl/host/documented_host.h"

#include <algorithm>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

// Some loops read a clock that moves in steps, so that a timer may look as if it were not due for a while.
constexpr int64_t kClockStepMs = 10;

}  // namespace

DocumentedHost::DocumentedHost(const Case& c, const DocumentedRules& rules, Platform& platform, Recorder& recorder)
    : Interpreter(c, platform.clock(), recorder),
      platform_(platform),
      rules_(rules),
      order_(rules, clock_),
      looks_{clock_.Read()} {}

DocumentedHost::~DocumentedHost() {
  for (const RequestPtr& request : requests_) {
    if (request->source != kNoSource) platform_.Close(request->source);
  }
}

void DocumentedHost::RunFromStart() {
  main_stack_ = {{&case_.program}};
  RunMain();
}

void DocumentedHost::RunFromRest() {
  RunTurns();
  RunMain();
}

void DocumentedHost::RunMain() {
  Continue(&main_stack_, main_, main_->runs, where_);
  if (!ran_) RunLoop();
}

void DocumentedHost::RunLoop() {
  ran_ = true;
  if (AnythingLeft()) return RunTurns();
  stopping_ = false;
}

void DocumentedHost::RunTurns() {
  do {
    RunTurn();
    if (stopping_ && EndsHere()) break;
  } while (AnythingLeft());
  stopping_ = false;
}

// spec: documented.open
void DocumentedHost::RunTurn() {
  platform_.Rest(true);
  Look();
  std::vector<RequestPtr> next;
  bool any_ready = false;
  for (const RequestPtr& request : requests_) {
    if (request->ready_since == 0) continue;
    any_ready = true;
    if (!IsHeldBack(*request)) next.push_back(request);
  }
  if (!any_ready) return;  // woken early
  CONFORM_CHECK(!next.empty());
  for (const RequestPtr& request : next) request->is_free = true;
  size_t first = 0;
  if (next.size() > 1) first = platform_.First(next.size(), [&](size_t i) { return next[i]->step->label; });
  Run(next[first]);
}

bool DocumentedHost::IsHeldBack(const Request& request) {
  return std::any_of(requests_.begin(), requests_.end(), [&](const RequestPtr& other) {
    return other->ready_since != 0 && other.get() != &request && order_.MustPrecede(*other, request);
  });
}

void DocumentedHost::Look() {
  const Time before = clock_.Read();
  WaitBound bound{WaitBound::Kind::kForever, before, {}};
  for (const RequestPtr& request : requests_) {
    if (request->Is(Op::kCheck) && !IsReady(*request, before)) continue;
    if (request->ready_since != 0 || !request->IsLookedFor() || (request->IsTimer() && !rules_.timer_not_early)) {
      bound.kind = WaitBound::Kind::kNoWait;
      break;
    }
    if (!request->IsTimer()) continue;
    const bool is_first = bound.kind == WaitBound::Kind::kForever || clock_.Before(request->deadline, bound.deadline);
    if (is_first) bound = {WaitBound::Kind::kUntil, before, request->deadline};
  }
  std::vector<ReadySource> ready;
  if (!platform_.Wait(bound, &ready)) throw ProcessEnd();
  ++turn_;
  const Time now = clock_.Read();
  for (const RequestPtr& request : requests_) {
    for (const ReadySource& source : ready) request->was_found |= source.source == request->source;
    if (request->ready_since == 0 && IsReady(*request, now)) request->ready_since = turn_;
    const bool is_later = request->looks.empty() || clock_.Before(request->looks.back(), now);
    if (request->ready_since != 0 && is_later) request->looks.push_back(now);
  }
}

bool DocumentedHost::IsReady(const Request& request, Time now) {
  if (request.Is(Op::kRead)) return request.was_found;
  // spec: documented.after-another
  if (request.Is(Op::kCheck) && rules_.check == DocumentedRules::Check::kAfterAnother) {
    return callbacks_ > request.asked_at;
  }
  // spec: documented.timer-not-early
  if (!request.IsTimer() || !rules_.timer_not_early) return true;
  if (!clock_.NotAfter(request.deadline, now)) return false;
  return !(clock_.NotAfter(now, request.deadline + kClockStepMs) && platform_.IsLate("is a due timer not seen yet?"));
}

void DocumentedHost::Run(const RequestPtr& request) {
  Remove(request.get());
  ++callbacks_;
  looks_ = request->looks;
  if (request->source != kNoSource) {
    platform_.Read(request->source);
    platform_.Close(request->source);
    request->source = kNoSource;
  }
  const char* phase = request->IsTimer() ? "timers" : request->Is(Op::kRead) ? "descriptors" : "callbacks";
  RunTask(request->task, {phase, "documented.open"}, request->was_cancelled ? "ECANCELED" : "");
}

// spec: documented.stop
bool DocumentedHost::EndsHere() {
  if (rules_.stop == DocumentedRules::Stop::kAtOnce) return true;
  const auto waits = [](const RequestPtr& request) { return request->Is(Op::kSoon); };
  const bool pending = std::any_of(requests_.begin(), requests_.end(), waits);
  if (pending && rules_.stop == DocumentedRules::Stop::kAfterPending) return false;
  const auto was_seen = [](const RequestPtr& request) { return request->ready_since != 0; };
  if (!pending && std::none_of(requests_.begin(), requests_.end(), was_seen)) return true;
  return Chooses("the end of the run", "another callback");
}

// What only comes along with others keeps no loop alive.
bool DocumentedHost::AnythingLeft() const {
  return std::any_of(requests_.begin(), requests_.end(), [this](const RequestPtr& request) {
    return !(request->Is(Op::kCheck) && rules_.check == DocumentedRules::Check::kAfterAnother);
  });
}

bool DocumentedHost::Chooses(const char* yes, const char* no) {
  return platform_.First(2, [yes, no](size_t i) { return std::string(i == 0 ? yes : no); }) == 0;
}

const HostOps<DocumentedHost>& DocumentedHost::Ops() {
  static const HostOps<DocumentedHost> kOps = {
      {Op::kSoon, &DocumentedHost::Ask, {ModelledOps::kEveryKind}},
      {Op::kTimeout, &DocumentedHost::Ask, {ModelledOps::kEveryKind}},
      {Op::kRead, &DocumentedHost::Ask, {ModelledOps::kEveryKind}},
      {Op::kIdle, &DocumentedHost::Ask, {ModelledOps::kEveryKind}},
      {Op::kPrepare, &DocumentedHost::Ask, {ModelledOps::kEveryKind}},
      {Op::kCheck, &DocumentedHost::Ask, {ModelledOps::kEveryKind}},
      {Op::kClear, &DocumentedHost::DoClear, {ModelledOps::kEveryKind}},
      {Op::kRun, &DocumentedHost::DoRun},
      {Op::kStop, &DocumentedHost::DoStop},
  };
  return kOps;
}

Outcome DocumentedHost::Do(const Step& step, const TaskPtr& around) {
  Ops().Do(*this, step, around);
  return Outcome::Done();
}

void DocumentedHost::DoClear(const Step& step) {
  const auto request = std::dynamic_pointer_cast<Request>(Find(step.target));
  if (request == nullptr || std::find(requests_.begin(), requests_.end(), request) == requests_.end()) return;
  if (step.kind == "cancel") {
    Cancel(request.get());
  } else {
    Clear(request);
  }
}

void DocumentedHost::DoRun(const Step&) { RunLoop(); }

void DocumentedHost::DoStop(const Step&) { stopping_ = true; }

void DocumentedHost::Ask(const TaskPtr& task) {
  const Step& step = *task->step;
  // spec: documented.never-inside, documented.dispatch
  const bool may_run_now = step.op == Op::kSoon && (!rules_.never_inside || step.kind == "dispatch");
  if (may_run_now && Chooses("the callback, inside the call that schedules it", "the end of the call")) {
    RunTask(task, {"callbacks", "documented.dispatch"});
    return;
  }
  const auto request = std::make_shared<Request>();
  request->step = &step;
  request->task = task;
  request->number = next_number_++;
  request->asked_at = callbacks_;
  if (!request->IsLookedFor()) request->looks = looks_;
  if (step.op == Op::kTimeout) request->deadline = TimerBase() + static_cast<int64_t>(DelayOf(step));
  if (step.op == Op::kRead) {
    request->source = platform_.OpenReadable();
    platform_.Watch(request->source, kReadable);
  }
  requests_.push_back(request);
  Name(step.label, request);
}

// spec: documented.loop-time. A loop may have looked for the last time when what runs now was ready for the first time.
Time DocumentedHost::TimerBase() {
  std::vector<Time> times = looks_;
  const Time now = clock_.Read();
  if (!rules_.loop_time && clock_.Before(times.back(), now)) times.push_back(now);
  if (times.size() == 1) return times.front();
  const auto name = [&](size_t i) { return "the time of look " + std::to_string(i + 1) + " as the start of a timer"; };
  return times[platform_.First(times.size(), name)];
}

// spec: documented.cleared
void DocumentedHost::Clear(const RequestPtr& request) {
  const bool too_late = request->ready_since != 0 || !request->IsLookedFor();
  if (too_late && !rules_.cleared_never_comes && Chooses("the callback that is cleared", "nothing")) return;
  Remove(request.get());
  if (request->source != kNoSource) platform_.Close(request->source);
  request->source = kNoSource;
}

// spec: documented.cancellation-is-reported. One that is due already may have to be taken for one that has come.
void DocumentedHost::Cancel(Request* request) {
  const bool is_due = request->ready_since != 0 || clock_.NotAfter(request->deadline, clock_.Read());
  if (is_due && Chooses("the timer as if it was not cancelled", "the timer as cancelled")) return;
  if (!rules_.cancellation_is_reported && Chooses("nothing of a cancelled timer", "the timer as cancelled")) {
    Remove(request);
    return;
  }
  request->was_cancelled = true;
  request->looks = looks_;
}

void DocumentedHost::Remove(const Request* request) {
  std::erase_if(requests_, [request](const RequestPtr& other) { return other.get() == request; });
}

void DocumentedHost::AddTo(Fingerprint* fingerprint) const {
  AddNames(fingerprint);
  fingerprint->Add((stopping_ ? 1u : 0u) | (ran_ ? 2u : 0u));
  fingerprint->Add(requests_.size());
  for (const RequestPtr& request : requests_) {
    AddThing(fingerprint, request.get());
    fingerprint->Add(static_cast<uint64_t>(request->ready_since == 0 ? 0 : turn_ - request->ready_since + 1));
    fingerprint->Add(callbacks_ > request->asked_at ? 1u : 0u);
  }
  fingerprint->Add(main_stack_.size());
  for (const Frame& frame : main_stack_) fingerprint->Add(frame.next);
}

}  // namespace conform::reference
