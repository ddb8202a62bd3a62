// The host for loops that are held to their documentation alone: whatever is ready may run next, unless a rule of the
// profile puts something else first. It is built on the platform alone, and has no phases.
#ifndef CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_HOST_H_

#include <memory>
#include <string>
#include <vector>

#include "reference-impl/host/documented_order.h"
#include "reference-impl/host/documented_rules.h"
#include "reference-impl/host/host_ops.h"
#include "reference-impl/host/interpreter.h"
#include "reference-impl/platform/platform.h"

namespace conform::reference {

class DocumentedHost : public Interpreter {
 public:
  DocumentedHost(const Case& c, const DocumentedRules& rules, Platform& platform, Recorder& recorder);
  ~DocumentedHost() override;

  // The run is over when no callback is left to come.
  static const HostOps<DocumentedHost>& Ops();

  void RunFromStart() override;
  void RunFromRest() override;
  void AddTo(Fingerprint* fingerprint) const override;

 protected:
  Outcome Do(const Step& step, const TaskPtr& around) override;
  void Rearm(const TaskPtr& task) override { Ops().Rearm(*this, task); }
  void EndRepetition(const TaskPtr&) override {}  // nothing here comes twice by itself
  int64_t iteration() const override { return turn_; }

 private:
  using Request = DocumentedRequest;
  using RequestPtr = std::shared_ptr<Request>;

  void RunMain();
  void RunLoop();
  void RunTurns();
  // Waits until something is ready, and runs one callback.
  void RunTurn();
  void Look();
  void Run(const RequestPtr& request);
  bool EndsHere();
  bool AnythingLeft() const;
  bool IsReady(const Request& request, Time now);
  bool IsHeldBack(const Request& request);
  // Nothing is documented: either. `yes` and `no` are for display.
  bool Chooses(const char* yes, const char* no);

  void Ask(const TaskPtr& task);
  void DoClear(const Step& step);
  void DoRun(const Step& step);
  void DoStop(const Step& step);
  // From when the delay of a timer counts that is started now.
  Time TimerBase();
  void Clear(const RequestPtr& request);
  void Cancel(Request* request);
  void Remove(const Request* request);

  Platform& platform_;
  const DocumentedRules& rules_;
  DocumentedOrder order_;
  std::vector<RequestPtr> requests_;  // in the order of asking
  TaskPtr main_ = std::make_shared<Task>();
  std::vector<Frame> main_stack_;
  std::vector<Time> looks_;  // of the callback that runs now
  uint64_t next_number_ = 0;
  int64_t turn_ = 0;
  int64_t callbacks_ = 0;
  bool stopping_ = false;
  bool ran_ = false;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_HOST_H_
