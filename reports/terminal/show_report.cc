#include "reports/terminal/show_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runners/base/text.h"
#include "runners/model/case_json.h"
#include "runners/model/case_text.h"

namespace conform::reports {
namespace {

// Everything but title, clauses, program, expect and why, where it is not the default.
std::string SettingsText(const Case& c) {
  std::string out;
  if (c.entry != Entry::kScript) out += "entry: " + std::string(EntryName(c.entry)) + "\n";
  if (c.pool_given) out += "pool: " + std::to_string(c.pool) + "\n";
  if (!c.needs.empty()) out += "needs: " + Join(c.needs, ", ") + "\n";
  if (c.tier != Tier::kMust) out += "tier: " + std::string(TierName(c.tier)) + "\n";
  if (c.timeless) out += "timeless: true\n";
  for (const auto& [adapter, file] : c.native) {
    out += "native: " + (adapter.empty() ? file : adapter + ": " + file) + "\n";
  }
  return out;
}

std::string LevelText(const Clause& clause) {
  const std::string applies = clause.applies.empty() ? "" : " · " + clause.applies;
  return "  " + std::string(ClauseLevelName(clause.level)) + applies + "\n";
}

nlohmann::ordered_json ClauseJson(const Clause& clause) {
  return {
      {"id", clause.id}, {"level", ClauseLevelName(clause.level)}, {"applies", clause.applies}, {"text", clause.text}};
}

std::string ExpectText(const Case& c) {
  if (c.expect.empty()) return "";
  size_t width = 0;
  for (const Expectation& expectation : c.expect) width = std::max(width, Columns(RangeText(expectation)));
  std::string out = "expect:\n";
  for (const Expectation& expectation : c.expect) {
    const std::string first = "  " + Padded(RangeText(expectation) + ":", width + 1) + " ";
    std::string pattern(Trim(expectation.pattern.text));
    out += Wrap(pattern.empty() ? "''" : pattern, first, std::string(Columns(first), ' '));
  }
  return out;
}

// Paragraphs and lists of a page, in the width of a terminal; tables and code stay as they are.
std::string WrappedPage(const std::string& text) {
  std::string out, paragraph;
  const auto end_paragraph = [&] {
    const bool is_item = paragraph.starts_with("- ");
    if (!paragraph.empty())
      out += Wrap(is_item ? paragraph.substr(2) : paragraph, is_item ? "- " : "", is_item ? "  " : "");
    paragraph.clear();
  };
  for (const std::string& line : Split(text, '\n')) {
    const bool is_kept = line.starts_with('|') || line.starts_with("    ") || line.starts_with("```");
    if (line.empty() || is_kept || line.starts_with("- ")) end_paragraph();
    if (line.empty() || is_kept) {
      out += line + "\n";
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(Trim(line));
    }
  }
  end_paragraph();
  return out;
}

}  // namespace

std::string ShowText(const Case& c, const ClauseList& clauses, const Style& style) {
  std::string out = style.Strong(c.id) + "\n";
  if (!c.title.empty()) out += Wrap(c.title, "", "");
  if (!c.clauses.empty()) out += "\n";
  for (const std::string& id : c.clauses) {
    const Clause* clause = clauses.Find(id);
    if (clause == nullptr) {
      out += id + "  (no such clause)\n";
      continue;
    }
    out += id + LevelText(*clause);
    out += Wrap(FirstSentence(clause->text), "    ", "    ");
  }
  out.append("\n").append(SettingsText(c));
  if (!c.program.empty()) out.append("program:\n").append(ProgramText(c.program, "  "));
  if (!c.models.empty()) out.append("model:\n").append(ModelText(c, "  "));
  out += ExpectText(c);
  if (!c.why.empty()) out.append("\n").append(Wrap(c.why, "", ""));
  for (const std::string& issue : c.issues) out += issue + "\n";
  return out;
}

nlohmann::ordered_json ShowJson(const Case& c, const ClauseList& clauses) {
  nlohmann::ordered_json details = nlohmann::ordered_json::array();
  for (const std::string& id : c.clauses) {
    const Clause* clause = clauses.Find(id);
    if (clause == nullptr) continue;
    details.push_back(ClauseJson(*clause));
  }
  return {{"case", nlohmann::ordered_json::parse(CaseToJson(c).dump())}, {"clauses", std::move(details)}};
}

std::string ShowClauseText(const Clause& clause, const std::vector<const Case*>& cases, const Style& style) {
  std::string out = style.Strong(clause.id) + LevelText(clause) + "\n";
  out += WrappedPage(clause.text);
  if (!cases.empty()) out += "\ncases:\n";
  for (const Case* c : cases) {
    out += "  " + c->id + "\n";
    if (!c->title.empty()) out += Wrap(c->title, "      ", "      ");
  }
  return out;
}

nlohmann::ordered_json ShowClauseJson(const Clause& clause, const std::vector<const Case*>& cases) {
  nlohmann::ordered_json ids = nlohmann::ordered_json::array();
  for (const Case* c : cases) ids.push_back(c->id);
  return {{"clause", ClauseJson(clause)}, {"cases", std::move(ids)}};
}

}  // namespace conform::reports
