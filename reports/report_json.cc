#include <nlohmann/json.hpp>

#include "reports/behaviours.h"
#include "reports/first_difference.h"
#include "reports/writers.h"

namespace conform::reports {

using Json = nlohmann::ordered_json;

Json TotalsJson(const Totals& totals) {
  Json json = Json::object();
  for (const auto& [verdict, count] : totals) json[std::string(VerdictName(verdict))] = count;
  return json;
}

namespace {

Json ToJson(const ReportFile& file) {
  Json json{{"path", file.path}, {"conform", file.run.conform}};
  if (!file.run.started.empty()) json["started"] = file.run.started;
  if (!file.run.command.empty()) json["command"] = file.run.command;
  if (!file.run.shard.empty()) json["shard"] = file.run.shard;
  json["planned"] = file.run.planned;
  json["results"] = file.results;
  json["complete"] = file.complete;
  return json;
}

Json ToJson(const ReportImplementation& one) {
  Json json{{"name", one.name}, {"kind", one.kind}, {"version", one.version}, {"profiles", one.profiles}};
  if (!one.claims.empty()) json["claims"] = one.claims;
  if (!one.details.empty()) json["details"] = one.details;
  json["totals"] = TotalsJson(one.totals);
  return json;
}

Json ToJson(const ReportCase& one) {
  Json json{{"id", one.id}, {"hash", one.hash}};
  if (!one.known) return json;
  json["title"] = one.known->title;
  json["clauses"] = one.known->clauses;
  return json;
}

Json ToJson(const CaseResult& result) {
  Json json{{"case", result.case_id},           {"implementation", result.implementation},
            {"profile", result.profile},        {"verdict", VerdictName(result.verdict)},
            {"basis", BasisName(result.basis)}, {"reason", result.reason},
            {"expected", result.expected},      {"observed", Json::array()}};
  for (const ObservedOrder& one : ObservedOrders(result)) {
    json["observed"].push_back({{"order", one.order}, {"count", one.count}, {"ended", one.ended}});
  }
  const Try* decisive = result.verdict == Verdict::kPass || result.expected.empty() ? nullptr : DecisiveTry(result);
  if (decisive != nullptr) {
    if (const auto difference = FindFirstDifference(result.expected, decisive->trace.ToOrder())) {
      json["difference"] = {
          {"at", difference->at}, {"expected", difference->expected}, {"may_end", difference->may_end}};
    }
  }
  json["reproduce"] = result.reproduce;
  return json;
}

// As an element of a list in an object, which is how nlohmann would have written it there.
std::string Indented(const Json& element) {
  std::string out = "    ";
  for (const char c : element.dump(2)) {
    out += c;
    if (c == '\n') out += "    ";  // within a text it is written as \n
  }
  return out;
}

template <typename T>
Json ListJson(const std::vector<T>& all) {
  Json list = Json::array();
  for (const T& one : all) list.push_back(ToJson(one));
  return list;
}

}  // namespace

std::optional<Error> JsonReport(const ResultSet& set, const Knowledge&, const TextSink& out) {
  const Json head{{"format", 1},
                  {"complete", set.complete()},
                  {"totals", TotalsJson(set.totals())},
                  {"files", ListJson(set.files())},
                  {"implementations", ListJson(set.implementations())},
                  {"cases", ListJson(set.cases())}};
  std::string text = head.dump(2);
  text.resize(text.size() - std::string_view("\n}").size());
  if (auto error = out(text + ",\n  \"results\": [")) return error;
  bool first = true;
  const auto write = [&](const CaseResult& result) {
    const std::string before = first ? "\n" : ",\n";
    first = false;
    return out(before + Indented(ToJson(result)));
  };
  if (auto error = set.ForEach(ResultSet::By::kCase, write)) return error;
  return out(first ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace conform::reports
