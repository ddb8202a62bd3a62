#include "runners/harness/process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdarg>
#include <cstring>
#include <filesystem>
#include <utility>

#include "runners/base/check.h"
#include "runners/harness/line_buffer.h"
#include "runners/harness/spawn.h"

#if defined(__SANITIZE_THREAD__)
// libuv closes descriptors with a bare system call, which the thread sanitizer does not see: it then takes the next
// descriptor of that number, opened by another thread, for a race. So such a call becomes one that it sees.
extern "C" __attribute__((no_sanitize("thread"))) long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_close) return close(static_cast<int>(arguments[0]));
  static const auto original = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
  return original(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
#endif

namespace conform {
namespace {

constexpr size_t kChunkBytes = 64 << 10;
// What the leader wrote before its end is in the buffer of a socket, which is far smaller. Without this limit one that
// it left behind, out of our reach, could make us read forever.
constexpr size_t kMaxReadAfterEnd = 16 << 20;

void IgnoreBrokenPipes() {
  struct sigaction now = {};
  sigaction(SIGPIPE, nullptr, &now);
  if (now.sa_handler == SIG_DFL) std::signal(SIGPIPE, SIG_IGN);
}

// What we opened, or were given by whoever started us, does not concern the process.
void KeepDescriptorsToOurselves() { close_range(3, ~0u, CLOSE_RANGE_CLOEXEC); }

int64_t Ms(const timeval& time) { return int64_t{time.tv_sec} * 1000 + time.tv_usec / 1000; }

// Descriptors that are closed at the end.
class Descriptors {
 public:
  Descriptors() = default;
  ~Descriptors() { Close(); }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  void Add(int descriptor) { all_.push_back(descriptor); }
  const std::vector<int>& all() const { return all_; }
  void Close() {
    for (const int descriptor : all_) close(descriptor);
    all_.clear();
  }

 private:
  std::vector<int> all_;
};

// One private loop: nothing of one process can hold up another, and threads share nothing.
class UvProcess final : public Process {
 public:
  explicit UvProcess(const ProcessRequest& request)
      : max_output_(request.max_output_bytes), max_errors_(request.max_error_bytes) {}

  ~UvProcess() override {
    if (!has_loop_) return;
    End();
    uv_walk(
        &loop_,
        [](uv_handle_t* handle, void*) {
          if (!uv_is_closing(handle)) uv_close(handle, nullptr);
        },
        nullptr);
    while (uv_run(&loop_, UV_RUN_DEFAULT) != 0) continue;
    CONFORM_CHECK(uv_loop_close(&loop_) == 0);
    if (descriptor_ >= 0) close(descriptor_);
  }

  std::optional<Error> Spawn(const ProcessRequest& request) {
    if (const int code = uv_loop_init(&loop_); code != 0) return Trouble(request, code);
    has_loop_ = true;
    loop_.data = this;
    uv_timer_init(&loop_, &timer_);
    uv_pipe_init(&loop_, &input_, 0);
    uv_pipe_init(&loop_, &output_, 0);
    uv_pipe_init(&loop_, &errors_, 0);
    Descriptors theirs;  // in the order in which it gets them
    for (uv_pipe_t* pipe : {&input_, &output_, &errors_}) {
      if (const int code = AddPipe(pipe, theirs); code != 0) return Trouble(request, code);
    }
    for (int i = 0; i < request.waiting_descriptors; ++i) {
      if (const int code = AddWaitingDescriptor(theirs); code != 0) return Trouble(request, code);
    }
    if (const int code = SpawnProgram(request, theirs.all(), &pid_); code != 0) return Trouble(request, code);
    if (const int code = WatchItsEnd(); code != 0) return Trouble(request, code);
    running_ = true;
    if (request.interrupt != nullptr) Watch(*request.interrupt);
    StartReading(&output_);
    StartReading(&errors_);
    return std::nullopt;
  }

  void Write(std::string bytes) override {
    struct Request {
      uv_write_t write;
      std::string bytes;
    };
    if (uv_is_closing(AsHandle(&input_))) return;
    auto* request = new Request{{}, std::move(bytes)};
    request->write.data = request;
    const uv_buf_t buffer = uv_buf_init(request->bytes.data(), static_cast<unsigned>(request->bytes.size()));
    const int code = uv_write(&request->write, AsStream(&input_), &buffer, 1,
                              [](uv_write_t* write, int) { delete static_cast<Request*>(write->data); });
    if (code != 0) delete request;
  }

  void CloseInput() override {
    if (!uv_is_closing(AsHandle(&input_))) uv_shutdown(&shutdown_, AsStream(&input_), [](uv_shutdown_t*, int) {});
  }

  Event ReadLine(int64_t deadline_ms, std::string* line) override {
    return TurnUntil(deadline_ms,
                     [&] { return lines_.TakeLine(line) ? std::optional(Event::kLine) : AtEndOfOutput(line); });
  }

  Event WaitForEnd(int64_t deadline_ms) override {
    return TurnUntil(deadline_ms, [&] {
      if (too_much_) return std::optional(Event::kTooMuch);
      return running_ ? std::nullopt : std::optional(Event::kEnded);
    });
  }

  std::string TakeOutput() override { return lines_.TakeAll(); }

  void CountOutputAnew() override { output_count_ = 0; }

  ProcessLook Look() const override { return LookAt(pid_); }

  ProcessEnd End() override {
    if (running_) {
      stopped_by_us_ = true;
      kill(-pid_, SIGKILL);
      while (running_) uv_run(&loop_, UV_RUN_ONCE);
    }
    ours_.Close();
    end_.errors = last_errors_.substr(last_errors_.size() - std::min(last_errors_.size(), max_errors_));
    return end_;
  }

 private:
  template <typename Handle>
  static uv_handle_t* AsHandle(Handle* handle) {
    return reinterpret_cast<uv_handle_t*>(handle);
  }
  static uv_stream_t* AsStream(uv_pipe_t* pipe) { return reinterpret_cast<uv_stream_t*>(pipe); }
  template <typename Handle>
  static UvProcess* Self(Handle* handle) {
    return static_cast<UvProcess*>(handle->loop->data);
  }

  static Error Trouble(const ProcessRequest& request, int code) {
    char text[128];
    std::string why = uv_strerror_r(code, text, sizeof text);  // uv_strerror leaks for a code that libuv does not know
    std::error_code ignored;
    if (!request.folder.empty() && !std::filesystem::is_directory(request.folder, ignored)) {
      why = "there is no folder " + request.folder;
    }
    Error error = Error::OfCall("", -code);  // for its kind; libuv has other words for some
    error.message = "cannot start " + request.command.front() + ": " + why;
    return error;
  }

  // One end for the process, with a byte that waits on it; the other end stays open here.
  int AddWaitingDescriptor(Descriptors& theirs) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    theirs.Add(ends[0]);
    ours_.Add(ends[1]);
    return write(ends[1], "x", 1) == 1 ? 0 : -errno;
  }

  // A pair of sockets: one end for the process, the other for the pipe.
  static int AddPipe(uv_pipe_t* pipe, Descriptors& theirs) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    theirs.Add(ends[0]);
    const int code = uv_pipe_open(pipe, ends[1]);
    if (code != 0) close(ends[1]);
    return code;
  }

  // One that cannot be watched is ended at once.
  int WatchItsEnd() {
    descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
    int code = descriptor_ < 0 ? -errno : uv_poll_init(&loop_, &process_, descriptor_);
    if (code == 0) {
      code = uv_poll_start(&process_, UV_READABLE, [](uv_poll_t* poll, int, int) { Self(poll)->OnEnd(); });
    }
    if (code == 0) return 0;
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
    return code;
  }

  void Watch(const Interrupt& interrupt) {
    if (uv_poll_init(&loop_, &interrupt_, interrupt.descriptor()) != 0) return;
    uv_poll_start(&interrupt_, UV_READABLE, [](uv_poll_t* poll, int, int) {
      Self(poll)->interrupted_ = true;
      uv_poll_stop(poll);
    });
  }

  void StartReading(uv_pipe_t* pipe) {
    uv_read_start(
        AsStream(pipe),
        [](uv_handle_t* handle, size_t, uv_buf_t* buffer) { *buffer = uv_buf_init(Self(handle)->chunk_, kChunkBytes); },
        [](uv_stream_t* stream, ssize_t count, const uv_buf_t*) {
          UvProcess* self = Self(stream);
          if (count > 0) self->Take(stream, static_cast<size_t>(count));
          if (count < 0) uv_close(AsHandle(stream), nullptr);
        });
  }

  bool IsOpen(uv_pipe_t* pipe) { return !uv_is_closing(AsHandle(pipe)); }

  // `count` bytes of chunk_ came from one of the two.
  void Take(const void* from, size_t count) {
    if (from == &errors_) {
      last_errors_.append(chunk_, count);
      if (last_errors_.size() > 2 * max_errors_ + kChunkBytes) last_errors_.erase(0, last_errors_.size() - max_errors_);
      return;
    }
    const size_t taken = std::min(count, max_output_ - output_count_);
    lines_.Append(chunk_, taken);
    output_count_ += taken;
    if (taken < count) {
      too_much_ = true;
      uv_read_stop(AsStream(&output_));
    }
  }

  void OnEnd() {
    uv_poll_stop(&process_);
    // First of all the rest of its group: nothing is left that could write forever. Until it is waited for, its number
    // is that of no other.
    kill(-pid_, SIGKILL);
    int status = 0;
    rusage used = {};
    while (wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) continue;
    running_ = false;
    end_.cpu_ms = Ms(used.ru_utime) + Ms(used.ru_stime);
    if (WIFEXITED(status)) {
      end_.kind = ProcessEnd::Kind::kExited;
      end_.code = WEXITSTATUS(status);
    } else {
      end_.code = WTERMSIG(status);
      end_.kind =
          stopped_by_us_ && end_.code == SIGKILL ? ProcessEnd::Kind::kStoppedByUs : ProcessEnd::Kind::kSignalled;
    }
    ReadTheRest(&output_);
    ReadTheRest(&errors_);
  }

  // One that it left behind may hold the other end open: what is there is all that is waited for.
  void ReadTheRest(uv_pipe_t* pipe) {
    if (!IsOpen(pipe)) return;
    int descriptor = -1;
    CONFORM_CHECK(uv_fileno(AsHandle(pipe), &descriptor) == 0);
    for (size_t sum = 0; sum < kMaxReadAfterEnd && !(pipe == &output_ && too_much_);) {
      const ssize_t count = read(descriptor, chunk_, kChunkBytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      Take(pipe, static_cast<size_t>(count));
      sum += static_cast<size_t>(count);
    }
    uv_close(AsHandle(pipe), nullptr);
  }

  std::optional<Event> AtEndOfOutput(std::string* line) {
    if (too_much_) return Event::kTooMuch;
    if (IsOpen(&output_)) return std::nullopt;
    *line = lines_.TakeAll();
    return line->empty() ? Event::kEndOfOutput : Event::kHalfLine;
  }

  // Turns the loop until `done` says something, or until one of the reasons to give up. At the deadline it is turned
  // once more without waiting: whoever had no time to look until then must not take a slow look for a slow process.
  template <typename Done>
  Event TurnUntil(int64_t deadline_ms, const Done& done) {
    for (bool was_last = false;;) {
      if (const std::optional<Event> event = done()) return *event;
      if (interrupted_) return Event::kInterrupted;
      if (was_last) return Event::kDeadline;
      const int64_t left_ms = deadline_ms - SteadyMs();
      was_last = left_ms <= 0;
      if (!was_last) {
        uv_update_time(&loop_);
        uv_timer_start(
            &timer_, [](uv_timer_t*) {}, static_cast<uint64_t>(left_ms), 0);
      }
      uv_run(&loop_, was_last ? UV_RUN_NOWAIT : UV_RUN_ONCE);
      uv_timer_stop(&timer_);
    }
  }

  const size_t max_output_;
  const size_t max_errors_;
  uv_loop_t loop_;
  bool has_loop_ = false;
  pid_t pid_ = 0;
  int descriptor_ = -1;  // that reports its end
  uv_poll_t process_;
  uv_pipe_t input_, output_, errors_;
  uv_timer_t timer_;
  uv_poll_t interrupt_;
  uv_shutdown_t shutdown_;
  Descriptors ours_;
  bool running_ = false;
  bool stopped_by_us_ = false;
  bool interrupted_ = false;
  bool too_much_ = false;
  size_t output_count_ = 0;
  LineBuffer lines_;
  std::string last_errors_;
  ProcessEnd end_;
  char chunk_[kChunkBytes];
};

}  // namespace

Result<std::unique_ptr<Process>> Process::Start(const ProcessRequest& request) {
  CONFORM_CHECK(!request.command.empty());
  IgnoreBrokenPipes();
  KeepDescriptorsToOurselves();
  auto process = std::make_unique<UvProcess>(request);
  if (std::optional<Error> error = process->Spawn(request)) return *std::move(error);
  return std::unique_ptr<Process>(std::move(process));
}

Result<Finished> RunToEnd(const ProcessRequest& request, std::string input, int64_t timeout_ms) {
  const int64_t deadline_ms = SteadyMs() + timeout_ms;
  Result<std::unique_ptr<Process>> process = Process::Start(request);
  if (!process) return process.error();
  (*process)->Write(std::move(input));
  (*process)->CloseInput();
  Finished finished;
  finished.event = (*process)->WaitForEnd(deadline_ms);
  finished.end = (*process)->End();
  finished.output = (*process)->TakeOutput();
  return finished;
}

int64_t SteadyMs() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
}

std::map<std::string, std::string> OwnEnvironment() {
  std::map<std::string, std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const size_t equals = text.find('=');
    if (equals != std::string_view::npos) environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

}  // namespace conform
