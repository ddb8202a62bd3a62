// Checks of a program beyond the syntax of its steps.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "runners/base/text.h"
#include "runners/model/case.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

// The names that a program makes, and by which ops.
using Makers = std::map<std::string, std::set<Op>>;

void CollectMakers(const Program& program, Makers& makers) {
  for (const Step& step : program) {
    if (ShapeOf(step.op).makes && !step.label.empty()) makers[step.label].insert(step.op);
    // The first message that names a channel opens it.
    if (!step.via.empty()) makers[step.via].insert(Op::kMessage);
    CollectMakers(step.body, makers);
  }
}

// Where a step is.
struct Surroundings {
  const Step* parent = nullptr;    // the step whose body it is; nothing in the main body
  const Step* callback = nullptr;  // the innermost callback around it
  const Step* function = nullptr;  // the innermost step around it that is not a block
};

class ProgramChecker {
 public:
  ProgramChecker(Entry entry, const std::string& file, Makers makers)
      : entry_(entry), file_(file), makers_(std::move(makers)) {}

  std::optional<Error> Check(const Program& program, const Surroundings& around) const {
    for (const Step& step : program) {
      if (std::optional<Error> error = CheckPlace(step, around)) return error;
      if (std::optional<Error> error = CheckReference(step, step.target, ShapeOf(step.op).target_makers)) return error;
      if (std::optional<Error> error = CheckReference(step, step.with, {})) return error;
      Surroundings inner = around;
      inner.parent = &step;
      if (ShapeOf(step.op).callback) inner.callback = &step;
      if (!IsBlock(step.op)) inner.function = &step;
      if (std::optional<Error> error = Check(step.body, inner)) return error;
    }
    return std::nullopt;
  }

 private:
  Error At(const Step& step, std::string message, std::string hint = "") const {
    return Error{std::move(message), file_, step.at, std::move(hint)};
  }

  std::optional<Error> CheckPlace(const Step& step, const Surroundings& around) const {
    if (step.op == Op::kRun && around.parent != nullptr) return At(step, "'run' is allowed only in the main body");
    if (step.op == Op::kOnly && around.callback == nullptr) return At(step, "'only' is allowed only inside a callback");
    if (step.op == Op::kAgain) {
      if (around.callback == nullptr) return At(step, "'again' is allowed only inside a callback");
      if (!around.callback->chained) {
        return At(step, fmt::format("'again' re-arms a chain, and '{}' is none", around.callback->ToString()),
                  "add 'xN' to it");
      }
    }
    if (step.op == Op::kPause && !MayPause(around)) {
      return At(step, "'pause' is allowed only in the body of 'async', or in the main body of an 'esm' entry");
    }
    if (step.op == Op::kReturn && !MayReturn(around)) {
      return At(step, "'return' is allowed only in the body of 'then', 'catch', 'finally', 'await' or 'async'");
    }
    return std::nullopt;
  }

  bool MayPause(const Surroundings& around) const {
    if (around.function == nullptr) return entry_ == Entry::kEsm;
    return around.function->op == Op::kAsync;
  }

  static bool MayReturn(const Surroundings& around) {
    return around.function != nullptr && ShapeOf(around.function->op).returns;
  }

  // `wanted`: the ops that make what is meant; empty: any will do.
  std::optional<Error> CheckReference(const Step& step, const std::string& name, const std::vector<Op>& wanted) const {
    if (name.empty()) return std::nullopt;
    const auto fits = [&wanted](Op op) {
      return wanted.empty() || std::find(wanted.begin(), wanted.end(), op) != wanted.end();
    };
    const auto found = makers_.find(name);
    if (found != makers_.end() && std::any_of(found->second.begin(), found->second.end(), fits)) return std::nullopt;
    std::vector<std::string> candidates;
    for (const auto& [candidate, ops] : makers_) {
      if (candidate != name && std::any_of(ops.begin(), ops.end(), fits)) candidates.push_back(candidate);
    }
    if (found == makers_.end()) {
      return At(step, fmt::format("'{}' refers to '{}', which no step makes", step.ToString(), name),
                DidYouMean(name, candidates));
    }
    std::vector<std::string> names;
    for (const Op op : wanted) names.emplace_back(OpName(op));
    return At(
        step,
        fmt::format("'{}' refers to '{}', which no step makes with {}", step.ToString(), name, Join(names, " or ")),
        DidYouMean(name, candidates));
  }

  Entry entry_;
  const std::string& file_;
  Makers makers_;
};

void CollectEmitted(const Program& program, std::set<std::string>& labels) {
  for (const Step& step : program) {
    if (ShapeOf(step.op).emits && !step.label.empty()) labels.insert(step.label);
    CollectEmitted(step.body, labels);
  }
}

// The first label of the pattern, in reading order, that is in no order of the program.
std::optional<std::string> UnknownLabel(const PatternNode& node, const std::set<std::string>& labels) {
  if (node.kind == PatternNode::Kind::kLabel) {
    const std::string label = node.label.substr(0, node.label.find('='));
    const bool end = label == "exit" && label.size() < node.label.size();
    return end || labels.contains(label) ? std::nullopt : std::optional(label);
  }
  for (const PatternNode& child : node.children) {
    if (std::optional<std::string> unknown = UnknownLabel(child, labels)) return unknown;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> CheckProgram(const Program& program, Entry entry, const std::string& file) {
  Makers makers;
  CollectMakers(program, makers);
  return ProgramChecker(entry, file, std::move(makers)).Check(program, {});
}

std::optional<Error> CheckPatternLabels(const Case& c) {
  std::set<std::string> labels;
  CollectEmitted(c.program, labels);
  for (const ModelProgram& model : c.models) CollectEmitted(model.program, labels);
  for (const Expectation& expectation : c.expect) {
    const std::optional<std::string> unknown = UnknownLabel(expectation.pattern.root, labels);
    if (!unknown) continue;
    return Error{fmt::format("the pattern names '{}', which no step of the {} emits", *unknown,
                             c.native.empty() ? "program" : "model"),
                 c.file, expectation.at, DidYouMean(*unknown, {labels.begin(), labels.end()})};
  }
  return std::nullopt;
}

}  // namespace conform
