#include "reports/baseline.h"

#include <algorithm>
#include <utility>

#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform::reports {
namespace {

using MaybeError = std::optional<Error>;

// "24.0.0" of "24.0.0-nightly"; "node@24.21.0" is a family and a version.
std::optional<Version> VersionOf(std::string_view text) {
  const auto version = Version::Parse(text.substr(0, text.find_first_of("-+ ")));
  return version ? std::optional(*version) : std::nullopt;
}

bool IsEvery(const VersionRange& range) { return range.intervals() == VersionRange().intervals(); }

bool Holds(const VersionRange& range, std::string_view version) {
  if (IsEvery(range)) return true;
  const auto parsed = VersionOf(version);
  return parsed && range.Contains(*parsed);
}

const std::vector<std::string>& VerdictNames() {
  static const std::vector<std::string> kNames{"fail",        "inconclusive", "suspect", "missing",       "unsupported",
                                               "unspecified", "timeout",      "crash",   "protocol-error"};
  return kNames;
}

class Parser {
 public:
  Parser(const YamlNode& root, const std::string& file) : root_(root) { baseline_.file = file; }

  Result<Baseline> Parse() {
    if (root_.kind == YamlNode::Kind::kNothing) return Fail(root_.at, "is empty, expected 'format: 2'");
    if (auto error = CheckKeys(root_, "a baseline", {"format", "cases", "known"}, baseline_.file)) return *error;
    const YamlNode* format = root_.Find("format");
    if (format == nullptr) return Fail(root_.at, "'format' is missing", "write 'format: 2'");
    if (format->text != "1" && format->text != "2") {
      return Fail(format->at, "format '" + format->text + "' is not known, only 1 and 2");
    }
    baseline_.format = format->text == "1" ? 1 : 2;
    baseline_.format_at = {format->at.line, format->text_column};
    if (auto error = ReadCases()) return *error;
    if (auto error = ReadKnown()) return *error;
    return std::move(baseline_);
  }

 private:
  Error Fail(const Location& at, std::string message, std::string hint = "") const {
    return Error{std::move(message), baseline_.file, at, std::move(hint)};
  }

  MaybeError ReadCases() {
    const YamlNode* cases = root_.Find("cases");
    if (cases == nullptr) return std::nullopt;
    if (cases->kind != YamlNode::Kind::kList) {
      return Fail(cases->at, "'cases' is a list of ids, folders and globs, not " + std::string(cases->KindName()));
    }
    for (const YamlNode& word : cases->items) {
      if (word.kind != YamlNode::Kind::kText || word.text.empty()) return Fail(word.at, "expected the id of a case");
      baseline_.cases.push_back({word.text, word.at});
    }
    if (baseline_.cases.empty()) return Fail(cases->at, "'cases' is empty", "leave it out for the whole catalogue");
    return std::nullopt;
  }

  MaybeError ReadKnown() {
    const YamlNode* known = root_.Find("known");
    if (known == nullptr || known->kind == YamlNode::Kind::kNothing) return std::nullopt;
    if (known->kind != YamlNode::Kind::kMap) {
      return Fail(known->at, "'known' is a map from implementations to cases, not " + std::string(known->KindName()));
    }
    for (size_t i = 0; i < known->keys.size(); ++i) {
      if (auto error = ReadSection(known->keys[i], known->values[i])) return error;
    }
    return std::nullopt;
  }

  MaybeError ReadRange(const YamlNode& key, size_t offset, std::string_view text, VersionRange& range) const {
    auto parsed = VersionRange::Parse(text);
    if (!parsed) {
      const auto inside = static_cast<size_t>(std::max(parsed.error().at.column, 1) - 1);
      return Fail(key.PlaceOf(offset + inside), parsed.error().message, parsed.error().hint);
    }
    range = std::move(*parsed);
    return std::nullopt;
  }

