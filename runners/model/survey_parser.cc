// The format of spec/survey.yaml; spec/survey.md describes it for a writer.
#include <algorithm>
#include <charconv>

#include "runners/base/text.h"
#include "runners/model/op_table.h"
#include "runners/model/step_parser.h"
#include "runners/model/survey.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using Kind = YamlNode::Kind;
using MaybeError = std::optional<Error>;

bool UsesSoon(const Program& program) {
  return std::any_of(program.begin(), program.end(),
                     [](const Step& step) { return step.op == Op::kSoon || UsesSoon(step.body); });
}

class SurveyParser {
 public:
  explicit SurveyParser(const std::string& file) : file_(file) {}

  Result<std::vector<SurveyQuestion>> Parse(const YamlNode& root) {
    const YamlNode* questions = nullptr;
    const MaybeError error = ForEachKey(root, {"soon", "questions"}, [&](const YamlNode& key, const YamlNode& value) {
      if (key.text == "soon") return TakeSoon(value);
      questions = &value;
      return value.kind == Kind::kList ? MaybeError() : At(key.at, "'questions' is a list");
    });
    if (error) return *error;
    if (questions == nullptr) return At({}, "'questions' is missing");
    for (const YamlNode& item : questions->items) {
      if (const MaybeError wrong = TakeQuestion(item)) return *wrong;
    }
    return std::move(questions_);
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

  MaybeError TakeQuestion(const YamlNode& item) {
    SurveyQuestion question;
    std::vector<std::string> proves;
    Location proves_at;
    const MaybeError error =
        ForEachKey(item, {"id", "question", "why", "programs", "in-time", "answers", "proves", "cases"},
                   [&](const YamlNode& key, const YamlNode& value) -> MaybeError {
                     if (key.text == "id") return TakeText(key, value, question.id);
                     if (key.text == "question") return TakeText(key, value, question.text);
                     if (key.text == "why") return TakeText(key, value, question.why);
                     if (key.text == "cases") return TakeTexts(key, value, question.cases);
                     if (key.text == "programs") return TakePrograms(key, value, question);
                     if (key.text == "answers") return TakeAnswers(key, value, question);
                     if (key.text == "in-time") return TakeInTime(value, question);
                     proves_at = key.at;
                     return TakeTexts(key, value, proves);
                   });
    if (error) return error;
    for (const std::string& words : proves) {
      const auto answer = std::find_if(question.answers.begin(), question.answers.end(),
                                       [&](const SurveyQuestion::Answer& one) { return one.words == words; });
      if (answer == question.answers.end()) return At(proves_at, "there is no answer '" + words + "'");
      answer->proves = true;
    }
    for (const SurveyQuestion& other : questions_) {
      if (other.id == question.id) return At(item.at, "there is another question '" + question.id + "'");
    }
    if (question.id.empty() || question.text.empty() || question.programs.empty() || question.answers.empty()) {
      return At(item.at, "a question has 'id', 'question', 'programs' and 'answers'");
    }
    for (Case& program : question.programs) program.id = "questions/" + question.id;
    questions_.push_back(std::move(question));
    return std::nullopt;
  }

  MaybeError TakePrograms(const YamlNode& key, const YamlNode& value, SurveyQuestion& question) const {
    if (value.kind != Kind::kList) return At(key.at, "'programs' is a list of programs");
    for (const YamlNode& item : value.items) {
      Result<Program> program = ParseProgram(item, file_);
      if (!program) return program.error();
      if (MaybeError error = CheckProgram(*program, Entry::kScript, file_)) return error;
      Case c;
      c.file = file_;
      c.program = std::move(*program);
      if (!UsesSoon(c.program)) {
        question.programs.push_back(std::move(c));
        continue;
      }
      for (const Op op : soon_) {
        question.programs.push_back(c);
        question.programs.back().program = WithSoonAs(op, c.program);
      }
    }
    return std::nullopt;
  }

  MaybeError TakeAnswers(const YamlNode& key, const YamlNode& value, SurveyQuestion& question) const {
    if (value.kind != Kind::kMap) return At(key.at, "'answers' is a map from words to patterns");
    for (size_t i = 0; i < value.keys.size(); ++i) {
      const auto pattern = Pattern::Parse(value.values[i].text);
      if (!pattern) return At(value.values[i].at, pattern.error().message, pattern.error().hint);
      question.answers.push_back({value.keys[i].text, Automaton::FromPattern(*pattern)});
    }
    return std::nullopt;
  }

  MaybeError TakeInTime(const YamlNode& value, SurveyQuestion& question) const {
    SurveyQuestion::InTime& in_time = question.in_time.emplace(SurveyQuestion::InTime{});
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
  std::vector<SurveyQuestion> questions_;
};

}  // namespace

Result<std::vector<SurveyQuestion>> ParseSurvey(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  return SurveyParser(file).Parse(*root);
}

}  // namespace conform
