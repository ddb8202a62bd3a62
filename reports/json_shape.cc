#include "reports/json_shape.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace conform::reports {

bool HasText(const nlohmann::ordered_json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_string();
}

bool IsListOf(const nlohmann::ordered_json& json, const char* name,
              const std::function<bool(const nlohmann::ordered_json&)>& good) {
  return json.is_object() && json.contains(name) && json[name].is_array() &&
         std::all_of(json[name].begin(), json[name].end(), good);
}

}  // namespace conform::reports
