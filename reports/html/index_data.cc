// The data of index.html.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/behaviours.h"
#include "reports/html/data.h"
#include "reports/writers.h"
#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/results.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

Json FilesJson(const ResultSet& set) {
  Json files = Json::array();
  for (const ReportFile& file : set.files()) {
    files.push_back({{"path", file.path},
                     {"conform", file.run.conform},
                     {"command", file.run.command},
                     {"started", file.run.started},
                     {"planned", file.run.planned},
                     {"results", file.results}});
  }
  return files;
}

Json ImplementationRows(const ResultSet& set) {
  Json all = Json::array();
  for (const ReportImplementation& one : set.implementations()) {
    all.push_back({{"name", one.name},
                   {"kind", one.kind},
                   {"version", one.version},
                   {"claims", one.claims},
                   {"details", one.details},
                   {"profiles", one.profiles},
                   {"totals", TotalsJson(one.totals)}});
  }
  return all;
}

// `Timers` of `# 3. Timers`; the name of the file where it has no heading.
std::string ChapterTitle(const std::string& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# ")) return line.substr(2);
  }
  return file.substr(file.find_last_of('/') + 1);
}

Json ClauseRows(const ClauseList& clauses) {
  Json all = Json::array();
  std::map<std::string, std::string> titles;
  for (const Clause& clause : clauses.clauses) {
    const auto [title, is_new] = titles.try_emplace(clause.file);
    if (is_new) title->second = ChapterTitle(clause.file);
    all.push_back({{"id", clause.id},
                   {"chapter", title->second},
                   {"level", ClauseLevelName(clause.level)},
                   {"applies", clause.applies},
                   {"text", clause.text}});
  }
  return all;
}

Json Cell(std::span<const CaseResult> results, Behaviours* behaviours) {
  if (results.empty()) return nullptr;
  Verdict shown = results[0].verdict;
  std::set<int> seen;
  for (const CaseResult& result : results) {
    if (CellRank(result.verdict) < CellRank(shown)) shown = result.verdict;
    if (const int behaviour = behaviours->Add(result); behaviour != Behaviours::kNone) seen.insert(behaviour);
  }
  Json cell = Json::array({static_cast<int>(shown)});
  for (const int behaviour : seen) cell.push_back(behaviour);
  return cell;
}

// The implementations in whose cells nothing is new: each result is good, or skipped, or known, and one is known.
Json KnownColumns(const HtmlInput& input, size_t index) {
  Json columns = Json::array();
  for (size_t i = 0; i < input.set.implementations().size(); ++i) {
    bool known = false, is_new = false;
    for (const CaseResult& result : input.set.Of(index, i)) {
      const Outcome outcome = input.knowledge.OutcomeOf(result);
      known = known || outcome == Outcome::kKnown;
      is_new = is_new || outcome == Outcome::kBad || outcome == Outcome::kBroken;
    }
    if (known && !is_new) columns.push_back(i);
  }
  return columns;
}

Json CaseRow(const HtmlInput& input, size_t index, const std::string& page) {
  const ReportCase& row = input.set.cases()[index];
  Json clauses = Json::array();
  if (row.known) {
    for (const std::string& id : row.known->clauses) {
      if (const Clause* clause = input.clauses.Find(id)) clauses.push_back(clause - input.clauses.clauses.data());
    }
  }
  Behaviours behaviours;
  Json cells = Json::array();
  for (size_t i = 0; i < input.set.implementations().size(); ++i) {
    cells.push_back(Cell(input.set.Of(index, i), &behaviours));
  }
  Json expects = Json::array();
  for (const auto& [pattern, behaviour] : behaviours.passes()) expects.push_back({pattern, behaviour});
  Json data = {{"id", row.id},
               {"hash", row.hash},
               {"title", row.known ? row.known->title : ""},
               {"page", page},
               {"clauses", clauses},
               {"behaviours", behaviours.Texts()},
               {"expects", std::move(expects)},
               {"cells", std::move(cells)}};
  std::string find_by = index < input.find_by.size() ? input.find_by[index] : "";
  if (row.known && !row.known->why.empty()) find_by += (find_by.empty() ? "" : " ") + row.known->why;
  if (!find_by.empty()) data["find"] = std::move(find_by);
  if (Json known = KnownColumns(input, index); !known.empty()) data["known"] = std::move(known);
  return data;
}

}  // namespace

int CellRank(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFail:
      return 0;
    case Verdict::kCrash:
      return 1;
    case Verdict::kProtocolError:
      return 2;
    case Verdict::kTimeout:
      return 3;
    case Verdict::kMissing:
      return 4;
    case Verdict::kSuspect:
      return 5;
    case Verdict::kInconclusive:
      return 6;
    // Under other profiles, what is missing somewhere says less than what is there.
    case Verdict::kPass:
      return 7;
    case Verdict::kUnspecified:
      return 8;
    case Verdict::kUnsupported:
      return 9;
  }
  CONFORM_CHECK(false);
}

std::vector<std::string> PageNames(const ResultSet& set) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const ReportCase& row : set.cases()) {
    std::string name;
    for (const char c : row.id) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      name += plain || c == '_' || c == '-' ? c : '.';
    }
    name = name.substr(0, 150);
    // A name that starts with a dot is hidden.
    if (name.empty() || name[0] == '.') name.insert(0, "case");
    const auto lower = [](std::string text) {
      std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
      return text;
    };
    const std::string first = name;
    for (int copy = 2; !taken.insert(lower(name)).second; ++copy) name = first + "~" + std::to_string(copy);
    names.push_back(name + ".html");
  }
  return names;
}

Json IndexData(const HtmlInput& input, const std::vector<std::string>& pages) {
  Json verdicts = Json::array();
  for (int i = 0; i <= static_cast<int>(Verdict::kProtocolError); ++i) {
    verdicts.push_back(VerdictName(static_cast<Verdict>(i)));
  }
  Json cases = Json::array();
  for (size_t i = 0; i < input.set.cases().size(); ++i) cases.push_back(CaseRow(input, i, pages[i]));
  Json data = {{"conform", input.conform},
               {"files", FilesJson(input.set)},
               {"incomplete", input.set.Incompleteness()},
               {"verdicts", std::move(verdicts)},
               {"totals", TotalsJson(input.set.totals())},
               {"implementations", ImplementationRows(input.set)},
               {"clauses", ClauseRows(input.clauses)},
               {"cases", std::move(cases)}};
  if (input.survey) data["survey"] = *input.survey;
  if (!input.causes.empty()) data["causes"] = input.causes;
  if (!input.site.empty()) data["site"] = input.site;
  return data;
}

}  // namespace conform::reports
