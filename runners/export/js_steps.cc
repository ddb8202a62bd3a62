#include "runners/export/js_steps.h"

#include <algorithm>
#include <cctype>

#include "runners/export/js_prelude.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

std::string Capitalised(const std::string& label) {
  std::string part = IdentifierPart(label);
  if (!part.empty()) part[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(part[0])));
  return part;
}

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

const std::map<std::string, JsSteps::Row>& JsSteps::Table() {
  static const std::map<std::string, Row> kTable = {
      {"tick", {"process.nextTick(@);"}},
      {"microtask", {"queueMicrotask(@);"}},
      {"then", {"$p.then(@);", Thing::kPromise, true}},
      {"catch", {"$p.catch(@);", Thing::kPromise, true}},
      {"finally", {"$p.finally(@);", Thing::kPromise, true}},
      {"combine", {"Promise.all($o).then(@);", Thing::kPromise, true}},
      {"combine as race", {"Promise.race($o).then(@);", Thing::kPromise, true}},
      {"combine as any", {"Promise.any($o).then(@);", Thing::kPromise, true}},
      {"combine as allSettled", {"Promise.allSettled($o).then(@);", Thing::kPromise, true}},
      {"await", {"", Thing::kPromise, true, {}, &JsSteps::WriteAwait}},
      {"timeout", {"setTimeout(@$,d);", Thing::kTimeout}},
      {"timeout as promise", {"timersPromises.setTimeout($d).then(@);", Thing::kPromise, false, {"timersPromises"}}},
      {"interval", {"", Thing::kInterval, false, {}, &JsSteps::WriteInterval}},
      {"immediate", {"setImmediate(@);", Thing::kImmediate}},
      {"immediate as promise", {"timersPromises.setImmediate().then(@);", Thing::kPromise, false, {"timersPromises"}}},
      {"read", {"", Thing::kSocket, false, {"fs", "net"}, &JsSteps::WriteRead}},
      {"file", {"fs.stat('.', @);", Thing::kNone, false, {"fs"}}},
      {"file as promise", {"fs.promises.stat('.').then(@);", Thing::kPromise, false, {"fs"}}},
      {"file as readFile", {"fs.readFile(process.argv[1], @);", Thing::kNone, false, {"fs"}}},
      {"file as random", {"crypto.randomBytes(1, @);", Thing::kNone, false, {"crypto"}}},
      {"file as deflate", {"zlib.deflate('x', @);", Thing::kNone, false, {"zlib"}}},
      {"listen", {"net.createServer().listen(socketPath());", Thing::kServer, false, {"fs", "net", "os"}}},
      {"listen as host", {"net.createServer().listen(0, '127.0.0.1');", Thing::kServer, false, {"net"}}},
      {"connect", {"", Thing::kSocket, true, {}, &JsSteps::WriteConnect}},
      {"accept", {"", Thing::kSocket, true, {}, &JsSteps::WriteAccept}},
      {"socket", {"new net.Socket();", Thing::kSocket, false, {"net"}}},
      {"refused", {"net.connect(1, '127.0.0.1').on('error', @);", Thing::kSocket, false, {"net"}}},
      {"refused as path",
       {"net.connect(temporaryName('.missing')).on('error', @);", Thing::kSocket, false, {"net", "os"}}},
      {"close", {"", Thing::kNone, true, {}, &JsSteps::WriteClose}},
      {"message", {"", Thing::kPort, false, {"workerThreads"}, &JsSteps::WriteMessage}},
      {"write", {"$t.write('x', @);", Thing::kNone, true}},
      {"signal", {"", Thing::kListener, false, {}, &JsSteps::WriteListener}},
      {"signal as hup", {"", Thing::kListener, false, {}, &JsSteps::WriteListener}},
      {"signal as winch", {"", Thing::kListener, false, {}, &JsSteps::WriteListener}},
      {"raise", {"process.kill(process.pid, '$s');"}},
      {"child",
       {"childProcess.spawn('true', [], { stdio: 'ignore' }).on('exit', @);", Thing::kChild, false, {"childProcess"}}},
      {"child as missing",
       {"childProcess.spawn('no-such-program', [], { stdio: 'ignore' }).on('error', @);",
        Thing::kChild,
        false,
        {"childProcess"}}},
      {"on", {"", Thing::kListener, true, {}, &JsSteps::WriteListener}},
      {"thenable", {"", Thing::kThenable, false, {}, &JsSteps::WriteThenable}},
      {"log", {"log($l);"}},
      {"busy", {"busy($d);"}},
      {"clear", {"", Thing::kNone, true, {}, &JsSteps::WriteClear}},
      {"clear as timeout", {"clearTimeout($t);", Thing::kNone, true}},
      {"clear as interval", {"clearInterval($t);", Thing::kNone, true}},
      {"clear as immediate", {"clearImmediate($t);", Thing::kNone, true}},
      {"clear as number", {"clearTimeout(+$t);", Thing::kNone, true}},
      {"clear as string", {"clearTimeout(String($t));", Thing::kNone, true}},
      {"ref", {"", Thing::kNone, true, {}, &JsSteps::WriteRef}},
      {"unref", {"", Thing::kNone, true, {}, &JsSteps::WriteRef}},
      {"refresh", {"", Thing::kNone, true, {}, &JsSteps::WriteRef}},
      {"throw", {"throw $e;"}},
      {"promise", {"", Thing::kPromise, false, {}, &JsSteps::WriteNewPromise}},
      {"resolve", {"", Thing::kNone, true, {}, &JsSteps::WriteResolve}},
      {"reject", {"", Thing::kNone, true, {}, &JsSteps::WriteReject}},
      {"return", {"", Thing::kNone, false, {}, &JsSteps::WriteReturn}},
      {"async", {"", Thing::kPromise, false, {}, &JsSteps::WriteAsync}},
      {"pause", {"", Thing::kNone, false, {}, &JsSteps::WritePause}},
      {"try", {"", Thing::kNone, false, {}, &JsSteps::WriteTry}},
      {"exit", {"process.exit($d);"}},
  };
  return kTable;
}

