#include "reports/survey_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

// Orders of one program on one loop that are kept.
constexpr size_t kMaxOrders = 8;

using State = LoopAnswer::State;

// Where an answer comes among others: by the question, then others, then what is not an answer.
size_t PlaceOf(const SurveyQuestion& question, const LoopAnswer& answer) {
  size_t place = 0;
  while (place < question.answers.size() && question.answers[place].words != answer.words) ++place;
  return place + (answer.state == State::kAnswered ? 0 : 1 + static_cast<size_t>(answer.state));
}

std::string Words(const LoopAnswer& answer) {
  return answer.state == State::kVaries ? "varies: " + Join(answer.varied, ", ") : answer.words;
}

// In a cell of a table.
std::string SurveyCell(const std::string& text) {
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

std::string SectionOf(const SurveyTable& table, const SurveyTable::Row& row, size_t number) {
  const SurveyQuestion& question = row.question;
  std::string out = "\n## " + std::to_string(number) + ". " + question.id + "\n\n" + question.text + "\n";
  if (!question.why.empty()) out += "\n" + question.why + "\n";
  out += "\n| answer | loops |\n| --- | --- |\n";
  for (const SurveyTable::Group& group : table.GroupsOf(row)) {
    out += "| " + SurveyCell(group.words) + " | " + SurveyCell(Join(group.loops, ", ")) + " |\n";
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
  if (!question.cases.empty()) {
    std::vector<std::string> links;
    for (const std::string& id : question.cases) links.push_back("[" + id + "](../cases/" + id + ".yaml)");
    out += "\nJudged by: " + Join(links, ", ") + "\n";
  }
  return out;
}

std::string Matrix(const SurveyTable& table) {
  std::string head = "| loop |", line = "| --- |";
  for (size_t i = 1; i <= table.rows.size(); ++i) {
    head += " " + std::to_string(i) + " |";
    line += " --- |";
  }
  std::string out = head + "\n" + line + "\n";
  for (const std::string& loop : table.loops) {
    out += "| " + loop + " |";
    for (const SurveyTable::Row& row : table.rows) {
      const auto found = row.answers.find(loop);
      out += " " + (found == row.answers.end() ? "" : SurveyCell(Short(found->second))) + " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::vector<SurveyTable::Group> SurveyTable::GroupsOf(const Row& row) const {
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
      placed.push_back({PlaceOf(row.question, found->second), {words, {loop}}});
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

nlohmann::ordered_json SurveyJson(const SurveyTable& table) {
  Json questions = Json::array();
  for (const SurveyTable::Row& row : table.rows) {
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
    questions.push_back({{"rule", row.question.id},
                         {"question", row.question.text},
                         {"why", row.question.why},
                         {"cases", row.question.cases},
                         {"answers", std::move(answers)}});
  }
  Json missing = Json::array();
  for (const SurveyTable::Missing& one : table.missing) {
    missing.push_back({{"name", one.name}, {"why", one.why}, {"install", one.install}});
  }
  return {{"repeat", table.repeat},
          {"loops", table.loops},
          {"missing", std::move(missing)},
          {"rules", std::move(questions)}};
}

std::string SurveyMarkdown(const SurveyTable& table, const std::string& command) {
  std::string out =
      "# The survey: answers by loop\n\n"
      "What each loop does, found by running it. Nothing here is judged: where a loop's documentation promises an "
      "order,\n"
      "the cases that judge it are named. [survey.md](survey.md) describes how the questions are put, and why the\n"
      "answers do not depend on the speed of the machine.\n\nMade by `" +
      command + "`, " + std::to_string(table.repeat) + " runs of each program on each loop.\n\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const SurveyTable::Row& row = table.rows[i];
    out += std::to_string(i + 1) + ". [" + row.question.id + "](#" + std::to_string(i + 1) + "-" + row.question.id +
           "): " + row.question.text + "\n";
  }
  out += "\n" + Matrix(table) + "\nA dash: the loop has no such steps.\n";
  for (size_t i = 0; i < table.rows.size(); ++i) out += SectionOf(table, table.rows[i], i + 1);
  return out;
}

}  // namespace conform::reports
