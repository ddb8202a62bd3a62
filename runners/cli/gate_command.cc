// conform gate
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/escape.h"
#include "reports/terminal/gate_report.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/harness/selection.h"

namespace conform {
namespace {

struct GateArguments {
  std::vector<std::string> files;
  std::string baseline;
  bool update = false;
  bool list = false;
  reports::GateOptions options;
  bool json = false;
};

// The catalogue, and which of its cases a run has to hold.
struct Wanted {
  Catalogue catalogue;
  std::vector<std::string> ids;
  std::vector<const Case*> cases;
};

std::optional<Error> Choose(const reports::Baseline& baseline, const reports::ResultSet& set, const std::string& folder,
                            const RenamedIds& renamed, Wanted& wanted) {
  std::vector<std::string> chosen;
  for (const reports::BaselineWord& word : baseline.cases) {
    const auto named = [&](const Case& c) { return c.id == word.text; };
    const bool in_catalogue = std::any_of(wanted.catalogue.cases.begin(), wanted.catalogue.cases.end(), named);
    if (!in_catalogue && set.FindCase(word.text)) continue;  // from a file of the user, and there
    const Selection selection = SelectCases(wanted.catalogue, folder, {word.text}, renamed);
    if (!selection.errors.empty()) {
      const Error& error = selection.errors.front();
      return Error{error.message, baseline.file, word.at, error.hint};
    }
    for (const std::string& note : selection.notes) PrintNotes({baseline.file + ": " + note});
    for (const SelectedCase& one : selection.cases) chosen.push_back(one.c.id);
  }
  for (const Case& c : wanted.catalogue.cases) {
    wanted.ids.push_back(c.id);
    const bool all = baseline.cases.empty();
    if (all || std::find(chosen.begin(), chosen.end(), c.id) != chosen.end()) wanted.cases.push_back(&c);
  }
  return std::nullopt;
}

int Update(const GateArguments& arguments, const Context& context, const reports::ResultSet& set, const Wanted& wanted,
           const reports::Baseline& baseline, const std::string& text) {
  if (!set.complete()) {
    for (const std::string& one : set.Incompleteness()) PrintError(Error::WithHint(one, "the baseline is unchanged"));
    return kJudgement;
  }
  const auto update = reports::UpdateBaseline(baseline, text, set, wanted.ids);
  if (!update) return Fail(update.error());
  if (update->text != text || !std::filesystem::exists(arguments.baseline)) {
    if (auto error = WriteWholeFile(arguments.baseline, update->text)) return Fail(*error, kHarnessTrouble);
  }
  const std::string out = arguments.json
                              ? reports::UpdateJson(*update, reports::Cleaned(arguments.baseline)).dump(2) + "\n"
                              : reports::UpdateText(*update, arguments.baseline, context.out);
  return Answer(out, update->conflicts.empty() ? kAllAsExpected : kJudgement);
}

bool CanBeReadTwice(const std::string& path) { return std::filesystem::is_regular_file(path); }

// The results that are told one by one, or that a new baseline rests on: everything, for those who ask for all of it,
// and else those of cases that deviate or did so.
Result<reports::ResultSet> ReadFor(const GateArguments& arguments, const reports::Baseline& baseline,
                                   const RenamedIds& renamed) {
  const auto read = [&](const reports::ResultSet::Keep& keep) {
    return reports::ResultSet::Read(arguments.files, renamed, reports::ResultSet::Runs::kSeveral, keep);
  };
  const std::vector<std::string>& files = arguments.files;
  const bool twice = std::all_of(files.begin(), files.end(), CanBeReadTwice);
  if (arguments.update ? !twice : arguments.json) return read(nullptr);
  std::set<std::string> ids;
  for (const reports::BaselineSection& section : baseline.sections) {
    for (const reports::KnownDeviation& one : section.known) ids.insert(one.case_id);
  }
  const auto is_one_of_them = [&ids](const CaseResult& result) { return ids.contains(result.case_id); };
  auto set = read(is_one_of_them);
  if (!set || !arguments.update) return set;
  // A new entry counts the passes of its case as well, and these may have come before what deviates.
  const size_t known = ids.size();
  for (const CaseResult& result : set->results()) ids.insert(result.case_id);
  return ids.size() == known ? std::move(set) : read(is_one_of_them);
}

int RunGate(const GateArguments& arguments, const Context& context) {
  Wanted wanted{LoadCatalogue(context.home.Cases()), {}, {}};
  if (!wanted.catalogue.errors.empty()) return Fail(wanted.catalogue.errors.front());
  const auto renamed = LoadRenamed(context.home.Renamed());
  if (!renamed) return Fail(renamed.error());
  const bool is_new = !std::filesystem::exists(arguments.baseline);
  if (is_new && !arguments.update) {
    return Fail(Error{"there is no such baseline", arguments.baseline, {}, "--update creates it from the results"});
  }
  auto text =
      is_new ? Result<std::string>(reports::EmptyBaseline()) : ReadFile(arguments.baseline, reports::kMaxBaselineBytes);
  if (!text) return Fail(text.error());
  auto baseline = reports::ParseBaseline(*text, arguments.baseline);
  if (!baseline) return Fail(baseline.error());
  reports::Rename(*baseline, *renamed);
  const auto set = ReadFor(arguments, *baseline, *renamed);
  if (!set) return Fail(set.error());
  PrintNotes(set->notes());
  if (set->totals().empty()) return Fail(Error{"there is no result to judge", arguments.files.front()});
  if (is_new) {
    text = reports::EmptyBaseline(reports::WordsForWhatRan(*set, wanted.catalogue.cases));
    baseline = reports::ParseBaseline(*text, arguments.baseline);
    if (!baseline) return Fail(baseline.error());
  }
  if (auto error = Choose(*baseline, *set, context.home.Cases(), *renamed, wanted)) return Fail(*error);
  if (arguments.update) return Update(arguments, context, *set, wanted, *baseline, *text);

  auto report = reports::Gate(*set, *baseline, wanted.cases, wanted.ids, arguments.options);
  if (!report) return Fail(report.error());
  reports::NameClauses(*report, wanted.catalogue.cases, LoadClauses(context.home.Spec()));
  const std::string out = arguments.list ? reports::ClosingCases(*report, arguments.options)
                          : arguments.json
                              ? reports::GateJson(*report, *baseline, arguments.options).dump(2) + "\n"
                              : reports::GateText(*report, arguments.baseline, arguments.options, context.out);
  return Answer(out, report->Passes(arguments.options) ? kAllAsExpected : kJudgement);
}

}  // namespace

CommandSpec MakeGateCommand() {
  const auto arguments = std::make_shared<GateArguments>();
  return {"gate",
          "Compare results with the known deviations",
          {Argument("RESULTS", &arguments->files, "results files, as run --output writes them").Required(),
           Value("--baseline", "FILE", &arguments->baseline, "the known deviations (spec/gate.md)").Required(),
           Flag("--update", &arguments->update,
                "update the baseline to match the results, keeping\nreasons, order and comments, and show what "
                "changes;\nseveral runs show what varies"),
           Flag("--list", &arguments->list, "print only the ids of the cases that close the gate"),
           Flag("--allow-improvements", &arguments->options.allow_improvements,
                "also exit 0 when something is better than known"),
           Flag("--only-what-ran", &arguments->options.only_what_ran, "ignore cases that have no result"),
           Flag("--strict", &arguments->options.strict,
                "also exit 1 when a result is inconclusive or varies\n(otherwise it is only shown)"),
           FormatOption(&arguments->json)},
          RunWith(arguments, RunGate)};
}

}  // namespace conform
