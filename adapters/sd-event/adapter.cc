// The adapter of sd-event; README.md says what each step means.
#include <sys/epoll.h>
#include <systemd/sd-event.h>
#include <time.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "loop.h"

namespace loop_adapter {
namespace {

// As exact as it goes. The default lets timers wait up to a quarter of a second for others.
constexpr uint64_t kAccuracyUs = 1;
constexpr uint64_t kNever = UINT64_MAX;
constexpr std::pair<const char*, int64_t> kKinds[] = {
    {"", SD_EVENT_PRIORITY_NORMAL}, {" as high", SD_EVENT_PRIORITY_IMPORTANT}, {" as low", SD_EVENT_PRIORITY_IDLE}};

// For calls that only fail where the machine has too little of something.
void Check(const char* call, int status) {
  if (status < 0) throw std::runtime_error(std::string(call) + " failed with " + std::to_string(status));
}

class SdEvent : public Loop {
 public:
  explicit SdEvent(const Outlook& outlook) : Loop(outlook) {
    Check("sd_event_new", sd_event_new(&event_));
    Check("sd_event_now", sd_event_now(event_, CLOCK_MONOTONIC, &start_us_));
  }
  ~SdEvent() override { sd_event_unref(event_); }

  // As sd_event_loop does, which returns after sd_event_exit alone. Post sources may be left when nothing else is.
  RunEnd Run(RunMode mode) override {
    bool goes_on = true;
    while (goes_on) {
      const bool may_wait = mode != RunMode::kNowait && !outlook().NothingComes();
      const int ran = sd_event_run(event_, may_wait ? kNever : 0);
      Check("sd_event_run", ran);
      goes_on = mode == RunMode::kDefault && !outlook().is_over && (ran > 0 || !outlook().NothingComes());
    }
    return outlook().End();
  }
  void Stop() override {}  // the end of a run is seen in `outlook`
  sd_event* get() const { return event_; }
  uint64_t start_us() const { return start_us_; }

 private:
  sd_event* event_ = nullptr;
  uint64_t start_us_ = 0;
};

sd_event* EventOf(Loop& loop) { return static_cast<SdEvent&>(loop).get(); }

// Made by the first start, as sd-event makes it: it is on from the beginning.
class Source : public Thing {
 public:
  Source(Loop& loop, int64_t priority) : event_(EventOf(loop)), priority_(priority) {}
  ~Source() override { Free(); }

  void Start(double ms) override {
    const auto us = static_cast<uint64_t>(std::llround(ms * 1000));
    if (source_ != nullptr) {
      StartAgain(us);
      sd_event_source_set_enabled(source_, repeats() ? SD_EVENT_ON : SD_EVENT_ONESHOT);
      return;
    }
    Check("sd_event_add", Add(us));
    if (priority_ != SD_EVENT_PRIORITY_NORMAL) sd_event_source_set_priority(source_, priority_);
    if (repeats()) sd_event_source_set_enabled(source_, SD_EVENT_ON);
  }
  bool Stop() override {
    if (source_ != nullptr) sd_event_source_set_enabled(source_, SD_EVENT_OFF);
    return true;
  }
  void Close(const std::function<void()>& closed) override {
    closed_ = closed;
    sd_event_source_set_destroy_callback(source_, [](void* self) { static_cast<Source*>(self)->closed_(); });
    Free();
  }

 protected:
  virtual int Add(uint64_t us) = 0;
  virtual void StartAgain(uint64_t) {}
  void Free() { source_ = sd_event_source_disable_unref(source_); }
  static int OnEvent(sd_event_source*, void* self) {
    static_cast<Source*>(self)->Called();
    return 0;
  }

  sd_event* const event_;
  sd_event_source* source_ = nullptr;

