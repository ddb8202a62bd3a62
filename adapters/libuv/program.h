// A program of the case language as this adapter reads it.
#ifndef CONFORM_ADAPTERS_LIBUV_PROGRAM_H_
#define CONFORM_ADAPTERS_LIBUV_PROGRAM_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace libuv_adapter {

enum class Op {
  kTimeout,
  kInterval,
  kImmediate,
  kRead,
  kFile,
  kWork,
  kListen,
  kConnect,
  kAccept,
  kSocket,
  kRefused,
  kClose,
  kWrite,
  kSignal,
  kChild,
  kIdle,
  kPrepare,
  kCheck,
  kWake,
  kLog,
  kBusy,
  kClear,
  kRef,
  kUnref,
  kRefresh,
  kStart,
  kSend,
  kRaise,
  kExit,
  kAgain,
  kOnly,
  kRun,
  kAlive,
  kStop,
  kUpdate,
};

struct Step {
  Op op = Op::kLog;
  std::string label;
  std::string target;
  std::string argument;
  bool as_path = false;  // `refused as path`
  bool unsent = false;
  bool chained = false;  // it has `xN`
  int64_t times = 1;
  int64_t only_from = 1;
  int64_t only_to = 1;
  std::vector<Step> body;
};
using Program = std::vector<Step>;

// What `ready` names under `ops`.
std::vector<std::string> Capabilities();

// The first thing that the program needs and libuv, or this adapter, has not: "tick", "clear as number", "delay NaN".
std::optional<std::string> Missing(const nlohmann::json& program);

// REQUIRES: !Missing(program). Throws nlohmann::json::exception or std::exception where it is not as the schema says.
Program ReadProgram(const nlohmann::json& program);

// Does some step run the loop?
bool RunsTheLoop(const Program& program);

// Every name that a step refers to.
std::set<std::string> NamesReferredTo(const Program& program);

// The milliseconds of a delay. REQUIRES: !Missing.
uint64_t Delay(const std::string& argument);

// A handle that runs again and again, and whose chain ends by stopping it.
bool RepeatsByItself(Op op);

}  // namespace libuv_adapter

#endif  // CONFORM_ADAPTERS_LIBUV_PROGRAM_H_
