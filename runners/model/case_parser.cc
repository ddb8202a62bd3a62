// The keys of a case file. Steps are read by step_parser.cc and program_parser.cc.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "runners/base/text.h"
#include "runners/model/case.h"
#include "runners/model/case_json.h"
#include "runners/model/step_parser.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using Kind = YamlNode::Kind;

bool HoldsOnly(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}
constexpr std::string_view kIdCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-";

class CaseParser {
 public:
  CaseParser(const std::string& file, const std::string& id) {
    case_.file = file;
    case_.id = id;
  }

  Result<Case> Parse(const YamlNode& root) {
    if (root.kind != Kind::kMap) return At(root.at, fmt::format("a case is a map, not {}", root.KindName()));
    for (size_t i = 0; i < root.keys.size(); ++i) {
      if (std::optional<Error> error = TakeKey(root.keys[i], root.values[i])) return *error;
    }
    if (std::optional<Error> error = CheckWhole()) return *error;
    case_.content_hash = HashOfCase(case_);
    return std::move(case_);
  }

 private:
  using Taker = std::optional<Error> (CaseParser::*)(const YamlNode&);
  struct KeyRow {
    std::string_view name;
    Taker take;
  };
  static const std::vector<KeyRow>& Keys();

  Error At(Location at, std::string message, std::string hint = "") const {
    return Error{std::move(message), case_.file, at, std::move(hint)};
  }

  std::optional<Error> TakeKey(const YamlNode& key, const YamlNode& value) {
    std::vector<std::string> names;
    for (const KeyRow& row : Keys()) {
      if (row.name == key.text) {
        key_ = &key;
        return (this->*row.take)(value);
      }
      names.emplace_back(row.name);
    }
    return At(key.at, fmt::format("unknown key '{}'", key.text), DidYouMean(key.text, names));
  }

  // A value that is missing has no place; its key has.
  Location PlaceOfValue(const YamlNode& value) const { return value.kind == Kind::kNothing ? key_->at : value.at; }

  std::optional<Error> TakeText(const YamlNode& value, std::string& field) {
    field = Trim(value.text);
    if (value.kind == Kind::kText && !field.empty()) return std::nullopt;
    return At(PlaceOfValue(value), fmt::format("'{}' is a text, not {}", key_->text,
                                               value.kind == Kind::kText ? "an empty one" : value.KindName()));
  }

  std::optional<Error> TakeTexts(const YamlNode& value, std::vector<std::string>& field) {
    if (value.kind != Kind::kList) {
      return At(PlaceOfValue(value), fmt::format("'{}' is a list, not {}", key_->text, value.KindName()),
                value.kind == Kind::kText ? fmt::format("write '[{}]'", value.text) : "");
    }
    std::set<std::string> seen;
    for (const YamlNode& item : value.items) {
      field.emplace_back();
      if (std::optional<Error> error = TakeText(item, field.back())) {
        return At(item.at, fmt::format("'{}' is a list of texts", key_->text));
      }
      if (!seen.insert(field.back()).second) {
        return At(item.at, fmt::format("'{}' is given twice", item.text));
      }
    }
    return std::nullopt;
  }

  template <typename T>
  std::optional<Error> TakeChoice(const YamlNode& value, const std::vector<std::pair<std::string, T>>& choices,
                                  T& field) {
    std::vector<std::string> names;
    for (const auto& [name, choice] : choices) {
      if (value.kind == Kind::kText && value.text == name) {
        field = choice;
        return std::nullopt;
      }
      names.push_back(name);
    }
    const std::string found = value.kind == Kind::kText ? "'" + value.text + "'" : std::string(value.KindName());
    return At(PlaceOfValue(value), fmt::format("'{}' is one of {}, not {}", key_->text, Join(names, ", "), found),
              DidYouMean(value.text, names));
  }

  std::optional<Error> TakeTitle(const YamlNode& value) { return TakeText(value, case_.title); }
  std::optional<Error> TakeWhy(const YamlNode& value) { return TakeText(value, case_.why); }
  std::optional<Error> TakeNeeds(const YamlNode& value) { return TakeTexts(value, case_.needs); }

