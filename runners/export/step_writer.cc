#include "runners/export/step_writer.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace conform {

std::string CapabilityOf(const Step& step) {
  const std::string op(OpName(step.op));
  return step.kind.empty() ? op : op + " as " + step.kind;
}

std::string Filled(std::string_view text, const std::vector<Placeholder>& placeholders) {
  std::string filled;
  while (!text.empty()) {
    const auto here = std::find_if(placeholders.begin(), placeholders.end(),
                                   [&](const Placeholder& placeholder) { return text.starts_with(placeholder.name); });
    filled += here == placeholders.end() ? std::string(1, text.front()) : here->value();
    text.remove_prefix(here == placeholders.end() ? 1 : here->name.size());
  }
  return filled;
}

StepWriter::StepWriter(const Case& c, const ProgramFacts& facts, std::string platform,
                       std::set<std::string> taken_names)
    : case_(c), facts_(facts), platform_(std::move(platform)), names_(std::move(taken_names)) {}

std::string StepWriter::IsEqual(const std::string& value, const std::string& number) const {
  return value + " == " + number;
}

std::string StepWriter::IsBetween(const std::string& value, const std::string& from, const std::string& to) const {
  return value + " >= " + from + " && " + value + " <= " + to;
}

void StepWriter::WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out) {
  for (const Step& step : body) WriteStep(step, frame, out);
}

void StepWriter::WriteStep(const Step& step, const Frame& frame, Code& out) {
  if (step.op == Op::kOnly) return WriteOnly(step, frame, out);
  if (step.op == Op::kAgain) return frame.again.empty() ? void() : out.Line(frame.again);
  if (!HasRow(step)) return Refuse(step, platform_ + " has no " + CapabilityOf(step));
  const std::string guard = GuardOf(step);
  if (error_) return;
  if (guard.empty()) return WriteRow(step, frame, out);
  Code inner(out.indent_width());
  WriteRow(step, frame, inner);
  WriteIf(guard, inner, out);
}

void StepWriter::WriteOnly(const Step& step, const Frame& frame, Code& out) {
  if (frame.run.empty()) {
    // A callback that runs once: the condition is decided already.
    if (step.only_from <= 1 && step.only_to >= 1) WriteBody(step.body, frame, out);
    return;
  }
  const std::string from = std::to_string(step.only_from);
  const std::string to = std::to_string(step.only_to);
  Code inner(out.indent_width());
  WriteBody(step.body, frame, inner);
  WriteIf(step.only_from == step.only_to ? IsEqual(frame.run, to)
          : step.only_from <= 1          ? frame.run + " <= " + to
                                         : IsBetween(frame.run, from, to),
          inner, out);
}

void StepWriter::Refuse(const Step& step, const std::string& message) {
  if (!error_) error_ = Error{message, case_.file, step.at};
}

void StepWriter::BeginChain(const Step& chain, const Rearming& rearming, Frame& frame, Code& out) const {
  frame.run = "run";
  frame.again = frame.at_end = rearming.plain;
  switch (facts_.RearmingOf(chain)) {
    case ProgramFacts::Rearming::kAtEnd:
      return;
    case ProgramFacts::Rearming::kByAgain:
      frame.at_end = "";
      return;
    case ProgramFacts::Rearming::kPerhapsByAgain:
      out.Line(rearming.variable);
      frame.again = rearming.again;
      frame.at_end = rearming.at_end;
      return;
  }
}

std::string StepWriter::SignalName(const Step& raise) {
  std::set<std::string> names;
  for (const Step* maker : facts_.Makers(raise.target)) {
    if (maker->op == Op::kSignal) names.emplace(SignalOf(*maker).name);
  }
  if (names.size() == 1) return *names.begin();
  Refuse(raise, "'" + raise.target + "' names different signals; an exported program needs one");
  return "";
}

bool StepWriter::HasOnly(const Step& step) const {
  return std::any_of(facts_.steps().begin(), facts_.steps().end(), [&](const Step* inner) {
    return inner->op == Op::kOnly && facts_.EnclosingCallback(*inner) == &step;
  });
}

bool HasWord(std::string_view text, std::string_view word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || (!is_part(text[at - 1]) && text[at - 1] != '.');
    const size_t end = at + word.size();
    if (begins && !(end < text.size() && is_part(word.back()) && is_part(text[end]))) return true;
  }
  return false;
}

void WriteHelpers(const std::vector<Helper>& helpers, const std::string& program, int lines_between, Code& out) {
  std::string users = program;
  std::vector<std::string_view> chosen;
  std::for_each(helpers.rbegin(), helpers.rend(), [&](const Helper& helper) {
    if (!HasWord(users, helper.use)) return;
    chosen.push_back(helper.text);
    users += helper.text;
  });
  std::for_each(chosen.rbegin(), chosen.rend(), [&](std::string_view text) { out.Text(text, lines_between); });
}

void WriteHeader(const Case& c, const std::string& comment_mark, const std::string& how_to_run, Code& out) {
  for (const std::string& line : HeaderLines(c)) out.Line(line.empty() ? comment_mark : comment_mark + " " + line);
  out.Line(comment_mark);
  out.Line(comment_mark + " Run: " + how_to_run);
}

std::optional<Error> RefuseNative(const Case& c) {
  if (c.native.empty()) return std::nullopt;
  return Error{"the case is native: its program is " + c.native.begin()->second, c.file};
}

}  // namespace conform
