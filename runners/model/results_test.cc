#include "runners/model/results.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runners/base/text.h"

namespace conform {
namespace results_test {

RunInfo SomeRun() { return {"0.1.0", "2026-11-16T01:38:00Z", "conform run --impl=ref", "2/8", 3}; }

CaseResult SomeResult() {
  CaseResult result;
  result.case_id = "timers/drain-between-timers";
  result.content_hash = "0123456789abcdef";
  result.implementation = "node@24.21.0";
  result.profile = "node@24.21.0";
  result.verdict = Verdict::kFail;
  result.basis = Basis::kProof;
  result.reason = "no delay of any length explains B A";
  result.expected = "A B";
  Try ended;
  ended.trace.events.push_back({"B", 120'000, 1, "timers", "timers.deadline-order"});
  ended.trace.events.push_back({"A", {}, {}, "", ""});
  ended.standing = Standing::kOutside;
  ended.trace.start_ns = -7;
  ended.seen = "waits forever";
  ended.processes = 2;
  ended.disturbed = true;
  ended.calm = true;
  Try troubled;
  troubled.trouble = "no answer within 5000 ms";
  Try empty;
  empty.standing = Standing::kLate;
  Try partly;
  partly.trouble = "killed by signal 9";
  partly.trace.events.push_back({"A", {}, {}, "", ""});
  result.tries = {ended, troubled, empty, partly};
  result.reproduce = "conform run timers/drain-between-timers --impl=node@24.21.0";
  return result;
}

CaseResult WithVerdict(Verdict verdict) {
  CaseResult result = SomeResult();
  result.verdict = verdict;
  return result;
}

std::string ErrorOf(const std::string& text) {
  const auto results = ParseResults(text, "r.jsonl");
  if (results.ok()) return "";
  Error error = results.error();
  error.hint.clear();
  return error.ToString();
}

const std::string kFirst = RunLine({"0.1.0", "", "", "", 1}) + "\n";

TEST(Results, AFileFromBeforeThereWasABasisIsRead) {
  const std::string old =
      R"({"type":"result","case":"a","hash":"h","implementation":"node@24.21.0","profile":"node@24.21.0",)"
      R"("verdict":"unsupported","reason":"node@24.21.0 has no tick","tries":[]})";
  const auto read = ParseResults(kFirst + old + "\n" +
                                     R"({"type":"end","results":1,"totals":{"unsupported":1}})"
                                     "\n",
                                 "r.jsonl");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(read->results[0].verdict, Verdict::kUnsupported);
  EXPECT_EQ(read->results[0].basis, Basis::kNone);
}

TEST(Results, HoldTheTextOfScripts) {
  RunResults results;
  results.run.conform = "0.1.0";
  results.run.scripts["mine.js"] = "log('A');\nlog('B');\n";
  const auto read = ParseResults(RunLine(results.run) + "\n", "r.jsonl");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(read->run.scripts, results.run.scripts);
}

TEST(Results, AResultSurvivesTheTripThroughALine) {
  const CaseResult before = SomeResult();
  const auto read = ParseResults(kFirst + ResultLine(before) + "\n", "r.jsonl");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  ASSERT_EQ(read->results.size(), 1u);
  const CaseResult& after = read->results[0];
  EXPECT_EQ(after.case_id, before.case_id);
  EXPECT_EQ(after.content_hash, before.content_hash);
  EXPECT_EQ(after.implementation, before.implementation);
  EXPECT_EQ(after.profile, before.profile);
  EXPECT_EQ(after.verdict, before.verdict);
  EXPECT_EQ(after.reason, before.reason);
  EXPECT_EQ(after.expected, before.expected);
  EXPECT_EQ(after.reproduce, before.reproduce);
  ASSERT_EQ(after.tries.size(), 4u);
  EXPECT_EQ(after.basis, Basis::kProof);
  EXPECT_EQ(after.tries[0].standing, Standing::kOutside);
  EXPECT_EQ(after.tries[0].trace.start_ns, -7);
  EXPECT_EQ(after.tries[0].seen, "waits forever");
  EXPECT_EQ(after.tries[0].processes, 2);
  EXPECT_TRUE(after.tries[0].disturbed);
  EXPECT_TRUE(after.tries[0].calm);
  EXPECT_EQ(after.tries[1].processes, 1);
  EXPECT_FALSE(after.tries[1].calm);
  ASSERT_EQ(after.tries[0].trace.events.size(), 2u);
  EXPECT_EQ(after.tries[0].trace.events[0].t_ns, 120'000);
  EXPECT_EQ(after.tries[0].trace.events[0].iteration, 1);
  EXPECT_EQ(after.tries[0].trace.events[0].phase, "timers");
  EXPECT_EQ(after.tries[0].trace.events[0].clause, "timers.deadline-order");
  EXPECT_EQ(after.tries[0].trace.events[1].t_ns, std::nullopt);
  EXPECT_EQ(after.tries[1].trouble, "no answer within 5000 ms");
  EXPECT_EQ(after.tries[2].standing, Standing::kLate);
  EXPECT_TRUE(after.tries[2].trace.events.empty());
  EXPECT_EQ(after.tries[3].trouble, "killed by signal 9");
  EXPECT_EQ(after.tries[3].trace.ToOrder(), Order{"A"});
  // And once more: the same result is the same bytes.
  EXPECT_EQ(ResultLine(after), ResultLine(before));
}

TEST(Results, TheFirstLineSurvivesToo) {
  const auto read = ParseResults(RunLine(SomeRun()) + "\n", "r.jsonl");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->run.conform, "0.1.0");
  EXPECT_EQ(read->run.started, "2026-11-16T01:38:00Z");
  EXPECT_EQ(read->run.command, "conform run --impl=ref");
  EXPECT_EQ(read->run.shard, "2/8");
  EXPECT_EQ(read->run.planned, 3);
  EXPECT_FALSE(read->complete);
}

TEST(Results, ALineIsOneLineWhateverTheTextsHold) {
  CaseResult result = SomeResult();
  result.reason = "two\nlines, \"quotes\", \x01 and \xff\xfe";
  const std::string line = ResultLine(result);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = ParseResults(kFirst + line + "\n", "r.jsonl");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_TRUE(read->results[0].reason.starts_with("two\nlines, \"quotes\", \x01 and \xef\xbf\xbd"));
}

TEST(Results, TotalsCountEachVerdictAndAddUp) {
  const std::vector<CaseResult> results{WithVerdict(Verdict::kPass), WithVerdict(Verdict::kFail),
                                        WithVerdict(Verdict::kPass)};
  EXPECT_EQ(TotalsOf(results), (Totals{{Verdict::kPass, 2}, {Verdict::kFail, 1}}));
  EXPECT_EQ(EndLine(TotalsOf(results)), R"({"type":"end","results":3,"totals":{"pass":2,"fail":1}})");
}

TEST(Results, ARunThatWasCutShortIsReadAsFarAsItGoes) {
  const std::string whole = kFirst + ResultLine(SomeResult()) + "\n" + EndLine({{Verdict::kFail, 1}}) + "\n";
  for (size_t length = kFirst.size(); length <= whole.size(); ++length) {
    const auto read = ParseResults(whole.substr(0, length), "r.jsonl");
    ASSERT_TRUE(read.ok()) << length << ": " << read.error().ToString();
    EXPECT_EQ(read->complete, length + 1 >= whole.size());
    EXPECT_EQ(read->results.size(), length >= kFirst.size() + ResultLine(SomeResult()).size() ? 1u : 0u);
  }
}

TEST(Results, LinesOfAnyLengthAreReadInBlocks) {
  std::string text = kFirst;
  Totals totals;
  for (const size_t length : {size_t{10}, size_t{1} << 20, (size_t{3} << 20) + 7, size_t{1}, size_t{700'000}}) {
    CaseResult result = SomeResult();
    result.reason = std::string(length, 'x');
    text += ResultLine(result) + "\n";
    ++totals[result.verdict];
  }
  const auto read = ParseResults(text + EndLine(totals) + "\n", "r.jsonl");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_TRUE(read->complete);
  ASSERT_EQ(read->results.size(), 5u);
  EXPECT_EQ(read->results[2].reason.size(), (size_t{3} << 20) + 7);
  EXPECT_EQ(read->results[4].reason, std::string(700'000, 'x'));
  EXPECT_EQ(read->whole_bytes, text.size() + EndLine(totals).size() + 1);
}

TEST(Results, GarbageIsRefusedWithItsLine) {
  const std::string result = ResultLine(SomeResult()) + "\n";
  EXPECT_EQ(ErrorOf(""), "r.jsonl:1: empty, expected a line of type 'run'");
  EXPECT_EQ(ErrorOf("garbage"), "r.jsonl:1: not JSON");
  EXPECT_EQ(ErrorOf(result), "r.jsonl:1: expected the line of type 'run' first, found 'result'");
  EXPECT_EQ(ErrorOf(kFirst + result + "garbage\n" + result), "r.jsonl:3: not JSON");
  EXPECT_EQ(ErrorOf(kFirst + "\n" + result), "r.jsonl:2: not JSON");
  EXPECT_EQ(ErrorOf(kFirst + "[]\n"), "r.jsonl:2: no object");
  EXPECT_EQ(ErrorOf(kFirst + "{}\n"), "r.jsonl:2: 'type' is missing");
  EXPECT_EQ(ErrorOf(kFirst + "{\"type\":7}\n"), "r.jsonl:2: 'type' is not a text");
  EXPECT_EQ(ErrorOf(kFirst + kFirst), "r.jsonl:2: expected the type 'result' or 'end', found 'run'");
  EXPECT_EQ(ErrorOf(kFirst + EndLine({}) + "\n" + result), "r.jsonl:3: a line after the last");
  EXPECT_EQ(ErrorOf(kFirst + "{\"type\":\"result\"}\n"), "r.jsonl:2: 'case' is missing");
  EXPECT_EQ(ErrorOf(std::string(200'000, '[') + "\n"), "r.jsonl:1: not JSON");
}

TEST(Results, EveryFieldIsCheckedForItsKind) {
  const auto with = [](std::string from, const std::string& to) {
    std::string line = ResultLine(SomeResult());
    const size_t at = line.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return kFirst + line.replace(at, from.size(), to) + "\n";
  };
  EXPECT_EQ(ErrorOf(with(R"("verdict":"fail")", R"("verdict":"failed")")), "r.jsonl:2: 'failed' is not a verdict");
  EXPECT_EQ(ErrorOf(with(R"("standing":"late")", R"("standing":"soon")")), "r.jsonl:2: 'soon' is not a standing");
  EXPECT_EQ(ErrorOf(with(R"("t_ns":120000)", R"("t_ns":"soon")")), "r.jsonl:2: 't_ns' is not an integer");
  EXPECT_EQ(ErrorOf(with(R"("t_ns":120000)", R"("t_ns":1.5)")), "r.jsonl:2: 't_ns' is not an integer");
  EXPECT_EQ(ErrorOf(with(R"("t_ns":120000)", R"("t_ns":18446744073709551615)")), "r.jsonl:2: 't_ns' is not an integer");
  EXPECT_EQ(ErrorOf(with(R"("label":"B")", R"("label":null)")), "r.jsonl:2: 'label' is not a text");
  EXPECT_EQ(ErrorOf(with(R"("tries":[)", R"("tries":[7,)")),
            "r.jsonl:2: 'tries' contains something that is not an object");
  EXPECT_EQ(ErrorOf(with(R"("tries":[)", R"("tries":{},"x":[)")), "r.jsonl:2: 'tries' is not a list");
  EXPECT_EQ(ErrorOf(with(R"("case":)", R"("more":{"a":[1]},"case":)")), "") << "unknown fields are ignored";
}

TEST(Results, ANewerFormatIsRefused) {
  EXPECT_EQ(ErrorOf(R"({"type":"run","format":2,"conform":"9.0.0","planned":0})"
                    "\n"),
            "r.jsonl:1: format 2 is not known, only 1");
}

TEST(Results, TotalsThatDoNotAgreeAreRefused) {
  const std::string result = ResultLine(SomeResult()) + "\n";
  const std::string message = "r.jsonl:3: the totals do not agree with the results above";
  EXPECT_EQ(ErrorOf(kFirst + result + EndLine({{Verdict::kPass, 1}}) + "\n"), message);
  EXPECT_EQ(ErrorOf(kFirst + result + EndLine({{Verdict::kFail, 2}}) + "\n"), message);
  EXPECT_EQ(ErrorOf(kFirst + result + EndLine({{Verdict::kFail, 1}}) + "\n"), "");
}

TEST(Results, TheExampleOfTheDocumentationIsAWholeFile) {
  const std::string text = ReadFile(CONFORM_SOURCE_DIR "/spec/results-format.md", 1 << 20).value();
  const size_t start = text.find("```json\n");
  ASSERT_NE(start, std::string::npos);
  const auto read = ParseResults(text.substr(start + 8, text.find("```", start + 8) - start - 8), "results-format.md");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_TRUE(read->complete);
}

class ResultsFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "results-" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl";
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_;
};

TEST_F(ResultsFile, IsReadableAfterEveryLine) {
  std::ofstream(path_) << "what was there before";
  auto writer = ResultsWriter::Create(path_, SomeRun());
  ASSERT_TRUE(writer.ok()) << writer.error().ToString();
  for (size_t count = 0; count < 3; ++count) {
    const auto read = ReadResults(path_);
    ASSERT_TRUE(read.ok()) << read.error().ToString();
    EXPECT_EQ(read->results.size(), count);
    EXPECT_FALSE(read->complete);
    EXPECT_TRUE(ReadFile(path_, 1 << 20)->ends_with("\n"));
    EXPECT_FALSE((*writer)->Append(SomeResult()));
  }
  EXPECT_FALSE((*writer)->Finish());
  const auto read = ReadResults(path_);
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(read->results.size(), 3u);
  EXPECT_TRUE(read->complete);
}

TEST_F(ResultsFile, OneThatCannotBeWrittenIsAnErrorNotACrash) {
  const auto in_no_folder = ResultsWriter::Create(path_ + "/x/y", SomeRun());
  ASSERT_FALSE(in_no_folder.ok());
  EXPECT_EQ(in_no_folder.error().file, path_ + "/x/y");
  const auto full = ResultsWriter::Create("/dev/full", SomeRun());
  ASSERT_FALSE(full.ok());
  EXPECT_NE(full.error().message.find("cannot be written"), std::string::npos);
  EXPECT_FALSE(ReadResults(path_).ok());
}

TEST(Results, AnInterruptedFileIsResumedBehindItsLastWholeLine) {
  const std::string path = ::testing::TempDir() + "/resumed.jsonl";
  CaseResult one;
  one.case_id = "a";
  one.implementation = "ref";
  one.profile = "node@24.0.0";
  one.verdict = Verdict::kPass;
  RunInfo run{"0.1.0", "", "", "", 2, {"a", "--impl=ref"}, {{"bun@1.4.4", "1.4.4", "node@24.3.0", {{"uv", "1.0"}}}}};
  {
    const auto writer = ResultsWriter::Create(path, run);
    ASSERT_TRUE(writer.ok());
    ASSERT_FALSE((*writer.value()).Append(one));
  }
  for (const std::string half : {"{\"type\":\"resu", ""}) {
    std::ofstream(path, std::ios::app) << half;
    const auto so_far = ReadResults(path);
    ASSERT_TRUE(so_far.ok()) << so_far.error().ToString();
    EXPECT_EQ(so_far->run.arguments, run.arguments);
    ASSERT_EQ(so_far->run.implementations.size(), 1u);
    EXPECT_EQ(so_far->run.implementations[0].details.at("uv"), "1.0");
    EXPECT_EQ(so_far->results.size(), 1u);
    auto file = ResultsWriter::OpenToResume(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(ResultsWriter::Resume(std::move(*file), *so_far).ok());
  }
  const auto so_far = ReadResults(path);
  auto file = ResultsWriter::OpenToResume(path);
  const auto writer = ResultsWriter::Resume(std::move(*file), *so_far);
  one.case_id = "b";
  ASSERT_FALSE(writer.value()->Append(one));
  ASSERT_FALSE(writer.value()->Finish());
  const auto all = ReadResults(path);
  ASSERT_TRUE(all.ok()) << all.error().ToString();
  EXPECT_TRUE(all->complete);
  EXPECT_EQ(all->results.size(), 2u);
}

// Goal: whatever the run was doing when it was killed, it can be resumed. Method: a file that is cut at every byte of
// its last line.
TEST_F(ResultsFile, CutAtAnyByteIsResumed) {
  CaseResult other = SomeResult();
  other.case_id += "-2";
  const std::string first = RunLine(SomeRun()) + "\n" + ResultLine(SomeResult()) + "\n";
  const std::string last = ResultLine(other) + "\n";
  for (size_t cut = 0; cut <= last.size(); ++cut) {
    std::ofstream(path_) << first + last.substr(0, cut);
    auto file = ResultsWriter::OpenToResume(path_);
    const auto so_far = ReadResults(path_);
    ASSERT_TRUE(file.ok() && so_far.ok()) << cut;
    const auto writer = ResultsWriter::Resume(std::move(*file), *so_far);
    ASSERT_TRUE(writer.ok()) << cut;
    const bool is_lost = so_far->results.size() == 1;
    EXPECT_FALSE(is_lost ? writer.value()->Append(other) : std::nullopt);
    EXPECT_FALSE(writer.value()->Finish());
    const auto text = ReadFile(path_, 1 << 20);
    EXPECT_TRUE(text->starts_with(first + last)) << cut;
    EXPECT_TRUE(ParseResults(*text, path_)->complete) << cut;
  }
}

TEST_F(ResultsFile, HasOneWriterAtATime) {
  auto writer = ResultsWriter::Create(path_, SomeRun());
  ASSERT_TRUE(writer.ok());
  ASSERT_FALSE((*writer)->Append(SomeResult()));
  const auto before = ReadFile(path_, 1 << 20);
  const std::string holder = "is being written by process " + std::to_string(getpid()) + " (";
  const auto second = ResultsWriter::Create(path_, SomeRun());
  ASSERT_FALSE(second.ok());
  EXPECT_TRUE(second.error().message.starts_with(holder)) << second.error().message;
  const auto resumed = ResultsWriter::OpenToResume(path_);
  ASSERT_FALSE(resumed.ok());
  EXPECT_TRUE(resumed.error().message.starts_with(holder)) << resumed.error().message;
  EXPECT_EQ(*ReadFile(path_, 1 << 20), *before);
  *writer = nullptr;
  EXPECT_TRUE(ResultsWriter::OpenToResume(path_).ok());
}

// Goal: very many scripts do not make a file that no reader takes.
TEST(Results, TextsOfScriptsThatAreTooLongAreLeftOut) {
  RunInfo run = SomeRun();
  run.scripts = {{"a.js", "log('A')"}, {"b.js", std::string(5'000, '\n')}, {"c.js", "log('C')"}};
  EXPECT_EQ(ParseResults(RunLine(run) + "\n", "f")->run.scripts, run.scripts);
  const size_t bound = RunLine(run).size() / 2;
  const std::string line = RunLine(run, bound);
  EXPECT_LE(line.size(), bound);
  const auto read = ParseResults(line + "\n", "f");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(read->run.scripts, (std::map<std::string, std::string>{{"a.js", "log('A')"}, {"c.js", "log('C')"}}));
}

// Goal: one case with endless traces does not make the others unreadable.
TEST(Results, TriesThatAreTooLongAreLeftOut) {
  CaseResult result = SomeResult();
  Try big, small;
  big.standing = small.standing = Standing::kOnTime;
  big.trace.events.resize(1000, {"A \"tries\":[ label", 12, {}, "", ""});
  small.trace.events = {{"B", {}, {}, "", ""}};
  result.tries = {big, small, big};
  result.reason = "late";
  for (const size_t bound : {size_t{1000}, size_t{20'000}, size_t{60'000}}) {
    const std::string line = ResultLine(result, bound);
    EXPECT_LE(line.size(), bound);
    const auto read = ParseResults(RunLine(SomeRun()) + "\n" + line + "\n", "f");
    ASSERT_TRUE(read.ok()) << read.error().ToString();
    const CaseResult& kept = read->results[0];
    EXPECT_EQ(kept.tries.back().trace.events[0].label, "B");
    const size_t left_out = 3 - kept.tries.size();
    EXPECT_EQ(left_out, bound == 60'000 ? 1u : 2u);
    EXPECT_EQ(kept.reason, "late; " + std::to_string(left_out) + " of 3 tries are too long to be kept");
  }
  EXPECT_EQ(ParseResults(RunLine(SomeRun()) + "\n" + ResultLine(result) + "\n", "f")->results[0].tries.size(), 3u);
}

}  // namespace results_test
}  // namespace conform