bool GivenError(const Step& step) {
  const bool is_error_event = step.event == "uncaught" || step.event == "unhandled" || step.event == "monitor";
  return step.op == Op::kWrite || (step.op == Op::kOn && step.target.empty() && is_error_event);
}

JsSteps::JsSteps(const Case& c, const ProgramFacts& facts) : StepWriter(c, facts, "JavaScript", {}) {}

Result<Code> JsSteps::Write() {
  Code declarations;
  NameVariables(declarations);
  Frame frame;
  frame.is_async = case_.entry == Entry::kEsm;
  Code main;
  WriteBody(case_.program, frame, main);
  if (error_) return *error_;
  Code out;
  out.Append(declarations);
  out.Append(main);
  return out;
}

std::set<std::string> JsSteps::Modules() const {
  std::set<std::string> modules;
  for (const Step* step : facts_.steps()) {
    if (const Row* row = FindRow(Table(), *step)) modules.insert(row->modules.begin(), row->modules.end());
  }
  return modules;
}

JsSteps::Thing JsSteps::ThingOf(const Step& step) {
  const Row* row = FindRow(Table(), step);
  return row == nullptr ? Thing::kNone : row->makes;
}

void JsSteps::NameVariables(Code& declarations) {
  static const std::map<Thing, std::string> kPrefixes = {
      {Thing::kTimeout, "timer"},    {Thing::kInterval, "timer"},    {Thing::kImmediate, "immediate"},
      {Thing::kPromise, "promise"},  {Thing::kThenable, "thenable"}, {Thing::kSocket, "socket"},
      {Thing::kServer, "server"},    {Thing::kPort, "port"},         {Thing::kChild, "child"},
      {Thing::kListener, "listener"}};
  for (const Step* step : facts_.steps()) {
    const Thing thing = ThingOf(*step);
    if (thing == Thing::kNone || step->label.empty() || variables_.count(step->label) != 0) continue;
    if (!facts_.IsReferredTo(step->label)) continue;
    if (thing == Thing::kListener && facts_.Referring(Op::kClear, step->label).empty()) continue;
    Variable variable;
    variable.thing = thing;
    variable.name = names_.Unique(kPrefixes.at(thing) + Capitalised(step->label));
    variable.at_its_maker = facts_.Makers(step->label).size() == 1 && facts_.Parent(*step) == nullptr &&
                            step->op != Op::kAccept && (!step->chained || RepeatsByItself(step->op));
    if (!facts_.Referring(Op::kResolve, step->label).empty()) variable.resolve = "resolve" + Capitalised(step->label);
    if (!facts_.Referring(Op::kReject, step->label).empty()) variable.reject = "reject" + Capitalised(step->label);
    for (std::string* function : {&variable.resolve, &variable.reject}) {
      if (!function->empty()) *function = names_.Unique(*function);
      if (!function->empty() && !variable.at_its_maker) declarations.Line("var " + *function + ";");
    }
    if (!variable.at_its_maker) declarations.Line("var " + variable.name + ";");
    variables_[step->label] = variable;
  }
  if (!declarations.empty()) declarations.Line();
  // A channel has a name, too; what can be closed or unreferenced is the port that receives.
  for (const Step* step : facts_.steps()) {
    if (step->via.empty() || !facts_.IsReferredTo(step->via) || variables_.count(step->via) != 0) continue;
    Variable variable;
    variable.thing = Thing::kPort;
    variable.name = JsChannelName(step->via) + ".port";
    variables_[step->via] = variable;
  }
}

