#include "reports/baseline_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

// "fail", "[pass, fail]"
std::string VerdictText(const KnownVerdicts& verdicts) {
  std::vector<std::string> names;
  for (const auto& [verdict, count] : verdicts.seen) names.emplace_back(VerdictName(verdict));
  return verdicts.varies() ? "[" + Join(names, ", ") + "]" : names.front();
}

// "{pass: 7, fail: 3}"
std::string SeenText(const KnownVerdicts& verdicts) {
  std::vector<std::string> counts;
  for (const auto& [verdict, count] : verdicts.seen) {
    counts.push_back(std::string(VerdictName(verdict)) + ": " + std::to_string(count));
  }
  return "{" + Join(counts, ", ") + "}";
}

std::string EntryText(const std::string& indent, const KnownDeviation& known) {
  std::string out = indent + YamlText(known.case_id) + ":\n";
  for (const std::string& line : VerdictLines(known.verdicts)) out += indent + "  " + line + "\n";
  if (!known.reason.empty()) out += indent + "  reason: " + YamlText(known.reason) + "\n";
  if (!known.link.empty()) out += indent + "  link: " + YamlText(known.link) + "\n";
  return out;
}

bool IsBlankOrComment(std::string_view line) {
  const std::string_view trimmed = Trim(line);
  return trimmed.empty() || trimmed.front() == '#';
}

// Words that YAML, of one version or another, takes for something else than text. Numbers do not start with a letter.
bool IsWordOfYaml(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  static const std::set<std::string> kWords{"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  return kWords.contains(lower);
}

// Lines are counted from 0 here, and from 1 in places.
class Editor {
 public:
  Editor(const Baseline& baseline, const std::string& text) : baseline_(baseline), lines_(Split(text, '\n')) {
    if (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
    for (const BaselineSection& section : baseline.sections) {
      starts_.push_back(section.at.line - 1);
      for (const KnownDeviation& known : section.known) starts_.push_back(known.at.line - 1);
    }
    // What is at the left edge ends whatever is above it.
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (!IsBlankOrComment(lines_[i]) && lines_[i][0] != ' ') starts_.push_back(static_cast<int>(i));
    }
    starts_.push_back(static_cast<int>(lines_.size()));
    std::sort(starts_.begin(), starts_.end());
  }

  bool Apply(const BaselineChange& change) {
    const BaselineSection* section = SectionNamed(change.section);
    if (!change.before) return Insert(section, change);
    if (section == nullptr) return false;
    const auto known = std::find_if(section->known.begin(), section->known.end(),
                                    [&](const KnownDeviation& one) { return one.case_id == change.case_id; });
    if (known == section->known.end()) return false;
    if (!change.after) return Remove(*known);
    KnownDeviation after = *known;
    after.verdicts = *change.after;
    return Rename(*known, after) || Replace(*known, after);
  }

  // An older format where a newer one is needed.
  bool SetFormat(int format) {
    const auto column = static_cast<size_t>(baseline_.format_at.column);
    if (column == 0) return false;
    std::string& line = lines_[baseline_.format_at.line - 1];
    const std::string before = std::to_string(baseline_.format);
    if (line.compare(column - 1, before.size(), before) != 0) return false;
    line.replace(column - 1, before.size(), std::to_string(format));
    return true;
  }

  std::string Text() const {
    std::string out;
    for (size_t i = 0; i <= lines_.size(); ++i) {
      if (const auto added = added_.find(static_cast<int>(i)); added != added_.end()) out += added->second;
      if (i < lines_.size() && !removed_.contains(static_cast<int>(i))) out += lines_[i] + "\n";
    }
    for (const auto& [name, entries] : new_sections_) out += "  " + YamlText(name) + ":\n" + entries;
    return out;
  }

 private:
  const BaselineSection* SectionNamed(const std::string& text) const {
    for (const BaselineSection& section : baseline_.sections) {
      if (section.text == text) return &section;
    }
    return nullptr;
  }

  // One behind the last line of what starts at `line`; comments above the next thing belong to that.
  int EndOf(int line) const {
    int end = *std::upper_bound(starts_.begin(), starts_.end(), line);
    while (end > line + 1 && IsBlankOrComment(lines_[end - 1])) --end;
    return end;
  }

  // One name for another, in its place.
  bool Rename(const KnownDeviation& known, const KnownDeviation& after) {
    if (known.verdicts.varies() || after.verdicts.varies()) return false;
    const std::string before = VerdictText(known.verdicts);
    std::string& line = lines_[known.verdict_at.line - 1];
    const auto column = static_cast<size_t>(known.verdict_at.column);
    if (column == 0 || line.compare(column - 1, before.size(), before) != 0) return false;
    line.replace(column - 1, before.size(), VerdictText(after.verdicts));
    return true;
  }

  // The lines with the verdicts and their counts, where each has a line to itself; or else the whole entry.
  bool Replace(const KnownDeviation& known, const KnownDeviation& after) {
    const int verdict_line = known.verdict_at.line - 1;
    const std::string_view line = lines_[verdict_line];
    const size_t key = line.find("verdict:");
    const bool alone = key != line.npos && Trim(line.substr(0, key)).empty();
    const bool whole = !known.verdicts.varies() || line.find(']') != line.npos;
    const int seen_line = known.seen_at.line - 1;
    const bool seen_alone = known.seen_at.line == 0 || Trim(lines_[seen_line]).starts_with("seen:");
    if (alone && whole && seen_alone) {
      const std::string indent(key, ' ');
      for (const std::string& one : VerdictLines(after.verdicts)) added_[verdict_line] += indent + one + "\n";
      removed_[verdict_line] = true;
      if (known.seen_at.line > 0) removed_[seen_line] = true;
      return true;
    }
    if (!Remove(known)) return false;
    added_[known.at.line - 1] += EntryText(std::string(static_cast<size_t>(known.at.column - 1), ' '), after);
    return true;
  }

  bool Remove(const KnownDeviation& known) {
    const int first = known.at.line - 1;
    if (std::count(starts_.begin(), starts_.end(), first) != 1) return false;
    for (int i = first; i < EndOf(first); ++i) removed_[i] = true;
    return true;
  }

  bool Insert(const BaselineSection* section, const BaselineChange& change) {
    const KnownDeviation entry{change.case_id, *change.after, change.reason, "", {}, {}, {}};
    if (section == nullptr) {
      // New sections go to the end of the file, which has to be the end of `known`.
      auto found = std::find_if(new_sections_.begin(), new_sections_.end(),
                                [&](const auto& one) { return one.first == change.section; });
      if (found == new_sections_.end()) found = new_sections_.insert(found, {change.section, ""});
      found->second += EntryText("    ", entry);
      return true;
    }
    const int start = section->known.empty() ? section->at.line - 1 : section->known.back().at.line - 1;
    const int column = section->known.empty() ? section->at.column + 2 : section->known.front().at.column;
    added_[EndOf(start)] += EntryText(std::string(static_cast<size_t>(column - 1), ' '), entry);
    return true;
  }

  const Baseline& baseline_;
  std::vector<std::string> lines_;
  std::vector<int> starts_;  // where sections, entries and top-level keys start; and the end
  std::map<int, bool> removed_;
  std::map<int, std::string> added_;                               // above which line
  std::vector<std::pair<std::string, std::string>> new_sections_;  // in the order of the results
};

}  // namespace

