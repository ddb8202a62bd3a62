#include "runners/model/profile_change.h"

#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

// A name, or a list of names.
Result<std::string> ReadRuleValue(const YamlNode& node, const std::string& rule, const std::string& file) {
  const auto fail = [&] {
    return Error{"the value of '" + rule + "' is a name, or a list of names", file, node.at, ""};
  };
  if (node.kind == YamlNode::Kind::kText && !Trim(node.text).empty()) return std::string(Trim(node.text));
  if (node.kind != YamlNode::Kind::kList || node.items.empty()) return fail();
  std::vector<std::string> items;
  for (const YamlNode& item : node.items) {
    if (item.kind != YamlNode::Kind::kText) return fail();
    items.emplace_back(Trim(item.text));
  }
  return Join(items, ",");
}

}  // namespace

bool IsProfileFile(const std::string& word) {
  return word.find('/') != std::string::npos || word.ends_with(".yaml") || word.ends_with(".yml");
}

bool DescribesFamily(const std::string& text) {
  const auto root = ReadYaml(text, "");
  return root.ok() && root->Find("family") != nullptr;
}

Result<ProfileChange> ParseProfileChange(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  if (const auto error = CheckKeys(*root, "your own profile", {"base", "rules"}, file)) return *error;
  const YamlNode* base = root->Find("base");
  const YamlNode* rules = root->Find("rules");
  if (base == nullptr) {
    return Error{"your own profile has no 'base'", file, root->at,
                 "'base: node@24' and the rules that differ; or a whole 'family'"};
  }
  if (base->kind != YamlNode::Kind::kText || Trim(base->text).empty()) {
    return Error{"'base' is the name of a profile, such as node@24", file, base->at, ""};
  }
  if (rules == nullptr)
    return Error{"your own profile has no 'rules'", file, root->at, "those that differ from its base"};
  if (rules->kind != YamlNode::Kind::kMap || rules->keys.empty()) {
    return Error{"'rules' is a map from the names of rules to values", file, rules->at, "such as 'drain: after-list'"};
  }
  ProfileChange change{std::string(Trim(base->text)), base->at, {}};
  for (size_t i = 0; i < rules->keys.size(); ++i) {
    const YamlNode& key = rules->keys[i];
    auto value = ReadRuleValue(rules->values[i], key.text, file);
    if (!value) return value.error();
    change.rules.push_back({key.text, std::move(*value), key.at, rules->values[i].at});
  }
  return change;
}

}  // namespace conform
