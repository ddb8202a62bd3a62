#include "reports/terminal/lift_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxOrdersOfARelease = 6;

std::string PlaceOf(const LiftNote& note) {
  const std::string file = note.file.empty() ? "" : note.file + ", ";
  return note.line == 0 ? file : file + "line " + std::to_string(note.line);
}

std::string Line(const LiftNote& note) {
  const std::string place = PlaceOf(note);
  return Wrap((place.empty() ? "" : place + ": ") + note.what, "    ", "      ");
}

std::string SpanText(const LiftedSpan& span, size_t width) {
  const std::string first = "    " + Padded("since " + span.since.ToString(), width) + "  ";
  const std::string rest(Columns(first), ' ');
  std::string out;
  for (size_t i = 0; i < span.orders.size() && i < kMaxOrdersOfARelease; ++i) {
    out += Wrap("`" + OrderToString(span.orders[i]) + "`", i == 0 ? first : rest, rest + "  ");
  }
  const int64_t shown = static_cast<int64_t>(std::min(span.orders.size(), kMaxOrdersOfARelease));
  if (span.size.orders > shown) {
    out += fmt::format("{}and {}{} more\n", rest, span.size.more ? "at least " : "", span.size.orders - shown);
  }
  if (!span.changed_by.empty()) out += Wrap("changed by " + Join(span.changed_by, ", "), rest, rest);
  return out;
}

// What is allowed besides, where something is late; "" where nothing is.
std::string DelaysText(const LiftedDelays& late) {
  const std::string example = late.example ? ", such as `" + OrderToString(*late.example) + "`" : "";
  if (late.size.more) return "; more may be allowed when something is late" + example;
  if (!late.example) return "";
  if (late.size.orders == 1)
    return "; one more is allowed when something is late: `" + OrderToString(*late.example) + "`";
  return fmt::format("; {} more are allowed when something is late{}", late.size.orders, example);
}

Json NoteJson(const LiftNote& note) {
  Json json{{"line", note.line}, {"what", note.what}};
  if (note.is_remark) json["is_remark"] = true;
  if (!note.file.empty()) json["file"] = note.file;
  return json;
}

}  // namespace

std::string LiftNotesText(const Lifted& lifted) {
  std::string out;
  if (!lifted.labels.empty()) out += "  labels:\n";
  for (const auto& [label, text] : lifted.labels) {
    out += Wrap(label + " is '" + Shortened(text, 200) + "'", "    ", "      ");
  }
  if (!lifted.made_up.empty()) out += "  labels that the script does not print:\n";
  for (const auto& [label, made_up] : lifted.made_up) {
    out += Line({made_up.note.line, made_up.note.file, label + ": " + made_up.note.what});
  }
  for (const bool remarks : {true, false}) {
    std::string lines;
    for (const LiftNote& note : lifted.notes) lines += note.is_remark == remarks ? Line(note) : "";
    const std::string_view heading = remarks ? "  remarks:\n" : "  left out, or only as far as the runs showed it:\n";
    if (!lines.empty()) out.append(heading).append(lines);
  }
  return out;
}

std::string LiftDoubtsText(const LiftedDoubts& doubts, const Style& style) {
  std::string out;
  for (const std::string& label : doubts.unknown) {
    out += Wrap(label + " may run, in an order that no run showed; what it does then is not known", "  ", "    ");
  }
  if (doubts.unexplained) {
    out += Wrap("the model does not explain what a run printed: `" + OrderToString(*doubts.unexplained) +
                    "`. Something that was not recorded decides the order, or this Node deviates",
                "  " + style.Bad("not explained") + ": ", "    ");
  }
  if (!doubts.complete) {
    out += Wrap("not all that delays allow was found within --max-time and --max-memory", "  ", "    ");
  }
  return out;
}

std::string LiftVerdict(const LiftedOrders& orders) {
  if (!orders.not_modelled.empty()) return "the reference loop has no model of " + orders.not_modelled;
  if (orders.spans.empty()) return "no release of Node has all that the script uses";
  const LiftedSpan& last = orders.spans.back();
  const std::string delays = DelaysText(orders.late);
  if (last.size.orders == 1 && !last.size.more) {
    return (delays.empty() ? "" : "on time, ") +
           (orders.spans.size() == 1 ? "this is the only order in every release"
                                     : "since Node " + last.since.ToString() + " this is the only order") +
           (delays.empty() ? ", whatever is late" : delays);
  }
  const std::string count = last.size.more          ? "at least " + std::to_string(last.size.orders) + " orders"
                            : last.size.orders == 2 ? std::string("both orders")
                                                    : "all " + std::to_string(last.size.orders) + " orders";
  return count + " are allowed, so a test that asserts one is flaky by right" + delays;
}

std::string LiftText(const Lifted& lifted, const LiftedOrders& orders, const Style& style) {
  std::string out =
      style.Strong(lifted.c.id) +
      fmt::format(", lifted from {} on {}\n", Counted(static_cast<int64_t>(lifted.seen.size()), "run"), lifted.runtime);
  for (const std::string& line : Split(lifted.program, '\n')) out += line.empty() ? "" : "  " + line + "\n";
  out += LiftNotesText(lifted);
  if (!orders.spans.empty()) out += "  orders, by release of Node:\n";
  size_t width = 0;
  for (const LiftedSpan& span : orders.spans) width = std::max(width, Columns("since " + span.since.ToString()));
  for (const LiftedSpan& span : orders.spans) out += SpanText(span, width);
  out += LiftDoubtsText(orders.doubts, style);
  const std::string verdict = LiftVerdict(orders);
  return out + Wrap(lifted.LeavesOut() ? "of what was lifted: " + verdict : verdict, "  ", "  ");
}

Json LiftDoubtsJson(const LiftedDoubts& doubts) {
  Json json{{"unknown", doubts.unknown}, {"complete", doubts.complete}};
  if (doubts.unexplained) json["unexplained"] = *doubts.unexplained;
  return json;
}

Json LiftedJson(const Lifted& lifted) {
  Json json{{"script", lifted.c.id}, {"runtime", lifted.runtime}, {"program", lifted.program}};
  json["labels"] = Json::object();
  for (const auto& [label, text] : lifted.labels) json["labels"][label] = text;
  json["made_up"] = Json::object();
  for (const auto& [label, made_up] : lifted.made_up) {
    json["made_up"][label] = NoteJson(made_up.note);
    if (made_up.is_unknown) json["made_up"][label]["is_unknown"] = true;
  }
  json["notes"] = Json::array();
  for (const LiftNote& note : lifted.notes) json["notes"].push_back(NoteJson(note));
  json["seen"] = lifted.seen;
  return json;
}

Json LiftJson(const Lifted& lifted, const LiftedOrders& orders) {
  Json json = LiftedJson(lifted);
  json["releases"] = Json::array();
  for (const LiftedSpan& span : orders.spans) {
    json["releases"].push_back({{"since", span.since.ToString()},
                                {"orders", span.orders},
                                {"count", span.size.orders},
                                {"more", span.size.more},
                                {"changed_by", span.changed_by}});
  }
  json["late"] = {{"count", orders.late.size.orders}, {"more", orders.late.size.more}};
  if (orders.late.example) json["late"]["example"] = *orders.late.example;
  json.update(LiftDoubtsJson(orders.doubts));
  json["verdict"] = LiftVerdict(orders);
  return json;
}

}  // namespace conform::reports
