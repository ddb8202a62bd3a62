// conform survey
#include <algorithm>
#include <set>

#include "reports/terminal/progress.h"
#include "reports/terminal/survey_report.h"
#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/harness/adapter.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/parallel.h"
#include "runners/harness/process_guard.h"
#include "runners/harness/run_item.h"
#include "runners/model/case_text.h"
#include "runners/study/implementations.h"

namespace conform {
namespace {

// Every one of them may be late: then as many runs are made once more, and again.
constexpr int kMaxRounds = 3;
constexpr size_t kMaxSurveyFileBytes = 1 << 20;

struct SurveyArguments {
  std::vector<std::string> questions;
  std::string implementations;
  std::string markdown;
  int64_t repeat = 10;
  int jobs = 1;
  bool json = false;
};

Result<std::vector<SurveyQuestion>> LoadQuestions(const Context& context, const std::vector<std::string>& wanted) {
  const std::string file = context.home.Spec() + "/survey.yaml";
  const auto text = ReadFile(file, kMaxSurveyFileBytes);
  if (!text) return text.error();
  auto questions = ParseSurvey(*text, file);
  if (!questions) return questions.error();
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
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

// One loop, and its answers in the order of the questions; or why it could not be asked.
struct AskedLoop {
  std::string name;
  std::vector<LoopAnswer> answers;
  std::optional<Error> error;
};

class Asker {
 public:
  Asker(const std::vector<SurveyQuestion>& questions, int64_t repeat, const RunnerOptions& options)
      : questions_(questions), repeat_(repeat), options_(options) {}

  AskedLoop Ask(const std::string& word) const {
    AskedLoop asked;
    const auto runners = MakeRunners(word, options_);
    if (!runners) {
      asked.error = runners.error();
      return asked;
    }
    const Runner& runner = *runners.value().front();
    asked.name = runner.name();
    for (const SurveyQuestion& question : questions_) {
      if (options_.interrupt->raised()) break;
      asked.answers.push_back(AskOne(question, runner));
    }
    return asked;
  }

 private:
  LoopAnswer AskOne(const SurveyQuestion& question, const Runner& runner) const {
    LoopAnswer answer;
    std::string lacks;
    for (const Case& program : question.programs) {
      const auto cannot = runner.CannotRun(program, Profile{});
      if (!cannot) answer = RunProgram(question, program, runner);
      if (!cannot && answer.state != LoopAnswer::State::kUnsupported) return answer;
      // What is lacked for the first program says the most: the others are ways around it.
      if (lacks.empty()) lacks = cannot ? *cannot : answer.words;
    }
    answer.state = LoopAnswer::State::kUnsupported;
    answer.words = lacks;
    return answer;
  }

  LoopAnswer RunProgram(const SurveyQuestion& question, const Case& program, const Runner& runner) const {
    std::vector<Trace> traces;
    LoopAnswer answer;
    for (int round = 0; round < kMaxRounds; ++round) {
      for (int64_t i = 0; i < repeat_; ++i) {
        RunOutcome outcome = runner.Run(program, Profile{}, static_cast<int64_t>(traces.size()));
        if (outcome.trouble == Trouble::kNone && outcome.trace.events.size() > kMaxTraceEvents) {
          outcome.trouble = Trouble::kLimit;
          outcome.why = "more labels than can be kept";
        }
        if (outcome.trouble != Trouble::kNone) {
          answer.state =
              outcome.trouble == Trouble::kUnsupported ? LoopAnswer::State::kUnsupported : LoopAnswer::State::kTrouble;
          answer.words = outcome.why;
          answer.program = ProgramText(program.program, "  ");
          return answer;
        }
        traces.push_back(std::move(outcome.trace));
      }
      answer = AnswerOf(question, traces);
      if (answer.state != LoopAnswer::State::kUndecided) break;
    }
    answer.program = ProgramText(program.program, "  ");
    return answer;
  }

  const std::vector<SurveyQuestion>& questions_;
  const int64_t repeat_;
  const RunnerOptions& options_;
};

// All loops that adapters drive; the reference loop has no rules but those of a profile.
Result<std::vector<std::string>> LoopsToAsk(const SurveyArguments& arguments, const Context& context) {
  std::vector<std::string> words;
  if (!arguments.implementations.empty()) {
    for (const std::string& word : Split(arguments.implementations, ',')) {
      if (word.starts_with("ref")) {
        return Error::WithHint("the reference loop keeps the rules of the profile that it stands for",
                               "name real loops");
      }
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    return words;
  }
  std::vector<Error> errors;
  const auto all = Implementations(context.home, &errors);
  PrintErrors(errors);
  for (const ImplementationInfo& one : all) {
    if (!one.name.starts_with("ref")) words.push_back(one.name);
  }
  return words;
}

reports::SurveyTable::Missing MissingLoop(const std::string& word, const Error& error, const Context& context) {
  const std::string message = error.message + (error.hint.empty() ? "" : " (" + error.hint + ")");
  reports::SurveyTable::Missing missing{word, message.substr(0, message.find('\n')), ""};
  const LoadedAdapters loaded = LoadAdapters(context.home.Adapters());
  for (const Adapter& adapter : loaded.adapters) {
    for (const AdapterImplementation& implementation : adapter.implementations) {
      if (implementation.name == word) missing.install = implementation.install;
    }
  }
  return missing;
}

reports::SurveyTable Table(const std::vector<SurveyQuestion>& questions, const std::vector<std::string>& words,
                           const std::vector<AskedLoop>& asked, const SurveyArguments& arguments,
                           const Context& context) {
  reports::SurveyTable table;
  table.repeat = arguments.repeat;
  for (const SurveyQuestion& question : questions) table.rows.push_back({question, {}});
  std::set<std::string> names;
  for (size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].error) {
      table.missing.push_back(MissingLoop(words[i], *asked[i].error, context));
    } else if (names.insert(asked[i].name).second) {
      table.loops.push_back(asked[i].name);
      for (size_t row = 0; row < table.rows.size(); ++row)
        table.rows[row].answers[asked[i].name] = asked[i].answers[row];
    }
  }
  return table;
}

int Ask(const SurveyArguments& arguments, const Context& context) {
  const auto questions = LoadQuestions(context, arguments.questions);
  if (!questions) return Fail(questions.error());
  const auto words = LoopsToAsk(arguments, context);
  if (!words) return Fail(words.error());
  // The guard is a process of its own and has to be there before the first thread is.
  const auto guard = ProcessGuard::Start();
  if (!guard) return Fail(guard.error(), kHarnessTrouble);
  const Interrupt interrupt;
  const RunnerOptions options{context.home, 0, std::nullopt, false, &interrupt, guard.value()->run_word()};
  const Asker asker(*questions, arguments.repeat, options);
  std::vector<AskedLoop> asked(words->size());
  {
    Progress progress("loops", words->size());
    ForEachInOrder(
        words->size(), arguments.jobs, [&](size_t index) { asked[index] = asker.Ask((*words)[index]); },
        [&](size_t index) {
          progress.Show(index + 1, (*words)[index]);
          return !interrupt.raised();
        });
  }
  if (interrupt.raised()) return kEndedBySignal + interrupt.signal();
  const reports::SurveyTable table = Table(*questions, *words, asked, arguments, context);
  // One that was named has to be there; of all that could be, at least one.
  for (size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].error && (!arguments.implementations.empty() || table.loops.empty())) return Fail(*asked[i].error);
  }
  if (!arguments.markdown.empty()) {
    if (const auto error = WriteWholeFile(arguments.markdown, reports::SurveyMarkdown(table, context.command_line))) {
      return Fail(*error);
    }
  }
  const std::string text = arguments.json ? reports::SurveyJson(table).dump(2) + "\n"
                                          : SurveyText(table, !arguments.questions.empty(), context.out);
  return Answer(text);
}

}  // namespace

CommandSpec MakeSurveyCommand() {
  const auto arguments = std::make_shared<SurveyArguments>();
  return {"survey",
          "Put questions about order to every loop, by running it",
          {Argument("QUESTION", &arguments->questions,
                    "ids in spec/survey.yaml: show their programs and orders\n(default: all questions)"),
           Value("--impl", "LIST", &arguments->implementations, "implementations, separated by commas\n(default: all)"),
           Value("--repeat", "N", &arguments->repeat, "runs of each program (default 10)").Between(1, 10'000),
           Value("--markdown", "FILE", &arguments->markdown, "also write a page into this file"),
           JobsOption(&arguments->jobs), FormatOption(&arguments->json)},
          RunWith(arguments, Ask),
          {},
          "",
          "rules"};
}

}  // namespace conform