// The variable of something that `step` refers to, or nothing, and an error, where JavaScript has no such thing.
const JsSteps::Variable* JsSteps::VariableOf(const Step& step, const std::string& label) {
  const auto found = variables_.find(label);
  if (found == variables_.end()) {
    Refuse(step, "JavaScript has nothing that '" + label + "' could name in '" + step.ToString() + "'");
    return nullptr;
  }
  const auto family = [](Thing thing) {
    return thing == Thing::kInterval ? Thing::kTimeout : thing == Thing::kThenable ? Thing::kPromise : thing;
  };
  for (const Step* maker : facts_.Makers(label)) {
    const Thing thing = ThingOf(*maker);
    if (thing == Thing::kNone || family(thing) == family(found->second.thing)) continue;
    Refuse(step, "'" + label + "' names different kinds of things; an exported program needs one kind");
    return nullptr;
  }
  return &found->second;
}

std::string JsSteps::NameOf(const Step& step, const std::string& label) {
  const Variable* variable = VariableOf(step, label);
  return variable == nullptr ? "" : variable->name;
}

std::string JsSteps::Assignment(const Step& step) {
  const auto found = variables_.find(step.label);
  if (step.label.empty() || found == variables_.end() || ThingOf(step) == Thing::kNone) return "";
  return (found->second.at_its_maker ? "var " : "") + found->second.name + " = ";
}

std::string JsSteps::GuardOf(const Step& step) {
  if (!FindRow(Table(), step)->is_guarded) return "";
  std::vector<std::string> needed = {step.target};
  if (step.op == Op::kCombine) needed.push_back(step.with);
  std::string guard;
  for (const std::string& label : needed) {
    if (label.empty() || facts_.SurelyExists(label, step)) continue;
    if (step.op == Op::kClear && step.kind.empty()) {
      // clearTimeout and the like accept undefined; removeListener does not.
      const auto found = variables_.find(label);
      if (found == variables_.end() || found->second.thing != Thing::kListener) continue;
    }
    guard += (guard.empty() ? "" : " && ") + NameOf(step, label);
  }
  return guard;
}

void JsSteps::WriteIf(const std::string& condition, const Code& inner, Code& out) const {
  out.Block("if (" + condition + ") {", inner, "}");
}

std::string JsSteps::IsEqual(const std::string& value, const std::string& number) const {
  return value + " === " + number;
}

