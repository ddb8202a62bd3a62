#include "reports/terminal/mutants_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace conform {
namespace {

using Json = nlohmann::ordered_json;

template <typename Condition>
int64_t CountOf(const std::vector<MutantResult>& results, Condition condition) {
  return std::count_if(results.begin(), results.end(), condition);
}

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

std::string_view StateName(const MutantResult& result) {
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

int64_t MutantsReport::killed() const {
  return CountOf(results, [](const MutantResult& one) { return one.Killed() && one.equivalent == nullptr; });
}
int64_t MutantsReport::proofs() const {
  return CountOf(results, [](const MutantResult& one) {
    const bool proof = std::any_of(one.kills.begin(), one.kills.end(), [](const Kill& kill) { return kill.proof; });
    return proof && one.equivalent == nullptr;
  });
}
int64_t MutantsReport::equivalent() const {
  return CountOf(results, [](const MutantResult& one) { return !one.Killed() && one.equivalent != nullptr; });
}
int64_t MutantsReport::survivors() const {
  return CountOf(results, [](const MutantResult& one) { return one.Survives(); });
}
int64_t MutantsReport::wrongly_equivalent() const {
  return CountOf(results, [](const MutantResult& one) { return one.Killed() && one.equivalent != nullptr; });
}

int MutantsReport::ExitCode() const {
  const bool fine = survivors() == 0 && wrongly_equivalent() == 0 && useless_entries.empty();
  return fine ? kAllAsExpected : kJudgement;
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
    return CountOf(report.results, [&](const MutantResult& one) { return one.mutant.kind == wanted; });
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
              {"clause", mutant.clause}, {"state", StateName(result)},    {"kills", std::move(kills)}};
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

}  // namespace conform
