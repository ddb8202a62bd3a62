#include "reference-impl/host/node_io.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

void Socket::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(role) | (connected ? 16u : 0u) | (closed ? 32u : 0u) | (io.active ? 64u : 0u) |
                   (io.closing ? 128u : 0u) | (close_asked ? 256u : 0u) | (reset ? 512u : 0u));
  fingerprint->Add(static_cast<uint64_t>(connections));
  if (task != nullptr) AddTask(fingerprint, task);
  if (on_close != nullptr) AddTask(fingerprint, on_close);
  for (const auto& [event, tasks] : listeners) {
    fingerprint->Add(event);
    for (const TaskPtr& listener : tasks) AddTask(fingerprint, listener);
  }
  AddThing(fingerprint, server.lock().get());
}

void ChildProcess::AddTo(Fingerprint* fingerprint) const {
  if (task != nullptr) AddTask(fingerprint, task);
  for (const TaskPtr& listener : on_spawn) AddTask(fingerprint, listener);
}

// One request of the pool after another.
struct NodeIo::FileTrip : Thing {
  Request request;
  TaskPtr task;
  ThingPtr resolves;
  std::function<void()> body;  // instead of a task
  int trips_left = 1;
  NodeIo* owner = nullptr;

  void AddTo(Fingerprint* fingerprint) const override {
    if (task != nullptr) AddTask(fingerprint, task);
    AddThing(fingerprint, resolves.get());
    fingerprint->Add(static_cast<uint64_t>(trips_left) * 2 + (body ? 1 : 0));
  }
};

struct NodeIo::Channel : Thing {
  WakeupHandle wakeup;
  std::deque<TaskPtr> messages;
  std::string name;  // "" for a channel of one message
  NodeIo* owner = nullptr;

  void AddTo(Fingerprint* fingerprint) const override {
    fingerprint->Add(name);
    for (const TaskPtr& message : messages) AddTask(fingerprint, message);
  }
};

SocketPtr NodeIo::NewSocket(Socket::Role role, const TaskPtr& task) {
  auto socket = std::make_shared<Socket>();
  socket->role = role;
  socket->task = task;
  socket->owner = this;
  socket->io.data = static_cast<Thing*>(socket.get());
  socket->io.callback = [](IoHandle* handle, uint8_t readiness) {
    auto* self = static_cast<Socket*>(static_cast<Thing*>(handle->data));
    self->owner->OnReady(self, readiness);
  };
  sockets_.push_back(socket);
  return socket;
}

SocketPtr NodeIo::Hold(Socket* socket) const {
  for (const SocketPtr& held : sockets_) {
    if (held.get() == socket) return held;
  }
  return nullptr;
}

// The data is there already. spec: poll.data-waiting-is-ready
ThingPtr NodeIo::Read(const TaskPtr& task) {
  const SocketPtr socket = NewSocket(Socket::Role::kReader, task);
  core_.loop().StartIo(&socket->io, core_.loop().platform().OpenReadable(), kReadable);
  return socket;
}

