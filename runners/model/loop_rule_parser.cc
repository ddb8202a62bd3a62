// The format of spec/rules.yaml; spec/rules.md describes it for a writer.
#include <algorithm>
#include <charconv>

#include "runners/base/text.h"
#include "runners/model/loop_rule.h"
#include "runners/model/op_table.h"
#include "runners/model/step_parser.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using Kind = YamlNode::Kind;
using MaybeError = std::optional<Error>;

bool UsesSoon(const Program& program) {
  return std::any_of(program.begin(), program.end(),
                     [](const Step& step) { return step.op == Op::kSoon || UsesSoon(step.body); });
}

class RulesParser {
 public:
  explicit RulesParser(const std::string& file) : file_(file) {}

  Result<std::vector<LoopRule>> Parse(const YamlNode& root) {
    const YamlNode* rules = nullptr;
    const MaybeError error = ForEachKey(root, {"soon", "rules"}, [&](const YamlNode& key, const YamlNode& value) {
      if (key.text == "soon") return TakeSoon(value);
      rules = &value;
      return value.kind == Kind::kList ? MaybeError() : At(key.at, "'rules' is a list");
    });
    if (error) return *error;
    if (rules == nullptr) return At({}, "'rules' is missing");
    for (const YamlNode& item : rules->items) {
      if (const MaybeError wrong = TakeRule(item)) return *wrong;
    }
    return std::move(rules_);
  }

 private:
  Error At(const Location& at, std::string message, std::string hint = "") const {
    return Error{std::move(message), file_, at, std::move(hint)};
  }

  template <typename Take>
  MaybeError ForEachKey(const YamlNode& map, const std::vector<std::string>& known, Take take) const {
    if (map.kind != Kind::kMap) return At(map.at, "a map is written here, not " + std::string(map.KindName()));
    for (size_t i = 0; i < map.keys.size(); ++i) {
      const YamlNode& key = map.keys[i];
      if (std::find(known.begin(), known.end(), key.text) == known.end()) {
        return At(key.at, "unknown key '" + key.text + "'", DidYouMean(key.text, known));
      }
      if (MaybeError error = take(key, map.values[i])) return error;
    }
    return std::nullopt;
  }

  MaybeError TakeText(const YamlNode& key, const YamlNode& value, std::string& text) const {
    if (value.kind != Kind::kText) return At(key.at, "'" + key.text + "' is a text");
    text = std::string(Trim(value.text));
    return std::nullopt;
  }

  MaybeError TakeTexts(const YamlNode& key, const YamlNode& value, std::vector<std::string>& texts) const {
    const auto is_text = [](const YamlNode& item) { return item.kind == Kind::kText; };
    if (value.kind != Kind::kList || !std::all_of(value.items.begin(), value.items.end(), is_text)) {
      return At(key.at, "'" + key.text + "' is a list of texts");
    }
    for (const YamlNode& item : value.items) texts.push_back(item.text);
    return std::nullopt;
  }

  MaybeError TakeSoon(const YamlNode& value) {
    for (const YamlNode& item : value.items) {
      const auto op = OpFromName(item.text);
      if (!op || !ShapeOf(*op).callback || !ShapeOf(*op).times || ShapeOf(*op).positionals.size() != 1) {
        return At(item.at, "'" + item.text + "' is not an op that schedules a callback",
                  op ? "" : DidYouMean(item.text, OpNames()));
      }
      soon_.push_back(*op);
    }
    return std::nullopt;
  }

  MaybeError TakeRule(const YamlNode& item) {
    LoopRule rule;
    std::vector<std::string> proves;
    Location proves_at;
    const MaybeError error =
        ForEachKey(item, {"rule", "question", "why", "programs", "in-time", "answers", "proves", "cases"},
                   [&](const YamlNode& key, const YamlNode& value) -> MaybeError {
                     if (key.text == "rule") return TakeText(key, value, rule.id);
                     if (key.text == "question") return TakeText(key, value, rule.question);
                     if (key.text == "why") return TakeText(key, value, rule.why);
                     if (key.text == "cases") return TakeTexts(key, value, rule.cases);
                     if (key.text == "programs") return TakePrograms(key, value, rule);
                     if (key.text == "answers") return TakeAnswers(key, value, rule);
                     if (key.text == "in-time") return TakeInTime(value, rule);
                     proves_at = key.at;
                     return TakeTexts(key, value, proves);
                   });
    if (error) return error;
    for (const std::string& words : proves) {
      const auto answer = std::find_if(rule.answers.begin(), rule.answers.end(),
                                       [&](const LoopRule::Answer& one) { return one.words == words; });
      if (answer == rule.answers.end()) return At(proves_at, "there is no answer '" + words + "'");
      answer->proves = true;
    }
    for (const LoopRule& other : rules_) {
      if (other.id == rule.id) return At(item.at, "there is another rule '" + rule.id + "'");
    }
    if (rule.id.empty() || rule.question.empty() || rule.programs.empty() || rule.answers.empty()) {
      return At(item.at, "a rule has 'rule', 'question', 'programs' and 'answers'");
    }
    for (Case& program : rule.programs) program.id = "rules/" + rule.id;
    rules_.push_back(std::move(rule));
    return std::nullopt;
  }

  MaybeError TakePrograms(const YamlNode& key, const YamlNode& value, LoopRule& rule) const {
    if (value.kind != Kind::kList) return At(key.at, "'programs' is a list of programs");
    for (const YamlNode& item : value.items) {
      Result<Program> program = ParseProgram(item, file_);
      if (!program) return program.error();
      if (MaybeError error = CheckProgram(*program, Entry::kScript, file_)) return error;
      Case c;
      c.file = file_;
      c.program = std::move(*program);
      if (!UsesSoon(c.program)) {
        rule.programs.push_back(std::move(c));
        continue;
      }
      for (const Op op : soon_) {
        rule.programs.push_back(c);
        rule.programs.back().program = WithSoonAs(op, c.program);
      }
    }
    return std::nullopt;
  }

  MaybeError TakeAnswers(const YamlNode& key, const YamlNode& value, LoopRule& rule) const {
    if (value.kind != Kind::kMap) return At(key.at, "'answers' is a map from words to patterns");
    for (size_t i = 0; i < value.keys.size(); ++i) {
      const auto pattern = Pattern::Parse(value.values[i].text);
      if (!pattern) return At(value.values[i].at, pattern.error().message, pattern.error().hint);
      rule.answers.push_back({value.keys[i].text, Automaton::FromPattern(*pattern)});
    }
    return std::nullopt;
  }

  MaybeError TakeInTime(const YamlNode& value, LoopRule& rule) const {
    LoopRule::InTime& in_time = rule.in_time.emplace(LoopRule::InTime{});
    return ForEachKey(value, {"from", "to", "ms"}, [&](const YamlNode& key, const YamlNode& one) -> MaybeError {
      if (key.text == "from") return TakeText(key, one, in_time.from);
      if (key.text == "to") return TakeText(key, one, in_time.to);
      const char* end = one.text.data() + one.text.size();
      const auto [stop, code] = std::from_chars(one.text.data(), end, in_time.ms);
      return code == std::errc() && stop == end ? MaybeError() : At(one.at, "'ms' is a number");
    });
  }

  const std::string& file_;
  std::vector<Op> soon_;
  std::vector<LoopRule> rules_;
};

}  // namespace

Result<std::vector<LoopRule>> ParseRules(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  return RulesParser(file).Parse(*root);
}

}  // namespace conform
