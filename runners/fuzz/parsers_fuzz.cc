// Every parser under libFuzzer: no text, however broken, may crash one or keep it busy, and what is written out again
// must be read as the same. The environment variable PARSER chooses one; test_parsers.py runs them all.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/baseline.h"
#include "reports/baseline_text.h"
#include "reports/causes_file.h"
#include "reports/playground/small_yaml.h"
#include "reports/site/markdown.h"
#include "reports/survey_file.h"
#include "runners/base/check.h"
#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/cli/run_arguments.h"
#include "runners/harness/adapter.h"
#include "runners/harness/messages.h"
#include "runners/harness/printable.h"
#include "runners/harness/process_look.h"
#include "runners/lift/lift.h"
#include "runners/model/automaton.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"
#include "runners/model/inline_program.h"
#include "runners/model/pattern.h"
#include "runners/model/profile.h"
#include "runners/model/profile_change.h"
#include "runners/model/renamed.h"
#include "runners/model/results.h"
#include "runners/model/shard.h"
#include "runners/model/step_parser.h"
#include "runners/model/survey.h"
#include "runners/model/version.h"
#include "runners/model/yaml_tree.h"
#include "runners/runtimes/choose.h"
#include "runners/runtimes/npm.h"
#include "runners/runtimes/release.h"
#include "runners/study/case_purposes.h"
#include "runners/study/equivalent_mutants.h"
#include "runners/study/known_mutants.h"

