// What the libuv host writes: to streams, with their shutdown, and as datagrams.
#include <algorithm>
#include <utility>

#include "reference-impl/host/libuv_host.h"

namespace conform::reference {

// A path that does not exist leaves the stream without a descriptor; a connection that was reset has one still.
bool LibuvHost::HasDescriptor(const Object& stream) {
  return stream.connected || stream.reset || (stream.connecting && !stream.refused);
}

// spec: pending.shutdown
void LibuvHost::ArmShutdown(const TaskPtr& task) {
  const ObjectPtr stream = ObjectOf(task->step->target);
  if (stream == nullptr || stream->io.closing || !HasDescriptor(*stream) || stream->writes_end) return;
  stream->writes_end = true;
  stream->shutdown = task;
  loop_.BeginRequest();
  switch (loop_.rules().shutdown) {
    case LoopRules::Shutdown::kInPoll:
      loop_.StartIo(&stream->io, stream->io.source, kWritable);
      break;
    case LoopRules::Shutdown::kInPending:
      if (stream->to_write.empty()) loop_.Feed(&stream->io);
      break;
    case LoopRules::Shutdown::kInTheCall:
      if (!stream->connecting && stream->to_write.empty()) Drain(stream.get());
      break;
  }
}

// Nothing is left to write.
void LibuvHost::Drain(Object* raw) {
  const ObjectPtr stream = Hold(raw);
  const bool closing = stream->io.closing;
  if (!closing) loop_.StopIo(&stream->io);
  if (stream->shutdown == nullptr) return;
  if (closing && loop_.rules().closed_shutdown == LoopRules::ClosedShutdown::kWhenClosed) return;
  if (!closing) loop_.platform().Shutdown(stream->io.source);
  loop_.EndRequest();
  Call(std::exchange(stream->shutdown, nullptr), "pending.shutdown", closing ? "ECANCELED" : "");
}

void LibuvHost::Write(Object* stream, const TaskPtr& task) {
  if (stream->io.closing || !HasDescriptor(*stream)) return;
  // spec: pending.write-after-shutdown
  if (stream->writes_end && loop_.rules().write_after_shutdown == LoopRules::WriteAfterShutdown::kRefused) return;
  loop_.BeginRequest();
  const auto failed = [](const Object::Written& write) { return !write.error.empty(); };
  const bool waits = !stream->to_write.empty() || std::any_of(stream->written.begin(), stream->written.end(), failed);
  stream->to_write.push_back(task);
  if (stream->connecting) return;
  if (waits) {
    loop_.StartIo(&stream->io, stream->io.source, kWritable);
  } else {
    WriteQueued(stream);
  }
}

// A peer that has gone is an error. spec: pending.write-to-closed-peer
void LibuvHost::WriteQueued(Object* stream) {
  for (int i = 0; i < loop_.rules().writes_at_once && !stream->to_write.empty(); ++i) {
    const bool sent = loop_.platform().Write(stream->io.source);
    stream->written.push_back({stream->to_write.front(), sent ? "" : "EPIPE"});
    stream->to_write.pop_front();
    loop_.Feed(&stream->io);
    if (sent) continue;
    loop_.StopIo(&stream->io);
    return;
  }
}

void LibuvHost::RunWriteCallbacks(Object* stream) {
  const ObjectPtr hold = Hold(stream);
  for (size_t left = stream->written.size(); !stream->written.empty();) {
    if (loop_.rules().write_callbacks == LoopRules::WriteCallbacks::kSnapshot && left-- == 0) break;
    const bool oldest = loop_.rules().write_order == QueueOrder::kOldestFirst;
    const auto next = oldest ? stream->written.begin() : stream->written.end() - 1;
    const Object::Written write = *next;
    stream->written.erase(next);
    loop_.EndRequest();
    Call(write.task, "pending.write-callbacks", write.error);
  }
}

void LibuvHost::CancelWrites(Object* stream) {
  for (const TaskPtr& task : std::exchange(stream->to_write, {})) stream->written.push_back({task, "ECANCELED"});
}

void LibuvHost::ArmDatagram(const TaskPtr& task) {
  made_by_[task.get()] = nullptr;
  Rearm(task);
}

// spec: poll.datagrams
void LibuvHost::OnDatagrams(Object* raw, uint8_t readiness) {
  constexpr int kMostInOnePoll = 32;
  const ObjectPtr socket = Hold(raw);
  const int most = loop_.rules().datagram_run == LoopRules::DatagramRun::kOne ? 1 : kMostInOnePoll;
  for (int i = 0; (readiness & kReadable) != 0 && i < most && !socket->io.closing; ++i) {
    if (!loop_.platform().ReceiveDatagram(socket->io.source)) break;
    Call(socket->task, "poll.datagrams");
  }
  if ((readiness & kWritable) == 0 || socket->io.closing) return;
  SendQueued(raw);
  RunSentCallbacks(raw);
}

// spec: poll.datagrams-sent
void LibuvHost::SendDatagram(Object* socket, const TaskPtr& task) {
  if (socket->io.closing) return;
  const bool waits = !socket->to_write.empty() || !socket->written.empty() || socket->sends;
  loop_.BeginRequest();
  socket->to_write.push_back(task);
  if (waits) return loop_.StartIo(&socket->io, socket->io.source, kReadable | kWritable);
  SendQueued(socket);
  if (loop_.rules().datagram_sent == LoopRules::DatagramSent::kInTheCall) RunSentCallbacks(socket);
}

void LibuvHost::SendQueued(Object* socket) {
  if (socket->to_write.empty()) return;
  for (const TaskPtr& task : std::exchange(socket->to_write, {})) {
    loop_.platform().SendDatagram(socket->io.source);
    socket->written.push_back({task, ""});
  }
  loop_.Feed(&socket->io);
}

void LibuvHost::RunSentCallbacks(Object* raw) {
  const ObjectPtr socket = Hold(raw);
  socket->sends = true;
  while (!socket->written.empty()) {
    const Object::Written sent = socket->written.front();
    socket->written.pop_front();
    loop_.EndRequest();
    Call(sent.task, "poll.datagrams-sent", sent.error);
  }
  socket->sends = false;
  if (!socket->io.closing && socket->to_write.empty()) loop_.StartIo(&socket->io, socket->io.source, kReadable);
}

}  // namespace conform::reference
