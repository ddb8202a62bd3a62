#include "runners/harness/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "runners/base/text.h"
#include "runners/harness/line_buffer.h"

namespace conform {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using Event = Process::Event;
using Kind = ProcessEnd::Kind;

// Far more than anything here takes: a test that waits for it has failed.
constexpr int64_t kLongMs = 60'000;

ProcessRequest Shell(const std::string& script) {
  ProcessRequest request;
  request.command = {"sh", "-c", script};
  request.environment = {{"PATH", "/usr/bin:/bin"}};
  return request;
}

std::unique_ptr<Process> Started(const ProcessRequest& request) {
  Result<std::unique_ptr<Process>> process = Process::Start(request);
  EXPECT_TRUE(process.ok()) << process.error().ToString();
  return std::move(*process);
}

int64_t Later() { return SteadyMs() + kLongMs; }

bool Lives(pid_t pid) {
  // One that has ended and was not waited for by its parent is a zombie: it runs no more.
  const Result<std::string> status = ReadFile("/proc/" + std::to_string(pid) + "/stat", 1 << 16);
  return status.ok() && status->find(") Z ") == std::string::npos;
}

TEST(LineBuffer, GivesWholeLinesAndKeepsTheRest) {
  LineBuffer buffer;
  std::string line;
  buffer.Append("a\nbc", 4);
  ASSERT_TRUE(buffer.TakeLine(&line));
  EXPECT_EQ(line, "a");
  EXPECT_FALSE(buffer.TakeLine(&line));
  buffer.Append("\n\nd", 3);
  ASSERT_TRUE(buffer.TakeLine(&line));
  EXPECT_EQ(line, "bc");
  ASSERT_TRUE(buffer.TakeLine(&line));
  EXPECT_EQ(line, "");
  EXPECT_FALSE(buffer.TakeLine(&line));
  EXPECT_EQ(buffer.TakeAll(), "d");
  EXPECT_EQ(buffer.TakeAll(), "");
}

TEST(Process, RunsToItsEnd) {
  const auto finished = RunToEnd(Shell("cat; echo bad >&2; exit 3"), "hello\nthere", kLongMs);
  ASSERT_TRUE(finished.ok()) << finished.error().ToString();
  EXPECT_EQ(finished->event, Event::kEnded);
  EXPECT_EQ(finished->end.kind, Kind::kExited);
  EXPECT_EQ(finished->end.code, 3);
  EXPECT_EQ(finished->output, "hello\nthere");
  EXPECT_EQ(finished->end.errors, "bad\n");
}

TEST(Process, ConversesLineByLine) {
  const auto process = Started(Shell("while read x; do echo got $x; done; printf rest"));
  std::string line;
  process->Write("1\n");
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kLine);
  EXPECT_EQ(line, "got 1");
  process->Write("2\n");
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kLine);
  EXPECT_EQ(line, "got 2");
  process->CloseInput();
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kHalfLine);
  EXPECT_EQ(line, "rest");
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kEndOfOutput);
  EXPECT_EQ(process->WaitForEnd(Later()), Event::kEnded);
  EXPECT_EQ(process->End().code, 0);
}

TEST(Process, AProgramThatIsNotThereIsAnErrorThatNamesIt) {
  ProcessRequest request;
  request.command = {"no-such-program-at-all"};
  const auto process = Process::Start(request);
  ASSERT_FALSE(process.ok());
  EXPECT_THAT(process.error().message, HasSubstr("no-such-program-at-all"));
  EXPECT_THAT(process.error().message, HasSubstr("no such file"));
}

TEST(Process, AFileThatCannotRunIsAnErrorThatNamesIt) {
  ProcessRequest request;
  request.command = {std::string(CONFORM_SOURCE_DIR) + "/README.md"};
  const auto process = Process::Start(request);
  ASSERT_FALSE(process.ok());
  EXPECT_THAT(process.error().message, HasSubstr("README.md: permission denied"));
}

