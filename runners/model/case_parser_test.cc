#include <gtest/gtest.h>

#include <ctime>
#include <random>

#include "runners/base/text.h"
#include "runners/model/case.h"

namespace conform {
namespace case_parser_test {

Case Parsed(const std::string& text) {
  const Result<Case> parsed = ParseCase(text, "f.yaml", "a/b");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().ToString());
  return parsed.ok() ? *parsed : Case{};
}

std::string Refusal(const std::string& text) {
  const Result<Case> parsed = ParseCase(text, "f", "id");
  return parsed.ok() ? "accepted" : parsed.error().ToString();
}

// A valid case with more lines in front of it, so that those are lines 1, 2, ….
std::string With(const std::string& lines) { return Refusal(lines + "\nprogram: [log A]\nexpect: A\n"); }
std::string Expecting(const std::string& lines) { return Refusal(lines + "\nprogram: [log A, log B]\n"); }

constexpr char kWhole[] = R"(
title: Ticks and microtasks run between two timers that are due together
clauses: [drain.after-each-callback, timers.order]
why: >
  Since Node 11 each timer callback
  is a separate macrotask.
program:
  - timeout A 0:
      - tick T
      - then P
  - timeout B 0
  - busy 5
expect:
  node >=11: A T P B
  node >=0.12 <11: A B T P
  html: A P B T
entry: esm
pool: 2
needs: [timeout as promise]
tier: should
timeless: true
issue: ["https://example.org/1"]
)";

TEST(ParseCase, ReadsEveryKey) {
  const Case c = Parsed(kWhole);
  EXPECT_EQ(c.id, "a/b");
  EXPECT_EQ(c.file, "f.yaml");
  EXPECT_EQ(c.title, "Ticks and microtasks run between two timers that are due together");
  EXPECT_EQ(c.clauses, (std::vector<std::string>{"drain.after-each-callback", "timers.order"}));
  ASSERT_EQ(c.clause_locations.size(), 2u);
  EXPECT_EQ(c.clause_locations[1].line, 3);
  EXPECT_EQ(c.clause_locations[1].column, 38);
  EXPECT_EQ(c.why, "Since Node 11 each timer callback is a separate macrotask.");
  EXPECT_EQ(c.program.size(), 3u);
  EXPECT_EQ(c.program[0].body.size(), 2u);
  EXPECT_EQ(c.entry, Entry::kEsm);
  EXPECT_EQ(c.pool, 2);
  EXPECT_TRUE(c.pool_given);
  EXPECT_EQ(c.needs, std::vector<std::string>{"timeout as promise"});
  EXPECT_EQ(c.tier, Tier::kShould);
  EXPECT_TRUE(c.timeless);
  EXPECT_EQ(c.issues, std::vector<std::string>{"https://example.org/1"});
  ASSERT_EQ(c.expect.size(), 3u);
  EXPECT_EQ(c.expect[1].family, "node");
  EXPECT_EQ(c.expect[1].range.ToString(), ">=0.12 <11");
  EXPECT_EQ(c.expect[1].pattern.text, "A B T P");
  EXPECT_EQ(c.expect[1].at.line, 15);
  EXPECT_EQ(c.expect[2].family, "html");
}

TEST(ParseCase, HasDefaults) {
  const Case c = Parsed("program: [log A]\nexpect: A");
  EXPECT_EQ(c.entry, Entry::kScript);
  EXPECT_EQ(c.pool, 4);
  EXPECT_FALSE(c.pool_given);
  EXPECT_EQ(c.tier, Tier::kMust);
  EXPECT_FALSE(c.timeless);
  EXPECT_TRUE(c.native.empty());
  EXPECT_EQ(c.expect[0].family, "");
}

TEST(ParseCase, SuggestsTheNearestKey) {
  EXPECT_EQ(With("titel: x"), "f:1:1: unknown key 'titel' (did you mean 'title'?)");
  EXPECT_EQ(With("\nexpects: x"), "f:2:1: unknown key 'expects' (did you mean 'expect'?)");
  EXPECT_EQ(With("banana: x"), "f:1:1: unknown key 'banana'");
  EXPECT_EQ(With("title: x\ntitle: y"), "f:2:1: 'title' is given twice");
}