void JsSteps::WriteRow(const Step& step, const Frame& frame, Code& out) {
  const Row& row = *FindRow(Table(), step);
  const auto write = [&](Code& to) {
    if (row.write != nullptr) return (this->*row.write)(step, frame, to);
    WriteText(row.text, step, frame, to);
  };
  // An interval arms itself; every other chain is a function that is given the number of the run it arms.
  const bool is_chain = step.chained && !RepeatsByItself(step.op);
  const bool is_refreshed = !facts_.Referring(Op::kRefresh, step.label).empty();
  if (is_chain ? is_refreshed : step.chained || HasOnly(step)) {
    // Listeners run often, and a timer can be refreshed: the runs are counted as they come.
    counters_[&step] = names_.Unique("runsOf" + IdentifierPart(step.label));
    out.Line("var " + counters_[&step] + " = 0;");
  }
  if (!is_chain) return write(out);
  const std::string arm = names_.Unique("arm" + Capitalised(step.label));
  arm_names_[&step] = arm;
  Code inner;
  write(inner);
  out.Open("(function " + arm + "(run) {");
  out.Append(inner);
  out.Close("}(1));");
}

void JsSteps::WriteText(const std::string& text, const Step& step, const Frame& frame, Code& out) {
  const std::string delay = Delay(step.argument);
  const auto target = [&] { return NameOf(step, step.target); };
  const auto fill = [&](std::string_view part) {
    return Filled(
        part, {{"$,d", [&] { return delay.empty() ? "" : ", " + delay; }},
               {"$d", [&] { return delay; }},
               {"$t", target},
               {"$p", [&] { return step.target.empty() ? "Promise.resolve()" : target(); }},
               {"$o", [&] { return "[" + target() + (step.with.empty() ? "" : ", " + NameOf(step, step.with)) + "]"; }},
               {"$l", [&] { return JsString(step.label); }},
               {"$s", [&] { return SignalName(step); }},
               {"$e", [&] { return NewError(step.argument); }}});
  };
  const size_t at = text.find('@');
  const std::string head = Assignment(step) + fill(text.substr(0, at));
  if (error_) return;
  if (at == std::string::npos) return out.Line(head);
  const std::string function = GivenError(step) ? "function (error) {" : "function () {";
  out.Block(head + function, Callback(step, frame), "}" + fill(text.substr(at + 1)));
}

// What the function of a callback holds: the label, the body, and the next run of a chain, between `first` and `last`.
Code JsSteps::Callback(const Step& step, const Frame& outer, const std::string& first, const std::string& last) {
  Code code;
  if (!first.empty()) code.Line(first);
  Frame frame = outer;
  frame.run = frame.again = frame.at_end = "";
  frame.is_async = step.op == Op::kAwait;
  const auto counter = counters_.find(&step);
  const auto arm = arm_names_.find(&step);
  if (counter != counters_.end()) {
    frame.run = counter->second;
    code.Line(counter->second + " += 1;");
    if (arm != arm_names_.end()) code.Line("run = " + counter->second + ";");
  }
  if (arm != arm_names_.end()) {
    const std::string more = "run < " + std::to_string(step.times);
    const std::string call = arm->second + "(run + 1);";
    const std::string once = "if (!armed && " + more + ") { armed = true; " + call + " }";
    // A function that pauses may continue after the end of the body.
    const std::string at_end = facts_.Uses(Op::kPause) ? once : "if (!armed && " + more + ") " + call;
    BeginChain(step, {"if (" + more + ") " + call, "var armed = false;", once, at_end}, frame, code);
  }
  const std::string quoted = JsString(step.label);
  if (!step.label.empty()) code.Line("log(" + (GivenError(step) ? "outcome(" + quoted + ", error)" : quoted) + ");");
  if (step.op == Op::kInterval && step.chained) {
    code.Line("if (" + counter->second + " === " + std::to_string(step.times) + ") clearInterval(" +
              own_timers_.at(&step) + ");");
  }
  WriteBody(step.body, frame, code);
  const bool returns = !step.body.empty() && step.body.back().op == Op::kReturn;
  if (!frame.at_end.empty() && !returns) code.Line(frame.at_end);
  if (!last.empty()) code.Line(last);
  return code;
}

