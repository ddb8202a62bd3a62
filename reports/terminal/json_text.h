// JSON as every command prints it.
#ifndef CONFORM_REPORTS_TERMINAL_JSON_TEXT_H_
#define CONFORM_REPORTS_TERMINAL_JSON_TEXT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace conform::reports {

// Indented, with the end of the last line. Bytes that are not UTF-8 are replaced.
std::string JsonText(const nlohmann::ordered_json& value);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_JSON_TEXT_H_
