#include "reports/terminal/mutants_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "runners/base/check.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view KindName(reference::Mutant::Kind kind) {
  switch (kind) {
    case reference::Mutant::Kind::kFlip:
      return "flip";
    case reference::Mutant::Kind::kBoundary:
      return "boundary";
    case reference::Mutant::Kind::kDeviation:
      return "deviation";
  }
  CONFORM_CHECK(false);
}

std::string_view StateOf(const MutantResult& result) {
  if (result.equivalent != nullptr) return result.Killed() ? "wrongly-equivalent" : "equivalent";
  return result.Killed() ? "killed" : "survives";
}

std::string Got(const Kill& kill) { return kill.order ? "`" + OrderToString(*kill.order) + "`" : "no end"; }

std::string Finding(const MutantResult& result, const Style& style) {
  const reference::Mutant& mutant = result.mutant;
  std::string out = style.Bad(result.Survives() ? "survives" : "killed") + "  " + style.Strong(mutant.id) + "\n";
  out += Wrap(mutant.sentence, "    ", "    ");
  out += "    clause: " + mutant.clause + "\n";
  if (result.Survives()) return out;
  const Kill& kill = result.kills.front();
  out += Wrap("spec/mutants.yaml calls it equivalent, but " + kill.case_id + " on " + kill.profile + " expects `" +
                  kill.pattern + "` and gets " + Got(kill),
              "    ", "    ");
  return out;
}

Json KillJson(const Kill& kill) {
  Json json{{"case", kill.case_id}, {"profile", kill.profile}, {"pattern", kill.pattern}};
  if (kill.order) json["order"] = *kill.order;
  json["proof"] = kill.proof;
  return json;
}

}  // namespace

std::string MutantListText(const std::vector<reference::Mutant>& mutants) {
  std::string out;
  for (const reference::Mutant& mutant : mutants) out += mutant.id + "\n" + Wrap(mutant.sentence, "    ", "    ");
  return out;
}

std::string MutantsText(const MutantsReport& report, const Style& style) {
  std::string out;
  for (const MutantResult& result : report.results) {
    if (result.Survives() || (result.Killed() && result.equivalent != nullptr)) out += Finding(result, style);
  }
  for (const std::string& entry : report.useless_entries) {
    out += style.Bad("problem") + "  " + entry + ": the entry covers no mutant\n";
  }
  if (!out.empty()) out += "\n";
  const auto kind = [&](reference::Mutant::Kind wanted) {
    return std::count_if(report.results.begin(), report.results.end(),
                         [&](const MutantResult& one) { return one.mutant.kind == wanted; });
  };
  out += fmt::format("{}: {} of rules, {} of boundaries, {} deviations; {}\n",
                     Counted(static_cast<int64_t>(report.results.size()), "mutant"),
                     kind(reference::Mutant::Kind::kFlip), kind(reference::Mutant::Kind::kBoundary),
                     kind(reference::Mutant::Kind::kDeviation), Counted(report.cases, "case"));
  const int64_t killable = static_cast<int64_t>(report.results.size()) - report.equivalent();
  out += fmt::format("  {} killed of {}, {} equivalent, {} survive\n", report.killed(), killable, report.equivalent(),
                     report.survivors());
  out += fmt::format("  {} of the killed fail on any machine, {} where runs are on time\n", report.proofs(),
                     report.killed() - report.proofs());
  if (report.wrongly_equivalent() > 0) {
    out += fmt::format("  {} killed that spec/mutants.yaml calls equivalent\n", report.wrongly_equivalent());
  }
  return out;
}

Json MutantsJson(const MutantsReport& report) {
  Json mutants = Json::array();
  for (const MutantResult& result : report.results) {
    const reference::Mutant& mutant = result.mutant;
    Json kills = Json::array();
    for (const Kill& kill : result.kills) kills.push_back(KillJson(kill));
    Json json{{"mutant", mutant.id},     {"kind", KindName(mutant.kind)}, {"sentence", mutant.sentence},
              {"clause", mutant.clause}, {"state", StateOf(result)},      {"kills", std::move(kills)}};
    if (result.equivalent != nullptr) json["reason"] = result.equivalent->reason;
    mutants.push_back(std::move(json));
  }
  return Json{{"cases", report.cases},
              {"killed", report.killed()},
              {"proofs", report.proofs()},
              {"equivalent", report.equivalent()},
              {"survivors", report.survivors()},
              {"wrongly_equivalent", report.wrongly_equivalent()},
              {"useless_entries", report.useless_entries},
              {"mutants", std::move(mutants)}};
}

std::string NeededText(const NeededReport& report, bool each, const Style& style) {
  std::string out;
  int64_t needed = 0, purposeful = 0;
  std::map<std::string, int64_t> by_purpose;
  for (const CaseNeed& one : report.cases) {
    const bool idle = one.need.empty() && one.purposes.empty();
    needed += !one.need.empty();
    purposeful += one.need.empty() && !idle;
    for (const std::string& purpose : one.purposes) by_purpose[purpose] += one.need.empty();
    if (idle) {
      out += style.Doubtful("not needed") + "  " + style.Strong(one.case_id) +
             (one.kills == 0 ? "  kills no mutant\n"
                             : fmt::format("  others kill its {}\n", Counted(one.kills, "mutant")));
    } else if (each) {
      out += style.Strong(one.case_id) + "\n";
      if (!one.need.empty()) out += "    needed for " + one.need + "\n";
      for (const std::string& purpose : one.purposes) out += Wrap(purpose, "    ", "    ");
    }
  }
  for (const std::string& problem : report.problems) out += style.Bad("problem") + "  " + problem + "\n";
  if (!out.empty()) out += "\n";
  out += fmt::format("{}: {} needed for a mutant or a clause, {} kept for another reason, {} for nothing\n",
                     Counted(static_cast<int64_t>(report.cases.size()), "case"), needed, purposeful, report.idle());
  for (const auto& [purpose, count] : by_purpose) {
    if (count > 1) out += fmt::format("  {:>4}  {}\n", count, purpose);
  }
  return out;
}

Json NeededJson(const NeededReport& report) {
  Json cases = Json::array();
  for (const CaseNeed& one : report.cases) {
    Json json{{"case", one.case_id}, {"kills", one.kills}, {"only_here", one.only_here}, {"for", one.purposes}};
    if (!one.need.empty()) json["need"] = one.need;
    cases.push_back(std::move(json));
  }
  return Json{{"idle", report.idle()}, {"problems", report.problems}, {"cases", std::move(cases)}};
}

}  // namespace conform::reports
