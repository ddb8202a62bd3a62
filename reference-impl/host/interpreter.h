// Runs the program of a case. What every family of loops has in common; what an op means is the host's.
#ifndef CONFORM_REFERENCE_IMPL_HOST_INTERPRETER_H_
#define CONFORM_REFERENCE_IMPL_HOST_INTERPRETER_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference-impl/host/recorder.h"
#include "reference-impl/host/task.h"
#include "reference-impl/platform/time.h"
#include "runners/model/case.h"

namespace conform::reference {

class Interpreter {
 public:
  Interpreter(const Case& c, Clock& clock, Recorder& recorder);
  virtual ~Interpreter() = default;

  // Runs the case from its entry to the end of the process, which is reported too (`exit=1`, `exit=never`).
  void RunCase();
  // Continues to the same end with a RunCase that was left at a rest (Platform::Rest).
  void ContinueCase();

  // Adds everything that decides what happens next, the clock apart. Only between callbacks.
  virtual void AddTo(Fingerprint* fingerprint) const = 0;

 protected:
  // What RunCase and ContinueCase do. ProcessEnd ends both.
  virtual void RunFromStart() = 0;
  virtual void RunFromRest() = 0;
  // What the op does, apart from `log busy only again pause return throw try`, which are done here.
  virtual Outcome Do(const Step& step, const TaskPtr& task) = 0;
  // Schedules the next run of a chain.
  virtual void Rearm(const TaskPtr& task) = 0;
  // Ends an interval, idle, prepare or check handle before the body of its last run.
  virtual void EndRepetition(const TaskPtr& task) = 0;
  virtual int64_t iteration() const = 0;

  // Runs a callback: emits its label (`LABEL=outcome`), runs its body, schedules the next run of its chain.
  Outcome RunTask(const TaskPtr& task, Where where, const std::string& outcome = {});
  // Continues in `stack`, which belongs to that run of the task, until its end, a throw, a return or a pause.
  Outcome Continue(std::vector<Frame>* stack, const TaskPtr& task, int64_t run, Where where);
  // An error at this place of `stack`: leaves all up to the innermost `try`, emits its label; or all and returns false.
  bool Catch(std::vector<Frame>* stack, Where where, const std::string& error);
  // Schedules the run of a chain after `run`, unless that was done or this was the last.
  void RearmIfMore(const TaskPtr& task, int64_t run);
  // Begins a run of `task` without its body: counts and emits.
  void Begin(const TaskPtr& task, Where where, const std::string& outcome);
  void Emit(const std::string& label, Where where, const std::string& outcome = {});

  // The newest thing of a name, or null. Only names that some step refers to are kept.
  ThingPtr Find(const std::string& name) const;
  void Name(const std::string& name, ThingPtr thing);
  void AddNames(Fingerprint* fingerprint) const;
  // Grows with every step that is done and every run that is scheduled.
  int64_t steps_done() const { return steps_done_; }

  const Case& case_;
  Clock& clock_;
  Recorder& recorder_;
  Where where_{"main", "iteration.main-script-first"};  // of the callback that runs now

 private:
  void CollectReferences(const std::vector<Step>& body);

  int64_t steps_done_ = 0;
  std::set<std::string> referenced_;
  std::map<std::string, ThingPtr> names_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_INTERPRETER_H_
