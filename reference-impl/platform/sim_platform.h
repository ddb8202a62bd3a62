// The simulated platform: sources are names, readiness follows the rules that are known of the kernel, and what is not
// known (when a request of the pool ends) is asked of the chooser.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_SIM_PLATFORM_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_SIM_PLATFORM_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/platform/fifo.h"
#include "reference-impl/platform/platform.h"
#include "reference-impl/platform/sim_clock.h"

namespace conform::reference {

class SimPlatform : public Platform {
 public:
  // `before_wait` is called by Rest, or at the start of a Wait that is not the first after a Rest, a look and the wait
  // that follows it being one: nothing that decides how it continues is on the stack. If it returns false, the run ends
  // with the Wait. If not, Rest calls `at_rest(true, is_open)`, which may end it likewise; RestWithoutWait calls
  // `at_rest(false, true)` at once. `at_rest` may be empty. `goes_on`, which may be empty too, answers GoesOn where
  // runs may meet that have come there in different ways.
  SimPlatform(Timing timing, Chooser& chooser, std::function<bool()> before_wait,
              std::function<bool(bool, bool)> at_rest = nullptr, std::function<bool(uint64_t)> goes_on = nullptr);

  // Also asks what makes no difference: whether a request ends wherever it could, though it could as well end later,
  // and which of several have ended before it is known that they matter.
  void AskEverything() {
    asks_everything_ = true;
    clock_.NeverStands();
  }

  SimClock& clock() override { return clock_; }
  bool Intrudes(bool usual) override;
  bool IsLate(const char* what) override;
  size_t First(size_t count, const std::function<std::string(size_t)>& name) override;
  void Rest(bool is_open) override;
  void RestWithoutWait() override;
  void Watch(Source source, uint8_t readiness) override;
  bool Wait(const WaitBound& bound, std::vector<ReadySource>* ready) override;
  Source OpenReadable() override;
  int Read(Source source) override;
  Input ReadByte(Source source) override;
  Source ConnectRefused() override;
  Source OpenWakeup() override;
  void Wake(Source wakeup) override;
  Source Listen() override;
  Source Connect(Source listener) override;
  Source Accept(Source listener) override;
  bool Write(Source source) override;
  void Shutdown(Source source) override;
  Source OpenDatagrams() override;
  void SendDatagram(Source source) override;
  bool ReceiveDatagram(Source source) override;
  Source OpenSignal() override;
  void RaiseSignal() override;
  void Close(Source source) override;
  void Submit(int64_t id, int threads, Source wakeup, std::string name, int64_t ms) override;
  bool Cancel(int64_t id) override;
  std::vector<int64_t> TakeEnded() override;
  std::optional<int64_t> TakeOneMore(bool can_wait) override;
  bool GoesOn(uint64_t how) override;
  void Spawn(int64_t id, std::string name) override;
  int SignalsOfChildren() override;
  std::vector<int64_t> TakeEndedChildren() override;

  // Everything but the clock.
  void AddTo(Fingerprint* fingerprint) const;

 private:
  struct SimSource {
    uint8_t ready = 0;            // what a poll would report
    uint8_t watched = 0;          // what the loop requested and the poll knows
    int bytes = 0;                // that wait to be read
    Source peer = kNoSource;      // of a connection
    std::vector<Source> waiting;  // server sides that wait for Accept
    bool is_signal = false;
    bool at_end = false;    // the peer has gone, or writes nothing any more
    bool is_shut = false;   // nothing is written to it any more
    bool is_reset = false;  // the peer has closed with bytes unread, and this was not yet reported
  };
  struct Request {
    int64_t id;
    std::string name;
    int64_t spent_when_submitted;
    int64_t due_when_submitted;
    int64_t ms;
    // It ends no earlier than any of these: its own time from when it was submitted, and from when a thread was free
    // that was kept by others. None where neither it nor they take time.
    std::vector<Time> earliest_ends = {};
    std::optional<int64_t> due_when_taken = {};  // where a thread was free only then
    bool is_child = false;
    bool has_own_thread = false;
    bool is_of_batch = false;
    bool must_be_of_batch = false;
  };
  // Requests that had ended when a Wait returned. Which of those that are marked is decided one by one, as they are
  // taken: what a callback does cannot depend on the ends that come to be known after it.
  enum class Batch { kNone, kAtLeastOne, kMaybeMore };

  Source Open(SimSource source);
  void MakeReadable(Source wakeup);
  void StirSignals();
  void SetReady(Source source, uint8_t readiness);
  void ClearReady(Source source, uint8_t readiness);
  void Queue(Source source);  // into the ready list, if it belongs there
  bool HasHungUp(const SimSource& source) const;
  // On time: has there been time for a thread to take it? Has it ended? When does it end?
  bool MustHaveBeenTaken(const Request& request) const;
  bool MustHaveEnded(const Request& request) const;
  int64_t DueEnd(const Request& request) const;
  bool AnyMustHaveEnded() const;
  bool AnyIsReady() const;  // of what is watched, or is to be
  // Ends requests of the pool and children: all that must have ended, and any others as chosen; at least one if
  // `at_least_one`.
  void EndSome(bool at_least_one);
  void EndOne(const std::vector<size_t>& those);
  bool HasOneEnded();
  size_t WhichEnded(const std::vector<size_t>& those);
  // Begins a batch, at once or as chosen. REQUIRES: CanEndAsBatch.
  void BeginBatch(bool at_least_one);
  bool CanEndAsBatch() const;
  // Decides on the next of the batch; nothing when that was all. `can_wait` as for TakeOneMore.
  std::optional<int64_t> NextOfBatch(bool can_wait);
  // Decides on all that is left of it.
  void SettleBatch();
  // The requests of which one may be the next to end.
  std::vector<size_t> ThatMayEnd();
  bool AnyTakesTime() const;
  // On time, where all requests that have a thread take time: the one that ends first.
  const Request* FirstToEnd() const;
  Time LatestOf(const std::vector<Time>& times) const;
  // Whether an end of one of those under way would make another source ready.
  bool AnyEndIsNews() const;
  std::vector<size_t> Running() const;  // children, and the requests that have a thread

  SimClock clock_;
  Chooser& chooser_;
  std::function<bool()> before_wait_;
  std::function<bool(bool, bool)> at_rest_;
  std::function<bool(uint64_t)> goes_on_between_;
  bool asks_everything_ = false;
  std::optional<bool> goes_on_;  // what before_wait returned to Rest, until a Wait has taken it
  std::map<Source, SimSource> sources_;
  Source next_source_ = 3;
  std::vector<std::pair<Source, uint8_t>> to_watch_;  // takes effect at the next Wait, in this order
  std::vector<Source> ready_list_;                    // in the order in which they became ready
  int threads_ = 4;
  Source pool_wakeup_ = kNoSource;
  std::vector<Request> requests_;  // under way or queued, oldest first
  std::vector<int64_t> ended_;
  Batch batch_ = Batch::kNone;
  int taken_of_batch_ = 0;
  Fifo<int64_t> rest_of_batch_;  // what was decided on before it was to be taken
  std::vector<int64_t> ended_children_;
  int ended_unsignalled_ = 0;  // children, since that was last asked
  Source woken_ = kNoSource;   // by Wake, and not read since
  bool just_asked_ = false;    // which requests have ended, and nothing has run since
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_SIM_PLATFORM_H_
