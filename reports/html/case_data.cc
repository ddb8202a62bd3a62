// The data of the page of one case.
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/behaviours.h"
#include "reports/html/allowed.h"
#include "reports/html/data.h"
#include "reports/html/playground_link.h"
#include "reports/html/traces.h"
#include "runners/base/text.h"
#include "runners/export/export.h"
#include "runners/model/case_json.h"
#include "runners/model/case_text.h"
#include "runners/model/op_table.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxTriesShown = 50;

// Every step that emits its label, with the nearest step around it that does: what the arrows of a timeline follow.
void AddSteps(const std::vector<Step>& body, int parent, Json* steps) {
  for (const Step& step : body) {
    int around = parent;
    if (ShapeOf(step.op).emits && !step.label.empty()) {
      around = static_cast<int>(steps->size());
      Json json = {{"label", step.label}, {"op", OpName(step.op)}, {"text", step.ToString()}, {"parent", parent}};
      if (!ShapeOf(step.op).lane.empty()) json["lane"] = ShapeOf(step.op).lane;
      if (step.op == Op::kOn) json["event"] = step.event;
      if (step.chained) json["chain"] = true;
      steps->push_back(std::move(json));
    }
    AddSteps(step.body, around, steps);
  }
}

// `steps`: what a reader wants to see of it first; "" for all of it.
Json ExportJson(std::string_view language, const std::string& file, const Result<std::string>& code,
                const std::string& steps = "") {
  if (!code) return {{"language", language}, {"refused", code.error().message}};
  Json json = {{"language", language}, {"file", file}, {"code", *code}};
  if (!steps.empty()) json["steps"] = steps;
  return json;
}

// The programs that stand alone; for a native case, the files that it consists of.
Json ExportsJson(const Case& c) {
  Json files = Json::array();
  if (c.native.empty()) {
    for (const ExportLanguage& language : ExportLanguages()) {
      const Result<std::string> steps = language.write_steps(c);
      files.push_back(
          ExportJson(language.title, language.file_name(c), language.write(c), steps ? *steps : std::string()));
    }
  }
  for (const auto& [adapter, file] : c.native) {
    const std::string path = (std::filesystem::path(c.file).parent_path() / file).string();
    files.push_back(ExportJson(adapter.empty() ? file : adapter, file, ReadFile(path, kMaxCaseBytes)));
  }
  return files;
}

Json KnownJson(const Case& c, const ClauseList& clauses) {
  Json details = Json::array();
  for (const std::string& id : c.clauses) {
    const Clause* clause = clauses.Find(id);
    if (clause == nullptr) continue;
    details.push_back(
        {{"id", id}, {"level", ClauseLevelName(clause->level)}, {"applies", clause->applies}, {"text", clause->text}});
  }
  Json expect = Json::array();
  for (const Expectation& one : c.expect) {
    expect.push_back({{"range", RangeText(one)}, {"pattern", std::string(Trim(one.pattern.text))}});
  }
  Json steps = Json::array();
  AddSteps(c.program, -1, &steps);
  Json known = {{"title", c.title},
                {"why", c.why},
                {"clauses", std::move(details)},
                {"program", c.native.empty() ? ProgramText(c.program, "") : ModelText(c, "")},
                {"expect", std::move(expect)},
                {"steps", std::move(steps)},
                {"exports", ExportsJson(c)},
                {"entry", EntryName(c.entry)},
                {"tier", TierName(c.tier)},
                {"needs", c.needs},
                {"issues", c.issues}};
  if (c.pool_given) known["pool"] = c.pool;
  return known;
}

// Where the playground shows the case; "" where it cannot.
std::string PlaygroundAddress(const Case& c, const HtmlInput& input) {
  const std::string& address = input.playground;
  const std::string family = PlaygroundFamily(c, input.playground_families);
  const std::string fragment = address.empty() || family.empty() ? "" : PlaygroundFragment(c, family);
  return fragment.empty() ? "" : address + "#" + fragment;
}

Json KnownJson(const KnownDeviation& known) {
  const std::string text = known.verdicts.varies() ? "Varies: " + known.verdicts.ToString() : "Known deviation";
  return {{"text", text}, {"reason", known.reason}, {"link", known.link}};
}

