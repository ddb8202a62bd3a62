#include "program.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace libuv_adapter {
namespace {

using nlohmann::json;

// Far beyond any wait, and exact as a double.
constexpr double kLongestDelay = 1e15;

const std::map<std::string, Op>& Ops() {
  static const std::map<std::string, Op> ops{
      {"timeout", Op::kTimeout}, {"interval", Op::kInterval}, {"immediate", Op::kImmediate},
      {"read", Op::kRead},       {"file", Op::kFile},         {"work", Op::kWork},
      {"listen", Op::kListen},   {"connect", Op::kConnect},   {"accept", Op::kAccept},
      {"socket", Op::kSocket},   {"refused", Op::kRefused},   {"close", Op::kClose},
      {"write", Op::kWrite},     {"signal", Op::kSignal},     {"child", Op::kChild},
      {"idle", Op::kIdle},       {"prepare", Op::kPrepare},   {"check", Op::kCheck},
      {"wake", Op::kWake},       {"log", Op::kLog},           {"busy", Op::kBusy},
      {"clear", Op::kClear},     {"ref", Op::kRef},           {"unref", Op::kUnref},
      {"refresh", Op::kRefresh}, {"start", Op::kStart},       {"send", Op::kSend},
      {"raise", Op::kRaise},     {"exit", Op::kExit},         {"again", Op::kAgain},
      {"only", Op::kOnly},       {"run", Op::kRun},           {"alive", Op::kAlive},
      {"stop", Op::kStop},       {"update", Op::kUpdate},
  };
  return ops;
}

std::string Text(const json& step, const char* key) { return step.value(key, std::string()); }

// A label that needs no quoting in a trace.
std::string Label(const json& step) {
  const std::string label = Text(step, "label");
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '-') {
      throw std::invalid_argument("a label holds letters, digits, '_', '.' and '-'");
    }
  }
  return label;
}

bool IsDelay(const std::string& text) {
  char* end = nullptr;
  const double delay = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(delay) && delay >= 0 && delay <= kLongestDelay;
}

std::optional<std::string> MissingStep(const json& step) {
  const std::string name = Text(step, "op"), kind = Text(step, "kind"), argument = Text(step, "argument");
  const auto op = Ops().find(name);
  if (op == Ops().end()) return name == "on" ? "on " + Text(step, "event") : name;
  if (!kind.empty() && !(op->second == Op::kRefused && kind == "path")) return name + " as " + kind;
  const bool has_delay = op->second == Op::kTimeout || op->second == Op::kInterval ||
                         (op->second == Op::kStart && step.contains("argument"));
  if (has_delay && !IsDelay(argument)) return "delay " + argument;
  return step.contains("body") ? Missing(step["body"]) : std::nullopt;
}

Step ReadStep(const json& from) {
  Step step;
  step.op = Ops().at(Text(from, "op"));
  step.label = Label(from);
  step.target = Text(from, "target");
  step.argument = Text(from, "argument");
  step.as_path = Text(from, "kind") == "path";
  step.unsent = from.value("unsent", false);
  step.chained = from.contains("times");
  if (step.chained) step.times = std::stoll(Text(from, "times"));
  if (step.op == Op::kOnly) {
    step.only_from = std::stoll(Text(from, "only_from"));
    step.only_to = std::stoll(Text(from, "only_to"));
  }
  if (from.contains("body")) step.body = ReadProgram(from["body"]);
  return step;
}

void CollectNames(const Program& program, std::set<std::string>& names) {
  for (const Step& step : program) {
    if (!step.target.empty()) names.insert(step.target);
    CollectNames(step.body, names);
  }
}

}  // namespace

std::vector<std::string> Capabilities() {
  std::vector<std::string> all{"refused as path"};
  for (const auto& op : Ops()) all.push_back(op.first);
  return all;
}

std::optional<std::string> Missing(const json& program) {
  for (const json& step : program) {
    if (auto missing = MissingStep(step)) return missing;
  }
  return std::nullopt;
}

Program ReadProgram(const json& from) {
  Program program;
  for (const json& step : from) program.push_back(ReadStep(step));
  return program;
}

bool RunsTheLoop(const Program& program) {
  for (const Step& step : program) {
    if (step.op == Op::kRun || RunsTheLoop(step.body)) return true;
  }
  return false;
}

std::set<std::string> NamesReferredTo(const Program& program) {
  std::set<std::string> names;
  CollectNames(program, names);
  return names;
}

uint64_t Delay(const std::string& argument) { return static_cast<uint64_t>(std::strtod(argument.c_str(), nullptr)); }

bool RepeatsByItself(Op op) { return op == Op::kInterval || op == Op::kIdle || op == Op::kPrepare || op == Op::kCheck; }

}  // namespace libuv_adapter
