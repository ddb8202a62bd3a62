// What the reference loop cannot say.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/host/interpreter.h"
#include "runners/model/op_table.h"

namespace conform::reference {

namespace {

// The ops and kinds of each host. Nothing here is about versions: that is the profile's.
std::set<Op> AllBut(const std::set<Op>& has) {
  std::set<Op> refused;
  for (const std::string& name : OpNames()) {
    if (const Op op = *OpFromName(name); !has.contains(op)) refused.insert(op);
  }
  return refused;
}

const std::set<Op>& Refused(const std::string& family) {
  static const std::set<Op> node{Op::kWork, Op::kWrite, Op::kChild, Op::kIdle, Op::kPrepare, Op::kCheck, Op::kWake,
                                 Op::kSend, Op::kSoon,  Op::kStart, Op::kStop, Op::kRun,     Op::kAlive, Op::kUpdate};
  static const std::set<Op> libuv{Op::kTick,     Op::kMicrotask, Op::kThen,    Op::kCatch,   Op::kFinally,
                                  Op::kAwait,    Op::kMessage,   Op::kChild,   Op::kSoon,    Op::kOn,
                                  Op::kThenable, Op::kThrow,     Op::kPromise, Op::kResolve, Op::kReject,
                                  Op::kReturn,   Op::kAsync,     Op::kPause,   Op::kExit,    Op::kSocket};
  static const std::set<Op> asyncio =
      AllBut({Op::kSoon,  Op::kWake,   Op::kSend,  Op::kTimeout, Op::kRead,  Op::kWork, Op::kSignal,
              Op::kRaise, Op::kThen,   Op::kAwait, Op::kPromise, Op::kAsync, Op::kOn,   Op::kResolve,
              Op::kPause, Op::kReject, Op::kClear, Op::kThrow,   Op::kExit,  Op::kStop, Op::kRun,
              Op::kLog,   Op::kBusy,   Op::kOnly,  Op::kAgain});
  static const std::set<Op> documented =
      AllBut({Op::kSoon, Op::kTimeout, Op::kRead, Op::kIdle, Op::kPrepare, Op::kCheck, Op::kClear, Op::kStop, Op::kRun,
              Op::kLog, Op::kBusy, Op::kOnly, Op::kAgain});
  static const std::set<Op> html{Op::kTick,    Op::kImmediate, Op::kRead,   Op::kFile,    Op::kWork,    Op::kListen,
                                 Op::kConnect, Op::kAccept,    Op::kSocket, Op::kRefused, Op::kClose,   Op::kWrite,
                                 Op::kChild,   Op::kSignal,    Op::kRaise,  Op::kIdle,    Op::kPrepare, Op::kCheck,
                                 Op::kWake,    Op::kSend,      Op::kSoon,   Op::kRef,     Op::kUnref,   Op::kRefresh,
                                 Op::kStart,   Op::kStop,      Op::kRun,    Op::kAlive,   Op::kUpdate,  Op::kExit};
  if (family == "asyncio") return asyncio;
  if (family == "html") return html;
  if (family == "libuv") return libuv;
  return family == "node" ? node : documented;
}

bool KindIsModelled(const Step& step) {
  if (step.kind.empty()) return true;
  switch (step.op) {
    case Op::kTimeout:
      return step.kind == "promise" || step.kind == "at";
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

bool Makes(Op op, const std::string& name, const std::vector<Step>& body) {
  return std::any_of(body.begin(), body.end(), [&](const Step& step) {
    return (step.op == op && step.label == name) || Makes(op, name, step.body);
  });
}

// What the op has and asyncio has not, or what its model leaves out.
std::optional<std::string> FindInAsyncio(const std::vector<Step>& body, const Case& c) {
  for (const Step& step : body) {
    if (step.op == Op::kRun && step.argument == "once") return "run once";
    if (step.op == Op::kResolve && !step.with.empty()) return "resolve with";
    if (step.op == Op::kReject && step.target.empty()) return "reject without a promise";
    if (step.plain) return "await plain";
    if (step.op == Op::kTimeout && DelayOf(step) != std::trunc(DelayOf(step))) return "parts of a millisecond";
    for (const Op op : {Op::kSignal, Op::kThen}) {
      if (step.op == Op::kClear && Makes(op, step.target, c.program))
        return std::string("clear of a ").append(OpName(op));
    }
    if (std::optional<std::string> inside = FindInAsyncio(step.body, c)) return inside;
  }
  return std::nullopt;
}

// Kinds are the profile's: which priorities and functions there are differs from loop to loop.
std::optional<std::string> FindInDocumented(const std::vector<Step>& body, const Case& c) {
  for (const Step& step : body) {
    const std::string name(OpName(step.op));
    if (RepeatsByItself(step.op) && !(step.chained && step.times == 1)) return name + " without x1";
    if (step.op == Op::kRun && (step.argument != "default" || !step.label.empty())) return "run " + step.argument;
    if (step.op == Op::kStop && &body == &c.program) return "stop outside of a callback";
    if (step.op == Op::kTimeout && DelayOf(step) != std::trunc(DelayOf(step))) return "parts of a millisecond";
    if (step.kind == "cancel" && !Makes(Op::kTimeout, step.target, c.program)) return name + " as cancel of no timer";
    if (std::optional<std::string> inside = FindInDocumented(step.body, c)) return inside;
  }
  return std::nullopt;
}

std::optional<std::string> Find(const std::vector<Step>& body, const std::string& family) {
  for (const Step& step : body) {
    if (Refused(family).contains(step.op)) return std::string(OpName(step.op));
    if (HasRecipeOfItsOwn(family) && !KindIsModelled(step)) return std::string(OpName(step.op)) + " as " + step.kind;
    if (step.op == Op::kOn && !EventIsModelled(step)) return "on " + step.event;
    if (std::optional<std::string> inside = Find(step.body, family)) return inside;
  }
  return std::nullopt;
}

}  // namespace

bool HasRecipeOfItsOwn(const std::string& family) {
  return family == "node" || family == "libuv" || family == "asyncio" || family == "html";
}

std::optional<std::string> NotModelled(const Case& c, const std::string& family) {
  if (!c.native.empty()) return "a native case";
  if (!HasRecipeOfItsOwn(family)) {
    if (std::optional<std::string> found = Find(c.program, family)) return found;
    return FindInDocumented(c.program, c);
  }
  // libuv calls the handlers of one signal in the order of their addresses, which nobody promises.
  if (family != "node" && CountOf(Op::kSignal, c.program) > 1) return "more than one signal";
  if (family == "asyncio") {
    // A thread that hands over a result wakes the loop up a moment later, and a signal may be heard in that moment.
    if (CountOf(Op::kSignal, c.program) > 0 && CountOf(Op::kWork, c.program) > 0) return "work beside a signal";
    if (std::optional<std::string> found = FindInAsyncio(c.program, c)) return found;
  }
  return Find(c.program, family);
}

}  // namespace conform::reference
