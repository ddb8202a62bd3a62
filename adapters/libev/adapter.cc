// The adapter of libev; README.md says what each step means.
#include <ev.h>

#include <set>
#include <utility>

#include "loop.h"

namespace loop_adapter {
namespace {

constexpr double kSecondsOfMs = 1e-3;
constexpr std::pair<const char*, int> kKinds[] = {{"", 0}, {" as high", EV_MAXPRI}, {" as low", EV_MINPRI}};

class Watcher;

class Libev : public Loop {
 public:
  // The guard is the last that runs before a wait. The loop does not count it.
  explicit Libev(const Outlook& outlook) : Loop(outlook), loop_(ev_loop_new(EVFLAG_AUTO)) {
    ev_prepare_init(&guard_, [](struct ev_loop*, ev_prepare* guard, int) {
      auto& self = *static_cast<Libev*>(guard->data);
      if (!self.WouldWaitForEver()) return;
      self.waits_for_ever_ = true;
      ev_break(self.loop_, EVBREAK_ONE);
    });
    ev_set_priority(&guard_, EV_MINPRI);
    guard_.data = this;
    ev_prepare_start(loop_, &guard_);
    ev_unref(loop_);
  }
  ~Libev() override { ev_loop_destroy(loop_); }

  RunEnd Run(RunMode mode) override {
    mode_ = mode;
    const int flags = mode == RunMode::kOnce ? EVRUN_ONCE : mode == RunMode::kNowait ? EVRUN_NOWAIT : 0;
    const bool is_alive = ev_run(loop_, flags) != 0;
    if (waits_for_ever_) return RunEnd::kWaitsForEver;
    return is_alive ? RunEnd::kSomethingLeft : RunEnd::kNothingLeft;
  }
  void Stop() override { ev_break(loop_, EVBREAK_ONE); }
  void UpdateTime() override { ev_now_update(loop_); }

  struct ev_loop* get() const {
    return loop_;
  }
  std::set<Watcher*>& watchers() { return watchers_; }

 private:
  bool WouldWaitForEver() const;

  struct ev_loop* loop_;
  ev_prepare guard_;
  std::set<Watcher*> watchers_;
  RunMode mode_ = RunMode::kDefault;
  bool waits_for_ever_ = false;
};

// What the loop counts by a number alone is counted here by watcher: a one-shot timer that stops itself must not take
// one off twice.
class Watcher : public Thing {
 public:
  explicit Watcher(Loop& loop) : libev_(static_cast<Libev&>(loop)) { libev_.watchers().insert(this); }
  ~Watcher() override { libev_.watchers().erase(this); }

  void SetReferenced(bool referenced) override {
    is_referenced_ = referenced;
    Balance();
  }
  bool KeepsLoopAlive() const { return is_referenced_ && IsActive(); }

 protected:
  virtual bool IsActive() const = 0;
  struct ev_loop* loop() const {
    return libev_.get();
  }

  // To be called after each start, stop and callback.
  void Balance() {
    const bool wants_unref = !is_referenced_ && IsActive();
    if (wants_unref && !is_unreferenced_) ev_unref(loop());
    if (!wants_unref && is_unreferenced_) ev_ref(loop());
    is_unreferenced_ = wants_unref;
  }

 private:
  Libev& libev_;
  bool is_referenced_ = true;
  bool is_unreferenced_ = false;  // ev_unref was called for it
};

bool Libev::WouldWaitForEver() const {
  if (mode_ == RunMode::kNowait || outlook().armed > 0) return false;
  for (const Watcher* watcher : watchers_) {
    if (watcher->KeepsLoopAlive()) return true;
  }
  return false;  // and so the loop does not wait
}

template <typename T, void (*kStart)(struct ev_loop*, T*), void (*kStop)(struct ev_loop*, T*)>
class Of : public Watcher {
 public:
  Of(Loop& loop, int priority) : Watcher(loop) {
    ev_init(&watcher_, [](struct ev_loop*, T* watcher, int) { static_cast<Of*>(watcher->data)->OnCalled(); });
    ev_set_priority(&watcher_, priority);
    watcher_.data = this;
  }
  ~Of() override { Of::Stop(); }

