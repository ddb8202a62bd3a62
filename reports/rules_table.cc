#include "reports/rules_table.h"

#include <algorithm>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

// Orders of one program on one loop that are kept.
constexpr size_t kMaxOrders = 8;

using State = LoopAnswer::State;

// Where an answer stands among others: by the rule, then others, then what is no answer.
size_t PlaceOf(const LoopRule& rule, const LoopAnswer& answer) {
  size_t place = 0;
  while (place < rule.answers.size() && rule.answers[place].words != answer.words) ++place;
  return place + (answer.state == State::kAnswered ? 0 : 1 + static_cast<size_t>(answer.state));
}

std::string Words(const LoopAnswer& answer) {
  return answer.state == State::kVaries ? "varies: " + Join(answer.varied, ", ") : answer.words;
}

// In a cell of a table.
std::string RuleCell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string Short(const LoopAnswer& answer) {
  switch (answer.state) {
    case State::kAnswered:
    case State::kVaries:
    case State::kUndecided:
      return answer.words;
    case State::kUnsupported:
      return "–";
    case State::kTrouble:
      return "?";
  }
  CONFORM_CHECK(false);
}

std::string SectionOf(const RulesTable& table, const RulesTable::Row& row, size_t number) {
  const LoopRule& rule = row.rule;
  std::string out = "\n## " + std::to_string(number) + ". " + rule.id + "\n\n" + rule.question + "\n";
  if (!rule.why.empty()) out += "\n" + rule.why + "\n";
  out += "\n| answer | loops |\n| --- | --- |\n";
  for (const RulesTable::Group& group : table.GroupsOf(row)) {
    out += "| " + RuleCell(group.words) + " | " + RuleCell(Join(group.loops, ", ")) + " |\n";
  }
  // Each way to ask, and who was asked in this way.
  std::vector<std::pair<std::string, std::vector<std::string>>> asked;
  for (const std::string& loop : table.loops) {
    const auto found = row.answers.find(loop);
    if (found == row.answers.end() || found->second.state == State::kUnsupported) continue;
    const auto same =
        std::find_if(asked.begin(), asked.end(), [&](const auto& one) { return one.first == found->second.program; });
    if (same == asked.end()) {
      asked.push_back({found->second.program, {loop}});
    } else {
      same->second.push_back(loop);
    }
  }
  for (const auto& [program, loops] : asked) {
    out += "\n```yaml\n" + program + "```\n";
    if (asked.size() > 1) out += "\n" + Join(loops, ", ") + "\n";
  }
  if (!rule.cases.empty()) {
    std::vector<std::string> links;
    for (const std::string& id : rule.cases) links.push_back("[" + id + "](../cases/" + id + ".yaml)");
    out += "\nJudged by: " + Join(links, ", ") + "\n";
  }
  return out;
}

std::string Matrix(const RulesTable& table) {
  std::string head = "| loop |", line = "| --- |";
  for (size_t i = 1; i <= table.rows.size(); ++i) {
    head += " " + std::to_string(i) + " |";
    line += " --- |";
  }
  std::string out = head + "\n" + line + "\n";
  for (const std::string& loop : table.loops) {
    out += "| " + loop + " |";
    for (const RulesTable::Row& row : table.rows) {
      const auto found = row.answers.find(loop);
      out += " " + (found == row.answers.end() ? "" : RuleCell(Short(found->second))) + " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::vector<RulesTable::Group> RulesTable::GroupsOf(const Row& row) const {
  struct Placed {
    size_t place;
    Group group;
  };
  std::vector<Placed> placed;
  for (const std::string& loop : loops) {
    const auto found = row.answers.find(loop);
    if (found == row.answers.end() || found->second.state == State::kUnsupported) continue;
    const std::string words = Words(found->second);
    const auto same =
        std::find_if(placed.begin(), placed.end(), [&](const Placed& p) { return p.group.words == words; });
    if (same == placed.end()) {
      placed.push_back({PlaceOf(row.rule, found->second), {words, {loop}}});
    } else {
      same->group.loops.push_back(loop);
    }
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.place < b.place; });
  std::vector<Group> groups;
  for (Placed& p : placed) groups.push_back(std::move(p.group));
  return groups;
}

std::string_view StateName(State state) {
  switch (state) {
    case State::kAnswered:
      return "answered";
    case State::kVaries:
      return "varies";
    case State::kUndecided:
      return "undecided";
    case State::kUnsupported:
      return "unsupported";
    case State::kTrouble:
      return "trouble";
  }
  CONFORM_CHECK(false);
}

nlohmann::ordered_json RulesJson(const RulesTable& table) {
  Json rules = Json::array();
  for (const RulesTable::Row& row : table.rows) {
    Json answers = Json::object();
    for (const std::string& loop : table.loops) {
      const auto found = row.answers.find(loop);
      if (found == row.answers.end()) continue;
      const LoopAnswer& answer = found->second;
      Json one{{"state", StateName(answer.state)}, {"answer", answer.words}};
      if (!answer.varied.empty()) one["varied"] = answer.varied;
      if (!answer.program.empty()) one["program"] = answer.program;
      Json orders = Json::array();
      for (size_t i = 0; i < answer.orders.size() && i < kMaxOrders; ++i) {
        orders.push_back({{"order", answer.orders[i].first}, {"count", answer.orders[i].second}});
      }
      if (answer.orders.size() > kMaxOrders) one["more_orders"] = answer.orders.size() - kMaxOrders;
      one["orders"] = std::move(orders);
      answers[loop] = std::move(one);
    }
    rules.push_back({{"rule", row.rule.id},
                     {"question", row.rule.question},
                     {"why", row.rule.why},
                     {"cases", row.rule.cases},
                     {"answers", std::move(answers)}});
  }
  Json missing = Json::array();
  for (const RulesTable::Missing& one : table.missing) {
    missing.push_back({{"name", one.name}, {"why", one.why}, {"install", one.install}});
  }
  return {
      {"repeat", table.repeat}, {"loops", table.loops}, {"missing", std::move(missing)}, {"rules", std::move(rules)}};
}

std::string RulesMarkdown(const RulesTable& table, const std::string& command) {
  std::string out =
      "# Rules by loop\n\nWhat each loop does, seen by running. Nothing here is judged: where a loop's documentation "
      "promises "
      "an order, the\ncases that judge it are named. [rules.md](rules.md) says how the questions are asked, and why "
      "the answers "
      "do not depend on how\nfast a machine is.\n\nMade by `" +
      command + "`, " + std::to_string(table.repeat) + " runs of each program on each loop.\n\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const RulesTable::Row& row = table.rows[i];
    out += std::to_string(i + 1) + ". [" + row.rule.id + "](#" + std::to_string(i + 1) + "-" + row.rule.id +
           "): " + row.rule.question + "\n";
  }
  out += "\n" + Matrix(table) + "\nA dash: the loop has no such steps.\n";
  for (size_t i = 0; i < table.rows.size(); ++i) out += SectionOf(table, table.rows[i], i + 1);
  return out;
}

}  // namespace conform::reports
