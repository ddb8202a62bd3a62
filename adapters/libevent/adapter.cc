// The adapter of libevent; README.md says what each step means.
#include <event2/event.h>
#include <time.h>

#include <cmath>
#include <utility>

#include "loop.h"

namespace loop_adapter {
namespace {

// An event without its own priority has the middle one.
constexpr int kPriorities = 3;
constexpr std::pair<const char*, int> kKinds[] = {{"", 1}, {" as high", 0}, {" as low", 2}};

class Libevent : public Loop {
 public:
  explicit Libevent(const Outlook& outlook) : Loop(outlook), base_(event_base_new()) {
    event_base_priority_init(base_, kPriorities);
  }
  ~Libevent() override { event_base_free(base_); }

  RunEnd Run(RunMode mode) override {
    event_base_loop(base_, mode == RunMode::kOnce ? EVLOOP_ONCE : mode == RunMode::kNowait ? EVLOOP_NONBLOCK : 0);
    return IsAlive() ? RunEnd::kSomethingLeft : RunEnd::kNothingLeft;
  }
  void Stop() override { event_base_loopbreak(base_); }
  // Without a flag that requests another, the clock is the coarse one.
  double BusyMarginMs() const override {
    timespec step{};
    clock_getres(CLOCK_MONOTONIC_COARSE, &step);
    return Loop::BusyMarginMs() + static_cast<double>(step.tv_nsec) / 1e6;
  }
  void UpdateTime() override { event_base_update_cache_time(base_); }
  bool IsAlive() override {
    return event_base_get_num_events(base_, EVENT_BASE_COUNT_ACTIVE | EVENT_BASE_COUNT_ADDED) > 0;
  }
  event_base* base() const { return base_; }

 private:
  event_base* base_;
};

event_base* BaseOf(Loop& loop) { return static_cast<Libevent&>(loop).base(); }

class Event : public Thing {
 public:
  Event(Loop& loop, int descriptor, short what, int priority)
      : base_(BaseOf(loop)),
        descriptor_(descriptor),
        event_(event_new(base_, descriptor, what, &Event::OnEvent, this)) {
    event_priority_set(event_, priority);
  }
  ~Event() override {
    while (closed_) event_base_loop(base_, EVLOOP_NONBLOCK);
    if (event_ != nullptr) event_free(event_);
    CloseIfOpen(descriptor_);
  }

  bool Stop() override {
    event_del(event_);
    return true;
  }
  void Close(const std::function<void()>& closed) override {
    closed_ = closed;
    event_free_finalize(0, std::exchange(event_, nullptr),
                        [](event*, void* self) { std::exchange(static_cast<Event*>(self)->closed_, nullptr)(); });
  }

 protected:
  event* get() const { return event_; }
  event_base* const base_;

 private:
  static void OnEvent(evutil_socket_t, short, void* self) {
    auto& event = *static_cast<Event*>(self);
    ReadAndClose(event.descriptor_);
    event.Called();
  }

  int descriptor_;  // -1 where it does not read
  event* event_;
  std::function<void()> closed_;
};

// Activated by hand: `soon` once, `wake` whenever it is sent to.
class UserEvent : public Event {
 public:
  UserEvent(Loop& loop, int priority) : Event(loop, -1, 0, priority) {}
  void Start(double) override { event_active(get(), EV_TIMEOUT, 0); }
};

class Reader : public Event {
 public:
  Reader(Loop& loop, int descriptor, int priority) : Event(loop, descriptor, EV_READ, priority) {}
  void Start(double) override { event_add(get(), nullptr); }
};

class Timer : public Event {
 public:
  Timer(Loop& loop, short what, int priority, bool is_common = false)
      : Event(loop, -1, what, priority), is_common_(is_common) {}
  void Start(double ms) override {
    const auto us = static_cast<int64_t>(std::llround(ms * 1000));
    const timeval delay{us / 1'000'000, us % 1'000'000};
    event_add(get(), is_common_ ? event_base_init_common_timeout(base_, &delay) : &delay);
  }

 private:
  const bool is_common_;
};

std::vector<Op> Ops() {
  std::vector<Op> ops;
  for (const auto& kind : kKinds) {
    const std::string as = kind.first;
    const int priority = kind.second;
    const auto user = [priority](Loop& loop, int) { return std::make_unique<UserEvent>(loop, priority); };
    ops.push_back({"soon" + as, Fires::kOnce, user});
    ops.push_back({"wake" + as, Fires::kOnce, user});
    ops.push_back({"timeout" + as, Fires::kOnce,
                   [priority](Loop& loop, int) { return std::make_unique<Timer>(loop, 0, priority); }});
    ops.push_back({"interval" + as, Fires::kRepeats,
                   [priority](Loop& loop, int) { return std::make_unique<Timer>(loop, EV_PERSIST, priority); }});
    ops.push_back({"read" + as, Fires::kOnce, [priority](Loop& loop, int descriptor) {
                     return std::make_unique<Reader>(loop, descriptor, priority);
                   }});
  }
  ops.push_back({"timeout as common", Fires::kOnce,
                 [](Loop& loop, int) { return std::make_unique<Timer>(loop, 0, kKinds[0].second, true); }});
  return ops;
}

}  // namespace
}  // namespace loop_adapter

int main() {
  using namespace loop_adapter;
  return RunSession({"libevent",
                     event_get_version(),
                     {},
                     "event_base_loop",
                     Ops(),
                     {"clear", "close", "refresh", "start", "send", "run", "alive", "stop", "update"},
                     [](const Outlook& outlook) { return std::make_unique<Libevent>(outlook); }});
}
