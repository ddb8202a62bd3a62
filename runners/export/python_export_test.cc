#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runners/export/export.h"
#include "runners/export/program_testing.h"

namespace conform {
namespace python_export_test {

using ::testing::HasSubstr;

std::string Exported(const Case& c) {
  const Result<std::string> text = ExportPython(c);
  EXPECT_TRUE(text.ok()) << (text.ok() ? "" : text.error().ToString());
  return text.ok() ? *text : "";
}

std::string Refusal(const std::string& program) {
  const Result<std::string> text = ExportPython(CaseWith(program));
  return text.ok() ? "exported" : text.error().ToString();
}

TEST(ExportPython, NamesWhatAsyncioHasNot) {
  EXPECT_EQ(Refusal("  - tick T\n"), "some/file.yaml:4:5: asyncio has no tick");
  EXPECT_THAT(Refusal("  - soon A: [immediate I]\n"), HasSubstr("asyncio has no immediate"));
  EXPECT_THAT(Refusal("  - timeout A none\n"), HasSubstr("asyncio has no delay 'none'"));
  EXPECT_THAT(Refusal("  - listen L\n"), HasSubstr("asyncio has no listen"));
  EXPECT_THAT(Refusal("  - file F as promise\n"), HasSubstr("asyncio has no file as promise"));
}

TEST(ExportPython, LabelsCannotLeaveTheirLiterals) {
  Case c = CaseWith("  - soon A\n");
  c.program[0].label = "')\nimport os #";
  EXPECT_THAT(Exported(c), HasSubstr("log('\\')\\x0aimport os #')"));
}

class RunningPython : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(HasCommand("python3")) << "it needs: apt install python3; ./test does that"; }
  std::string Run(const std::string& program, const std::string& more_keys = "") {
    const Case c = CaseWith(program, more_keys);
    return WriteAndRun(PythonFileName(c), Exported(c), "python3 " + PythonFileName(c));
  }
};

TEST_F(RunningPython, OnePassRunsASnapshot) {
  EXPECT_EQ(Run(R"(
  - soon A: [soon C]
  - soon B
  - read R
  - timeout T 0
  - busy 3
  - log S
)"),
            "S A B R T C");
}

TEST_F(RunningPython, EqualDeadlinesAndOtherThreads) {
  const std::string order = Run(R"(
  - timeout A 5 as at
  - timeout B 5 as at
  - wake W: [wake V]
  - soon S
  - busy 10
)");
  EXPECT_TRUE(order == "W S A B V" || order == "W S B A V") << order;
}

TEST_F(RunningPython, WorkKeepsItsThreadForAsLongAsItSays) {
  EXPECT_EQ(Run("  - work A 60\n  - work B 5\n  - timeout T 30\n"), "B T A");
}

TEST_F(RunningPython, SignalsTakeAPassMore) {
  EXPECT_EQ(Run("  - signal S\n  - soon Z: [raise S, {soon A: [{soon B: [soon C]}]}]\n"), "Z A B S C");
}

TEST_F(RunningPython, RunsThatAreStopped) {
  EXPECT_EQ(Run(R"(
  - soon A: [stop, soon C]
  - soon B
  - timeout T 30
  - run default R
  - run nowait Q
  - run default P
)"),
            "A B R=1 C Q=1 T P=0");
}

TEST_F(RunningPython, ChainsConditionsAndClearing) {
  EXPECT_EQ(Run(R"(
  - clear LATER
  - soon A x3:
      - only ..2: [again, log L]
  - timeout B 300: [clear C]
  - timeout C 5000
  - soon D: [soon LATER]
)"),
            "A L D A L LATER A B");
}

TEST_F(RunningPython, FuturesTasksAndThePool) {
  EXPECT_EQ(Run(R"(
  - promise D
  - then P of D: [soon Q]
  - await W of D
  - async F:
      - log G
      - pause H
  - file R: [resolve D]
  - log S
)",
                "pool: 1\n"),
            "S G H R P W Q");
  EXPECT_EQ(Run("  - promise D\n  - then P of D\n  - log S\n"), "S") << "nobody settles D";
}

TEST_F(RunningPython, ErrorsAndExitCodes) {
  EXPECT_EQ(Run("  - on uncaught X\n  - soon A: [throw E]\n  - soon B\n"), "A X=E B");
  EXPECT_EQ(Run("  - soon A: [exit 3]\n  - soon B\n"), "A exit=3");
}

}  // namespace python_export_test
}  // namespace conform