ThingPtr NodeIo::Refused(const TaskPtr& task, bool by_path) {
  const SocketPtr socket = NewSocket(Socket::Role::kRefused, task);
  if (by_path && core_.rules().failed_connect == NodeRules::FailedConnect::kTick) {
    struct Failure : InternalTick {
      SocketPtr socket;
      Outcome Run() override {
        if (socket->closed) return Outcome::Done();
        socket->owner->CloseSilently(socket);
        return socket->owner->core_.Call(socket->task, {"ticks", "pending.connect-errors"}, {});
      }
      void AddTo(Fingerprint* fingerprint) const override { AddThing(fingerprint, socket.get()); }
    };
    auto tick = std::make_shared<Failure>();
    tick->socket = socket;
    core_.QueueInternalTick(tick);
  } else if (by_path && core_.rules().failed_connect == NodeRules::FailedConnect::kInPoll) {
    core_.loop().StartIo(&socket->io, core_.loop().platform().ConnectRefused(), kWritable);
  } else if (by_path) {
    // spec: pending.connect-errors
    core_.loop().StartIo(&socket->io, core_.loop().platform().OpenWakeup(), kReadable);
    core_.loop().Feed(&socket->io);
  } else {
    // spec: poll.refused-connection. An address that needs no lookup is connected to in a tick.
    struct Attempt : InternalTick {
      SocketPtr socket;
      NodeCore* core;
      Outcome Run() override {
        if (socket->closed) return Outcome::Done();
        core->loop().StartIo(&socket->io, core->loop().platform().ConnectRefused(), kWritable);
        return Outcome::Done();
      }
      void AddTo(Fingerprint* fingerprint) const override { AddThing(fingerprint, socket.get()); }
    };
    auto tick = std::make_shared<Attempt>();
    tick->socket = socket;
    tick->core = &core_;
    core_.QueueInternalTick(tick);
  }
  return socket;
}

ThingPtr NodeIo::Listen() {
  const SocketPtr socket = NewSocket(Socket::Role::kServer, nullptr);
  core_.loop().StartIo(&socket->io, core_.loop().platform().Listen(), kReadable);
  // spec: poll.listening. The event is a tick, so that a listener that is added after the call is still called.
  struct Listening : InternalTick {
    SocketPtr socket;
    NodeCore* core;
    Outcome Run() override {
      if (socket->closed) return Outcome::Done();
      for (const TaskPtr& task : std::vector<TaskPtr>(socket->listeners["listening"])) {
        if (Outcome outcome = core->Call(task, {"ticks", "poll.listening"}, {}); outcome.thrown()) return outcome;
      }
      return Outcome::Done();
    }
    void AddTo(Fingerprint* fingerprint) const override { AddThing(fingerprint, socket.get()); }
  };
  auto tick = std::make_shared<Listening>();
  tick->socket = socket;
  tick->core = &core_;
  switch (core_.rules().listening_event) {
    case NodeRules::ListeningEvent::kTick:
      core_.QueueInternalTick(tick);
      break;
    case NodeRules::ListeningEvent::kInTheCall:
      tick->Run();
      break;
  }
  return socket;
}

ThingPtr NodeIo::Connect(const TaskPtr& task, const SocketPtr& server) {
  const SocketPtr socket = NewSocket(Socket::Role::kClient, task);
  core_.loop().StartIo(&socket->io, core_.loop().platform().Connect(server->io.source), kWritable);
  server->backlog.push_back(socket);
  return socket;
}

void NodeIo::Accept(const TaskPtr& task, const SocketPtr& server) {
  if (server == nullptr) return;
  server->listeners["connection"].push_back(task);
}

ThingPtr NodeIo::MakeSocket() { return NewSocket(Socket::Role::kUnconnected, nullptr); }

