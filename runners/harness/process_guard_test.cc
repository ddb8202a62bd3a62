#include "runners/harness/process_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "runners/base/text.h"
#include "runners/harness/process.h"

namespace conform {
namespace process_guard_test {

constexpr int64_t kLongMs = 60'000;

bool Lives(pid_t pid) {
  const Result<std::string> status = ReadFile("/proc/" + std::to_string(pid) + "/stat", 1 << 16);
  return status.ok() && status->find(") Z ") == std::string::npos;
}

ProcessRequest Shell(const std::string& script, const ProcessGuard& guard) {
  ProcessRequest request;
  request.command = {"sh", "-c", script};
  request.environment = {{"PATH", "/usr/bin:/bin"}, {kRunVariable, guard.run_word()}};
  return request;
}

// One in the group, and one that left it and ignores what it can; their numbers are written.
constexpr char kTwo[] = "echo $$; setsid sh -c 'trap \"\" TERM INT HUP; echo $$; sleep 1000; sleep 1000' & sleep 1000";

// Reads a number that is followed by the end of a line.
pid_t ReadNumber(int descriptor) {
  std::string text;
  char byte = 0;
  while (read(descriptor, &byte, 1) == 1 && byte != '\n') text += byte;
  return text.empty() ? 0 : std::stoi(text);
}

TEST(ProcessGuard, EachRunHasAWordOfItsOwn) {
  const auto one = ProcessGuard::Start();
  const auto other = ProcessGuard::Start();
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NE((*one)->run_word(), (*other)->run_word());
  EXPECT_EQ((*one)->run_word().size(), 32u);
}

TEST(ProcessGuard, AtItsEndNothingOfItsRunIsLeftAndAllElseIs) {
  auto guard = ProcessGuard::Start();
  const auto other = ProcessGuard::Start();
  ASSERT_TRUE(guard.ok() && other.ok());
  auto theirs = Process::Start(Shell("echo; exec sleep 1000", **other));
  ASSERT_TRUE(theirs.ok());
  std::string line;
  ASSERT_EQ((*theirs)->ReadLine(SteadyMs() + kLongMs, &line), Process::Event::kLine);
  std::vector<pid_t> pids;
  {
    auto process = Process::Start(Shell(kTwo, **guard));
    ASSERT_TRUE(process.ok());
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ((*process)->ReadLine(SteadyMs() + kLongMs, &line), Process::Event::kLine);
      pids.push_back(std::stoi(line));
    }
  }
  EXPECT_TRUE(Lives(pids[1]));
  *guard = nullptr;
  for (const pid_t pid : pids) {
    while (Lives(pid)) usleep(1000);
  }
  EXPECT_EQ((*theirs)->WaitForEnd(SteadyMs() - 1), Process::Event::kDeadline);
}

// Goal: kill -9 leaves nothing behind. Method: a process with a guard starts two others, and is killed.
TEST(ProcessGuard, WhereItsProcessIsKilledNothingOfItsRunIsLeft) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t conform = fork();
  ASSERT_GE(conform, 0);
  if (conform == 0) {
    const auto guard = ProcessGuard::Start();
    auto process = Process::Start(Shell(kTwo, **guard));
    std::string line;
    for (int i = 0; i < 2; ++i) {
      (*process)->ReadLine(SteadyMs() + kLongMs, &line);
      dprintf(ends[1], "%s\n", line.c_str());
    }
    for (;;) pause();
  }
  close(ends[1]);
  const pid_t first = ReadNumber(ends[0]);
  const pid_t second = ReadNumber(ends[0]);
  ASSERT_GT(first, 0);
  ASSERT_GT(second, 0);
  EXPECT_TRUE(Lives(first));
  EXPECT_TRUE(Lives(second));
  kill(conform, SIGKILL);
  waitpid(conform, nullptr, 0);
  while (Lives(first) || Lives(second)) usleep(1000);
  // Nobody keeps the pipe open: not the guard, and not what it was to end.
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

}  // namespace process_guard_test
}  // namespace conform
