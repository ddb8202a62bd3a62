// Cases and programs as JSON: what adapters receive, what `--format=json` prints, and what the content hash is taken
// of.
#ifndef CONFORM_RUNNERS_MODEL_CASE_JSON_H_
#define CONFORM_RUNNERS_MODEL_CASE_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "runners/model/case.h"

namespace conform {

// A list of objects, each with `op` and the fields that are set; every number is a text, as the case wrote it. The
// format is `program` of spec/schemas/case.schema.json.
nlohmann::json ProgramToJson(const Program& program);

// The format is spec/schemas/case.schema.json.
nlohmann::json CaseToJson(const Case& c);

// Of what a verdict depends on: program, entry, pool, native, model and expect. Titles, clauses and layout do not
// change it.
std::string HashOfCase(const Case& c);

std::string_view EntryName(Entry entry);  // "script", "esm", "worker"
std::string_view TierName(Tier tier);     // "must", "should", "informative"

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_CASE_JSON_H_