void NodeIo::OnReady(Socket* raw, uint8_t readiness) {
  const SocketPtr socket = Hold(raw);
  switch (socket->role) {
    case Socket::Role::kReader:
      core_.loop().platform().Read(socket->io.source);
      CloseSilently(socket);
      core_.MakeCallback([&] { return core_.Call(socket->task, {"poll", "poll.data-waiting-is-ready"}, {}); });
      break;
    case Socket::Role::kRefused:
      CloseSilently(socket);
      core_.MakeCallback([&] {
        if (core_.rules().refused_error == NodeRules::RefusedError::kInPoll) {
          return core_.Call(socket->task, {"poll", "poll.refused-connection"}, {});
        }
        core_.QueueTick(socket->task, "");
        return Outcome::Done();
      });
      break;
    case Socket::Role::kServer:
      if (core_.rules().connection_event == NodeRules::ConnectionEvent::kAfterConnect && (readiness & kReadable) != 0) {
        core_.loop().Feed(&socket->io);  // comes back here, writable, in the pending phase
        break;
      }
      OnConnections(raw);
      break;
    case Socket::Role::kClient:
      // spec: close.resets-connections. Nothing listens to the error.
      if (socket->reset) {
        CloseSilently(socket);
        core_.MakeCallback([&] {
          if (core_.rules().refused_error == NodeRules::RefusedError::kInPoll) return Outcome::Thrown("ECONNRESET");
          core_.QueueInternalTick(std::make_shared<ThrowingTick>("ECONNRESET"));
          return Outcome::Done();
        });
        break;
      }
      if (!socket->connected) {
        socket->connected = true;
        core_.loop().StartIo(&socket->io, socket->io.source, kReadable);
        core_.MakeCallback([&] { return core_.Call(socket->task, {"poll", "poll.connection-before-connect"}, {}); });
        break;
      }
      [[fallthrough]];
    case Socket::Role::kServerSide:
      // Nothing reads; all that can be seen is that the other side has gone.
      if (readiness & kReadable && core_.loop().platform().Read(socket->io.source) == 0) {
        core_.MakeCallback([&] {
          Destroy(nullptr, socket);
          return Outcome::Done();
        });
      }
      break;
    case Socket::Role::kUnconnected:
      CONFORM_CHECK(false);
  }
}

// spec: poll.connection-before-connect
void NodeIo::OnConnections(Socket* server) {
  for (;;) {
    if (server->closed) return;
    const Source source = core_.loop().platform().Accept(server->io.source);
    if (source == kNoSource) return;
    server->backlog.pop_front();
    const SocketPtr side = NewSocket(Socket::Role::kServerSide, nullptr);
    side->connected = true;
    side->server = Hold(server);
    ++server->connections;
    core_.loop().StartIo(&side->io, source, kReadable);
    core_.MakeCallback([&] {
      for (const TaskPtr& task : std::vector<TaskPtr>(server->listeners["connection"])) {
        if (name_) name_(task->step->label, side);
        Outcome outcome = CallOfConnection(task, {"poll", "poll.connection-before-connect"});
        if (outcome.thrown()) return outcome;
      }
      return Outcome::Done();
    });
    if (core_.loop().rules().accepting == LoopRules::Accepting::kOne) return;  // spec: poll.connections-in-order
  }
}

// spec: errors.throw-in-io
Outcome NodeIo::CallOfConnection(const TaskPtr& task, Where where) {
  Outcome outcome = core_.Call(task, where, {});
  const bool is_lost = core_.rules().connection_throw == NodeRules::ConnectionThrow::kLost;
  return is_lost ? Outcome::Done() : outcome;
}

void NodeIo::CloseSilently(const SocketPtr& socket) {
  socket->closed = true;
  if (socket->io.closing) return;
  core_.loop().CloseIo(&socket->io, [](Handle* handle) {
    auto* self = static_cast<Socket*>(static_cast<Thing*>(handle->data));
    self->owner->EmitClose(self->owner->Hold(self));
  });
}

// Without a listener too, the event opens a callback scope.
void NodeIo::EmitClose(const SocketPtr& socket) {
  core_.MakeCallback([&] {
    if (socket->on_close == nullptr) return Outcome::Done();
    return CallOfConnection(socket->on_close, {"closing", "close.after-check"});
  });
  std::erase(sockets_, socket);
}

void NodeIo::Close(const TaskPtr& task, const SocketPtr& socket) {
  if (socket == nullptr || socket->close_asked) return;
  socket->close_asked = true;
  // One that is closing by itself has its event still to come.
  if (socket->closed) {
    socket->on_close = task;
    return;
  }
  Destroy(task, socket);
}

