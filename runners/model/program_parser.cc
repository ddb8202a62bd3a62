// The tree of a program: which list items are steps, and which of them have bodies.
#include <fmt/format.h>

#include "runners/model/case.h"
#include "runners/model/op_table.h"
#include "runners/model/step_parser.h"

namespace conform {
namespace {

class ProgramParser {
 public:
  explicit ProgramParser(const std::string& file) : file_(file) {}

  Result<Program> ParseList(const YamlNode& list, int depth) {
    if (depth > kMaxBodyDepth)
      return At(list.at, fmt::format("bodies are nested more than {} deep", kMaxBodyDepth), "");
    Program program;
    for (const YamlNode& item : list.items) {
      Result<Step> step = ParseItem(item, depth);
      if (!step.ok()) return step.error();
      program.push_back(std::move(step).value());
    }
    return program;
  }

 private:
  Error At(Location at, std::string message, std::string hint) const {
    return Error{std::move(message), file_, at, std::move(hint)};
  }

  // `tick T`, or a map with the step as its one key and the body as its value.
  Result<Step> ParseItem(const YamlNode& item, int depth) {
    switch (item.kind) {
      case YamlNode::Kind::kText:
        return ParseWords(item, nullptr, depth);
      case YamlNode::Kind::kMap:
        if (item.keys.size() != 1) {
          const Location at = item.keys.size() > 1 ? item.keys[1].at : item.at;
          return At(at, "a list item holds one step", "start each step with '- '");
        }
        return ParseWords(item.keys[0], &item.values[0], depth);
      case YamlNode::Kind::kList:
      case YamlNode::Kind::kNothing:
        return At(item.at, fmt::format("a step is written here, not {}", item.KindName()), "");
    }
    CONFORM_CHECK(false);
  }

  Result<Step> ParseWords(const YamlNode& words, const YamlNode* body, int depth) {
    if (next_id_ >= kMaxSteps) return At(words.at, fmt::format("a program has at most {} steps", kMaxSteps), "");
    Result<Step> parsed = ParseStep(words.text);
    if (!parsed.ok()) {
      const Error& error = parsed.error();
      return At(words.PlaceOf(static_cast<size_t>(error.at.column - 1)), error.message, error.hint);
    }
    Step step = std::move(parsed).value();
    step.at = words.at;
    step.id = next_id_++;
    const Presence presence = ShapeOf(step.op).body;
    if (body == nullptr) {
      if (presence == Presence::kRequired) return At(words.at, fmt::format("'{}' needs a body", OpName(step.op)), "");
      return step;
    }
    if (presence == Presence::kNever)
      return At(words.at, fmt::format("'{}' has no body", OpName(step.op)), NoBodyHint(step));
    if (body->kind == YamlNode::Kind::kNothing) {
      return At(words.at, fmt::format("the body of '{}' is missing", step.ToString()),
                "without a body, leave out the colon");
    }
    if (body->kind != YamlNode::Kind::kList) {
      return At(body->at, fmt::format("a body is a list of steps, not {}", body->KindName()),
                "write '[tick T]', or '- tick T' below");
    }
    Result<Program> steps = ParseList(*body, depth + 1);
    if (!steps.ok()) return steps.error();
    step.body = std::move(steps).value();
    if (presence == Presence::kRequired && step.body.empty()) {
      return At(words.at, fmt::format("'{}' needs a body", OpName(step.op)), "");
    }
    return step;
  }

  // Where a body is likely to be meant, what has one instead.
  static std::string NoBodyHint(const Step& step) {
    if (step.op == Op::kListen) return "use 'accept [LABEL] of NAME' or 'on listening [LABEL] of NAME'";
    if (step.op == Op::kSocket) return "use 'on EVENT [LABEL] of NAME'";
    return "";
  }

  const std::string& file_;
  int next_id_ = 0;
};

}  // namespace

Result<Program> ParseProgram(const YamlNode& list, const std::string& file) {
  if (list.kind != YamlNode::Kind::kList) {
    return Error{fmt::format("a program is a list of steps, not {}", list.KindName()), file, list.at};
  }
  return ProgramParser(file).ParseList(list, 0);
}

}  // namespace conform
