#include "reference-impl/host/libuv_host.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

void LibuvHost::Object::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(step->id));
  AddTask(fingerprint, task);
  if (close_task != nullptr) AddTask(fingerprint, close_task);
  fingerprint->Add((connecting ? 1u : 0u) | (connected ? 2u : 0u) | (request.cancelled ? 4u : 0u) |
                   (held != kNoSource ? 8u : 0u) | (refused ? 16u : 0u) | (reset ? 32u : 0u));
  for (const TaskPtr& listener : on_connection) AddTask(fingerprint, listener);
  fingerprint->Add(static_cast<uint64_t>(signal.address));
  fingerprint->Add(static_cast<uint64_t>(signal.under_way));
  fingerprint->Add(to_write.size());
  for (const TaskPtr& write : to_write) AddTask(fingerprint, write);
  for (const Written& write : written) {
    AddTask(fingerprint, write.task);
    fingerprint->Add(write.error);
  }
  if (shutdown != nullptr) AddTask(fingerprint, shutdown);
  fingerprint->Add((writes_end ? 1u : 0u) | (sends ? 2u : 0u) | (receives ? 4u : 0u) | (stays_active ? 8u : 0u) |
                   (reset_is_next ? 16u : 0u));
  fingerprint->Add(reader == nullptr ? 0 : static_cast<uint64_t>(reader->step->id) + 1);
}

LibuvHost::LibuvHost(const Case& c, const LoopRules& rules, Platform& platform, Recorder& recorder)
    : Interpreter(c, platform.clock(), recorder), loop_(platform, rules) {
  loop_.set_closed_world(true);
}

void LibuvHost::RunFromStart() {
  main_stack_ = {{&case_.program}};
  RunMain();
}

void LibuvHost::RunFromRest() {
  EndRun(loop_.Continue());
  RunMain();
}

void LibuvHost::RunMain() {
  Continue(&main_stack_, main_, main_->runs, where_);
  if (!ran_) RunLoop(nullptr, RunMode::kDefault);
}

void LibuvHost::RunLoop(const Step* step, RunMode mode) {
  ran_ = true;
  running_ = step;
  EndRun(loop_.Run(mode));
}

void LibuvHost::EndRun(bool alive) {
  if (loop_.stuck()) {
    Emit("exit", {"exit", "liveness.ref-counts"}, "never");  // spec: liveness.ref-counts
    if (running_ == nullptr) return;                         // there is no more of the program
    throw ProcessEnd();
  }
  if (running_ != nullptr) Emit(running_->label, {"main", "iteration.run-modes"}, alive ? "1" : "0");
}

LibuvHost::ObjectPtr LibuvHost::Make(const Step& step, const TaskPtr& task) {
  auto object = std::make_shared<Object>();
  object->step = &step;
  object->kind = &KindOf(step.op);
  object->task = task;
  object->host = this;
  for (Handle* handle :
       std::initializer_list<Handle*>{&object->timer, &object->phase, &object->wakeup, &object->io, &object->signal}) {
    handle->data = static_cast<Thing*>(object.get());
  }
  object->request.data = static_cast<Thing*>(object.get());
  object->request.name = step.label;
  object->timer.callback = [](TimerHandle* h) {
    auto* o = static_cast<Object*>(static_cast<Thing*>(h->data));
    o->host->Call(o->task, "timers.deadline-order");
  };
  object->phase.callback = [](PhaseHandle* h) {
    auto* o = static_cast<Object*>(static_cast<Thing*>(h->data));
    const Op op = o->step->op;
    if (op == Op::kImmediate) o->host->loop_.StopInPhase(h);
    o->host->Call(o->task, op == Op::kIdle      ? "idle.last-in-first-out"
                           : op == Op::kPrepare ? "idle.prepare-before-poll"
                                                : "check.last-in-first-out");
  };
  object->wakeup.callback = [](WakeupHandle* h) {
    auto* o = static_cast<Object*>(static_cast<Thing*>(h->data));
    o->host->Call(o->task, "poll.wakeup-init-order");
  };
  object->io.callback = [](IoHandle* h, uint8_t readiness) {
    auto* o = static_cast<Object*>(static_cast<Thing*>(h->data));
    o->host->OnIo(o, readiness);
  };
  object->signal.callback = [](SignalHandle* h) {
    auto* o = static_cast<Object*>(static_cast<Thing*>(h->data));
    o->host->OnSignal(o);
  };
  object->request.callback = [](Request* r) {
    auto* o = static_cast<Object*>(static_cast<Thing*>(r->data));
    o->host->OnRequest(o);
  };
  objects_.push_back(object);
  made_by_[task.get()] = object.get();
  Name(step.label, object);
  return object;
}

