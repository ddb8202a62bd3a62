#include "runners/export/c_steps.h"

#include <cmath>
#include <cstdlib>

#include "runners/model/op_table.h"

namespace conform {
namespace {

using Row = CSteps::Row;

// A timer, idle, prepare or check handle, or another one with its own callback.
Row Handle(const std::string& name, const std::string& prefix, const std::string& start_arguments) {
  Row row;
  row.type = "uv_" + name + "_t";
  row.prefix = prefix;
  row.init = {"uv_" + name + "_init(loop, $v);"};
  row.start = "uv_" + name + "_start($v, $f" + start_arguments + ");";
  row.parameters = row.type + " *handle";
  row.thing = "handle";
  row.clear = "uv_" + name + "_stop($t);";
  return row;
}

Row Immediate() {
  Row row = Handle("check", "immediate", "");
  row.before_label = {"uv_check_stop(handle);"};
  return row;
}

Row Wake() {
  Row row = Handle("async", "wake", "");
  row.init = {"uv_async_init(loop, $v, $f);"};
  row.start = "uv_async_send($v);";
  row.clear = "uv_close((uv_handle_t *) $t, NULL);";
  return row;
}

Row SignalRow(const std::string& name) {
  Row row = Handle("signal", "watcher", ", " + name);
  row.parameters = "uv_signal_t *handle, int signal_number";
  row.unused = {"signal_number"};
  return row;
}

Row SignalOnce() {
  Row row = SignalRow("SIGUSR2");
  row.start = "uv_signal_start_oneshot($v, $f, SIGUSR2);";
  return row;
}

Row Read() {
  Row row;
  row.type = "uv_pipe_t";
  row.prefix = "reader";
  row.init = {"uv_pipe_init(loop, $v, 0);", "uv_pipe_open($v, descriptor_with_data());"};
  row.start = "uv_read_start((uv_stream_t *) $v, provide_buffer, $f);";
  row.parameters = "uv_stream_t *handle, ssize_t size, const uv_buf_t *buffer";
  row.thing = "handle";
  row.unused = {"size", "buffer"};
  row.before_label = {"uv_close((uv_handle_t *) handle, NULL);"};
  row.clear = "uv_read_stop((uv_stream_t *) $t);";
  return row;
}

Row Poll() {
  Row row;
  row.type = "uv_poll_t";
  row.prefix = "poller";
  row.init = {"uv_poll_init(loop, $v, descriptor_with_data());"};
  row.start = "uv_poll_start($v, UV_READABLE, $f);";
  row.parameters = "uv_poll_t *handle, int status, int events";
  row.thing = "handle";
  row.unused = {"events"};
  row.status = "status";
  row.before_label = {"uv_close((uv_handle_t *) handle, NULL);"};
  row.clear = "uv_close((uv_handle_t *) $t, NULL);";
  return row;
}

// Its variable means the connection that is read.
Row Data(const std::string& room = "provide_byte") {
  Row row;
  row.type = "uv_stream_t";
  row.prefix = "stream";
  row.start = "uv_read_start($v, " + room + ", $f);";
  row.parameters = "uv_stream_t *handle, ssize_t size, const uv_buf_t *buffer";
  row.thing = "handle";
  row.unused = {"buffer"};
  row.status = "size < 0 ? (int) size : 0";
  row.before_label = {"if (size == 0) return;"};
  row.clear = "uv_read_stop($t);";
  return row;
}

Row Receive() {
  Row row;
  row.type = "uv_udp_t";
  row.prefix = "receiver";
  row.init = {"uv_udp_init(loop, $v);", "bind_to_loopback($v);"};
  row.start = "uv_udp_recv_start($v, provide_buffer, $f);";
  row.parameters =
      "uv_udp_t *handle, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from, unsigned int flags";
  row.thing = "handle";
  row.unused = {"size", "buffer", "flags"};
  row.before_label = {"if (from == NULL) return;"};
  row.clear = "uv_udp_recv_stop($t);";
  return row;
}

Row Request(const std::string& type, const std::string& prefix, const std::string& start) {
  Row row;
  row.type = type;
  row.prefix = prefix;
  row.start = start;
  row.parameters = type + " *request, int status";
  row.thing = "request";
  row.status = "status";
  row.clear = "uv_cancel((uv_req_t *) $t);";
  row.is_handle = false;
  return row;
}

Row File() {
  Row row = Request("uv_fs_t", "file", "uv_fs_stat(loop, $v, \".\", $f);");
  row.parameters = "uv_fs_t *request";
  row.status = "request->result < 0 ? (int) request->result : 0";
  row.before_label = {"uv_fs_req_cleanup(request);"};
  return row;
}

Row Random() {
  Row row = Request("uv_random_t", "random", "uv_random(loop, $v, calloc(1, 4), 4, 0, $f);");
  row.parameters = "uv_random_t *request, int status, void *bytes, size_t size";
  row.unused = {"bytes", "size"};
  return row;
}

Row Child() {
  Row row = Handle("process", "child", "");
  row.init.clear();
  row.start = "spawn_child($v, $f);";
  row.parameters = "uv_process_t *handle, int64_t code, int signal_number";
  row.unused = {"code", "signal_number"};
  row.clear = "";
  return row;
}

// A connection attempt: the thing is the socket, and the callback is given a request.
Row Attempt(const std::string& type, const std::string& init, const std::string& start, const std::string& status) {
  Row row;
  row.type = type;
  row.prefix = "socket";
  row.init = {init};
  row.start = start;
  row.parameters = "uv_connect_t *request, int status";
  row.thing = "request->handle";
  row.status = status;
  return row;
}

Row Connect() {
  return Attempt("uv_pipe_t", "uv_pipe_init(loop, $v, 0);", "uv_pipe_connect(new_connect(), $v, $p, $f);", "status");
}

Row Refused() {
  return Attempt("uv_tcp_t", "uv_tcp_init(loop, $v);", "connect_to_closed_port($v, $f);",
                 "status == UV_ECONNREFUSED ? 0 : status");
}

Row RefusedPath() {
  return Attempt("uv_pipe_t", "uv_pipe_init(loop, $v, 0);",
                 "uv_pipe_connect(new_connect(), $v, \"no-such-directory/socket\", $f);",
                 "status == UV_ENOENT ? 0 : status");
}

// A server or a socket that is only made.
Row Pipe(const std::string& prefix) {
  Row row;
  row.type = "uv_pipe_t";
  row.prefix = prefix;
  row.init = {"uv_pipe_init(loop, $v, 0);"};
  return row;
}

Row Close() {
  Row row;
  row.start = "uv_close((uv_handle_t *) $t, $f);";
  row.parameters = "uv_handle_t *handle";
  row.thing = "handle";
  return row;
}

template <typename Write>
Row Written(Row row, Write write) {
  row.write = write;
  return row;
}

}  // namespace

const std::map<std::string, CSteps::Row>& CSteps::Table() {
  static const std::map<std::string, Row> kTable = {
      {"timeout", Handle("timer", "timer", ", $d, 0")},
      {"interval", Handle("timer", "timer", ", $d, $d")},
      {"immediate", Immediate()},
      {"idle", Handle("idle", "idle", "")},
      {"prepare", Handle("prepare", "prepare", "")},
      {"check", Handle("check", "check", "")},
      {"wake", Wake()},
      {"send", {"uv_async_send($t);"}},
      {"signal", SignalRow("SIGUSR2")},
      {"signal as hup", SignalRow("SIGHUP")},
      {"signal as winch", SignalRow("SIGWINCH")},
      {"signal as once", SignalOnce()},
      {"raise", Written({}, &CSteps::WriteRaise)},
      {"read", Read()},
      {"read as poll", Poll()},
      {"file", File()},
      {"file as random", Random()},
      {"work", Request("uv_work_t", "work", "uv_queue_work(loop, $v, $w, $f);")},
      {"child", Child()},
      {"listen", Written(Pipe("server"), &CSteps::WriteServer)},
      {"accept", Written(Pipe("socket"), &CSteps::WriteAccept)},
      {"socket", Written(Pipe("socket"), &CSteps::WriteSocket)},
      {"connect", Connect()},
      {"refused", Refused()},
      {"refused as path", RefusedPath()},
      {"write", Request("uv_write_t", "write", "uv_write($v, (uv_stream_t *) $t, &one_byte, 1, $f);")},
      {"data", Written(Data(), &CSteps::WriteData)},
      {"data as wide", Written(Data("provide_buffer"), &CSteps::WriteData)},
      {"receive", Receive()},
      {"write as pieces", Request("uv_write_t", "write", "uv_write($v, (uv_stream_t *) $t, five_bytes, 5, $f);")},
      {"datagram", Request("uv_udp_send_t", "datagram", "send_to_itself($v, $t, &one_byte, 1, $f);")},
      {"datagram as pieces", Request("uv_udp_send_t", "datagram", "send_to_itself($v, $t, five_bytes, 5, $f);")},
      {"shutdown", Request("uv_shutdown_t", "shutdown", "uv_shutdown($v, (uv_stream_t *) $t, $f);")},
      {"close", Written(Close(), &CSteps::WriteClose)},
      {"log", {"log_label($l);"}},
      {"busy", {"busy($n);"}},
      {"clear", Written({}, &CSteps::WriteClear)},
      {"ref", Written({}, &CSteps::WriteRef)},
      {"unref", Written({}, &CSteps::WriteRef)},
      {"refresh", Written({}, &CSteps::WriteRefresh)},
      {"start", Written({}, &CSteps::WriteStart)},
      {"exit", {"exit($n);"}},
      {"stop", {"uv_stop(loop);"}},
      {"run", Written({}, &CSteps::WriteRun)},
      {"alive", {"log_value($l, uv_loop_alive(loop));"}},
      {"update", {"uv_update_time(loop);"}},
  };
  return kTable;
}

CSteps::CSteps(const Case& c, const ProgramFacts& facts)
    : StepWriter(c, facts, "libuv",
                 {"arm", "check", "file", "loop", "main", "on", "on_exit", "read", "shutdown", "signal", "write"}) {}

Result<CSteps::Parts> CSteps::Write() {
  NameVariables();
  Frame frame;
  WriteBody(case_.program, frame, parts_.main);
  if (error_) return *error_;
  return parts_;
}

void CSteps::NameVariables() {
  for (const Step* step : facts_.steps()) {
    const Row* row = FindRow(Table(), *step);
    if (row == nullptr || row->type.empty()) continue;
    if (step->label.empty() || !facts_.IsReferredTo(step->label)) {
      own_[step] = names_.Unique(NameFor(row->prefix, *step));
      continue;
    }
    if (!shared_.emplace(step->label, "").second) continue;
    shared_[step->label] = names_.Unique(NameFor(row->prefix, *step));
    parts_.variables.Line("static " + row->type + " *" + shared_[step->label] + ";");
  }
}

// Refuses names that different kinds of things have, since a variable of C has one type.
const CSteps::Row* CSteps::TargetRow(const Step& step) {
  const Row* found = nullptr;
  for (const Step* maker : facts_.Makers(step.target)) {
    const Row* row = FindRow(Table(), *maker);
    if (row == nullptr || row->type.empty()) continue;
    if (found != nullptr && found->type != row->type) {
      Refuse(step, "'" + step.target + "' names different kinds of things; an exported program needs one kind");
      return nullptr;
    }
    found = row;
  }
  if (found == nullptr) {
    Refuse(step, "libuv has nothing that '" + step.target + "' could name in '" + step.ToString() + "'");
  }
  return found;
}

const Step* CSteps::TargetMaker(const Step& step) {
  const std::vector<const Step*>& makers = facts_.Makers(step.target);
  if (makers.size() == 1) return makers.front();
  Refuse(step, "'" + step.target + "' is made in several places, so '" + step.ToString() + "' has no single callback");
  return nullptr;
}

std::string CSteps::Variable(const std::string& label) const {
  const auto found = shared_.find(label);
  return found == shared_.end() ? "" : found->second;
}

std::string CSteps::OwnVariable(const Step& step) const {
  const auto own = own_.find(&step);
  return own != own_.end() ? own->second : Variable(step.label);
}

std::string CSteps::Function(const Step& step) {
  std::string& name = functions_[&step];
  if (name.empty()) name = names_.Unique(NameFor("on", step));
  return name;
}

std::string CSteps::Path(const std::string& server) {
  std::string& name = paths_[server];
  if (name.empty()) {
    name = names_.Unique("path_" + IdentifierPart(server));
    parts_.variables.Line("static char " + name + "[64];");
    parts_.end.Line("unlink(" + name + ");");
  }
  return name;
}

std::string CSteps::Delay(const Step& step) {
  const double delay = DelayOf(step);
  constexpr double kLargest = 1e15;  // far beyond any wait, and exact as a double
  if (!std::isfinite(delay) || delay < 0 || delay > kLargest) {
    Refuse(step, "libuv has no delay '" + (step.argument.empty() ? "none" : step.argument) + "'");
    return "0";
  }
  return std::to_string(static_cast<int64_t>(delay));
}

std::string CSteps::Fill(const std::string& text, const Step& step) {
  return Filled(text, {{"$v", [&] { return OwnVariable(step); }},
                       {"$f", [&] { return Function(step); }},
                       {"$d", [&] { return Delay(step); }},
                       {"$w", [&] { return Work(step); }},
                       {"$p", [&] { return Path(step.target); }},
                       {"$t", [&] { return Variable(step.target); }},
                       {"$l", [&] { return CString(step.label); }},
                       {"$n", [&] { return std::to_string(std::strtoll(step.argument.c_str(), nullptr, 10)); }}});
}

// The function that a thread of the pool runs.
std::string CSteps::Work(const Step& step) {
  const std::string ms = std::to_string(WorkMsOf(step));
  if (ms == "0") return "do_nothing";
  const std::string name = "take_" + ms + "_ms";
  if (works_.insert(name).second) {
    parts_.works.Line("static void " + name + "(uv_work_t *request) { (void) request; uv_sleep(" + ms + "); }");
  }
  return name;
}

// A signal is raised whether or not somebody listens; everything else needs its object.
std::string CSteps::GuardOf(const Step& step) {
  if (step.target.empty() || step.op == Op::kRaise) return "";
  const Row* target = TargetRow(step);
  if (target == nullptr) return "";
  const std::string variable = Variable(step.target);
  std::string condition = facts_.SurelyExists(step.target, step) ? "" : variable + " != NULL";
  // Clearing a wake-up closes it.
  const bool closes = step.op == Op::kClose || (step.op == Op::kClear && target->type == "uv_async_t");
  const size_t closings =
      facts_.Referring(Op::kClose, step.target).size() + facts_.Referring(Op::kClear, step.target).size();
  if (closes && (closings > 1 || facts_.MayRepeat(step))) {
    condition += (condition.empty() ? "" : " && ") + ("!uv_is_closing((uv_handle_t *) " + variable + ")");
  }
  return condition;
}

void CSteps::WriteIf(const std::string& condition, const Code& inner, Code& out) const {
  out.Open("if (" + condition + ") {");
  out.Append(inner);
  out.Close("}");
}

void CSteps::WriteRow(const Step& step, const Frame& frame, Code& out) {
  const Row& row = *FindRow(Table(), step);
  if (row.write != nullptr) return (this->*row.write)(step, frame, out);
  if (!row.act.empty()) return out.Line(Fill(row.act, step));
  WriteMade(step, row, out);
}

void CSteps::WriteMade(const Step& step, const Row& row, Code& out) {
  const bool rearmed = step.chained && !step.unsent && ShapeOf(step.op).comes == Comes::kOnce;
  if (!rearmed) {
    WriteCallback(step, row);
    WriteMaking(step, row, false, out);
    if (!step.unsent) out.Line(Fill(row.start, step));
    return;
  }
  // A chain: a function that makes one more of it, and a callback that calls this function.
  const std::string arm = names_.Unique(NameFor("arm", step));
  arm_functions_[&step] = arm;
  parts_.functions.Line("static void " + arm + "(intptr_t run);");
  parts_.functions.Line();
  WriteCallback(step, row);
  Code code;
  WriteMaking(step, row, true, code);
  code.Line(Fill(row.start, step));
  parts_.functions.Open("static void " + arm + "(intptr_t run) {");
  parts_.functions.Append(code);
  parts_.functions.Close("}");
  parts_.functions.Line();
  out.Line(arm + "(1);");
}

// Allocates the thing and initialises it. Nothing is ever freed: the program ends soon.
void CSteps::WriteMaking(const Step& step, const Row& row, bool counts, Code& out) {
  if (row.type.empty()) return;
  const auto own = own_.find(&step);
  const std::string variable = OwnVariable(step);
  const std::string declaration = own != own_.end() ? row.type + " *" : "";
  out.Line(declaration + variable + " = calloc(1, sizeof *" + variable + ");");
  for (const std::string& line : row.init) out.Line(Fill(line, step));
  if (counts) out.Line(variable + "->data = (void *) run;");
}

void CSteps::WriteLabel(const Step& step, const Row& row, Code& out) {
  if (step.label.empty()) return;
  const std::string label = CString(step.label);
  out.Line(row.status.empty() ? "log_label(" + label + ");" : "log_outcome(" + label + ", " + row.status + ");");
}

void CSteps::WriteCallback(const Step& step, const Row& row) {
  const std::string name = Function(step);
  Code body;
  for (const std::string& line : row.before_label) body.Line(line);
  Frame frame;
  const auto arm = arm_functions_.find(&step);
  const bool is_armed_anew = arm != arm_functions_.end();
  // A handle can be started again, so its runs are counted as they come; a request runs once.
  const bool counts = !is_armed_anew && row.is_handle && !row.type.empty() && row.thing == "handle";
  const bool sends_itself = step.chained && !step.unsent;
  if ((sends_itself || HasOnly(step)) && (counts || is_armed_anew)) {
    frame.run = "run";
    body.Line(counts ? "intptr_t run = next_run((uv_handle_t *) " + row.thing + ");"
                     : "intptr_t run = (intptr_t) " + row.thing + "->data;");
    if (sends_itself && !RepeatsByItself(step.op)) {
      const std::string more = "run < " + std::to_string(step.times);
      const std::string next = is_armed_anew ? arm->second + "(run + 1);" : "uv_async_send(handle);";
      const std::string once = "if (!armed++ && " + more + ") " + next;
      BeginChain(step, {"if (" + more + ") " + next, "int armed = 0;", once, once}, frame, body);
    }
  }
  WriteLabel(step, row, body);
  if (step.chained && RepeatsByItself(step.op)) {
    const std::string stop = Filled(row.clear, {{"$t", [&] { return row.thing; }}});
    body.Line("if (run == " + std::to_string(step.times) + ") " + stop);
  }
  WriteBody(step.body, frame, body);
  if (!frame.at_end.empty()) body.Line(frame.at_end);

  const std::string text = body.ToString();
  parts_.functions.Open("static void " + name + "(" + row.parameters + ") {");
  std::vector<std::string> unused = row.unused;
  const std::string first = row.thing.substr(0, row.thing.find('-'));
  if (!HasWord(text, first)) unused.insert(unused.begin(), first);
  if (HasWord(row.parameters, "status") && !HasWord(text, "status")) unused.push_back("status");
  for (const std::string& parameter : unused) parts_.functions.Line("(void) " + parameter + ";");
  parts_.functions.Append(body);
  parts_.functions.Close("}");
  parts_.functions.Line();
  defined_.insert(&step);
}

void CSteps::WriteServer(const Step& step, const Frame&, Code& out) {
  const std::string path = Path(step.label);
  const std::string server = OwnVariable(step);
  const std::vector<const Step*> accepts = facts_.Referring(Op::kAccept, step.label);
  if (accepts.size() > 1) return Refuse(*accepts[1], "an exported program has one 'accept' for each server");
  const std::string function = Function(step);
  parts_.functions.Open("static void " + function + "(uv_stream_t *server, int status) {");
  parts_.functions.Line("(void) status;");
  if (accepts.empty() || step.label.empty()) {
    parts_.functions.Line("(void) server;");
  } else {
    const std::string accept = "accept_" + server;
    parts_.variables.Line("static void (*" + accept + ")(uv_stream_t *server);");
    parts_.functions.Line("if (" + accept + " != NULL) " + accept + "(server);");
  }
  parts_.functions.Close("}");
  parts_.functions.Line();
  WriteMaking(step, *FindRow(Table(), step), false, out);
  out.Line("new_path(" + path + ", sizeof " + path + ");");
  out.Line("uv_pipe_bind(" + server + ", " + path + ");");
  out.Line("uv_listen((uv_stream_t *) " + server + ", 128, " + function + ");");
}

void CSteps::WriteAccept(const Step& step, const Frame&, Code& out) {
  const std::string function = Function(step);
  const std::string socket = OwnVariable(step);
  Code body;
  Frame frame;
  if (HasOnly(step)) {
    frame.run = "run";
    body.Line("static int run = 0;");
    body.Line("run += 1;");
  }
  WriteMaking(step, *FindRow(Table(), step), false, body);
  body.Line("uv_accept(server, (uv_stream_t *) " + socket + ");");
  WriteLabel(step, *FindRow(Table(), step), body);
  WriteBody(step.body, frame, body);
  parts_.functions.Open("static void " + function + "(uv_stream_t *server) {");
  parts_.functions.Append(body);
  parts_.functions.Close("}");
  parts_.functions.Line();
  out.Line("accept_" + Variable(step.target) + " = " + function + ";");
}

void CSteps::WriteData(const Step& step, const Frame&, Code& out) {
  const Row& row = *FindRow(Table(), step);
  WriteCallback(step, row);
  const std::string declaration = own_.contains(&step) ? row.type + " *" : "";
  out.Line(declaration + OwnVariable(step) + " = (uv_stream_t *) " + Variable(step.target) + ";");
  out.Line(Fill(row.start, step));
}

void CSteps::WriteSocket(const Step& step, const Frame&, Code& out) {
  WriteMaking(step, *FindRow(Table(), step), false, out);
}

void CSteps::WriteClose(const Step& step, const Frame&, Code& out) {
  if (!step.label.empty() || !step.body.empty()) return WriteMade(step, *FindRow(Table(), step), out);
  out.Line("uv_close((uv_handle_t *) " + Variable(step.target) + ", NULL);");
}

void CSteps::WriteRef(const Step& step, const Frame&, Code& out) {
  const std::string name(OpName(step.op));
  if (!TargetRow(step)->is_handle) return Refuse(step, "libuv has no " + name + " for a request");
  out.Line("uv_" + name + "((uv_handle_t *) " + Variable(step.target) + ");");
}

void CSteps::WriteRefresh(const Step& step, const Frame&, Code& out) {
  if (TargetRow(step)->type != "uv_timer_t") return Refuse(step, "libuv can refresh only timers");
  out.Line("uv_timer_again(" + Variable(step.target) + ");");
}

void CSteps::WriteClear(const Step& step, const Frame&, Code& out) {
  const std::string clear = TargetRow(step)->clear;
  if (clear.empty()) return Refuse(step, "libuv cannot clear '" + step.target + "'");
  out.Line(Fill(clear, step));
}

// One that is to be called once may have been called: the signal would end the process then.
void CSteps::WriteRaise(const Step& step, const Frame&, Code& out) {
  const auto& makers = facts_.Makers(step.target);
  const bool may_be_over =
      std::any_of(makers.begin(), makers.end(), [](const Step* maker) { return maker->kind == "once"; });
  out.Line((may_be_over ? "raise_if_caught(" : "raise(") + SignalName(step) + ");");
}

void CSteps::WriteStart(const Step& step, const Frame&, Code& out) {
  const Step* maker = TargetMaker(step);
  if (maker == nullptr) return;
  const Row* row = FindRow(Table(), *maker);
  if (row->parameters.empty()) return Refuse(step, "libuv cannot start '" + step.target + "'");
  const bool is_known = defined_.contains(maker) || facts_.EnclosingCallback(step) == maker;
  if (!is_known && declared_.insert(maker).second) {
    parts_.variables.Line("static void " + Function(*maker) + "(" + row->parameters + ");");
  }
  std::string start = row->start;
  const size_t delay = start.find("$d");
  if (delay != std::string::npos && !step.argument.empty()) start.replace(delay, 2, Delay(step));
  out.Line(Fill(start, *maker));
}

void CSteps::WriteRun(const Step& step, const Frame&, Code& out) {
  const std::string mode = step.argument == "once" ? "ONCE" : step.argument == "nowait" ? "NOWAIT" : "DEFAULT";
  const std::string call = "uv_run(loop, UV_RUN_" + mode + ")";
  out.Line(step.label.empty() ? call + ";" : "log_value(" + CString(step.label) + ", " + call + ");");
}

}  // namespace conform
