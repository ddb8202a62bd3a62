#include "runners/model/step.h"

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "runners/base/check.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

std::string RunsToString(const Step& step) {
  const std::string to = std::to_string(step.only_to);
  if (step.only_from == step.only_to) return to;
  return (step.only_from == 1 ? "" : std::to_string(step.only_from)) + ".." + to;
}

std::string WordOf(const Step& step, Role role) {
  switch (role) {
    case Role::kLabel:
      return step.label;
    case Role::kTarget:
      return step.target;
    case Role::kEvent:
      return step.event;
    case Role::kRuns:
      return RunsToString(step);
    case Role::kDelay:
    case Role::kMilliseconds:
    case Role::kErrorName:
    case Role::kExitCode:
    case Role::kRunMode:
      return step.argument;
  }
  CONFORM_CHECK(false);
}

}  // namespace

std::string_view OpName(Op op) { return OpNames()[static_cast<size_t>(op)]; }

std::string Step::ToString() const {
  const OpShape& shape = ShapeOf(op);
  std::string text(OpName(op));
  const auto add = [&text](std::string_view keyword, const std::string& word) {
    if (word.empty()) return;
    if (!keyword.empty()) text.append(" ").append(keyword);
    text.append(" ").append(word);
  };
  for (const Positional& positional : shape.positionals) add("", WordOf(*this, positional.role));
  if (shape.of != Presence::kNever) add("of", target);
  if (shape.to != Presence::kNever) add("to", target);
  add("with", with);
  add("via", via);
  if (plain) text += " plain";
  if (unsent) text += " unsent";
  add("as", kind);
  if (chained) text += " x" + std::to_string(times);
  return text;
}

const Signal& SignalOf(const Step& step) {
  CONFORM_CHECK(step.op == Op::kSignal);
  // Their numbers are on both sides of the usual one.
  static constexpr Signal kSignals[] = {
      {"", "SIGUSR2", SIGUSR2}, {"hup", "SIGHUP", SIGHUP}, {"winch", "SIGWINCH", SIGWINCH}};
  const auto found =
      std::find_if(std::begin(kSignals), std::end(kSignals), [&](const Signal& one) { return one.kind == step.kind; });
  return found == std::end(kSignals) ? kSignals[0] : *found;
}

int64_t WorkMsOf(const Step& step) {
  return step.argument.empty() ? 0 : std::strtoll(step.argument.c_str(), nullptr, 10);
}

double DelayOf(const Step& step) {
  CONFORM_CHECK(TakesDelay(step.op));
  const std::string& text = step.argument;
  if (text.empty() || text == "none" || text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.ends_with("Infinity")) {
    const double infinity = std::numeric_limits<double>::infinity();
    return text.front() == '-' ? -infinity : infinity;
  }
  // The parser has let only decimal numbers through; too large ones become infinite here as in JavaScript.
  return std::strtod(text.c_str(), nullptr);
}

}  // namespace conform
