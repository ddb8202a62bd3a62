// The adapter of libuv; README.md says what each step means.
#include "adapter.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "loop.h"
#include "watchdog.h"

namespace loop_adapter {
namespace {

using libuv_adapter::Watchdog;

// Closing all handles takes an iteration or two; a signal that is still on its way, one more.
constexpr int kMaxCleaningRuns = 1'000;
constexpr double kLongestDelayMs = 1e15;  // far beyond any wait, and exact as a double
constexpr size_t kLongestFolder = 80;     // the address of a path socket has room for 107 bytes
constexpr char kNoSuchPath[] = "no-such-directory/socket";

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
// As large as this libuv says, which need not be what its header said.
using Memory = std::unique_ptr<void, Free>;
// Not cleared: what libuv reads of it, libuv has to set.
Memory Allocate(size_t size) { return Memory(std::malloc(size)); }

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

  // A path for a server, in a folder of its own; "" where there is none.
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
  Signal(Loop& loop, int number) : Handle(loop, UV_SIGNAL), number_(number) {
    Check("uv_signal_init", uv_signal_init(UvThing::loop(), As<uv_signal_t>()));
  }
  void Start(double) override {
    const auto on_signal = [](uv_signal_t* handle, int) { OnRun(handle); };
    Check("uv_signal_start", uv_signal_start(As<uv_signal_t>(), on_signal, number_));
  }
  bool Stop() override {
    uv_signal_stop(As<uv_signal_t>());
    return true;
  }
  // To the thread of the loop, so that libuv has taken note of it when this returns. Where nobody handles the signal it
  // would end the process, and with it the session; a program that does so has no more to say, but others do.
  void Raise() override {
    struct sigaction now {};
    sigaction(number_, nullptr, &now);
    if (now.sa_handler != SIG_DFL) raise(number_);
  }

 private:
  const int number_;
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
};

class Socket : public Handle {
 public:
  explicit Socket(Loop& loop) : Handle(loop, UV_NAMED_PIPE) {
    Check("uv_pipe_init", uv_pipe_init(UvThing::loop(), As<uv_pipe_t>(), 0));
  }
  void Start(double) override {}
  uv_stream_t* stream() const { return As<uv_stream_t>(); }
};

class Reader : public Socket {
 public:
  Reader(Loop& loop, int descriptor) : Socket(loop), descriptor_(descriptor) {}
  ~Reader() override { CloseIfOpen(descriptor_); }
  void Start(double) override {
    if (descriptor_ < 0 || !Check("uv_pipe_open", uv_pipe_open(As<uv_pipe_t>(), descriptor_))) return;
    descriptor_ = -1;  // libuv's own
    const auto provide_buffer = [](uv_handle_t*, size_t, uv_buf_t* buffer) {
      static char bytes[16];
      *buffer = uv_buf_init(bytes, sizeof bytes);
    };
    const auto on_read = [](uv_stream_t* stream, ssize_t, const uv_buf_t*) {
      Reader& reader = static_cast<Reader&>(Of(stream));
      if (!reader.IsClosed()) reader.CloseHandle();
      reader.Run(0);
    };
    Check("uv_read_start", uv_read_start(stream(), provide_buffer, on_read));
  }

 private:
  int descriptor_;
};

class Server;

// Waits for connections to a server; its name means the newest of them.
class Acceptor : public Thing {
 public:
  void Start(double) override;
  bool Stop() override { return false; }
  bool CanClose() const override { return false; }
  using Thing::Brought;
  using Thing::Keep;
};

class Server : public Socket {
 public:
  using Socket::Socket;
  void Start(double) override {
    path_ = uv_.NewPath();
    if (path_.empty() || !Check("uv_pipe_bind", uv_pipe_bind(As<uv_pipe_t>(), path_.c_str()))) return;
    const auto on_connection = [](uv_stream_t* server, int) { static_cast<Server&>(Of(server)).OnConnection(); };
    Check("uv_listen", uv_listen(stream(), 128, on_connection));
  }
  void Add(Acceptor* acceptor) { acceptors_.push_back(acceptor); }
  const std::string& path() const { return path_; }

 private:
  // Several callbacks of one server share the connection.
  void OnConnection() {
    ++uv_.activity().callbacks;
    if (uv_.outlook().is_over || acceptors_.empty()) return;
    const std::vector<Acceptor*> acceptors = acceptors_;
    auto socket = std::make_unique<Socket>(uv_);
    uv_stream_t* side = socket->stream();
    Thing& kept = acceptors[0]->Keep(std::move(socket));
    if (!Check("uv_accept", uv_accept(stream(), side))) return;
    for (Acceptor* acceptor : acceptors) acceptor->Brought(kept);
  }

  std::string path_;
  std::vector<Acceptor*> acceptors_;
};

void Acceptor::Start(double) {
  if (auto* server = dynamic_cast<Server*>(target())) server->Add(this);
}

// An attempt to connect, whose thing is the socket.
template <typename Base>
class Attempt : public Base {
 public:
  using Base::Base;

