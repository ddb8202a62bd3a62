// The method: adapters of a few lines for the shell, named for what is wrong with them, and the template in Python,
// with which nothing is.
#include "runners/harness/smoke.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace conform {
namespace smoke_test {

using Outcome = SmokeCheck::Outcome;

constexpr char kReady[] =
    R"({"type":"ready","protocol":1,"implementation":{"name":"x","version":"1"},"isolation":"process","ops":["soon"]})";

Profiles SomeProfiles() {
  auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  CONFORM_CHECK(profiles.ok());
  return std::move(*profiles);
}

SmokeReport SmokeCommand(std::vector<std::string> words, int64_t answer_ms = 30'000) {
  AdapterCommand command;
  command.option = "x";
  command.command = std::move(words);
  SmokeOptions options;
  options.answer_ms = answer_ms;
  return Smoke(command, SomeProfiles(), {}, options);
}

// A script that reads all its input, and then says `answers`, whatever that was.
SmokeReport SmokeAnswers(const std::string& answers, const std::string& end = "exit 0") {
  return SmokeCommand({"/bin/sh", "-c", "cat >/dev/null; printf '%s\\n' '" + answers + "'; " + end});
}

const SmokeCheck* FirstWrong(const SmokeReport& report) {
  const auto found = std::find_if(report.checks.begin(), report.checks.end(),
                                  [](const SmokeCheck& check) { return check.outcome == Outcome::kWrong; });
  return found == report.checks.end() ? nullptr : &*found;
}

void ExpectFirstWrong(const SmokeReport& report, const std::string& claim, const std::string& got) {
  EXPECT_FALSE(report.AllRight());
  const SmokeCheck* wrong = FirstWrong(report);
  ASSERT_NE(wrong, nullptr);
  EXPECT_NE(wrong->claim.find(claim), std::string::npos) << wrong->claim;
  EXPECT_NE(wrong->got.find(got), std::string::npos) << wrong->got;
  EXPECT_FALSE(wrong->expected.empty());
  EXPECT_FALSE(wrong->section.empty());
}

TEST(Smoke, FindsNothingWrongWithTheTemplateInPython) {
  const SmokeReport report = SmokeCommand({"env", "PYTHONPATH=" CONFORM_SOURCE_DIR "/adapters/shared", "python3",
                                           CONFORM_SOURCE_DIR "/adapters/templates/python/adapter.py"});
  const SmokeCheck* wrong = FirstWrong(report);
  EXPECT_TRUE(report.AllRight()) << (wrong == nullptr ? "" : wrong->claim + ": " + wrong->got);
  EXPECT_GT(report.Count(Outcome::kRight), 30);
  ASSERT_TRUE(report.ready.has_value());
  EXPECT_EQ(report.ready->name, "my-loop");
}

TEST(Smoke, NoProgram) {
  ExpectFirstWrong(SmokeCommand({"/nowhere/at-all"}), "the program starts", "cannot start /nowhere/at-all");
}

TEST(Smoke, ExitsWithoutReady) { ExpectFirstWrong(SmokeCommand({"true"}), "hello", "ended with code 0 without"); }

TEST(Smoke, CrashesAtOnce) {
  const SmokeReport report = SmokeCommand({"/bin/sh", "-c", "echo 'out of luck' >&2; kill -ABRT $$"});
  ExpectFirstWrong(report, "hello", "was killed by signal 6");
  EXPECT_NE(FirstWrong(report)->errors.find("out of luck"), std::string::npos);
}

TEST(Smoke, NeverReady) {
  const SmokeReport report = SmokeCommand({"/bin/sh", "-c", "sleep 30"}, 300);
  ExpectFirstWrong(report, "hello", "did not answer in time");
  EXPECT_LE(report.checks.size(), 3u);  // nothing more is asked of it
}

TEST(Smoke, TalksToPeopleOnStdout) {
  const SmokeReport report = SmokeAnswers("hello, world\033[31m");
  ExpectFirstWrong(report, "hello", "not a message");
  ASSERT_FALSE(FirstWrong(report)->received.empty());
  EXPECT_EQ(FirstWrong(report)->received[0].find('\033'), std::string::npos);
  EXPECT_NE(FirstWrong(report)->hint.find("standard error"), std::string::npos);
}

TEST(Smoke, LeavesOutALineEnd) {
  ExpectFirstWrong(SmokeCommand({"/bin/sh", "-c", "cat >/dev/null; printf '%s' '" + std::string(kReady) + "'"}),
                   "hello", "in the middle of a line");
}

TEST(Smoke, ReadyIsNotAsItsSchemaSays) {
  const SmokeReport report = SmokeAnswers(R"({"type": "ready","protocol":1,"isolation":"process"})");
  ExpectFirstWrong(report, "hello", "implementation");
  EXPECT_NE(FirstWrong(report)->hint.find(R"("implementation":{"name":)"), std::string::npos);
  EXPECT_EQ(FirstWrong(report)->section, "ready: the answer to hello");
}

TEST(Smoke, SpeaksAnotherVersion) {
  ExpectFirstWrong(SmokeAnswers(R"({"type":"ready","protocol":2,"implementation":{"name":"x","version":"1"},)"
                                R"("isolation":"process","ops":[]})"),
                   "hello", "protocol");
}

TEST(Smoke, NamesNoOps) {
  ExpectFirstWrong(SmokeAnswers(R"({"type":"ready","protocol":1,"implementation":{"name":"x","version":"1"},)"
                                R"("isolation":"process"})"),
                   "ready names its ops", "has no ops");
}

TEST(Smoke, MisspellsAnOp) {
  ExpectFirstWrong(SmokeAnswers(R"({"type":"ready","protocol":1,"implementation":{"name":"x","version":"1"},)"
                                R"("isolation":"process","ops":["timeuot","on exit","file as x"]})"),
                   "every name in ops is known", "'timeuot': did you mean 'timeout'?");
}

TEST(Smoke, ClaimsAProfileThatIsNotThere) {
  const SmokeReport report =
      SmokeAnswers(R"({"type":"ready","protocol":1,"implementation":{"name":"x","version":"1"},)"
                   R"("isolation":"process","ops":[],"claims":{"profile":"nodee","version":"1"}})");
  ExpectFirstWrong(report, "it claims", "there is no profile 'nodee'");
  EXPECT_NE(FirstWrong(report)->hint.find("'node'"), std::string::npos);
}

TEST(Smoke, ClaimsAVersionThatIsNotKnown) {
  ExpectFirstWrong(SmokeAnswers(R"({"type":"ready","protocol":1,"implementation":{"name":"x","version":"1"},)"
                                R"("isolation":"process","ops":[],"claims":{"profile":"node","version":"0.1"}})"),
                   "it claims", "knows no version '0.1'");
}

TEST(Smoke, EndsBadlyAfterStop) {
  ExpectFirstWrong(SmokeAnswers(kReady, "exit 3"), "it ends after stop", "ended with code 3");
}

TEST(Smoke, IsReadyAndNeverRunsAnything) {
  ExpectFirstWrong(SmokeAnswers(kReady), "log emits its label", "without an answer");
}

TEST(Smoke, AnswersBeforeItIsAsked) {
  ExpectFirstWrong(SmokeAnswers(std::string(kReady) + "\n" + R"({"type":"trace","seq":1,"events":[]})"),
                   "ends after stop", "not requested");
}

// A script that answers every run in the same way, and names the run that was requested.
SmokeReport SmokeRuns(const std::string& answer) {
  const std::string script = R"(
    ready='READY'
    while read -r line; do
      case "$line" in
        *'"type":"run"'*) seq="${line#*\"seq\":}"; seq="${seq%%[,\}]*}"; run=1 ;;
      esac
    done
    echo "$ready"
    [ -z "$run" ] || ANSWER)";
  std::string text = script;
  text.replace(text.find("READY"), 5, kReady);
  text.replace(text.find("ANSWER"), 6, answer);
  return SmokeCommand({"/bin/sh", "-c", text});
}

