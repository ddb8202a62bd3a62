// Run, continued: the steps with sockets.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "run.h"

namespace libuv_adapter {
namespace {

constexpr size_t kLongestFolder = 80;  // the address of a path socket has room for 107 bytes
constexpr char kNoSuchPath[] = "no-such-directory/socket";

}  // namespace

// A descriptor on which one byte waits. The other end stays open, so that there is no end to read.
int Run::NextDescriptor() {
  if (!descriptors_.empty()) {
    const int given = descriptors_.front();
    descriptors_.pop_front();
    return given;
  }
  int ends[2];
  if (!Check("socketpair", socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno)) return -1;
  other_ends_.push_back(ends[1]);
  Check("write", write(ends[1], "x", 1) == 1 ? 0 : -errno);
  return ends[0];
}

void Run::StartReader(Thing& thing) {
  const int descriptor = NextDescriptor();
  if (descriptor < 0 || !Check("uv_pipe_open", uv_pipe_open(thing.As<uv_pipe_t>(), descriptor))) return;
  const auto provide_buffer = [](uv_handle_t*, size_t, uv_buf_t* buffer) {
    static char bytes[16];
    *buffer = uv_buf_init(bytes, sizeof bytes);
  };
  const auto on_read = [](uv_stream_t* stream, ssize_t, const uv_buf_t*) {
    Thing& reader = Of(stream);
    reader.run->Close(reader, nullptr);
    OnRun(stream);
  };
  Check("uv_read_start", uv_read_start(thing.As<uv_stream_t>(), provide_buffer, on_read));
}

void Run::StartServer(Thing& thing) {
  thing.path = NewPath();
  if (over_) return;
  if (!Check("uv_pipe_bind", uv_pipe_bind(thing.As<uv_pipe_t>(), thing.path.c_str()))) return;
  const auto on_connection = [](uv_stream_t* server, int) { Of(server).run->OnConnection(Of(server)); };
  Check("uv_listen", uv_listen(thing.As<uv_stream_t>(), 128, on_connection));
}

// Several callbacks of one server share the connection, and the name of each means it.
void Run::OnConnection(Thing& server) {
  ++activity_.callbacks;
  if (over_ || server.when_accepted.empty()) return;
  const std::vector<Task*> tasks = server.when_accepted;
  Thing& side = *NewThing(tasks[0]);
  InitHandle(side);
  if (!Check("uv_accept", uv_accept(server.As<uv_stream_t>(), side.As<uv_stream_t>()))) return;
  for (Task* task : tasks) {
    const std::string& label = task->step->label;
    if (referred_to_.count(label) != 0) names_[label] = &side;
    Call(*task, &side);
  }
}

uv_connect_t* Run::NewConnect(Thing& thing) {
  thing.connect.reset(std::calloc(1, uv_req_size(UV_CONNECT)));
  auto* request = static_cast<uv_connect_t*>(thing.connect.get());
  request->data = &thing;
  BeginWait(thing);
  return request;
}

void Run::StartConnect(Thing& thing, const std::string& path) {
  uv_pipe_connect(NewConnect(thing), thing.As<uv_pipe_t>(), path.c_str(),
                  [](uv_connect_t* request, int status) { Of(request).run->OnRequest(Of(request), status); });
}

// That an attempt is refused is what it is made for: it is no outcome.
void Run::StartRefused(Thing& thing) {
  if (thing.task->step->as_path) {
    uv_pipe_connect(NewConnect(thing), thing.As<uv_pipe_t>(), kNoSuchPath, [](uv_connect_t* request, int status) {
      Of(request).run->OnRequest(Of(request), status == UV_ENOENT ? 0 : status);
    });
    return;
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  // A port that is taken, and on which nobody listens.
  if (reserved_port_ < 0) {
    reserved_port_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!Check("socket", reserved_port_ >= 0 ? 0 : -errno)) return;
    if (!Check("bind", bind(reserved_port_, any, sizeof address) == 0 ? 0 : -errno)) return;
  }
  socklen_t size = sizeof address;
  if (!Check("getsockname", getsockname(reserved_port_, any, &size) == 0 ? 0 : -errno)) return;
  const auto on_connect = [](uv_connect_t* request, int status) {
    Of(request).run->OnRequest(Of(request), status == UV_ECONNREFUSED ? 0 : status);
  };
  Check("uv_tcp_connect", uv_tcp_connect(NewConnect(thing), thing.As<uv_tcp_t>(), any, on_connect));
}

void Run::StartWrite(Thing& thing, Thing& stream) {
  if (!stream.is_handle || stream.IsClosing()) return;
  static char byte[] = "x";
  uv_buf_t buffer = uv_buf_init(byte, 1);
  BeginWait(thing);
  const int status = uv_write(thing.As<uv_write_t>(), stream.As<uv_stream_t>(), &buffer, 1,
                              [](uv_write_t* request, int result) { Of(request).run->OnRequest(Of(request), result); });
  // A socket that was never connected takes nothing, and says so at once: there will be no callback.
  if (status != 0) EndWait(thing);
}

std::string Run::NewPath() {
  if (folder_.empty()) {
    const char* place = std::getenv("TMPDIR");
    folder_ = place != nullptr && *place != '\0' && std::strlen(place) < kLongestFolder ? place : "/tmp";
    folder_ += "/conform-XXXXXX";
    if (!Check("mkdtemp", mkdtemp(folder_.data()) != nullptr ? 0 : -errno)) {
      folder_.clear();
      return "";
    }
  }
  return folder_ + "/" + std::to_string(++paths_);
}

// Servers that were closed have removed their paths themselves.
void Run::RemovePaths() {
  if (folder_.empty()) return;
  for (int i = 1; i <= paths_; ++i) unlink((folder_ + "/" + std::to_string(i)).c_str());
  rmdir(folder_.c_str());
}

}  // namespace libuv_adapter