TEST(ParseCase, RefusesValuesOfTheWrongKind) {
  EXPECT_EQ(With("title: [x]"), "f:1:8: 'title' is a text, not a list");
  EXPECT_EQ(With("title:"), "f:1:1: 'title' is a text, not nothing");
  EXPECT_EQ(With("why: ' '"), "f:1:6: 'why' is a text, not an empty one");
  EXPECT_EQ(With("clauses: a.b"), "f:1:10: 'clauses' is a list, not a text (write '[a.b]')");
  EXPECT_EQ(With("clauses: [a.b, [c]]"), "f:1:16: 'clauses' is a list of texts");
  EXPECT_EQ(With("clauses: [a.b, a.b]"), "f:1:16: 'a.b' is given twice");
  EXPECT_EQ(With("clauses: [A b]"),
            "f:1:11: 'A b' is not a clause id (an id consists of lower-case letters, digits, '-' and '.')");
  EXPECT_EQ(With("entry: ems"), "f:1:8: 'entry' is one of script, esm, worker, not 'ems' (did you mean 'esm'?)");
  EXPECT_EQ(With("tier: shoud"),
            "f:1:7: 'tier' is one of must, should, informative, not 'shoud' (did you mean 'should'?)");
  EXPECT_EQ(With("tier:"), "f:1:1: 'tier' is one of must, should, informative, not nothing");
  for (const char* bad : {"0", "1025", "-1", "4.5", "four", "99999999999", "[4]"}) {
    EXPECT_EQ(With(std::string("pool: ") + bad), "f:1:7: 'pool' is a number of threads from 1 to 1024") << bad;
  }
  EXPECT_EQ(With("pool:"), "f:1:1: 'pool' is a number of threads from 1 to 1024");
  for (const char* bad : {"false", "yes", "True", "[true]"}) {
    EXPECT_EQ(With(std::string("timeless: ") + bad), "f:1:11: 'timeless' is true, or left out") << bad;
  }
  EXPECT_EQ(With("timeless:"), "f:1:1: 'timeless' is true, or left out");
  EXPECT_EQ(With("issue: [12]"), "f:1:9: '12' is not a link (a link starts with 'https://')");
  EXPECT_EQ(Refusal("[a]"), "f:1:1: a case is a map, not a list");
  EXPECT_EQ(Refusal(""), "f: a case is a map, not nothing");
}

TEST(ParseCase, NeedsAProgramAndAnExpectation) {
  EXPECT_EQ(Refusal("expect: A"), "f: 'program' is missing");
  EXPECT_EQ(Refusal("program:\nexpect: A"), "f:1:1: 'program' is a list of steps, not nothing");
  EXPECT_EQ(Refusal("native: a.cjs"), "f: 'expect' is missing");
  EXPECT_EQ(Refusal("program: []\nexpect: ''"), "accepted");
}

TEST(ParseCase, TheEmptyOrderIsWrittenAsAnEmptyText) {
  EXPECT_EQ(Parsed("program: [busy 1]\nexpect: ''").expect[0].pattern.root.kind, PatternNode::Kind::kEmpty);
  EXPECT_EQ(Parsed("program: [busy 1]\nexpect:\n  node: ''").expect[0].family, "node");
}

TEST(ParseCase, RefusesAMissingPattern) {
  EXPECT_EQ(Expecting("expect:"), "f:1:1: 'expect' has no pattern (the empty order is written '')");
  EXPECT_EQ(Expecting("expect: {}"), "f:1:1: 'expect' has no pattern");
  EXPECT_EQ(Expecting("expect:\n  node >=11:\n  html: A"),
            "f:2:3: 'node >=11' has no pattern (the empty order is written '')");
  EXPECT_EQ(Expecting("expect: [A]"), "f:1:9: a pattern is a text, not a list (put it in quotes)");
}

TEST(ParseCase, PointsIntoThePattern) {
  EXPECT_EQ(Expecting("expect:\n  node: A (B").substr(0, 8), "f:2:13: ");
  EXPECT_EQ(Expecting("expect: A )").substr(0, 8), "f:1:11: ");
}

