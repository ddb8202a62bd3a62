#include "runners/model/case_json.h"

#include <nlohmann/json.hpp>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform {
namespace {

using nlohmann::json;

json StepToJson(const Step& step) {
  json object = {{"op", OpName(step.op)}};
  const auto set = [&object](const char* name, const std::string& text) {
    if (!text.empty()) object[name] = text;
  };
  set("label", step.label);
  set("target", step.target);
  set("with", step.with);
  set("via", step.via);
  set("kind", step.kind);
  set("event", step.event);
  set("argument", step.argument);
  if (step.plain) object["plain"] = true;
  if (step.unsent) object["unsent"] = true;
  if (step.chained) object["times"] = std::to_string(step.times);
  if (step.op == Op::kOnly) {
    object["only_from"] = std::to_string(step.only_from);
    object["only_to"] = std::to_string(step.only_to);
  }
  if (!step.body.empty()) object["body"] = ProgramToJson(step.body);
  return object;
}

// Of an Expectation or a ModelProgram: for which profiles it is.
template <typename Ranged>
json WithRange(json object, const Ranged& ranged) {
  if (!ranged.family.empty()) object["family"] = ranged.family;
  const std::string range = ranged.range.ToString();
  if (!range.empty()) object["range"] = range;
  return object;
}

json ExpectToJson(const Case& c) {
  json list = json::array();
  for (const Expectation& expectation : c.expect) {
    list.push_back(WithRange({{"pattern", Trim(expectation.pattern.text)}}, expectation));
  }
  return list;
}

json ModelsToJson(const Case& c) {
  json list = json::array();
  for (const ModelProgram& model : c.models) {
    list.push_back(WithRange({{"program", ProgramToJson(model.program)}}, model));
  }
  return list;
}

}  // namespace

json ProgramToJson(const Program& program) {
  json list = json::array();
  for (const Step& step : program) list.push_back(StepToJson(step));
  return list;
}

json CaseToJson(const Case& c) {
  json object = {
      {"id", c.id},
      {"title", c.title},
      {"clauses", c.clauses},
      {"why", c.why},
      {"expect", ExpectToJson(c)},
      {"entry", EntryName(c.entry)},
      {"pool", c.pool},
      {"needs", c.needs},
      {"tier", TierName(c.tier)},
      {"issues", c.issues},
      {"content_hash", c.content_hash},
  };
  if (c.timeless) object["timeless"] = true;
  if (c.native.empty()) {
    object["program"] = ProgramToJson(c.program);
  } else {
    object["native"] = c.native;
  }
  if (!c.models.empty()) object["model"] = ModelsToJson(c);
  return object;
}

std::string HashOfCase(const Case& c) {
  // Objects of nlohmann::json keep their keys sorted, so this text is canonical.
  json essence = {{"program", ProgramToJson(c.program)},
                  {"entry", EntryName(c.entry)},
                  {"pool", c.pool},
                  {"native", c.native},
                  {"expect", ExpectToJson(c)}};
  if (c.timeless) essence["timeless"] = true;
  if (!c.models.empty()) essence["model"] = ModelsToJson(c);
  return ContentHash(essence.dump());
}

std::string_view EntryName(Entry entry) {
  switch (entry) {
    case Entry::kScript:
      return "script";
    case Entry::kEsm:
      return "esm";
    case Entry::kWorker:
      return "worker";
  }
  CONFORM_CHECK(false);
}

std::string_view TierName(Tier tier) {
  switch (tier) {
    case Tier::kMust:
      return "must";
    case Tier::kShould:
      return "should";
    case Tier::kInformative:
      return "informative";
  }
  CONFORM_CHECK(false);
}

}  // namespace conform
