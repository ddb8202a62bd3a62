#include "reports/terminal/fuzz_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/terminal/causes_report.h"
#include "reports/terminal/whatif_report.h"
#include "runners/model/case_json.h"
#include "runners/model/case_text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostShown = 5;  // programs of one reason

std::string EntryLines(const Case& c) {
  std::string out;
  if (c.entry != Entry::kScript) out += fmt::format("  entry: {}\n", EntryName(c.entry));
  if (c.pool_given) out += fmt::format("  pool: {}\n", c.pool);
  return out;
}

std::string FuzzFindingText(const FuzzReport& report, const FuzzFinding& finding, const Style& style) {
  std::string out = style.Bad("outside") + "  " + style.Strong(fmt::format("program {}", finding.number));
  out += fmt::format("  on {} of {}{}\n", finding.outside, Counted(finding.runs, "run"),
                     finding.is_shrunk ? ", made smaller" : "");
  out += EntryLines(finding.shrunk) + ProgramText(finding.shrunk.program, "    ");
  out += "  observed: " + OrderToString(finding.observed) + "\n";
  return out + "  " + report.CommandFor(finding.number) + "\n\n";
}

// Those that a cause explains, which names programs by their ids.
std::vector<const FuzzFinding*> FindingsOf(const FuzzReport& report, const Cause& cause) {
  std::vector<const FuzzFinding*> all;
  for (const FuzzFinding& finding : report.result.findings) {
    const auto& ids = cause.explains;
    if (std::find(ids.begin(), ids.end(), finding.drawn.id) != ids.end()) all.push_back(&finding);
  }
  return all;
}

std::vector<const FuzzFinding*> Unexplained(const FuzzReport& report) {
  std::vector<const FuzzFinding*> all;
  for (const FuzzFinding& finding : report.result.findings) {
    const auto is_it = [&](const auto& one) { return one.first == finding.drawn.id; };
    const auto& ids = report.causes->unexplained;
    if (std::any_of(ids.begin(), ids.end(), is_it)) all.push_back(&finding);
  }
  return all;
}

// What no change explains first; then cause by cause.
std::string GroupsText(const FuzzReport& report, const Style& style) {
  std::string out;
  if (const auto rest = Unexplained(report); !rest.empty()) {
    out += style.Doubtful("unexplained") + "  " + Counted(static_cast<int64_t>(rest.size()), "program") + "\n\n";
    for (const FuzzFinding* finding : rest) out += FuzzFindingText(report, *finding, style);
  }
  for (const Cause& cause : report.causes->causes) {
    const auto findings = FindingsOf(report, cause);
    const std::string count = Counted(static_cast<int64_t>(findings.size()), "program");
    out += CauseHeading(cause, count, kMostShown, style) + "\n";
    for (const FuzzFinding* finding : findings) out += FuzzFindingText(report, *finding, style);
  }
  return out;
}

Json NumbersOf(const std::vector<const FuzzFinding*>& findings) {
  Json numbers = Json::array();
  for (const FuzzFinding* finding : findings) numbers.push_back(finding->number);
  return numbers;
}

std::string CountsText(const std::string& name, const OrderCounts& counts) {
  std::string out = "  " + name + "\n";
  for (const auto& [order, count] : counts) {
    out += Wrap("`" + OrderToString(order) + "`", fmt::format("    {:>3} × ", count), "          ");
  }
  return out;
}

Json CountsJson(const OrderCounts& counts) {
  Json json = Json::array();
  for (const auto& [order, count] : counts) json.push_back({{"order", order}, {"count", count}});
  return json;
}

}  // namespace

std::string AgainstText(const AgainstReport& report, const Style& style) {
  std::string out;
  for (const Disagreement& one : report.findings) {
    out += style.Bad("different") + "  " + style.Strong(fmt::format("program {}", one.number)) +
           (one.is_shrunk ? "  made smaller\n" : "\n");
    out += EntryLines(one.shrunk) + ProgramText(one.shrunk.program, "    ");
    out += CountsText(report.implementation, one.ours) + CountsText(report.against, one.theirs);
    out += "  " + report.CommandFor(one.number) + "\n\n";
  }
  out += fmt::format("{} on {} and {}: seed {}, {:.1f} s{}\n", Counted(report.ran, "random program"),
                     report.implementation, report.against, report.seed,
                     static_cast<double>(report.milliseconds) / 1000, report.interrupted ? ", interrupted" : "");
  out += fmt::format("  {} in the same order\n", report.equal);
  if (report.varies > 0) out += fmt::format("  {} vary, as may come by chance\n", report.varies);
  if (!report.findings.empty()) out += style.Bad(fmt::format("  {} different", report.findings.size())) + "\n";
  if (!report.undecided.empty()) {
    out += style.Doubtful(fmt::format("  {} not decided", report.undecided.size())) + "\n";
  }
  for (size_t i = 0; i < report.undecided.size() && i < kMostShown; ++i) {
    const auto& [number, reason] = report.undecided[i];
    out += Wrap(fmt::format("program {}: {}", number, reason), "      ", "        ");
  }
  if (report.undecided.size() > kMostShown)
    out += fmt::format("      and {} more\n", report.undecided.size() - kMostShown);
  return out;
}