 private:
  const int64_t priority_;
  std::function<void()> closed_;
};

// Runs in the next iteration: `idle` in each, and `soon as kept` whenever it is enabled again.
class Defer : public Source {
 public:
  using Source::Source;
  int Add(uint64_t) override { return sd_event_add_defer(event_, &source_, OnEvent, this); }
};

// A new source each time.
class Soon : public Defer {
 public:
  using Defer::Defer;
  void Start(double ms) override {
    Free();
    Defer::Start(ms);
  }
};

// Runs after any other source has run.
class Post : public Source {
 public:
  using Source::Source;
  int Add(uint64_t) override { return sd_event_add_post(event_, &source_, OnEvent, this); }
};

class Timer : public Source {
 public:
  using Source::Source;
  int Add(uint64_t us) override {
    const auto on_time = [](sd_event_source* own, uint64_t, void* self) { return OnEvent(own, self); };
    return sd_event_add_time_relative(event_, &source_, CLOCK_MONOTONIC, us, kAccuracyUs, on_time, this);
  }
  void StartAgain(uint64_t us) override { sd_event_source_set_time_relative(source_, us); }
};

// Its delay counts from the start of the program.
class TimerAt : public Source {
 public:
  TimerAt(Loop& loop, int64_t priority) : Source(loop, priority), start_us_(static_cast<SdEvent&>(loop).start_us()) {}
  int Add(uint64_t us) override {
    const auto on_time = [](sd_event_source* own, uint64_t, void* self) { return OnEvent(own, self); };
    return sd_event_add_time(event_, &source_, CLOCK_MONOTONIC, start_us_ + us, kAccuracyUs, on_time, this);
  }
  void StartAgain(uint64_t us) override { sd_event_source_set_time(source_, start_us_ + us); }

 private:
  const uint64_t start_us_;
};

// Called before each wait. It belongs to a source, here to a timer that never fires.
class Prepare : public Source {
 public:
  using Source::Source;
  int Add(uint64_t) override {
    const auto never = [](sd_event_source*, uint64_t, void*) { return 0; };
    const int status = sd_event_add_time(event_, &source_, CLOCK_MONOTONIC, kNever, 0, never, this);
    return status < 0 ? status : sd_event_source_set_prepare(source_, OnEvent);
  }
};

class Reader : public Source {
 public:
  Reader(Loop& loop, int descriptor, int64_t priority) : Source(loop, priority), descriptor_(descriptor) {}
  ~Reader() override {
    Free();
    CloseIfOpen(descriptor_);
  }
  int Add(uint64_t) override {
    const auto on_ready = [](sd_event_source* own, int, uint32_t, void* self) {
      auto& reader = *static_cast<Reader*>(self);
      sd_event_source_set_enabled(own, SD_EVENT_OFF);
      ReadAndClose(reader.descriptor_);
      reader.Called();
      return 0;
    };
    return sd_event_add_io(event_, &source_, descriptor_, EPOLLIN, on_ready, this);
  }

 private:
  int descriptor_;
};

template <typename T>
std::function<std::unique_ptr<Thing>(Loop&, int)> At(int64_t priority) {
  return [priority](Loop& loop, int) { return std::make_unique<T>(loop, priority); };
}

std::vector<Op> Ops() {
  std::vector<Op> ops{{"soon as kept", Fires::kOnce, At<Defer>(SD_EVENT_PRIORITY_NORMAL)},
                      {"idle", Fires::kRepeats, At<Defer>(SD_EVENT_PRIORITY_IDLE)},
                      {"timeout as at", Fires::kOnce, At<TimerAt>(SD_EVENT_PRIORITY_NORMAL)}};
  for (const auto& kind : kKinds) {
    const std::string as = kind.first;
    const int64_t priority = kind.second;
    ops.push_back({"soon" + as, Fires::kOnce, At<Soon>(priority)});
    ops.push_back({"timeout" + as, Fires::kOnce, At<Timer>(priority)});
    ops.push_back({"prepare" + as, Fires::kAlong, At<Prepare>(priority)});
    ops.push_back({"check" + as, Fires::kAlong, At<Post>(priority)});
    ops.push_back({"read" + as, Fires::kOnce, [priority](Loop& loop, int descriptor) {
                     return std::make_unique<Reader>(loop, descriptor, priority);
                   }});
  }
  return ops;
}

}  // namespace
}  // namespace loop_adapter

int main() {
  using namespace loop_adapter;
  return RunSession({"sd-event",
                     SYSTEMD_VERSION,
                     {},
                     "sd_event_run",
                     Ops(),
                     {"clear", "close", "refresh", "start", "run"},
                     [](const Outlook& outlook) { return std::make_unique<SdEvent>(outlook); }});
}