 protected:
  uv_connect_t* NewRequest() {
    request_ = Allocate(uv_req_size(UV_CONNECT));
    auto* request = static_cast<uv_connect_t*>(request_.get());
    request->data = static_cast<UvThing*>(this);
    this->BeginWait();
    return request;
  }
  // `kExpected` is what the attempt is made for: it is no outcome.
  template <int kExpected>
  static void OnConnect(uv_connect_t* request, int status) {
    static_cast<Attempt&>(Base::Of(request)).RunAfterWait(status == kExpected ? 0 : status);
  }

 private:
  Memory request_;
};

class Connection : public Attempt<Socket> {
 public:
  using Attempt<Socket>::Attempt;
  void Start(double) override {
    const auto* server = dynamic_cast<Server*>(target());
    if (server != nullptr) uv_pipe_connect(NewRequest(), As<uv_pipe_t>(), server->path().c_str(), OnConnect<0>);
  }
  void Restart(double) override {}
};

class RefusedPath : public Attempt<Socket> {
 public:
  using Attempt<Socket>::Attempt;
  void Start(double) override { uv_pipe_connect(NewRequest(), As<uv_pipe_t>(), kNoSuchPath, OnConnect<UV_ENOENT>); }
};

class Refused : public Attempt<Handle> {
 public:
  explicit Refused(Loop& loop) : Attempt<Handle>(loop, UV_TCP) {
    Check("uv_tcp_init", uv_tcp_init(UvThing::loop(), As<uv_tcp_t>()));
  }
  void Start(double) override {
    sockaddr_in address{};
    if (!uv_.FindClosedPort(&address)) return;
    const auto* any = reinterpret_cast<const sockaddr*>(&address);
    Check("uv_tcp_connect", uv_tcp_connect(NewRequest(), As<uv_tcp_t>(), any, OnConnect<UV_ECONNREFUSED>));
  }
};

class Request : public UvThing {
 public:
  Request(Loop& loop, uv_req_type type) : UvThing(loop, uv_req_size(type)) {}
  bool CanClose() const override { return false; }
  // A request that a thread works on already goes on; one that is done is not asked about.
  bool Stop() override {
    if (is_under_way()) uv_cancel(As<uv_req_t>());
    return false;
  }
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

class Write : public Request {
 public:
  explicit Write(Loop& loop) : Request(loop, UV_WRITE) {}
  void Start(double) override {
    auto* socket = dynamic_cast<Socket*>(target());
    if (socket == nullptr || socket->IsClosed()) return;
    static char byte[] = "x";
    uv_buf_t buffer = uv_buf_init(byte, 1);
    BeginWait();
    const auto on_done = [](uv_write_t* request, int status) { static_cast<Write&>(Of(request)).RunAfterWait(status); };
    // A socket that was never connected takes nothing, and says so at once: there will be no callback.
    if (uv_write(As<uv_write_t>(), socket->stream(), &buffer, 1, on_done) != 0) EndWait();
  }
  bool Stop() override { return false; }
};

template <typename T>
std::unique_ptr<Thing> Make(Loop& loop, int) {
  return std::make_unique<T>(loop);
}

std::vector<Op> Ops() {
  constexpr bool kMadeAnew = true;
  return {
      {"timeout", Fires::kOnce, [](Loop& loop, int) { return std::make_unique<Timer>(loop, false); }},
      {"interval", Fires::kRepeats, [](Loop& loop, int) { return std::make_unique<Timer>(loop, true); }},
      {"immediate", Fires::kOnce, Make<Immediate>},
      {"idle", Fires::kRepeats, Make<Idle>},
      {"prepare", Fires::kRepeats, Make<Prepare>},
      {"check", Fires::kRepeats, Make<CheckHandle>},
      {"wake", Fires::kOnce, Make<Wake>},
      {"read", Fires::kOnce, [](Loop& loop, int descriptor) { return std::make_unique<Reader>(loop, descriptor); }},
      {"file", Fires::kOnce, Make<File>},
      {"work", Fires::kOnce, Make<Work>},
      {"listen", Fires::kAlong, Make<Server>},
      {"accept", Fires::kBrings, [](Loop&, int) { return std::make_unique<Acceptor>(); }},
      {"socket", Fires::kAlong, Make<Socket>},
      {"connect", Fires::kOnce, Make<Connection>, kMadeAnew},
      {"refused", Fires::kOnce, Make<Refused>, kMadeAnew},
      {"refused as path", Fires::kOnce, Make<RefusedPath>, kMadeAnew},
      {"write", Fires::kOnce, Make<Write>},
      {"signal", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGUSR2); }},
      {"signal as hup", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGHUP); }},
      {"signal as winch", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGWINCH); }},
      {"child", Fires::kOnce, Make<Child>, kMadeAnew},
  };
}

}  // namespace
}  // namespace loop_adapter

namespace libuv_adapter {

int RunSession() {
  using namespace loop_adapter;
  // The libuv inside of another binary comes from no file of its own.
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
