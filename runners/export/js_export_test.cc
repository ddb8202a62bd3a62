#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runners/export/export.h"
#include "runners/export/program_testing.h"

namespace conform {
namespace js_export_test {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string Exported(const Case& c) {
  const Result<std::string> text = ExportJs(c);
  EXPECT_TRUE(text.ok()) << (text.ok() ? "" : text.error().ToString());
  return text.ok() ? *text : "";
}

std::string Refusal(const Case& c) {
  const Result<std::string> text = ExportJs(c);
  return text.ok() ? "exported" : text.error().ToString();
}

TEST(ExportJs, OpensWithTitleIdExpectationsAndHowToRunIt) {
  EXPECT_THAT(Exported(CaseWith("  - tick A\n", "pool: 1\n")),
              StartsWith("// A title\n//\n// Case timers/some-case, expected order of labels:\n//   node >=11: ...\n"
                         "//   libuv: (nothing)\n//\n// Run: UV_THREADPOOL_SIZE=1 node some-case.js\n'use strict';\n"));
}

TEST(ExportJs, CallsThePlatformDirectly) {
  const std::string text = Exported(CaseWith(R"(
  - timeout A 0:
      - tick T
      - then P
  - immediate I
  - busy 5
)"));
  EXPECT_THAT(text, HasSubstr("setTimeout(function () {\n"
                              "  log('A');\n"
                              "  process.nextTick(function () { log('T'); });\n"
                              "  Promise.resolve().then(function () { log('P'); });\n"
                              "}, 0);\n"
                              "setImmediate(function () { log('I'); });\n"
                              "busy(5);\n"));
}

TEST(ExportJs, WritesDelaysAsTheyWereAsked) {
  const std::string text = Exported(CaseWith(R"(
  - timeout A 1.9
  - timeout B -5
  - timeout C NaN
  - timeout D Infinity
  - timeout E none
)"));
  for (const char* tail :
       {"log('A'); }, 1.9);", "log('B'); }, -5);", "log('C'); }, NaN);", "log('D'); }, Infinity);", "log('E'); });"}) {
    EXPECT_THAT(text, HasSubstr(tail));
  }
}

TEST(ExportJs, AChainArmsItselfAtTheEndOfItsBodyOrWhereAgainStands) {
  EXPECT_THAT(Exported(CaseWith("  - tick T x3: [only 2: [log L]]\n")), HasSubstr("(function armT(run) {\n"
                                                                                  "  process.nextTick(function () {\n"
                                                                                  "    log('T');\n"
                                                                                  "    if (run === 2) { log('L'); }\n"
                                                                                  "    if (run < 3) armT(run + 1);\n"
                                                                                  "  });\n"
                                                                                  "}(1));\n"));
  EXPECT_THAT(Exported(CaseWith("  - tick T x3: [again, log L]\n")),
              HasSubstr("    if (run < 3) armT(run + 1);\n    log('L');\n  });\n"));
  // What runs after the end of the body finds that the next run is armed.
  EXPECT_THAT(Exported(CaseWith("  - tick T x3: [async F: [pause P, again]]\n")),
              HasSubstr("    if (!armed && run < 3) { armed = true; armT(run + 1); }\n  });\n"));
}

TEST(JsExport, CountsTheRunsOfARefreshedTimerAsTheyCome) {
  EXPECT_THAT(Exported(CaseWith("  - timeout A 1 x2: [refresh A]\n")),
              HasSubstr("    runsOfA += 1;\n    run = runsOfA;\n    log('A');\n"));
}

TEST(ExportJs, AnIntervalClearsItselfBeforeTheBodyOfItsLastRun) {
  EXPECT_THAT(Exported(CaseWith("  - interval V 1 x2: [log L]\n")),
              HasSubstr("  log('V');\n  if (runsOfV === 2) clearInterval(intervalV);\n  log('L');\n"));
}

TEST(ExportJs, AReferenceToWhatMayNotExistYetIsGuarded) {
  const std::string text = Exported(CaseWith(R"(
  - unref A
  - immediate I: [timeout A 0]
)"));
  EXPECT_THAT(text, HasSubstr("var timerA;\n\nif (timerA) { timerA.unref(); }\n"));
  EXPECT_THAT(Exported(CaseWith("  - timeout A 0\n  - unref A\n")), HasSubstr("}, 0);\ntimerA.unref();\n"));
}

TEST(ExportJs, APromiseIsSettledThroughItsOwnFunctions) {
  const std::string text = Exported(CaseWith(R"(
  - promise D
  - catch C of D
  - reject E of D
)"));
  EXPECT_THAT(text, HasSubstr("var rejectD;\n"
                              "var promiseD = new Promise(function (resolve, reject) { rejectD = reject; });\n"
                              "promiseD.catch(function () { log('C'); });\n"
                              "rejectD(new Error('E'));\n"));
}

TEST(ExportJs, SignalsAreThoseOfTheirKinds) {
  const std::string text = Exported(CaseWith("  - signal S as hup\n  - raise S\n"));
  EXPECT_THAT(text,
              HasSubstr("process.on('SIGHUP', function () { log('S'); });\nprocess.kill(process.pid, 'SIGHUP');\n"));
  EXPECT_THAT(Refusal(CaseWith("  - signal S as hup\n  - signal S\n  - raise S\n")), HasSubstr("different signals"));
}

TEST(ExportJs, CatchesAnErrorAroundAnAwait) {
  const std::string text = Exported(CaseWith("  - async: [try X: [pause A, throw E], log B]\n  - try: [throw]\n"));
  EXPECT_THAT(text, HasSubstr("(async function () {\n"
                              "  try {\n"
                              "    await Promise.resolve();\n"
                              "    log('A');\n"
                              "    throw new Error('E');\n"
                              "  } catch (error) { log(outcome('X', error)); }\n"
                              "  log('B');\n"
                              "}());\n"
                              "try {\n"
                              "  throw new Error();\n"
                              "} catch (error) {}\n"));
}

TEST(ExportJs, CombinesPromisesThatAreThere) {
  EXPECT_THAT(Exported(CaseWith("  - promise D\n  - then P\n  - combine C of D with P\n")),
              HasSubstr("Promise.all([promiseD, promiseP]).then(function () { log('C'); });\n"));
  EXPECT_THAT(Exported(CaseWith("  - combine C of D with P as any\n  - tick T: [promise D, then P]\n")),
              HasSubstr("if (promiseD && promiseP) { Promise.any([promiseD, promiseP]).then("));
}

TEST(ExportJs, UsesAsyncFunctionsOnlyWhereTheProgramAwaits) {
  EXPECT_THAT(Exported(CaseWith("  - then P\n  - tick T\n")), Not(HasSubstr("async")));
  EXPECT_THAT(Exported(CaseWith("  - await W plain\n")),
              HasSubstr("(async function () {\n  await null;\n  log('W');\n}());\n"));
}

TEST(ExportJs, AnEsmEntryIsAModule) {
  const Case c = CaseWith("  - pause A\n", "entry: esm\n");
  const std::string text = Exported(c);
  EXPECT_EQ(JsFileName(c), "some-case.mjs");
  EXPECT_THAT(text, HasSubstr("\nawait Promise.resolve();\nlog('A');\n"));
  EXPECT_THAT(text, Not(HasSubstr("require(")));
}

TEST(ExportJs, LoadsOnlyWhatTheProgramUses) {
  EXPECT_THAT(Exported(CaseWith("  - tick T\n")), Not(HasSubstr("'fs'")));
  EXPECT_THAT(Exported(CaseWith("  - file F\n")), HasSubstr("var fs = require('fs');\n"));
  EXPECT_THAT(Exported(CaseWith("  - file F\n", "entry: esm\n")), HasSubstr("import fs from 'fs';\n"));
}

TEST(ExportJs, WritesAtOnceWithoutLoadingFilesOnBun) {
  const std::string script = Exported(CaseWith("  - on exit X\n"));
  EXPECT_THAT(script, HasSubstr("var files = typeof Bun === 'undefined' ? require('fs') : null;\n"));
  EXPECT_THAT(script, Not(HasSubstr("= require('fs');")));
  const std::string module = Exported(CaseWith("  - on exit X\n", "entry: esm\n"));
  EXPECT_THAT(module, HasSubstr("typeof Bun === 'undefined' ? createRequire(import.meta.url)('fs') : null;\n"));
  EXPECT_THAT(module, Not(HasSubstr("from 'fs'")));
}

TEST(ExportJs, AWorkerEntryRunsTheProgramInAWorker) {
  EXPECT_THAT(Exported(CaseWith("  - tick T\n", "entry: worker\n")), HasSubstr("new workerThreads.Worker(__filename)"));
}

TEST(ExportJs, AnUncaughtErrorIsLoggedWithItsName) {
  const std::string text = Exported(CaseWith("  - on uncaught X\n  - throw E\n"));
  EXPECT_THAT(text, HasSubstr("process.on('uncaughtException', function (error) { log(outcome('X', error)); });\n"
                              "throw new Error('E');\n"));
}

TEST(ExportJs, ClearingAListenerRemovesIt) {
  const std::string text = Exported(CaseWith("  - signal S: [clear S]\n  - raise S\n"));
  EXPECT_THAT(text, HasSubstr("var listenerS = function () {\n"
                              "  log('S');\n"
                              "  process.removeListener('SIGUSR2', listenerS);\n"
                              "};\n"
                              "process.on('SIGUSR2', listenerS);\n"));
}

TEST(ExportJs, CountsTheRunsOfATimerThatIsRefreshed) {
  EXPECT_THAT(Exported(CaseWith("  - timeout A 1: [only ..2: [refresh A]]\n")),
              HasSubstr("  runsOfA += 1;\n  log('A');\n  if (runsOfA <= 2) { timerA.refresh(); }\n"));
}

TEST(ExportJs, AChannelCanBeNamed) {
  const std::string text = Exported(CaseWith("  - message M via P\n  - unref P\n"));
  EXPECT_THAT(text, HasSubstr("postVia_P.port.unref();"));
}

TEST(ExportJs, LabelsCannotLeaveTheirLiterals) {
  Case c = CaseWith("  - tick T x2\n");
  c.program[0].label = "');process.exit(9);//\n";
  c.title = "title\nprocess.exit(9)";
  const std::string text = Exported(c);
  EXPECT_THAT(text, HasSubstr("log('\\');process.exit(9);//\\x0a');"));
  EXPECT_THAT(text, HasSubstr("// title process.exit(9)\n"));
  EXPECT_THAT(text, HasSubstr("(function arm___process_exit_9_____(run) {"));
}

TEST(ExportJs, NamesWhatJavaScriptHasNot) {
  EXPECT_EQ(Refusal(CaseWith("  - idle H\n")), "some/file.yaml:4:5: JavaScript has no idle");
  EXPECT_THAT(Refusal(CaseWith("  - work K\n")), HasSubstr("JavaScript has no work"));
  EXPECT_THAT(Refusal(CaseWith("  - file F as carrier-pigeon\n")), HasSubstr("no file as carrier-pigeon"));
  EXPECT_THAT(Refusal(CaseWith("  - tick T\n  - clear T\n")), HasSubstr("'clear T'"));
  EXPECT_THAT(Refusal(CaseWith("  - timeout A 0\n  - immediate A\n  - clear A\n")), HasSubstr("different kinds"));
}

TEST(ExportJs, RefusesNativeCases) {
  Case c = CaseWith("  - tick T\n");
  c.native = {{"", "streams.cjs"}};
  EXPECT_THAT(Refusal(c), HasSubstr("native: its program is streams.cjs"));
}

class RunningJs : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(HasCommand("node")) << "it needs: apt install nodejs; ./test does that"; }
  std::string Run(const std::string& program, const std::string& more_keys = "") {
    const Case c = CaseWith(program, more_keys);
    return WriteAndRun(JsFileName(c), Exported(c), "node " + JsFileName(c));
  }
};

TEST_F(RunningJs, PrintsTheOrder) {
  EXPECT_EQ(Run(R"(
  - timeout A 0:
      - tick T
      - then P
  - read R
  - immediate I
  - busy 5
  - log S
)"),
            "S A T P R I");
}

TEST_F(RunningJs, KeepsTheExitCode) { EXPECT_EQ(Run("  - tick T: [exit 3]\n"), "T exit=3"); }

TEST_F(RunningJs, ShowsWhatIsLoggedAfterTheFirstExitListener) {
  EXPECT_EQ(Run(R"(
  - on beforeExit B:
      - only ..2: [immediate I]
  - on exit X: [log Y]
)"),
            "B I B I B X Y");
}

TEST_F(RunningJs, ShowsWhatRanBeforeAnEndWithoutExitEvent) {
  EXPECT_THAT(Run("  - on uncaught X: [throw F]\n  - tick T: [throw E]\n"), StartsWith("T X=E "));
}

TEST_F(RunningJs, SocketsMessagesChildrenAndSignals) {
  EXPECT_EQ(Run(R"(
  - listen L
  - accept A of L:
      - close of L
  - connect K to L:
      - write W to K:
          - close C of K:
              - message M:
                  - child N:
                      - signal S: [exit]
                      - timeout T 1000
                      - raise S
)"),
            "A K W C M N S");
}

TEST_F(RunningJs, ASocketThatHasDestroyedItselfStillReportsItsClose) {
  EXPECT_EQ(Run("  - refused E:\n      - close C of E\n      - close D of E\n"), "E C");
}

TEST_F(RunningJs, ModulesAndWorkers) {
  const std::string program = "  - tick T\n  - then P\n  - log S\n";
  EXPECT_EQ(Run(program, "entry: esm\n"), "S P T");
  EXPECT_EQ(Run(program, "entry: worker\n"), "S T P ");
  EXPECT_EQ(Run("  - tick T: [exit 5]\n", "entry: worker\n"), "T  exit=5");
}

}  // namespace js_export_test
}  // namespace conform
