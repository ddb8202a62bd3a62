// conform gate
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/gate_input.h"
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

// The ids that a word of the baseline means. Old ids are noted.
reports::IdsMeant IdsMeantIn(const Catalogue& catalogue, const std::string& folder, const RenamedIds& renamed,
                             const std::string& file) {
  return [&catalogue, folder, &renamed, file](const std::string& word) -> Result<std::vector<std::string>> {
    const Selection selection = SelectCases(catalogue, folder, {word}, renamed);
    if (!selection.errors.empty()) return selection.errors.front();
    for (const std::string& note : selection.notes) PrintNotes({file + ": " + note});
    std::vector<std::string> ids;
    for (const SelectedCase& one : selection.cases) ids.push_back(one.c.id);
    return ids;
  };
}

int Update(const GateArguments& arguments, const Context& context, const reports::ResultSet& set,
           const std::vector<std::string>& ids, const reports::Baseline& baseline, const std::string& text) {
  if (!set.complete()) {
    for (const std::string& one : set.Incompleteness()) PrintError(Error::WithHint(one, "the baseline is unchanged"));
    return kJudgement;
  }
  const auto update = reports::UpdateBaseline(baseline, text, set, ids);
  if (!update) return Fail(update.error());
  if (update->text != text || !std::filesystem::exists(arguments.baseline)) {
    if (auto error = WriteWholeFile(arguments.baseline, update->text)) return Fail(*error, kHarnessTrouble);
  }
  const std::string out = arguments.json
                              ? reports::UpdateJson(*update, reports::Cleaned(arguments.baseline)).dump(2) + "\n"
                              : reports::UpdateText(*update, arguments.baseline, context.out);
  return Answer(out, update->conflicts.empty() ? kAllAsExpected : kJudgement);
}

int RunGate(const GateArguments& arguments, const Context& context) {
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  if (!catalogue.errors.empty()) return Fail(catalogue.errors.front());
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
  const reports::GateUse use = arguments.update ? reports::GateUse::kUpdate
                               : arguments.json ? reports::GateUse::kTell
                                                : reports::GateUse::kShow;
  const auto set = reports::ReadForGate(arguments.files, *baseline, *renamed, use);
  if (!set) return Fail(set.error());
  PrintNotes(set->notes());
  if (set->totals().empty()) return Fail(Error{"there is no result to judge", arguments.files.front()});
  if (is_new) {
    text = reports::EmptyBaseline(reports::WordsForWhatRan(*set, catalogue.cases));
    baseline = reports::ParseBaseline(*text, arguments.baseline);
    if (!baseline) return Fail(baseline.error());
  }
  const auto meant = IdsMeantIn(catalogue, context.home.Cases(), *renamed, baseline->file);
  const auto cases = reports::CasesToHold(*baseline, *set, catalogue.cases, meant);
  if (!cases) return Fail(cases.error());
  std::vector<std::string> ids;
  for (const Case& c : catalogue.cases) ids.push_back(c.id);
  if (arguments.update) return Update(arguments, context, *set, ids, *baseline, *text);

  auto report = reports::Gate(*set, *baseline, *cases, ids, arguments.options);
  if (!report) return Fail(report.error());
  reports::NameClauses(*report, catalogue.cases, LoadClauses(context.home.Spec()));
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
