// The libuv host: programs that use the loop directly, as a C program uses libuv.
#ifndef CONFORM_REFERENCE_IMPL_HOST_LIBUV_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_LIBUV_HOST_H_

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference-impl/host/interpreter.h"
#include "reference-impl/loop/loop.h"

namespace conform::reference {

class LibuvHost : public Interpreter {
 public:
  LibuvHost(const Case& c, const LoopRules& rules, Platform& platform, Recorder& recorder);

  void RunCase() override;
  void AddTo(Fingerprint* fingerprint) const override;

 protected:
  Outcome Do(const Step& step, const TaskPtr& task) override;
  void Rearm(const TaskPtr& task) override;
  void EndRepetition(const TaskPtr& task) override;
  int64_t iteration() const override { return loop_.iteration(); }

 private:
  // A handle or a request of the program. Only the part that its op needs is in use.
  struct Object : Thing {
    const Step* step = nullptr;
    TaskPtr task;
    TaskPtr close_task;
    LibuvHost* host = nullptr;
    TimerHandle timer;
    PhaseHandle phase;
    WakeupHandle wakeup;
    IoHandle io;
    Request request;
    bool connecting = false;
    bool connected = false;
    std::vector<TaskPtr> on_connection;  // of a listener
    std::deque<TaskPtr> written;         // writes whose callbacks are still to run
    void AddTo(Fingerprint* fingerprint) const override;
    Handle* handle();
  };
  using ObjectPtr = std::shared_ptr<Object>;

  ObjectPtr Make(const Step& step, const TaskPtr& task);
  ObjectPtr ObjectOf(const std::string& name) const { return std::dynamic_pointer_cast<Object>(Find(name)); }
  ObjectPtr Hold(Object* object) const;
  void Start(Object* object);
  void StartAgain(Object* object, const std::string& delay);
  void StopObject(Object* object);
  void Close(Object* object, const TaskPtr& task);
  void OnClosed(Object* object);
  void OnIo(Object* object, uint8_t readiness);
  void OnRequest(Object* object);
  void Call(const TaskPtr& task, const char* clause, const std::string& outcome = "");
  void RunLoop(const Step* step, RunMode mode);

  Loop loop_;
  std::vector<ObjectPtr> objects_;
  std::map<const Task*, Object*> made_by_;
  std::vector<Frame> main_stack_;  // where the main body stands; it may run the loop several times
  bool ran_ = false;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_LIBUV_HOST_H_