  void Start(double) override {
    kStart(loop(), &watcher_);
    Balance();
  }
  bool Stop() override {
    kStop(loop(), &watcher_);
    Balance();
    return true;
  }

 protected:
  bool IsActive() const override { return ev_is_active(&watcher_); }
  virtual void OnCalled() {
    Balance();
    Called();
  }
  T watcher_{};
};
using Idle = Of<ev_idle, ev_idle_start, ev_idle_stop>;
using Prepare = Of<ev_prepare, ev_prepare_start, ev_prepare_stop>;
using Check = Of<ev_check, ev_check_start, ev_check_stop>;

void Feed(struct ev_loop* loop, ev_watcher* watcher) { ev_feed_event(loop, watcher, EV_CUSTOM); }
void Unfeed(struct ev_loop* loop, ev_watcher* watcher) { ev_clear_pending(loop, watcher); }
using Soon = Of<ev_watcher, Feed, Unfeed>;

template <bool kRepeats>
class Timer : public Of<ev_timer, ev_timer_start, ev_timer_stop> {
 public:
  using Of::Of;
  void Start(double ms) override {
    ev_timer_stop(loop(), &watcher_);
    ev_timer_set(&watcher_, ms * kSecondsOfMs, kRepeats ? ms * kSecondsOfMs : 0.);
    Of::Start(ms);
  }
};

class Reader : public Of<ev_io, ev_io_start, ev_io_stop> {
 public:
  Reader(Loop& loop, int descriptor, int priority) : Of(loop, priority), descriptor_(descriptor) {
    ev_io_set(&watcher_, descriptor, EV_READ);
  }
  ~Reader() override {
    Stop();
    CloseIfOpen(descriptor_);
  }

 protected:
  void OnCalled() override {
    Stop();
    ReadAndClose(descriptor_);
    Called();
  }

 private:
  int descriptor_;
};

// It waits from the beginning; to start it is to send to it.
class Wake : public Of<ev_async, ev_async_start, ev_async_stop> {
 public:
  Wake(Loop& loop, int priority) : Of(loop, priority) { Of::Start(0); }
  void Start(double) override {
    if (IsActive()) ev_async_send(loop(), &watcher_);
  }
};

std::vector<Op> Ops() {
  std::vector<Op> ops;
  for (const auto& kind : kKinds) {
    const std::string as = kind.first;
    const int priority = kind.second;
    const auto add = [&](const char* name, Fires fires, auto make) { ops.push_back({name + as, fires, make}); };
    add("soon", Fires::kOnce, [=](Loop& loop, int) { return std::make_unique<Soon>(loop, priority); });
    add("timeout", Fires::kOnce, [=](Loop& loop, int) { return std::make_unique<Timer<false>>(loop, priority); });
    add("interval", Fires::kRepeats, [=](Loop& loop, int) { return std::make_unique<Timer<true>>(loop, priority); });
    add("idle", Fires::kRepeats, [=](Loop& loop, int) { return std::make_unique<Idle>(loop, priority); });
    add("prepare", Fires::kAlong, [=](Loop& loop, int) { return std::make_unique<Prepare>(loop, priority); });
    add("check", Fires::kAlong, [=](Loop& loop, int) { return std::make_unique<Check>(loop, priority); });
    add("read", Fires::kOnce,
        [=](Loop& loop, int descriptor) { return std::make_unique<Reader>(loop, descriptor, priority); });
  }
  ops.push_back({"wake", Fires::kOnce, [](Loop& loop, int) { return std::make_unique<Wake>(loop, 0); }});
  return ops;
}

std::string Version() { return std::to_string(ev_version_major()) + "." + std::to_string(ev_version_minor()); }

}  // namespace
}  // namespace loop_adapter

int main() {
  using namespace loop_adapter;
  return RunSession({"libev",
                     Version(),
                     {},
                     "ev_run",
                     Ops(),
                     {"clear", "refresh", "start", "send", "ref", "unref", "run", "stop", "update"},
                     [](const Outlook& outlook) { return std::make_unique<Libev>(outlook); }});
}
