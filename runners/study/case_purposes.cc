#include "runners/study/case_purposes.h"

#include <algorithm>

#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

constexpr size_t kMaxPageBytes = 8 << 20;

// A file that names cases, and what that makes of them.
struct Page {
  const char* file;
  const char* purpose;
};
constexpr Page kPages[] = {
    {"claims.md", "shows what is true of a common claim (claims.md)"},
    {"survey.yaml", "asks a question that can be put to any loop (survey.yaml)"},
    {"history.md", "distinguishes releases that were run (history.md)"},
};
constexpr char kNotModelled[] = "asks real runtimes about their library, of which the reference loop has no copy";
constexpr char kFamily[] = "completes a family of questions (cases/families)";
// The first line of a case that is written from a table.
constexpr char kWrittenByFamilies[] = "# Written by cases/families/";

bool IsOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '/' || c == '_';
}

}  // namespace

std::set<std::string> CasesNamedIn(const std::string& text, const std::set<std::string>& ids) {
  std::set<std::string> named;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = begin;
    while (end < text.size() && IsOfName(text[end])) ++end;
    if (end == begin) continue;
    std::string word = text.substr(begin, end - begin);
    if (ids.contains(word)) named.insert(std::move(word));
  }
  return named;
}

Purposes FindPurposes(const std::string& spec_folder, const std::vector<SelectedCase>& cases,
                      const std::set<std::string>& modelled) {
  std::set<std::string> ids;
  for (const SelectedCase& selected : cases) ids.insert(selected.c.id);
  Purposes purposes;
  for (const Page& page : kPages) {
    const auto text = ReadFile(spec_folder + "/" + page.file, kMaxPageBytes);
    if (!text) continue;
    for (const std::string& id : CasesNamedIn(*text, ids)) purposes[id].push_back(page.purpose);
  }
  for (const SelectedCase& selected : cases) {
    const Case& c = selected.c;
    if (!modelled.contains(c.id)) purposes[c.id].push_back(kNotModelled);
    const auto text = ReadFile(c.file, kMaxCaseBytes);
    if (text.ok() && text->starts_with(kWrittenByFamilies)) purposes[c.id].push_back(kFamily);
  }
  return purposes;
}

Result<RecordedNeeds> ParseRecordedNeeds(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  if (root->kind != YamlNode::Kind::kMap) return Error{"expected a map from cases to mutants", file, root->at};
  RecordedNeeds needs;
  for (size_t i = 0; i < root->keys.size(); ++i) {
    const YamlNode& value = root->values[i];
    if (value.kind != YamlNode::Kind::kText || value.text.empty()) {
      return Error{"expected a mutant, or `clause NAME`, not " + std::string(value.KindName()), file, value.at};
    }
    needs[root->keys[i].text] = value.text;
  }
  return needs;
}

std::string RecordedNeedsText(const RecordedNeeds& needs) {
  std::string out =
      "# What would be without a case if this one went, and all those that are not needed: a mutant, or a clause.\n"
      "# Written by `conform mutants --needed --record=FILE`; `--needed --recorded` sees that it is true.\n";
  for (const auto& [id, need] : needs) out += id + ": \"" + need + "\"\n";
  return out;
}

}  // namespace conform
