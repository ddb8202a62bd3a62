#include "runners/harness/process_look.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "runners/base/text.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxProcFile = 1 << 16;
constexpr int kMaxProcesses = 256;

std::string Read(const std::string& path) {
  Result<std::string> text = ReadFile(path, kMaxProcFile);
  return text.ok() ? std::move(*text) : "";
}

// The entries of a folder of /proc that are numbers.
std::vector<pid_t> Numbers(const std::string& folder) {
  std::vector<pid_t> numbers;
  std::error_code trouble;
  for (fs::directory_iterator it(folder, trouble), end; !trouble && it != end; it.increment(trouble)) {
    numbers.push_back(static_cast<pid_t>(std::atoi(it->path().filename().c_str())));
  }
  return numbers;
}

// `utime`, `stime`, `cutime` and `cstime`, behind the name, which may hold anything.
int64_t CpuMs(const std::string& stat) {
  const size_t end_of_name = stat.rfind(')');
  long long own = 0, system = 0, children = 0, children_system = 0;
  if (end_of_name == std::string::npos ||
      std::sscanf(stat.c_str() + end_of_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld",
                  &own, &system, &children, &children_system) != 4) {
    return 0;
  }
  return (own + system + children + children_system) * 1000 / sysconf(_SC_CLK_TCK);
}

std::optional<int64_t> ValueOf(const std::string& text, const char* key) {
  const size_t at = text.find(key);
  if (at == std::string::npos) return std::nullopt;
  return std::atoll(text.c_str() + at + std::char_traits<char>::length(key));
}

// The kernel may have been given something that wakes the process later: a timer, or a request of io_uring.
bool HasSomethingUnderWay(const std::string& process) {
  std::error_code trouble;
  for (fs::directory_iterator it(process + "/fd", trouble), end; !trouble && it != end; it.increment(trouble)) {
    std::error_code gone;
    const std::string target = fs::read_symlink(it->path(), gone).string();
    const bool is_timer = target == "anon_inode:[timerfd]";
    const bool is_ring = target == "anon_inode:[io_uring]";
    if (!is_timer && !is_ring) continue;
    const std::string info = Read(process + "/fdinfo/" + it->path().filename().string());
    if (is_timer && info.find("it_value: (0, 0)") == std::string::npos) return true;
    if (is_ring && (!ValueOf(info, "SqTail:") || ValueOf(info, "SqTail:") != ValueOf(info, "CqTail:"))) return true;
  }
  return static_cast<bool>(trouble);
}

class Looker {
 public:
  void Add(pid_t pid) {
    if (++processes_ > kMaxProcesses) {
      look_.sleeps = false;
      return;
    }
    const std::string process = "/proc/" + std::to_string(pid);
    const std::string stat = Read(process + "/stat");
    look_.cpu_ms += CpuMs(stat);
    const bool is_over = stat.find(") Z ") != std::string::npos;
    const std::vector<pid_t> threads = Numbers(process + "/task");
    if (threads.empty() && !is_over) look_.sleeps = false;
    std::vector<pid_t> children;
    for (const pid_t thread : threads)
      AddThread(process + "/task/" + std::to_string(thread), thread, is_over, &children);
    if (look_.sleeps && !is_over && HasSomethingUnderWay(process)) look_.sleeps = false;
    for (const pid_t child : children) Add(child);
  }

  ProcessLook Take() { return std::move(look_); }

