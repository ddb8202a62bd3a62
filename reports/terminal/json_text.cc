#include "reports/terminal/json_text.h"

#include <nlohmann/json.hpp>

namespace conform::reports {

std::string JsonText(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace conform::reports
