#include "reports/terminal/survey_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

// Answers up to this width are beside the loops, longer ones above them.
constexpr size_t kAnswerWidth = 16;
constexpr size_t kMaxOrdersOfRule = 4;

std::string Group(const SurveyTable::Group& group) {
  const std::string indent(kAnswerWidth + 6, ' ');
  const std::string loops = Join(group.loops, ", ");
  if (Columns(group.words) <= kAnswerWidth) {
    return Wrap(loops, "    " + Padded(group.words, kAnswerWidth) + "  ", indent);
  }
  return Wrap(group.words, "    ", "      ") + Wrap(loops, indent, indent);
}

std::string Details(const SurveyTable& table, const SurveyTable::Row& row) {
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
  if (!row.question.cases.empty()) out += Wrap("judged by: " + Join(row.question.cases, ", "), "  ", "    ");
  return out;
}

}  // namespace

std::string SurveyText(const SurveyTable& table, bool details, const Style& style) {
  std::string out;
  for (const SurveyTable::Row& row : table.rows) {
    if (!out.empty()) out += "\n";
    out += style.Strong(row.question.id) + "\n" + Wrap(row.question.text, "  ", "  ");
    const auto groups = table.GroupsOf(row);
    for (const SurveyTable::Group& group : groups) out += Group(group);
    if (groups.empty()) out += "    no loop here has such steps\n";
    if (details) out += Details(table, row);
  }
  out += fmt::format("\n{}, {}, {} of each\n", Counted(static_cast<int64_t>(table.rows.size()), "question"),
                     Counted(static_cast<int64_t>(table.loops.size()), "loop"), Counted(table.repeat, "run"));
  if (!table.missing.empty()) out += "not here:\n";
  for (const SurveyTable::Missing& one : table.missing) {
    const std::string what = one.install.empty() ? one.why : one.why + "; apt install " + one.install;
    out += Wrap(what, "  " + Padded(one.name, kAnswerWidth) + "  ", std::string(kAnswerWidth + 4, ' '));
  }
  return out;
}

}  // namespace conform::reports
