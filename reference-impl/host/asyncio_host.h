// The asyncio host: one queue of callbacks, and passes that look at descriptors and timers before they run it.
#ifndef CONFORM_REFERENCE_IMPL_HOST_ASYNCIO_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_ASYNCIO_HOST_H_

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference-impl/host/asyncio_rules.h"
#include "reference-impl/host/host_ops.h"
#include "reference-impl/host/interpreter.h"
#include "reference-impl/loop/timer_heap.h"
#include "reference-impl/platform/platform.h"

namespace conform::reference {

class AsyncioHost : public Interpreter {
 public:
  AsyncioHost(const Case& c, const AsyncioRules& rules, Platform& platform, Recorder& recorder);
  ~AsyncioHost() override;

  static const HostOps<AsyncioHost>& Ops();

  void RunFromStart() override;
  void RunFromRest() override;
  void AddTo(Fingerprint* fingerprint) const override;

 protected:
  Outcome Do(const Step& step, const TaskPtr& around) override;
  void Rearm(const TaskPtr& task) override;
  void EndRepetition(const TaskPtr&) override {}  // nothing here repeats by itself
  int64_t iteration() const override { return pass_; }

 private:
  struct Object;
  using ObjectPtr = std::shared_ptr<Object>;

  // What is in the queue.
  struct Entry {
    enum class Kind {
      kNothing,   // cancelled
      kCall,      // the callback of a soon, wake, timeout or read
      kReaction,  // the callback of a then: its future is done
      kStep,      // a task resumes
      kDone,      // a future is done; nothing to see, but the loop goes round for it
      kResult,    // a thread of the pool hands over a result
      kWorkDone,  // the callback of a work
      kWokenUp,   // the loop was woken up: by another thread, or by a signal
      kSignal,    // the callback of a signal
      kStop,
    };
    Kind kind = Kind::kNothing;
    Object* object = nullptr;
    bool failed = false;  // kReaction, kStep: what was waited for ended with an error
  };

  // Whatever a step makes. Only the part that its op needs is in use.
  struct Object : Thing {
    enum class State { kPending, kDone, kFailed };  // of a future, a task, a work

    const Step* step = nullptr;
    TaskPtr task;
    TimerPlace<Object> place;
    Source source = kNoSource;
    State state = State::kPending;
    std::vector<Entry> waiting;     // what is queued once it is done
    Object* waits_for = nullptr;    // of a task
    bool started = false;           // of a task
    bool must_cancel = false;       // of a task: it ends as soon as it can
    std::vector<Frame> stack;       // of a task: where it is
    const Step* pausing = nullptr;  // of a task: the pause that it waits in

    void AddTo(Fingerprint* fingerprint) const override;
  };

  // What a kind of thing does.
  struct Kind {
    void (AsyncioHost::*start)(Object* object);
    void (AsyncioHost::*clear)(Object* object);  // null where it cannot be cleared
    bool is_armed_again = false;                 // one that was queued may be queued again; what ends is made anew
  };
  static const Kind& KindOf(Op op);

  // --- The loop ---
  void RunMain();
  void RunLoop(bool one_pass);
  void RunPasses();
  void EndRun();
  void RunPass();
  void Look();
  void QueueDescriptors();
  void QueueDueTimers();
  bool IsDue(Time deadline, Time now);
  // Puts an entry into the queue, behind the results that the pool has handed over by now.
  void Queue(Entry entry);
  void TakeResults();
  void RunEntry(const Entry& entry);
  bool AnythingLeft() const;
  void Stop();

  // --- Callbacks ---
  ObjectPtr Make(const Step& step, const TaskPtr& task);
  Object* ObjectOf(const std::string& name) const;
  // What each op does.
  void Arm(const TaskPtr& task);
  void DoSend(const Step& step);
  void DoRaise(const Step& step);
  void DoSettle(const Step& step);
  void DoClear(const Step& step);
  void DoStop(const Step& step);
  void DoRun(const Step& step);
  void DoExit(const Step& step);
  void Start(Object* object);
  void StartSoon(Object* object);
  void StartWake(Object* object);
  void StartTimer(Object* object);
  void StartRead(Object* object);
  void StartWork(Object* object);
  void StartSignal(Object* object);
  void StartListener(Object* object);
  void StartFuture(Object* object);
  void StartReaction(Object* object);
  void StartTask(Object* object);
  void ClearQueued(Object* object);
  void ClearTimer(Object* object);
  void ClearRead(Object* object);
  void ClearWork(Object* object);
  void ClearListener(Object* object);
  void StartAt(Object* object, Time deadline);
  void Send(Object* object);
  void Call(Object* object, Where where, const std::string& outcome = {});
  void OnError(const std::string& error);
  void OnWokenUp();
  void Clear(Object* object);
  void TakeFromQueue(const Object* object);
  void CloseSource(Object* object);

  // --- Futures and tasks ---
  void WaitFor(Object* future, Entry entry);
  void Settle(Object* future, Object::State state);
  void Resume(Object* task, bool failed);
  void EndTask(Object* task, const Outcome& result);
  void RunReaction(Object* reaction, bool failed);
  void Pause(Object* task, Object* future);
  void CancelFuture(Object* future);
  bool IsTask(const Object* object) const { return object->step->op == Op::kAwait || object->step->op == Op::kAsync; }

  Platform& platform_;
  const AsyncioRules& rules_;
  const Time start_;
  const bool counts_from_start_;  // some timer does
  const bool hears_signals_;      // the program has a handler
  int64_t pass_ = 0;
  bool stopping_ = false;
  bool ran_ = false;
  std::deque<Entry> queue_;
  TimerHeap<Object> timers_;
  uint64_t next_start_id_ = 0;
  std::map<Source, Object*> readers_;
  std::map<int64_t, Object*> requests_;  // under way in the pool
  int64_t next_request_ = 0;
  Source wakeup_;             // other threads and signals wake the loop up through one descriptor
  Object* signal_ = nullptr;  // asyncio has one handler for a signal
  int raised_ = 0;
  Object* listener_ = nullptr;  // and one for errors
  std::vector<ReadySource> ready_;
  std::vector<ObjectPtr> objects_;
  std::map<const Task*, Object*> made_by_;
  TaskPtr main_ = std::make_shared<Task>();
  const Step* running_ = nullptr;  // the `run` under way, if it is one of the program's
  std::vector<Frame> main_stack_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_ASYNCIO_HOST_H_
