// The poll phase of the Node host: descriptors, the pool, sockets, messages.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_IO_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_IO_H_

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/task.h"

namespace conform::reference {

// A descriptor, a server, a client, the server's side of a connection, or a socket that was never connected.
struct Socket : Thing {
  enum class Role { kReader, kServer, kClient, kServerSide, kUnconnected, kRefused };
  Role role = Role::kReader;
  IoHandle io;
  Handle end;                                             // of a server that reports its close in the closing phase
  TaskPtr task;                                           // read, connect, refused
  TaskPtr on_close;                                       // close C of H
  std::deque<std::weak_ptr<Socket>> backlog;              // of a server: who waits to be accepted
  bool reset = false;                                     // its server closed before it was accepted
  std::map<std::string, std::vector<TaskPtr>> listeners;  // on EVENT X of H, and `connection` for accept
  std::weak_ptr<Socket> server;                           // server's side
  int connections = 0;                                    // server
  bool connected = false;
  bool closed = false;       // by the program, or by itself
  bool close_asked = false;  // by the program
  class NodeIo* owner = nullptr;

  void AddTo(Fingerprint* fingerprint) const override;
};
using SocketPtr = std::shared_ptr<Socket>;

// A child process. Its end is a request that takes any time, and that no thread of the pool is needed for.
struct ChildProcess : Thing {
  Handle handle;
  Request request;
  TaskPtr task;                   // runs when it has ended
  std::vector<TaskPtr> on_spawn;  // on spawn X of K
  class NodeIo* owner = nullptr;

  void AddTo(Fingerprint* fingerprint) const override;
};
using ChildPtr = std::shared_ptr<ChildProcess>;

class NodeIo {
 public:
  using NameFunction = std::function<void(const std::string&, ThingPtr)>;
  NodeIo(NodeCore& core, int pool_threads) : core_(core), pool_(pool_threads) {}

  ThingPtr Read(const TaskPtr& task);
  // `trips` requests in a row; then the task runs, or `resolves` is resolved.
  ThingPtr File(const TaskPtr& task, int trips, ThingPtr resolves);
  ThingPtr Refused(const TaskPtr& task, bool by_path);
  ThingPtr Listen();
  ThingPtr Connect(const TaskPtr& task, const SocketPtr& server);
  void Accept(const TaskPtr& task, const SocketPtr& server);
  ThingPtr MakeSocket();
  void Close(const TaskPtr& task, const SocketPtr& socket);
  ThingPtr Message(const TaskPtr& task, const std::string& channel);
  ThingPtr Child(const TaskPtr& task);
  // One that cannot be started.
  ThingPtr MissingChild(const TaskPtr& task);
  // Keeps the loop alive until another thread has answered, which may take any time.
  void AwaitAnswer();
  // Runs `body` once in the poll phase, as a trip through the pool brings it there.
  void RunInPoll(std::function<void()> body);

  void set_name_function(NameFunction name) { name_ = std::move(name); }
  void AddTo(Fingerprint* fingerprint) const;

 private:
  struct FileTrip;
  struct Channel;
  friend struct FileTrip;

  std::shared_ptr<FileTrip> NewTrip(const std::string& name);
  SocketPtr NewSocket(Socket::Role role, const TaskPtr& task);
  void OnReady(Socket* socket, uint8_t readiness);
  void OnConnections(Socket* server);
  void CloseSilently(const SocketPtr& socket);
  void Destroy(const TaskPtr& task, const SocketPtr& socket);
  void EmitClose(const SocketPtr& socket);
  void EmitServerClose(Socket* server);
  Outcome CallOfConnection(const TaskPtr& task, Where where);
  void OnSocketClosed(Socket* socket);
  void CloseServerIfDrained(const SocketPtr& server);
  void OnMessages(Channel* channel);
  ChildPtr NewChild(const TaskPtr& task);
  Outcome EndChild(const ChildPtr& child, Where where);
  Outcome DeliverMessage(const TaskPtr& task);
  SocketPtr Hold(Socket* socket) const;

  NodeCore& core_;
  const int pool_;
  NameFunction name_;
  std::vector<SocketPtr> sockets_;  // all that the loop still knows
  std::vector<std::shared_ptr<FileTrip>> trips_;
  std::vector<ChildPtr> children_;  // that have not ended
  std::vector<ChildPtr> ended_children_;
  std::vector<std::shared_ptr<Channel>> channels_;
  std::vector<SocketPtr> ended_servers_;  // that have their close still to report
  std::vector<std::shared_ptr<Channel>> closed_channels_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_IO_H_
