#include "runners/harness/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "runners/base/check.h"

namespace conform {
namespace {

// A signal handler sees nothing but what is global. Lock-free atomics are safe in it.
std::atomic<bool> alive{false};
std::atomic<int> first_signal{0};
int wake_pipe[2] = {-1, -1};
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
struct sigaction actions_before[3];

void Default(int number) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, nullptr);
}

void OnSignal(int number) {
  const int saved = errno;
  int none = 0;
  if (first_signal.compare_exchange_strong(none, number)) {
    [[maybe_unused]] const ssize_t written = write(wake_pipe[1], "!", 1);
  } else if (number == SIGINT) {
    // Whoever presses Ctrl-C again does not want to wait. The signal is blocked until we return, and then it ends us.
    Default(SIGINT);
    raise(SIGINT);
  }
  errno = saved;
}

}  // namespace

Interrupt::Interrupt() {
  Obtained(pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK), "a pipe");
  CONFORM_CHECK(!alive.exchange(true));
  first_signal = 0;
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &actions_before[i]);
    // Under nohup, the end of the terminal is none of our business.
    if (kSignals[i] == SIGHUP && actions_before[i].sa_handler == SIG_IGN) continue;
    sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &actions_before[i], nullptr);
  close(wake_pipe[0]);
  close(wake_pipe[1]);
  alive = false;
}

bool Interrupt::raised() const { return first_signal != 0; }

int Interrupt::signal() const { return first_signal; }

int Interrupt::descriptor() const { return wake_pipe[0]; }

}  // namespace conform
