// One loop of libuv, and what all of its handles and requests have in common.
#ifndef CONFORM_ADAPTERS_LIBUV_UV_THINGS_H_
#define CONFORM_ADAPTERS_LIBUV_UV_THINGS_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "loop.h"
#include "watchdog.h"

namespace loop_adapter {

using libuv_adapter::Watchdog;

// Closing all handles takes an iteration or two; a signal that is still on its way, one more.
inline constexpr int kMaxCleaningRuns = 1'000;
inline constexpr double kLongestDelayMs = 1e15;  // far beyond any wait, and exact as a double
inline constexpr size_t kLongestFolder = 80;     // the address of a path socket has room for 107 bytes

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
// As large as this libuv says, which need not be what its header said.
using Memory = std::unique_ptr<void, Free>;
// Not cleared: what libuv reads of it, libuv has to set.
inline Memory Allocate(size_t size) { return Memory(std::malloc(size)); }

class Uv : public Loop {
 public:
  Uv(const Outlook& outlook, Watchdog& watchdog)
      : Loop(outlook),
        watchdog_(watchdog),
        memory_(Allocate(uv_loop_size())),
        end_of_wait_(Allocate(uv_handle_size(UV_ASYNC))) {
    MustSucceed("uv_loop_init", uv_loop_init(get()));
    // How the watchdog ends a wait. Unreferenced, and after the one of the pool that every loop has: no program can see
    // it.
    auto* async = static_cast<uv_async_t*>(end_of_wait_.get());
    MustSucceed("uv_async_init", uv_async_init(get(), async, &Uv::OnEndlessWait));
    async->data = this;
    uv_unref(reinterpret_cast<uv_handle_t*>(async));
  }
  ~Uv() override {
    // What could not be closed may still be used by a thread of the pool.
    if (!is_closed_) memory_.release();
  }

  RunEnd Run(RunMode mode) override {
    const uv_run_mode uv_mode = mode == RunMode::kOnce     ? UV_RUN_ONCE
                                : mode == RunMode::kNowait ? UV_RUN_NOWAIT
                                                           : UV_RUN_DEFAULT;
    auto* async = static_cast<uv_async_t*>(end_of_wait_.get());
    watchdog_.Watch(uv_backend_fd(get()), activity_, [async] { uv_async_send(async); });
    const int alive = uv_run(get(), uv_mode);
    watchdog_.Rest();
    return alive != 0 ? RunEnd::kSomethingLeft : RunEnd::kNothingLeft;
  }
  void Stop() override { uv_stop(get()); }
  void UpdateTime() override { uv_update_time(get()); }
  bool IsAlive() override { return uv_loop_alive(get()) != 0; }

  // Nothing of this run may reach into the next.
  bool Finish() override {
    uv_walk(
        get(),
        [](uv_handle_t* handle, void*) {
          if (uv_is_closing(handle) == 0) uv_close(handle, nullptr);
        },
        nullptr);
    int status = UV_EBUSY;
    for (int i = 0; status == UV_EBUSY && i < kMaxCleaningRuns; ++i) {
      uv_run(get(), UV_RUN_DEFAULT);
      status = uv_loop_close(get());
    }
    is_closed_ = Check("uv_loop_close", status);
    // libuv forgets a child whose handle is closed; somebody has to wait for it.
    for (const int pid : children_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    CloseIfOpen(reserved_port_);
    RemovePaths();
    return is_closed_;
  }

  uv_loop_t* get() const { return static_cast<uv_loop_t*>(memory_.get()); }
  Watchdog::Activity& activity() { return activity_; }
  std::set<int>& children() { return children_; }  // that were not waited for

  // For calls that only fail where the machine has too little of something. Returns whether it went well.
  bool Check(const char* call, int status) {
    if (status < 0) Fail(std::string(call) + ": " + uv_strerror(status));
    return status >= 0;
  }

  // A path for a server, in a folder made for it; "" where there is none.
  std::string NewPath() {
    if (folder_.empty()) {
      const char* place = std::getenv("TMPDIR");
      std::string folder = place != nullptr && *place != '\0' && std::strlen(place) < kLongestFolder ? place : "/tmp";
      folder += "/conform-XXXXXX";
      if (!Check("mkdtemp", mkdtemp(folder.data()) != nullptr ? 0 : -errno)) return "";
      folder_ = folder;
    }
    return folder_ + "/" + std::to_string(++paths_);
  }

  // The address of a port that is taken, and on which nobody listens. Returns false where there is none.
  bool FindClosedPort(sockaddr_in* address) {
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* any = reinterpret_cast<sockaddr*>(address);
    if (reserved_port_ < 0) {
      reserved_port_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (!Check("socket", reserved_port_ >= 0 ? 0 : -errno)) return false;
      if (!Check("bind", bind(reserved_port_, any, sizeof *address) == 0 ? 0 : -errno)) return false;
    }
    socklen_t size = sizeof *address;
    return Check("getsockname", getsockname(reserved_port_, any, &size) == 0 ? 0 : -errno);
  }

 private:
  static void MustSucceed(const char* call, int status) {
    if (status != 0) throw std::runtime_error(std::string(call) + ": " + uv_strerror(status));
  }

  static void OnEndlessWait(uv_async_t* handle) { static_cast<Uv*>(handle->data)->EndBecauseOfEndlessWait(); }

  // Servers that were closed have removed their paths themselves.
  void RemovePaths() {
    if (folder_.empty()) return;
    for (int i = 1; i <= paths_; ++i) unlink((folder_ + "/" + std::to_string(i)).c_str());
    rmdir(folder_.c_str());
  }

  Watchdog& watchdog_;
  Memory memory_;
  Memory end_of_wait_;
  Watchdog::Activity activity_;
  bool is_closed_ = false;
  std::set<int> children_;
  int reserved_port_ = -1;  // a socket that is bound to a port and does not listen
  std::string folder_;      // of the paths of servers; "" before the first
  int paths_ = 0;
};

// A handle or a request of libuv.
class UvThing : public Thing {
 public:
  UvThing(Loop& loop, size_t size) : uv_(static_cast<Uv&>(loop)), memory_(Allocate(size)) {
    // `data` is the first field of all of them.
    static_cast<uv_handle_t*>(memory_.get())->data = this;
  }
  void Restart(double) override {}
  void Refresh(double) override {}
  void Send() override {}

