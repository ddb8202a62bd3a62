// A program: a tree of steps. Parsed from a case file, immutable afterwards.
#ifndef CONFORM_RUNNERS_MODEL_STEP_H_
#define CONFORM_RUNNERS_MODEL_STEP_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

// The operations of the case language (spec/case-language.md). X-macro: enumerator, name.
// clang-format off
#define CONFORM_OPS(X)                                                                            \
  X(kTick, "tick") X(kMicrotask, "microtask") X(kThen, "then") X(kCatch, "catch")                 \
  X(kFinally, "finally") X(kCombine, "combine") X(kAwait, "await") X(kTimeout, "timeout")         \
  X(kInterval, "interval")                                                                        \
  X(kImmediate, "immediate") X(kRead, "read") X(kFile, "file") X(kWork, "work")                   \
  X(kListen, "listen") X(kConnect, "connect") X(kAccept, "accept") X(kSocket, "socket")           \
  X(kRefused, "refused") X(kClose, "close") X(kMessage, "message") X(kWrite, "write")             \
  X(kShutdown, "shutdown") X(kReceive, "receive") X(kDatagram, "datagram") X(kData, "data")       \
  X(kSignal, "signal") X(kRaise, "raise") X(kChild, "child") X(kIdle, "idle")                     \
  X(kPrepare, "prepare") X(kCheck, "check") X(kWake, "wake") X(kSend, "send") X(kSoon, "soon")    \
  X(kOn, "on") X(kThenable, "thenable") X(kLog, "log") X(kBusy, "busy") X(kClear, "clear")        \
  X(kRef, "ref") X(kUnref, "unref") X(kRefresh, "refresh") X(kStart, "start")                     \
  X(kThrow, "throw") X(kPromise, "promise") X(kResolve, "resolve") X(kReject, "reject")           \
  X(kReturn, "return") X(kAsync, "async") X(kPause, "pause") X(kTry, "try") X(kExit, "exit")      \
  X(kStop, "stop")                                                                                \
  X(kRun, "run") X(kAlive, "alive") X(kUpdate, "update") X(kAgain, "again") X(kOnly, "only")
// clang-format on

enum class Op {
#define CONFORM_OP_ENUMERATOR(enumerator, name) enumerator,
  CONFORM_OPS(CONFORM_OP_ENUMERATOR)
#undef CONFORM_OP_ENUMERATOR
};

std::string_view OpName(Op op);

// One step. Which fields an op uses, and how it is written:
//   label     tick T, timeout A 5, log X, run once R, alive L, pause L, try X     "" means silent
//   target    the thing referred to: `of D`, `to L`, and the object of clear, ref, unref, refresh, start, send, raise,
//             resolve D, return of Q
//   with      resolve D with Q, combine C of D with Q
//   via       message M via P
//   kind      `as promise`
//   event     on EVENT X
//   argument  text as written: the delay of timeout, interval and start; MS of busy and work; E of throw and reject;
//             CODE of exit; once|nowait|default of run
struct Step {
  Op op = Op::kLog;
  std::string label;
  std::string target;
  std::string with;
  std::string via;
  std::string kind;
  std::string event;
  std::string argument;
  bool plain = false;     // await W plain
  bool unsent = false;    // wake H unsent
  bool chained = false;   // xN was written
  int64_t times = 1;      // N of xN
  int64_t only_from = 1;  // only 2, only ..3, only 2..4: the runs, counted from 1, both ends included
  int64_t only_to = 1;
  std::vector<Step> body;
  Location at;
  int id = 0;  // position in a pre-order walk of the program, unique in it

  // The step in the case language, without its body: `timeout A 5 x3`.
  std::string ToString() const;
};

using Program = std::vector<Step>;

// Limits of one step, so that no case can require more than a run can do.
inline constexpr int64_t kMaxTimes = 1'000'000;  // N of xN, and the runs of `only`
inline constexpr int64_t kMaxBusyMs = 10'000;

// REQUIRES: the op takes a delay (op_table.h). The number that JavaScript's Number() gives for the argument:
// NaN for `none`, `NaN` and no argument; infinity for `Infinity`.
double DelayOf(const Step& step);

// The signal that `signal S as KIND` is about.
struct Signal {
  std::string_view kind;
  std::string_view name;
  int number;
};
// REQUIRES: op is kSignal. That of a kind that is not known here is the one without a kind.
const Signal& SignalOf(const Step& step);

// REQUIRES: op is kWork or kFile. For how long it keeps its thread of the pool, at least.
int64_t WorkMsOf(const Step& step);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_STEP_H_