void JsSteps::WriteAwait(const Step& step, const Frame& frame, Code& out) {
  const std::string promise = step.target.empty() ? "Promise.resolve()" : NameOf(step, step.target);
  const std::string first = "await " + (step.plain ? "null" : promise) + ";";
  out.Block(Assignment(step) + "(async function () {", Callback(step, frame, first), "}());");
}

void JsSteps::WriteInterval(const Step& step, const Frame& frame, Code& out) {
  std::string declaration;
  if (step.chained) {
    const auto shared = variables_.find(step.label);
    if (shared != variables_.end() && shared->second.at_its_maker) {
      own_timers_[&step] = shared->second.name;
    } else {
      own_timers_[&step] = names_.Unique("interval" + IdentifierPart(step.label));
      declaration = "var " + own_timers_[&step] + " = ";
    }
  }
  const std::string delay = Delay(step.argument);
  out.Block(declaration + Assignment(step) + "setInterval(function () {", Callback(step, frame),
            delay.empty() ? "});" : "}, " + delay + ");");
}

void JsSteps::WriteRead(const Step& step, const Frame& frame, Code& out) {
  if (case_.entry != Entry::kScript)
    return Refuse(step, "only a script can start itself with descriptors to read from");
  if (facts_.RunsAtMost(step, kMaxJsDescriptors + 1) > kMaxJsDescriptors) {
    return Refuse(step, "a process gets at most " + std::to_string(kMaxJsDescriptors) + " descriptors to read from");
  }
  WriteText("read(@);", step, frame, out);
}

void JsSteps::WriteMessage(const Step& step, const Frame& frame, Code& out) {
  WriteText(step.via.empty() ? "post(@);" : JsChannelName(step.via) + "(@);", step, frame, out);
}

void JsSteps::WriteConnect(const Step& step, const Frame& frame, Code& out) {
  const auto& servers = facts_.Makers(step.target);
  const bool has_port = std::any_of(servers.begin(), servers.end(), [](const Step* s) { return s->kind == "host"; });
  WriteText(has_port ? "net.connect($t.address().port, '127.0.0.1', @);" : "net.connect($t.address(), @);", step, frame,
            out);
}

void JsSteps::WriteAccept(const Step& step, const Frame& frame, Code& out) {
  const Variable* target = VariableOf(step, step.target);
  if (target == nullptr) return;
  const auto accepted = variables_.find(step.label);
  const bool kept = !step.label.empty() && accepted != variables_.end();
  out.Block(target->name + ".on('connection', function (socket) {",
            Callback(step, frame, kept ? accepted->second.name + " = socket;" : ""), "});");
}

void JsSteps::WriteClose(const Step& step, const Frame& frame, Code& out) {
  const Variable* target = VariableOf(step, step.target);
  if (target == nullptr) return;
  const std::string& name = target->name;
  const bool may_be_closing = facts_.Referring(Op::kClose, step.target).size() > 1 || facts_.MayRepeat(step);
  const bool silent = step.label.empty() && step.body.empty();
  Code code;
  if (target->thing == Thing::kServer) {
    if (silent)
      code.Line(name + ".close();");
    else
      code.Block(name + ".close(function () {", Callback(step, frame), "});");
    // Node has `listening` since 5.7, and `_handle` always; Bun had no `_handle` at first.
    return may_be_closing ? out.Block("if (" + name + "._handle || " + name + ".listening) {", code, "}")
                          : out.Append(code);
  }
  if (target->thing != Thing::kSocket && target->thing != Thing::kPort) {
    return Refuse(step, "JavaScript cannot close '" + step.target + "'");
  }
  if (!silent) code.Block(name + ".on('close', function () {", Callback(step, frame), "});");
  code.Line(name + (target->thing == Thing::kPort ? ".close();" : ".destroy();"));
  if (!may_be_closing || target->thing != Thing::kSocket) return out.Append(code);
  // One that Node has destroyed still has its event to come.
  Code once;
  once.Line(name + ".closeAsked = true;");
  once.Append(code);
  out.Block("if (!" + name + ".closeAsked) {", once, "}");
}

