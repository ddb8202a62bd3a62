#include "runners/harness/process_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runners/harness/process.h"

namespace conform {
namespace process_look_test {

using ::testing::HasSubstr;

TEST(WaitsWithoutLimit, KnowsWaitsThatNothingButAnEventEnds) {
  // On x86-64; the numbers are those of the kernel.
#ifdef __x86_64__
  EXPECT_TRUE(WaitsWithoutLimit("232 0x5 0x7ffe00 0x400 0xffffffff 0x0 0x8 0x7ffe 0x7f01"));      // epoll_wait
  EXPECT_FALSE(WaitsWithoutLimit("232 0x5 0x7ffe00 0x400 0x3c 0x0 0x8 0x7ffe 0x7f01"));           // for 60 ms
  EXPECT_FALSE(WaitsWithoutLimit("232 0x5 0x7ffe00 0x400 0x0 0x0 0x8 0x7ffe 0x7f01"));            // not at all
  EXPECT_TRUE(WaitsWithoutLimit("202 0x7f00 0x189 0x0 0x0 0x0 0xffffffff 0x7ffe 0x7f01"));        // a condition
  EXPECT_FALSE(WaitsWithoutLimit("202 0x7f00 0x189 0x0 0x7ffe10 0x0 0xffffffff 0x7ffe 0x7f01"));  // with a time
  EXPECT_FALSE(WaitsWithoutLimit("202 0x7f00 0x81 0x0 0x0 0x0 0x0 0x7ffe 0x7f01"));               // wakes another
  EXPECT_FALSE(WaitsWithoutLimit("230 0x0 0x0 0x7fff 0x7fff 0x0 0x0 0x7ffe 0x7f01"));             // sleeps for a time
  EXPECT_FALSE(WaitsWithoutLimit("0 0x0 0x7fff 0x1 0x0 0x0 0x0 0x7ffe 0x7f01"));                  // reads
#endif
  EXPECT_FALSE(WaitsWithoutLimit("running"));
  EXPECT_FALSE(WaitsWithoutLimit("-1 0x7ffe 0x7f01"));
  EXPECT_FALSE(WaitsWithoutLimit(""));
}

TEST(KeptWaitingMs, IsTheSecondNumber) {
  EXPECT_EQ(KeptWaitingMs("1234567890 5000000 77\n"), 5);
  EXPECT_EQ(KeptWaitingMs(""), 0);
}

ProcessLook Asleep(int64_t switches, int64_t cpu_ms = 0) { return {cpu_ms, true, {{7, 1}, {8, switches}}, 0}; }

TEST(EndlessWatch, AProcessThatSleepsAndDoesNotRunAtAllWaitsForever) {
  EndlessWatch watch(1'000);
  EXPECT_FALSE(watch.Take(Asleep(3), 0));
  EXPECT_FALSE(watch.Take(Asleep(3), kSettledMs - 1));
  const auto no_end = watch.Take(Asleep(3), kSettledMs);
  ASSERT_TRUE(no_end);
  EXPECT_EQ(no_end->kind, NoEnd::Kind::kWaits);
  EXPECT_THAT(no_end->seen, HasSubstr("all 2 threads"));
}

TEST(EndlessWatch, AThreadThatHasRunInBetweenStartsTheTimeAnew) {
  EndlessWatch watch(1'000);
  EXPECT_FALSE(watch.Take(Asleep(3), 0));
  EXPECT_FALSE(watch.Take(Asleep(4), kSettledMs));
  EXPECT_FALSE(watch.Take(Asleep(4), 2 * kSettledMs - 1));
  EXPECT_TRUE(watch.Take(Asleep(4), 2 * kSettledMs));
}

// One that could run and is given no processor, for however long, is not asleep.
TEST(EndlessWatch, AStarvedProcessIsNeverSaidToWaitOrToSpin) {
  EndlessWatch watch(1'000);
  for (int64_t now_ms = 0; now_ms < 100'000; now_ms += 40) {
    ProcessLook starved = Asleep(3);
    starved.sleeps = false;
    EXPECT_FALSE(watch.Take(starved, now_ms));
  }
}

TEST(EndlessWatch, MoreProcessorTimeThanTheBudgetIsASpin) {
  EndlessWatch watch(500);
  ProcessLook running{200, false, {{7, 1}}};
  EXPECT_FALSE(watch.Take(running, 0));  // a session has worked before
  running.cpu_ms = 700;
  EXPECT_FALSE(watch.Take(running, 40));
  running.cpu_ms = 701;
  const auto no_end = watch.Take(running, 80);
  ASSERT_TRUE(no_end);
  EXPECT_EQ(no_end->kind, NoEnd::Kind::kSpins);
  EXPECT_THAT(no_end->seen, HasSubstr("501 ms of processor time"));
}

// Real processes, looked at until something is said of them; the test as a whole has a limit.
class LookTest : public ::testing::Test {
 protected:
  static std::unique_ptr<Process> Started(const std::string& python) {
    ProcessRequest request;
    request.command = {"python3", "-S", "-c", python};
    request.environment = OwnEnvironment();
    auto process = Process::Start(request);
    EXPECT_TRUE(process.ok()) << process.error().ToString();
    return std::move(*process);
  }
  static NoEnd LookAtUntilItIsKnown(const std::string& python) {
    const auto process = Started(python);
    EndlessWatch watch(1'000);
    for (;;) {
      if (auto no_end = watch.Take(process->Look(), SteadyMs())) return *no_end;
      usleep(20'000);
    }
  }
};

// Whoever reads its output may be given no processor for a long time.
TEST(LookAt, AProcessThatIsOverAndNotReapedDoesNotWait) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  siginfo_t ended{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(LookAt(pid).sleeps);
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
}

TEST_F(LookTest, AWaitForNothingIsFound) {
  EXPECT_EQ(LookAtUntilItIsKnown("import select; select.epoll().poll()").kind, NoEnd::Kind::kWaits);
  EXPECT_EQ(LookAtUntilItIsKnown("import threading; threading.Thread(target=threading.Lock().acquire).start();"
                                 "import signal; signal.pause()")
                .kind,
            NoEnd::Kind::kWaits);
}

TEST_F(LookTest, ASpinIsFoundAlsoInAChild) {
  EXPECT_EQ(LookAtUntilItIsKnown("while True: pass").kind, NoEnd::Kind::kSpins);
  EXPECT_EQ(
      LookAtUntilItIsKnown("import subprocess, sys; subprocess.call([sys.executable, '-S', '-c', 'while 1: pass'])")
          .kind,
      NoEnd::Kind::kSpins);
}

TEST_F(LookTest, WhoeverMayBeWokenIsNotSaidToWait) {
  for (const char* python : {"import select; select.epoll().poll(60)", "import time; time.sleep(60)",
                             "import subprocess; subprocess.call(['sleep', '60'])",
                             "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()"}) {
    const auto process = Started(python);
    EndlessWatch watch(1'000'000);
    std::string ignored;
    for (const int64_t end_ms = SteadyMs() + 1'000; SteadyMs() < end_ms; process->ReadLine(SteadyMs() + 40, &ignored)) {
      EXPECT_FALSE(watch.Take(process->Look(), SteadyMs())) << python;
    }
  }
}

}  // namespace process_look_test
}  // namespace conform
