// The format of spec/profiles/*.yaml; spec/profiles/README.md describes it for a writer.
//
//   family: node
//   title: Node.js
//   releases: [0.10.48, …, 26.10.0]          oldest first; the first and the last bound the family
//   recipe: documented                       optional
//   base: libuv                              optional, with:
//   base-versions:
//     - {range: "<20.3", version: 1.44.2}
//     - {range: ">=20.3", version: 1.45.0}
//   rules:
//     drain:
//       clause: drain.after-each-callback
//       summary: When ticks and microtasks run
//       step: tick                           optional: the step that it is about
//       values:                              oldest first
//         - {value: after-list, range: "<11"}
//         - {value: after-each-callback, range: ">=11"}
//       deviations:                          optional: values that no version has
//         - {value: never, sentence: nothing is drained, clause: drain.after-each-callback, range: ">=11"}
//       narrower: …                          optional, the same: of loops that decide what is left open
//   capabilities:
//     tick: ""                               always
//     timeout as promise: ">=15"
#include <algorithm>
#include <cctype>
#include <set>

#include "runners/base/text.h"
#include "runners/model/op_table.h"
#include "runners/model/profile.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using MaybeError = std::optional<Error>;

// Ranges that may not overlap and together cover the family, with where each is.
struct Division {
  std::string what;
  Location at;
  std::vector<VersionRange> ranges;
  std::vector<Location> places;
};

class FamilyParser {
 public:
  FamilyParser(const YamlNode& root, const std::string& file) : root_(root), file_(file) {}

  Result<ProfileFamily> Parse() {
    family_.file = file_;
    for (const auto read : {&FamilyParser::ReadHead, &FamilyParser::ReadBase, &FamilyParser::ReadRules,
                            &FamilyParser::ReadCapabilities, &FamilyParser::CheckDivisions}) {
      if (MaybeError error = (this->*read)()) return *error;
    }
    return std::move(family_);
  }

 private:
  Error Fail(const Location& at, std::string message, std::string hint = "") const {
    return Error{std::move(message), file_, at, std::move(hint)};
  }

  // A map with these keys and no others; those in `required` are all there.
  MaybeError CheckMap(const YamlNode& node, const std::string& what, const std::vector<std::string>& required,
                      const std::vector<std::string>& optional = {}) const {
    std::vector<std::string> known = required;
    known.insert(known.end(), optional.begin(), optional.end());
    if (MaybeError error = CheckKeys(node, what, known, file_)) return error;
    for (const std::string& key : required) {
      if (node.Find(key) == nullptr) return Fail(node.at, what + " has no '" + key + "'");
    }
    return std::nullopt;
  }

  MaybeError ReadText(const YamlNode& map, const std::string& key, std::string& text) const {
    const YamlNode& node = *map.Find(key);
    if (node.kind != YamlNode::Kind::kText) {
      return Fail(node.at, "'" + key + "' is a text, not " + std::string(node.KindName()));
    }
    text = Trim(node.text);
    if (text.empty()) return Fail(node.at, "'" + key + "' is empty");
    return std::nullopt;
  }