std::optional<std::pair<std::string, std::string>> JsSteps::EmitterAndEvent(const Step& listener) {
  if (listener.op == Op::kSignal) return {{"process", JsString(SignalOf(listener).name)}};
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

void JsSteps::WriteThenable(const Step& step, const Frame& frame, Code& out) {
  const std::string assignment = Assignment(step);
  const std::string head = assignment.empty() ? "void " : assignment;
  out.Block(head + "{ then: function (resolve) {", Callback(step, frame, "", "resolve();"), "} };");
}

void JsSteps::WriteClear(const Step& step, const Frame& frame, Code& out) {
  const Variable* target = VariableOf(step, step.target);
  if (target == nullptr) return;
  if (target->thing == Thing::kTimeout) return WriteText("clearTimeout($t);", step, frame, out);
  if (target->thing == Thing::kInterval) return WriteText("clearInterval($t);", step, frame, out);
  if (target->thing == Thing::kImmediate) return WriteText("clearImmediate($t);", step, frame, out);
  if (target->thing == Thing::kListener && facts_.Makers(step.target).size() == 1) {
    const auto emitter = EmitterAndEvent(*facts_.Makers(step.target).front());
    if (!emitter) return;
    return out.Line(emitter->first + ".removeListener(" + emitter->second + ", " + target->name + ");");
  }
  Refuse(step, "JavaScript cannot clear '" + step.target + "'");
}

void JsSteps::WriteRef(const Step& step, const Frame& frame, Code& out) {
  const Variable* target = VariableOf(step, step.target);
  if (target == nullptr) return;
  const std::string name(OpName(step.op));
  const Thing thing = target->thing;
  if (thing == Thing::kPromise || thing == Thing::kThenable || thing == Thing::kListener) {
    return Refuse(step, "JavaScript has no " + name + " for '" + step.target + "'");
  }
  WriteText("$t." + name + "();", step, frame, out);
}

void JsSteps::WriteNewPromise(const Step& step, const Frame&, Code& out) {
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
  out.Block(Assignment(step) + "new Promise(function (" + parameters + ") {", code, "});");
}

void JsSteps::WriteResolve(const Step& step, const Frame&, Code& out) {
  const std::string with = step.with.empty() ? "" : NameOf(step, step.with);
  const Variable* target = VariableOf(step, step.target);
  if (target != nullptr) out.Line(target->resolve + "(" + with + ");");
}

void JsSteps::WriteReject(const Step& step, const Frame& frame, Code& out) {
  if (step.target.empty()) return WriteText("Promise.reject($e);", step, frame, out);
  if (const Variable* target = VariableOf(step, step.target)) {
    WriteText(target->reject + "($e);", step, frame, out);
  }
}

void JsSteps::WriteReturn(const Step& step, const Frame& frame, Code& out) {
  if (!frame.at_end.empty()) out.Line(frame.at_end);
  WriteText("return $t;", step, frame, out);
}

void JsSteps::WriteAsync(const Step& step, const Frame& frame, Code& out) {
  Frame inner = frame;
  inner.is_async = true;
  inner.at_end = "";
  Code code;
  WriteBody(step.body, inner, code);
  out.Block(Assignment(step) + "(async function () {", code, "}());");
}

void JsSteps::WritePause(const Step& step, const Frame& frame, Code& out) {
  if (!frame.is_async) return Refuse(step, "'pause' is outside an async function");
  WriteText("await $p;", step, frame, out);
  if (!step.label.empty()) WriteText("log($l);", step, frame, out);
}

void JsSteps::WriteTry(const Step& step, const Frame& frame, Code& out) {
  Code body, caught;
  WriteBody(step.body, frame, body);
  if (!step.label.empty()) caught.Line("log(outcome(" + JsString(step.label) + ", error));");
  out.Open("try {");
  out.Append(body);
  out.Outdent();
  out.Block("} catch (error) {", caught, "}");
}

}  // namespace conform