TEST(Smoke, LosesLabels) {
  const SmokeReport report = SmokeRuns(R"(echo "{\"type\":\"trace\",\"seq\":$seq,\"events\":[]}")");
  ExpectFirstWrong(report, "log emits its label", "emitted no label");
  EXPECT_EQ(FirstWrong(report)->expected, "A B, in any order");
  EXPECT_EQ(FirstWrong(report)->section, "Labels");
}

TEST(Smoke, AnswersAnotherRun) {
  ExpectFirstWrong(SmokeRuns(R"(echo '{"type":"trace","seq":99,"events":[]}')"), "log emits", "answered run 99");
}

TEST(Smoke, LiesAboutOps) {
  ExpectFirstWrong(SmokeRuns(R"(echo "{\"type\":\"unsupported\",\"seq\":$seq,\"op\":\"soon\"}")"), "log emits",
                   "is unsupported: soon");
}

TEST(Smoke, AnswersError) {
  ExpectFirstWrong(SmokeRuns(R"(echo "{\"type\":\"error\",\"seq\":$seq,\"message\":\"too tired\"}")"), "log emits",
                   "answered error: too tired");
}

TEST(Smoke, CarriesOutWhatItDoesNotName) {
  const SmokeReport report = SmokeRuns(R"(echo "{\"type\":\"trace\",\"seq\":$seq,\"events\":[]}")");
  const auto found = std::find_if(report.checks.begin(), report.checks.end(), [](const SmokeCheck& check) {
    return check.claim == "what its ops do not name is unsupported: timeout";
  });
  ASSERT_NE(found, report.checks.end());
  EXPECT_EQ(found->outcome, Outcome::kWrong);
  EXPECT_EQ(found->got, "answered with a trace");
}

// Two programs without an answer are enough: the others are not waited for.
TEST(Smoke, IsSilentOnRuns) {
  const SmokeReport report = SmokeCommand(
      {"/bin/sh", "-c", "grep -q '\"run\"' && sleep 30; echo '" + std::string(kReady) + "'"}, /*answer_ms=*/2'500);
  ExpectFirstWrong(report, "log emits", "did not answer in time");
  EXPECT_EQ(report.Count(Outcome::kWrong), 2);
  EXPECT_GT(report.Count(Outcome::kSkipped), 5);
}

}  // namespace smoke_test
}  // namespace conform
