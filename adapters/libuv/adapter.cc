// The adapter of libuv; README.md says what each step means.
#include "adapter.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "uv_sockets.h"
#include "uv_things.h"

// Since libuv 1.12: what is inside an older Node.js does not have it, and is to be loaded all the same.
extern "C" int uv_signal_start_oneshot(uv_signal_t*, uv_signal_cb, int) __attribute__((weak));
// Since libuv 1.33.
extern "C" int uv_random(uv_loop_t*, uv_random_t*, void*, size_t, unsigned, uv_random_cb) __attribute__((weak));

namespace loop_adapter {
namespace {

class Timer : public Handle {
 public:
  Timer(Loop& loop, bool is_interval) : Handle(loop, UV_TIMER), is_interval_(is_interval) {
    uv_timer_init(UvThing::loop(), As<uv_timer_t>());
  }
  // A `start` with another delay changes no interval.
  void Start(double ms) override {
    if (is_first_) interval_ms_ = is_interval_ ? static_cast<uint64_t>(ms) : 0;
    is_first_ = false;
    uv_timer_start(As<uv_timer_t>(), OnRun, static_cast<uint64_t>(ms), interval_ms_);
  }
  void Refresh(double) override { uv_timer_again(As<uv_timer_t>()); }
  bool Stop() override {
    uv_timer_stop(As<uv_timer_t>());
    return true;
  }

 private:
  const bool is_interval_;
  bool is_first_ = true;
  uint64_t interval_ms_ = 0;
};

// An idle, prepare or check handle.
template <typename T, uv_handle_type kType, int (*kInit)(uv_loop_t*, T*), int (*kStart)(T*, void (*)(T*)),
          int (*kStop)(T*)>
class PhaseHandle : public Handle {
 public:
  explicit PhaseHandle(Loop& loop) : Handle(loop, kType) { kInit(UvThing::loop(), As<T>()); }
  void Start(double) override { kStart(As<T>(), OnRun); }
  bool Stop() override {
    kStop(As<T>());
    return true;
  }
};
using Idle = PhaseHandle<uv_idle_t, UV_IDLE, uv_idle_init, uv_idle_start, uv_idle_stop>;
using Prepare = PhaseHandle<uv_prepare_t, UV_PREPARE, uv_prepare_init, uv_prepare_start, uv_prepare_stop>;
using CheckHandle = PhaseHandle<uv_check_t, UV_CHECK, uv_check_init, uv_check_start, uv_check_stop>;

class Immediate : public CheckHandle {
 public:
  using CheckHandle::CheckHandle;
  void Start(double) override {
    uv_check_start(As<uv_check_t>(), [](uv_check_t* handle) {
      uv_check_stop(handle);
      OnRun(handle);
    });
  }
};

class Wake : public Handle {
 public:
  explicit Wake(Loop& loop) : Handle(loop, UV_ASYNC) {
    Check("uv_async_init", uv_async_init(UvThing::loop(), As<uv_async_t>(), OnRun));
  }
  void Start(double) override { uv_async_send(As<uv_async_t>()); }
  void Restart(double) override {}
  void Send() override { uv_async_send(As<uv_async_t>()); }
};

class Signal : public Handle {
 public:
  Signal(Loop& loop, int number, bool is_once = false) : Handle(loop, UV_SIGNAL), number_(number), is_once_(is_once) {
    Check("uv_signal_init", uv_signal_init(UvThing::loop(), As<uv_signal_t>()));
  }
  void Start(double) override {
    const auto on_signal = [](uv_signal_t* handle, int) { OnRun(handle); };
    const auto start = is_once_ ? uv_signal_start_oneshot : uv_signal_start;
    Check("uv_signal_start", start(As<uv_signal_t>(), on_signal, number_));
  }
  bool Stop() override {
    uv_signal_stop(As<uv_signal_t>());
    return true;
  }
  // To the thread of the loop, so that libuv has noted it when this returns. Where nothing handles the signal it
  // would end the process, and with it the session; a program that does so has no more to say, but others do.
  void Raise() override {
    struct sigaction now {};
    sigaction(number_, nullptr, &now);
    if (now.sa_handler != SIG_DFL) raise(number_);
  }

 private:
  const int number_;
  const bool is_once_;
};

class Child : public Handle {
 public:
  explicit Child(Loop& loop) : Handle(loop, UV_PROCESS) {}
  void Start(double) override {
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    uv_process_options_t options{};
    options.file = name;
    options.args = arguments;
    options.exit_cb = [](uv_process_t* process, int64_t, int) {
      Child& child = static_cast<Child&>(Of(process));
      child.uv_.children().erase(process->pid);
      child.RunAfterWait(0);
    };
    BeginWait();
    is_made_ = true;
    auto* process = As<uv_process_t>();
    if (Check("uv_spawn", uv_spawn(loop(), process, &options))) uv_.children().insert(process->pid);
  }
  // Its callback does not come any more; those of other things come all the same, with ECANCELED.
  bool Stop() override {
    EndWait();
    return Handle::Stop();
  }
  void Close(const std::function<void()>& closed) override {
    EndWait();
    Handle::Close(closed);
  }
  // Only uv_spawn makes a handle of its memory.
  bool IsClosed() const override { return is_made_ && Handle::IsClosed(); }