Json AgainstJson(const AgainstReport& report) {
  Json findings = Json::array(), undecided = Json::array();
  for (const Disagreement& one : report.findings) {
    findings.push_back({{"number", one.number},
                        {"shrunk", one.is_shrunk},
                        {"entry", EntryName(one.shrunk.entry)},
                        {"pool", one.shrunk.pool},
                        {"program", ProgramToJson(one.shrunk.program)},
                        {"text", ProgramText(one.shrunk.program, "")},
                        {"orders", CountsJson(one.ours)},
                        {"orders_against", CountsJson(one.theirs)},
                        {"reproduce", report.CommandFor(one.number)}});
  }
  for (const auto& [number, reason] : report.undecided) {
    undecided.push_back({{"number", number}, {"reason", reason}, {"reproduce", report.CommandFor(number)}});
  }
  return Json{{"implementation", report.implementation},
              {"against", report.against},
              {"profile", report.profile},
              {"seed", report.seed},
              {"generator", kGeneratorVersion},
              {"programs", report.ran},
              {"equal", report.equal},
              {"varies", report.varies},
              {"different", report.findings.size()},
              {"undecided", report.undecided.size()},
              {"milliseconds", report.milliseconds},
              {"interrupted", report.interrupted},
              {"findings", std::move(findings)},
              {"not_decided", std::move(undecided)}};
}

std::string FuzzText(const FuzzReport& report, const Style& style) {
  const FuzzResult& result = report.result;
  std::string out;
  if (report.causes) {
    out += GroupsText(report, style);
  } else {
    for (const FuzzFinding& finding : result.findings) out += FuzzFindingText(report, finding, style);
  }
  out += fmt::format("{} on {}, held to {}: seed {}, {:.1f} s{}\n", Counted(result.ran, "random program"),
                     report.implementation, report.profile, report.seed,
                     static_cast<double>(result.milliseconds) / 1000, result.interrupted ? ", interrupted" : "");
  out += fmt::format("  {} in the late set\n", result.inside);
  if (!result.findings.empty()) out += style.Bad(fmt::format("  {} outside", result.findings.size())) + "\n";
  if (result.undecided > 0) {
    out += style.Doubtful(fmt::format("  {} not decided", result.undecided)) + "\n";
  }
  for (const auto& [why, programs] : result.why_undecided) {
    out += fmt::format("    {} {}\n", programs.size(), UndecidedName(why));
    for (size_t i = 0; i < programs.size() && i < kMostShown; ++i) {
      out += Wrap(fmt::format("program {}: {}", programs[i].first, programs[i].second), "      ", "        ");
    }
    if (programs.size() > kMostShown) out += fmt::format("      and {} more\n", programs.size() - kMostShown);
  }
  return out;
}

Json FuzzJson(const FuzzReport& report) {
  const FuzzResult& result = report.result;
  Json findings = Json::array();
  for (const FuzzFinding& finding : result.findings) {
    findings.push_back({{"number", finding.number},
                        {"shrunk", finding.is_shrunk},
                        {"entry", EntryName(finding.shrunk.entry)},
                        {"pool", finding.shrunk.pool},
                        {"program", ProgramToJson(finding.shrunk.program)},
                        {"text", ProgramText(finding.shrunk.program, "")},
                        {"observed", finding.observed},
                        {"outside", finding.outside},
                        {"runs", finding.runs},
                        {"reproduce", report.CommandFor(finding.number)}});
  }
  Json undecided = Json::array();
  for (const auto& [why, programs] : result.why_undecided) {
    for (const auto& [number, reason] : programs) {
      undecided.push_back({{"number", number},
                           {"why", UndecidedName(why)},
                           {"reason", reason},
                           {"reproduce", report.CommandFor(number)}});
    }
  }
  Json causes = Json::array();
  if (report.causes) {
    for (const Cause& cause : report.causes->causes) {
      Json alternatives = Json::array();
      for (const RuleChange& other : cause.alternatives) alternatives.push_back(RuleChangeJson(other));
      causes.push_back({{"change", RuleChangeJson(cause.change)},
                        {"cannot_be_told_apart_from", std::move(alternatives)},
                        {"numbers", NumbersOf(FindingsOf(report, cause))}});
    }
  }
  return Json{{"implementation", report.implementation},
              {"profile", report.profile},
              {"seed", report.seed},
              {"generator", kGeneratorVersion},
              {"programs", result.ran},
              {"inside", result.inside},
              {"outside", result.findings.size()},
              {"undecided", result.undecided},
              {"milliseconds", result.milliseconds},
              {"interrupted", result.interrupted},
              {"findings", std::move(findings)},
              {"causes", std::move(causes)},
              {"unexplained", report.causes ? NumbersOf(Unexplained(report)) : Json::array()},
              {"not_decided", std::move(undecided)}};
}

}  // namespace conform::reports
