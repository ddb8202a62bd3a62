// The poll phase of the Node host, continued: messages and signals.
#include <algorithm>
#include <utility>

#include "reference-impl/host/node_io.h"

namespace conform::reference {

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

struct NodeIo::SignalWatch : Thing {
  IoHandle io;
  std::vector<TaskPtr> handlers;
  NodeIo* owner = nullptr;

  void AddTo(Fingerprint* fingerprint) const override {
    for (const TaskPtr& handler : handlers) AddTask(fingerprint, handler);
  }
};

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
  const bool one = Has(Fault::kMessagesOnePerWakeup);
  const bool limited = core_.rules().message_limit || one;
  const size_t limit =
      one ? 1 : std::max<size_t>(channel->messages.size(), 1000) + (Has(Fault::kMessageLimitOff) ? 1 : 0);
  std::deque<TaskPtr>& messages = channel->messages;
  for (size_t delivered = 0; !messages.empty(); ++delivered) {
    if (limited && delivered == limit) break;
    if (Has(Fault::kMessagesTurnedAround)) std::rotate(messages.begin(), messages.end() - 1, messages.end());
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
    if (Has(Fault::kMessagesNotDrainedBetween) && !messages.empty()) {
      if (const Outcome outcome = DeliverMessage(task); outcome.thrown()) core_.TriggerUncaught(outcome.error);
      continue;
    }
    // After an error the port stops, and asks for another turn.
    const bool called = core_.MakeCallback([&] { return DeliverMessage(task); });
    if (!called || core_.drain_failed()) break;
  }
  if (!messages.empty()) core_.loop().Send(&channel->wakeup);
}

// spec: errors.throw-in-message. Since ports are event targets, an error of a listener comes out of a tick.
Outcome NodeIo::DeliverMessage(const TaskPtr& task) {
  const Outcome outcome = core_.Call(task, {"poll", "poll.messages"}, "");
  if (!outcome.thrown() || !core_.rules().message_throws_in_tick) return outcome;
  struct Rethrow : InternalTick {
    std::string error;
    Outcome Run() override { return Outcome::Thrown(error); }
    void AddTo(Fingerprint* fingerprint) const override { fingerprint->Add(error); }
  };
  auto tick = std::make_shared<Rethrow>();
  tick->error = outcome.error;
  core_.QueueInternalTick(tick);
  return Outcome::Done();
}

ThingPtr NodeIo::Signal(const TaskPtr& task) {
  if (signal_ == nullptr) {
    signal_ = std::make_shared<SignalWatch>();
    signal_->owner = this;
    signal_->io.data = static_cast<Thing*>(signal_.get());
    signal_->io.is_signal = true;
    signal_->io.referenced = Has(Fault::kSignalKeepsAlive);  // a handler does not keep the process alive
    signal_->io.callback = [](IoHandle* handle, uint8_t) {
      auto* self = static_cast<SignalWatch*>(static_cast<Thing*>(handle->data));
      NodeCore& core = self->owner->core_;
      core.loop().platform().Read(handle->source);
      core.MakeCallback([&] {
        for (const TaskPtr& handler : std::vector<TaskPtr>(self->handlers)) {
          Outcome outcome = core.Call(handler, {"poll", "poll.signals-last"}, "");
          if (outcome.thrown()) return outcome;
        }
        return Outcome::Done();
      });
    };
    core_.loop().StartIo(&signal_->io, core_.loop().SignalSource(), kReadable);
  }
  signal_->handlers.push_back(task);
  return signal_;
}

void NodeIo::Raise() { core_.loop().platform().RaiseSignal(); }

void NodeIo::AddMessagesTo(Fingerprint* fingerprint) const {
  for (const auto& channel : channels_) AddThing(fingerprint, channel.get());
  AddThing(fingerprint, signal_.get());
}

}  // namespace conform::reference
