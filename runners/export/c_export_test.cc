#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runners/export/export.h"
#include "runners/export/program_testing.h"

namespace conform {
namespace c_export_test {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string Exported(const Case& c) {
  const Result<std::string> text = ExportC(c);
  EXPECT_TRUE(text.ok()) << (text.ok() ? "" : text.error().ToString());
  return text.ok() ? *text : "";
}

std::string Refusal(const std::string& program) {
  const Result<std::string> text = ExportC(CaseWith(program));
  return text.ok() ? "exported" : text.error().ToString();
}

TEST(ExportC, OpensWithTitleAndHowToRunIt) {
  const std::string text = Exported(CaseWith("  - timeout A 0\n"));
  EXPECT_THAT(text, StartsWith("// A title\n"));
  EXPECT_THAT(text, HasSubstr("// Run: cc some-case.c -luv -o some-case && ./some-case\n"));
}

TEST(ExportC, RunsTheLoopUnlessTheProgramDoes) {
  EXPECT_THAT(Exported(CaseWith("  - timeout A 0\n")), HasSubstr("  uv_run(loop, UV_RUN_DEFAULT);\n  return 0;\n"));
  const std::string text = Exported(CaseWith("  - timeout A 0\n  - run once R\n"));
  EXPECT_THAT(text, HasSubstr("  log_value(\"R\", uv_run(loop, UV_RUN_ONCE));\n"));
  EXPECT_THAT(text, Not(HasSubstr("UV_RUN_DEFAULT")));
}

TEST(ExportC, AnImmediateIsACheckHandleThatStopsItself) {
  EXPECT_THAT(Exported(CaseWith("  - immediate I\n")),
              HasSubstr("static void on_I(uv_check_t *handle) {\n  uv_check_stop(handle);\n  log_label(\"I\");\n}\n"));
}

TEST(ExportC, BusyLeavesTheTimeOfTheLoopAlone) {
  EXPECT_THAT(Exported(CaseWith("  - busy 5\n")), Not(HasSubstr("uv_update_time")));
}

TEST(ExportC, NamesWhatLibuvHasNot) {
  EXPECT_EQ(Refusal("  - tick T\n"), "some/file.yaml:4:5: libuv has no tick");
  EXPECT_THAT(Refusal("  - timeout A 0: [then P]\n"), HasSubstr("libuv has no then"));
  EXPECT_THAT(Refusal("  - throw E\n"), HasSubstr("libuv has no throw"));
  EXPECT_THAT(Refusal("  - timeout A NaN\n"), HasSubstr("libuv has no delay 'NaN'"));
  EXPECT_THAT(Refusal("  - on uncaught X\n"), HasSubstr("libuv has no on"));
  EXPECT_THAT(Refusal("  - file F as promise\n"), HasSubstr("libuv has no file as promise"));
}

TEST(ExportC, LabelsCannotLeaveTheirLiterals) {
  Case c = CaseWith("  - timeout A 0\n");
  c.program[0].label = "\");abort();//\\";
  c.title = "continued \\";
  const std::string text = Exported(c);
  EXPECT_THAT(text, HasSubstr("log_label(\"\\\");abort();//\\\\\");"));
  EXPECT_THAT(text, StartsWith("// continued |\n"));
}

class RunningC : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(HasCommand("cc")) << "it needs: apt install gcc; ./test does that"; }
  std::string Run(const std::string& program, const std::string& more_keys = "") {
    const Case c = CaseWith(program, more_keys);
    return WriteAndRun(CFileName(c), Exported(c), "cc -Wall -Wextra -Werror " + CFileName(c) + " -luv -o x && ./x");
  }
};

TEST_F(RunningC, PhasesComeInOrder) {
  EXPECT_EQ(Run(R"(
  - socket S
  - close C of S
  - check K x1
  - read R
  - prepare P x1
  - idle I x1
  - timeout T 0
)"),
            "T I P R K C");
}

TEST_F(RunningC, HandlesAreStoppedStartedAndCounted) {
  EXPECT_EQ(Run(R"(
  - unref B
  - timeout A 300:
      - start B 0
      - clear C
      - timeout D 0 x2
  - timeout B 60000
  - timeout C 60000
  - idle I x3:
      - only 2: [log L]
)"),
            "I I L I A B D D");
}

