#include "reports/terminal/explore_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/terminal/program_block.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

// A run of a thousand labels is understood from its beginning.
constexpr size_t kMaxRowsShown = 100;
constexpr size_t kMaxChoicesShown = 30;

bool SameRow(const TraceEvent& a, const TraceEvent& b) {
  return a.label == b.label && a.phase == b.phase && a.iteration == b.iteration && a.clause == b.clause;
}

std::string Rest(size_t all, size_t shown, std::string_view what) {
  return all > shown ? fmt::format("     and {} more {}\n", all - shown, what) : "";
}

std::string EventTable(const Trace& trace) {
  struct Row {
    std::string iteration, phase, label, clause;
  };
  std::vector<Row> rows{{"turn", "phase", "label", "clause"}};
  const auto& events = trace.events;
  for (size_t i = 0; i < events.size();) {
    size_t end = i + 1;
    while (end < events.size() && SameRow(events[i], events[end])) ++end;
    const std::string times = end - i > 1 ? fmt::format("{{{}}}", end - i) : "";
    rows.push_back({events[i].iteration ? std::to_string(*events[i].iteration) : "", events[i].phase,
                    events[i].label + times, events[i].clause});
    i = end;
  }
  const size_t shown = std::min(rows.size(), kMaxRowsShown + 1);
  size_t phase_width = 0, label_width = 0;
  for (size_t i = 0; i < shown; ++i) {
    phase_width = std::max(phase_width, Columns(rows[i].phase));
    label_width = std::max(label_width, Columns(rows[i].label));
  }
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    std::string line = fmt::format("     {:>4}  {}  {}  {}", rows[i].iteration, Padded(rows[i].phase, phase_width),
                                   Padded(rows[i].label, label_width), rows[i].clause);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out + Rest(rows.size(), shown, "rows");
}

std::string ChoiceLines(const std::vector<reference::Choice>& choices) {
  std::string out;
  for (size_t i = 0; i < choices.size() && i < kMaxChoicesShown; ++i) {
    const reference::Choice& choice = choices[i];
    out += Wrap(fmt::format("{} {} ({} of {})", choice.what, choice.taken, choice.index + 1, choice.of),
                "     choice: ", "             ");
  }
  return out + Rest(choices.size(), kMaxChoicesShown, "choices");
}

std::string SetLine(std::string_view name, const SetFacts& facts) {
  std::string out =
      fmt::format("  {} {}{}", name, facts.size.more ? "at least " : "", Counted(facts.size.orders, "order"));
  if (!facts.limit_hit.empty()) out += fmt::format("; not complete: the limit on {} was hit", facts.limit_hit);
  return out + "\n";
}

// Where an order parts from the one before it that shares the longest beginning with it.
struct Parting {
  size_t from = 0;   // the number of that one
  size_t label = 0;  // the number of the first label that differs
};
std::optional<Parting> PartingOf(const ExploreReport& report, size_t index) {
  if (index == 0) return std::nullopt;
  const Order order = report.runs[index].run.trace.ToOrder();
  Parting best;
  for (size_t i = 0; i < index; ++i) {
    const Order other = report.runs[i].run.trace.ToOrder();
    const auto shared = std::mismatch(order.begin(), order.end(), other.begin(), other.end()).first - order.begin();
    if (static_cast<size_t>(shared) > best.label) best = {i, static_cast<size_t>(shared)};
  }
  return best;
}

// The clause of a label is what puts it where it is.
const TraceEvent* EventAt(const ExploredRun& explored, size_t label) {
  const auto& events = explored.run.trace.events;
  return label < events.size() ? &events[label] : nullptr;
}

std::string PartingText(const ExploreReport& report, size_t index) {
  const auto parting = PartingOf(report, index);
  if (!parting) return "";
  const TraceEvent* event = EventAt(report.runs[index], parting->label);
  std::string line = fmt::format("differs from {} at label {}: ", parting->from + 1, parting->label + 1);
  line += event == nullptr ? "nothing follows" : event->label;
  if (event != nullptr && !event->clause.empty()) line += ", by " + event->clause;
  return Wrap(line, "     ", "       ");
}

std::string RunText(const ExploreReport& report, size_t index, const Style& style) {
  const ExploredRun& explored = report.runs[index];
  const std::string number = fmt::format("{:>3}. ", index + 1);
  const bool late_only = report.late && !explored.on_time;
  const std::string order = OrderToString(explored.run.trace.ToOrder());
  std::string out = "\n";
  out += Wrap(order, number, "     ");
  if (!explored.run.limit_hit.empty()) out += "     cut short: the limit on " + explored.run.limit_hit + " was hit\n";
  if (late_only) out += "     " + style.Doubtful("only when something is late") + "\n";
  if (!late_only && explored.is_expected == false) out += "     " + style.Bad("outside the expectation") + "\n";
  out += PartingText(report, index);
  const std::string path = PathOf(explored.run.choices);  // a run without choices has none to follow
  out += fmt::format("     conform explore {} --profile={}{}{}\n", Quoted(report.reference), Quoted(report.profile),
                     report.late ? " --late" : "", path.empty() ? "" : " --path=" + path);
  return out + ChoiceLines(explored.run.choices) + EventTable(explored.run.trace);
}