TEST(ParseCase, RefusesOverlappingRangesOfOneFamily) {
  EXPECT_EQ(Expecting("expect:\n  node >=11: A B\n  node <12: B A"), "f:3:3: 'node <12' overlaps the range of line 2");
  EXPECT_EQ(Expecting("expect:\n  node: A B\n  node >=11: B A"), "f:3:3: 'node >=11' overlaps the range of line 2");
  EXPECT_EQ(Expecting("expect:\n  node >=12.17 <13 || >=13.8: A B\n  node <12.17 || >=13 <13.8: B A\n  libuv: A B"),
            "accepted");
}

TEST(ParseCase, PointsIntoTheRange) {
  EXPECT_EQ(Expecting("expect:\n  node >11: A").substr(0, 7), "f:2:8: ");
  EXPECT_EQ(Expecting("expect:\n  node >=x: A").substr(0, 4), "f:2:");
  EXPECT_EQ(Expecting("expect:\n  '>=11': A"),
            "f:2:3: '>=11' does not start with the name of a profile (such as 'node >=11', 'libuv <1.45' or 'html')");
  EXPECT_EQ(Expecting("expect:\n  Node: A").substr(0, 7), "f:2:3: ");
}

TEST(ParseCase, PatternsNameLabelsThatStepsEmit) {
  EXPECT_EQ(Refusal("program: [tick Tick1]\nexpect:\n  node: Tick2"),
            "f:3:3: the pattern names 'Tick2', which no step of the program emits (did you mean 'Tick1'?)");
  EXPECT_EQ(Refusal("program: [promise D]\nexpect: D"),
            "f:2:1: the pattern names 'D', which no step of the program emits");
  EXPECT_EQ(Refusal("program: [exit 3]\nexpect: exit=3"), "accepted");
  EXPECT_EQ(Refusal("program: [exit 3]\nexpect: exit").substr(0, 7), "f:2:1: ");
  EXPECT_EQ(Refusal("program: [run once R]\nexpect: R=0 | (R=1 & ...)"), "accepted");
}

TEST(ParseCase, ANativeCaseHasFilesAndNoProgram) {
  EXPECT_EQ(Parsed("native: x.cjs\nexpect: A").native, (std::map<std::string, std::string>{{"", "x.cjs"}}));
  EXPECT_EQ(Parsed("native: {node: a/x.cjs, asyncio: x.py}\nexpect: A").native,
            (std::map<std::string, std::string>{{"node", "a/x.cjs"}, {"asyncio", "x.py"}}));
  EXPECT_EQ(Refusal("native: x.cjs\nprogram: [log A]\nexpect: A"),
            "f:1:1: a case has a program or native files, not both");
  EXPECT_EQ(Refusal("native: x.js\nexpect: A"),
            "f:1:9: 'x.js' does not end with .cjs or .mjs (for another language, write a map from adapter to file)");
  for (const char* bad : {"../x.cjs", "/x.cjs", "a//x.cjs", "./x.cjs", "a\\x.cjs"}) {
    EXPECT_EQ(Refusal(std::string("native: ") + bad + "\nexpect: A"),
              "f:1:9: '" + std::string(bad) + "' is not a file beside the case");
  }
  EXPECT_EQ(Refusal("native: {node: }\nexpect: A"), "f:1:1: the name of a file is missing");
  EXPECT_EQ(Refusal("native: {}\nexpect: A"), "f:1:9: 'native' is a file, or a map from adapter to file");
  EXPECT_EQ(Refusal("native: {No de: x.py}\nexpect: A"), "f:1:10: 'No de' is not the name of an adapter");
}

TEST(ParseCase, AModelStandsForWhatIsNotModelled) {
  const Case c = Parsed("native: x.cjs\nmodel: [tick A]\nexpect: A");
  ASSERT_EQ(c.models.size(), 1u);
  EXPECT_NE(c.ModelFor("node", *Version::Parse("24.0.0")), nullptr);
  EXPECT_FALSE(c.HasNoProgram());
  EXPECT_EQ(Parsed("program: [child A]\nmodel: [read A]\nexpect: A").models.size(), 1u);
  EXPECT_EQ(Refusal("native: x.cjs\nmodel: [tick B]\nexpect: A"),
            "f:3:1: the pattern names 'A', which no step of the model emits");
  EXPECT_EQ(Refusal("native: x.cjs\nmodel: \nexpect: A"), "f:2:1: 'model' is a list of steps, not nothing");
  EXPECT_EQ(Refusal("native: x.cjs\nmodel: {}\nexpect: A"), "f:2:1: 'model' has no program");
  EXPECT_EQ(Refusal("native: x.cjs\nmodel: [pause]\nexpect: ''").substr(0, 7), "f:2:9: ");
  EXPECT_EQ(Refusal("native: x.mjs\nmodel: [pause]\nexpect: ''"), "accepted");
}