TEST_F(RunningC, WorkKeepsItsThreadForAsLongAsItSays) {
  EXPECT_EQ(Run("  - work A 40\n  - work B 1\n  - timeout T 20\n", "pool: 1\n"), "T A B");
}

TEST_F(RunningC, AShutdownComesBehindTheWrites) {
  EXPECT_EQ(Run(R"(
  - listen L
  - accept A of L: [close of L]
  - connect K to L:
      - write W to K
      - shutdown S of K
      - timeout 30: [close of K, close of A]
)"),
            "A K W S");
}

TEST_F(RunningC, ReadingStopsAndStartsAndFindsTheEnd) {
  EXPECT_EQ(Run(R"(
  - listen L
  - accept A of L:
      - write W to A x3:
          - only 3: [close of A]
      - close of L
  - connect K to L
  - timeout 30:
      - data D of K:
          - only 1: [clear D, timeout T 20: [start D]]
)"),
            "A K W W W D T D D D=EOF");
}

TEST_F(RunningC, DatagramsWaitWhileTheSocketIsStopped) {
  EXPECT_EQ(Run(R"(
  - receive R: [clear R]
  - clear R
  - datagram A to R
  - timeout T 30: [start R]
)"),
            "A T R");
}

TEST_F(RunningC, DatagramsAreSentAndReceived) {
  EXPECT_EQ(Run("  - receive R\n  - datagram A to R\n  - datagram B to R\n  - timeout 40: [close of R]\n"), "A B R R");
}

TEST_F(RunningC, SignalsAreThoseOfTheirKinds) {
  EXPECT_EQ(Run(R"(
  - signal W as winch: [clear W]
  - signal H as hup: [clear H]
  - signal U: [clear U]
  - raise W
  - raise H
  - raise U
)"),
            "W H U");
}

TEST_F(RunningC, NothingIsRaisedThatNothingCatches) {
  EXPECT_EQ(Run("  - signal A as once: [raise A]\n  - raise A\n"), "A");
}

TEST_F(RunningC, RequestsReportTheirOutcome) {
  // How far the pool has come when C is cancelled is up to the machine; that it has always come to C is not.
  std::string order;
  for (int tries = 0; tries < 20 && order.find("ECANCELED") == std::string::npos; ++tries) {
    order = Run("  - work A\n  - work B\n  - work C\n  - clear C\n", "pool: 1\n");
    EXPECT_THAT(order, AnyOf("C=ECANCELED A B", "A C=ECANCELED B", "A B C=ECANCELED", "A B C"));
  }
  EXPECT_THAT(order, HasSubstr("C=ECANCELED"));
  EXPECT_EQ(Run("  - refused E: [timeout T 0]\n"), "E T");
  EXPECT_EQ(Run("  - refused E\n  - close C of E\n"), "E=ECANCELED C");
}

TEST_F(RunningC, AWriteToAPeerThatHasClosedFailsAndDoesNotEndTheProcess) {
  EXPECT_EQ(Run(R"(
  - listen L
  - accept A of L: [close of A, close of L]
  - connect K to L:
      - timeout 20:
          - write W to K: [close of K]
)"),
            "A K W=EPIPE");
}

TEST_F(RunningC, SocketsWakeUpsSignalsAndChildren) {
  EXPECT_EQ(Run(R"(
  - listen L
  - accept A of L: [close of L]
  - connect K to L:
      - write W to K x2:
          - only 2:
              - close of A
              - close C of K:
                  - wake H x2:
                      - only 2:
                          - clear H
                          - signal S:
                              - clear S
                              - child N
                          - raise S
)"),
            "A K W W C H H S N");
}

TEST_F(RunningC, RunModesAndLiveness) {
  EXPECT_EQ(Run(R"(
  - timeout T 1000
  - run nowait R
  - alive L
  - unref T
  - run default Q
  - alive M
)"),
            "R=1 L=1 Q=0 M=0");
}

TEST_F(RunningC, KeepsTheExitCode) { EXPECT_EQ(Run("  - timeout A 0: [exit 3]\n"), "A exit=3"); }

}  // namespace c_export_test
}  // namespace conform