  std::optional<Error> TakeClauses(const YamlNode& value) {
    if (std::optional<Error> error = TakeTexts(value, case_.clauses)) return error;
    for (const YamlNode& item : value.items) {
      if (!HoldsOnly(item.text, std::string(kIdCharacters) + ".")) {
        return At(item.at, fmt::format("'{}' is not a clause id", item.text),
                  "an id consists of lower-case letters, digits, '-' and '.'");
      }
      case_.clause_locations.push_back(item.at);
    }
    return std::nullopt;
  }

  std::optional<Error> TakeProgram(const YamlNode& value) {
    if (value.kind == Kind::kNothing) return At(key_->at, "'program' is a list of steps, not nothing");
    Result<Program> program = ParseProgram(value, case_.file);
    if (!program.ok()) return program.error();
    case_.program = std::move(program).value();
    program_at_ = key_->at;
    return std::nullopt;
  }

  std::optional<Error> TakeEntry(const YamlNode& value) {
    return TakeChoice<Entry>(value, {{"script", Entry::kScript}, {"esm", Entry::kEsm}, {"worker", Entry::kWorker}},
                             case_.entry);
  }

  std::optional<Error> TakeTier(const YamlNode& value) {
    return TakeChoice<Tier>(
        value, {{"must", Tier::kMust}, {"should", Tier::kShould}, {"informative", Tier::kInformative}}, case_.tier);
  }

  std::optional<Error> TakePool(const YamlNode& value) {
    const char* end = value.text.data() + value.text.size();
    const auto [stop, code] = std::from_chars(value.text.data(), end, case_.pool);
    if (value.kind != Kind::kText || stop != end || code != std::errc() || case_.pool < 1 ||
        case_.pool > kMaxPoolThreads) {
      return At(PlaceOfValue(value), fmt::format("'pool' is a number of threads from 1 to {}", kMaxPoolThreads));
    }
    case_.pool_given = true;
    return std::nullopt;
  }

  // It is a statement: leaving it out is the only way not to make it.
  std::optional<Error> TakeTimeless(const YamlNode& value) {
    if (value.kind != Kind::kText || value.text != "true") {
      return At(PlaceOfValue(value), "'timeless' is true, or left out");
    }
    case_.timeless = true;
    return std::nullopt;
  }

  std::optional<Error> TakeIssue(const YamlNode& value) {
    if (std::optional<Error> error = TakeTexts(value, case_.issues)) return error;
    for (const YamlNode& item : value.items) {
      if (!item.text.starts_with("https://") && !item.text.starts_with("http://")) {
        return At(item.at, fmt::format("'{}' is not a link", item.text), "a link starts with 'https://'");
      }
    }
    return std::nullopt;
  }

  std::optional<Error> TakeNative(const YamlNode& value) {
    native_at_ = key_->at;
    if (value.kind == Kind::kText) {
      if (!value.text.ends_with(".cjs") && !value.text.ends_with(".mjs")) {
        return At(value.at, fmt::format("'{}' does not end with .cjs or .mjs", value.text),
                  "for another language, write a map from adapter to file");
      }
      return TakeNativeFile("", value);
    }
    if (value.kind != Kind::kMap || value.keys.empty()) {
      return At(PlaceOfValue(value), "'native' is a file, or a map from adapter to file");
    }
    for (size_t i = 0; i < value.keys.size(); ++i) {
      if (!HoldsOnly(value.keys[i].text, kIdCharacters)) {
        return At(value.keys[i].at, fmt::format("'{}' is not the name of an adapter", value.keys[i].text));
      }
      if (std::optional<Error> error = TakeNativeFile(value.keys[i].text, value.values[i])) return error;
    }
    return std::nullopt;
  }

