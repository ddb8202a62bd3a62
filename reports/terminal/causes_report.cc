#include "reports/terminal/causes_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/terminal/whatif_report.h"
#include "runners/model/case_json.h"
#include "runners/model/case_text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string Names(const std::vector<std::string>& names, size_t limit) {
  const std::vector<std::string> shown(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(limit, names.size())));
  return Join(shown, ", ") + (names.size() > limit ? fmt::format(" and {} more", names.size() - limit) : "");
}

std::vector<std::string> NamesOf(const std::vector<RuleChange>& changes) {
  std::vector<std::string> names;
  for (const RuleChange& change : changes) names.push_back(change.Name());
  return names;
}

int64_t CountOf(const std::vector<std::string>& names) { return static_cast<int64_t>(names.size()); }

// A single case may fail for a reason that no hypothesis has, and fit one by chance.
bool IsWeak(const Cause& cause) { return cause.explains.size() <= 1; }

std::string ProgramLines(const Case& c, const std::string& indent) {
  std::string out;
  if (c.entry != Entry::kScript) out += indent + "entry: " + std::string(EntryName(c.entry)) + "\n";
  if (c.pool_given) out += indent + fmt::format("pool: {}\n", c.pool);
  return out + ProgramText(c.program, indent);
}

// Those that one program ruled out.
struct ToldTogether {
  std::vector<std::string> names;
  const ToldApart* first;
};

std::vector<ToldTogether> ByProgram(const Cause& cause) {
  std::vector<ToldTogether> all;
  std::vector<std::string> programs;
  for (const ToldApart& one : cause.told_apart) {
    const std::string program = ProgramLines(one.program, "");
    const auto at = std::find(programs.begin(), programs.end(), program);
    if (at == programs.end()) {
      programs.push_back(program);
      all.push_back({{one.change.Name()}, &one});
    } else {
      all[static_cast<size_t>(at - programs.begin())].names.push_back(one.change.Name());
    }
  }
  return all;
}

std::string ConfirmationText(const Confirmation& confirmation, const std::string& what) {
  std::string out = fmt::format("{} in {} of {}", what, confirmation.as_predicted,
                                Counted(confirmation.runs, "fresh process", "fresh processes"));
  if (!confirmation.confirmed()) out += ", another gives `" + OrderToString(confirmation.other) + "`";
  return out;
}

std::string CauseText(const Cause& cause, const CausesReport& report, size_t limit, const Style& style) {
  std::string out = CauseHeading(cause, Counted(CountOf(cause.explains), "case"), limit, style);
  for (const ToldTogether& told : ByProgram(cause)) {
    out += Wrap(Names(told.names, limit) +
                    fmt::format("; here {} gives `{}`:", report.implementation, OrderToString(told.first->given)),
                "    told apart from: ", "      ");
    out += ProgramLines(told.first->program, "        ");
  }
  if (!cause.without_delay.empty()) {
    out += Wrap(Names(cause.without_delay, limit), "    gives without a delay what passes late: ", "      ");
  }
  if (cause.explains.empty()) {
    // One of two that were taken together may only take back what the other contradicts.
    if (cause.without_delay.empty()) {
      out += "    explains nothing alone: without it, others would contradict what passes\n";
    }
    return out;
  }
  out += Wrap(Names(cause.explains, limit), "    explains: ", "      ");
  if (!cause.mends.empty()) {
    out += Wrap(fmt::format("fixing this alone mends {}: {}", cause.mends.size(), Names(cause.mends, limit)), "    ",
                "      ");
  }
  if (cause.program) {
    out += "    smallest program:\n" + ProgramLines(*cause.program, "        ");
    out += fmt::format("      {} gives `{}`, {} `{}`\n", report.profile, OrderToString(cause.expected),
                       report.implementation, OrderToString(cause.given));
  }
  if (cause.confirmation) out += Wrap(ConfirmationText(*cause.confirmation, "confirmed"), "      ", "      ");
  if (cause.alone) out += Wrap(ConfirmationText(*cause.alone, "as a stand-alone program"), "      ", "      ");
  for (const KnownReport& one : cause.reports) {
    out += Wrap(one.about + ":", "    reported: ", "      ") + "      " + one.report + "\n";
  }
  const std::string& shown = cause.program ? cause.made_from : cause.explains.front();
  return out + "    conform show " + Quoted(shown) + " --as=js\n";
}

