// Sockets, servers and connections of libuv, and the requests that are made of them.
#ifndef CONFORM_ADAPTERS_LIBUV_UV_SOCKETS_H_
#define CONFORM_ADAPTERS_LIBUV_UV_SOCKETS_H_

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "uv_things.h"

namespace loop_adapter {

inline constexpr char kNoSuchPath[] = "no-such-directory/socket";
inline constexpr unsigned kWideRoom = 16;
inline constexpr unsigned kPieces = 5;  // more than a request has room for

// Bytes, each in a buffer of its own.
inline std::array<uv_buf_t, kPieces> Pieces() {
  static char byte[] = "x";
  std::array<uv_buf_t, kPieces> pieces;
  pieces.fill(uv_buf_init(byte, 1));
  return pieces;
}

// Reads a connection, and runs for each byte, or for as many as there is room for.
class Data : public Thing {
 public:
  explicit Data(unsigned room) : room(room) {}
  const unsigned room;
  void Start(double) override;
  bool Stop() override;
  void Refresh(double) override {}
  void Send() override {}
  bool CanClose() const override { return false; }
  using Thing::Called;
};

// Room for what is received. libuv gives it back with each callback, and until then there is no other.
class Room {
 public:
  uv_buf_t Lend(unsigned size) {
    static char bytes[kWideRoom];
    return std::exchange(is_lent_, true) ? uv_buf_init(nullptr, 0) : uv_buf_init(bytes, size);
  }
  void TakeBack() { is_lent_ = false; }

 private:
  bool is_lent_ = false;
};

class Socket : public Handle {
 public:
  explicit Socket(Loop& loop) : Handle(loop, UV_NAMED_PIPE) {
    Check("uv_pipe_init", uv_pipe_init(UvThing::loop(), As<uv_pipe_t>(), 0));
  }
  void Start(double) override {}
  uv_stream_t* stream() const { return As<uv_stream_t>(); }
  void SetConnected(bool is_connected) { is_connected_ = is_connected; }

  void StartReading(Data* reader) {
    if (!is_connected_ || IsClosed() || (reader_ != nullptr && !has_failed_)) return;
    reader_ = reader;
    has_failed_ = false;
    const auto provide_room = [](uv_handle_t* stream, size_t, uv_buf_t* buffer) {
      Socket& self = static_cast<Socket&>(Of(stream));
      *buffer = self.room_.Lend(self.reader_ == nullptr ? 1 : self.reader_->room);
    };
    const auto on_read = [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
      static_cast<Socket&>(Of(stream)).OnRead(static_cast<int>(size));
    };
    // Where it is refused, nothing is read.
    if (uv_read_start(stream(), provide_room, on_read) != 0) reader_ = nullptr;
  }
  void StopReading(const Data* reader) {
    if (reader_ != reader || IsClosed()) return;
    reader_ = nullptr;
    uv_read_stop(stream());
  }

 private:
  void OnRead(int size) {
    ++uv_.activity().callbacks;
    room_.TakeBack();
    if (size == 0 || reader_ == nullptr) return;  // nothing is there yet
    Data* const reader = reader_;
    // libuv has ended the reading by then, and does so after an error has been reported.
    if (size == UV_EOF) reader_ = nullptr;
    reader->Called(size > 0 ? "" : uv_err_name(size));
    if (size < 0 && size != UV_EOF) has_failed_ = true;
  }

  bool is_connected_ = false;
  Room room_;
  Data* reader_ = nullptr;
  bool has_failed_ = false;  // the reading, and libuv has ended it
};

inline void Data::Start(double) {
  if (auto* socket = dynamic_cast<Socket*>(target())) socket->StartReading(this);
}
inline bool Data::Stop() {
  if (auto* socket = dynamic_cast<Socket*>(target())) socket->StopReading(this);
  return true;
}

class Reader : public Socket {
 public:
  Reader(Loop& loop, int descriptor) : Socket(loop), descriptor_(descriptor) {}
  ~Reader() override { CloseIfOpen(descriptor_); }
  void Start(double) override {
    if (descriptor_ < 0 || !Check("uv_pipe_open", uv_pipe_open(As<uv_pipe_t>(), descriptor_))) return;
    descriptor_ = -1;  // libuv's own
    const auto provide_buffer = [](uv_handle_t*, size_t, uv_buf_t* buffer) {
      static char bytes[16];
      *buffer = uv_buf_init(bytes, sizeof bytes);
    };
    const auto on_read = [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
      Reader& reader = static_cast<Reader&>(Of(stream));
      if (!reader.IsClosed()) reader.CloseHandle();
      reader.Run(size < 0 ? static_cast<int>(size) : 0);
    };
    Check("uv_read_start", uv_read_start(stream(), provide_buffer, on_read));
  }

