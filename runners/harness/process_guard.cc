#include "runners/harness/process_guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runners/base/text.h"

namespace conform {
namespace {

constexpr int kHere = 3;  // the descriptor that the guard waits on, and the only one it keeps
// Above all that a process is given at its start: until a new process is a program of its own, it holds a copy of the
// pipe, and the guard waits for it, too. Without this number, its own descriptors could take the place of the copy.
constexpr int kAboveThoseOfProcesses = 600;
// What was killed needs a moment to be gone. One that cannot be killed is not waited for without end.
constexpr int kMaxRounds = 1'000;
constexpr useconds_t kBetweenRoundsUs = 5'000;
constexpr size_t kMaxEnvironmentBytes = 8 << 20;

Error Cannot(const char* what) { return Error{std::string("cannot ") + what + ": " + std::strerror(errno)}; }

// The process is held by a descriptor while it is looked at: its number cannot become that of another.
bool KillIfOurs(const std::string& pid, const std::string& mark) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, std::atoi(pid.c_str()), 0));
  if (process < 0) return false;
  const Result<std::string> environment = ReadFile("/proc/" + pid + "/environ", kMaxEnvironmentBytes);
  const bool ours = environment.ok() && environment->find(mark) != std::string::npos;
  if (ours) syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0);
  close(process);
  return ours;
}

bool KillAllOnce(const std::string& mark) {
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return false;
  bool found = false;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name.find_first_not_of("0123456789") == std::string::npos) found = KillIfOurs(name, mark) || found;
  }
  closedir(folder);
  return found;
}

// One that was found may have started another that a look at the list came too early for: look until none is found.
void KillAll(const std::string& run_word) {
  const std::string mark = std::string(kRunVariable) + "=" + run_word;
  for (int round = 0; round < kMaxRounds && KillAllOnce(mark); ++round) usleep(kBetweenRoundsUs);
}

[[noreturn]] void Guard(int pipe, const std::string& run_word) {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(number, SIG_IGN);
  // Whoever reads what conform writes sees its end when conform has ended, not when we have.
  const int nothing = open("/dev/null", O_RDWR);
  const int copy = fcntl(pipe, F_DUPFD, kHere + 1);
  for (int descriptor = 0; descriptor < kHere; ++descriptor) dup2(nothing, descriptor);
  dup2(copy, kHere);
  close_range(kHere + 1, ~0u, 0);
  if (chdir("/") != 0) _exit(1);
  prctl(PR_SET_NAME, "conform-guard");
  char byte;
  while (read(kHere, &byte, 1) < 0 && errno == EINTR) continue;
  KillAll(run_word);
  _exit(0);
}

Result<std::string> MakeRunWord() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return Cannot("get random bytes");
  std::string word;
  for (const unsigned char byte : bytes) {
    word += "0123456789abcdef"[byte >> 4];
    word += "0123456789abcdef"[byte & 15];
  }
  return word;
}

}  // namespace

Result<std::unique_ptr<ProcessGuard>> ProcessGuard::Start() {
  Result<std::string> run_word = MakeRunWord();
  if (!run_word) return run_word.error();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Cannot("create a pipe");
  const int high = fcntl(ends[1], F_DUPFD_CLOEXEC, kAboveThoseOfProcesses);
  if (high >= 0) {
    close(ends[1]);
    ends[1] = high;
  }
  const pid_t guard = fork();
  if (guard == 0) Guard(ends[0], *run_word);
  close(ends[0]);
  if (guard < 0) {
    const Error error = Cannot("start the guard");
    close(ends[1]);
    return error;
  }
  return std::unique_ptr<ProcessGuard>(new ProcessGuard(std::move(*run_word), ends[1], guard));
}

ProcessGuard::~ProcessGuard() {
  close(pipe_);
  while (waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace conform
