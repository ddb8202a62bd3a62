#include "reports/survey_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/json_shape.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxSurveyBytes = 16 << 20;

// What the page reads of the output of `conform survey --format=json`.
bool IsSurvey(const nlohmann::ordered_json& json) {
  const auto is_text = [](const auto& one) { return one.is_string(); };
  const auto is_order = [](const auto& one) { return HasText(one, "order") && one.contains("count"); };
  const auto is_answer = [&](const auto& one) {
    return HasText(one, "state") && HasText(one, "answer") && IsListOf(one, "orders", is_order);
  };
  const auto is_rule = [&](const auto& rule) {
    return HasText(rule, "rule") && HasText(rule, "question") && IsListOf(rule, "cases", is_text) &&
           rule.contains("answers") && rule["answers"].is_object() &&
           std::all_of(rule["answers"].begin(), rule["answers"].end(), is_answer);
  };
  const auto is_missing = [](const auto& one) { return HasText(one, "name"); };
  return IsListOf(json, "loops", is_text) && IsListOf(json, "missing", is_missing) && IsListOf(json, "rules", is_rule);
}

}  // namespace

Result<nlohmann::ordered_json> ParseSurveyAnswers(const std::string& text, const std::string& file) {
  nlohmann::ordered_json survey = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!IsSurvey(survey)) return Error{"is not what 'conform survey --format=json' prints", file};
  return survey;
}

Result<nlohmann::ordered_json> ReadSurvey(const std::string& file) {
  const auto text = ReadFile(file, kMaxSurveyBytes);
  if (!text) return text.error();
  return ParseSurveyAnswers(*text, file);
}

}  // namespace conform::reports