TEST(Process, AFolderThatIsNotThereIsSaid) {
  ProcessRequest request = Shell("true");
  request.folder = "/no/such/folder";
  const auto process = Process::Start(request);
  ASSERT_FALSE(process.ok());
  EXPECT_THAT(process.error().message, HasSubstr("there is no folder /no/such/folder"));
}

TEST(Process, ItsEnvironmentIsWhatIsAskedForAlone) {
  ProcessRequest request = Shell("env");
  request.command = {"env"};
  request.environment["X"] = "a=b";
  const auto finished = RunToEnd(request, "", kLongMs);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->output, "PATH=/usr/bin:/bin\nX=a=b\n");
}

TEST(Process, ASignalIsNotAnExit) {
  const auto finished = RunToEnd(Shell("kill -SEGV $$"), "", kLongMs);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->event, Event::kEnded);
  EXPECT_EQ(finished->end.kind, Kind::kSignalled);
  EXPECT_EQ(finished->end.code, SIGSEGV);
}

TEST(Process, AtTheDeadlineItIsStoppedWhateverItIgnores) {
  const auto finished = RunToEnd(Shell("trap '' TERM INT HUP; while :; do sleep 1; done"), "", 50);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->event, Event::kDeadline);
  EXPECT_EQ(finished->end.kind, Kind::kStoppedByUs);
}

TEST(Process, WhatWasDoneBeforeTheDeadlineCounts) {
  const auto process = Started(Shell("echo done; read x"));
  std::string line;
  ASSERT_EQ(process->ReadLine(Later(), &line), Event::kLine);
  process->Write("\n");
  // It ends at some moment that we do not see, and only long after the deadline do we look.
  while (process->WaitForEnd(SteadyMs() + 10) != Event::kEnded) continue;
  EXPECT_EQ(process->WaitForEnd(SteadyMs() - 1000), Event::kEnded);
  EXPECT_EQ(process->ReadLine(SteadyMs() - 1000, &line), Event::kEndOfOutput);
}

TEST(Process, OneThatItLeavesBehindIsEndedAndHoldsNobodyUp) {
  const auto process = Started(Shell("sleep 1000 & echo $!"));
  std::string line;
  ASSERT_EQ(process->ReadLine(Later(), &line), Event::kLine);
  const pid_t child = std::stoi(line);
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kEndOfOutput);
  EXPECT_EQ(process->End().kind, Kind::kExited);
  while (Lives(child)) usleep(1000);
}

TEST(Process, OneThatEscapesItsGroupHoldsNobodyUp) {
  const auto process = Started(Shell("setsid sh -c 'echo $$; exec sleep 1000' & read x"));
  std::string line;
  ASSERT_EQ(process->ReadLine(Later(), &line), Event::kLine);
  const pid_t child = std::stoi(line);
  process->Write("\n");
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kEndOfOutput);
  EXPECT_EQ(process->End().kind, Kind::kExited);
  EXPECT_TRUE(Lives(child));
  kill(child, SIGKILL);
}

TEST(Process, AllThatItWroteIsReadAfterItsEnd) {
  // More than one buffer of a socket holds, so that it waits for us in between.
  const auto finished = RunToEnd(Shell("head -c 3000000 /dev/zero | tr '\\0' x"), "", kLongMs);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->output.size(), 3'000'000u);
}

TEST(Process, AFloodIsCutAtTheLimitAndLinesBeforeItAreGiven) {
  ProcessRequest request = Shell("echo first; exec cat /dev/zero");
  request.max_output_bytes = 100'000;
  const auto process = Started(request);
  std::string line;
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kLine);
  EXPECT_EQ(line, "first");
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kTooMuch);
  EXPECT_EQ(process->WaitForEnd(Later()), Event::kTooMuch);
  EXPECT_EQ(process->End().kind, Kind::kStoppedByUs);
  EXPECT_EQ(process->TakeOutput().size(), 100'000u - 6);
}

