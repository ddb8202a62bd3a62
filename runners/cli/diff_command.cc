// conform diff
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/diff.h"
#include "reports/terminal/diff_report.h"
#include "reports/terminal/json_text.h"
#include "reports/terminal/progress.h"
#include "reports/writers.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/cli/run_arguments.h"
#include "runners/harness/run_plan.h"
#include "runners/harness/run_scope.h"

namespace conform {
namespace {

struct DiffArguments {
  std::string before, after;
  RunArguments run;  // of implementations that are named
  std::string format = "text";
};

bool IsFile(const std::string& side) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(side, ignored) || side.ends_with(".jsonl");
}

// What the commands of one run, which may be of two implementations, came to: the results of each of them.
struct RunNow {
  int exit_code = kAllAsExpected;                                // of a run that did not come to its end
  std::map<std::string, reports::ResultSet::Source> sides = {};  // by the word on the command line
};

RunNow RunThem(const std::vector<std::string>& words, const DiffArguments& asked, const Context& context) {
  const auto scope = RunScope::Open();
  if (!scope) return {Fail(scope.error(), kHarnessTrouble)};
  const Interrupt& interrupt = scope.value()->interrupt();
  RunArguments arguments = asked.run;
  arguments.implementations = Join(words, ",");
  const RunnerOptions options{context.home, 0, {}, arguments.install, &interrupt, scope.value()->run_word()};
  const Prepared prepared = Prepare(arguments, options);
  if (interrupt.raised()) return {interrupt.exit_code()};
  if (!prepared.errors.empty()) return {Fail(prepared.errors)};
  if (!prepared.left_out.empty()) return {Fail(prepared.left_out)};
  if (prepared.runners.size() != words.size()) {
    return {Fail(Error{"each side of a diff is one implementation"})};
  }

  RunNow now;
  for (size_t i = 0; i < words.size(); ++i) {
    RunResults& results = now.sides[words[i]].results;
    now.sides[words[i]].path = words[i];
    results.run.conform = CONFORM_VERSION;
    if (const RunImplementation* one = prepared.runners[i]->introduction()) {
      results.run.implementations.push_back(*one);
    }
  }
  const Plan& plan = prepared.plan;
  reports::Progress progress("diff", plan.items.size());
  const auto keep = [&](size_t index, CaseResult result) {
    progress.Show(index + 1, result.case_id);
    for (size_t i = 0; i < words.size(); ++i) {
      if (prepared.runners[i].get() != plan.items[index].runner) continue;
      RunResults& results = now.sides[words[i]].results;
      ++results.run.planned;
      results.results.push_back(std::move(result));
      break;
    }
    return !interrupt.raised();
  };
  if (RunPlan(plan, prepared.late, {arguments.options, arguments.jobs}, keep) < plan.items.size()) {
    return {interrupt.exit_code()};
  }
  for (auto& [word, source] : now.sides) source.results.complete = true;
  return now;
}

Result<reports::ComparedFiles> CompareWithRuns(const std::string (&words)[2], RunNow now, const RenamedIds& renamed) {
  std::vector<reports::ResultSet> sets;
  for (const std::string& word : words) {
    auto set = IsFile(word) ? reports::ResultSet::Read({word}, renamed)
                            : reports::ResultSet::Of({std::move(now.sides.at(word))});
    if (!set) return set.error();
    sets.push_back(std::move(*set));
  }
  reports::ComparedFiles compared{std::move(sets[0]), std::move(sets[1]), {}};
  compared.diff = reports::Compare(compared.before, compared.after);
  return compared;
}

int RunDiff(const DiffArguments& arguments, const Context& context) {
  const std::string words[2] = {arguments.before, arguments.after};
  std::vector<std::string> to_run;
  for (const std::string& word : words) {
    if (!IsFile(word)) to_run.push_back(word);
  }
  if (to_run.size() == 2 && to_run[0] == to_run[1]) return Fail(Error{"'" + to_run[0] + "' on both sides"});
  RunNow now;
  if (!to_run.empty()) now = RunThem(to_run, arguments, context);
  if (now.exit_code != kAllAsExpected) return now.exit_code;

  const auto renamed = LoadRenamed(context.home.Renamed());
  if (!renamed) return Fail(renamed.error());
  const auto compared = to_run.empty() ? reports::CompareFiles(words[0], words[1], *renamed)
                                       : CompareWithRuns(words, std::move(now), *renamed);
  if (!compared) return Fail(compared.error());
  for (const reports::ResultSet* set : {&compared->before, &compared->after}) PrintNotes(set->notes());
  const reports::Diff& diff = compared->diff;
  std::string out;
  if (arguments.format == "json") {
    out = reports::JsonText(reports::DiffJson(diff));
  } else if (arguments.format == "markdown") {
    out = reports::DiffMarkdown(diff, words[0], words[1], reports::kMaxCommentBytes);
  } else {
    out = reports::DiffText(diff, context.out);
  }
  return Answer(out, diff.differs() ? kJudgement : kAllAsExpected);
}

}  // namespace

CommandSpec MakeDiffCommand() {
  const auto arguments = std::make_shared<DiffArguments>();
  const auto format = [arguments](const std::string& name) {
    return [arguments, name](const std::string&) { arguments->format = name; };
  };
  return {"diff",
          "Compare two runs, or two implementations",
          {Argument("A", &arguments->before, "a results file, or an implementation to run now").Required(),
           Argument("B", &arguments->after, "the other one").Required(),
           Value("--case", "CASE", &arguments->run.words, "run only these cases: ids, folders, globs or files"),
           Value("--as", "PROFILE", &arguments->run.as, "profiles to hold them to, such as node@22"),
           Value("--repeat", "N", &arguments->run.options.repeat, "run everything N times (default 1)")
               .Between(1, 1'000'000),
           Flag("--install", &arguments->run.install, "install named runtimes that are missing"),
           Flag("--json", format("json"), "the same as --format=json"),
           Flag("--markdown", format("markdown"), "the same as --format=markdown"),
           Value("--format", "FORMAT", &arguments->format, "text, json or markdown (default text)")
               .OneOf({"text", "json", "markdown"}),
           RunJobsOption(&arguments->run.jobs)},
          RunWith(arguments, RunDiff)};
}

}  // namespace conform