LibuvHost::ObjectPtr LibuvHost::Hold(Object* object) const {
  for (const ObjectPtr& held : objects_) {
    if (held.get() == object) return held;
  }
  return nullptr;
}

void LibuvHost::Call(const TaskPtr& task, const char* clause, const std::string& outcome) {
  RunTask(task, {loop_.phase(), clause}, outcome);
}

const HostOps<LibuvHost>& LibuvHost::Ops() {
  static const HostOps<LibuvHost> kOps = {
      {Op::kTimeout, &LibuvHost::Arm},
      {Op::kInterval, &LibuvHost::Arm},
      {Op::kImmediate, &LibuvHost::Arm},
      {Op::kIdle, &LibuvHost::Arm},
      {Op::kPrepare, &LibuvHost::Arm},
      {Op::kCheck, &LibuvHost::Arm},
      {Op::kWake, &LibuvHost::Arm},
      {Op::kRead, &LibuvHost::Arm, {"poll"}},
      {Op::kFile, &LibuvHost::Arm, {"random"}},
      {Op::kWork, &LibuvHost::Arm},
      {Op::kListen, &LibuvHost::Arm},
      {Op::kConnect, &LibuvHost::Arm},
      {Op::kRefused, &LibuvHost::Arm, {"path"}},
      {Op::kSignal, &LibuvHost::Arm, {"hup", "winch", "once"}},
      {Op::kAccept, &LibuvHost::ArmAccept},
      {Op::kWrite, &LibuvHost::ArmWrite, {"pieces"}},
      {Op::kShutdown, &LibuvHost::ArmShutdown},
      {Op::kData, &LibuvHost::Arm, {"wide"}},
      {Op::kReceive, &LibuvHost::Arm},
      {Op::kDatagram, &LibuvHost::ArmDatagram, {"pieces"}},
      {Op::kClose, &LibuvHost::ArmClose},
      {Op::kSend, &LibuvHost::DoSend},
      {Op::kRaise, &LibuvHost::DoRaise},
      {Op::kClear, &LibuvHost::DoClear},
      {Op::kRef, &LibuvHost::DoRef},
      {Op::kUnref, &LibuvHost::DoRef},
      {Op::kRefresh, &LibuvHost::DoRefresh},
      {Op::kStart, &LibuvHost::DoStart},
      {Op::kStop, &LibuvHost::DoStop},
      {Op::kRun, &LibuvHost::DoRun},
      {Op::kAlive, &LibuvHost::DoAlive},
      {Op::kUpdate, &LibuvHost::DoUpdate},
  };
  return kOps;
}

Outcome LibuvHost::Do(const Step& step, const TaskPtr& around) {
  Ops().Do(*this, step, around);
  return Outcome::Done();
}

void LibuvHost::Arm(const TaskPtr& task) {
  const std::string& target = task->step->target;
  if (!target.empty() && ObjectOf(target) == nullptr) return;
  Start(Make(*task->step, task).get());
}

void LibuvHost::ArmAccept(const TaskPtr& task) {
  if (const ObjectPtr listener = ObjectOf(task->step->target)) listener->on_connection.push_back(task);
}

void LibuvHost::ArmWrite(const TaskPtr& task) {
  made_by_[task.get()] = nullptr;
  Rearm(task);
}

void LibuvHost::ArmClose(const TaskPtr& task) {
  const ObjectPtr object = ObjectOf(task->step->target);
  if (object != nullptr && object->step->op != Op::kData) Close(object.get(), task);
}

void LibuvHost::DoSend(const Step& step) {
  if (const ObjectPtr object = ObjectOf(step.target); object && !object->wakeup.closing) loop_.Send(&object->wakeup);
}

void LibuvHost::DoRaise(const Step& step) {
  if (const ObjectPtr object = ObjectOf(step.target)) loop_.RaiseSignal(conform::SignalOf(*object->step).number);
}

void LibuvHost::DoClear(const Step& step) {
  if (const ObjectPtr object = ObjectOf(step.target)) StopObject(object.get());
}

void LibuvHost::DoRef(const Step& step) {
  const ObjectPtr object = ObjectOf(step.target);
  if (object == nullptr) return;
  Handle* handle = object->kind->handle(object.get());
  step.op == Op::kRef ? loop_.Ref(handle) : loop_.Unref(handle);
}

void LibuvHost::DoRefresh(const Step& step) {
  if (loop_.rules().timer_restart == LoopRules::TimerRestart::kAgainIgnored) return;
  if (const ObjectPtr object = ObjectOf(step.target); object && !object->timer.closing) {
    loop_.RepeatTimer(&object->timer);
  }
}