  // `NAME [RANGE] [as FAMILY [RANGE]]`
  MaybeError ReadKey(const YamlNode& key, BaselineSection& section) const {
    const std::string_view text = section.text;
    const size_t as = text.find(" as ");
    const std::string_view own = text.substr(0, as);
    const size_t blank = own.find(' ');
    section.kind = own.substr(0, blank);
    if (section.kind.empty() || section.kind.find_first_of("<>=@") != section.kind.npos) {
      return Fail(key.at, "'" + section.text + "' is not an implementation: expected a name and a range of versions",
                  "as in 'bun >=1.4 <1.5'");
    }
    if (blank != own.npos) {
      if (auto error = ReadRange(key, blank + 1, Trim(own.substr(blank)), section.versions)) return error;
    }
    if (as == text.npos) return std::nullopt;
    const size_t start = as + 4;
    const std::string_view profile = text.substr(start);
    const size_t gap = profile.find(' ');
    section.profile = profile.substr(0, gap);
    if (section.profile.empty() || section.profile.find_first_of("<>=@") != section.profile.npos) {
      return Fail(key.PlaceOf(start), "expected a profile after 'as'", "as in 'as node >=22'");
    }
    if (gap == profile.npos) return std::nullopt;
    return ReadRange(key, start + gap + 1, Trim(profile.substr(gap)), section.profile_versions);
  }

  MaybeError ReadSection(const YamlNode& key, const YamlNode& value) {
    BaselineSection section;
    section.text = Trim(key.text);
    section.at = key.at;
    if (auto error = ReadKey(key, section)) return error;
    if (value.kind != YamlNode::Kind::kNothing && value.kind != YamlNode::Kind::kMap) {
      return Fail(value.at,
                  "'" + section.text + "' has a map from cases to verdicts, not " + std::string(value.KindName()));
    }
    for (size_t i = 0; i < value.keys.size(); ++i) {
      KnownDeviation known;
      known.case_id = value.keys[i].text;
      known.at = value.keys[i].at;
      if (auto error = ReadEntry(value.values[i], known)) return error;
      section.known.push_back(std::move(known));
    }
    baseline_.sections.push_back(std::move(section));
    return std::nullopt;
  }

  MaybeError ReadEntry(const YamlNode& node, KnownDeviation& known) const {
    const std::vector<std::string> keys{"verdict", "seen", "reason", "link"};
    if (auto error = CheckKeys(node, "what is known of '" + known.case_id + "'", keys, baseline_.file)) return error;
    for (const char* key : {"reason", "link"}) {
      const YamlNode* text = node.Find(key);
      if (text == nullptr || text->kind == YamlNode::Kind::kText) continue;
      return Fail(text->at, "'" + std::string(key) + "' is a text, not " + std::string(text->KindName()));
    }
    if (auto error = ReadVerdicts(node, known)) return error;
    if (const YamlNode* reason = node.Find("reason")) known.reason = Trim(reason->text);
    if (const YamlNode* link = node.Find("link")) known.link = Trim(link->text);
    const bool address = known.link.starts_with("https://") || known.link.starts_with("http://");
    if (!known.link.empty() && !address) {
      return Fail(node.Find("link")->at, "'" + known.link + "' is not a link", "it starts with https://");
    }
    return std::nullopt;
  }

  MaybeError ReadVerdict(const YamlNode& node, Verdict& verdict) const {
    if (node.kind != YamlNode::Kind::kText) {
      return Fail(node.at, "expected a verdict, not " + std::string(node.KindName()));
    }
    const auto named = VerdictFromName(node.text);
    if (!named) {
      const std::string hint = DidYouMean(node.text, VerdictNames());
      return Fail(node.at, "'" + node.text + "' is not a verdict",
                  hint.empty() ? "known: " + Join(VerdictNames(), ", ") : hint);
    }
    verdict = *named;
    return std::nullopt;
  }

  MaybeError ReadVerdicts(const YamlNode& node, KnownDeviation& known) const {
    const YamlNode* verdict = node.Find("verdict");
    if (verdict == nullptr) return Fail(known.at, "'" + known.case_id + "' has no 'verdict'");
    const bool is_list = verdict->kind == YamlNode::Kind::kList;
    if (is_list && baseline_.format < 2) {
      return Fail(verdict->at, "several verdicts need format 2", "write 'format: 2' at the top");
    }
    known.verdict_at = {verdict->at.line, is_list ? 0 : verdict->text_column};
    const std::vector<YamlNode> one{*verdict};
    for (const YamlNode& item : is_list ? verdict->items : one) {
      Verdict named{};
      if (auto error = ReadVerdict(item, named)) return error;
      if (is_list && named == Verdict::kInconclusive) {
        return Fail(item.at, "what varies is not listed as inconclusive",
                    "an inconclusive result never closes the gate");
      }
      if (!known.verdicts.seen.try_emplace(named, 0).second) {
        return Fail(item.at, "'" + item.text + "' is listed twice");
      }
    }
    if (known.verdicts.seen.empty()) return Fail(verdict->at, "'verdict' is empty");
    if (known.verdicts == KnownVerdicts::Only(Verdict::kPass)) {
      return Fail(verdict->at, "a case that passes is not listed", "remove the entry");
    }
    return ReadSeen(node, known);
  }

