#include "runners/model/known_reports.h"

#include <filesystem>
#include <utility>

#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using Kind = YamlNode::Kind;

Result<KnownReport> ReadEntry(const YamlNode& node, const std::string& file) {
  if (node.kind != Kind::kMap) {
    return Error{"an entry is a map, not " + std::string(node.KindName()), file, node.at};
  }
  if (auto error = CheckKeys(node, "an entry", {"rule", "value", "of", "report", "about"}, file)) return *error;
  KnownReport entry;
  entry.at = node.at;
  const std::vector<std::pair<const char*, std::string*>> fields{{"rule", &entry.rule},
                                                                 {"value", &entry.value},
                                                                 {"of", &entry.of},
                                                                 {"report", &entry.report},
                                                                 {"about", &entry.about}};
  for (const auto& [key, field] : fields) {
    const YamlNode* value = node.Find(key);
    if (value == nullptr && field == &entry.value) continue;
    if (value == nullptr) return Error{std::string("the entry has no '") + key + "'", file, node.at};
    if (value->kind != Kind::kText || value->text.empty()) {
      return Error{std::string("'") + key + "' is a text, not " + std::string(value->KindName()), file, value->at};
    }
    *field = Trim(value->text);
  }
  if (!entry.report.starts_with("https://")) {
    return Error{"'report' is an address that begins with https://", file, node.Find("report")->at};
  }
  return entry;
}

}  // namespace

bool KnownReport::IsAbout(const std::string& implementation, const std::string& changed_rule,
                          const std::string& to) const {
  if (rule != changed_rule || (!value.empty() && value != to)) return false;
  return implementation == of || implementation.starts_with(of + "@");
}

Result<std::vector<KnownReport>> ParseKnownReports(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  std::vector<KnownReport> all;
  if (root->kind == Kind::kNothing) return all;
  if (root->kind != Kind::kList) {
    return Error{"expected a list of entries, not " + std::string(root->KindName()), file, root->at};
  }
  for (const YamlNode& item : root->items) {
    auto entry = ReadEntry(item, file);
    if (!entry) return entry.error();
    all.push_back(std::move(*entry));
  }
  return all;
}

Result<std::vector<KnownReport>> LoadKnownReports(const std::string& path) {
  std::error_code trouble;
  if (!std::filesystem::exists(path, trouble)) return std::vector<KnownReport>{};
  const auto text = ReadFile(path, kMaxKnownReportsBytes);
  if (!text) return text.error();
  return ParseKnownReports(*text, path);
}

}  // namespace conform
