#include "runners/model/renamed.h"

#include <filesystem>

#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using Kind = YamlNode::Kind;

const std::string* Now(const std::map<std::string, RenamedId>& ids, const std::string& id) {
  const auto found = ids.find(id);
  return found == ids.end() ? nullptr : &found->second.now;
}

std::optional<Error> ReadTable(const YamlNode* node, const std::string& what, const std::string& file,
                               std::map<std::string, RenamedId>* ids) {
  if (node == nullptr || node->kind == Kind::kNothing) return std::nullopt;
  if (node->kind != Kind::kMap) {
    return Error{"'" + what + "' is a map from old ids to new ones, not " + std::string(node->KindName()), file,
                 node->at};
  }
  for (size_t i = 0; i < node->keys.size(); ++i) {
    const YamlNode& now = node->values[i];
    if (now.kind != Kind::kText) {
      return Error{"the new id of '" + node->keys[i].text + "' is a text, not " + std::string(now.KindName()), file,
                   now.at};
    }
    (*ids)[node->keys[i].text] = {now.text, node->keys[i].at};
  }
  return std::nullopt;
}

void CheckTable(const std::map<std::string, RenamedId>& ids, const std::set<std::string>& known,
                const std::string& what, const std::string& file, std::vector<Error>* errors) {
  for (const auto& [old, id] : ids) {
    if (known.contains(old)) {
      errors->push_back({"the " + what + " '" + old + "' exists, and is listed as renamed", file, id.at});
    }
    if (known.contains(id.now)) continue;
    const std::string* later = Now(ids, id.now);
    errors->push_back({"'" + old + "' was renamed to '" + id.now + "', which is not a " + what, file, id.at,
                       later == nullptr ? "" : "'" + id.now + "' was renamed itself: name '" + *later + "' here"});
  }
}

}  // namespace

const std::string* RenamedIds::CaseNow(const std::string& id) const { return Now(cases, id); }
const std::string* RenamedIds::ClauseNow(const std::string& id) const { return Now(clauses, id); }

Result<RenamedIds> ParseRenamed(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  RenamedIds renamed;
  renamed.file = file;
  if (root->kind == Kind::kNothing) return renamed;
  if (auto error = CheckKeys(*root, "the table of renamed ids", {"cases", "clauses", "rules"}, file)) return *error;
  if (auto error = ReadTable(root->Find("cases"), "cases", file, &renamed.cases)) return *error;
  if (auto error = ReadTable(root->Find("clauses"), "clauses", file, &renamed.clauses)) return *error;
  if (auto error = ReadTable(root->Find("rules"), "rules", file, &renamed.rules)) return *error;
  return renamed;
}

Result<RenamedIds> LoadRenamed(const std::string& path) {
  std::error_code trouble;
  if (!std::filesystem::exists(path, trouble)) return RenamedIds{path, {}, {}, {}};
  const auto text = ReadFile(path, kMaxRenamedBytes);
  if (!text) return text.error();
  return ParseRenamed(*text, path);
}

std::string RenamedNote(const std::string& old, const std::string& now) {
  return "'" + old + "' was renamed to '" + now + "'";
}

std::vector<Error> CheckRenamed(const RenamedIds& renamed, const std::set<std::string>& cases,
                                const std::set<std::string>& clauses, const std::set<std::string>& rules) {
  std::vector<Error> errors;
  CheckTable(renamed.cases, cases, "case", renamed.file, &errors);
  CheckTable(renamed.clauses, clauses, "clause", renamed.file, &errors);
  CheckTable(renamed.rules, rules, "rule", renamed.file, &errors);
  return errors;
}

std::optional<std::string> RenameCase(const RenamedIds& renamed, CaseResult& result) {
  const std::string* now = renamed.CaseNow(result.case_id);
  if (now == nullptr) return std::nullopt;
  std::string note = RenamedNote(result.case_id, *now);
  result.case_id = *now;
  return note;
}

void RenameClauses(const RenamedIds& renamed, CaseResult& result) {
  for (Try& one : result.tries) {
    for (TraceEvent& event : one.trace.events) {
      if (const std::string* now = renamed.ClauseNow(event.clause)) event.clause = *now;
    }
  }
}

std::vector<std::string> RenameResults(const RenamedIds& renamed, std::vector<CaseResult>& results) {
  std::set<std::string> notes;
  for (CaseResult& result : results) {
    if (auto note = RenameCase(renamed, result)) notes.insert(std::move(*note));
    RenameClauses(renamed, result);
  }
  return {notes.begin(), notes.end()};
}

}  // namespace conform