// In the order in which they are first met.
std::vector<const Clause*> ClausesMet(const ExploreReport& report, const ClauseList& clauses) {
  std::vector<const Clause*> met;
  std::set<std::string> seen;
  for (const ExploredRun& explored : report.runs) {
    for (const TraceEvent& event : explored.run.trace.events) {
      if (event.clause.empty() || !seen.insert(event.clause).second) continue;
      if (const Clause* clause = clauses.Find(event.clause)) met.push_back(clause);
    }
  }
  return met;
}

Json SetJson(const SetFacts& facts) {
  return {{"orders", facts.size.orders},  {"more", facts.size.more}, {"complete", facts.limit_hit.empty()},
          {"limit_hit", facts.limit_hit}, {"runs", facts.runs},      {"states", facts.states}};
}

Json PartingJson(const ExploreReport& report, size_t index, const Parting& parting) {
  const TraceEvent* event = EventAt(report.runs[index], parting.label);
  return {{"from", parting.from}, {"label", parting.label}, {"clause", event == nullptr ? "" : event->clause}};
}

Json RunJson(const ExploreReport& report, size_t index) {
  const ExploredRun& explored = report.runs[index];
  Json choices = Json::array();
  for (const reference::Choice& choice : explored.run.choices) {
    choices.push_back({{"what", choice.what}, {"taken", choice.taken}, {"index", choice.index}, {"of", choice.of}});
  }
  Json events = Json::array();
  for (const TraceEvent& event : explored.run.trace.events) {
    events.push_back({{"label", event.label},
                      {"iteration", event.iteration.value_or(0)},
                      {"phase", event.phase},
                      {"clause", event.clause}});
  }
  Json json{{"order", explored.run.trace.ToOrder()}, {"on_time", explored.on_time}};
  if (explored.is_expected) json["expected"] = *explored.is_expected;
  if (const auto parting = PartingOf(report, index)) json["differs"] = PartingJson(report, index, *parting);
  json["path"] = PathOf(explored.run.choices);
  json["limit_hit"] = explored.run.limit_hit;
  json["choices"] = std::move(choices);
  json["events"] = std::move(events);
  return json;
}

}  // namespace

std::string ExploreText(const ExploreReport& report, const ClauseList& clauses, const Style& style) {
  std::string out = style.Strong(report.case_id) + " on " + report.profile + "\n";
  if (report.title != report.case_id && !report.title.empty()) out += Wrap(report.title, "  ", "  ");
  out += ProgramBlock(report.program);
  if (report.expected) out += Wrap("`" + *report.expected + "`", "  expected: ", "            ");
  if (report.on_time_set) out += SetLine("on time: ", *report.on_time_set);
  if (report.late_set) out += SetLine("late:    ", *report.late_set);
  for (size_t i = 0; i < report.runs.size(); ++i) out += RunText(report, i, style);
  const auto& listed = report.late ? report.late_set : report.on_time_set;
  if (listed && listed->size.orders > static_cast<int64_t>(report.runs.size())) {
    out += fmt::format("\n{} of {} are listed; --limit=N lists more\n", report.runs.size(),
                       Counted(listed->size.orders, "order"));
  }
  const auto met = ClausesMet(report, clauses);
  if (!met.empty()) out += "\n";
  for (const Clause* clause : met) {
    out.append(style.Strong(clause->id)).append("\n").append(Wrap(FirstSentence(clause->text), "    ", "    "));
  }
  return out;
}

Json ExploreJson(const ExploreReport& report, const ClauseList& clauses) {
  Json json{{"case", report.case_id}, {"profile", report.profile}, {"timing", report.late ? "late" : "on-time"}};
  if (!report.program.empty()) json["program"] = {{"language", report.language}, {"text", report.program}};
  if (report.expected) json["expected"] = *report.expected;
  if (report.on_time_set) json["on_time"] = SetJson(*report.on_time_set);
  if (report.late_set) json["late"] = SetJson(*report.late_set);
  json["runs"] = Json::array();
  for (size_t i = 0; i < report.runs.size(); ++i) json["runs"].push_back(RunJson(report, i));
  json["clauses"] = Json::object();
  for (const Clause* clause : ClausesMet(report, clauses)) json["clauses"][clause->id] = FirstSentence(clause->text);
  return json;
}

}  // namespace conform::reports
