#include "runners/model/case_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runners/base/text.h"
#include "runners/model/op_table.h"

namespace conform {
namespace case_json_test {

using nlohmann::json;

Case Parsed(const std::string& text) {
  const Result<Case> parsed = ParseCase(text, "f.yaml", "a/b");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().ToString());
  return parsed.ok() ? *parsed : Case{};
}

TEST(ProgramToJson, HoldsOnlyTheFieldsThatAreSet) {
  const Case c = Parsed(
      "program: [timeout A 1.9 as promise x3: [only ..2: [log X]], tick, promise D, resolve D with A, await plain,\n"
      "  wake H unsent, message M via P, on exit E, run once]\nexpect: ...");
  EXPECT_EQ(ProgramToJson(c.program), json::parse(R"([
    {"op": "timeout", "label": "A", "argument": "1.9", "kind": "promise", "times": "3", "body": [
      {"op": "only", "only_from": "1", "only_to": "2", "body": [{"op": "log", "label": "X"}]}]},
    {"op": "tick"},
    {"op": "promise", "label": "D"},
    {"op": "resolve", "target": "D", "with": "A"},
    {"op": "await", "plain": true},
    {"op": "wake", "label": "H", "unsent": true},
    {"op": "message", "label": "M", "via": "P"},
    {"op": "on", "event": "exit", "label": "E"},
    {"op": "run", "argument": "once"}
  ])"));
}

TEST(CaseToJson, HoldsTheWholeCase) {
  const Case c = Parsed(
      "title: A title\nclauses: [a.b]\nwhy: Because.\nprogram: [tick A]\n"
      "expect: {node >=11: A, html: ' A '}\nentry: worker\npool: 2\nneeds: [x]\ntier: informative\n"
      "timeless: true\nissue: ['https://example.org/']");
  json expected = json::parse(R"({
    "id": "a/b", "title": "A title", "clauses": ["a.b"], "why": "Because.", "program": [{"op": "tick", "label": "A"}],
    "expect": [{"family": "node", "range": ">=11", "pattern": "A"}, {"family": "html", "pattern": "A"}],
    "entry": "worker", "pool": 2, "needs": ["x"], "tier": "informative", "timeless": true,
    "issues": ["https://example.org/"]
  })");
  expected["content_hash"] = c.content_hash;
  EXPECT_EQ(CaseToJson(c), expected);
}

TEST(CaseToJson, ANativeCaseHasFilesInPlaceOfAProgram) {
  const json object = CaseToJson(Parsed("native: x.cjs\nexpect: A"));
  EXPECT_EQ(object["native"], (json{{"", "x.cjs"}}));
  EXPECT_FALSE(object.contains("program"));
  EXPECT_EQ(object["expect"], json::parse(R"([{"pattern": "A"}])"));
}

TEST(CaseToJson, AModelIsAListOfProgramsWithTheirRanges) {
  const json object = CaseToJson(Parsed("native: x.cjs\nmodel:\n  node >=10: [tick A]\nexpect:\n  node >=10: A"));
  EXPECT_EQ(object["model"],
            json::parse(R"([{"family": "node", "range": ">=10", "program": [{"op": "tick", "label": "A"}]}])"));
  const json all = CaseToJson(Parsed("native: x.cjs\nmodel: [tick A]\nexpect: A"));
  EXPECT_EQ(all["model"], json::parse(R"([{"program": [{"op": "tick", "label": "A"}]}])"));
  EXPECT_NE(all["content_hash"], CaseToJson(Parsed("native: x.cjs\nmodel: [log A]\nexpect: A"))["content_hash"]);
}

TEST(CaseSchema, KnowsEveryOp) {
  const Result<std::string> text = ReadFile(CONFORM_SOURCE_DIR "/spec/schemas/case.schema.json", 1 << 20);
  ASSERT_TRUE(text.ok()) << text.error().ToString();
  const json schema = json::parse(*text);
  EXPECT_EQ(schema["$defs"]["step"]["properties"]["op"]["enum"], json(OpNames()));
}

TEST(ContentHashOfCase, ChangesWithWhatAVerdictDependsOn) {
  const std::string base = "program: [tick A]\nexpect: A";
  const std::string hash = Parsed(base).content_hash;
  EXPECT_EQ(hash.size(), 16u);
  for (const char* other :
       {"program: [tick A x1]\nexpect: A", "program: [tick A]\nexpect: A A", "program: [tick A]\nexpect: {node: A}",
        "program: [tick A]\nexpect: A\nentry: esm", "program: [tick A]\nexpect: A\npool: 1",
        "program: [tick A]\nexpect: A\ntimeless: true", "program: [tick A: [tick]]\nexpect: A"}) {
    EXPECT_NE(Parsed(other).content_hash, hash) << other;
  }
}

TEST(ContentHashOfCase, DoesNotChangeWithWordsOrLayout) {
  const std::string hash = Parsed("program: [tick A x2: [log B]]\nexpect: A").content_hash;
  EXPECT_EQ(
      Parsed("title: T\nwhy: W\nclauses: [a]\ntier: should\nprogram:\n  - tick   A x2:\n      - log B\nexpect: 'A '")
          .content_hash,
      hash);
}

}  // namespace case_json_test
}  // namespace conform