 private:
  int descriptor_;
};

// Told by libuv that there is something to read, and reads it itself.
class Poller : public Handle {
 public:
  Poller(Loop& loop, int descriptor) : Handle(loop, UV_POLL), descriptor_(descriptor) {
    Check("uv_poll_init", uv_poll_init(UvThing::loop(), As<uv_poll_t>(), descriptor));
  }
  ~Poller() override { CloseIfOpen(descriptor_); }
  void Start(double) override {
    const auto on_ready = [](uv_poll_t* handle, int status, int events) {
      Poller& self = static_cast<Poller&>(Of(handle));
      if (!self.IsClosed()) self.CloseHandle();
      ReadAndClose(self.descriptor_);
      self.Run(status == 0 && events != UV_READABLE ? UV_EINVAL : status);
    };
    Check("uv_poll_start", uv_poll_start(As<uv_poll_t>(), UV_READABLE, on_ready));
  }

 private:
  int descriptor_;
};

class Server;

// Waits for connections to a server; its name means the newest of them.
class Acceptor : public Thing {
 public:
  void Start(double) override;
  bool Stop() override { return false; }
  bool CanClose() const override { return false; }
  using Thing::Brought;
  using Thing::Keep;
};

class Server : public Socket {
 public:
  using Socket::Socket;
  void Start(double) override {
    path_ = uv_.NewPath();
    if (path_.empty() || !Check("uv_pipe_bind", uv_pipe_bind(As<uv_pipe_t>(), path_.c_str()))) return;
    const auto on_connection = [](uv_stream_t* server, int status) {
      if (status == 0) static_cast<Server&>(Of(server)).OnConnection();
    };
    Check("uv_listen", uv_listen(stream(), 128, on_connection));
  }
  void Add(Acceptor* acceptor) { acceptors_.push_back(acceptor); }
  const std::string& path() const { return path_; }

 private:
  // Several callbacks of one server share the connection.
  void OnConnection() {
    ++uv_.activity().callbacks;
    if (uv_.outlook().is_over || acceptors_.empty()) return;
    const std::vector<Acceptor*> acceptors = acceptors_;
    auto socket = std::make_unique<Socket>(uv_);
    Socket& side = *socket;
    Thing& kept = acceptors[0]->Keep(std::move(socket));
    if (!Check("uv_accept", uv_accept(stream(), side.stream()))) return;
    side.SetConnected(true);
    for (Acceptor* acceptor : acceptors) acceptor->Brought(kept);
  }

  std::string path_;
  std::vector<Acceptor*> acceptors_;
};

inline void Acceptor::Start(double) {
  if (auto* server = dynamic_cast<Server*>(target())) server->Add(this);
}

// An attempt to connect, whose thing is the socket.
template <typename Base>
class Attempt : public Base {
 public:
  using Base::Base;

 protected:
  uv_connect_t* NewRequest() {
    request_ = Allocate(uv_req_size(UV_CONNECT));
    auto* request = static_cast<uv_connect_t*>(request_.get());
    request->data = static_cast<UvThing*>(this);
    this->BeginWait();
    return request;
  }
  // `kExpected` is what the attempt is made for: it is not an outcome.
  template <int kExpected>
  static void OnConnect(uv_connect_t* request, int status) {
    static_cast<Attempt&>(Base::Of(request)).RunAfterWait(status == kExpected ? 0 : status);
  }

 private:
  Memory request_;
};

class Connection : public Attempt<Socket> {
 public:
  using Attempt<Socket>::Attempt;
  void Start(double) override {
    const auto* server = dynamic_cast<Server*>(target());
    const auto on_connect = [](uv_connect_t* request, int status) {
      static_cast<Connection&>(Of(request)).SetConnected(status == 0);
      OnConnect<0>(request, status);
    };
    if (server != nullptr) uv_pipe_connect(NewRequest(), As<uv_pipe_t>(), server->path().c_str(), on_connect);
  }
  void Restart(double) override {}
};

class RefusedPath : public Attempt<Socket> {
 public:
  using Attempt<Socket>::Attempt;
  void Start(double) override { uv_pipe_connect(NewRequest(), As<uv_pipe_t>(), kNoSuchPath, OnConnect<UV_ENOENT>); }
};

class Refused : public Attempt<Handle> {
 public:
  explicit Refused(Loop& loop) : Attempt<Handle>(loop, UV_TCP) {
    Check("uv_tcp_init", uv_tcp_init(UvThing::loop(), As<uv_tcp_t>()));
  }
  void Start(double) override {
    sockaddr_in address{};
    if (!uv_.FindClosedPort(&address)) return;
    const auto* any = reinterpret_cast<const sockaddr*>(&address);
    Check("uv_tcp_connect", uv_tcp_connect(NewRequest(), As<uv_tcp_t>(), any, OnConnect<UV_ECONNREFUSED>));
  }
};

// A request of a handle. It reports EINVAL where it names another handle when it is done.
class HandleRequest : public Request {
 public:
  using Request::Request;
  bool Stop() override { return false; }