TEST(ParseCase, EveryExpectedVersionHasAModel) {
  const std::string start = "native: x.cjs\nmodel:\n  node >=10: [tick A]\n  node >=4 <8: [log A]\nexpect:\n";
  const Case c = Parsed(start + "  node >=12 || >=4 <6: A");
  EXPECT_EQ(c.ModelFor("node", *Version::Parse("24.0.0"))->program[0].op, Op::kTick);
  EXPECT_EQ(c.ModelFor("node", *Version::Parse("4.0.0"))->program[0].op, Op::kLog);
  EXPECT_EQ(c.ModelFor("node", *Version::Parse("9.0.0")), nullptr);
  EXPECT_EQ(Refusal(start + "  node >=4: A"), "f:2:1: 'model' has no program for node 8.0.0 ('expect' covers it)");
  EXPECT_EQ(Refusal(start + "  node <6: A"), "f:2:1: 'model' has no program for node 0.0.0 ('expect' covers it)");
  EXPECT_EQ(Refusal(start + "  html: A"), "f:2:1: 'model' has no program for html 0.0.0 ('expect' covers it)");
  EXPECT_EQ(Refusal("native: x.cjs\nmodel:\n  node: [tick A]\nexpect: A"),
            "f:2:1: 'model' has no program for every profile ('expect' covers it)");
  EXPECT_EQ(Refusal("native: x.cjs\nmodel:\n  node >=10: [tick A]\n  node >=8: [log A]\nexpect: A"),
            "f:4:3: 'node >=8' overlaps the range of line 3");
}

TEST(ParseCase, RefusesALargeFileQuickly) {
  const std::clock_t start = std::clock();  // of the processor: others may keep the machine busy
  EXPECT_EQ(Refusal(std::string(10'000'000, '[')), "f: is larger than 1048576 bytes");
  EXPECT_EQ(Refusal(std::string(kMaxCaseBytes, '[')), "f:1:161: is nested more than 160 levels deep");
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 5);
}

TEST(ParseCase, HasAtMostAThousandExpectations) {
  std::string text = "expect:\n";
  for (int i = 0; i < 1'001; ++i) text += "  node =" + std::to_string(i) + ".0.0: A\n";
  EXPECT_EQ(Expecting(text), "f:1:1: 'expect' has at most 1000 patterns");
}

// Goal: no example that is copied from the document is refused. Method: every block of it that is marked as YAML.
TEST(ParseCase, ReadsEveryExampleOfTheDocument) {
  const Result<std::string> document = ReadFile(CONFORM_SOURCE_DIR "/spec/case-language.md", 1 << 20);
  ASSERT_TRUE(document.ok()) << document.error().ToString();
  const std::string open = "```yaml\n";
  int examples = 0;
  for (size_t at = 0; (at = document->find(open, at)) != std::string::npos; ++examples) {
    at += open.size();
    const std::string example = document->substr(at, document->find("```", at) - at);
    EXPECT_EQ(Refusal(example), "accepted") << example;
  }
  EXPECT_GE(examples, 8);
}

// Goal: no damage to a file makes the parser throw, crash or hang. Method: random edits of a whole case; the sanitizer
// builds make this sharper.
TEST(ParseCase, SurvivesDamagedFiles) {
  std::mt19937 random(7);
  const std::string pieces = "[]{}:-?&*!|>'\"%@`#, \n\t\\\x01\xff~.x0AofT";
  for (int round = 0; round < 3'000; ++round) {
    std::string text = kWhole;
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = pieces[random() % pieces.size()];
          break;
        case 1:
          text.insert(at, 1, pieces[random() % pieces.size()]);
          break;
        case 2:
          text.erase(at, 1 + random() % 20);
          break;
      }
    }
    const Result<Case> parsed = ParseCase(text, "f", "id");
    if (!parsed.ok()) {
      EXPECT_FALSE(parsed.error().message.empty());
    }
  }
}

}  // namespace case_parser_test
}  // namespace conform