std::string Sum(const CausesReport& report) {
  const auto strong =
      std::count_if(report.causes.begin(), report.causes.end(), [](const Cause& cause) { return !IsWeak(cause); });
  std::string out = fmt::format("{}, held to {}: {} with a model fail, {} pass\n", report.implementation,
                                report.profile, Counted(report.failing, "case"), report.passing);
  if (report.failing > 0) {
    const auto explaining = [](int64_t count) { return count == 1 ? "explains" : "explain"; };
    const auto causes = static_cast<int64_t>(report.causes.size());
    out += fmt::format("  {} {} {} of the {} that fail ({} {} more than one), {} unexplained\n",
                       Counted(causes, "cause"), explaining(causes), report.explained(), report.failing, strong,
                       explaining(strong), report.unexplained.size());
  }
  if (!report.release.empty()) {
    out += fmt::format("  the values of {} explain most, and the search began with them\n", report.release);
  }
  if (report.at_limit) out += "  there are as many causes as --causes allows: there may be more\n";
  if (!report.contradicted.empty()) {
    out += fmt::format("  they contradict {} of the {} that pass\n", report.contradicted.size(), report.passing);
  }
  if (!report.without_model.empty()) {
    out += fmt::format("  {} without a model, where nothing can be asked\n",
                       Counted(CountOf(report.without_model), "failing case"));
  }
  if (!report.without_orders.empty()) {
    out += fmt::format("  {} without an order: timeouts, crashes, missing functions\n",
                       Counted(CountOf(report.without_orders), "case"));
  }
  if (report.undecided > 0)
    out += fmt::format("  {} not decided within the limits\n", Counted(report.undecided, "case"));
  if (report.older > 0) {
    out += fmt::format("  {} left out: of other versions of a case\n", Counted(report.older, "result"));
  }
  if (report.interrupted) out += "  interrupted: there may be more causes\n";
  return out;
}

Json ProgramJson(const Cause& cause) {
  return {{"from", cause.made_from},
          {"steps", Split(Trim(ProgramLines(*cause.program, "")), '\n')},
          {"expected", cause.expected},
          {"given", cause.given},
          {"script", cause.script}};
}

std::string CodeList(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) parts.push_back(MarkdownCode(name));
  return Join(parts, ", ");
}

std::string CauseMarkdown(const Cause& cause, const CausesReport& report, const std::string& address) {
  const RuleChange& change = cause.change;
  std::string out = fmt::format("### {}\n\n", change.Sentence());
  out += fmt::format("Rule {}: {}, where {} has {}. Clause {}.\n\n", MarkdownCode(change.rule), MarkdownCode(change.to),
                     MarkdownCode(report.profile), MarkdownCode(change.from), MarkdownCode(change.clause));
  if (cause.program) {
    out += "```\n" + ProgramLines(*cause.program, "") + "```\n\n";
    out += fmt::format("{} gives {}; {} gives {}.", MarkdownCode(report.profile),
                       MarkdownCode(OrderToString(cause.expected)), MarkdownCode(report.implementation),
                       MarkdownCode(OrderToString(cause.given)));
  }
  if (cause.confirmation) out += " This is " + ConfirmationText(*cause.confirmation, "confirmed") + ".";
  if (cause.program) out += "\n\n";
  if (!address.empty()) out += "[Open the program in the playground](" + address + ")\n\n";
  if (!cause.script.empty()) {
    const std::string confirmed = cause.alone ? ", " + ConfirmationText(*cause.alone, "confirmed") : "";
    out += "<details><summary>Stand-alone program" + confirmed + "</summary>\n\n```js\n" + cause.script +
           "```\n\n</details>\n\n";
  } else if (cause.program || !cause.explains.empty()) {
    const std::string& shown = cause.program ? cause.made_from : cause.explains.front();
    out += "As a stand-alone program: " + MarkdownCode("conform show " + Quoted(shown) + " --as=js") + "\n\n";
  }
  if (!cause.alternatives.empty()) out += "Indistinguishable from " + CodeList(NamesOf(cause.alternatives)) + "\n\n";
  if (!cause.reports.empty()) {
    out += "Reports:\n\n";
    for (const KnownReport& one : cause.reports) out += "- " + one.about + ": <" + one.report + ">\n";
    out += "\n";
  }
  for (const ToldTogether& told : ByProgram(cause)) {
    out += fmt::format("Told apart from {} by this program, for which {} gives {}:\n\n```\n{}```\n\n",
                       CodeList(told.names), MarkdownCode(report.implementation),
                       MarkdownCode(OrderToString(told.first->given)), ProgramLines(told.first->program, ""));
  }
  if (!cause.explains.empty()) {
    out += fmt::format("Explains {}: {}\n\n", Counted(CountOf(cause.explains), "case"), CodeList(cause.explains));
  }
  if (!cause.without_delay.empty()) {
    out += fmt::format("Gives without a delay what passes late in {}: {}\n\n",
                       Counted(CountOf(cause.without_delay), "case"), CodeList(cause.without_delay));
  }
  if (!cause.mends.empty()) {
    out +=
        fmt::format("Fixing this alone mends {}: {}\n\n", Counted(CountOf(cause.mends), "case"), CodeList(cause.mends));
  }
  return out;
}

}  // namespace

