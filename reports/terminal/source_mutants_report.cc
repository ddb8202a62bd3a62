#include "reports/terminal/source_mutants_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "runners/base/check.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view Theme(MutantOperator op) {
  switch (op) {
    case MutantOperator::kRemove:
      return "a statement removed";
    case MutantOperator::kTime:
      return "a time not updated";
    case MutantOperator::kNegate:
      return "a condition negated";
    case MutantOperator::kShift:
      return "a constant shifted";
    case MutantOperator::kTail:
      return "head for tail";
    case MutantOperator::kSwap:
      return "calls swapped";
  }
  CONFORM_CHECK(false);
}

// What a line of the table counts.
struct Score {
  int64_t all = 0, killed = 0, equivalent = 0, beyond = 0, survive = 0;

  void Add(const SourceResult& result) {
    ++all;
    if (result.state == MutantState::kKilled) {
      ++killed;
    } else if (result.known == nullptr) {
      ++survive;
    } else {
      ++(result.known->kind == KnownMutants::Kind::kEquivalent ? equivalent : beyond);
    }
  }
};

std::string Line(std::string_view name, const Score& score) {
  return fmt::format("  {:<30}{:>7}{:>8}{:>12}{:>8}{:>10}\n", name, score.all, score.killed, score.equivalent,
                     score.beyond, score.survive);
}

std::string_view StateOf(const SourceResult& result) {
  if (result.state == MutantState::kKilled) return result.known == nullptr ? "killed" : "wrongly-known";
  const bool is_mutant = result.state == MutantState::kSurvives || result.state == MutantState::kNotExecuted;
  if (is_mutant && result.known != nullptr) return KnownName(result.known->kind);
  return MutantStateName(result.state);
}

std::string Findings(const SourceReport& report, const Style& style) {
  std::string out, file;
  for (const SourceResult& result : report.results) {
    const bool survives = result.state != MutantState::kKilled && result.known == nullptr;
    if (!report.Counts(result) || (!survives && !result.IsWronglyKnown())) continue;
    const SourceMutant& mutant = *result.mutant;
    if (mutant.file != file) out += style.Strong(mutant.file) + "\n";
    file = mutant.file;
    const bool unreached = result.state == MutantState::kNotExecuted;
    out += fmt::format("  {}  line {}, {}: {}{}\n", style.Bad(survives ? "survives" : "killed"), mutant.line,
                       mutant.function.empty() ? "outside of functions" : mutant.function, Theme(mutant.op),
                       unreached ? "; no case gets there" : "");
    out += "    " + mutant.id + "\n";
    if (survives && !result.suspected_by.empty()) {
      out += Wrap(result.suspected_by + " was suspect once, and not again", "    ", "    ");
    }
    if (!survives) {
      out += Wrap("spec/source-mutants.yaml calls it " + std::string(KnownName(result.known->kind)) + ", but " +
                      (result.case_id.empty() ? "it does not start" : result.case_id + " notices it: " + result.why),
                  "    ", "    ");
    }
  }
  return out;
}

}  // namespace

std::string SourceMutantListText(const std::vector<const SourceMutant*>& mutants) {
  std::string out;
  for (const SourceMutant* mutant : mutants) out += mutant->id + "\n";
  return out;
}

std::string SourceMutantsText(const SourceReport& report, const Style& style) {
  std::string out = Findings(report, style);
  for (const std::string& entry : report.useless_entries) out += style.Bad("problem") + "  " + entry + "\n";
  if (!out.empty()) out += "\n";
  std::map<std::string, Score> by_file;
  std::map<MutantOperator, Score> by_theme;
  Score all;
  std::map<MutantState, int64_t> states;
  for (const SourceResult& result : report.results) {
    ++states[result.state];
    if (!report.Counts(result)) continue;
    by_file[result.mutant->file].Add(result);
    by_theme[result.mutant->op].Add(result);
    all.Add(result);
  }
  out += fmt::format("{:<32}{:>7}{:>8}{:>12}{:>8}{:>10}\n", report.source, "mutants", "killed", "equivalent", "beyond",
                     "survive");
  for (const auto& [file, score] : by_file) out += Line(file, score);
  out += "\n";
  for (const auto& [op, score] : by_theme) out += Line(Theme(op), score);
  out += "\n" + Line("all", all);
  out += fmt::format("\n{} drawn with seed {} of {} that there are{}; {}\n",
                     Counted(static_cast<int64_t>(report.results.size()), "mutant"), report.seed, report.possible,
                     report.shard.empty() ? "" : ", part " + report.shard,
                     Counted(static_cast<int64_t>(report.cases), "case"));
  out += fmt::format("  not counted: {} that compile to the same code, {} that do not compile",
                     states[MutantState::kSameCode], states[MutantState::kNotSource]);
  if (report.of == "node") out += fmt::format(", {} that no case reaches", states[MutantState::kNotExecuted]);
  out += "\n";
  if (!report.unfit.empty()) {
    out += Wrap("cases that the unchanged source does not pass here, and so were left out: " + Join(report.unfit, ", "),
                "  ", "  ");
  }
  if (report.killed_by_lateness() > 0) {
    out += fmt::format("  {} of the kills by lateness alone (suspect), which came again each time\n",
                       report.killed_by_lateness());
  }
  if (report.made > 0) {
    out += fmt::format("  {:.1f} s of processor time for each of {} that were made now\n",
                       static_cast<double>(report.cpu_ms) / 1000 / static_cast<double>(report.made), report.made);
  }
  if (report.wrongly_known() > 0) {
    out += fmt::format("  {} killed that spec/source-mutants.yaml says cannot be\n", report.wrongly_known());
  }
  return out;
}

Json SourceMutantsJson(const SourceReport& report) {
  Json mutants = Json::array();
  for (const SourceResult& result : report.results) {
    const SourceMutant& mutant = *result.mutant;
    Json json{{"mutant", mutant.id},         {"file", mutant.file},       {"line", mutant.line},
              {"function", mutant.function}, {"theme", Theme(mutant.op)}, {"state", StateOf(result)},
              {"ms", result.milliseconds}};
    if (result.state == MutantState::kKilled) {
      json["case"] = result.case_id;
      json["verdict"] = result.verdict;
      json["why"] = result.why;
    } else if (result.state == MutantState::kSurvives || result.state == MutantState::kNotExecuted) {
      json["executed"] = result.state == MutantState::kSurvives;
    }
    if (!result.suspected_by.empty()) json["suspected_by"] = result.suspected_by;
    if (result.known != nullptr) json["reason"] = result.known->reason;
    mutants.push_back(std::move(json));
  }
  return Json{{"of", report.of},
              {"source", report.source},
              {"seed", report.seed},
              {"possible", report.possible},
              {"cases", report.cases},
              {"unfit", report.unfit},
              {"counted", report.counted()},
              {"killed", report.killed()},
              {"killed_by_lateness", report.killed_by_lateness()},
              {"equivalent", report.known(KnownMutants::Kind::kEquivalent)},
              {"beyond", report.known(KnownMutants::Kind::kBeyond)},
              {"survivors", report.survivors()},
              {"wrongly_known", report.wrongly_known()},
              {"useless_entries", report.useless_entries},
              {"cpu_ms", report.cpu_ms},
              {"made", report.made},
              {"mutants", std::move(mutants)}};
}

}  // namespace conform::reports
