// conform gate
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/baseline_update.h"
#include "reports/escape.h"
#include "reports/first_difference.h"
#include "reports/gate.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/harness/selection.h"

namespace conform {
namespace {

constexpr size_t kMaxDeviationsShown = 100;

struct GateArguments {
  std::vector<std::string> files;
  std::string baseline;
  bool update = false;
  reports::GateOptions options;
  bool json = false;
};

// The catalogue, and which of its cases a run has to hold.
struct Wanted {
  Catalogue catalogue;
  std::vector<std::string> ids;
  std::vector<const Case*> cases;
};

std::optional<Error> Choose(const reports::Baseline& baseline, const std::string& folder, const RenamedIds& renamed,
                            Wanted& wanted) {
  std::vector<std::string> chosen;
  for (const reports::BaselineWord& word : baseline.cases) {
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

std::string WhatIsKnown(const reports::KnownDeviation* known) {
  if (known == nullptr) return "nothing is known";
  std::string text = "known as " + std::string(VerdictName(known->verdict));
  if (!known->reason.empty()) text += ": " + known->reason;
  if (!known->link.empty()) text += " " + known->link;
  if (!known->renamed_from.empty()) text += "; " + RenamedNote(known->renamed_from, known->case_id);
  return text;
}

std::string FindingText(const reports::GateFinding& finding, const reports::GateOptions& options, const Style& style) {
  const std::string kind(reports::GateKindName(finding.kind));
  const bool counts = reports::GateReport::Counts(finding.kind, options);
  std::string out = (counts ? style.Bad(kind) : style.Doubtful(kind)) + "  " + style.Strong(finding.case_id) + "  " +
                    finding.implementation;
  if (finding.kind == reports::GateKind::kNotRun) return out + "\n";
  if (finding.kind == reports::GateKind::kOutdated)
    return out + "\n" + Wrap("the case has changed since it ran", "    ", "    ");
  const CaseResult& result = *finding.result;
  out += "  " + finding.profile + "\n";
  out += Wrap("now " + std::string(VerdictName(result.verdict)) + "; " + WhatIsKnown(finding.known), "    ", "      ");
  if (finding.kind == reports::GateKind::kImproved) return out;
  if (const Try* one = reports::DecisiveTry(result)) {
    if (!result.expected.empty()) out += Wrap("`" + result.expected + "`", "    expected: ", "              ");
    out += Wrap("`" + OrderToString(one->trace.ToOrder()) + "`", "    observed: ", "              ");
  }
  const std::string difference = reports::FirstDifferenceText(result);
  const std::string reason = difference.empty() ? result.reason : difference;
  if (!reason.empty()) out += Wrap(reason, "    ", "      ");
  return out + "    " + result.reproduce + "\n";
}

std::string ReportText(const reports::GateReport& report, const GateArguments& arguments, const Style& style) {
  std::string out;
  size_t shown = 0, left = 0;
  for (const reports::GateFinding& finding : report.findings) {
    if (finding.kind == reports::GateKind::kPasses || finding.kind == reports::GateKind::kAsKnown) continue;
    if (shown++ < kMaxDeviationsShown) {
      out += FindingText(finding, arguments.options, style);
    } else {
      ++left;
    }
  }
  if (left > 0) out += fmt::format("and {} more\n", left);
  if (!out.empty()) out += "\n";
  for (const std::string& one : report.incomplete) out += Wrap(style.Bad("incomplete") + "  " + one, "", "    ");
  for (const std::string& hint : report.hints) out += Wrap(hint, "", "    ");
  std::vector<std::string> parts;
  for (const auto& [kind, count] : report.totals)
    parts.push_back(fmt::format("{} {}", count, reports::GateKindName(kind)));
  const bool passes = report.Passes(arguments.options);
  out += Wrap(Join(parts, ", "), arguments.baseline + ": ", "  ");
  out += passes ? style.Good("The gate is open.") : style.Bad("The gate is closed.");
  out += "\n";
  const bool improved = report.totals.contains(reports::GateKind::kImproved);
  if (improved && !arguments.options.allow_improvements) {
    out += Wrap(
        "Improved cases should be removed from the baseline: --update does so, and --allow-improvements tolerates "
        "them.",
        "", "");
  }
  return out;
}

std::string ChangeText(const reports::BaselineChange& change, const Style& style) {
  const auto name = [](const std::optional<Verdict>& verdict) {
    return verdict ? std::string(VerdictName(*verdict)) : "not listed";
  };
  if (!change.renamed_from.empty()) {
    return "= " + change.section + ": " + RenamedNote(change.renamed_from, change.case_id) + "\n";
  }
  const std::string what = change.section + ": " + change.case_id;
  if (!change.before) return style.Bad("+ ") + what + " " + name(change.after) + "\n";
  if (!change.after) return style.Good("- ") + what + " was " + name(change.before) + "\n";
  return style.Doubtful("~ ") + what + " was " + name(change.before) + ", is " + name(change.after) + "\n";
}

nlohmann::ordered_json UpdateJson(const reports::BaselineUpdate& update, const std::string& file) {
  nlohmann::ordered_json changes = nlohmann::ordered_json::array();
  for (const reports::BaselineChange& change : update.changes) {
    nlohmann::ordered_json one{{"section", change.section}, {"case", change.case_id}};
    if (change.before) one["before"] = VerdictName(*change.before);
    if (change.after) one["after"] = VerdictName(*change.after);
    if (!change.renamed_from.empty()) one["renamed_from"] = change.renamed_from;
    changes.push_back(std::move(one));
  }
  return {{"baseline", file},
          {"changes", std::move(changes)},
          {"comments_kept", update.comments_kept},
          {"conflicts", update.conflicts}};
}

int Bad(const Error& error) {
  PrintError(error);
  return kBadInput;
}

int Update(const GateArguments& arguments, const Context& context, const reports::ResultSet& set, const Wanted& wanted,
           const reports::Baseline& baseline, const std::string& text) {
  if (!set.complete()) {
    for (const std::string& one : set.Incompleteness()) PrintError(Error::WithHint(one, "the baseline is unchanged"));
    return kJudgement;
  }
  const auto update = reports::UpdateBaseline(baseline, text, set, wanted.ids);
  if (!update) return Bad(update.error());
  if (update->text != text) {
    if (auto error = WriteWholeFile(arguments.baseline, update->text)) {
      PrintError(*error);
      return kHarnessTrouble;
    }
  }
  std::string out;
  for (const reports::BaselineChange& change : update->changes) out += ChangeText(change, context.out);
  if (!update->comments_kept) out += "Its comments are lost: the file could not be changed line by line.\n";
  for (const std::string& one : update->conflicts) {
    out += Wrap(one + ": no single entry can express this; split the range of versions by hand", "conflict: ", "    ");
  }
  out += arguments.baseline + ": " + Counted(static_cast<int64_t>(update->changes.size()), "change") + "\n";
  if (arguments.json) out = UpdateJson(*update, reports::Cleaned(arguments.baseline)).dump(2) + "\n";
  if (!Print(out)) return kHarnessTrouble;
  return update->conflicts.empty() ? kAllAsExpected : kJudgement;
}

int RunGate(const GateArguments& arguments, const Context& context) {
  Wanted wanted{LoadCatalogue(context.home.Cases()), {}, {}};
  if (!wanted.catalogue.errors.empty()) return Bad(wanted.catalogue.errors.front());
  const auto renamed = LoadRenamed(context.home.Renamed());
  if (!renamed) return Bad(renamed.error());
  const auto set = reports::ResultSet::Read(arguments.files, *renamed);
  if (!set) return Bad(set.error());
  PrintNotes(set->notes());
  if (set->results().empty()) return Bad({"there is no result to judge", arguments.files.front(), {}, ""});
  const bool is_new = arguments.update && !std::filesystem::exists(arguments.baseline);
  const auto text =
      is_new ? Result<std::string>(reports::EmptyBaseline()) : ReadFile(arguments.baseline, reports::kMaxBaselineBytes);
  if (!text) return Bad(text.error());
  auto baseline = reports::ParseBaseline(*text, arguments.baseline);
  if (!baseline) return Bad(baseline.error());
  reports::Rename(*baseline, *renamed);
  if (auto error = Choose(*baseline, context.home.Cases(), *renamed, wanted)) return Bad(*error);
  if (arguments.update) return Update(arguments, context, *set, wanted, *baseline, *text);

  const auto report = reports::Gate(*set, *baseline, wanted.cases, wanted.ids, arguments.options);
  if (!report) return Bad(report.error());
  const std::string out = arguments.json ? reports::GateJson(*report, *baseline, arguments.options).dump(2) + "\n"
                                         : ReportText(*report, arguments, context.out);
  if (!Print(out)) return kHarnessTrouble;
  return report->Passes(arguments.options) ? kAllAsExpected : kJudgement;
}

}  // namespace

CommandSpec MakeGateCommand() {
  const auto arguments = std::make_shared<GateArguments>();
  return {
      "gate",
      "Compare results with the known deviations",
      {Argument("RESULTS", &arguments->files, "results files, as run --output writes them").Required(),
       Value("--baseline", "FILE", &arguments->baseline, "the known deviations (spec/gate.md)").Required(),
       Flag("--update", &arguments->update,
            "update the baseline to match the results, keeping\nreasons, order and comments, and show what changes"),
       Flag("--allow-improvements", &arguments->options.allow_improvements,
            "also exit 0 when something is better than known"),
       Flag("--only-what-ran", &arguments->options.only_what_ran, "ignore cases that have no result"),
       Flag("--strict", &arguments->options.strict,
            "also exit 1 when a result is inconclusive\n(otherwise it is only shown)"),
       FormatOption(&arguments->json)},
      RunWith(arguments, RunGate)};
}

}  // namespace conform
