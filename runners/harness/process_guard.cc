#include "runners/harness/process_guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "runners/base/output.h"
#include "runners/base/text.h"

namespace conform {
namespace {

constexpr size_t kMaxStatBytes = 1 << 16;
// What was killed needs a moment to be gone. One that cannot be killed is not waited for without end.
constexpr int kMaxRounds = 1'000;
constexpr int kBetweenRoundsMs = 5;
constexpr int kAboveKept = 6;  // the descriptors that the guard keeps are below

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

// "1234 (a name) S 1 …": the number before the name and the one behind the state.
bool IsChildOf(pid_t parent, const std::string& pid) {
  const Result<std::string> stat = ReadFile("/proc/" + pid + "/stat", kMaxStatBytes);
  const size_t behind = stat.ok() ? stat->rfind(") ") : std::string::npos;
  return behind != std::string::npos && std::atoi(stat->c_str() + behind + 4) == parent;
}

// The number of a child cannot become that of another until it is waited for.
void KillChildren() {
  const pid_t self = getpid();
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name.find_first_not_of("0123456789") == std::string::npos && IsChildOf(self, name)) {
      kill(std::atoi(name.c_str()), SIGKILL);
    }
  }
  closedir(folder);
}

// The children of one that is killed become ours: until there are none.
void EndAllDescendants() {
  for (int round = 0; round < kMaxRounds; ++round) {
    KillChildren();
    pid_t ended = 0;
    do {
      ended = waitpid(-1, nullptr, WNOHANG);
    } while (ended > 0 || (ended < 0 && errno == EINTR));
    if (ended < 0) return;
    poll(nullptr, 0, kBetweenRoundsMs);
  }
}

// Waits until one of the two can be read. `signals` is read, and whether `other` can be is returned.
bool WaitFor(int other, int signals) {
  pollfd both[] = {{other, POLLIN, 0}, {signals, POLLIN, 0}};
  if (poll(both, 2, -1) < 0) return false;
  return both[0].revents != 0;
}

struct Pipe {
  int from = -1;
  int to = -1;
};

// The descriptors that the guard needs, all of them above where they will be.
struct Kept {
  int starter = -1;
  int report = -1;
  int signals = -1;
  int nothing = -1;
};

// Before there is anything to guard, so that whoever starts us hears of it if there are not enough; errno says why.
std::optional<Kept> Keep(int starter, int report) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const auto above = [](int descriptor) {
    return descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, kAboveKept);
  };
  const Kept kept{above(starter), above(report), above(signals), above(nothing)};
  if (kept.starter < 0 || kept.report < 0 || kept.signals < 0 || kept.nothing < 0) return std::nullopt;
  close(signals);
  close(nothing);
  return kept;
}

// conform-guard. `starter` ends when the first process does; how the caller ended is written to `report`.
[[noreturn]] void Guard(pid_t caller, const Kept& kept) {
  setsid();
  // Whoever reads what conform writes sees its end when conform has ended, not when we have.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(kept.nothing, descriptor);
  int next = STDERR_FILENO + 1;
  const int starter = dup2(kept.starter, next++);
  const int report = dup2(kept.report, next++);
  const int signals = dup2(kept.signals, next++);
  close_range(static_cast<unsigned>(next), ~0u, 0);
  if (chdir("/") != 0) _exit(1);
  prctl(PR_SET_NAME, "conform-guard");
  for (int status = 0;;) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0 && ended != caller) continue;
    if (ended == caller) {
      EndAllDescendants();
      if (write(report, &status, sizeof status) != sizeof status) _exit(1);
      _exit(0);
    }
    if (WaitFor(starter, signals)) break;
    signalfd_siginfo told;
    while (read(signals, &told, sizeof told) > 0) continue;
  }
  EndAllDescendants();
  _exit(0);
}

// As the caller did: with its code, or by its signal.
[[noreturn]] void EndAs(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);  // there is one already
  std::signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  _exit(kEndedBySignal + number);
}

