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

#include "uv_things.h"

// Since libuv 1.12: what is inside an older Node.js does not have it, and is to be loaded all the same.
extern "C" int uv_signal_start_oneshot(uv_signal_t*, uv_signal_cb, int) __attribute__((weak));

namespace loop_adapter {
namespace {

constexpr char kNoSuchPath[] = "no-such-directory/socket";

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

// Reads a connection, and runs for each byte.
class Data : public Thing {
 public:
  void Start(double) override;
  bool Stop() override;
  void Refresh(double) override {}
  void Send() override {}
  bool CanClose() const override { return false; }
  using Thing::Called;
};

class Socket : public Handle {
 public:
  explicit Socket(Loop& loop) : Handle(loop, UV_NAMED_PIPE) {
    Check("uv_pipe_init", uv_pipe_init(UvThing::loop(), As<uv_pipe_t>(), 0));
  }
  void Start(double) override {}
  uv_stream_t* stream() const { return As<uv_stream_t>(); }
  void SetConnected(bool is_connected) { is_connected_ = is_connected; }

  void StartReading(Data* reader) {
    if (!is_connected_ || IsClosed() || (reader_ != nullptr && !has_failed_)) return;
    reader_ = reader;
    has_failed_ = false;
    const auto provide_byte = [](uv_handle_t*, size_t, uv_buf_t* buffer) {
      static char byte;
      *buffer = uv_buf_init(&byte, 1);
    };
    const auto on_read = [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
      static_cast<Socket&>(Of(stream)).OnRead(static_cast<int>(size));
    };
    // Where it is refused, nothing is read.
    if (uv_read_start(stream(), provide_byte, on_read) != 0) reader_ = nullptr;
  }
  void StopReading(const Data* reader) {
    if (reader_ != reader || IsClosed()) return;
    reader_ = nullptr;
    uv_read_stop(stream());
  }

 private:
  void OnRead(int size) {
    ++uv_.activity().callbacks;
    if (size == 0 || reader_ == nullptr) return;  // nothing is there yet
    Data* const reader = reader_;
    // libuv has ended the reading by then, and does so after an error has been reported.
    if (size == UV_EOF) reader_ = nullptr;
    reader->Called(size > 0 ? "" : uv_err_name(size));
    if (size < 0 && size != UV_EOF) has_failed_ = true;
  }

