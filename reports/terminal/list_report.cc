#include "reports/terminal/list_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::map<std::string, int64_t> CasesByClause(const std::vector<Case>& cases) {
  std::map<std::string, int64_t> counts;
  for (const Case& c : cases) {
    for (const std::string& clause : c.clauses) ++counts[clause];
  }
  return counts;
}

std::string SpanText(const RuleDefinition::Span& span) {
  const std::string range = span.range.ToString();
  return range.empty() ? span.value : span.value + " (" + range + ")";
}

Json OthersJson(const std::vector<RuleDefinition::Deviation>& others) {
  Json list = Json::array();
  for (const RuleDefinition::Deviation& other : others) {
    list.push_back({{"value", other.value},
                    {"sentence", other.sentence},
                    {"clause", other.clause},
                    {"range", other.range.ToString()}});
  }
  return list;
}

std::string FamilyText(const ProfileFamily& family, const Style& style) {
  std::string out = style.Strong(family.name) + "  " + family.title + "\n";
  out += fmt::format("  {} to {}, {} listed", family.releases.front().ToString(), family.releases.back().ToString(),
                     Counted(static_cast<int64_t>(family.releases.size()), "release"));
  out += fmt::format(", {}", Counted(static_cast<int64_t>(family.rules.size()), "rule"));
  if (!family.base.empty()) out += " and those of " + family.base;
  out += "\n";
  for (const RuleDefinition& rule : family.rules) {
    std::vector<std::string> spans;
    for (const RuleDefinition::Span& span : rule.spans) spans.push_back(SpanText(span));
    out += Wrap(Join(spans, ", "), "  " + rule.name + ": ", "      ");
  }
  return out;
}

}  // namespace

std::string CasesText(const std::vector<Case>& cases, size_t width) {
  size_t id_width = 0;
  for (const Case& c : cases) id_width = std::max(id_width, c.id.size());
  std::string out;
  for (const Case& c : cases) {
    const std::string line = Padded(c.id, id_width) + "  " + c.title;
    out += (width == 0 ? line : Cut(line, width)) + "\n";
  }
  return out;
}

std::string ClausesText(const ClauseList& clauses, const std::vector<Case>& cases) {
  const auto counts = CasesByClause(cases);
  std::string out = "level   cases  clause\n";
  for (const Clause& clause : clauses.clauses) {
    const auto count = counts.find(clause.id);
    out += fmt::format("{:<6}  {:>5}  {}\n", ClauseLevelName(clause.level), count == counts.end() ? 0 : count->second,
                       clause.id);
  }
  const Coverage coverage = MustCoverage(clauses, cases);
  return out + fmt::format("\n{} of {} MUST clauses have a case ({:.1f} %)\n", coverage.with_case, coverage.all,
                           coverage.Percentage());
}

std::string ProfilesText(const std::vector<ProfileFamily>& families, const Style& style) {
  std::string out;
  for (const ProfileFamily& family : families) out += (out.empty() ? "" : "\n") + FamilyText(family, style);
  return out;
}

std::string ImplementationsText(const std::vector<ImplementationInfo>& all) {
  std::string out;
  for (const ImplementationInfo& info : all) out += fmt::format("{:<10}{}\n", info.name, info.summary);
  return out;
}

Json CasesJson(const std::vector<Case>& cases) {
  Json list = Json::array();
  for (const Case& c : cases) {
    list.push_back({{"id", c.id},
                    {"title", c.title},
                    {"clauses", c.clauses},
                    {"native", !c.native.empty()},
                    {"content_hash", c.content_hash}});
  }
  return {{"cases", std::move(list)}};
}

Json ClausesJson(const ClauseList& clauses, const std::vector<Case>& cases) {
  std::map<std::string, std::vector<std::string>> ids;
  for (const Case& c : cases) {
    for (const std::string& clause : c.clauses) ids[clause].push_back(c.id);
  }
  Json list = Json::array();
  for (const Clause& clause : clauses.clauses) {
    list.push_back({{"id", clause.id},
                    {"level", ClauseLevelName(clause.level)},
                    {"applies", clause.applies},
                    {"text", clause.text},
                    {"cases", ids[clause.id]}});
  }
  const Coverage coverage = MustCoverage(clauses, cases);
  return {{"clauses", std::move(list)},
          {"must", {{"all", coverage.all}, {"with_case", coverage.with_case}, {"percentage", coverage.Percentage()}}}};
}

Json ProfilesJson(const std::vector<ProfileFamily>& families) {
  Json all = Json::array();
  for (const ProfileFamily& family : families) {
    Json releases = Json::array();
    for (const Version& release : family.releases) releases.push_back(release.ToString());
    Json rules = Json::array();
    for (const RuleDefinition& rule : family.rules) {
      Json spans = Json::array();
      for (const auto& span : rule.spans) spans.push_back({{"range", span.range.ToString()}, {"value", span.value}});
      rules.push_back({{"name", rule.name},
                       {"clause", rule.clause},
                       {"summary", rule.summary},
                       {"values", rule.values},
                       {"deviations", OthersJson(rule.deviations)},
                       {"narrower", OthersJson(rule.narrower)},
                       {"spans", std::move(spans)}});
    }
    all.push_back({{"name", family.name},
                   {"title", family.title},
                   {"base", family.base},
                   {"releases", std::move(releases)},
                   {"rules", std::move(rules)}});
  }
  return {{"profiles", std::move(all)}};
}

Json ImplementationsJson(const std::vector<ImplementationInfo>& all) {
  Json list = Json::array();
  for (const ImplementationInfo& info : all) list.push_back({{"name", info.name}, {"summary", info.summary}});
  return {{"impls", std::move(list)}};
}

Coverage MustCoverage(const ClauseList& clauses, const std::vector<Case>& cases) {
  const auto counts = CasesByClause(cases);
  Coverage coverage;
  for (const Clause& clause : clauses.clauses) {
    if (clause.level != ClauseLevel::kMust) continue;
    ++coverage.all;
    if (counts.contains(clause.id)) ++coverage.with_case;
  }
  return coverage;
}

}  // namespace conform::reports
