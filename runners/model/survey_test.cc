#include "runners/model/survey.h"

#include <gtest/gtest.h>

namespace conform {
namespace loop_rule_test {

constexpr char kSurvey[] = R"(
soon: [soon, idle, message]
questions:
  - id: two
    question: Which comes first?
    programs:
      - [soon A x3, log S, timeout B 1, log E]
      - [timeout A 1, timeout B 1]
    in-time: {from: S, to: E, ms: 2}
    answers:
      start order: S E A B
      last first: S E B A
      both: S E A{3} B
    proves: [both]
)";

SurveyQuestion Two() {
  const auto questions = ParseSurvey(kSurvey, "survey.yaml");
  EXPECT_TRUE(questions.ok()) << questions.error().ToString();
  return questions->front();
}

// Labels with a millisecond between any two, or `gap_ns`.
Trace Of(const Order& order, int64_t gap_ns = 1'000'000) {
  Trace trace;
  int64_t now = 0;
  for (const std::string& label : order) trace.events.push_back({label, now += gap_ns, {}, "", ""});
  return trace;
}

std::string Errors(const std::string& text) {
  const auto questions = ParseSurvey(text, "survey.yaml");
  return questions ? "" : questions.error().ToString();
}

TEST(Survey, SoonIsSaidInEveryWayThatTheFileLists) {
  const SurveyQuestion question = Two();
  ASSERT_EQ(question.programs.size(), 4u);
  const auto first = [&](size_t i) { return question.programs[i].program[0].ToString(); };
  EXPECT_EQ(first(0), "soon A x3");
  EXPECT_EQ(first(1), "idle A x3");
  EXPECT_EQ(first(2), "message A via channel x3");
  EXPECT_EQ(first(3), "timeout A 1");
}

TEST(Survey, ARepeatingOpInPlaceOfSoonRunsOnce) {
  const auto questions = ParseSurvey(
      "soon: [idle]\nquestions: [{id: r, question: q, programs: [[timeout T 1: [soon A]]], answers: {a: A}}]", "r");
  ASSERT_TRUE(questions.ok()) << questions.error().ToString();
  EXPECT_EQ(questions->front().programs[0].program[0].body[0].ToString(), "idle A x1");
}

TEST(Survey, RunsThatAgreeGiveTheirAnswer) {
  const LoopAnswer answer = AnswerOf(Two(), {Of({"S", "E", "A", "B"}), Of({"S", "E", "A", "B"})});
  EXPECT_EQ(answer.state, LoopAnswer::State::kAnswered);
  EXPECT_EQ(answer.words, "start order");
  ASSERT_EQ(answer.orders.size(), 1u);
  EXPECT_EQ(answer.orders[0].second, 2);
}

TEST(Survey, AnOrderWithoutANameIsItsOwnAnswer) { EXPECT_EQ(AnswerOf(Two(), {Of({"S", "E", "B", "B"})}).words, "B B"); }

TEST(Survey, RunsThatDisagreeVary) {
  const LoopAnswer answer = AnswerOf(Two(), {Of({"S", "E", "A", "B"}), Of({"S", "E", "B", "A"})});
  EXPECT_EQ(answer.state, LoopAnswer::State::kVaries);
  EXPECT_EQ(answer.varied, (std::vector<std::string>{"last first", "start order"}));
}

TEST(Survey, ARunThatWasLateDecidesNothing) {
  const Trace late = Of({"S", "E", "B", "A"}, 2'000'000);
  EXPECT_EQ(AnswerOf(Two(), {late}).state, LoopAnswer::State::kUndecided);
  EXPECT_EQ(AnswerOf(Two(), {late, Of({"S", "E", "A", "B"})}).words, "start order");
}

TEST(Survey, ARunWithoutTimesIsNotKnownToBeInTime) {
  Trace trace = Of({"S", "E", "A", "B"});
  for (TraceEvent& event : trace.events) event.t_ns.reset();
  EXPECT_EQ(AnswerOf(Two(), {trace}).state, LoopAnswer::State::kUndecided);
}

TEST(Survey, AnAnswerThatProvesDecidesAgainstOthersUnlessItIsLate) {
  const Order both{"S", "E", "A", "A", "A", "B"};
  const LoopAnswer answer = AnswerOf(Two(), {Of({"S", "E", "A", "B"}), Of(both)});
  EXPECT_EQ(answer.state, LoopAnswer::State::kAnswered);
  EXPECT_EQ(answer.words, "both");
  EXPECT_EQ(AnswerOf(Two(), {Of({"S", "E", "A", "B"}), Of(both, 2'000'000)}).words, "start order");
}

TEST(Survey, ErrorsNameTheirPlace) {
  EXPECT_EQ(Errors("questions: [{id: r, qestion: q}]"),
            "survey.yaml:1:21: unknown key 'qestion' (did you mean 'question'?)");
  EXPECT_EQ(Errors("soon: [timeout]\nquestions: []"),
            "survey.yaml:1:8: 'timeout' is not an op that schedules a callback");
  EXPECT_EQ(Errors("questions: [{id: r, question: q}]"),
            "survey.yaml:1:13: a question has 'id', 'question', 'programs' and 'answers'");
  EXPECT_EQ(Errors("questions: [{id: r, question: q, programs: [[log A]], answers: {a: A}, proves: [b]}]"),
            "survey.yaml:1:72: there is no answer 'b'");
}

}  // namespace loop_rule_test
}  // namespace conform