void LibuvHost::DoStart(const Step& step) {
  if (const ObjectPtr object = ObjectOf(step.target)) StartAgain(object.get(), step);
}

void LibuvHost::DoStop(const Step&) { loop_.Stop(); }

void LibuvHost::DoRun(const Step& step) {
  RunLoop(&step, step.argument == "once"     ? RunMode::kOnce
                 : step.argument == "nowait" ? RunMode::kNoWait
                                             : RunMode::kDefault);
}

void LibuvHost::DoAlive(const Step& step) { Emit(step.label, where_, loop_.Alive() ? "1" : "0"); }

void LibuvHost::DoUpdate(const Step&) { loop_.UpdateTime(); }

void LibuvHost::OnIo(Object* raw, uint8_t readiness) {
  const ObjectPtr object = Hold(raw);
  if (object->step->op == Op::kReceive) return OnDatagrams(raw, readiness);
  Platform& platform = loop_.platform();
  if (object->connecting) return OnConnected(raw);
  switch (object->step->op) {
    case Op::kRead:
      platform.Read(object->io.source);
      Close(object.get(), nullptr);
      Call(object->task, "poll.data-waiting-is-ready");
      break;
    case Op::kListen:
      for (;;) {
        if (object->io.closing) break;
        const Source source = platform.Accept(object->io.source);
        if (source == kNoSource) break;
        object->backlog.pop_front();
        if (object->on_connection.empty()) {
          // libuv holds what was not accepted, and stops listening. spec: poll.connections-in-order
          object->held = source;
          loop_.StartIo(&object->io, object->io.source, 0);
          break;
        }
        for (const TaskPtr& task : std::vector<TaskPtr>(object->on_connection)) {
          const ObjectPtr side = Make(*task->step, task);
          side->connected = true;
          side->io.source = source;
          Call(task, "poll.connection-before-connect");
        }
        // spec: poll.connections-in-order
        if (loop_.rules().accepting == LoopRules::Accepting::kOne) break;
      }
      break;
    default:
      OnStream(raw, readiness);
      break;
  }
}

// What was written meanwhile is written when the stream is next found able to. spec: pending.write-while-connecting
void LibuvHost::OnConnected(Object* raw) {
  const ObjectPtr object = Hold(raw);
  object->connecting = false;
  loop_.EndRequest();
  const bool refused = object->step->op == Op::kRefused;
  const bool failed = refused || object->refused || object->reset;
  if (failed || object->to_write.empty()) loop_.StopIo(&object->io);
  if (!failed) {
    object->connected = true;
    return Call(object->task, "poll.connection-before-connect");
  }
  if (refused) {
    Call(object->task, object->step->kind == "path" ? "pending.connect-errors" : "poll.refused-connection");
  } else if (object->refused) {
    Call(object->task, "pending.connect-errors", "ENOENT");
  } else {
    Call(object->task, "close.resets-connections", "ECONNRESET");
  }
  if (object->io.closing) return;
  CancelWrites(raw);
  RunWriteCallbacks(raw);
}

void LibuvHost::OnSignal(Object* object) { Call(object->task, "poll.signals-last"); }

void LibuvHost::OnRequest(Object* object) {
  // The next run of a chain uses the request again.
  const bool cancelled = std::exchange(object->request.cancelled, false);
  const bool reported = cancelled && loop_.rules().cancelled_request == LoopRules::CancelledRequest::kReported;
  Call(object->task, "poll.pool-completions", reported ? "ECANCELED" : "");
}

void LibuvHost::Close(Object* object, const TaskPtr& task) {
  Handle* handle = object->kind->handle(object);
  if (handle->closing) return;
  object->close_task = task;
  auto closed = [](Handle* h) {
    auto* o = static_cast<Object*>(static_cast<Thing*>(h->data));
    o->host->OnClosed(o);
  };
  if (handle == &object->timer) {
    loop_.CloseTimer(&object->timer, closed);
  } else if (handle == &object->phase) {
    loop_.CloseInPhase(&object->phase, closed);
  } else if (handle == &object->wakeup) {
    loop_.CloseWakeup(&object->wakeup, closed);
  } else if (handle == &object->signal) {
    loop_.CloseSignal(&object->signal, closed);
  } else {
    // spec: close.resets-connections
    for (Object* waiting : std::exchange(object->backlog, {})) waiting->reset = true;
    object->reader = nullptr;
    if (object->held != kNoSource) loop_.platform().Close(std::exchange(object->held, kNoSource));
    loop_.CloseIo(&object->io, closed);
  }
}