// Equal tries once, with how often they came.
Json TriesJson(const CaseResult& result, TraceTable* traces) {
  Json tries = Json::array();
  std::map<std::string, size_t> known;
  for (const Try& one : result.tries) {
    Json json = {{"trace", traces->Add(one.trace)}};
    if (one.trouble.empty()) {
      json["standing"] = StandingName(one.standing);
    } else {
      json["trouble"] = one.trouble;
    }
    const auto [place, is_new] =
        known.try_emplace(json.dump(-1, ' ', false, Json::error_handler_t::replace), tries.size());
    if (!is_new) {
      Json& count = tries[place->second]["count"];
      count = count.get<int64_t>() + 1;
    } else if (tries.size() < kMaxTriesShown) {
      json["count"] = 1;
      tries.push_back(std::move(json));
    } else {
      known.erase(place);
    }
  }
  return tries;
}

Json AllowedJson(const std::vector<AllowedQuestion>& questions,
                 const std::vector<std::optional<AllowedOrders>>& answers, TraceTable* traces) {
  Json all = Json::array();
  for (size_t i = 0; i < questions.size(); ++i) {
    Json json = {{"pattern", questions[i].pattern}, {"profile", questions[i].profile}, {"traces", Json::array()}};
    if (i < answers.size() && answers[i]) {
      for (const Trace& trace : answers[i]->traces) json["traces"].push_back(traces->Add(trace));
      json["total"] = answers[i]->total;
      if (answers[i]->at_least) json["atLeast"] = true;
    }
    all.push_back(std::move(json));
  }
  return all;
}

// One entry for all profiles under which an implementation did the same with the same verdict.
void AddResult(const CaseResult& result, Json json, Json* results) {
  for (Json& other : *results) {
    if (other["implementation"] != json["implementation"] || other["verdict"] != json["verdict"] ||
        other["basis"] != json["basis"] || other["reason"] != json["reason"] || other["expected"] != json["expected"] ||
        other["tries"] != json["tries"] || other.contains("known") != json.contains("known")) {
      continue;
    }
    other["profiles"].push_back(result.profile);
    return;
  }
  json["profiles"] = {result.profile};
  results->push_back(std::move(json));
}

}  // namespace

Json CaseData(const HtmlInput& input, size_t case_index, const std::vector<std::string>& pages) {
  const ReportCase& row = input.set.cases()[case_index];
  TraceTable traces;
  AllowedQuestions allowed;
  Behaviours behaviours;
  Json results = Json::array();
  for (size_t i = 0; i < input.set.implementations().size(); ++i) {
    for (const CaseResult& result : input.set.Of(case_index, i)) {
      Json json = {{"implementation", i},
                   {"verdict", static_cast<int>(result.verdict)},
                   {"basis", BasisName(result.basis)},
                   {"behaviour", behaviours.Add(result)},
                   {"reason", Shortened(result.reason, 2000)},
                   {"expected", result.expected},
                   {"allowed", allowed.Add(result)},
                   {"tries", TriesJson(result, &traces)},
                   {"reproduce", result.reproduce}};
      if (input.knowledge.OutcomeOf(result) == Outcome::kKnown)
        json["known"] = KnownJson(*input.knowledge.EntryFor(result));
      AddResult(result, std::move(json), &results);
    }
  }
  Json data = {{"id", row.id}, {"hash", row.hash}};
  if (row.known) data["known"] = KnownJson(*row.known, input.clauses);
  if (row.known) {
    if (auto place = PlaygroundAddress(*row.known, input); !place.empty()) data["playground"] = place;
  }
  for (const ReportFile& file : input.set.files()) {
    const auto script = file.run.scripts.find(row.id);
    if (script != file.run.scripts.end()) data["source"] = script->second;
  }
  data["results"] = std::move(results);
  data["behaviours"] = behaviours.Texts();
  static const std::vector<std::optional<AllowedOrders>> unknown;
  const auto& answers = case_index < input.allowed.size() ? input.allowed[case_index] : unknown;
  data["allowed"] = AllowedJson(allowed.all(), answers, &traces);
  data["traces"] = traces.ToJson();
  const auto neighbour = [&](size_t index) {
    return Json{{"id", input.set.cases()[index].id}, {"page", pages[index]}};
  };
  if (case_index > 0) data["previous"] = neighbour(case_index - 1);
  if (case_index + 1 < pages.size()) data["next"] = neighbour(case_index + 1);
  return data;
}

}  // namespace conform::reports