namespace conform {
namespace {

constexpr char kFile[] = "fuzz";
// For one text, with the sanitizers and without the optimiser: a pattern may have a million states.
constexpr std::clock_t kMaxProcessorSeconds = 60;

int64_t accepted = 0;  // texts of which something was parsed without an error

// An error can be shown: it has words, and no place before the first.
template <typename T>
bool Parsed(const Result<T>& result) {
  if (result.ok()) {
    ++accepted;
    return true;
  }
  const Error& error = result.error();
  CONFORM_CHECK(!error.message.empty());
  CONFORM_CHECK(error.at.line >= 0 && error.at.column >= 0);
  return false;
}

void FuzzCase(const std::string& text) {
  const auto c = ParseCase(text, kFile, "fuzz");
  if (Parsed(c)) FixedCounts(*c);
}

void FuzzPattern(const std::string& text) {
  const auto pattern = Pattern::Parse(text);
  if (Parsed(pattern)) Automaton::FromPattern(*pattern).Accepts({"A", "B", "C"});
}

void FuzzProfile(const std::string& text) {
  if (!DescribesFamily(text)) return static_cast<void>(Parsed(ParseProfileChange(text, kFile)));
  const auto family = ParseProfileFamily(text, kFile);
  if (!Parsed(family)) return;
  family->Knows({24, 0, 0});
}

void FuzzResults(const std::string& text) {
  const auto results = ParseResults(text, kFile);
  if (!Parsed(results)) return;
  std::string again = RunLine(results->run) + "\n";
  for (const CaseResult& result : results->results) again += ResultLine(result) + "\n";
  if (results->complete) again += EndLine(TotalsOf(results->results)) + "\n";
  const auto read = ParseResults(again, kFile);
  CONFORM_CHECK(read.ok());
  CONFORM_CHECK(read->results.size() == results->results.size() && read->complete == results->complete);
  for (size_t i = 0; i < read->results.size(); ++i) {
    CONFORM_CHECK(ResultLine(read->results[i]) == ResultLine(results->results[i]));
  }
}

void FuzzBaseline(const std::string& text) {
  const auto baseline = reports::ParseBaseline(text, kFile);
  if (!Parsed(baseline)) return;
  const auto again = reports::ParseBaseline(reports::BaselineText(*baseline), kFile);
  CONFORM_CHECK(again.ok());
  CONFORM_CHECK(reports::SameContent(*again, *baseline));
}

void FuzzMessage(const std::string& text) { Parsed(ParseAdapterMessage(text)); }

void FuzzAdapter(const std::string& text) { Parsed(ParseAdapter(text, kFile, "/nowhere")); }

void FuzzSurvey(const std::string& text) { Parsed(ParseSurvey(text, kFile)); }

void FuzzRenamed(const std::string& text) {
  const auto renamed = ParseRenamed(text, kFile);
  if (Parsed(renamed)) renamed->CaseNow("timers/a");
}

void FuzzVersion(const std::string& text) {
  const auto version = Version::Parse(text);
  if (Parsed(version)) CONFORM_CHECK(*Version::Parse(version->ToString()) == *version);
  const auto range = VersionRange::Parse(text);
  if (!Parsed(range)) return;
  range->Contains({12, 18, 0});
  const auto again = VersionRange::Parse(range->ToString());
  CONFORM_CHECK(again.ok() && again->intervals() == range->intervals());
}

void FuzzWords(const std::string& text) {
  for (const std::string& word : Split(text, ',')) {
    Parsed(ParseRuntimeSpec(word));
    Parsed(ParseImplementationWord(word));
    Parsed(Shard::Parse(word));
    Parsed(ParseStep(word));
    DidYouMean(word, {"timeout", "immediate"});
  }
}

void FuzzClauses(const std::string& text) {
  if (!ParseClauses(text, kFile).clauses.empty()) ++accepted;
}

void FuzzNpm(const std::string& text) {
  Parsed(ParseVersions(text));
  Parsed(ParseDist(text));
}

void FuzzNeeds(const std::string& text) { Parsed(ParseRecordedNeeds(text, kFile)); }

void FuzzMutants(const std::string& text) {
  Parsed(ParseMutantsFile(text, kFile));
  const auto known = ParseKnownMutants(text, kFile, "libuv");
  if (Parsed(known)) FindKnown(*known, "stream.c:uv_read_start negate x");
}

void FuzzProgram(const std::string& text) { Parsed(ParseInlineProgram(text)); }

void FuzzLifted(const std::string& text) { Parsed(ParseLifted(text, "/x.js", {0, 1})); }

void FuzzAnswers(const std::string& text) {
  Parsed(reports::ParseSurveyAnswers(text, kFile));
  Parsed(reports::ParseCauses(text, kFile));
}

// A results file has the arguments of its run, one in a line here.
void FuzzArguments(const std::string& text) { Parsed(ParseRunArguments(Split(text, '\n'))); }

void FuzzLook(const std::string& text) {
  KeptWaitingMs(text);
  accepted += WaitsWithoutLimit(text) ? 1 : 0;
}

// No text becomes HTML.
void FuzzMarkdown(const std::string& text) {
  const reports::MarkdownPlaces places{[](const std::string& target) { return std::optional(target); },
                                       [](const std::string&) { return ""; }, [](const std::string&) { return ""; }};
  const std::string html = reports::MarkdownHtml(text, places);
  for (const char* element : {"<script", "<img", "<iframe"}) CONFORM_CHECK(html.find(element) == std::string::npos);
  ++accepted;
}

void FuzzYaml(const std::string& text) { Parsed(ReadYaml(text, kFile)); }

void FuzzSmallYaml(const std::string& text) { Parsed(playground::ReadSmallYaml(text, kFile)); }

void FuzzTerminal(const std::string& text) {
  // libFuzzer sees what a text is compared with, and so learns the mark of colours, which nothing outside can know.
  static const std::string painted = Style(true).Strong("");
  static const std::string mark = painted.substr(0, painted.find('[') + 1);
  if (text.find(mark) != std::string::npos) return;
  const std::string shown = TerminalText(text);
  CONFORM_CHECK(IsPlain(Printable(text, 1000)));
  for (const char c : shown) CONFORM_CHECK(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t');
  CONFORM_CHECK(TerminalText(shown) == shown);
  ++accepted;
}

using Parser = void (*)(const std::string&);

Parser Chosen() {
  static const std::map<std::string, Parser> kParsers{
      {"case", FuzzCase},         {"pattern", FuzzPattern},      {"profile", FuzzProfile},
      {"results", FuzzResults},   {"baseline", FuzzBaseline},    {"message", FuzzMessage},
      {"adapter", FuzzAdapter},   {"survey", FuzzSurvey},        {"renamed", FuzzRenamed},
      {"version", FuzzVersion},   {"words", FuzzWords},          {"clauses", FuzzClauses},
      {"yaml", FuzzYaml},         {"terminal", FuzzTerminal},    {"npm", FuzzNpm},
      {"needs", FuzzNeeds},       {"mutants", FuzzMutants},      {"program", FuzzProgram},
      {"lifted", FuzzLifted},     {"answers", FuzzAnswers},      {"look", FuzzLook},
      {"markdown", FuzzMarkdown}, {"small-yaml", FuzzSmallYaml}, {"arguments", FuzzArguments},
  };
  const char* name = std::getenv("PARSER");
  const auto found = kParsers.find(name == nullptr ? "" : name);
  if (found != kParsers.end()) return found->second;
  std::string names;
  for (const auto& [one, parser] : kParsers) names += " " + one;
  std::fprintf(stderr, "set PARSER to one of:%s\n", names.c_str());
  std::exit(kBadInput);
}

}  // namespace
}  // namespace conform

// NOLINTNEXTLINE: its name is given
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const conform::Parser parse = conform::Chosen();
  // test_parsers.py looks for this line: a parser that accepts none of its seeds is hardly tried.
  static const int reported =
      std::atexit([] { std::fprintf(stderr, "accepted: %s\n", std::to_string(conform::accepted).c_str()); });
  CONFORM_CHECK(reported == 0);
  const std::clock_t start = std::clock();
  parse(std::string(reinterpret_cast<const char*>(data), size));
  CONFORM_CHECK(std::clock() - start < conform::kMaxProcessorSeconds * CLOCKS_PER_SEC);
  return 0;
}
