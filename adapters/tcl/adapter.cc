// The adapter of Tcl's event loop; README.md says what each step means.
#include <tcl.h>

#include <cmath>

#include "loop.h"

namespace loop_adapter {
namespace {

// Tcl has one loop for each thread. Whatever a program leaves behind is taken out of it by the things themselves.
class Tcl : public Loop {
 public:
  using Loop::Loop;

  // Tcl_DoOneEvent waits forever where nothing can come; what can is counted here.
  RunEnd Run(RunMode mode) override {
    is_running_ = true;
    do {
      const bool may_wait = mode != RunMode::kNowait && !outlook().NothingComes();
      Tcl_DoOneEvent(TCL_ALL_EVENTS | (may_wait ? 0 : TCL_DONT_WAIT));
    } while (mode == RunMode::kDefault && is_running_ && !outlook().NothingComes());
    return outlook().End();
  }
  void Stop() override { is_running_ = false; }

 private:
  bool is_running_ = false;
};

class Idle : public Thing {
 public:
  ~Idle() override { Idle::Stop(); }
  void Start(double) override {
    Stop();
    Tcl_DoWhenIdle(&Idle::OnIdle, this);
  }
  bool Stop() override {
    Tcl_CancelIdleCall(&Idle::OnIdle, this);
    return true;
  }

 private:
  static void OnIdle(ClientData self) { static_cast<Idle*>(self)->Called(); }
};

class Timer : public Thing {
 public:
  ~Timer() override { Timer::Stop(); }
  void Start(double ms) override {
    Stop();
    token_ = Tcl_CreateTimerHandler(static_cast<int>(std::floor(ms)), &Timer::OnTimer, this);
  }
  bool Stop() override {
    if (token_ != nullptr) Tcl_DeleteTimerHandler(token_);
    token_ = nullptr;
    return true;
  }

 private:
  static void OnTimer(ClientData self) {
    static_cast<Timer*>(self)->token_ = nullptr;
    static_cast<Timer*>(self)->Called();
  }
  Tcl_TimerToken token_ = nullptr;
};

// An event in Tcl's own queue. Once it is there it can be taken out only by looking for it.
class Queued : public Thing {
 public:
  explicit Queued(Tcl_QueuePosition position) : position_(position) {}
  ~Queued() override { Queued::Stop(); }
  void Start(double) override {
    Stop();
    auto* event = reinterpret_cast<Event*>(Tcl_Alloc(sizeof(Event)));
    event->header.proc = &Queued::OnEvent;
    event->self = this;
    Tcl_QueueEvent(&event->header, position_);
  }
  bool Stop() override {
    Tcl_DeleteEvents(&Queued::IsOf, this);
    return true;
  }

 private:
  struct Event {
    Tcl_Event header;
    Queued* self;
  };
  static int OnEvent(Tcl_Event* event, int) {
    reinterpret_cast<Event*>(event)->self->Called();
    return 1;  // done with: Tcl frees it
  }
  static int IsOf(Tcl_Event* event, ClientData self) {
    return event->proc == &Queued::OnEvent && reinterpret_cast<Event*>(event)->self == self ? 1 : 0;
  }
  const Tcl_QueuePosition position_;
};

class Reader : public Thing {
 public:
  explicit Reader(int descriptor) : descriptor_(descriptor) {}
  ~Reader() override {
    Stop();
    CloseIfOpen(descriptor_);
  }
  void Start(double) override { Tcl_CreateFileHandler(descriptor_, TCL_READABLE, &Reader::OnReady, this); }
  bool Stop() override {
    if (descriptor_ >= 0) Tcl_DeleteFileHandler(descriptor_);
    return true;
  }

 private:
  static void OnReady(ClientData self, int) {
    auto& reader = *static_cast<Reader*>(self);
    reader.Stop();
    ReadAndClose(reader.descriptor_);
    reader.Called();
  }
  int descriptor_;
};

// A handler that is run between events once it was marked, by a signal handler or another thread.
class Wake : public Thing {
 public:
  Wake() : handler_(Tcl_AsyncCreate(&Wake::OnMarked, this)) {}
  ~Wake() override { Wake::Stop(); }
  void Start(double) override {
    if (handler_ != nullptr) Tcl_AsyncMark(handler_);
  }
  bool Stop() override {
    if (handler_ != nullptr) Tcl_AsyncDelete(handler_);
    handler_ = nullptr;
    return true;
  }

 private:
  static int OnMarked(ClientData self, Tcl_Interp*, int code) {
    static_cast<Wake*>(self)->Called();
    return code;
  }
  Tcl_AsyncHandler handler_;
};

template <typename T, typename... Arguments>
std::function<std::unique_ptr<Thing>(Loop&, int)> Make(Arguments... arguments) {
  return [=](Loop&, int) { return std::make_unique<T>(arguments...); };
}

std::vector<Op> Ops() {
  return {{"soon", Fires::kOnce, Make<Idle>()},
          {"soon as event", Fires::kOnce, Make<Queued>(TCL_QUEUE_TAIL)},
          {"soon as head", Fires::kOnce, Make<Queued>(TCL_QUEUE_HEAD)},
          {"timeout", Fires::kOnce, Make<Timer>()},
          {"wake", Fires::kOnce, Make<Wake>()},
          {"read", Fires::kOnce, [](Loop&, int descriptor) { return std::make_unique<Reader>(descriptor); }}};
}

}  // namespace
}  // namespace loop_adapter

int main() {
  using namespace loop_adapter;
  Tcl_FindExecutable(nullptr);
  int major = 0, minor = 0, patch = 0;
  Tcl_GetVersion(&major, &minor, &patch, nullptr);
  const std::string version = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  return RunSession({"tcl",
                     version,
                     {},
                     "Tcl_DoOneEvent",
                     Ops(),
                     {"clear", "refresh", "start", "send", "run", "stop"},
                     [](const Outlook& outlook) { return std::make_unique<Tcl>(outlook); }});
}