  // Lower-case letters, digits, dots and hyphens: what families, rules, values and clauses are called.
  MaybeError ReadName(const YamlNode& map, const std::string& key, std::string& name) const {
    if (MaybeError error = ReadText(map, key, name)) return error;
    return CheckName(*map.Find(key), key, name);
  }
  MaybeError CheckName(const YamlNode& node, const std::string& what, const std::string& name) const {
    const bool good = std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '.' || c == '-';
    });
    if (good) return std::nullopt;
    return Fail(node.at, "'" + name + "' is not a " + what + ": expected lower-case letters, digits, dots and hyphens");
  }

  MaybeError ReadVersion(const YamlNode& node, Version& version) const {
    if (node.kind != YamlNode::Kind::kText) {
      return Fail(node.at, "expected a version, not " + std::string(node.KindName()));
    }
    auto parsed = Version::Parse(node.text);
    if (!parsed) return Fail(PlaceOf(node, parsed.error()), parsed.error().message);
    version = *parsed;
    return std::nullopt;
  }

  MaybeError ReadRange(const YamlNode& node, VersionRange& range) const {
    if (node.kind != YamlNode::Kind::kText) {
      return Fail(node.at, "expected a range, not " + std::string(node.KindName()), "\"\" is every version");
    }
    auto parsed = VersionRange::Parse(node.text);
    if (!parsed) return Fail(PlaceOf(node, parsed.error()), parsed.error().message, parsed.error().hint);
    range = *parsed;
    return std::nullopt;
  }

  static Location PlaceOf(const YamlNode& node, const Error& error) {
    return node.PlaceOf(static_cast<size_t>(std::max(error.at.column, 1) - 1));
  }

  MaybeError ReadHead() {
    if (MaybeError error = CheckMap(root_, "a profile", {"family", "title", "releases"},
                                    {"recipe", "base", "base-versions", "rules", "capabilities"})) {
      return error;
    }
    if (MaybeError error = ReadName(root_, "family", family_.name)) return error;
    if (MaybeError error = ReadText(root_, "title", family_.title)) return error;
    if (const YamlNode* recipe = root_.Find("recipe")) {
      family_.is_documented = recipe->text == "documented";
      if (!family_.is_documented) return Fail(recipe->at, "'recipe' is 'documented', or left out");
    }
    const YamlNode& releases = *root_.Find("releases");
    if (releases.kind != YamlNode::Kind::kList || releases.items.empty()) {
      return Fail(releases.at, "'releases' is a list of versions, oldest first");
    }
    for (const YamlNode& item : releases.items) {
      Version version;
      if (MaybeError error = ReadVersion(item, version)) return error;
      if (!family_.releases.empty() && version <= family_.releases.back()) {
        return Fail(item.at, "releases go from old to new, but " + version.ToString() + " follows " +
                                 family_.releases.back().ToString());
      }
      family_.releases.push_back(version);
    }
    return std::nullopt;
  }

  MaybeError ReadBase() {
    const YamlNode* base = root_.Find("base");
    const YamlNode* versions = root_.Find("base-versions");
    if (base == nullptr && versions == nullptr) return std::nullopt;
    if (base == nullptr) return Fail(versions->at, "'base-versions' without 'base'");
    if (versions == nullptr) return Fail(base->at, "'base' without 'base-versions'");
    if (MaybeError error = ReadName(root_, "base", family_.base)) return error;
    if (versions->kind != YamlNode::Kind::kList) return Fail(versions->at, "'base-versions' is a list");
    Division division{"'base-versions'", versions->at, {}, {}};
    for (const YamlNode& item : versions->items) {
      if (MaybeError error = CheckMap(item, "an item of 'base-versions'", {"range", "version"})) return error;
      VersionRange range;
      Version version;
      if (MaybeError error = ReadRange(*item.Find("range"), range)) return error;
      if (MaybeError error = ReadVersion(*item.Find("version"), version)) return error;
      division.ranges.push_back(range);
      division.places.push_back(item.at);
      family_.base_versions.push_back({range, version});
    }
    divisions_.push_back(std::move(division));
    return std::nullopt;
  }

  MaybeError ReadRules() {
    const YamlNode* rules = root_.Find("rules");
    if (rules == nullptr) return std::nullopt;
    if (rules->kind != YamlNode::Kind::kMap) return Fail(rules->at, "'rules' is a map from names to rules");
    for (size_t i = 0; i < rules->keys.size(); ++i) {
      const YamlNode& key = rules->keys[i];
      if (MaybeError error = CheckName(key, "name of a rule", key.text)) return error;
      if (MaybeError error = ReadRule(key, rules->values[i])) return error;
    }
    return std::nullopt;
  }

  MaybeError ReadRule(const YamlNode& key, const YamlNode& node) {
    const std::string what = "the rule '" + key.text + "'";
    if (MaybeError error = CheckMap(node, what, {"clause", "summary", "values"}, {"step", "deviations", "narrower"}))
      return error;
    RuleDefinition rule;
    rule.name = key.text;
    if (MaybeError error = ReadName(node, "clause", rule.clause)) return error;
    if (MaybeError error = ReadText(node, "summary", rule.summary)) return error;
    if (const YamlNode* step = node.Find("step")) {
      rule.step = OpFromName(step->text);
      if (!rule.step) return Fail(step->at, "there is no step '" + step->text + "'", DidYouMean(step->text, OpNames()));
    }
    const YamlNode& values = *node.Find("values");
    if (values.kind != YamlNode::Kind::kList) return Fail(values.at, "'values' is a list, oldest first");
    Division division{what, key.at, {}, {}};
    for (const YamlNode& item : values.items) {
      if (MaybeError error = CheckMap(item, "a value of " + what, {"value", "range"})) return error;
      RuleDefinition::Span span;
      if (MaybeError error = ReadValue(item, span.value)) return error;
      if (MaybeError error = ReadRange(*item.Find("range"), span.range)) return error;
      if (std::find(rule.values.begin(), rule.values.end(), span.value) == rule.values.end()) {
        rule.values.push_back(span.value);
      }
      division.ranges.push_back(span.range);
      division.places.push_back(item.at);
      rule.spans.push_back(std::move(span));
    }
    divisions_.push_back(std::move(division));
    std::set<std::string> known(rule.values.begin(), rule.values.end());
    for (const auto& [list_name, list] : {std::pair{"deviations", &rule.deviations}, {"narrower", &rule.narrower}}) {
      const YamlNode* others = node.Find(list_name);
      if (others == nullptr) continue;
      if (others->kind != YamlNode::Kind::kList) return Fail(others->at, "'" + std::string(list_name) + "' is a list");
      if (MaybeError error = ReadOthers(*others, rule, known, *list)) return error;
    }
    family_.rules.push_back(std::move(rule));
    return std::nullopt;
  }

  // A name, or a list of names.
  MaybeError ReadValue(const YamlNode& map, std::string& value) const {
    const YamlNode& node = *map.Find("value");
    if (node.kind != YamlNode::Kind::kList) return ReadName(map, "value", value);
    if (node.items.empty()) return Fail(node.at, "'value' is an empty list");
    for (const YamlNode& item : node.items) {
      if (MaybeError error = CheckName(item, "item of a value", item.text)) return error;
      value += (value.empty() ? "" : ",") + item.text;
    }
    return std::nullopt;
  }

  // Values that no version has.
  MaybeError ReadOthers(const YamlNode& node, const RuleDefinition& rule, std::set<std::string>& known,
                        std::vector<RuleDefinition::Deviation>& others) const {
    const std::string what = "the rule '" + rule.name + "'";
    for (const YamlNode& item : node.items) {
      const std::vector<std::string> optional{"clause", "range"};
      if (MaybeError error = CheckMap(item, "a deviation of " + what, {"value", "sentence"}, optional)) return error;
      RuleDefinition::Deviation other{"", "", rule.clause, {}};
      if (MaybeError error = ReadValue(item, other.value)) return error;
      if (MaybeError error = ReadText(item, "sentence", other.sentence)) return error;
      if (item.Find("clause") != nullptr) {
        if (MaybeError error = ReadName(item, "clause", other.clause)) return error;
      }
      if (const YamlNode* range = item.Find("range")) {
        if (MaybeError error = ReadRange(*range, other.range)) return error;
        if (other.range.intervals().size() > 1) return Fail(range->at, "a deviation has one range, without '||'");
      }
      if (!known.insert(other.value).second) {
        return Fail(item.at, "'" + other.value + "' is a value of " + what + " already");
      }
      others.push_back(std::move(other));
    }
    return std::nullopt;
  }

  MaybeError ReadCapabilities() {
    const YamlNode* capabilities = root_.Find("capabilities");
    if (capabilities == nullptr) return std::nullopt;
    if (capabilities->kind != YamlNode::Kind::kMap) {
      return Fail(capabilities->at, "'capabilities' is a map from names to ranges");
    }
    for (size_t i = 0; i < capabilities->keys.size(); ++i) {
      const YamlNode& key = capabilities->keys[i];
      if (capabilities->values[i].kind == YamlNode::Kind::kNothing) {
        return Fail(key.at, "'" + key.text + "' has no range", "\"\" is every version");
      }
      Capability capability{key.text, {}};
      if (MaybeError error = ReadRange(capabilities->values[i], capability.range)) return error;
      family_.capabilities.push_back(std::move(capability));
    }
    return std::nullopt;
  }

  // Every version where anything changes, within the family; between two of them nothing does, so that what holds at
  // each of them holds throughout.
  std::set<Version> Points() const {
    std::set<Version> points(family_.releases.begin(), family_.releases.end());
    const auto add = [&](const VersionRange& range) {
      for (const VersionInterval& interval : range.intervals()) {
        if (interval.from && family_.Knows(*interval.from)) points.insert(*interval.from);
        if (interval.to && family_.Knows(*interval.to)) points.insert(*interval.to);
      }
    };
    for (const Division& division : divisions_) {
      for (const VersionRange& range : division.ranges) add(range);
    }
    for (const Capability& capability : family_.capabilities) add(capability.range);
    return points;
  }

  MaybeError CheckDivisions() {
    const std::set<Version> points = Points();
    for (const Division& division : divisions_) {
      const auto& ranges = division.ranges;
      for (size_t i = 0; i < ranges.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (!ranges[i].Overlaps(ranges[j])) continue;
          return Fail(division.places[i],
                      "'" + ranges[i].ToString() + "' overlaps '" + ranges[j].ToString() + "' in " + division.what);
        }
      }
      for (const Version& version : points) {
        const auto covers = [&](const VersionRange& range) { return range.Contains(version); };
        if (std::any_of(ranges.begin(), ranges.end(), covers)) continue;
        return Fail(division.at, division.what + " does not say what holds at " + version.ToString());
      }
    }
    return std::nullopt;
  }

  const YamlNode& root_;
  const std::string& file_;
  ProfileFamily family_;
  std::vector<Division> divisions_;
};

}  // namespace

Result<ProfileFamily> ParseProfileFamily(const std::string& text, const std::string& file) {
  auto root = ReadYaml(text, file);
  if (!root) return root.error();
  return FamilyParser(*root, file).Parse();
}

}  // namespace conform
