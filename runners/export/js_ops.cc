// JsSteps, continued: what each op is in JavaScript.
#include <algorithm>

#include "runners/export/js_prelude.h"
#include "runners/export/js_steps.h"

namespace conform {
namespace {

bool IsNumber(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::count(text.begin(), text.end(), '.') <= 1 && text.front() != '.' && text.back() != '.';
}

// What stands for the delay in a call: "" for none.
std::string Delay(const std::string& argument) {
  if (argument.empty() || argument == "none") return "";
  if (argument == "NaN" || argument == "Infinity" || argument == "-Infinity") return argument;
  // A leading zero would make it an octal number.
  const bool plain = IsNumber(argument) && !(argument.size() > 1 && argument[0] == '0' && argument[1] != '.');
  return plain ? argument : "Number(" + JsString(argument) + ")";
}

std::string NewError(const std::string& name) {
  return name.empty() ? "new Error()" : "new Error(" + JsString(name) + ")";
}

const char* ProcessEvent(const std::string& event) {
  if (event == "exit") return "exit";
  if (event == "beforeExit") return "beforeExit";
  if (event == "uncaught") return "uncaughtException";
  if (event == "unhandled") return "unhandledRejection";
  if (event == "handled") return "rejectionHandled";
  if (event == "monitor") return "uncaughtExceptionMonitor";
  return nullptr;
}

}  // namespace

void JsSteps::WriteOther(const Step& step, const Frame& frame, Code& out) {
  switch (step.op) {
    case Op::kTick:
    case Op::kMicrotask:
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kAwait:
      return WriteQueue(step, frame, out);
    case Op::kTimeout:
    case Op::kInterval:
    case Op::kImmediate:
      return WriteTimer(step, frame, out);
    case Op::kFile:
    case Op::kRead:
    case Op::kMessage:
    case Op::kChild:
      return WriteFile(step, frame, out);
    case Op::kListen:
    case Op::kConnect:
    case Op::kAccept:
    case Op::kSocket:
    case Op::kRefused:
    case Op::kWrite:
      return WriteSocket(step, frame, out);
    case Op::kClose:
      return WriteClose(step, frame, out);
    case Op::kSignal:
    case Op::kOn:
      return WriteListener(step, frame, out);
    case Op::kClear:
    case Op::kRef:
    case Op::kUnref:
    case Op::kRefresh:
      return WriteClear(step, out);
    case Op::kThenable:
    case Op::kPromise:
    case Op::kResolve:
    case Op::kReject:
    case Op::kReturn:
    case Op::kAsync:
    case Op::kPause:
      return WritePromise(step, frame, out);
    case Op::kOnly:
      return WriteOnly(step, frame, out);
    case Op::kRaise:
      return out.Line("process.kill(process.pid, 'SIGUSR2');");
    case Op::kLog:
      return out.Line("log(" + JsString(step.label) + ");");
    case Op::kBusy:
      return out.Line("busy(" + Delay(step.argument) + ");");
    case Op::kThrow:
      return out.Line("throw " + NewError(step.argument) + ";");
    case Op::kExit:
      return out.Line("process.exit(" + Delay(step.argument) + ");");
    case Op::kAgain:
      if (!frame.again.empty()) out.Line(frame.again);
      return;
    case Op::kWork:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kWake:
    case Op::kSend:
    case Op::kSoon:
    case Op::kStart:
    case Op::kStop:
    case Op::kRun:
    case Op::kAlive:
    case Op::kUpdate:
      return Refuse(step, "JavaScript has no " + std::string(OpName(step.op)));
  }
}

void JsSteps::WriteQueue(const Step& step, const Frame& frame, Code& out) {
  if (RefuseKind(step)) return;
  if (step.op == Op::kTick) return out.Block("process.nextTick(function () {", Callback(step, frame), "});");
  if (step.op == Op::kMicrotask) return out.Block("queueMicrotask(function () {", Callback(step, frame), "});");
  std::string promise = "Promise.resolve()";
  if (!step.target.empty()) {
    const Variable* variable = VariableOf(step, step.target);
    if (variable == nullptr) return;
    promise = variable->name;
  }
  if (step.op == Op::kAwait) {
    const std::string first = "await " + (step.plain ? "null" : promise) + ";";
    return out.Block(Assignment(step) + "(async function () {", Callback(step, frame, first), "}());");
  }
  const std::string method(OpName(step.op));
  out.Block(Assignment(step) + promise + "." + method + "(function () {", Callback(step, frame), "});");
}

void JsSteps::WriteTimer(const Step& step, const Frame& frame, Code& out) {
  const std::string delay = step.op == Op::kImmediate ? "" : Delay(step.argument);
  const std::string function = step.op == Op::kImmediate ? "setImmediate"
                               : step.op == Op::kTimeout ? "setTimeout"
                                                         : "setInterval";
  if (IsPromiseTimer(step)) {
    const std::string promise = "timersPromises." + function + "(" + delay + ")";
    return out.Block(Assignment(step) + promise + ".then(function () {", Callback(step, frame), "});");
  }
  if (RefuseKind(step)) return;
  const std::string tail = delay.empty() ? "});" : "}, " + delay + ");";
  std::string assignment = Assignment(step);
  if (step.op == Op::kInterval && step.chained) {
    const auto shared = variables_.find(step.label);
    if (shared != variables_.end() && shared->second.at_its_maker) {
      own_timers_[&step] = shared->second.name;
    } else {
      own_timers_[&step] = names_.Unique("interval" + IdentifierPart(step.label));
      assignment = "var " + own_timers_[&step] + " = " + assignment;
    }
  }
  out.Block(assignment + function + "(function () {", Callback(step, frame), tail);
}

void JsSteps::WriteFile(const Step& step, const Frame& frame, Code& out) {
  const auto call = [&](const std::string& head) {
    out.Block(Assignment(step) + head + "function () {", Callback(step, frame), "});");
  };
  if (step.op == Op::kFile) {
    if (step.kind.empty()) return call("fs.stat('.', ");
    if (step.kind == "promise") return call("fs.promises.stat('.').then(");
    if (step.kind == "readFile") return call("fs.readFile(process.argv[1], ");
    if (step.kind == "random") return call("crypto.randomBytes(1, ");
    if (step.kind == "deflate") return call("zlib.deflate('x', ");
  }
  if (step.op == Op::kChild && step.kind == "missing") {
    return call("childProcess.spawn('no-such-program', [], { stdio: 'ignore' }).on('error', ");
  }
  if (RefuseKind(step)) return;
  if (step.op == Op::kRead) {
    if (case_.entry != Entry::kScript)
      return Refuse(step, "only a script can start itself with descriptors to read from");
    if (facts_.RunsAtMost(step, kMaxJsDescriptors + 1) > kMaxJsDescriptors) {
      return Refuse(step, "a process gets at most " + std::to_string(kMaxJsDescriptors) + " descriptors to read from");
    }
    return call("read(");
  }
  if (step.op == Op::kMessage) return call(step.via.empty() ? "post(" : JsChannelName(step.via) + "(");
  call("childProcess.spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('exit', ");
}

void JsSteps::WriteSocket(const Step& step, const Frame& frame, Code& out) {
  const auto call = [&](const std::string& head, const std::string& first = "") {
    out.Block(Assignment(step) + head, Callback(step, frame, first), "});");
  };
  if (step.op == Op::kListen && step.kind == "host") {
    return out.Line(Assignment(step) + "net.createServer().listen(0, '127.0.0.1');");
  }
  if (step.op == Op::kRefused && step.kind == "path") {
    return call("net.connect(temporaryName('.missing')).on('error', function () {");
  }
  if (RefuseKind(step)) return;
  if (step.op == Op::kListen) return out.Line(Assignment(step) + "net.createServer().listen(socketPath());");
  if (step.op == Op::kSocket) return out.Line(Assignment(step) + "new net.Socket();");
  if (step.op == Op::kRefused) return call("net.connect(1, '127.0.0.1').on('error', function () {");
  const Variable* target = VariableOf(step, step.target);
  if (target == nullptr) return;
  if (step.op == Op::kWrite) return call(target->name + ".write('x', function (error) {");
  if (step.op == Op::kConnect) {
    const auto& servers = facts_.Makers(step.target);
    const bool has_port = std::any_of(servers.begin(), servers.end(), [](const Step* s) { return s->kind == "host"; });
    return call("net.connect(" + target->name + (has_port ? ".address().port, '127.0.0.1'" : ".address()") +
                ", function () {");
  }
  const auto accepted = variables_.find(step.label);
  const bool kept = !step.label.empty() && accepted != variables_.end();
  out.Block(target->name + ".on('connection', function (socket) {",
            Callback(step, frame, kept ? accepted->second.name + " = socket;" : ""), "});");
}

void JsSteps::WriteClose(const Step& step, const Frame& frame, Code& out) {
  const Variable* target = VariableOf(step, step.target);
  if (RefuseKind(step) || target == nullptr) return;
  const std::string& name = target->name;
  const bool may_be_closing = facts_.Referring(Op::kClose, step.target).size() > 1 || facts_.MayRepeat(step);
  const bool silent = step.label.empty() && step.body.empty();
  Code code;
  if (target->thing == Thing::kServer) {
    if (silent)
      code.Line(name + ".close();");
    else
      code.Block(name + ".close(function () {", Callback(step, frame), "});");
    // `_handle` is there in every release for as long as a server is open; `listening` came later.
    return may_be_closing ? out.Block("if (" + name + "._handle) {", code, "}") : out.Append(code);
  }
  if (target->thing != Thing::kSocket && target->thing != Thing::kPort) {
    return Refuse(step, "JavaScript cannot close '" + step.target + "'");
  }
  if (!silent) code.Block(name + ".on('close', function () {", Callback(step, frame), "});");
  code.Line(name + (target->thing == Thing::kPort ? ".close();" : ".destroy();"));
  const bool guarded = may_be_closing && target->thing == Thing::kSocket;
  if (guarded)
    out.Block("if (!" + name + ".destroyed) {", code, "}");
  else
    out.Append(code);
}

std::optional<std::pair<std::string, std::string>> JsSteps::EmitterAndEvent(const Step& listener) {
  if (listener.op == Op::kSignal) return {{"process", "'SIGUSR2'"}};
  if (!listener.target.empty()) {
    const Variable* target = VariableOf(listener, listener.target);
    if (target == nullptr) return std::nullopt;
    return {{target->name, JsString(listener.event)}};
  }
  const char* event = ProcessEvent(listener.event);
  if (event != nullptr) return {{"process", JsString(event)}};
  Refuse(listener, "JavaScript has no 'on " + listener.event + "'");
  return std::nullopt;
}

void JsSteps::WriteListener(const Step& step, const Frame& frame, Code& out) {
  if (RefuseKind(step)) return;
  const auto emitter = EmitterAndEvent(step);
  if (!emitter) return;
  const std::string function = GivenError(step) ? "function (error) {" : "function () {";
  const std::string head = emitter->first + ".on(" + emitter->second + ", ";
  const auto kept = variables_.find(step.label);
  if (step.label.empty() || kept == variables_.end()) {
    return out.Block(head + function, Callback(step, frame), "});");
  }
  out.Block(Assignment(step) + function, Callback(step, frame), "};");
  out.Line(head + kept->second.name + ");");
}

void JsSteps::WriteClear(const Step& step, Code& out) {
  const Variable* target = VariableOf(step, step.target);
  if (target == nullptr) return;
  const std::string& name = target->name;
  const Thing thing = target->thing;
  if (step.op != Op::kClear) {
    const bool can = thing != Thing::kPromise && thing != Thing::kThenable && thing != Thing::kListener;
    if (!can) return Refuse(step, "JavaScript has no " + std::string(OpName(step.op)) + " for '" + step.target + "'");
    return out.Line(name + "." + std::string(OpName(step.op)) + "();");
  }
  if (step.kind == "immediate") return out.Line("clearImmediate(" + name + ");");
  if (step.kind == "interval") return out.Line("clearInterval(" + name + ");");
  if (step.kind == "timeout") return out.Line("clearTimeout(" + name + ");");
  if (step.kind == "number") return out.Line("clearTimeout(+" + name + ");");
  if (step.kind == "string") return out.Line("clearTimeout(String(" + name + "));");
  if (RefuseKind(step)) return;
  if (thing == Thing::kTimeout) return out.Line("clearTimeout(" + name + ");");
  if (thing == Thing::kInterval) return out.Line("clearInterval(" + name + ");");
  if (thing == Thing::kImmediate) return out.Line("clearImmediate(" + name + ");");
  if (thing == Thing::kListener && facts_.Makers(step.target).size() == 1) {
    const auto emitter = EmitterAndEvent(*facts_.Makers(step.target).front());
    if (!emitter) return;
    return out.Line(emitter->first + ".removeListener(" + emitter->second + ", " + name + ");");
  }
  Refuse(step, "JavaScript cannot clear '" + step.target + "'");
}

void JsSteps::WritePromise(const Step& step, const Frame& frame, Code& out) {
  const std::string assignment = Assignment(step);
  if (step.op == Op::kThenable) {
    if (RefuseKind(step)) return;
    const std::string head = assignment.empty() ? "void " : assignment;
    return out.Block(head + "{ then: function (resolve) {", Callback(step, frame, "", "resolve();"), "} };");
  }
  if (step.op == Op::kAsync) {
    Frame inner = frame;
    inner.is_async = true;
    inner.at_end = "";
    Code code;
    WriteBody(step.body, inner, code);
    return out.Block(assignment + "(async function () {", code, "}());");
  }
  if (step.op == Op::kPromise) {
    const auto found = variables_.find(step.label);
    if (found == variables_.end()) return out.Line("new Promise(function () {});");
    const Variable& variable = found->second;
    Code code;
    for (const auto& [function, parameter] : {std::pair(variable.resolve, "resolve"), {variable.reject, "reject"}}) {
      if (function.empty()) continue;
      code.Line(function + " = " + parameter + ";");
      if (variable.at_its_maker) out.Line("var " + function + ";");
    }
    const std::string parameters = !variable.reject.empty() ? "resolve, reject" : code.empty() ? "" : "resolve";
    return out.Block(assignment + "new Promise(function (" + parameters + ") {", code, "});");
  }
  std::string with;
  for (const std::string& label : {step.op == Op::kResolve ? step.with : step.target}) {
    if (label.empty()) continue;
    const Variable* variable = VariableOf(step, label);
    if (variable == nullptr) return;
    with = variable->name;
  }
  if (step.op == Op::kReturn) {
    if (!frame.at_end.empty()) out.Line(frame.at_end);
    return out.Line("return " + with + ";");
  }
  if (step.op == Op::kPause) {
    if (!frame.is_async) return Refuse(step, "'pause' stands outside of an async function");
    out.Line("await " + (with.empty() ? "Promise.resolve()" : with) + ";");
    if (!step.label.empty()) out.Line("log(" + JsString(step.label) + ");");
    return;
  }
  if (step.op == Op::kReject && step.target.empty()) {
    return out.Line("Promise.reject(" + NewError(step.argument) + ");");
  }
  const Variable* target = VariableOf(step, step.target);
  if (target == nullptr) return;
  if (step.op == Op::kReject) return out.Line(target->reject + "(" + NewError(step.argument) + ");");
  out.Line(target->resolve + "(" + with + ");");
}

}  // namespace conform
