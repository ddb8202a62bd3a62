// The libuv host: programs that use the loop directly, as a C program uses libuv.
#ifndef CONFORM_REFERENCE_IMPL_HOST_LIBUV_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_LIBUV_HOST_H_

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference-impl/host/host_ops.h"
#include "reference-impl/host/interpreter.h"
#include "reference-impl/loop/loop.h"

namespace conform::reference {

class LibuvHost : public Interpreter {
 public:
  LibuvHost(const Case& c, const LoopRules& rules, Platform& platform, Recorder& recorder);

  static const HostOps<LibuvHost>& Ops();

  void RunFromStart() override;
  void RunFromRest() override;
  void AddTo(Fingerprint* fingerprint) const override;

 protected:
  Outcome Do(const Step& step, const TaskPtr& around) override;
  void Rearm(const TaskPtr& task) override;
  void EndRepetition(const TaskPtr& task) override;
  int64_t iteration() const override { return loop_.iteration(); }

 private:
  struct Object;

  // What a kind of handle or request does.
  struct Kind {
    void (LibuvHost::*start)(Object* object);
    void (LibuvHost::*stop)(Object* object);  // what `clear` does, and the last run of a chain to its own
    Handle* (*handle)(Object* object);
    bool is_made_anew = false;  // each run of a chain has one of its own
  };
  static const Kind& KindOf(Op op);

  // A handle or a request of the program. Only the part that its kind needs is in use.
  struct Object : Thing {
    const Step* step = nullptr;
    const Kind* kind = nullptr;
    TaskPtr task;
    TaskPtr close_task;
    LibuvHost* host = nullptr;
    TimerHandle timer;
    PhaseHandle phase;
    WakeupHandle wakeup;
    IoHandle io;
    SignalHandle signal;
    Request request;
    bool connecting = false;
    bool connected = false;
    bool refused = false;                // an attempt to connect to a server that is closed
    bool reset = false;                  // its server closed before it was accepted
    std::deque<Object*> backlog;         // of a listener: who waits to be accepted
    std::vector<TaskPtr> on_connection;  // of a listener
    Source held = kNoSource;             // of a listener: a connection that was not accepted
    std::deque<TaskPtr> to_write;        // writes that wait for the connection, or for one that failed
    struct Written {
      TaskPtr task;
      std::string error;
    };
    std::deque<Written> written;  // writes whose callbacks are still to run
    TaskPtr shutdown;             // that was requested, and is not yet carried out
    bool writes_end = false;      // a shutdown was requested
    bool sends = false;           // of a datagram socket: callbacks of what it sent are running
    bool receives = false;        // of a datagram socket
    Object* stream = nullptr;     // of a reader: what it reads
    Object* reader = nullptr;     // of a stream: who reads it now
    bool reset_is_next = false;   // of a stream: what is read of it next
    bool stays_active = false;    // of a stream: its reading was stopped while it waited to write
    void AddTo(Fingerprint* fingerprint) const override;
  };
  using ObjectPtr = std::shared_ptr<Object>;
  static Handle* TimerOf(Object* object) { return &object->timer; }
  static Handle* PhaseOf(Object* object) { return &object->phase; }
  static Handle* WakeupOf(Object* object) { return &object->wakeup; }
  static Handle* IoOf(Object* object) { return &object->io; }
  static Handle* SignalOf(Object* object) { return &object->signal; }

  ObjectPtr Make(const Step& step, const TaskPtr& task);
  ObjectPtr ObjectOf(const std::string& name) const { return std::dynamic_pointer_cast<Object>(Find(name)); }
  ObjectPtr Hold(Object* object) const;
  // What each op does.
  void Arm(const TaskPtr& task);
  void ArmAccept(const TaskPtr& task);
  void ArmWrite(const TaskPtr& task);
  void ArmShutdown(const TaskPtr& task);
  void ArmDatagram(const TaskPtr& task);
  void ArmClose(const TaskPtr& task);
  void DoSend(const Step& step);
  void DoRaise(const Step& step);
  void DoClear(const Step& step);
  void DoRef(const Step& step);
  void DoRefresh(const Step& step);
  void DoStart(const Step& step);
  void DoStop(const Step& step);
  void DoRun(const Step& step);
  void DoAlive(const Step& step);
  void DoUpdate(const Step& step);
  void Start(Object* object);
  void StartTimer(Object* object);
  void StartIdle(Object* object);
  void StartPrepare(Object* object);
  void StartCheck(Object* object);
  void StartWakeup(Object* object);
  void StartRead(Object* object);
  void Submit(Object* object);
  void StartListening(Object* object);
  void StartConnecting(Object* object);
  void StartRefused(Object* object);
  void StartReceiving(Object* object);
  void StartReading(Object* reader);
  void StartSignal(Object* object);
  void StopTimer(Object* object);
  void StopInPhase(Object* object);
  void Cancel(Object* object);
  void StopSignal(Object* object);
  void StopReceiving(Object* object);
  void StopReading(Object* reader);
  void CloseSilently(Object* object);
  void StartAgain(Object* object, const Step& step);
  void StopObject(Object* object);
  void Close(Object* object, const TaskPtr& task);
  void OnClosed(Object* object);
  void OnIo(Object* object, uint8_t readiness);
  void OnConnected(Object* object);
  void OnSignal(Object* object);
  static bool HasDescriptor(const Object& stream);
  void Write(Object* stream, const TaskPtr& task);
  void Drain(Object* stream);
  void Watch(Object* object, uint8_t readiness);
  void Unwatch(Object* object, uint8_t readiness);
  void OnStream(Object* stream, uint8_t readiness);
  void ReadStream(Object* stream, bool has_hung_up);
  void EndReading(Object* stream, Object* reader);
  Input ReadInto(Object* stream, const Object& reader, bool* is_partial);
  void OnDatagrams(Object* socket, uint8_t readiness);
  void SendDatagram(Object* socket, const TaskPtr& task);
  void SendQueued(Object* socket);
  void RunSentCallbacks(Object* socket);
  bool WriteBytes(const Object& stream, const Step& step);
  void WriteQueued(Object* stream);
  void RunWriteCallbacks(Object* stream);
  void CancelWrites(Object* stream);
  void OnRequest(Object* object);
  void Call(const TaskPtr& task, const char* clause, const std::string& outcome = {});
  void RunLoop(const Step* step, RunMode mode);
  void EndRun(bool alive);
  void RunMain();

  Loop loop_;
  std::vector<ObjectPtr> objects_;
  std::map<const Task*, Object*> made_by_;
  std::map<int, std::vector<Object*>> signals_;  // by number, and by the addresses that they might have
  TaskPtr main_ = std::make_shared<Task>();
  const Step* running_ = nullptr;  // the `run` under way, if it is one of the program's
  std::vector<Frame> main_stack_;  // where the main body has got to; it may run the loop several times
  bool ran_ = false;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_LIBUV_HOST_H_
