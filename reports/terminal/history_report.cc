#include "reports/terminal/history_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/terminal/program_block.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string Versions(const HistorySpan& span) {
  return span.first == span.last ? span.first.ToString() : span.first.ToString() + " – " + span.last.ToString();
}

std::string Since(const HistorySpan& span) { return "since " + span.first.ToString(); }

std::string Spans(const std::vector<HistorySpan>& spans, std::string (*versions)(const HistorySpan&)) {
  size_t width = 0;
  for (const HistorySpan& span : spans) width = std::max(width, Columns(versions(span)));
  std::string out;
  for (const HistorySpan& span : spans) {
    const std::string first = "    " + Padded(versions(span), width) + "  ";
    const std::string rest(Columns(first), ' ');
    out += Wrap("`" + span.orders + "`", first, rest + "  ");
    if (!span.changed_by.empty()) out += Wrap("changed by " + Join(span.changed_by, ", "), rest, rest);
  }
  return out;
}

Json SpansJson(const std::vector<HistorySpan>& spans) {
  Json list = Json::array();
  for (const HistorySpan& span : spans) {
    Json json{{"first", span.first.ToString()}, {"last", span.last.ToString()}, {"orders", span.orders}};
    if (!span.changed_by.empty()) json["changed_by"] = span.changed_by;
    list.push_back(std::move(json));
  }
  return list;
}

// Inside a cell of a table, `|` ends it even in code.
std::string Cell(const std::string& orders) {
  std::string out;
  for (const char c : orders) out += c == '|' ? "\\|" : std::string(1, c);
  return "`" + (out.empty() ? " " : out) + "`";
}

std::string TitleOf(const std::string& family) {
  static const std::map<std::string, std::string> names = {{"node", "Node.js"}, {"bun", "Bun"}, {"deno", "Deno"}};
  const auto found = names.find(family);
  return found == names.end() ? family : found->second;
}

}  // namespace

std::string HistoryText(const std::vector<CaseHistory>& histories, const Style& style) {
  std::string out;
  for (const CaseHistory& history : histories) {
    if (!out.empty()) out += "\n";
    out += style.Strong(history.case_id) + "  " + history.family + "\n" + Wrap(history.title, "  ", "  ");
    out += ProgramBlock(history.program);
    if (!history.by_runs.empty()) out += "  runs:\n" + Spans(history.by_runs, Versions);
    if (!history.by_model.empty())
      out += "  model, at every version where a rule changes:\n" + Spans(history.by_model, Since);
    if (!history.note.empty()) out += Wrap(history.note, "  ", "  ");
  }
  return out;
}

Json HistoryJson(const std::vector<CaseHistory>& histories) {
  Json list = Json::array();
  for (const CaseHistory& history : histories) {
    Json json{{"case", history.case_id},
              {"family", history.family},
              {"runs", SpansJson(history.by_runs)},
              {"model", SpansJson(history.by_model)}};
    if (!history.note.empty()) json["note"] = history.note;
    list.push_back(std::move(json));
  }
  return Json{{"histories", std::move(list)}};
}

std::string HistoryMarkdown(const std::vector<CaseHistory>& histories, const std::vector<std::string>& releases) {
  const bool has_model = std::any_of(histories.begin(), histories.end(),
                                     [](const CaseHistory& history) { return !history.by_model.empty(); });
  const std::string implementation = has_model || histories.empty() ? "" : histories[0].family;
  std::string out;
  if (implementation.empty()) {
    out +=
        "# Changes of order, release by release\n\n"
        "Every change of order that the catalogue's cases show between two releases that were run. Each heading is "
        "the\n"
        "first version that has the new orders: known exactly if a rule of the profile explains the change, and "
        "otherwise\n"
        "the first release run that shows it. `conform history CASE` shows the same for one case.\n\n"
        "This page is written by `conform history`, with `--all --markdown` and the results of these releases as\n"
        "`--runs`; it is not edited by hand.\n\n";
  } else {
    out += fmt::format(
        "# {}: changes of order, release by release\n\n"
        "Every case in which a release shows nothing of what was seen before. Each heading is the first\n"
        "release run that has the new orders; `conform bisect CASE --impl={}` names the exact one.\n\n"
        "This page is written by `conform history`, with `--all --markdown --impl={}` and the results of these\n"
        "releases as `--runs`; it is not edited by hand.\n\n",
        TitleOf(implementation), implementation, implementation);
  }
  out += Wrap("Releases that were run: " + Join(releases, ", ") + ".", "", "", 118);
  const std::string_view kRule = has_model ? " rule |" : "", kRuleLine = has_model ? " --- |" : "";
  std::string heading;
  for (const Change& change : ChangesShown(histories)) {
    const CaseHistory& history = *change.history;
    const std::string now = TitleOf(history.family) + " " + change.since.value_or(change.after->first).ToString();
    if (now != heading) {
      heading = now;
      out += fmt::format("\n## {}\n\n| case | before | since then | run on |{}\n| --- | --- | --- | --- |{}\n", heading,
                         kRule, kRuleLine);
    }
    out += fmt::format("| {} | {} | {} | {} → {} |", history.case_id, Cell(change.before->orders),
                       Cell(change.after->orders), change.before->last.ToString(), change.after->first.ToString());
    if (has_model) out += fmt::format(" {} |", change.changed_by.empty() ? "–" : Join(change.changed_by, ", "));
    out += "\n";
  }
  return out;
}

}  // namespace conform::reports
