// conform survey
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/terminal/json_text.h"
#include "reports/terminal/progress.h"
#include "reports/terminal/survey_report.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/harness/adapter.h"
#include "runners/harness/run_scope.h"
#include "runners/study/survey.h"

namespace conform {
namespace {

struct SurveyArguments {
  std::vector<std::string> questions;
  std::string implementations;
  std::string markdown;
  int64_t repeat = 10;
  int jobs = 1;
  bool json = false;
};

// All loops that adapters drive; the reference loop has no rules but those of a profile.
Result<std::vector<std::string>> LoopsToAsk(const SurveyArguments& arguments, const Context& context) {
  std::vector<std::string> words;
  if (!arguments.implementations.empty()) {
    for (const std::string& word : Split(arguments.implementations, ',')) {
      if (word.starts_with("ref")) {
        return Error::WithHint("the reference loop follows the rules of its profile", "name real loops");
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
  const auto questions = LoadQuestions(context.home, arguments.questions);
  if (!questions) return Fail(questions.error());
  const auto words = LoopsToAsk(arguments, context);
  if (!words) return Fail(words.error());
  const auto scope = RunScope::Open();
  if (!scope) return Fail(scope.error(), kHarnessTrouble);
  const Interrupt& interrupt = scope.value()->interrupt();
  const RunnerOptions options{context.home, 0, std::nullopt, false, &interrupt, scope.value()->run_word()};
  std::vector<AskedLoop> asked;
  {
    reports::Progress progress("answers", words->size() * questions->size());
    const auto show = [&](size_t answers, const std::string& loop) { progress.Show(answers, loop); };
    asked = AskLoops(*questions, *words, {arguments.repeat, arguments.jobs, show}, options);
  }
  if (interrupt.raised()) return interrupt.exit_code();
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
  const std::string text = arguments.json ? reports::JsonText(reports::SurveyJson(table))
                                          : reports::SurveyText(table, !arguments.questions.empty(), context.out);
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
