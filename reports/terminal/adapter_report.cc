#include "reports/terminal/adapter_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kDocument[] = "spec/adapter-protocol.md";
// Below the claim, which comes after the outcome.
constexpr char kIndent[] = "         ";
constexpr char kUnderField[] = "                   ";

std::string_view OutcomeName(SmokeCheck::Outcome outcome) {
  switch (outcome) {
    case SmokeCheck::Outcome::kRight:
      return "right";
    case SmokeCheck::Outcome::kWrong:
      return "wrong";
    case SmokeCheck::Outcome::kSkipped:
      return "skipped";
  }
  CONFORM_CHECK(false);
}

std::string Painted(SmokeCheck::Outcome outcome, const Style& style) {
  switch (outcome) {
    case SmokeCheck::Outcome::kRight:
      return style.Good("right  ");
    case SmokeCheck::Outcome::kWrong:
      return style.Bad("WRONG  ");
    case SmokeCheck::Outcome::kSkipped:
      return style.Doubtful("skipped");
  }
  CONFORM_CHECK(false);
}

// Prose is broken at its spaces; a message has none, and is broken anywhere.
std::string Field(const std::string& name, const std::string& text) {
  const std::string first = kIndent + Padded(name, sizeof kUnderField - sizeof kIndent);
  const size_t width = kLineWidth - (sizeof kUnderField - 1);
  std::string prose, out;
  for (const std::string& word : Split(text, ' ')) {
    std::string rest = word;
    while (Columns(rest) > width) {
      const std::string cut = Cut(rest, width + 1);  // one column of it is the ellipsis
      const std::string piece = cut.substr(0, cut.size() - std::string_view("…").size());
      prose += (prose.empty() ? "" : " ") + piece;
      rest.erase(0, piece.size());
    }
    prose += (prose.empty() ? "" : " ") + rest;
  }
  return Wrap(prose, first, kUnderField);
}

// Of a conversation that is written in advance the run alone is worth seeing.
std::string SentShort(const std::string& sent) {
  std::string shown;
  for (const std::string& line : Split(sent, '\n')) {
    if (line.find("\"type\":\"run\"") != std::string::npos) return line;
    if (!line.empty()) shown += (shown.empty() ? "" : " ") + line;
  }
  return shown;
}

std::string WrongText(const SmokeCheck& check) {
  std::string out;
  if (!check.sent.empty()) out += Field("sent", SentShort(check.sent));
  for (size_t i = 0; i < check.received.size(); ++i) out += Field(i == 0 ? "got" : "", check.received[i]);
  out += Field(check.received.empty() ? "got" : "that is", check.got);
  out += Field("expected", check.expected);
  if (!check.hint.empty()) out += Field("hint", check.hint);
  if (!check.errors.empty()) out += Field("stderr", check.errors);
  if (!check.section.empty()) out += Field("see", fmt::format("{}, \"{}\"", kDocument, check.section));
  return out;
}

}  // namespace

std::string SmokeText(const AdapterSmoke& smoke, const Style& style) {
  std::string out;
  if (!smoke.implementation.empty()) {
    out += Wrap(fmt::format("{} ({}): {}", smoke.implementation, smoke.folder, Join(smoke.command, " ")), "", "    ");
    out += "\n";
  }
  for (const SmokeCheck& check : smoke.report.checks) {
    const std::string note = check.note.empty() ? "" : " (" + check.note + ")";
    // The outcome is painted after the line is broken, because colours take no columns.
    const std::string line = Wrap(check.claim + note, kIndent, kIndent);
    out += Painted(check.outcome, style) + line.substr(std::string_view("skipped").size());
    if (check.outcome == SmokeCheck::Outcome::kWrong) out += WrongText(check);
  }
  const SmokeReport& report = smoke.report;
  out += fmt::format("\n{} right, {} wrong, {} skipped\n", report.Count(SmokeCheck::Outcome::kRight),
                     report.Count(SmokeCheck::Outcome::kWrong), report.Count(SmokeCheck::Outcome::kSkipped));
  return out;
}

Json SmokeJson(const AdapterSmoke& smoke) {
  Json checks = Json::array();
  for (const SmokeCheck& check : smoke.report.checks) {
    Json one{{"claim", check.claim}, {"outcome", OutcomeName(check.outcome)}};
    if (!check.note.empty()) one["note"] = check.note;
    if (check.outcome == SmokeCheck::Outcome::kWrong) {
      one["sent"] = check.sent;
      one["received"] = check.received;
      one["got"] = check.got;
      one["expected"] = check.expected;
      one["section"] = check.section;
      one["hint"] = check.hint;
      one["stderr"] = check.errors;
    }
    checks.push_back(std::move(one));
  }
  Json json{{"all_right", smoke.report.AllRight()},
            {"folder", smoke.folder},
            {"implementation", smoke.implementation},
            {"command", smoke.command}};
  if (const auto& ready = smoke.report.ready) {
    json["ready"] = Json{{"name", ready->name}, {"version", ready->version}};
  }
  json["checks"] = std::move(checks);
  return json;
}

}  // namespace conform::reports
