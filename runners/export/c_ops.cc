// What each op is in libuv.
#include "runners/export/c_steps.h"

namespace conform {
namespace {

// A timer, idle, prepare or check handle, or another one with a callback of its own.
COp Handle(const std::string& name, const std::string& prefix, const std::string& start_arguments) {
  COp op;
  op.type = "uv_" + name + "_t";
  op.prefix = prefix;
  op.init = {"uv_" + name + "_init(loop, $v);"};
  op.start = "uv_" + name + "_start($v, $f" + start_arguments + ");";
  op.parameters = op.type + " *handle";
  op.thing = "handle";
  op.clear = "uv_" + name + "_stop($t);";
  return op;
}

COp Immediate() {
  COp op = Handle("check", "immediate", "");
  op.before_label = {"uv_check_stop(handle);"};
  return op;
}

COp Wake() {
  COp op = Handle("async", "wake", "");
  op.init = {"uv_async_init(loop, $v, $f);"};
  op.start = "uv_async_send($v);";
  op.clear = "uv_close((uv_handle_t *) $t, NULL);";
  return op;
}

COp Signal() {
  COp op = Handle("signal", "watcher", ", SIGUSR2");
  op.parameters = "uv_signal_t *handle, int signal_number";
  op.unused = {"signal_number"};
  return op;
}

COp Read() {
  COp op;
  op.type = "uv_pipe_t";
  op.prefix = "reader";
  op.init = {"uv_pipe_init(loop, $v, 0);", "uv_pipe_open($v, descriptor_with_data());"};
  op.start = "uv_read_start((uv_stream_t *) $v, provide_buffer, $f);";
  op.parameters = "uv_stream_t *handle, ssize_t size, const uv_buf_t *buffer";
  op.thing = "handle";
  op.unused = {"size", "buffer"};
  op.before_label = {"uv_close((uv_handle_t *) handle, NULL);"};
  op.clear = "uv_read_stop((uv_stream_t *) $t);";
  return op;
}

COp Request(const std::string& type, const std::string& prefix, const std::string& start) {
  COp op;
  op.type = type;
  op.prefix = prefix;
  op.start = start;
  op.parameters = type + " *request, int status";
  op.thing = "request";
  op.status = "status";
  op.clear = "uv_cancel((uv_req_t *) $t);";
  op.is_handle = false;
  return op;
}

COp File() {
  COp op = Request("uv_fs_t", "file", "uv_fs_stat(loop, $v, \".\", $f);");
  op.parameters = "uv_fs_t *request";
  op.status = "request->result < 0 ? (int) request->result : 0";
  op.before_label = {"uv_fs_req_cleanup(request);"};
  return op;
}

COp Child() {
  COp op = Handle("process", "child", "");
  op.init.clear();
  op.start = "spawn_child($v, $f);";
  op.parameters = "uv_process_t *handle, int64_t code, int signal_number";
  op.unused = {"code", "signal_number"};
  op.clear = "";
  return op;
}

// A connection attempt: the thing is the socket, and the callback is given a request.
COp Attempt(const std::string& type, const std::string& init, const std::string& start, const std::string& status) {
  COp op;
  op.type = type;
  op.prefix = "socket";
  op.init = {init};
  op.start = start;
  op.parameters = "uv_connect_t *request, int status";
  op.thing = "request->handle";
  op.status = status;
  return op;
}

COp Connect() {
  return Attempt("uv_pipe_t", "uv_pipe_init(loop, $v, 0);", "uv_pipe_connect(new_connect(), $v, $p, $f);", "status");
}

COp Refused() {
  return Attempt("uv_tcp_t", "uv_tcp_init(loop, $v);", "connect_to_closed_port($v, $f);",
                 "status == UV_ECONNREFUSED ? 0 : status");
}

COp RefusedPath() {
  return Attempt("uv_pipe_t", "uv_pipe_init(loop, $v, 0);",
                 "uv_pipe_connect(new_connect(), $v, \"no-such-directory/socket\", $f);",
                 "status == UV_ENOENT ? 0 : status");
}

// A server or a socket that is only made.
COp Pipe(const std::string& prefix) {
  COp op;
  op.type = "uv_pipe_t";
  op.prefix = prefix;
  op.init = {"uv_pipe_init(loop, $v, 0);"};
  return op;
}

COp Close() {
  COp op;
  op.start = "uv_close((uv_handle_t *) $t, $f);";
  op.parameters = "uv_handle_t *handle";
  op.thing = "handle";
  return op;
}

}  // namespace

const COp* FindCOp(const Step& step) {
  static const COp kTimeout = Handle("timer", "timer", ", $d, 0");
  static const COp kInterval = Handle("timer", "timer", ", $d, $d");
  static const COp kIdle = Handle("idle", "idle", "");
  static const COp kPrepare = Handle("prepare", "prepare", "");
  static const COp kCheck = Handle("check", "check", "");
  static const COp kImmediate = Immediate();
  static const COp kWake = Wake();
  static const COp kSignal = Signal();
  static const COp kRead = Read();
  static const COp kFile = File();
  static const COp kWork = Request("uv_work_t", "work", "uv_queue_work(loop, $v, do_nothing, $f);");
  static const COp kWrite = Request("uv_write_t", "write", "uv_write($v, (uv_stream_t *) $t, &one_byte, 1, $f);");
  static const COp kChild = Child();
  static const COp kConnect = Connect();
  static const COp kRefused = Refused();
  static const COp kRefusedPath = RefusedPath();
  static const COp kListen = Pipe("server");
  static const COp kSocket = Pipe("socket");
  static const COp kAccept = Pipe("socket");
  static const COp kClose = Close();
  if (step.op == Op::kRefused && step.kind == "path") return &kRefusedPath;
  if (!step.kind.empty()) return nullptr;
  switch (step.op) {
    case Op::kTimeout:
      return &kTimeout;
    case Op::kInterval:
      return &kInterval;
    case Op::kIdle:
      return &kIdle;
    case Op::kPrepare:
      return &kPrepare;
    case Op::kCheck:
      return &kCheck;
    case Op::kImmediate:
      return &kImmediate;
    case Op::kWake:
      return &kWake;
    case Op::kSignal:
      return &kSignal;
    case Op::kRead:
      return &kRead;
    case Op::kFile:
      return &kFile;
    case Op::kWork:
      return &kWork;
    case Op::kWrite:
      return &kWrite;
    case Op::kChild:
      return &kChild;
    case Op::kConnect:
      return &kConnect;
    case Op::kRefused:
      return &kRefused;
    case Op::kListen:
      return &kListen;
    case Op::kSocket:
      return &kSocket;
    case Op::kAccept:
      return &kAccept;
    case Op::kClose:
      return &kClose;
    case Op::kTick:
    case Op::kMicrotask:
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kAwait:
    case Op::kMessage:
    case Op::kRaise:
    case Op::kSend:
    case Op::kSoon:
    case Op::kOn:
    case Op::kThenable:
    case Op::kLog:
    case Op::kBusy:
    case Op::kClear:
    case Op::kRef:
    case Op::kUnref:
    case Op::kRefresh:
    case Op::kStart:
    case Op::kThrow:
    case Op::kPromise:
    case Op::kResolve:
    case Op::kReject:
    case Op::kReturn:
    case Op::kAsync:
    case Op::kPause:
    case Op::kExit:
    case Op::kStop:
    case Op::kRun:
    case Op::kAlive:
    case Op::kUpdate:
    case Op::kAgain:
    case Op::kOnly:
      return nullptr;
  }
  return nullptr;
}

}  // namespace conform
