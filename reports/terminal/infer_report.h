// What `conform infer` prints.
#ifndef CONFORM_REPORTS_TERMINAL_INFER_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_INFER_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/infer.h"

namespace conform::reports {

std::string InferText(const InferReport& report, const Style& style);
// spec/schemas/infer.schema.json
nlohmann::ordered_json InferJson(const InferReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_INFER_REPORT_H_
