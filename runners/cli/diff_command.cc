// conform diff
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "reports/diff.h"
#include "reports/terminal/progress.h"
#include "reports/writers.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/cli/prepared_run.h"
#include "runners/harness/run_plan.h"
#include "runners/harness/run_scope.h"

namespace conform {
namespace {

constexpr size_t kMaxDifferencesShown = 100;

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
  const Prepared prepared = Prepare(arguments, context, options);
  if (interrupt.raised()) return {kEndedBySignal + interrupt.signal()};
  if (!prepared.errors.empty()) return {Fail(prepared.errors, kBadInput)};
  if (!prepared.left_out.empty()) return {Fail(prepared.left_out, kBadInput)};
  if (prepared.runners.size() != words.size()) {
    return {Fail(Error{"each side of a diff is one implementation"}, kBadInput)};
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
  Progress progress("diff", plan.items.size());
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
    return {kEndedBySignal + interrupt.signal()};
  }
  for (auto& [word, source] : now.sides) source.results.complete = true;
  return now;
}

std::string EntryText(const reports::DiffEntry& entry, const Style& style) {
  const auto verdict = [](const CaseResult* result) { return std::string(VerdictName(result->verdict)); };
  const std::string kind = Padded(std::string(reports::DiffKindName(entry.kind)), 12);
  std::string out = (entry.kind == reports::DiffKind::kUndecided ? style.Doubtful(kind) : style.Bad(kind)) + "  " +
                    style.Strong(entry.case_id) + "  ";
  if (entry.before == nullptr || entry.after == nullptr) {
    const CaseResult* only = entry.before == nullptr ? entry.after : entry.before;
    return out + verdict(only) + "  " + reports::SideName(*only, nullptr) + "\n";
  }
  const bool same = entry.before->verdict == entry.after->verdict;
  out += (same ? verdict(entry.before) : verdict(entry.before) + " → " + verdict(entry.after)) + "\n";
  if (entry.columns.empty()) return out;
  std::string before = reports::SideName(*entry.before, entry.after),
              after = reports::SideName(*entry.after, entry.before);
  if (before == after) {
    before = "before";
    after = "after";
  }
  const size_t wide = std::max(Columns(before), Columns(after));
  const size_t room = std::max<size_t>(kLineWidth, wide + 26) - wide - 6;
  for (const reports::AlignedLines& lines : reports::AlignmentLines(entry.columns, room)) {
    out += "    " + Padded(before, wide) + "  " + lines.before + "\n";
    out += "    " + Padded(after, wide) + "  " + lines.after + "\n";
  }
  return out;
}

std::string DiffText(const reports::Diff& diff, const Style& style) {
  std::string out;
  std::map<reports::DiffKind, int64_t> totals;
  for (size_t i = 0; i < diff.entries.size(); ++i) {
    ++totals[diff.entries[i].kind];
    if (i < kMaxDifferencesShown) out += EntryText(diff.entries[i], style);
  }
  if (diff.entries.size() > kMaxDifferencesShown)
    out += fmt::format("and {} more\n", diff.entries.size() - kMaxDifferencesShown);
  if (!out.empty()) out += "\n";
  for (const std::string& why : diff.incomplete) out += Wrap("incomplete: " + why, "", "    ");
  for (const std::string& name : diff.only_before) out += "only before: " + name + "\n";
  for (const std::string& name : diff.only_after) out += "only after: " + name + "\n";
  std::vector<std::string> parts{fmt::format("{} the same", diff.same)};
  for (const auto& [kind, count] : totals) parts.push_back(fmt::format("{} {}", count, reports::DiffKindName(kind)));
  return out + Join(parts, ", ") + "\n";
}

int RunDiff(const DiffArguments& arguments, const Context& context) {
  const auto bad = [](const Error& error) {
    PrintError(error);
    return kBadInput;
  };
  const std::string words[2] = {arguments.before, arguments.after};
  std::vector<std::string> to_run;
  for (const std::string& word : words) {
    if (!IsFile(word)) to_run.push_back(word);
  }
  if (to_run.size() == 2 && to_run[0] == to_run[1]) return bad(Error{"'" + to_run[0] + "' on both sides"});
  RunNow now;
  if (!to_run.empty()) now = RunThem(to_run, arguments, context);
  if (now.exit_code != kAllAsExpected) return now.exit_code;

  const auto renamed = LoadRenamed(context.home.Renamed());
  if (!renamed) return bad(renamed.error());
  std::vector<reports::ResultSet> sets;
  for (const std::string& word : words) {
    auto set = IsFile(word) ? reports::ResultSet::Read({word}, *renamed)
                            : reports::ResultSet::Of({std::move(now.sides.at(word))});
    if (!set) return bad(set.error());
    PrintNotes(set->notes());
    sets.push_back(std::move(*set));
  }
  const reports::Diff diff = reports::Compare(sets[0], sets[1]);
  std::string out;
  if (arguments.format == "json") {
    out = reports::DiffJson(diff).dump(2) + "\n";
  } else if (arguments.format == "markdown") {
    out = reports::DiffMarkdown(diff, words[0], words[1], reports::kMaxCommentBytes);
  } else {
    out = DiffText(diff, context.out);
  }
  if (!Print(out)) return kHarnessTrouble;
  return diff.differs() ? kJudgement : kAllAsExpected;
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
           JobsOption(&arguments->run.jobs)},
          RunWith(arguments, RunDiff)};
}

}  // namespace conform