// spec: close.cancels-requests
void LibuvHost::OnClosed(Object* object) {
  const bool drops = loop_.rules().close_requests == LoopRules::CloseRequests::kDropped;
  if (std::exchange(object->connecting, false)) {
    loop_.EndRequest();
    if (!drops) Call(object->task, "close.cancels-requests", "ECANCELED");
  }
  CancelWrites(object);
  for (const Object::Written& write : std::exchange(object->written, {})) {
    loop_.EndRequest();
    if (!drops) Call(write.task, "close.cancels-requests", write.error);
  }
  if (object->shutdown != nullptr) {
    loop_.EndRequest();
    const TaskPtr task = std::exchange(object->shutdown, nullptr);
    if (!drops) Call(task, "close.cancels-requests", "ECANCELED");
  }
  if (object->close_task != nullptr) Call(object->close_task, "close.after-check");
}

const LibuvHost::Kind& LibuvHost::KindOf(Op op) {
  constexpr bool kMadeAnew = true;
  static constexpr std::pair<Op, Kind> kKinds[] = {
      {Op::kTimeout, {&LibuvHost::StartTimer, &LibuvHost::StopTimer, &TimerOf}},
      {Op::kInterval, {&LibuvHost::StartTimer, &LibuvHost::StopTimer, &TimerOf}},
      {Op::kImmediate, {&LibuvHost::StartCheck, &LibuvHost::StopInPhase, &PhaseOf}},
      {Op::kIdle, {&LibuvHost::StartIdle, &LibuvHost::StopInPhase, &PhaseOf}},
      {Op::kPrepare, {&LibuvHost::StartPrepare, &LibuvHost::StopInPhase, &PhaseOf}},
      {Op::kCheck, {&LibuvHost::StartCheck, &LibuvHost::StopInPhase, &PhaseOf}},
      {Op::kWake, {&LibuvHost::StartWakeup, &LibuvHost::CloseSilently, &WakeupOf}},
      {Op::kRead, {&LibuvHost::StartRead, &LibuvHost::CloseSilently, &IoOf, kMadeAnew}},
      {Op::kFile, {&LibuvHost::Submit, &LibuvHost::Cancel, &IoOf}},
      {Op::kWork, {&LibuvHost::Submit, &LibuvHost::Cancel, &IoOf}},
      {Op::kListen, {&LibuvHost::StartListening, &LibuvHost::CloseSilently, &IoOf}},
      {Op::kAccept, {nullptr, &LibuvHost::CloseSilently, &IoOf}},  // a connection that comes
      {Op::kConnect, {&LibuvHost::StartConnecting, &LibuvHost::CloseSilently, &IoOf, kMadeAnew}},
      {Op::kRefused, {&LibuvHost::StartRefused, &LibuvHost::CloseSilently, &IoOf, kMadeAnew}},
      {Op::kData, {&LibuvHost::StartReading, &LibuvHost::StopReading, &IoOf}},
      {Op::kReceive, {&LibuvHost::StartReceiving, &LibuvHost::StopReceiving, &IoOf}},
      {Op::kSignal, {&LibuvHost::StartSignal, &LibuvHost::StopSignal, &SignalOf}},
  };
  const auto found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [op](const auto& row) { return row.first == op; });
  CONFORM_CHECK(found != std::end(kKinds));
  return found->second;
}

void LibuvHost::Start(Object* object) {
  CONFORM_CHECK(object->kind->start != nullptr);
  (this->*object->kind->start)(object);
}

void LibuvHost::StartTimer(Object* object) {
  const auto delay = static_cast<int64_t>(DelayOf(*object->step));
  loop_.StartTimer(&object->timer, delay, object->step->op == Op::kInterval ? delay : 0);
}

void LibuvHost::StartIdle(Object* object) { loop_.StartIdle(&object->phase); }

void LibuvHost::StartPrepare(Object* object) { loop_.StartPrepare(&object->phase); }

void LibuvHost::StartCheck(Object* object) { loop_.StartCheck(&object->phase); }

void LibuvHost::StartWakeup(Object* object) {
  if (!object->wakeup.active) loop_.StartWakeup(&object->wakeup);
  if (!object->step->unsent) loop_.Send(&object->wakeup);
}

void LibuvHost::StartRead(Object* object) {
  object->io.closing = false;
  loop_.StartIo(&object->io, loop_.platform().OpenReadable(), kReadable);
}

// spec: poll.pool-waits
void LibuvHost::Submit(Object* object) {
  object->request.ms = WorkMsOf(*object->step);
  loop_.Submit(&object->request, case_.pool);
}