  bool is_connected_ = false;
  Data* reader_ = nullptr;
  bool has_failed_ = false;  // the reading, and libuv has ended it
};

void Data::Start(double) {
  if (auto* socket = dynamic_cast<Socket*>(target())) socket->StartReading(this);
}
bool Data::Stop() {
  if (auto* socket = dynamic_cast<Socket*>(target())) socket->StopReading(this);
  return true;
}

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
    const auto on_read = [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
      Reader& reader = static_cast<Reader&>(Of(stream));
      if (!reader.IsClosed()) reader.CloseHandle();
      reader.Run(size < 0 ? static_cast<int>(size) : 0);
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
    Socket& side = *socket;
    Thing& kept = acceptors[0]->Keep(std::move(socket));
    if (!Check("uv_accept", uv_accept(stream(), side.stream()))) return;
    side.SetConnected(true);
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
  // `kExpected` is what the attempt is made for: it is not an outcome.
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
    const auto on_connect = [](uv_connect_t* request, int status) {
      static_cast<Connection&>(Of(request)).SetConnected(status == 0);
      OnConnect<0>(request, status);
    };
    if (server != nullptr) uv_pipe_connect(NewRequest(), As<uv_pipe_t>(), server->path().c_str(), on_connect);
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
  // A request that a thread works on already continues; one that is done is not asked about.
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

// A datagram socket on loopback, to which datagrams are sent from itself.
class Receiver : public Handle {
 public:
  explicit Receiver(Loop& loop) : Handle(loop, UV_UDP) {
    Check("uv_udp_init", uv_udp_init(UvThing::loop(), udp()));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Check("uv_udp_bind", uv_udp_bind(udp(), reinterpret_cast<sockaddr*>(&address), 0));
  }
  void Start(double) override {
    if (is_receiving_) return;
    is_receiving_ = true;
    const auto provide_buffer = [](uv_handle_t*, size_t, uv_buf_t* buffer) {
      static char bytes[16];
      *buffer = uv_buf_init(bytes, sizeof bytes);
    };
    const auto on_datagram = [](uv_udp_t* handle, ssize_t size, const uv_buf_t*, const sockaddr* from, unsigned) {
      if (size == 0 && from == nullptr) return;  // there is nothing more to read
      static_cast<Receiver&>(Of(handle)).Run(size < 0 ? static_cast<int>(size) : 0);
    };
    Check("uv_udp_recv_start", uv_udp_recv_start(udp(), provide_buffer, on_datagram));
  }
  bool Stop() override {
    is_receiving_ = false;
    uv_udp_recv_stop(udp());
    return true;
  }
  uv_udp_t* udp() const { return As<uv_udp_t>(); }

 private:
  bool is_receiving_ = false;
};

class Datagram : public Request {
 public:
  explicit Datagram(Loop& loop) : Request(loop, UV_UDP_SEND) {}
  void Start(double) override {
    auto* socket = dynamic_cast<Receiver*>(target());
    if (socket == nullptr || socket->IsClosed()) return;
    sockaddr_in address{};
    int size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    if (!Check("uv_udp_getsockname", uv_udp_getsockname(socket->udp(), any, &size))) return;
    static char byte[] = "x";
    uv_buf_t buffer = uv_buf_init(byte, 1);
    BeginWait();
    const auto on_done = [](uv_udp_send_t* request, int status) {
      static_cast<Datagram&>(Of(request)).RunAfterWait(status);
    };
    Check("uv_udp_send", uv_udp_send(As<uv_udp_send_t>(), socket->udp(), &buffer, 1, any, on_done));
  }
  bool Stop() override { return false; }
};

class Shutdown : public Request {
 public:
  explicit Shutdown(Loop& loop) : Request(loop, UV_SHUTDOWN) {}
  void Start(double) override {
    auto* socket = dynamic_cast<Socket*>(target());
    if (socket == nullptr || socket->IsClosed()) return;
    BeginWait();
    const auto on_done = [](uv_shutdown_t* request, int status) {
      static_cast<Shutdown&>(Of(request)).RunAfterWait(status);
    };
    // One that is not connected, or shut already, says so at once: there will be no callback.
    if (uv_shutdown(As<uv_shutdown_t>(), socket->stream(), on_done) != 0) EndWait();
  }
  bool Stop() override { return false; }
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
      {"file", Fires::kOnce, Make<File>},
      {"work", Fires::kOnce, Make<Work>},
      {"listen", Fires::kAlong, Make<Server>},
      {"accept", Fires::kBrings, [](Loop&, int) { return std::make_unique<Acceptor>(); }},
      {"socket", Fires::kAlong, Make<Socket>},
      {"connect", Fires::kOnce, Make<Connection>, kMadeAnew},
      {"refused", Fires::kOnce, Make<Refused>, kMadeAnew},
      {"refused as path", Fires::kOnce, Make<RefusedPath>, kMadeAnew},
      {"write", Fires::kOnce, Make<Write>},
      {"shutdown", Fires::kOnce, Make<Shutdown>},
      {"data", Fires::kAlong, [](Loop&, int) { return std::make_unique<Data>(); }},
      {"receive", Fires::kAlong, Make<Receiver>},
      {"datagram", Fires::kOnce, Make<Datagram>},
      {"signal", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGUSR2); }},
      {"signal as hup", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGHUP); }},
      {"signal as winch", Fires::kAlong, [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGWINCH); }},
      {"child", Fires::kOnce, Make<Child>, kMadeAnew},
  };
  if (uv_signal_start_oneshot != nullptr) {
    ops.push_back({"signal as once", Fires::kAlong,
                   [](Loop& loop, int) { return std::make_unique<Signal>(loop, SIGUSR2, true); }});
  }
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