void NodeIo::Destroy(const TaskPtr& task, const SocketPtr& socket) {
  if (socket->closed) return;
  socket->closed = true;
  socket->on_close = task;
  if (socket->role == Socket::Role::kUnconnected) {
    // spec: close.event-of-destroyed-socket
    if (core_.rules().close_unconnected == NodeRules::CloseUnconnected::kTick && task != nullptr) {
      core_.QueueTick(task, "");
    }
    return;
  }
  if (const SocketPtr server = socket->server.lock()) {
    --server->connections;
    CloseServerIfDrained(server);
  }
  if (socket->io.source == kNoSource && socket->role != Socket::Role::kRefused) return;
  // Without an attempt under way there is none to be answered first.
  if (socket->role == Socket::Role::kRefused) socket->connected = socket->io.source == kNoSource;
  // spec: close.after-check. Its handle is closed, and the close phase emits the event.
  const bool in_tick = core_.rules().close_event == NodeRules::CloseEvent::kTick;
  if (in_tick && task != nullptr && socket->role != Socket::Role::kServer) {
    core_.QueueTick(std::exchange(socket->on_close, nullptr), "");
  }
  for (const std::weak_ptr<Socket>& waiting : std::exchange(socket->backlog, {})) {
    if (const SocketPtr client = waiting.lock()) client->reset = true;
  }
  core_.loop().CloseIo(&socket->io, [](Handle* handle) {
    auto* self = static_cast<Socket*>(static_cast<Thing*>(handle->data));
    self->owner->OnSocketClosed(self);
  });
  if (socket->role == Socket::Role::kServer) CloseServerIfDrained(socket);
}

// spec: close.server-in-a-tick
void NodeIo::CloseServerIfDrained(const SocketPtr& server) {
  const bool waits = server->connections > 0 && core_.rules().server_close != NodeRules::ServerClose::kAtOnce;
  if (!server->closed || waits || server->on_close == nullptr) return;
  if (core_.rules().server_close == NodeRules::ServerClose::kClosingPhase) {
    if (server->end.closing) return;
    server->end.data = static_cast<Thing*>(server.get());
    ended_servers_.push_back(server);
    core_.loop().Close(&server->end, [](Handle* handle) {
      auto* self = static_cast<Socket*>(static_cast<Thing*>(handle->data));
      self->owner->EmitServerClose(self);
    });
    return;
  }
  core_.QueueTick(std::exchange(server->on_close, nullptr), "");
}

void NodeIo::EmitServerClose(Socket* raw) {
  const auto found =
      std::find_if(ended_servers_.begin(), ended_servers_.end(), [raw](const auto& one) { return one.get() == raw; });
  const SocketPtr server = *found;
  ended_servers_.erase(found);
  core_.MakeCallback([&] { return CallOfConnection(server->on_close, {"closing", "close.after-check"}); });
}

void NodeIo::OnSocketClosed(Socket* raw) {
  const SocketPtr socket = Hold(raw);
  if (socket->role != Socket::Role::kServer) {
    // An attempt to connect that was under way is answered first, unheard by the program; but its scope drains.
    const bool attempts = socket->role == Socket::Role::kClient || socket->role == Socket::Role::kRefused;
    if (attempts && !socket->connected) core_.CloseScope();
    return EmitClose(socket);
  }
  std::erase(sockets_, socket);
}

std::shared_ptr<NodeIo::FileTrip> NodeIo::NewTrip(const std::string& name) {
  auto trip = std::make_shared<FileTrip>();
  trip->owner = this;
  trip->request.data = static_cast<Thing*>(trip.get());
  trip->request.name = name;
  trip->request.callback = [](Request* request) {
    auto* self = static_cast<FileTrip*>(static_cast<Thing*>(request->data));
    NodeIo* io = self->owner;
    if (--self->trips_left > 0) {
      io->core_.MakeCallback([io, request] {
        io->core_.loop().Submit(request, io->pool_);
        return Outcome::Done();
      });
      return;
    }
    const auto found =
        std::find_if(io->trips_.begin(), io->trips_.end(), [self](const auto& t) { return t.get() == self; });
    const std::shared_ptr<FileTrip> hold = *found;
    io->trips_.erase(found);
    if (hold->body) {
      hold->body();
      return;
    }
    io->core_.MakeCallback([&] {
      if (hold->resolves != nullptr) return io->core_.Resolve(hold->resolves);
      return io->core_.Call(hold->task, {"poll", "poll.pool-completions"}, {});
    });
  };
  trips_.push_back(trip);
  return trip;
}