 protected:
  template <typename T>
  T* As() const {
    return static_cast<T*>(memory_.get());
  }
  uv_loop_t* loop() const { return uv_.get(); }
  static UvThing& Of(const void* handle_or_request) {
    return *static_cast<UvThing*>(static_cast<const uv_handle_t*>(handle_or_request)->data);
  }
  template <typename T>
  static void OnRun(T* handle_or_request) {
    Of(handle_or_request).Run(0);
  }
  // What every callback of libuv comes to.
  void Run(int status) {
    ++uv_.activity().callbacks;
    Called(status == 0 ? "" : uv_err_name(status));
  }
  void RunAfterWait(int status) {
    EndWait();
    Run(status);
  }
  // Between these two it may become ready at any time, without the loop's doing; the watchdog has to know.
  void BeginWait() {
    is_under_way_ = true;
    ++uv_.activity().under_way;
  }
  void EndWait() {
    if (is_under_way_) --uv_.activity().under_way;
    is_under_way_ = false;
  }
  bool is_under_way() const { return is_under_way_; }
  bool Check(const char* call, int status) { return uv_.Check(call, status); }

  Uv& uv_;

 private:
  Memory memory_;
  bool is_under_way_ = false;
};

class Handle : public UvThing {
 public:
  Handle(Loop& loop, uv_handle_type type) : UvThing(loop, uv_handle_size(type)) {}

  void Restart(double ms) override { Start(ms); }
  void SetReferenced(bool referenced) override {
    if (referenced) {
      uv_ref(As<uv_handle_t>());
    } else {
      uv_unref(As<uv_handle_t>());
    }
  }
  bool IsClosed() const override { return uv_is_closing(As<uv_handle_t>()) != 0; }
  void Close(const std::function<void()>& closed) override {
    closed_ = closed;
    CloseHandle();
  }
  // Most have no end but this.
  bool Stop() override {
    CloseHandle();
    return true;
  }

 protected:
  void CloseHandle() {
    uv_close(As<uv_handle_t>(), [](uv_handle_t* handle) {
      Handle& self = static_cast<Handle&>(Of(handle));
      ++self.uv_.activity().callbacks;
      if (self.closed_) self.closed_();
    });
  }

 private:
  std::function<void()> closed_;
};

class Request : public UvThing {
 public:
  Request(Loop& loop, uv_req_type type) : UvThing(loop, uv_req_size(type)) {}
  bool CanClose() const override { return false; }
  // A request that a thread works on already continues; one that is done is not asked about.
  bool Stop() override {
    if (is_under_way()) uv_cancel(As<uv_req_t>());
    return false;
  }
};

}  // namespace loop_adapter

#endif  // CONFORM_ADAPTERS_LIBUV_UV_THINGS_H_