TEST(Process, TheLimitCanBeCountedAnew) {
  ProcessRequest request = Shell("while read x; do echo 123456789; done");
  request.max_output_bytes = 15;
  const auto process = Started(request);
  std::string line;
  for (int i = 0; i < 3; ++i) {
    process->CountOutputAnew();
    process->Write("\n");
    EXPECT_EQ(process->ReadLine(Later(), &line), Event::kLine);
  }
  process->Write("\n");
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kTooMuch);
}

TEST(Process, OfAFloodOfErrorsTheLastPartIsKept) {
  ProcessRequest request = Shell("head -c 5000000 /dev/zero | tr '\\0' x >&2; echo the last >&2");
  request.max_error_bytes = 20;
  const auto finished = RunToEnd(request, "", kLongMs);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->end.errors, "xxxxxxxxxxxthe last\n");
}

TEST(Process, OneByteWaitsOnEveryDescriptor) {
  // It reads each until a byte came: at an end of file it would say so.
  const auto finished = RunToEnd(
      [] {
        ProcessRequest request =
            Shell("for n in 3 4 5; do eval \"dd bs=1 count=1 2>/dev/null <&$n\"; done; ls /proc/$$/fd");
        request.waiting_descriptors = 3;
        return request;
      }(),
      "", kLongMs);
  ASSERT_TRUE(finished.ok());
  // And nothing else of ours is open there.
  EXPECT_EQ(finished->output, "xxx0\n1\n2\n3\n4\n5\n");
}

TEST(Process, ManyDescriptorsArrive) {
  ProcessRequest request = Shell("exec ls -1v /proc/self/fd");
  request.waiting_descriptors = 256;
  const auto finished = RunToEnd(request, "", kLongMs);
  ASSERT_TRUE(finished.ok());
  // 0, 1, 2 and 256 more; then the folder that ls itself reads.
  EXPECT_THAT(finished->output, EndsWith("\n257\n258\n259\n"));
  EXPECT_EQ(std::count(finished->output.begin(), finished->output.end(), '\n'), 260);
}

TEST(Process, RunsOnTheCpuThatIsAskedForAndThisThreadDoesNot) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<size_t>(cpu), &before)) ++cpu;
  ProcessRequest request = Shell("grep Cpus_allowed_list /proc/self/status; nice");
  request.cpu = cpu;
  request.nice = 7;
  const auto finished = RunToEnd(request, "", kLongMs);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->output, "Cpus_allowed_list:\t" + std::to_string(cpu) + "\n7\n");
  cpu_set_t after;
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(Process, OneThatNeverReadsDoesNotBlockTheWriter) {
  const auto finished = RunToEnd(Shell("exit 4"), std::string(5 << 20, 'x'), kLongMs);
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->event, Event::kEnded);
  EXPECT_EQ(finished->end.code, 4);
}

TEST(Process, ManyAreUsedByManyThreadsAtOnce) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const auto finished = RunToEnd(Shell("cat; exit " + std::to_string(t)), std::to_string(i), kLongMs);
        if (finished.ok() && finished->end.code == t && finished->output == std::to_string(i)) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 80);
}

TEST(Interrupt, IsSeenByOneThatWaits) {
  const Interrupt interrupt;
  EXPECT_FALSE(interrupt.raised());
  ProcessRequest request = Shell("read x");
  request.interrupt = &interrupt;
  const auto process = Started(request);
  std::string line;
  raise(SIGINT);
  EXPECT_TRUE(interrupt.raised());
  EXPECT_EQ(interrupt.signal(), SIGINT);
  EXPECT_EQ(process->ReadLine(Later(), &line), Event::kInterrupted);
  EXPECT_EQ(process->WaitForEnd(Later()), Event::kInterrupted);
  EXPECT_EQ(process->End().kind, Kind::kStoppedByUs);
  raise(SIGTERM);
  EXPECT_EQ(interrupt.signal(), SIGINT);
}

TEST(InterruptDeathTest, ASecondCtrlCEndsAtOnce) {
  EXPECT_EXIT(
      {
        const Interrupt interrupt;
        raise(SIGINT);
        raise(SIGINT);
        _exit(1);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace conform
