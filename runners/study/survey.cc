#include "runners/study/survey.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/harness/parallel.h"
#include "runners/harness/run_plan.h"
#include "runners/model/case_text.h"
#include "runners/study/ref_runners.h"

namespace conform {
namespace {

// Every run may be late: then as many are made once more, and again.
constexpr int kMaxRounds = 3;
constexpr size_t kMaxSurveyFileBytes = 1 << 20;

// One question to one loop, until it is answered.
class OpenQuestion {
 public:
  OpenQuestion(const SurveyQuestion& question, const Runner& runner, LoopAnswer& answer)
      : question_(question), runner_(runner), answer_(answer) {
    FindProgram();
  }

  bool answered() const { return answered_; }
  const Runner& runner() const { return runner_; }
  // REQUIRES: !answered().
  const Case& program() const { return question_.programs[program_]; }

  // What the runs of program() gave.
  void Take(CaseResult result) {
    CONFORM_CHECK(!answered_ && !result.tries.empty());
    const std::string& trouble = result.tries.back().trouble;
    if (!trouble.empty()) {
      answer_ = {};
      answer_.state = LoopAnswer::State::kTrouble;
      answer_.words = trouble;
    } else {
      for (Try& one : result.tries) traces_.push_back(std::move(one.trace));
      answer_ = AnswerOf(question_, traces_);
    }
    answer_.program = ProgramText(program().program, "  ");
    if (result.verdict == Verdict::kUnsupported) {
      Lack(trouble);
      FindProgram();
    } else {
      answered_ = answer_.state != LoopAnswer::State::kUndecided || ++round_ == kMaxRounds;
    }
  }

 private:
  // What is lacked for the first program says the most: the others are ways around it.
  void Lack(const std::string& what) {
    if (lacks_.empty()) lacks_ = what;
    ++program_;
    traces_.clear();
    round_ = 0;
  }

  // The next program that the loop can run; without one, that is the answer.
  void FindProgram() {
    while (program_ < question_.programs.size()) {
      const auto cannot = runner_.CannotRun(program(), Profile{});
      if (!cannot) return;
      Lack(cannot->why);
    }
    answer_.state = LoopAnswer::State::kUnsupported;
    answer_.words = lacks_;
    answered_ = true;
  }

  const SurveyQuestion& question_;
  const Runner& runner_;
  LoopAnswer& answer_;
  size_t program_ = 0;
  int round_ = 0;
  std::vector<Trace> traces_;
  std::string lacks_;
  bool answered_ = false;
};

Plan PlanOf(const std::vector<OpenQuestion*>& open) {
  Plan plan;
  for (const OpenQuestion* one : open) {
    plan.items.push_back({plan.cases.size(), &one->runner(), std::make_shared<Profile>(), "", nullptr});
    plan.cases.push_back({one->program(), one->program().id});
  }
  return plan;
}

}  // namespace

Result<std::vector<SurveyQuestion>> LoadQuestions(const Home& home, const std::vector<std::string>& wanted) {
  const std::string file = home.Spec() + "/survey.yaml";
  const auto text = ReadFile(file, kMaxSurveyFileBytes);
  if (!text) return text.error();
  auto questions = ParseSurvey(*text, file);
  if (!questions) return questions.error();
  const Catalogue catalogue = LoadCatalogue(home.Cases());
  std::set<std::string> ids;
  for (const Case& c : catalogue.cases) ids.insert(c.id);
  std::vector<std::string> names;
  for (const SurveyQuestion& question : *questions) {
    names.push_back(question.id);
    for (const std::string& id : question.cases) {
      if (!ids.contains(id))
        return Error{"the question '" + question.id + "' names a case that does not exist: " + id, file};
    }
  }
  for (const std::string& id : wanted) {
    if (std::find(names.begin(), names.end(), id) == names.end()) {
      return Error::WithHint("there is no question '" + id + "'; there are " + Join(names, ", "),
                             DidYouMean(id, names));
    }
  }
  if (wanted.empty()) return questions;
  std::erase_if(*questions, [&](const SurveyQuestion& question) {
    return std::find(wanted.begin(), wanted.end(), question.id) == wanted.end();
  });
  return questions;
}

std::vector<AskedLoop> AskLoops(const std::vector<SurveyQuestion>& questions, const std::vector<std::string>& words,
                                const SurveyOptions& survey, const RunnerOptions& options) {
  std::vector<AskedLoop> loops(words.size());
  std::vector<std::vector<std::unique_ptr<Runner>>> runners(words.size());
  const auto make = [&](size_t i) {
    auto made = MakeRunners(words[i], options);
    if (!made) {
      loops[i].error = made.error();
      return;
    }
    runners[i] = std::move(*made);
    loops[i].name = runners[i].front()->name();
    loops[i].answers.resize(questions.size());
  };
  ForEachInOrder(words.size(), survey.jobs, make, [&](size_t) { return !options.interrupt->raised(); });

  std::vector<OpenQuestion> all;
  for (size_t i = 0; i < words.size(); ++i) {
    for (size_t q = 0; q < questions.size() && !runners[i].empty(); ++q) {
      all.emplace_back(questions[q], *runners[i].front(), loops[i].answers[q]);
    }
  }
  // All open questions are one plan; who has not answered yet is asked again.
  while (!options.interrupt->raised()) {
    std::vector<OpenQuestion*> open;
    for (OpenQuestion& one : all) {
      if (!one.answered()) open.push_back(&one);
    }
    if (open.empty()) break;
    const auto take = [&](size_t index, CaseResult result) {
      open[index]->Take(std::move(result));
      const auto answered =
          std::count_if(all.begin(), all.end(), [](const OpenQuestion& one) { return one.answered(); });
      if (survey.progress) survey.progress(static_cast<size_t>(answered), open[index]->runner().name());
      return !options.interrupt->raised();
    };
    RunPlan(PlanOf(open), ModelOracle(), {{survey.repeat, 1}, survey.jobs}, take);
  }
  return loops;
}

}  // namespace conform
