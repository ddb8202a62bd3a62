// What the libuv host reads and writes: streams, with their ends, and datagrams.
#include <algorithm>
#include <utility>

#include "reference-impl/host/libuv_host.h"

namespace conform::reference {

// A path that does not exist leaves the stream without a descriptor; a connection that was reset has one still.
bool LibuvHost::HasDescriptor(const Object& stream) {
  return stream.connected || stream.reset || (stream.connecting && !stream.refused);
}

// Active from then on, even where there is nothing to look for.
void LibuvHost::Watch(Object* object, uint8_t readiness) {
  loop_.StartIo(&object->io, object->io.source, object->io.interest | readiness);
}

void LibuvHost::Unwatch(Object* object, uint8_t readiness) {
  const uint8_t left = object->io.interest & static_cast<uint8_t>(~readiness);
  if (left == 0 && !object->stays_active) return loop_.StopIo(&object->io);
  loop_.StartIo(&object->io, object->io.source, left);
}

// One that is not connected, or is read already, is left alone. spec: poll.stream-data
void LibuvHost::StartReading(Object* reader) {
  if (reader->stream == nullptr) reader->stream = ObjectOf(reader->step->target).get();
  Object* const stream = reader->stream;
  if (!stream->connected || stream->io.closing || stream->reader != nullptr) return;
  stream->reader = reader;
  stream->stays_active = false;
  Watch(stream, kReadable);
}

void LibuvHost::StopReading(Object* reader) {
  Object* const stream = reader->stream;
  if (stream->reader != reader) return;
  stream->reader = nullptr;
  const bool may_stay = loop_.rules().stopped_while_writing == LoopRules::StoppedWhileWriting::kStaysActive;
  stream->stays_active = may_stay && (stream->io.interest & kWritable) != 0;
  Unwatch(stream, kReadable);
}

// Readable or able to write, or fed, which means the latter. spec: poll.stream-data, pending.write-callbacks
void LibuvHost::OnStream(Object* raw, uint8_t readiness) {
  const ObjectPtr stream = Hold(raw);
  if ((readiness & (kReadable | kHangup)) != 0) ReadStream(raw, (readiness & kHangup) != 0);
  if (stream->io.closing || (readiness & (kWritable | kHangup)) == 0) return;
  WriteQueued(raw);
  RunWriteCallbacks(raw);
  if (stream->to_write.empty()) Drain(raw);
}

// A byte, or as much as is there and has room. Less than has room is all that there was.
Input LibuvHost::ReadInto(Object* stream, const Object& reader, bool* is_partial) {
  constexpr int kWideRoom = 16;
  if (std::exchange(stream->reset_is_next, false)) return Input::kReset;
  const Input first = loop_.platform().ReadByte(stream->io.source);
  if (first != Input::kByte || reader.step->kind != "wide") return first;
  Input more = Input::kByte;
  for (int bytes = 1; bytes < kWideRoom && more == Input::kByte; ++bytes) {
    more = loop_.platform().ReadByte(stream->io.source);
  }
  *is_partial = more != Input::kByte;
  stream->reset_is_next = more == Input::kReset;
  return first;
}

// spec: poll.stream-data, poll.stream-end
void LibuvHost::ReadStream(Object* raw, bool has_hung_up) {
  constexpr int kMostInOnePoll = 32;
  const ObjectPtr stream = Hold(raw);
  const int most = loop_.rules().stream_run == LoopRules::StreamRun::kOne ? 1 : kMostInOnePoll;
  const bool stops_late = loop_.rules().stream_stop == LoopRules::StreamStop::kAfterThePoll;
  Object* reader = stream->reader;
  bool is_partial = false;
  for (int i = 0; i < most && !is_partial && !stream->io.closing; ++i) {
    if (stream->reader != nullptr || !stops_late) reader = stream->reader;
    if (reader == nullptr) return;
    switch (ReadInto(raw, *reader, &is_partial)) {
      case Input::kByte:
        Call(reader->task, "poll.stream-data");
        break;
      case Input::kNothingYet:
        return;
      case Input::kEnd:
        return EndReading(raw, reader);
      case Input::kReset:
        // spec: pending.write-after-shutdown
        if (loop_.rules().write_after_shutdown == LoopRules::WriteAfterShutdown::kRefused) stream->writes_end = true;
        Call(reader->task, "poll.stream-end", "ECONNRESET");
        if (stream->reader != nullptr) StopReading(stream->reader);
        return;
    }
  }
  // Behind the last that there was, the end is known of a connection that has hung up.
  const bool tells_the_end = loop_.rules().last_data == LoopRules::LastData::kWithTheEnd;
  if (is_partial && has_hung_up && tells_the_end && !stream->io.closing && stream->reader != nullptr)
    EndReading(raw, stream->reader);
}

// spec: poll.stream-end
void LibuvHost::EndReading(Object* stream, Object* reader) {
  StopReading(reader);
  if (loop_.rules().stream_end == LoopRules::StreamEnd::kKeepsAlive) Watch(stream, 0);
  Call(reader->task, "poll.stream-end", "EOF");
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
      Watch(stream.get(), kWritable);
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
  if (!closing) Unwatch(stream.get(), kWritable);
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
    Watch(stream, kWritable);
  } else {
    WriteQueued(stream);
  }
}

bool LibuvHost::WriteBytes(const Object& stream, const Step& step) {
  constexpr int kPieces = 5;
  bool sent = true;
  for (int left = step.kind == "pieces" ? kPieces : 1; left > 0 && sent; --left) {
    sent = loop_.platform().Write(stream.io.source);
  }
  return sent;
}

// A peer that has gone is an error. spec: pending.write-to-closed-peer
void LibuvHost::WriteQueued(Object* stream) {
  for (int i = 0; i < loop_.rules().writes_at_once && !stream->to_write.empty(); ++i) {
    const bool sent = WriteBytes(*stream, *stream->to_write.front()->step);
    stream->written.push_back({stream->to_write.front(), sent ? "" : "EPIPE"});
    stream->to_write.pop_front();
    loop_.Feed(&stream->io);
    if (sent) continue;
    Unwatch(stream, kWritable);
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

void LibuvHost::StartReceiving(Object* socket) {
  if (socket->io.source == kNoSource) socket->io.source = loop_.platform().OpenDatagrams();
  socket->receives = true;
  Watch(socket, kReadable);
}

void LibuvHost::StopReceiving(Object* socket) {
  if (socket->io.closing) return;
  socket->receives = false;
  Unwatch(socket, kReadable);
}

// spec: poll.datagrams
void LibuvHost::OnDatagrams(Object* raw, uint8_t readiness) {
  using Run = LoopRules::DatagramRun;
  const ObjectPtr socket = Hold(raw);
  const Run run = loop_.rules().datagram_run;
  const int most = run == Run::kOne ? 1 : run == Run::kThirtyTwo ? 32 : 33;
  for (int i = 0; (readiness & kReadable) != 0 && i < most && socket->receives && !socket->io.closing; ++i) {
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
  Watch(socket, waits ? kWritable : 0);
  if (waits) return;
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
  if (!socket->io.closing && socket->to_write.empty()) Unwatch(raw, kWritable);
}

}  // namespace conform::reference