 protected:
  void Begin(const void* handle) {
    handle_ = handle;
    BeginWait();
  }
  template <typename T>
  static void OnDone(T* request, int status) {
    HandleRequest& self = static_cast<HandleRequest&>(Of(request));
    self.RunAfterWait(request->handle == self.handle_ ? status : UV_EINVAL);
  }

 private:
  const void* handle_ = nullptr;
};

class Write : public HandleRequest {
 public:
  explicit Write(Loop& loop, unsigned pieces = 1) : HandleRequest(loop, UV_WRITE), pieces_(pieces) {}
  void Start(double) override {
    auto* socket = dynamic_cast<Socket*>(target());
    if (socket == nullptr || socket->IsClosed()) return;
    Begin(socket->stream());
    // A socket that was never connected takes nothing, and says so at once: there will be no callback.
    if (uv_write(As<uv_write_t>(), socket->stream(), Pieces().data(), pieces_, OnDone) != 0) EndWait();
  }

 private:
  const unsigned pieces_;
};

// A datagram socket on loopback, to which datagrams are sent from itself.
class Receiver : public Handle {
 public:
  explicit Receiver(Loop& loop) : Handle(loop, UV_UDP) {
    Check("uv_udp_init", uv_udp_init(UvThing::loop(), udp()));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Check("uv_udp_bind", uv_udp_bind(udp(), reinterpret_cast<sockaddr*>(&address), 0));
    int size = sizeof address_;
    Check("uv_udp_getsockname", uv_udp_getsockname(udp(), reinterpret_cast<sockaddr*>(&address_), &size));
  }
  void Start(double) override {
    if (is_receiving_) return;
    is_receiving_ = true;
    const auto provide_buffer = [](uv_handle_t* handle, size_t, uv_buf_t* buffer) {
      *buffer = static_cast<Receiver&>(Of(handle)).room_.Lend(kWideRoom);
    };
    const auto on_datagram = [](uv_udp_t* handle, ssize_t size, const uv_buf_t*, const sockaddr* from, unsigned flags) {
      Receiver& self = static_cast<Receiver&>(Of(handle));
      self.room_.TakeBack();
      if (size == 0 && from == nullptr && flags == 0) return;  // there is nothing more to read
      const bool is_whole = (size == 1 || size == kPieces) && from != nullptr && flags == 0 && self.Sent(*from);
      self.Run(size < 0 ? static_cast<int>(size) : is_whole ? 0 : UV_EINVAL);
    };
    Check("uv_udp_recv_start", uv_udp_recv_start(udp(), provide_buffer, on_datagram));
  }
  bool Stop() override {
    is_receiving_ = false;
    uv_udp_recv_stop(udp());
    return true;
  }
  uv_udp_t* udp() const { return As<uv_udp_t>(); }
  const sockaddr_in& address() const { return address_; }

 private:
  // All datagrams come from the socket itself.
  bool Sent(const sockaddr& from) const {
    const auto& address = reinterpret_cast<const sockaddr_in&>(from);
    return address.sin_family == AF_INET && address.sin_port == address_.sin_port;
  }

  sockaddr_in address_{};
  Room room_;
  bool is_receiving_ = false;
};

class Datagram : public HandleRequest {
 public:
  explicit Datagram(Loop& loop, unsigned pieces = 1) : HandleRequest(loop, UV_UDP_SEND), pieces_(pieces) {}
  void Start(double) override {
    auto* socket = dynamic_cast<Receiver*>(target());
    if (socket == nullptr || socket->IsClosed()) return;
    Begin(socket->udp());
    const auto* any = reinterpret_cast<const sockaddr*>(&socket->address());
    Check("uv_udp_send", uv_udp_send(As<uv_udp_send_t>(), socket->udp(), Pieces().data(), pieces_, any, OnDone));
  }

 private:
  const unsigned pieces_;
};

class Shutdown : public HandleRequest {
 public:
  explicit Shutdown(Loop& loop) : HandleRequest(loop, UV_SHUTDOWN) {}
  void Start(double) override {
    auto* socket = dynamic_cast<Socket*>(target());
    if (socket == nullptr || socket->IsClosed()) return;
    Begin(socket->stream());
    // One that is not connected, or shut already, says so at once: there will be no callback.
    if (uv_shutdown(As<uv_shutdown_t>(), socket->stream(), OnDone) != 0) EndWait();
  }
};

}  // namespace loop_adapter

#endif  // CONFORM_ADAPTERS_LIBUV_UV_SOCKETS_H_
