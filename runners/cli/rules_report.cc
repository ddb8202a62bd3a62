#include "runners/cli/rules_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "runners/base/text.h"

namespace conform {
namespace {

// Answers up to this width stand beside the loops, longer ones above them.
constexpr size_t kAnswerWidth = 16;
constexpr size_t kMaxOrdersOfRule = 4;

std::string Group(const reports::RulesTable::Group& group) {
  const std::string indent(kAnswerWidth + 6, ' ');
  const std::string loops = Join(group.loops, ", ");
  if (Columns(group.words) <= kAnswerWidth) {
    return Wrap(loops, "    " + Padded(group.words, kAnswerWidth) + "  ", indent);
  }
  return Wrap(group.words, "    ", "      ") + Wrap(loops, indent, indent);
}

std::string Details(const reports::RulesTable& table, const reports::RulesTable::Row& row) {
  std::string out, program;
  for (const std::string& loop : table.loops) {
    const auto found = row.answers.find(loop);
    if (found == row.answers.end()) continue;
    const LoopAnswer& answer = found->second;
    if (answer.state == LoopAnswer::State::kUnsupported) {
      out += Wrap(answer.words, "    ", "      ");
      continue;
    }
    if (answer.program != program) out += "  program:\n" + (program = answer.program);
    out += "    " + loop + "\n";
    for (size_t i = 0; i < answer.orders.size() && i < kMaxOrdersOfRule; ++i) {
      const std::string times = fmt::format("    {:>6} × ", answer.orders[i].second);
      out += Wrap(answer.orders[i].first, times, std::string(Columns(times), ' '));
    }
    if (answer.orders.size() > kMaxOrdersOfRule) {
      out += fmt::format("           and {} more orders\n", answer.orders.size() - kMaxOrdersOfRule);
    }
  }
  if (!row.rule.cases.empty()) out += Wrap("judged by: " + Join(row.rule.cases, ", "), "  ", "    ");
  return out;
}

}  // namespace

std::string RulesText(const reports::RulesTable& table, bool details, const Style& style) {
  std::string out;
  for (const reports::RulesTable::Row& row : table.rows) {
    if (!out.empty()) out += "\n";
    out += style.Strong(row.rule.id) + "\n" + Wrap(row.rule.question, "  ", "  ");
    const auto groups = table.GroupsOf(row);
    for (const reports::RulesTable::Group& group : groups) out += Group(group);
    if (groups.empty()) out += "    no loop here has such steps\n";
    if (details) out += Details(table, row);
  }
  out += fmt::format("\n{}, {}, {} of each\n", Counted(static_cast<int64_t>(table.rows.size()), "rule"),
                     Counted(static_cast<int64_t>(table.loops.size()), "loop"), Counted(table.repeat, "run"));
  if (!table.missing.empty()) out += "not here:\n";
  for (const reports::RulesTable::Missing& one : table.missing) {
    const std::string what = one.install.empty() ? one.why : one.why + "; apt install " + one.install;
    out += Wrap(what, "  " + Padded(one.name, kAnswerWidth) + "  ", std::string(kAnswerWidth + 4, ' '));
  }
  return out;
}

}  // namespace conform