std::string CauseHeading(const Cause& cause, const std::string& how_many, size_t limit, const Style& style) {
  std::string out = style.Bad("cause") + "  " + style.Strong(cause.change.Name()) + "  " + how_many + "\n";
  out += RuleChangeText(cause.change, "    ") + "    clause: " + cause.change.clause + "\n";
  if (cause.alternatives.empty()) return out;
  return out + Wrap(Names(NamesOf(cause.alternatives), limit), "    indistinguishable from: ", "      ");
}

std::string CausesText(const CausesReport& report, size_t limit, const Style& style) {
  std::string out;
  for (size_t i = 0; i < std::min(limit, report.unexplained.size()); ++i) {
    const auto& [id, order] = report.unexplained[i];
    out += style.Doubtful("unexplained") + "  " + style.Strong(id) + "\n";
    out += Wrap("`" + OrderToString(order) + "`", "    observed: ", "      ");
  }
  if (report.unexplained.size() > limit) out += fmt::format("and {} more\n", report.unexplained.size() - limit);
  if (!report.unexplained.empty()) out += "\n";
  bool has_weak = false;
  for (const bool weak : {false, true}) {
    for (const Cause& cause : report.causes) {
      if (IsWeak(cause) != weak) continue;
      if (weak && !has_weak) out += "Causes that explain one case only:\n\n";
      has_weak = weak;
      out += CauseText(cause, report, limit, style) + "\n";
    }
  }
  if (!report.contradicted.empty()) {
    out += Wrap(Names(report.contradicted, limit), "contradicted: ", "  ") + "\n";
  }
  return out + Sum(report);
}