 private:
  bool is_made_ = false;
};

class Work : public Request {
 public:
  explicit Work(Loop& loop) : Request(loop, UV_WORK) {}
  void Start(double ms) override {
    BeginWait();
    ms_ = ms;
    const auto take_time = [](uv_work_t* request) {
      const Work& work = static_cast<Work&>(Of(request));
      if (work.ms_ > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(work.ms_));
    };
    const auto on_done = [](uv_work_t* request, int status) { static_cast<Work&>(Of(request)).RunAfterWait(status); };
    Check("uv_queue_work", uv_queue_work(loop(), As<uv_work_t>(), take_time, on_done));
  }

 private:
  double ms_ = 0;  // how long it takes; a thread of the pool reads it
};

class File : public Request {
 public:
  explicit File(Loop& loop) : Request(loop, UV_FS) {}
  void Start(double) override {
    BeginWait();
    Check("uv_fs_stat", uv_fs_stat(loop(), As<uv_fs_t>(), ".", [](uv_fs_t* request) {
            const int status = request->result < 0 ? static_cast<int>(request->result) : 0;
            uv_fs_req_cleanup(request);
            static_cast<File&>(Of(request)).RunAfterWait(status);
          }));
  }
};

class Random : public Request {
 public:
  explicit Random(Loop& loop) : Request(loop, UV_RANDOM) {}
  void Start(double) override {
    BeginWait();
    const auto on_done = [](uv_random_t* request, int status, void*, size_t) {
      static_cast<Random&>(Of(request)).RunAfterWait(status);
    };
    Check("uv_random", uv_random(loop(), As<uv_random_t>(), bytes_, sizeof bytes_, 0, on_done));
  }

 private:
  char bytes_[4];
};

template <typename T>
std::unique_ptr<Thing> Make(Loop& loop, int) {
  return std::make_unique<T>(loop);
}

std::vector<Op> Ops() {
  constexpr bool kMadeAnew = true;
  std::vector<Op> ops{
      {"timeout", Fires::kOnce, [](Loop& loop, int) { return std::make_unique<Timer>(loop, false); }},
      {"interval", Fires::kRepeats, [](Loop& loop, int) { return std::make_unique<Timer>(loop, true); }},
      {"immediate", Fires::kOnce, Make<Immediate>},
      {"idle", Fires::kRepeats, Make<Idle>},
      {"prepare", Fires::kRepeats, Make<Prepare>},
      {"check", Fires::kRepeats, Make<CheckHandle>},
      {"wake", Fires::kOnce, Make<Wake>},
      {"read", Fires::kOnce, [](Loop& loop, int descriptor) { return std::make_unique<Reader>(loop, descriptor); }},
      {"read as poll", Fires::kOnce,
       [](Loop& loop, int descriptor) { return std::make_unique<Poller>(loop, descriptor); }},
      {"file", Fires::kOnce, Make<File>},
      {"work", Fires::kOnce, Make<Work>},
      {"listen", Fires::kAlong, Make<Server>},
      {"accept", Fires::kBrings, [](Loop&, int) { return std::make_unique<Acceptor>(); }},
      {"socket", Fires::kAlong, Make<Socket>},
      {"connect", Fires::kOnce, Make<Connection>, kMadeAnew},
      {"refused", Fires::kOnce, Make<Refused>, kMadeAnew},
      {"refused as path", Fires::kOnce, Make<RefusedPath>, kMadeAnew},
      {"write", Fires::kOnce, Make<Write>},
      {"write as pieces", Fires::kOnce, [](Loop& loop, int) { return std::make_unique<Write>(loop, kPieces); }},
      {"shutdown", Fires::kOnce, Make<Shutdown>},
      {"data", Fires::kAlong, [](Loop&, int) { return std::make_unique<Data>(1); }},
      {"data as wide", Fires::kAlong, [](Loop&, int) { return std::make_unique<Data>(kWideRoom); }},
      {"receive", Fires::kAlong, Make<Receiver>},
      {"datagram", Fires::kOnce, Make<Datagram>},
      {"datagram as pieces", Fires::kOnce, [](Loop& loop, int) { return std::make_unique<Datagram>(loop, kPieces); }},
      {"signal", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGUSR2); }},
      {"signal as hup", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGHUP); }},
      {"signal as winch", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGWINCH); }},
      {"child", Fires::kOnce, Make<Child>, kMadeAnew},
  };
  if (uv_signal_start_oneshot != nullptr) {
    ops.push_back({"signal as once", Fires::kAlong,
                   [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGUSR2, true); }});
  }
  if (uv_random != nullptr) ops.push_back({"file as random", Fires::kOnce, Make<Random>});
  return ops;
}

}  // namespace
}  // namespace loop_adapter

namespace libuv_adapter {

int RunSession() {
  using namespace loop_adapter;
  // The libuv inside another binary comes from no separate file.
  const char* host = std::getenv("CONFORM_LIBUV_HOST");
  std::map<std::string, std::string> details;
  if (host != nullptr) details["inside"] = host;
  Watchdog watchdog;
  Adapter adapter{
      "libuv",
      uv_version_string(),
      details,
      host == nullptr ? "uv_run" : nullptr,
      Ops(),
      {"clear", "close", "refresh", "start", "send", "raise", "ref", "unref", "run", "alive", "stop", "update"},
      [&](const Outlook& outlook) { return std::make_unique<Uv>(outlook, watchdog); }};
  adapter.longest_delay_ms = kLongestDelayMs;
  adapter.reads_steady_clock = true;
  adapter.run_program = [&](const std::function<void()>& program) { watchdog.Run(program); };
  return loop_adapter::RunSession(adapter);
}

}  // namespace libuv_adapter
