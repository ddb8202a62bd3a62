// Traces as the pages hold them: equal ones once, repetitions folded, the endless cut.
#ifndef CONFORM_REPORTS_HTML_TRACES_H_
#define CONFORM_REPORTS_HTML_TRACES_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "runners/model/trace.h"

namespace conform::reports {

// The traces of one case. As JSON, a trace is
//   {"events":[[label, times, iteration, phase, clause], …], "cut": events that were left out}
// where what is not known is left out from the end, and `cut` where it is 0.
class TraceTable {
 public:
  static constexpr size_t kMaxEvents = 400;  // after folding

  // The index of the trace in ToJson().
  size_t Add(const Trace& trace);

  const nlohmann::ordered_json& ToJson() const { return traces_; }

 private:
  nlohmann::ordered_json traces_ = nlohmann::ordered_json::array();
  std::map<std::string, size_t> known_;
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_TRACES_H_