  // A case varies where several verdicts were seen, and not where somebody fears so.
  MaybeError ReadSeen(const YamlNode& node, KnownDeviation& known) const {
    const YamlNode* seen = node.Find("seen");
    if (seen == nullptr && !known.verdicts.varies()) return std::nullopt;
    if (seen == nullptr) {
      return Fail(known.at, "'" + known.case_id + "' has several verdicts and no 'seen'",
                  "as in 'seen: {pass: 7, fail: 3}'; --update writes it from several runs");
    }
    known.seen_at = seen->at;
    if (!known.verdicts.varies()) return Fail(seen->at, "'seen' belongs to several verdicts", "remove it");
    if (seen->kind != YamlNode::Kind::kMap) {
      return Fail(seen->at, "'seen' is a map from verdicts to counts, not " + std::string(seen->KindName()));
    }
    for (size_t i = 0; i < seen->keys.size(); ++i) {
      Verdict named{};
      if (auto error = ReadVerdict(seen->keys[i], named)) return error;
      if (!known.verdicts.Holds(named)) {
        return Fail(seen->keys[i].at, "'" + seen->keys[i].text + "' is not among the verdicts");
      }
      const std::string& text = seen->values[i].text;
      const bool is_count = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
      if (!is_count || std::stoll(text) == 0) {
        return Fail(seen->values[i].at, "expected how often it was seen, at least 1");
      }
      known.verdicts.seen[named] = std::stoll(text);
    }
    for (const auto& [named, count] : known.verdicts.seen) {
      if (count > 0) continue;
      return Fail(seen->at, "'" + std::string(VerdictName(named)) + "' was not seen",
                  "a case varies only where each of its verdicts was");
    }
    return std::nullopt;
  }

  const YamlNode& root_;
  Baseline baseline_;
};

}  // namespace

std::string KnownVerdicts::ToString() const {
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : seen) {
    std::string text(VerdictName(verdict));
    if (varies()) text += " (" + Counted(count, "time") + ")";
    parts.push_back(std::move(text));
  }
  return Join(parts, " or ");
}

bool BaselineSection::Covers(const ReportImplementation& implementation, std::string_view profile_name) const {
  if (kind != implementation.kind || !Holds(versions, implementation.version)) return false;
  if (profile.empty()) return true;
  const auto [family, version] = KindAndVersion(profile_name);
  return family == profile && Holds(profile_versions, version);
}

Result<const KnownDeviation*> Baseline::Find(std::string_view case_id, const ReportImplementation& implementation,
                                             std::string_view profile) const {
  const KnownDeviation* found = nullptr;
  for (const BaselineSection& section : sections) {
    if (!section.Covers(implementation, profile)) continue;
    for (const KnownDeviation& known : section.known) {
      if (known.case_id != case_id) continue;
      if (found != nullptr) {
        return Error{"'" + known.case_id + "' is known twice for " + implementation.name + "; the first is in line " +
                         std::to_string(found->at.line),
                     file, known.at, "the ranges of versions may not overlap"};
      }
      found = &known;
    }
  }
  return found;
}

Result<Baseline> ParseBaseline(const std::string& text, const std::string& file) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  return Parser(*root, file).Parse();
}

Result<Baseline> ReadBaseline(const std::string& path) {
  const auto text = ReadFile(path, kMaxBaselineBytes);
  if (!text) return text.error();
  return ParseBaseline(*text, path);
}

void Rename(Baseline& baseline, const RenamedIds& renamed) {
  for (BaselineSection& section : baseline.sections) {
    for (KnownDeviation& known : section.known) {
      const std::string* now = renamed.CaseNow(known.case_id);
      if (now != nullptr) known.renamed_from = std::exchange(known.case_id, *now);
    }
  }
}

std::optional<Error> FindUnknownCase(const Baseline& baseline, const std::vector<std::string>& ids) {
  for (const BaselineSection& section : baseline.sections) {
    for (const KnownDeviation& known : section.known) {
      if (std::find(ids.begin(), ids.end(), known.case_id) != ids.end()) continue;
      return Error{"there is no case '" + known.case_id + "'", baseline.file, known.at, DidYouMean(known.case_id, ids)};
    }
  }
  return std::nullopt;
}

}  // namespace conform::reports
