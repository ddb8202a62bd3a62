#include "reference-impl/host/libuv_host.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

void LibuvHost::Object::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(step->id));
  AddTask(fingerprint, task);
  if (close_task != nullptr) AddTask(fingerprint, close_task);
  fingerprint->Add((connecting ? 1u : 0u) | (connected ? 2u : 0u) | (request.cancelled ? 4u : 0u));
  for (const TaskPtr& listener : on_connection) AddTask(fingerprint, listener);
  for (const TaskPtr& write : written) AddTask(fingerprint, write);
}

Handle* LibuvHost::Object::handle() {
  switch (step->op) {
    case Op::kTimeout:
    case Op::kInterval:
      return &timer;
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kImmediate:
      return &phase;
    case Op::kWake:
      return &wakeup;
    default:
      return &io;
  }
}

LibuvHost::LibuvHost(const Case& c, const LoopRules& rules, Platform& platform, Recorder& recorder)
    : Interpreter(c, platform.clock(), recorder), loop_(platform, rules) {
  loop_.set_closed_world(true);
}

void LibuvHost::RunCase() {
  try {
    const auto main = std::make_shared<Task>();
    main_stack_ = {{&case_.program}};
    Continue(&main_stack_, main, where_);
    if (!ran_) RunLoop(nullptr, RunMode::kDefault);
  } catch (const ProcessEnd&) {
    // The end was reported before.
  }
}

void LibuvHost::RunLoop(const Step* step, RunMode mode) {
  ran_ = true;
  const bool alive = loop_.Run(mode);
  if (loop_.stuck()) {
    Emit("exit", {"exit", "exit.code"}, "never");
    throw ProcessEnd();
  }
  if (step != nullptr) Emit(step->label, {"main", "iteration.run-modes"}, alive ? "1" : "0");
}

LibuvHost::ObjectPtr LibuvHost::Make(const Step& step, const TaskPtr& task) {
  auto object = std::make_shared<Object>();
  object->step = &step;
  object->task = task;
  object->host = this;
  for (Handle* handle : std::initializer_list<Handle*>{&object->timer, &object->phase, &object->wakeup, &object->io}) {
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

Outcome LibuvHost::Do(const Step& step, const TaskPtr&) {
  switch (step.op) {
    case Op::kTimeout:
    case Op::kInterval:
    case Op::kImmediate:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kWake:
    case Op::kRead:
    case Op::kFile:
    case Op::kWork:
    case Op::kListen:
    case Op::kConnect:
    case Op::kRefused:
    case Op::kSignal: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      Start(Make(step, made).get());
      break;
    }
    case Op::kAccept: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      if (const ObjectPtr listener = ObjectOf(step.target)) listener->on_connection.push_back(made);
      break;
    }
    case Op::kWrite: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      made_by_[made.get()] = nullptr;
      Rearm(made);
      break;
    }
    case Op::kClose: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      if (const ObjectPtr object = ObjectOf(step.target)) Close(object.get(), made);
      break;
    }
    case Op::kSend:
      if (const ObjectPtr object = ObjectOf(step.target); object && !object->wakeup.closing)
        loop_.Send(&object->wakeup);
      break;
    case Op::kRaise:
      loop_.platform().RaiseSignal();
      break;
    case Op::kClear:
      if (const ObjectPtr object = ObjectOf(step.target)) StopObject(object.get());
      break;
    case Op::kRef:
      if (const ObjectPtr object = ObjectOf(step.target)) loop_.Ref(object->handle());
      break;
    case Op::kUnref:
      if (const ObjectPtr object = ObjectOf(step.target)) loop_.Unref(object->handle());
      break;
    case Op::kRefresh:
      if (loop_.rules().timer_restart == LoopRules::TimerRestart::kAgainIgnored) break;
      if (const ObjectPtr object = ObjectOf(step.target); object && !object->timer.closing)
        loop_.RepeatTimer(&object->timer);
      break;
    case Op::kStart:
      if (const ObjectPtr object = ObjectOf(step.target)) StartAgain(object.get(), step.argument);
      break;
    case Op::kStop:
      loop_.Stop();
      break;
    case Op::kRun:
      RunLoop(&step, step.argument == "once"     ? RunMode::kOnce
                     : step.argument == "nowait" ? RunMode::kNoWait
                                                 : RunMode::kDefault);
      break;
    case Op::kAlive:
      Emit(step.label, where_, loop_.Alive() ? "1" : "0");
      break;
    case Op::kUpdate:
      loop_.UpdateTime();
      break;
    default:
      CONFORM_CHECK(false);  // no meaning in libuv (NotModelled says so before), or done by the interpreter
  }
  return Outcome::Done();
}