// spec: poll.pool-completions, poll.pool-width
ThingPtr NodeIo::File(const TaskPtr& task, int trips, ThingPtr resolves) {
  const auto trip = NewTrip(task->step->label);
  trip->task = task;
  trip->resolves = std::move(resolves);
  trip->trips_left = trips;
  core_.loop().Submit(&trip->request, pool_);
  return trip;
}

void NodeIo::RunInPoll(std::function<void()> body) {
  const auto trip = NewTrip("the entry");
  trip->body = std::move(body);
  core_.loop().Submit(&trip->request, pool_);
}

void NodeIo::AwaitAnswer() {
  const auto trip = NewTrip("the main thread");
  trip->body = [this] { core_.CloseScope(); };
  core_.loop().Submit(&trip->request, kOwnThread);
}

ChildPtr NodeIo::NewChild(const TaskPtr& task) {
  const auto child = std::make_shared<ChildProcess>();
  child->task = task;
  child->owner = this;
  child->handle.data = child->request.data = static_cast<Thing*>(child.get());
  child->request.name = task->step->label;
  child->request.callback = [](Request* request) {
    auto* self = static_cast<ChildProcess*>(static_cast<Thing*>(request->data));
    NodeIo* io = self->owner;
    const auto found =
        std::find_if(io->children_.begin(), io->children_.end(), [self](const auto& c) { return c.get() == self; });
    const ChildPtr hold = *found;
    io->children_.erase(found);
    io->core_.MakeCallback([&] { return io->EndChild(hold, {"poll", "poll.children"}); });
  };
  return child;
}

// Its handle is closed first, which keeps the loop alive for another turn. spec: liveness.closing-counts
Outcome NodeIo::EndChild(const ChildPtr& child, Where where) {
  ended_children_.push_back(child);
  core_.loop().Close(&child->handle, nullptr);
  return core_.Call(child->task, where, {});
}

// spec: poll.children
ThingPtr NodeIo::Child(const TaskPtr& task) {
  const ChildPtr child = NewChild(task);
  children_.push_back(child);
  core_.loop().StartChild(&child->request);
  // That it runs is known at once, and reported by a tick.
  struct Spawned : InternalTick {
    ChildPtr child;
    NodeCore* core;
    Outcome Run() override {
      for (const TaskPtr& task : std::vector<TaskPtr>(child->on_spawn)) {
        if (Outcome outcome = core->Call(task, {"ticks", "poll.children"}, {}); outcome.thrown()) return outcome;
      }
      return Outcome::Done();
    }
    void AddTo(Fingerprint* fingerprint) const override { AddThing(fingerprint, child.get()); }
  };
  auto tick = std::make_shared<Spawned>();
  tick->child = child;
  tick->core = &core_;
  core_.QueueInternalTick(tick);
  return child;
}

ThingPtr NodeIo::MissingChild(const TaskPtr& task) {
  struct Failed : InternalTick {
    ChildPtr child;
    Outcome Run() override { return child->owner->EndChild(child, {"ticks", "poll.children"}); }
    void AddTo(Fingerprint* fingerprint) const override { AddThing(fingerprint, child.get()); }
  };
  switch (core_.rules().missing_child) {
    case NodeRules::MissingChild::kTick: {
      auto tick = std::make_shared<Failed>();
      tick->child = NewChild(task);
      core_.QueueInternalTick(tick);
      return tick->child;
    }
    case NodeRules::MissingChild::kAsItsEnd:
      return Child(task);
  }
  return nullptr;
}

