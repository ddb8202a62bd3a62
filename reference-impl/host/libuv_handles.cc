// The libuv host, continued: starting, stopping and starting again.
#include <cstdlib>

#include "reference-impl/host/libuv_host.h"
#include "runners/base/check.h"

namespace conform::reference {

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
      if (!loop_.rules().Has(Fault::kTimerStopIgnored)) loop_.StopTimer(&object->timer);
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

}  // namespace conform::reference
