#include "reports/causes_file.h"

#include <nlohmann/json.hpp>

#include "reports/json_shape.h"
#include "runners/base/text.h"

namespace conform::reports {

using Json = nlohmann::ordered_json;

namespace {

constexpr size_t kMaxCausesBytes = 16 << 20;

bool HasNumber(const Json& json, const char* name) { return json.contains(name) && json[name].is_number_integer(); }

bool IsText(const Json& json) { return json.is_string(); }

bool IsChange(const Json& json) {
  return HasText(json, "rule") && HasText(json, "from") && HasText(json, "to") && HasText(json, "clause") &&
         HasText(json, "summary") && HasText(json, "words");
}

bool IsConfirmation(const Json& json) { return HasNumber(json, "runs") && HasNumber(json, "as_predicted"); }

bool IsProgram(const Json& json) {
  return IsListOf(json, "steps", IsText) && IsListOf(json, "expected", IsText) && IsListOf(json, "given", IsText) &&
         HasText(json, "script");
}

bool IsCause(const Json& json) {
  const auto is_report = [](const Json& one) { return HasText(one, "report") && HasText(one, "about"); };
  return json.is_object() && json.contains("change") && IsChange(json["change"]) &&
         IsListOf(json, "cannot_be_told_apart_from", IsChange) && IsListOf(json, "explains", IsText) &&
         IsListOf(json, "mends", IsText) && (!json.contains("program") || IsProgram(json["program"])) &&
         (!json.contains("confirmation") || IsConfirmation(json["confirmation"])) &&
         (!json.contains("reports") || IsListOf(json, "reports", is_report));
}

bool IsCauses(const Json& json) {
  const auto is_unexplained = [](const Json& one) { return HasText(one, "case") && IsListOf(one, "order", IsText); };
  return HasText(json, "implementation") && HasText(json, "profile") && HasNumber(json, "failing") &&
         HasNumber(json, "explained") && HasNumber(json, "passing") && IsListOf(json, "causes", IsCause) &&
         IsListOf(json, "unexplained", is_unexplained) && IsListOf(json, "contradicted", IsText);
}

}  // namespace

Result<Json> ParseCauses(const std::string& text, const std::string& file) {
  Json causes = Json::parse(text, nullptr, false);
  if (!IsCauses(causes)) return Error{"is not what 'conform causes --format=json' prints", file};
  return causes;
}

Result<Json> ReadCauses(const std::string& file) {
  const auto text = ReadFile(file, kMaxCausesBytes);
  if (!text) return text.error();
  return ParseCauses(*text, file);
}

}  // namespace conform::reports
