#include "runners/harness/process_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/process.h"

namespace conform {
namespace process_guard_test {

constexpr int64_t kLongMs = 60'000;

bool Lives(pid_t pid) {
  const Result<std::string> status = ReadFile("/proc/" + std::to_string(pid) + "/stat", 1 << 16);
  return status.ok() && status->find(") Z ") == std::string::npos;
}

// A process with a guard, which does `body` with a descriptor to write to. `body` returns its exit code.
class Guarded {
 public:
  using Body = std::function<int(const ProcessGuard& guard, int out)>;

  explicit Guarded(const Body& body) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      const auto guard = ProcessGuard::Start();
      _exit(guard.ok() ? body(**guard, ends[1]) : kHarnessTrouble);
    }
    close(ends[1]);
    in_ = ends[0];
  }
  ~Guarded() { close(in_); }

  std::string Line() const {
    std::string text;
    char byte = 0;
    while (read(in_, &byte, 1) == 1 && byte != '\n') text += byte;
    return text;
  }
  pid_t Number() const {
    const std::string line = Line();
    return line.empty() ? 0 : std::stoi(line);
  }
  void Kill(int number) const { kill(pid_, number); }
  // As of waitpid.
  int End() const {
    int status = 0;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    return status;
  }
  bool IsClosed() const {
    char byte;
    return read(in_, &byte, 1) == 0;
  }

 private:
  pid_t pid_;
  int in_;
};

// One in the group; one that left it and ignores what it can; and one that left its session, its parent and its whole
// environment as well. Their numbers are written.
constexpr char kThree[] =
    "echo $$; setsid sh -c 'trap \"\" TERM INT HUP; echo $$; sleep 1000; sleep 1000' & "
    "sh -c 'setsid env -i /bin/sh -c \"echo \\$\\$; exec sleep 1000\" &' ; sleep 1000";

std::unique_ptr<Process> StartThree(const ProcessGuard& guard, int out) {
  ProcessRequest request;
  request.command = {"sh", "-c", kThree};
  request.environment = {{"PATH", "/usr/bin:/bin"}, {kRunVariable, guard.run_word()}};
  auto process = Process::Start(request);
  std::string line;
  for (int i = 0; i < 3; ++i) {
    (*process)->ReadLine(SteadyMs() + kLongMs, &line);
    dprintf(out, "%s\n", line.c_str());
  }
  return std::move(*process);
}

TEST(ProcessGuard, EachRunHasAWordOfItsOwn) {
  const auto say = [](const ProcessGuard& guard, int out) {
    return dprintf(out, "%s\n", guard.run_word().c_str()) < 0;
  };
  const Guarded one(say), other(say);
  const std::string word = one.Line();
  EXPECT_EQ(word.size(), 32u);
  EXPECT_NE(word, other.Line());
  EXPECT_EQ(one.End(), 0);
  EXPECT_EQ(other.End(), 0);
}

TEST(ProcessGuard, WhenARunHasEndedNothingOfItIsLeft) {
  const Guarded conform([](const ProcessGuard& guard, int out) {
    StartThree(guard, out);  // and ends the first, with its group
    return 7;
  });
  const pid_t pids[] = {conform.Number(), conform.Number(), conform.Number()};
  const int status = conform.End();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  for (const pid_t pid : pids) {
    ASSERT_GT(pid, 0);
    EXPECT_FALSE(Lives(pid)) << pid;
  }
  EXPECT_TRUE(conform.IsClosed());
}

// Goal: kill -9 leaves nothing behind. Method: a process with a guard starts others, and is killed.
TEST(ProcessGuard, WhereItsProcessIsKilledNothingOfItsRunIsLeft) {
  const Guarded conform([](const ProcessGuard& guard, int out) {
    const auto process = StartThree(guard, out);
    for (;;) pause();
    return 0;
  });
  const pid_t pids[] = {conform.Number(), conform.Number(), conform.Number()};
  for (const pid_t pid : pids) {
    ASSERT_GT(pid, 0);
    EXPECT_TRUE(Lives(pid));
  }
  conform.Kill(SIGKILL);
  conform.End();
  for (const pid_t pid : pids) {
    while (Lives(pid)) usleep(1000);
  }
  // Nothing keeps the pipe open: not the guard, and not what it was to end.
  EXPECT_TRUE(conform.IsClosed());
}

// Goal: an adapter that kills the guard is noticed, and gains nothing.
TEST(ProcessGuard, WhereTheGuardIsKilledTheRunEndsWithTrouble) {
  const Guarded conform([](const ProcessGuard& guard, int out) {
    dprintf(out, "%d\n", getppid());
    const auto process = StartThree(guard, out);
    for (;;) pause();
    return 0;
  });
  const pid_t the_guard = conform.Number();
  const pid_t pids[] = {conform.Number(), conform.Number(), conform.Number()};
  ASSERT_GT(the_guard, 0);
  kill(the_guard, SIGKILL);
  const int status = conform.End();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == kHarnessTrouble) << status;
  for (const pid_t pid : pids) EXPECT_FALSE(Lives(pid)) << pid;
}

TEST(ProcessGuard, AGuardThatIsStoppedIsWoken) {
  const Guarded conform([](const ProcessGuard&, int out) {
    dprintf(out, "%d\n", getppid());
    usleep(100'000);
    return 0;
  });
  kill(conform.Number(), SIGSTOP);
  EXPECT_EQ(conform.End(), 0);
}

TEST(ProcessGuard, ASignalComesOnce) {
  const Guarded conform([](const ProcessGuard&, int out) {
    const Interrupt interrupt;
    dprintf(out, "ready\n");
    while (!interrupt.raised()) usleep(1000);
    usleep(100'000);  // a second would end it
    return interrupt.exit_code();
  });
  EXPECT_EQ(conform.Line(), "ready");
  conform.Kill(SIGINT);
  const int status = conform.End();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == kEndedBySignal + SIGINT) << status;
}

TEST(ProcessGuard, WhatEndsTheCallerIsSeenFromOutside) {
  const Guarded conform([](const ProcessGuard&, int) { return raise(SIGKILL); });
  const int status = conform.End();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

}  // namespace process_guard_test
}  // namespace conform
