// A program of the case language as the interpreter takes it.
#ifndef CONFORM_ADAPTERS_SHARED_PROGRAM_H_
#define CONFORM_ADAPTERS_SHARED_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "loop.h"

namespace loop_adapter {

enum class Act {
  kMake,  // makes what Step::op says
  kLog,
  kBusy,
  kExit,
  kAgain,
  kOnly,
  kClear,
  kCancel,  // `clear as cancel`
  kClose,
  kRefresh,
  kStart,
  kSend,
  kRaise,
  kRef,
  kUnref,
  kRun,
  kAlive,
  kStop,
  kUpdate,
};

struct Step {
  Act act = Act::kLog;
  const Op* op = nullptr;
  bool reads = false;  // the op is a `read`
  std::string label;
  std::string target;
  double ms = 0;        // of a timer, `start` and `busy`
  bool has_ms = false;  // `start NAME MS`
  int64_t code = 0;     // of `exit`
  RunMode mode = RunMode::kDefault;
  bool unsent = false;
  bool chained = false;  // it has `xN`
  int64_t times = 1;
  int64_t only_from = 1;
  int64_t only_to = 1;
  std::vector<Step> body;
};
using Program = std::vector<Step>;

}  // namespace loop_adapter

#endif  // CONFORM_ADAPTERS_SHARED_PROGRAM_H_