  // The file is beside the case or below; a case cannot reach out of its folder.
  std::optional<Error> TakeNativeFile(const std::string& adapter, const YamlNode& value) {
    const Location at = PlaceOfValue(value);
    if (value.kind != Kind::kText || value.text.empty()) return At(at, "the name of a file is missing");
    for (const std::string& part : Split(value.text, '/')) {
      if (part.empty() || part == "." || part == ".." || part.find('\\') != std::string::npos) {
        return At(at, fmt::format("'{}' is not a file beside the case", value.text));
      }
    }
    case_.native[adapter] = value.text;
    return std::nullopt;
  }

  std::optional<Error> TakeExpect(const YamlNode& value) {
    expect_given_ = true;
    if (value.kind != Kind::kMap) return TakePattern(*key_, value, Expectation{});
    if (value.keys.empty()) return At(key_->at, "'expect' has no pattern");
    if (value.keys.size() > kMaxExpectations) {
      return At(key_->at, fmt::format("'expect' has at most {} patterns", kMaxExpectations));
    }
    for (size_t i = 0; i < value.keys.size(); ++i) {
      Expectation expectation;
      if (std::optional<Error> error = TakeRange(value.keys[i], case_.expect, expectation)) return error;
      if (std::optional<Error> error = TakePattern(value.keys[i], value.values[i], std::move(expectation))) {
        return error;
      }
    }
    return std::nullopt;
  }

  // `node >=0.12 <11`: into the family and the range of `ranged`.
  template <typename Ranged>
  std::optional<Error> TakeRange(const YamlNode& key, const std::vector<Ranged>& others, Ranged& ranged) {
    const size_t end = std::min(key.text.find_first_of(" \t<>=|"), key.text.size());
    ranged.family = key.text.substr(0, end);
    ranged.at = key.at;
    if (ranged.family.empty() || !HoldsOnly(ranged.family, kIdCharacters)) {
      return At(key.at, fmt::format("'{}' does not start with the name of a profile", key.text),
                "such as 'node >=11', 'libuv <1.45' or 'html'");
    }
    Result<VersionRange> range = VersionRange::Parse(std::string_view(key.text).substr(end));
    if (!range.ok()) {
      const size_t column = static_cast<size_t>(std::max(range.error().at.column, 1) - 1);
      return At(key.PlaceOf(end + column), range.error().message, range.error().hint);
    }
    ranged.range = std::move(range).value();
    for (const Ranged& other : others) {
      if (other.family == ranged.family && other.range.Overlaps(ranged.range)) {
        return At(key.at, fmt::format("'{}' overlaps the range of line {}", key.text, other.at.line));
      }
    }
    return std::nullopt;
  }

  std::optional<Error> TakePattern(const YamlNode& key, const YamlNode& value, Expectation expectation) {
    if (value.kind == Kind::kNothing) {
      return At(key.at, fmt::format("'{}' has no pattern", key.text), "the empty order is written ''");
    }
    if (value.kind != Kind::kText) {
      return At(value.at, fmt::format("a pattern is a text, not {}", value.KindName()), "put it in quotes");
    }
    Result<Pattern> pattern = Pattern::Parse(value.text);
    if (!pattern.ok()) {
      const size_t column = static_cast<size_t>(std::max(pattern.error().at.column, 1) - 1);
      return At(value.PlaceOf(column), pattern.error().message, pattern.error().hint);
    }
    expectation.pattern = std::move(pattern).value();
    expectation.at = key.at;
    case_.expect.push_back(std::move(expectation));
    return std::nullopt;
  }

  std::optional<Error> TakeModel(const YamlNode& value) {
    model_at_ = key_->at;
    if (value.kind != Kind::kMap) return TakeModelProgram(*key_, value, ModelProgram{});
    if (value.keys.empty()) return At(key_->at, "'model' has no program");
    for (size_t i = 0; i < value.keys.size(); ++i) {
      ModelProgram model;
      if (std::optional<Error> error = TakeRange(value.keys[i], case_.models, model)) return error;
      if (std::optional<Error> error = TakeModelProgram(value.keys[i], value.values[i], std::move(model))) {
        return error;
      }
    }
    return std::nullopt;
  }

