// Run, continued: the steps with a callback.
#include <csignal>

#include "run.h"

namespace libuv_adapter {
namespace {

// Each run of such a chain has a thing of its own; in the other chains one thing is started again and again.
bool NeedsAnother(Op op) { return op == Op::kRead || op == Op::kConnect || op == Op::kRefused || op == Op::kChild; }

}  // namespace

Thing& Run::Of(const void* handle_or_request) {
  // `data` is the first field of all of them.
  return *static_cast<Thing*>(static_cast<const uv_handle_t*>(handle_or_request)->data);
}

void Run::Make(Task* task) {
  const Step& step = *task->step;
  Thing* target = step.target.empty() ? nullptr : Find(step.target);
  if (!step.target.empty() && target == nullptr) return;
  if (step.op == Op::kAccept) {
    target->when_accepted.push_back(task);
  } else if (step.op == Op::kClose) {
    Close(*target, task);
  } else {
    Arm(task, nullptr);
  }
}

// Asks for one run of the callback. `again` is what has called it last; null for the first run.
void Run::Arm(Task* task, Thing* again) {
  const Step& step = *task->step;
  Thing* target = step.target.empty() ? nullptr : Find(step.target);
  Thing* thing = again;
  if (again == nullptr || NeedsAnother(step.op)) {
    thing = NewThing(task);
    InitHandle(*thing);
  } else if (thing->is_handle && thing->IsClosing()) {
    return;
  }
  if (over_) return;
  if (step.op == Op::kConnect) return StartConnect(*thing, target->path);
  if (step.op == Op::kWrite) return StartWrite(*thing, *target);
  if (thing->is_handle) return StartHandle(*thing);
  StartRequest(*thing);
}

Thing* Run::NewThing(Task* task) {
  things_.emplace_back();
  Thing& thing = things_.back();
  thing.run = this;
  thing.task = task;
  const std::string& label = task->step->label;
  if (!label.empty() && referred_to_.count(label) != 0) names_[label] = &thing;
  return &thing;
}

void* Run::NewHandle(Thing& thing, uv_handle_type type) {
  thing.memory.reset(std::calloc(1, uv_handle_size(type)));
  thing.is_handle = true;
  thing.As<uv_handle_t>()->data = &thing;
  return thing.memory.get();
}

void* Run::NewRequest(Thing& thing, uv_req_type type) {
  thing.memory.reset(std::calloc(1, uv_req_size(type)));
  thing.As<uv_req_t>()->data = &thing;
  return thing.memory.get();
}

void Run::InitHandle(Thing& thing) {
  switch (thing.task->step->op) {
    case Op::kTimeout:
    case Op::kInterval:
      uv_timer_init(loop_, static_cast<uv_timer_t*>(NewHandle(thing, UV_TIMER)));
      return;
    case Op::kIdle:
      uv_idle_init(loop_, static_cast<uv_idle_t*>(NewHandle(thing, UV_IDLE)));
      return;
    case Op::kPrepare:
      uv_prepare_init(loop_, static_cast<uv_prepare_t*>(NewHandle(thing, UV_PREPARE)));
      return;
    case Op::kCheck:
    case Op::kImmediate:
      uv_check_init(loop_, static_cast<uv_check_t*>(NewHandle(thing, UV_CHECK)));
      return;
    case Op::kWake:
      Check("uv_async_init", uv_async_init(loop_, static_cast<uv_async_t*>(NewHandle(thing, UV_ASYNC)), OnRun));
      return;
    case Op::kSignal:
      Check("uv_signal_init", uv_signal_init(loop_, static_cast<uv_signal_t*>(NewHandle(thing, UV_SIGNAL))));
      return;
    case Op::kChild:
      NewHandle(thing, UV_PROCESS);
      return;
    case Op::kRead:
    case Op::kListen:
    case Op::kConnect:
    case Op::kAccept:
    case Op::kSocket:
      Check("uv_pipe_init", uv_pipe_init(loop_, static_cast<uv_pipe_t*>(NewHandle(thing, UV_NAMED_PIPE)), 0));
      return;
    case Op::kRefused:
      if (thing.task->step->as_path) {
        Check("uv_pipe_init", uv_pipe_init(loop_, static_cast<uv_pipe_t*>(NewHandle(thing, UV_NAMED_PIPE)), 0));
      } else {
        Check("uv_tcp_init", uv_tcp_init(loop_, static_cast<uv_tcp_t*>(NewHandle(thing, UV_TCP))));
      }
      return;
    case Op::kFile:
      NewRequest(thing, UV_FS);
      return;
    case Op::kWork:
      NewRequest(thing, UV_WORK);
      return;
    case Op::kWrite:
      NewRequest(thing, UV_WRITE);
      return;
    default:
      return;  // nothing is made
  }
}

// Starts a new handle, or one that was stopped.
void Run::StartHandle(Thing& thing) {
  const Step& step = *thing.task->step;
  switch (step.op) {
    case Op::kTimeout:
    case Op::kInterval:
      return StartTimer(thing, Delay(step.argument));
    case Op::kIdle:
      uv_idle_start(thing.As<uv_idle_t>(), OnRun);
      return;
    case Op::kPrepare:
      uv_prepare_start(thing.As<uv_prepare_t>(), OnRun);
      return;
    case Op::kCheck:
      uv_check_start(thing.As<uv_check_t>(), OnRun);
      return;
    case Op::kImmediate:
      uv_check_start(thing.As<uv_check_t>(), [](uv_check_t* handle) {
        uv_check_stop(handle);
        OnRun(handle);
      });
      return;
    case Op::kWake:
      if (!step.unsent) uv_async_send(thing.As<uv_async_t>());
      return;
    case Op::kSignal: {
      const auto on_signal = [](uv_signal_t* handle, int) { OnRun(handle); };
      Check("uv_signal_start", uv_signal_start(thing.As<uv_signal_t>(), on_signal, SIGUSR2));
      return;
    }
    case Op::kChild:
      return StartChild(thing);
    case Op::kRead:
      return StartReader(thing);
    case Op::kListen:
      return StartServer(thing);
    case Op::kRefused:
      return StartRefused(thing);
    default:
      return;  // nothing to start
  }
}

void Run::StartTimer(Thing& thing, uint64_t delay_ms) {
  const Step& step = *thing.task->step;
  uv_timer_start(thing.As<uv_timer_t>(), OnRun, delay_ms, step.op == Op::kInterval ? Delay(step.argument) : 0);
}

// What `clear` does to a handle, and the last run of a chain to its own.
void Run::StopHandle(Thing& thing) {
  switch (thing.task->step->op) {
    case Op::kTimeout:
    case Op::kInterval:
      uv_timer_stop(thing.As<uv_timer_t>());
      return;
    case Op::kIdle:
      uv_idle_stop(thing.As<uv_idle_t>());
      return;
    case Op::kPrepare:
      uv_prepare_stop(thing.As<uv_prepare_t>());
      return;
    case Op::kCheck:
    case Op::kImmediate:
      uv_check_stop(thing.As<uv_check_t>());
      return;
    case Op::kSignal:
      uv_signal_stop(thing.As<uv_signal_t>());
      return;
    default:
      return Close(thing, nullptr);  // the others have no end but this
  }
}

void Run::StartRequest(Thing& thing) {
  BeginWait(thing);
  if (thing.task->step->op == Op::kWork) {
    Check("uv_queue_work",
          uv_queue_work(
              loop_, thing.As<uv_work_t>(), [](uv_work_t*) {},
              [](uv_work_t* request, int status) { Of(request).run->OnRequest(Of(request), status); }));
    return;
  }
  Check("uv_fs_stat", uv_fs_stat(loop_, thing.As<uv_fs_t>(), ".", [](uv_fs_t* request) {
          const int status = request->result < 0 ? static_cast<int>(request->result) : 0;
          uv_fs_req_cleanup(request);
          Of(request).run->OnRequest(Of(request), status);
        }));
}

void Run::OnRequest(Thing& thing, int status) {
  EndWait(thing);
  Call(*thing.task, &thing, status == 0 ? "" : uv_err_name(status));
}

void Run::StartChild(Thing& thing) {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  uv_process_options_t options{};
  options.file = name;
  options.args = arguments;
  options.exit_cb = [](uv_process_t* process, int64_t, int) {
    Thing& child = Of(process);
    child.pid = 0;
    child.run->EndWait(child);
    OnRun(process);
  };
  BeginWait(thing);
  auto* process = thing.As<uv_process_t>();
  if (Check("uv_spawn", uv_spawn(loop_, process, &options))) thing.pid = process->pid;
}

// Closes a handle, unless it is closing already; then the callback never runs.
void Run::Close(Thing& thing, Task* when_closed) {
  if (!thing.is_handle || thing.IsClosing()) return;
  // The other callbacks come all the same, with ECANCELED.
  if (thing.task->step->op == Op::kChild) EndWait(thing);
  thing.when_closed = when_closed;
  uv_close(thing.As<uv_handle_t>(), [](uv_handle_t* handle) {
    Thing& closed = Of(handle);
    if (closed.when_closed != nullptr) closed.run->Call(*closed.when_closed, &closed);
  });
}

// Between these two the thing may become ready at any time, without the loop's doing; the watchdog has to know.
void Run::BeginWait(Thing& thing) {
  thing.is_under_way = true;
  ++activity_.under_way;
}
void Run::EndWait(Thing& thing) {
  if (thing.is_under_way) --activity_.under_way;
  thing.is_under_way = false;
}

}  // namespace libuv_adapter