void LibuvHost::StartListening(Object* object) { loop_.StartIo(&object->io, loop_.platform().Listen(), kReadable); }

void LibuvHost::StartConnecting(Object* object) {
  const ObjectPtr listener = ObjectOf(object->step->target);
  object->connecting = true;
  loop_.BeginRequest();
  // spec: pending.connect-errors. A server that is closed has removed its path.
  object->refused = listener->io.closing || listener->io.source == kNoSource;
  if (object->refused) {
    loop_.StartIo(&object->io, loop_.platform().OpenWakeup(), kReadable);
    loop_.Feed(&object->io);
    return;
  }
  loop_.StartIo(&object->io, loop_.platform().Connect(listener->io.source), kWritable);
  listener->backlog.push_back(object);
}

void LibuvHost::StartRefused(Object* object) {
  object->connecting = true;
  loop_.BeginRequest();  // the loop waits for the attempt, whether or not it waits for the socket
  if (object->step->kind == "path") {
    loop_.StartIo(&object->io, loop_.platform().OpenWakeup(), kReadable);
    loop_.Feed(&object->io);
  } else {
    loop_.StartIo(&object->io, loop_.platform().ConnectRefused(), kWritable);
  }
}

// Handles that catch the same signal run by their addresses, which may be in any order.
void LibuvHost::StartSignal(Object* object) {
  object->signal.number = conform::SignalOf(*object->step).number;
  object->signal.is_once = object->step->kind == "once";
  std::vector<Object*>& same = signals_[object->signal.number];
  if (std::find(same.begin(), same.end(), object) == same.end()) {
    const size_t places = same.size() + 1;
    const auto name = [&](size_t place) {
      return place < same.size() ? object->step->label + " before " + same[place]->step->label
                                 : object->step->label + " last";
    };
    const size_t place = places > 1 ? loop_.platform().First(places, name) : 0;
    same.insert(same.begin() + static_cast<std::ptrdiff_t>(place), object);
    for (size_t i = 0; i < same.size(); ++i) same[i]->signal.address = static_cast<int64_t>(i);
  }
  loop_.StartSignal(&object->signal);
}

void LibuvHost::StopTimer(Object* object) { loop_.StopTimer(&object->timer); }

void LibuvHost::StopInPhase(Object* object) { loop_.StopInPhase(&object->phase); }

void LibuvHost::Cancel(Object* object) { loop_.Cancel(&object->request); }

void LibuvHost::StopSignal(Object* object) { loop_.StopSignal(&object->signal); }

void LibuvHost::CloseSilently(Object* object) { Close(object, nullptr); }

void LibuvHost::StartAgain(Object* object, const Step& step) {
  if (object->kind->handle(object)->closing) return;
  if (object->step->op == Op::kTimeout || object->step->op == Op::kInterval) {
    const double after = DelayOf(step.argument.empty() ? *object->step : step);
    loop_.StartTimer(&object->timer, static_cast<int64_t>(after), object->timer.repeat_ms);
    return;
  }
  // A signal handle may be active though it is stopped, and a datagram socket because it sends.
  const Op op = object->step->op;
  const bool started = op == Op::kSignal    ? object->signal.started
                       : op == Op::kReceive ? object->receives
                                            : object->kind->handle(object)->active;
  if (!started) Start(object);
}

void LibuvHost::StopObject(Object* object) { (this->*object->kind->stop)(object); }

void LibuvHost::Rearm(const TaskPtr& task) {
  if (task->step->op == Op::kWrite || task->step->op == Op::kDatagram) {
    const ObjectPtr target = ObjectOf(task->step->target);
    if (target == nullptr) return;
    return task->step->op == Op::kWrite ? Write(target.get(), task) : SendDatagram(target.get(), task);
  }
  const auto found = made_by_.find(task.get());
  CONFORM_CHECK(found != made_by_.end());
  Object* object = found->second;
  if (object->kind->is_made_anew) object = Make(*task->step, task).get();
  if (object->kind->handle(object)->closing) return;
  Start(object);
}

void LibuvHost::EndRepetition(const TaskPtr& task) {
  const auto found = made_by_.find(task.get());
  if (found != made_by_.end() && found->second != nullptr) StopObject(found->second);
}

void LibuvHost::AddTo(Fingerprint* fingerprint) const {
  AddNames(fingerprint);
  for (const ObjectPtr& object : objects_) AddThing(fingerprint, object.get());
  for (const Frame& frame : main_stack_) fingerprint->Add(frame.next);
  loop_.AddTo(fingerprint, [fingerprint](const void* data) { AddThing(fingerprint, static_cast<const Thing*>(data)); });
}

}  // namespace conform::reference