  std::optional<Error> TakeModelProgram(const YamlNode& key, const YamlNode& value, ModelProgram model) {
    if (value.kind == Kind::kNothing) return At(key.at, fmt::format("'{}' is a list of steps, not nothing", key.text));
    Result<Program> program = ParseProgram(value, case_.file);
    if (!program.ok()) return program.error();
    model.program = std::move(program).value();
    case_.models.push_back(std::move(model));
    return std::nullopt;
  }

  // Every profile for which something is expected has a model: those between two boundaries are all alike.
  std::optional<Error> CheckModelsCover(const Expectation& expectation) const {
    std::vector<Version> points{Version{}};
    for (const VersionInterval& interval : expectation.range.intervals()) {
      if (interval.from) points.push_back(*interval.from);
    }
    for (const ModelProgram& model : case_.models) {
      for (const VersionInterval& interval : model.range.intervals()) {
        if (interval.to) points.push_back(*interval.to);
      }
    }
    for (const Version& point : points) {
      if (!expectation.range.Contains(point) || case_.ModelFor(expectation.family, point) != nullptr) continue;
      const std::string profile =
          expectation.family.empty() ? "every profile" : expectation.family + " " + point.ToString();
      return At(*model_at_, fmt::format("'model' has no program for {}", profile), "'expect' covers it");
    }
    return std::nullopt;
  }

  std::optional<Error> CheckModels() const {
    for (const ModelProgram& model : case_.models) {
      if (std::optional<Error> error = CheckProgram(model.program, case_.EntryOfModel(), case_.file)) return error;
    }
    for (const Expectation& expectation : case_.expect) {
      if (std::optional<Error> error = CheckModelsCover(expectation)) return error;
    }
    return std::nullopt;
  }

  // What can only be said once every key is known.
  std::optional<Error> CheckWhole() const {
    if (!expect_given_ && (native_at_ || model_at_)) return At({}, "'expect' is missing");
    if (program_at_ && native_at_) return At(*native_at_, "a case has a program or native files, not both");
    if (!program_at_ && !native_at_) return At({}, "'program' is missing");
    if (std::optional<Error> error = CheckProgram(case_.program, case_.entry, case_.file)) return error;
    if (model_at_) {
      if (std::optional<Error> error = CheckModels()) return error;
    }
    return case_.HasNoProgram() ? std::nullopt : CheckPatternLabels(case_);
  }

  Case case_;
  const YamlNode* key_ = nullptr;  // the key of the file whose value is being taken
  std::optional<Location> program_at_;
  std::optional<Location> native_at_;
  std::optional<Location> model_at_;
  bool expect_given_ = false;
};

const std::vector<CaseParser::KeyRow>& CaseParser::Keys() {
  static const std::vector<KeyRow> keys = {
      {"title", &CaseParser::TakeTitle},   {"clauses", &CaseParser::TakeClauses},
      {"why", &CaseParser::TakeWhy},       {"program", &CaseParser::TakeProgram},
      {"expect", &CaseParser::TakeExpect}, {"entry", &CaseParser::TakeEntry},
      {"pool", &CaseParser::TakePool},     {"needs", &CaseParser::TakeNeeds},
      {"tier", &CaseParser::TakeTier},     {"native", &CaseParser::TakeNative},
      {"issue", &CaseParser::TakeIssue},   {"timeless", &CaseParser::TakeTimeless},
      {"model", &CaseParser::TakeModel},
  };
  return keys;
}

}  // namespace

Result<Case> ParseCase(const std::string& text, const std::string& file, const std::string& id) {
  // The size comes first: nothing below has to be quick on a file that is not meant to be a case.
  if (text.size() > kMaxCaseBytes) return Error{fmt::format("is larger than {} bytes", kMaxCaseBytes), file};
  Result<YamlNode> root = ReadYaml(text, file);
  if (!root.ok()) return root.error();
  return CaseParser(file, id).Parse(*root);
}

}  // namespace conform
