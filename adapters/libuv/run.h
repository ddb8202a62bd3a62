// One program on one loop.
#ifndef CONFORM_ADAPTERS_LIBUV_RUN_H_
#define CONFORM_ADAPTERS_LIBUV_RUN_H_

#include <uv.h>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "program.h"
#include "trace.h"
#include "watchdog.h"

namespace libuv_adapter {

using loop_adapter::Trace;

class Run;

// A callback of the program with all of its runs: one step, as often as it was come to.
struct Task {
  const Step* step = nullptr;
  int64_t runs = 0;      // that have begun
  bool rearmed = false;  // in the present run
};

// A handle or a request of libuv. It stays where it is until the run is over: a name may still mean it.
struct Thing {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  Run* run = nullptr;
  Task* task = nullptr;
  std::unique_ptr<void, Free> memory;  // as large as this libuv says, which need not be what its header said
  bool is_handle = false;
  bool is_under_way = false;            // it becomes ready by itself
  std::unique_ptr<void, Free> connect;  // the request of an attempt to connect
  Task* when_closed = nullptr;          // the callback of `close`
  std::string path;                     // of a server
  std::vector<Task*> when_accepted;     // of a server
  int pid = 0;                          // of a child that was not waited for

  template <typename T>
  T* As() const {
    return static_cast<T*>(memory.get());
  }
  bool IsClosing() const { return uv_is_closing(As<uv_handle_t>()) != 0; }
};

class Run {
 public:
  // `descriptors`: those on which a byte waits, for the steps `read`. REQUIRES: all that is borrowed outlives this.
  Run(const Program& program, std::vector<int> descriptors, Trace& trace, Watchdog& watchdog);
  ~Run();

  // Runs the program, then ends all that it has left behind. Returns "", or what went wrong that no program is to blame
  // for: a lack of descriptors, say. To be called once.
  std::string Go();

  // False where something of the run could not be ended: the process is of no more use.
  bool left_nothing_behind() const { return left_nothing_behind_; }

 private:
  // run.cc: the loop, labels and callbacks.
  void RunLoop(uv_run_mode mode, const std::string& label);
  void CleanUp();
  void Emit(const std::string& label);
  void End() { over_ = true; }  // nothing more is emitted, and no step is done
  // For calls that only fail where the machine has too little of something. Returns whether it went well.
  bool Check(const char* call, int status);
  void Call(Task& task, Thing* thing, const std::string& outcome = "");
  void Rearm(Task& task, Thing* thing);
  // The steps of a body. `task` is the callback around them and `thing` what called it; null in the main body.
  void Perform(const std::vector<Step>& body, Task* task, Thing* thing);
  void Perform(const Step& step, Task* task, Thing* thing);
  Task* NewTask(const Step& step);
  Thing* Find(const std::string& name) const;

  // acts.cc: the steps that act at once.
  void Act(const Step& step);
  void Busy(int64_t ms);
  void Raise();
  void Clear(Thing& thing);
  void Start(const Step& step, Thing& thing);

  // handles.cc: the steps with a callback.
  void Make(Task* task);
  void Arm(Task* task, Thing* again);
  Thing* NewThing(Task* task);
  void* NewHandle(Thing& thing, uv_handle_type type);
  void* NewRequest(Thing& thing, uv_req_type type);
  void InitHandle(Thing& thing);
  void StartHandle(Thing& thing);
  void StartTimer(Thing& thing, uint64_t delay_ms);
  void StopHandle(Thing& thing);
  void StartRequest(Thing& thing);
  void OnRequest(Thing& thing, int status);
  void StartChild(Thing& thing);
  void Close(Thing& thing, Task* when_closed);
  void BeginWait(Thing& thing);
  void EndWait(Thing& thing);
  // The thing of a handle or a request.
  static Thing& Of(const void* handle_or_request);
  template <typename T>
  static void OnRun(T* handle) {
    Thing& thing = Of(handle);
    thing.run->Call(*thing.task, &thing);
  }

  // sockets.cc: the steps with sockets.
  void StartReader(Thing& thing);
  void StartServer(Thing& thing);
  void StartConnect(Thing& thing, const std::string& path);
  void StartRefused(Thing& thing);
  void StartWrite(Thing& thing, Thing& stream);
  void OnConnection(Thing& server);
  int NextDescriptor();
  uv_connect_t* NewConnect(Thing& thing);
  std::string NewPath();
  void RemovePaths();

  const Program& program_;
  Trace& trace_;
  Watchdog& watchdog_;
  const std::set<std::string> referred_to_;
  uv_loop_t* loop_ = nullptr;
  uv_async_t* end_of_wait_ = nullptr;  // how the watchdog ends a wait; the loop does not count it
  Watchdog::Activity activity_;
  bool over_ = false;
  bool left_nothing_behind_ = true;
  std::string trouble_;

  std::deque<Task> tasks_;
  std::deque<Thing> things_;
  std::map<std::string, Thing*> names_;  // the newest of each
  std::deque<int> descriptors_;          // on which a byte waits
  std::vector<int> other_ends_;          // of descriptors that this run has made
  int reserved_port_ = -1;               // a socket that is bound to a port and does not listen
  std::string folder_;                   // of the paths of servers; "" before the first
  int paths_ = 0;
};

}  // namespace libuv_adapter

#endif  // CONFORM_ADAPTERS_LIBUV_RUN_H_