std::string YamlText(std::string_view text) {
  const auto safe = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '-' || c == '_' || c == '.';
  };
  const auto harmless = [&](unsigned char c) { return safe(c) || c == ' ' || c == '>' || c == '<' || c == '='; };
  // Text that starts with a letter, holds no mark of YAML, and does not end in a blank.
  const bool plain = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 && text.back() != ' ' &&
                     std::all_of(text.begin(), text.end(), harmless) && !IsWordOfYaml(text);
  const bool address = text.starts_with("https://") && std::all_of(text.begin() + 8, text.end(), safe);
  if (plain || address) return std::string(text);
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> VerdictLines(const KnownVerdicts& verdicts) {
  std::vector<std::string> lines{"verdict: " + VerdictText(verdicts)};
  if (verdicts.varies()) lines.push_back("seen: " + SeenText(verdicts));
  return lines;
}

std::string BaselineText(const Baseline& baseline) {
  std::string out = "format: " + std::to_string(kBaselineFormat) + "\n";
  if (!baseline.cases.empty()) {
    out += "cases:\n";
    for (const BaselineWord& word : baseline.cases) out += "  - " + YamlText(word.text) + "\n";
  }
  out += "known:\n";
  for (const BaselineSection& section : baseline.sections) {
    out += "  " + YamlText(section.text) + ":\n";
    for (const KnownDeviation& known : section.known) out += EntryText("    ", known);
  }
  return out;
}

std::optional<std::string> RenamedText(const Baseline& baseline, const std::string& text) {
  std::vector<const KnownDeviation*> renamed;
  for (const BaselineSection& section : baseline.sections) {
    for (const KnownDeviation& known : section.known) {
      if (!known.renamed_from.empty()) renamed.push_back(&known);
    }
  }
  std::vector<std::string> lines = Split(text, '\n');
  // From the end on, so that what is replaced moves nothing that is still to come.
  for (auto known = renamed.rbegin(); known != renamed.rend(); ++known) {
    const std::string& old = (*known)->renamed_from;
    std::string& line = lines[(*known)->at.line - 1];
    const auto column = static_cast<size_t>((*known)->at.column) - 1;
    if (line.compare(column, old.size(), old) != 0) return std::nullopt;
    line.replace(column, old.size(), YamlText((*known)->case_id));
  }
  return Join(lines, "\n");
}

bool SameContent(const Baseline& a, const Baseline& b) {
  const auto same_entry = [](const KnownDeviation& x, const KnownDeviation& y) {
    return x.case_id == y.case_id && x.verdicts == y.verdicts && x.reason == y.reason && x.link == y.link;
  };
  const auto same_section = [&](const BaselineSection& x, const BaselineSection& y) {
    return x.text == y.text && std::equal(x.known.begin(), x.known.end(), y.known.begin(), y.known.end(), same_entry);
  };
  return std::equal(a.sections.begin(), a.sections.end(), b.sections.begin(), b.sections.end(), same_section);
}

std::optional<std::string> EditBaseline(const Baseline& baseline, const std::string& text,
                                        const std::vector<BaselineChange>& changes) {
  Editor editor(baseline, text);
  const auto varies = [](const BaselineChange& change) { return change.after && change.after->varies(); };
  const bool newer = baseline.format < kBaselineFormat && std::any_of(changes.begin(), changes.end(), varies);
  if (newer && !editor.SetFormat(kBaselineFormat)) return std::nullopt;
  for (const BaselineChange& change : changes) {
    if (!editor.Apply(change)) return std::nullopt;
  }
  return editor.Text();
}

}  // namespace conform::reports