 private:
  void AddThread(const std::string& task, pid_t thread, bool is_over, std::vector<pid_t>* children) {
    const Result<std::string> started = ReadFile(task + "/children", kMaxProcFile);
    if (!started.ok()) look_.sleeps = false;  // what it has started cannot be looked at
    for (const std::string& word : Split(started.ok() ? *started : "", ' ')) {
      if (const int pid = std::atoi(word.c_str()); pid > 0) children->push_back(pid);
    }
    if (is_over) return;
    if (look_.sleeps && !WaitsWithoutLimit(Read(task + "/syscall"))) look_.sleeps = false;
    const std::string status = Read(task + "/status");
    const auto voluntary = ValueOf(status, "\nvoluntary_ctxt_switches:");
    const auto forced = ValueOf(status, "\nnonvoluntary_ctxt_switches:");
    if (!voluntary || !forced) look_.sleeps = false;
    look_.kept_waiting_ms = std::max(look_.kept_waiting_ms, KeptWaitingMs(Read(task + "/schedstat")));
    look_.switches[thread] = voluntary.value_or(0) + forced.value_or(0);
  }

  ProcessLook look_{0, /*sleeps=*/true, {}, 0};
  int processes_ = 0;
};

}  // namespace

bool WaitsWithoutLimit(const std::string& line) {
  // "232 0x5 0x7ffe… 0x400 0xffffffff 0x0 0x0 SP PC"; "running"; "-1 SP PC" for one that waits for memory.
  long number = -1;
  uint64_t argument[6] = {};
  if (std::sscanf(line.c_str(), "%ld %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64, &number,
                  &argument[0], &argument[1], &argument[2], &argument[3], &argument[4], &argument[5]) != 7) {
    return false;
  }
  const auto is_negative = [](uint64_t value) { return static_cast<int32_t>(value) < 0; };
  switch (number) {
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
      return is_negative(argument[3]);
    case SYS_epoll_pwait2:
      return argument[3] == 0;
#ifdef SYS_poll
    case SYS_poll:
      return is_negative(argument[2]);
#endif
    case SYS_ppoll:
      return argument[2] == 0;
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6:
      return argument[4] == 0;
    case SYS_futex: {
      const uint64_t operation = argument[1] & FUTEX_CMD_MASK;
      return (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) && argument[3] == 0;
    }
    // A thread of the kernel that hands on what is put into a ring; what is under way there is looked at elsewhere.
    case SYS_io_uring_setup:
      return true;
    case SYS_rt_sigtimedwait:
      return argument[2] == 0;
#ifdef SYS_pause
    case SYS_pause:
      return true;
#endif
    // For a child, which is looked at as well.
    case SYS_rt_sigsuspend:
    case SYS_wait4:
    case SYS_waitid:
      return true;
    default:
      return false;
  }
}

int64_t KeptWaitingMs(const std::string& line) {
  // "NS-ON-A-PROCESSOR NS-WAITING-FOR-ONE TIMES"
  long long waiting_ns = 0;
  if (std::sscanf(line.c_str(), "%*d %lld", &waiting_ns) != 1) return 0;
  return waiting_ns / 1'000'000;
}

ProcessLook LookAt(pid_t process) {
  Looker looker;
  looker.Add(process);
  ProcessLook look = looker.Take();
  if (look.switches.empty()) look.sleeps = false;  // it is over, and only waits to be reaped
  return look;
}

std::optional<NoEnd> EndlessWatch::Take(const ProcessLook& look, int64_t now_ms) {
  if (!cpu_before_ms_) cpu_before_ms_ = look.cpu_ms;
  const int64_t used_ms = look.cpu_ms - *cpu_before_ms_;
  if (used_ms > cpu_budget_ms_) {
    return NoEnd{NoEnd::Kind::kSpins,
                 fmt::format("spins: it has used {} ms of processor time, where {} ms are far more "
                             "than such a program needs",
                             used_ms, cpu_budget_ms_)};
  }
  if (!look.sleeps) {
    asleep_.reset();
  } else if (!asleep_ || asleep_->switches != look.switches) {
    asleep_ = look;
    asleep_since_ms_ = now_ms;
  } else if (now_ms - asleep_since_ms_ >= kSettledMs) {
    return NoEnd{NoEnd::Kind::kWaits,
                 fmt::format("waits forever: all {} threads sleep without a time limit, and nothing can wake them",
                             look.switches.size())};
  }
  return std::nullopt;
}

}  // namespace conform
