// Why an implementation fails, as `conform causes --format=json` prints it.
#ifndef CONFORM_REPORTS_CAUSES_FILE_H_
#define CONFORM_REPORTS_CAUSES_FILE_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/result.h"

namespace conform::reports {

// An error if the file lacks anything that a page reads of it.
Result<nlohmann::ordered_json> ParseCauses(const std::string& text, const std::string& file);
Result<nlohmann::ordered_json> ReadCauses(const std::string& file);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_CAUSES_FILE_H_