std::string CausesMarkdown(const CausesReport& report, const std::function<std::string(const Case&)>& address) {
  std::string out =
      fmt::format("## Why {} fails as {}\n\n", MarkdownCode(report.implementation), MarkdownCode(report.profile));
  for (const std::string& line : Split(Trim(Sum(report)), '\n')) out += "- " + std::string(Trim(line)) + "\n";
  out += "\n";
  if (!report.unexplained.empty()) {
    out += "### Unexplained\n\n| case | observed |\n| --- | --- |\n";
    for (const auto& [id, order] : report.unexplained) {
      out += fmt::format("| {} | {} |\n", MarkdownCell(id), MarkdownCell(OrderToString(order)));
    }
    out += "\n";
  }
  bool has_weak = false;
  for (const bool weak : {false, true}) {
    for (const Cause& cause : report.causes) {
      if (IsWeak(cause) != weak) continue;
      if (weak && !has_weak) out += "## Causes that explain one case only\n\n";
      has_weak = weak;
      out += CauseMarkdown(cause, report, address && cause.program ? address(*cause.program) : "");
    }
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string CauseTruthText(const CauseTruth& truth, size_t limit) {
  const auto causes = truth.right + static_cast<int64_t>(truth.wrong.size());
  std::string out =
      fmt::format("It follows {}, where {} have another value:\n", truth.follows, Counted(truth.differing, "rule"));
  out += fmt::format("  {} of {} right, {} of {} visible differences named\n", truth.right, Counted(causes, "cause"),
                     truth.named(), truth.visible.size());
  if (!truth.wrong.empty()) out += Wrap(Names(NamesOf(truth.wrong), limit), "  wrong: ", "    ");
  size_t missed = 0;
  for (const VisibleRules& rules : truth.visible) {
    if (rules.is_named || missed++ >= limit) continue;
    out += Wrap(Join(NamesOf(rules.changes), " or ") + ", in " + Names(rules.cases, limit), "  missed: ", "    ");
  }
  if (missed > limit) out += fmt::format("  and {} more\n", missed - limit);
  return out;
}

Json CauseTruthJson(const CauseTruth& truth) {
  Json visible = Json::array();
  for (const VisibleRules& rules : truth.visible) {
    visible.push_back({{"changes", NamesOf(rules.changes)}, {"cases", rules.cases}, {"named", rules.is_named}});
  }
  return {{"follows", truth.follows},      {"differing", truth.differing},  {"right", truth.right},
          {"wrong", NamesOf(truth.wrong)}, {"visible", std::move(visible)}, {"not_decided", truth.not_decided}};
}

Json CausesJson(const CausesReport& report) {
  Json unexplained = Json::array(), causes = Json::array();
  for (const auto& [id, order] : report.unexplained) unexplained.push_back({{"case", id}, {"order", order}});
  for (const Cause& cause : report.causes) {
    Json alternatives = Json::array();
    for (const RuleChange& other : cause.alternatives) alternatives.push_back(RuleChangeJson(other));
    Json told_apart = Json::array();
    for (const ToldApart& one : cause.told_apart) {
      told_apart.push_back({{"change", RuleChangeJson(one.change)},
                            {"steps", Split(Trim(ProgramLines(one.program, "")), '\n')},
                            {"given", one.given}});
    }
    Json json{{"change", RuleChangeJson(cause.change)},   {"cannot_be_told_apart_from", std::move(alternatives)},
              {"told_apart_from", std::move(told_apart)}, {"explains", cause.explains},
              {"without_delay", cause.without_delay},     {"mends", cause.mends}};
    for (const KnownReport& one : cause.reports) {
      json["reports"].push_back({{"report", one.report}, {"about", one.about}});
    }
    if (cause.program) json["program"] = ProgramJson(cause);
    if (cause.confirmation) {
      json["confirmation"] = {{"runs", cause.confirmation->runs}, {"as_predicted", cause.confirmation->as_predicted}};
    }
    if (cause.alone) {
      json["alone"] = {{"runs", cause.alone->runs}, {"as_predicted", cause.alone->as_predicted}};
    }
    causes.push_back(std::move(json));
  }
  return {{"implementation", report.implementation},
          {"profile", report.profile},
          {"release", report.release},
          {"failing", report.failing},
          {"explained", report.explained()},
          {"passing", report.passing},
          {"unexplained", std::move(unexplained)},
          {"causes", std::move(causes)},
          {"contradicted", report.contradicted},
          {"without_model", report.without_model},
          {"without_orders", report.without_orders},
          {"older", report.older},
          {"undecided", report.undecided},
          {"at_limit", report.at_limit},
          {"interrupted", report.interrupted}};
}

std::string CausePredictionText(const CausePrediction& prediction) {
  return fmt::format(
      "Of the half that was withheld, they explain {} of the {} that fail,\nand contradict {} of the {} "
      "that pass.\n",
      prediction.explained, prediction.failing, prediction.contradicted, prediction.passing);
}

Json CausePredictionJson(const CausePrediction& prediction) {
  return {{"seed", prediction.seed},
          {"failing", prediction.failing},
          {"explained", prediction.explained},
          {"passing", prediction.passing},
          {"contradicted", prediction.contradicted}};
}

}  // namespace conform::reports
