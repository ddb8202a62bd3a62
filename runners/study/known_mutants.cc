#include "runners/study/known_mutants.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using NodeKind = YamlNode::Kind;

constexpr std::array kKinds{KnownMutants::Kind::kOutside, KnownMutants::Kind::kEquivalent, KnownMutants::Kind::kBeyond};
const std::vector<std::string>& EntryKeys() {
  static const std::vector<std::string> keys{"mutants", "reason"};
  return keys;
}

Result<KnownMutants> ReadEntry(const YamlNode& node, KnownMutants::Kind kind, const std::string& file) {
  if (auto error = CheckKeys(node, "an entry", EntryKeys(), file)) return *error;
  KnownMutants entry;
  entry.kind = kind;
  entry.at = node.at;
  const YamlNode* mutants = node.Find("mutants");
  const YamlNode* reason = node.Find("reason");
  if (mutants == nullptr || mutants->kind != NodeKind::kList || mutants->items.empty()) {
    return Error{"the entry has no 'mutants', a list", file, node.at};
  }
  for (const YamlNode& item : mutants->items) {
    if (item.kind != NodeKind::kText) return Error{"a mutant is a text", file, item.at};
    entry.mutants.push_back(item.text);
  }
  if (reason != nullptr) entry.reason = Trim(reason->text);
  if (entry.reason.empty()) return Error{"the entry has no 'reason'", file, node.at};
  return entry;
}

}  // namespace

std::string_view KnownName(KnownMutants::Kind kind) {
  switch (kind) {
    case KnownMutants::Kind::kOutside:
      return "outside";
    case KnownMutants::Kind::kEquivalent:
      return "equivalent";
    case KnownMutants::Kind::kBeyond:
      return "beyond";
  }
  CONFORM_CHECK(false);
}

bool MatchesGlob(std::string_view glob, std::string_view text) {
  // Where the last star is, and how much of the text it has taken so far.
  size_t g = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      taken = t;
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', g) == std::string_view::npos;
}

bool KnownMutants::Covers(std::string_view id) const {
  return std::any_of(mutants.begin(), mutants.end(), [&](const std::string& glob) { return MatchesGlob(glob, id); });
}

const KnownMutants* FindKnown(const std::vector<KnownMutants>& entries, std::string_view id) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const KnownMutants& entry) { return entry.Covers(id); });
  return found == entries.end() ? nullptr : &*found;
}

Result<std::vector<KnownMutants>> ParseKnownMutants(const std::string& text, const std::string& file,
                                                    std::string_view of) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  if (auto error = CheckKeys(*root, "the file", {"libuv", "node"}, file)) return *error;
  std::vector<KnownMutants> entries;
  const YamlNode* source = root->Find(of);
  if (source == nullptr) return entries;
  if (auto error = CheckKeys(*source, "a source", {"outside", "equivalent", "beyond"}, file)) return *error;
  for (const KnownMutants::Kind kind : kKinds) {
    const YamlNode* list = source->Find(KnownName(kind));
    if (list == nullptr) continue;
    if (list->kind != NodeKind::kList) return Error{"expected a list of entries", file, list->at};
    for (const YamlNode& item : list->items) {
      auto entry = ReadEntry(item, kind, file);
      if (!entry) return entry.error();
      entries.push_back(std::move(*entry));
    }
  }
  return entries;
}

}  // namespace conform
