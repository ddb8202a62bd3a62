// Whether JSON that others wrote has what a page reads of it.
#ifndef CONFORM_REPORTS_JSON_SHAPE_H_
#define CONFORM_REPORTS_JSON_SHAPE_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace conform::reports {

// An object with a text of that name.
bool HasText(const nlohmann::ordered_json& json, const char* name);
// An object with a list of that name, of which all items are good.
bool IsListOf(const nlohmann::ordered_json& json, const char* name,
              const std::function<bool(const nlohmann::ordered_json&)>& good);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_JSON_SHAPE_H_
