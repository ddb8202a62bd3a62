// What `conform lift` prints, and `conform explore` of a script.
#ifndef CONFORM_REPORTS_TERMINAL_LIFT_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_LIFT_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/lift/lift.h"
#include "runners/study/lifted_orders.h"

namespace conform::reports {

// The program, what it leaves out, and its orders by release.
std::string LiftText(const Lifted& lifted, const LiftedOrders& orders, const Style& style);
// spec/schemas/lift.schema.json
nlohmann::ordered_json LiftJson(const Lifted& lifted, const LiftedOrders& orders);

// What is known of the script alone, as a part of that.
nlohmann::ordered_json LiftedJson(const Lifted& lifted);

// What a reader of the program has to know: what labels mean, and what is not in it.
std::string LiftNotesText(const Lifted& lifted);

// What the runs showed that the model does not, and the other way around.
std::string LiftDoubtsText(const LiftedDoubts& doubts, const Style& style);
nlohmann::ordered_json LiftDoubtsJson(const LiftedDoubts& doubts);

// "since Node 11.0.0 this is the only order", and the like.
std::string LiftVerdict(const LiftedOrders& orders);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_LIFT_REPORT_H_
