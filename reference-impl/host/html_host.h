// The HTML host: one page. Tasks from several sources, a microtask checkpoint after each callback, events for errors
// and rejections. It has no phases, and is built on the platform alone.
#ifndef CONFORM_REFERENCE_IMPL_HOST_HTML_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_HTML_HOST_H_

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference-impl/host/html_timers.h"
#include "reference-impl/host/script_host.h"
#include "reference-impl/platform/platform.h"

namespace conform::reference {

class HtmlHost : public ScriptHost {
 public:
  HtmlHost(const Case& c, const HtmlRules& rules, Platform& platform, Recorder& recorder);

  // A page has no end: the run is over when no task is left to come.
  static const HostOps<HtmlHost>& Ops();

  void RunFromStart() override;
  void RunFromRest() override;
  void AddTo(Fingerprint* fingerprint) const override;

 protected:
  Outcome Do(const Step& step, const TaskPtr& around) override;
  void Rearm(const TaskPtr& task) override;
  void EndRepetition(const TaskPtr& task) override;
  int64_t iteration() const override { return turns_; }

 private:
  struct Listener : Thing {
    TaskPtr task;
    bool removed = false;
    void AddTo(Fingerprint* fingerprint) const override;
  };
  struct Channel {
    std::string name;  // "" for one that only one message uses
    std::deque<TaskPtr> messages;
  };
  // A task about rejections. No promises: one that was reported has been handled.
  struct RejectionTask {
    std::vector<PromisePtr> promises;
  };
  // Something that may run next.
  struct Candidate {
    std::string name;
    std::function<void()> run;
  };
  enum class AfterEach { kCheckpoint, kNothing };

  // Waits until something may run, and runs one task. False: nothing is left.
  bool RunOneTask();
  std::vector<Candidate> Candidates();
  void RunTimer(const HtmlTimerPtr& timer);
  void RunMessage(size_t channel);
  void RunRejections();
  void RunCallback(const TaskPtr& task, Where where, const std::string& outcome = {});
  void Checkpoint();
  void Report(const std::string& error, AfterEach after_each);
  void Fire(const std::string& event, const std::string& outcome, Where where);
  // `first` where a rule says so; either where it does not. `yes` and `no` are for display.
  bool Chooses(bool either, bool first, const char* yes, const char* no);

  void ArmTimer(const TaskPtr& task);
  void ArmMessage(const TaskPtr& task);
  void ArmListener(const TaskPtr& task);
  void DoClear(const Step& step);
  void Send(const std::string& channel, const TaskPtr& task);
  void Clear(const ThingPtr& thing);

  // PromiseHost.
  void RejectedWithoutHandler(const PromisePtr& promise) override;
  void HandledAfterAll(const PromisePtr& promise) override;

  Platform& platform_;
  const HtmlRules& rules_;
  const bool reports_rejections_;  // without a listener, nothing shows when they are reported
  HtmlTimers timers_;
  std::vector<Channel> channels_;  // those with messages, in the order of their oldest
  std::deque<RejectionTask> rejection_tasks_;
  std::vector<PromisePtr> to_report_;
  std::vector<PromisePtr> reported_;
  std::map<std::string, std::vector<std::shared_ptr<Listener>>> listeners_;
  std::map<const Task*, HtmlTimerPtr> intervals_;
  int level_ = 0;  // of the timer that is the task which runs now
  bool in_checkpoint_ = false;
  bool reporting_ = false;
  int64_t turns_ = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_HTML_HOST_H_