// spec: poll.messages
ThingPtr NodeIo::Message(const TaskPtr& task, const std::string& name) {
  std::shared_ptr<Channel> channel;
  for (const auto& known : channels_) {
    if (!name.empty() && known->name == name) channel = known;
  }
  if (channel == nullptr) {
    channel = std::make_shared<Channel>();
    channel->name = name;
    channel->owner = this;
    channel->wakeup.data = static_cast<Thing*>(channel.get());
    channel->wakeup.callback = [](WakeupHandle* handle) {
      auto* self = static_cast<Channel*>(static_cast<Thing*>(handle->data));
      self->owner->OnMessages(self);
    };
    channels_.push_back(channel);
    core_.loop().StartWakeup(&channel->wakeup);
  }
  core_.loop().Ref(&channel->wakeup);
  channel->messages.push_back(task);
  core_.loop().Send(&channel->wakeup);
  return channel;
}

void NodeIo::OnMessages(Channel* raw) {
  const auto found = std::find_if(channels_.begin(), channels_.end(), [raw](const auto& c) { return c.get() == raw; });
  const std::shared_ptr<Channel> channel = *found;
  // spec: starvation.messages
  const NodeRules& rules = core_.rules();
  const bool one = rules.message_run == NodeRules::MessageRun::kOne;
  const bool limited = rules.message_limit > 0 || one;
  const size_t limit = one ? 1 : std::max(channel->messages.size(), static_cast<size_t>(rules.message_limit));
  std::deque<TaskPtr>& messages = channel->messages;
  for (size_t delivered = 0; !messages.empty(); ++delivered) {
    if (limited && delivered == limit) break;
    if (rules.message_order == QueueOrder::kNewestFirst) {
      std::rotate(messages.begin(), messages.end() - 1, messages.end());
    }
    const TaskPtr task = messages.front();
    messages.pop_front();
    if (messages.empty() && !channel->name.empty()) core_.loop().Unref(&channel->wakeup);
    if (channel->name.empty()) {
      std::erase(channels_, channel);
      closed_channels_.push_back(channel);  // the loop still knows its handle
      core_.loop().CloseWakeup(&channel->wakeup, [](Handle* handle) {
        static_cast<Channel*>(static_cast<Thing*>(handle->data))->owner->core_.CloseScope();
      });
    }
    if (rules.message_drain == NodeRules::MessageDrain::kAtEnd && !messages.empty()) {
      if (const Outcome outcome = DeliverMessage(task); outcome.thrown()) core_.TriggerUncaught(outcome.error);
      continue;
    }
    if (rules.message_drain == NodeRules::MessageDrain::kMicrotasksBetween && !messages.empty()) {
      if (const Outcome outcome = DeliverMessage(task); outcome.thrown()) core_.TriggerUncaught(outcome.error);
      core_.RunMicrotasks();
      continue;
    }
    // After an error the port stops, and requests another turn.
    const bool called = core_.MakeCallback([&] { return DeliverMessage(task); });
    if (!called || core_.drain_failed()) break;
  }
  if (!messages.empty()) core_.loop().Send(&channel->wakeup);
}

// spec: errors.throw-in-message. Since ports are event targets, an error of a listener comes out of a tick.
Outcome NodeIo::DeliverMessage(const TaskPtr& task) {
  const Outcome outcome = core_.Call(task, {"poll", "poll.messages"}, {});
  if (!outcome.thrown() || !core_.rules().message_throws_in_tick) return outcome;
  core_.QueueInternalTick(std::make_shared<ThrowingTick>(outcome.error));
  return Outcome::Done();
}

void NodeIo::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(sockets_.size());
  for (const SocketPtr& socket : sockets_) AddThing(fingerprint, socket.get());
  for (const auto& trip : trips_) AddThing(fingerprint, trip.get());
  for (const ChildPtr& child : children_) AddThing(fingerprint, child.get());
  for (const auto& channel : channels_) AddThing(fingerprint, channel.get());
}

}  // namespace conform::reference
