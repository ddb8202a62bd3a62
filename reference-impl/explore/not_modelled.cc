// What the reference loop cannot say.
#include <set>
#include <string>

#include "reference-impl/explore/explorer.h"

namespace conform {

namespace {

// The ops and kinds of each host. Nothing here is about versions: that is the profile's.
const std::set<Op>& Refused(const std::string& family) {
  static const std::set<Op> node{Op::kWork, Op::kWrite, Op::kChild, Op::kIdle, Op::kPrepare, Op::kCheck, Op::kWake,
                                 Op::kSend, Op::kSoon,  Op::kStart, Op::kStop, Op::kRun,     Op::kAlive, Op::kUpdate};
  static const std::set<Op> libuv{Op::kTick,     Op::kMicrotask, Op::kThen,    Op::kCatch,   Op::kFinally,
                                  Op::kAwait,    Op::kMessage,   Op::kChild,   Op::kSoon,    Op::kOn,
                                  Op::kThenable, Op::kThrow,     Op::kPromise, Op::kResolve, Op::kReject,
                                  Op::kReturn,   Op::kAsync,     Op::kPause,   Op::kExit,    Op::kSocket};
  return family == "libuv" ? libuv : node;
}

bool KindIsModelled(const Step& step) {
  if (step.kind.empty()) return true;
  switch (step.op) {
    case Op::kTimeout:
      return step.kind == "promise";
    case Op::kFile:
      return step.kind == "promise" || step.kind == "readFile" || step.kind == "random";
    case Op::kClear:
      return true;
    case Op::kRefused:
      return step.kind == "path";
    default:
      return false;
  }
}

bool EventIsModelled(const Step& step) {
  static const std::set<std::string> process{"exit", "beforeExit", "uncaught", "unhandled", "handled", "monitor"};
  if (step.target.empty()) return process.contains(step.event);
  return step.event == "listening";
}

int CountOf(Op op, const std::vector<Step>& body) {
  int count = 0;
  for (const Step& step : body) count += (step.op == op ? 1 : 0) + CountOf(op, step.body);
  return count;
}

std::optional<std::string> Find(const std::vector<Step>& body, const std::string& family) {
  for (const Step& step : body) {
    if (Refused(family).contains(step.op)) return std::string(OpName(step.op));
    if (!KindIsModelled(step)) return std::string(OpName(step.op)) + " as " + step.kind;
    if (step.op == Op::kOn && !EventIsModelled(step)) return "on " + step.event;
    if (std::optional<std::string> inside = Find(step.body, family)) return inside;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> NotModelled(const Case& c, const std::string& family) {
  if (!c.native.empty()) return "a native case";
  if (family != "node" && family != "libuv") return "the family " + family;
  // libuv calls the handlers of one signal in the order of their addresses, which nobody promises.
  if (family == "libuv" && CountOf(Op::kSignal, c.program) > 1) return "more than one signal";
  return Find(c.program, family);
}

}  // namespace conform
