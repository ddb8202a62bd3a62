#include "runners/study/equivalent_mutants.h"

#include <algorithm>

#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

using Kind = YamlNode::Kind;

const std::vector<std::string>& Keys() {
  static const std::vector<std::string> keys{"family", "rule", "range", "values", "reason"};
  return keys;
}

// A value that is a list is written as one, and is its items with a comma between them.
std::string ValueText(const YamlNode& node) {
  if (node.kind != Kind::kList) return node.text;
  std::vector<std::string> items;
  for (const YamlNode& item : node.items) items.push_back(item.text);
  return Join(items, ",");
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Result<Equivalent> Read(const YamlNode& node) const {
    if (node.kind != Kind::kMap) return Fail(node.at, "an entry is a map, not " + std::string(node.KindName()));
    Equivalent entry;
    entry.at = node.at;
    for (size_t i = 0; i < node.keys.size(); ++i) {
      if (auto error = Take(node.keys[i], node.values[i], &entry)) return *error;
    }
    if (entry.family.empty()) return Fail(node.at, "the entry has no 'family'");
    if (entry.rule.empty()) return Fail(node.at, "the entry has no 'rule'");
    if (entry.reason.empty()) return Fail(node.at, "the entry has no 'reason'");
    return entry;
  }

  // What some cases are for: `for`, a sentence, and `cases`, a list of ids.
  std::optional<Error> ReadKept(const YamlNode& node, std::map<std::string, std::string>* kept) const {
    if (node.kind != Kind::kMap) return Fail(node.at, "an entry is a map, not " + std::string(node.KindName()));
    std::string purpose;
    std::vector<YamlNode> cases;
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const YamlNode &key = node.keys[i], &value = node.values[i];
      if (key.text == "for" && value.kind == Kind::kText) {
        purpose = Trim(value.text);
      } else if (key.text == "cases" && value.kind == Kind::kList) {
        cases = value.items;
      } else {
        return Fail(key.at, "expected 'for', a text, or 'cases', a list", DidYouMean(key.text, {"for", "cases"}));
      }
    }
    if (purpose.empty()) return Fail(node.at, "the entry has no 'for'");
    if (cases.empty()) return Fail(node.at, "the entry has no 'cases'");
    for (const YamlNode& one : cases) {
      if (!kept->emplace(one.text, purpose).second) return Fail(one.at, "'" + one.text + "' is kept twice");
    }
    return std::nullopt;
  }

  Error Fail(const Location& at, std::string message, std::string hint = "") const {
    return Error{std::move(message), file_, at, std::move(hint)};
  }

 private:
  std::optional<Error> Take(const YamlNode& key, const YamlNode& value, Equivalent* entry) const {
    const auto text = [&](std::string* field) -> std::optional<Error> {
      *field = Trim(value.text);
      if (value.kind == Kind::kText && !field->empty()) return std::nullopt;
      return Fail(key.at, "'" + key.text + "' is a text, not " + std::string(value.KindName()));
    };
    if (key.text == "family") return text(&entry->family);
    if (key.text == "rule") return text(&entry->rule);
    if (key.text == "reason") return text(&entry->reason);
    if (key.text == "range") {
      const auto range = VersionRange::Parse(value.text);
      if (!range) return Fail(value.at, range.error().message, range.error().hint);
      entry->range = *range;
      return std::nullopt;
    }
    if (key.text == "values") {
      if (value.kind != Kind::kList || value.items.empty()) return Fail(key.at, "'values' is a list of values");
      for (const YamlNode& item : value.items) entry->values.push_back(ValueText(item));
      return std::nullopt;
    }
    return Fail(key.at, "unknown key '" + key.text + "'", DidYouMean(key.text, Keys()));
  }

  const std::string& file_;
};

bool Inside(const reference::Mutant& mutant, const VersionRange& range) {
  return std::any_of(range.intervals().begin(), range.intervals().end(), [&](const VersionInterval& interval) {
    const bool begins = !interval.from || *interval.from <= mutant.from;
    const bool ends = !interval.to || (mutant.to && *mutant.to <= *interval.to);
    return begins && ends;
  });
}

}  // namespace

bool Equivalent::Covers(const reference::Mutant& mutant) const {
  if (mutant.family != family) return false;
  if (mutant.rule != rule || !Inside(mutant, range)) return false;
  return values.empty() || std::find(values.begin(), values.end(), mutant.value) != values.end();
}

Result<MutantsFile> ParseMutantsFile(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  const Reader reader(file);
  if (root->kind != Kind::kMap) return reader.Fail(root->at, "expected the keys 'equivalent' and 'kept'");
  MutantsFile read;
  for (size_t i = 0; i < root->keys.size(); ++i) {
    const YamlNode &key = root->keys[i], &value = root->values[i];
    if (key.text == "equivalent" && value.kind == Kind::kList) {
      for (const YamlNode& item : value.items) {
        auto entry = reader.Read(item);
        if (!entry) return entry.error();
        read.equivalent.push_back(std::move(*entry));
      }
    } else if (key.text == "kept" && value.kind == Kind::kList) {
      for (const YamlNode& item : value.items) {
        if (auto error = reader.ReadKept(item, &read.kept)) return *error;
      }
    } else {
      return reader.Fail(key.at, "expected 'equivalent' or 'kept', each a list of entries");
    }
  }
  return read;
}

const Equivalent* FindEquivalent(const std::vector<Equivalent>& entries, const reference::Mutant& mutant) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Equivalent& entry) { return entry.Covers(mutant); });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace conform