// `caller`: 0 where there is none.
void PassOnSignal(int number, pid_t guard, pid_t caller) {
  if (number == SIGCHLD) {
    int how = 0;  // one that is stopped would let all wait forever
    if (waitpid(guard, &how, WNOHANG | WUNTRACED) == guard && WIFSTOPPED(how)) kill(guard, SIGCONT);
  } else if (caller <= 0) {
    return;
  } else if (number == SIGTSTP) {
    kill(caller, SIGSTOP);  // SIGTSTP would do nothing in a group that no terminal knows
    raise(SIGSTOP);
    kill(caller, SIGCONT);
  } else {
    kill(caller, number);
  }
}

// The first process. The caller reports its number before it does anything, and the guard how it ended.
// REQUIRES: kPassedOn and SIGCHLD are blocked.
[[noreturn]] void PassOn(pid_t guard, int report) {
  sigset_t all;
  sigfillset(&all);
  const int signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  std::vector<int> reported;
  while (reported.size() < 2) {
    int number = 0;
    if (WaitFor(report, signals)) {
      if (read(report, &number, sizeof number) != sizeof number) break;
      reported.push_back(number);
    }
    signalfd_siginfo told;
    while (read(signals, &told, sizeof told) == sizeof told) {
      PassOnSignal(static_cast<int>(told.ssi_signo), guard, reported.empty() ? 0 : reported[0]);
    }
  }
  EndAllDescendants();
  if (reported.size() == 2) EndAs(reported[1]);
  PrintError(Error{"the guard of this run was killed; what it left behind is ended, and the run is not complete"});
  _exit(kHarnessTrouble);
}

Result<std::string> MakeRunWord() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return Error::OfSystem("cannot get random bytes", errno);
  std::string word;
  for (const unsigned char byte : bytes) {
    word += "0123456789abcdef"[byte >> 4];
    word += "0123456789abcdef"[byte & 15];
  }
  return word;
}

Result<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error::OfSystem("cannot create a pipe", errno);
  return Pipe{ends[0], ends[1]};
}

}  // namespace

Result<std::unique_ptr<ProcessGuard>> ProcessGuard::Start() {
  Result<std::string> run_word = MakeRunWord();
  if (!run_word) return run_word.error();
  const Result<Pipe> starter = MakePipe();
  if (!starter) return starter.error();
  const Result<Pipe> report = MakePipe();
  if (!report) return report.error();
  sigset_t passed_on, before;
  sigemptyset(&passed_on);
  for (const int number : kPassedOn) sigaddset(&passed_on, number);
  sigaddset(&passed_on, SIGCHLD);
  std::fflush(nullptr);
  sigprocmask(SIG_BLOCK, &passed_on, &before);
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  const pid_t guard = fork();
  if (guard < 0) {
    const Error error = Error::OfSystem("cannot start the guard", errno);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return error;
  }
  if (guard > 0) {
    close(starter->from);
    close(report->to);
    PassOn(guard, report->from);
  }
  close(starter->to);
  close(report->from);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t guarded_by = getpid();
  const std::optional<Kept> kept = Keep(starter->from, report->to);
  const pid_t caller = kept ? fork() : -1;
  if (caller > 0) Guard(caller, *kept);
  if (caller < 0) {
    PrintError(Error::OfSystem("cannot start the guard", errno));
    const pid_t nobody = 0;
    const int status = kHarnessTrouble << 8;
    if (write(report->to, &nobody, sizeof nobody) < 0 || write(report->to, &status, sizeof status) < 0) _exit(1);
    _exit(0);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const pid_t self = getpid();
  if (getppid() != guarded_by || write(report->to, &self, sizeof self) != sizeof self) _exit(kHarnessTrouble);
  for (const int descriptor : {starter->from, report->to, kept->starter, kept->report, kept->signals, kept->nothing}) {
    close(descriptor);
  }
  // The first process receives what the terminal sends, and passes it on: it must not come twice.
  setpgid(0, 0);
  std::signal(SIGTTOU, SIG_IGN);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return std::unique_ptr<ProcessGuard>(new ProcessGuard(std::move(*run_word)));
}

}  // namespace conform