void LibuvHost::OnIo(Object* raw, uint8_t readiness) {
  const ObjectPtr object = Hold(raw);
  Platform& platform = loop_.platform();
  if (object->connecting) {
    object->connecting = false;
    loop_.EndRequest();
    if (object->step->op == Op::kRefused) {
      loop_.StopIo(&object->io);
      Call(object->task, object->step->kind == "path" ? "pending.connect-errors" : "poll.refused-connection");
    } else {
      object->connected = true;
      loop_.StopIo(&object->io);
      Call(object->task, "poll.connection-before-connect");
    }
    return;
  }
  switch (object->step->op) {
    case Op::kRead:
      platform.Read(object->io.source);
      Close(object.get(), nullptr);
      Call(object->task, "poll.data-waiting-is-ready");
      break;
    case Op::kSignal:
      platform.Read(object->io.source);
      Call(object->task, "poll.signals-last");
      break;
    case Op::kListen:
      for (;;) {
        if (object->io.closing || object->on_connection.empty()) break;
        const Source source = platform.Accept(object->io.source);
        if (source == kNoSource) break;
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
      // Fed: the callbacks of writes that are done. spec: pending.write-callbacks
      (void)readiness;
      for (size_t left = object->written.size(); !object->written.empty();) {
        if (loop_.rules().write_callbacks == LoopRules::WriteCallbacks::kSnapshot && left-- == 0) break;
        const bool oldest = loop_.rules().write_order == QueueOrder::kOldestFirst;
        const auto next = oldest ? object->written.begin() : object->written.end() - 1;
        const TaskPtr task = *next;
        object->written.erase(next);
        loop_.EndRequest();
        Call(task, "pending.write-callbacks");
      }
      break;
  }
}

void LibuvHost::OnRequest(Object* object) {
  // The next run of a chain uses the request again.
  const bool cancelled = std::exchange(object->request.cancelled, false);
  const bool reported = cancelled && loop_.rules().cancelled_request == LoopRules::CancelledRequest::kReported;
  Call(object->task, "poll.pool-completions", reported ? "ECANCELED" : "");
}

void LibuvHost::Close(Object* object, const TaskPtr& task) {
  Handle* handle = object->handle();
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
  } else {
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
  for (const TaskPtr& task : std::exchange(object->written, {})) {
    loop_.EndRequest();
    if (!drops) Call(task, "close.cancels-requests");
  }
  if (object->close_task != nullptr) Call(object->close_task, "close.after-check");
}

void LibuvHost::Start(Object* object) {
  const Step& step = *object->step;
  Platform& platform = loop_.platform();
  switch (step.op) {
    case Op::kTimeout:
      loop_.StartTimer(&object->timer, static_cast<int64_t>(DelayOf(step)), 0);
      break;
    case Op::kInterval:
      loop_.StartTimer(&object->timer, static_cast<int64_t>(DelayOf(step)), static_cast<int64_t>(DelayOf(step)));
      break;
    case Op::kIdle:
      loop_.StartIdle(&object->phase);
      break;
    case Op::kPrepare:
      loop_.StartPrepare(&object->phase);
      break;
    case Op::kCheck:
    case Op::kImmediate:
      loop_.StartCheck(&object->phase);
      break;
    case Op::kWake:
      if (!object->wakeup.active) loop_.StartWakeup(&object->wakeup);
      if (!step.unsent) loop_.Send(&object->wakeup);
      break;
    case Op::kRead:
      object->io.closing = false;
      loop_.StartIo(&object->io, platform.OpenReadable(), kReadable);
      break;
    case Op::kFile:
    case Op::kWork:
      loop_.Submit(&object->request, case_.pool);
      break;
    case Op::kListen:
      loop_.StartIo(&object->io, platform.Listen(), kReadable);
      break;
    case Op::kConnect:
      if (const ObjectPtr listener = ObjectOf(step.target); listener && listener->io.source != kNoSource) {
        object->connecting = true;
        loop_.BeginRequest();
        loop_.StartIo(&object->io, platform.Connect(listener->io.source), kWritable);
      }
      break;
    case Op::kRefused:
      object->connecting = true;
      loop_.BeginRequest();  // the loop waits for the attempt, whether or not it waits for the socket
      if (step.kind == "path") {
        loop_.StartIo(&object->io, platform.OpenWakeup(), kReadable);
        loop_.Feed(&object->io);
      } else {
        loop_.StartIo(&object->io, platform.ConnectRefused(), kWritable);
      }
      break;
    case Op::kSignal:
      object->io.is_signal = true;
      loop_.StartIo(&object->io, loop_.SignalSource(), kReadable);
      break;
    default:
      CONFORM_CHECK(false);
  }
}

void LibuvHost::StartAgain(Object* object, const std::string& delay) {
  if (object->handle()->closing) return;
  if (object->step->op == Op::kTimeout || object->step->op == Op::kInterval) {
    const int64_t after = delay.empty() ? static_cast<int64_t>(DelayOf(*object->step)) : std::atoll(delay.c_str());
    loop_.StartTimer(&object->timer, after, object->timer.repeat_ms);
    return;
  }
  if (!object->handle()->active) Start(object);
}

void LibuvHost::StopObject(Object* object) {
  switch (object->step->op) {
    case Op::kTimeout:
    case Op::kInterval:
      loop_.StopTimer(&object->timer);
      break;
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kImmediate:
      loop_.StopInPhase(&object->phase);
      break;
    case Op::kFile:
    case Op::kWork:
      loop_.Cancel(&object->request);
      break;
    case Op::kSignal:
      loop_.StopIo(&object->io);
      break;
    default:
      Close(object, nullptr);
      break;
  }
}

void LibuvHost::Rearm(const TaskPtr& task) {
  if (task->step->op == Op::kWrite) {
    const ObjectPtr stream = ObjectOf(task->step->target);
    if (stream == nullptr || stream->io.closing || !stream->connected) return;
    loop_.platform().Write(stream->io.source);
    stream->written.push_back(task);
    loop_.BeginRequest();
    loop_.Feed(&stream->io);
    return;
  }
  const auto found = made_by_.find(task.get());
  CONFORM_CHECK(found != made_by_.end());
  Object* object = found->second;
  if (task->step->op == Op::kRead || task->step->op == Op::kConnect || task->step->op == Op::kRefused) {
    object = Make(*task->step, task).get();  // each run has a descriptor of its own
  }
  if (object->handle()->closing) return;
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
