// What the adapter of one loop has to say: which ops there are, and what each of them asks of the loop. Everything else
// (the conversation, programs, labels, chains) is the same for all loops, and is done for it.
#ifndef CONFORM_ADAPTERS_SHARED_LOOP_H_
#define CONFORM_ADAPTERS_SHARED_LOOP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace loop_adapter {

class Interpreter;
struct Task;

// When the callback of a thing comes.
enum class Fires {
  kOnce,     // once for each start: a timer, a reader, a queued call
  kRepeats,  // again and again until it is stopped: an interval, an idle handle
  kAlong,    // whenever the loop turns; nothing but another callback makes it turn: prepare and check handles
  kBrings,   // whenever something new comes, which the label names from then on: connections to a server
};

// What one step has made in the loop: a watcher, a source, a timer. It lives until the run is over, because a name may
// still mean it. The destructor takes it out of the loop.
class Thing {
 public:
  virtual ~Thing() = default;

  // Asks the loop for the callback: after `ms` where the thing is a timer, else as soon as it comes. Started while it
  // is under way, it starts anew.
  virtual void Start(double ms) = 0;
  // `clear`: the callback does not come any more. Returns false where the loop has no way to withdraw it: it comes.
  virtual bool Stop() = 0;
  // `clear NAME as cancel`, where the callback comes all the same, and says so.
  virtual void Cancel() { Stop(); }
  // `start`, `refresh` and `send`. Where they mean nothing for a thing, they do nothing.
  virtual void Restart(double ms) { Start(ms); }
  virtual void Refresh(double ms) { Start(ms); }
  virtual void Send() { Start(0); }
  // `raise`: sends the process the signal that it waits for.
  virtual void Raise() {}
  // Does the loop wait for it?
  virtual void SetReferenced(bool) {}
  // Can it be closed, and has it closed itself?
  virtual bool CanClose() const { return true; }
  virtual bool IsClosed() const { return false; }
  // Ends it for good. `closed` is called when it is closed.
  virtual void Close(const std::function<void()>& closed) {
    Stop();
    closed();
  }

 protected:
  // To be called by the callback of the loop. After a callback that comes once, the thing can be started again.
  void Called(const std::string& outcome = "");
  bool repeats() const { return fires_ != Fires::kOnce; }
  // What the step refers to (`to NAME`, `of NAME`), as it was when this was made or armed last; null where it has none.
  Thing* target() const { return target_; }
  // For Fires::kBrings: something new has come. It is kept with the others, and each thing that waited for it says so,
  // which is a separate callback.
  Thing& Keep(std::unique_ptr<Thing> thing);
  void Brought(Thing& thing);

 private:
  friend class Interpreter;
  Interpreter* interpreter_ = nullptr;
  Task* task_ = nullptr;
  Thing* target_ = nullptr;
  Fires fires_ = Fires::kOnce;
  bool is_armed_ = false;  // its callback will come
  bool is_closed_ = false;
};

enum class RunMode { kDefault, kOnce, kNowait };
enum class RunEnd { kNothingLeft, kSomethingLeft, kWaitsForEver };

// What the program has left to do, by the adapter's own count: some loops never return, and have to be told.
struct Outlook {
  int64_t armed = 0;  // callbacks that come without another's doing
  bool is_over = false;

  bool NothingComes() const { return is_over || armed == 0; }
  RunEnd End() const { return NothingComes() ? RunEnd::kNothingLeft : RunEnd::kSomethingLeft; }
};

// A new loop for each program. All things are gone when it is destroyed.
class Loop {
 public:
  explicit Loop(const Outlook& outlook) : outlook_(outlook) {}
  virtual ~Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Called in no callback, and returns at the latest when no more callbacks can come.
  virtual RunEnd Run(RunMode mode) = 0;
  // `stop`, and the way to end a run early. May be called while the loop does not run.
  virtual void Stop() = 0;
  // The last callback that was under way has run, or nothing more is wanted.
  virtual void NothingComes() {}
  // How much longer than it says `busy` has to take, so that every timer of that delay is due: covers the roundings of
  // the loop's clock at both ends.
  virtual double BusyMarginMs() const { return 2; }
  // Where the loop keeps the time, it reads the clock anew.
  virtual void UpdateTime() {}
  // Does the loop itself say that something is left? Only asked where `alive` is among the steps.
  virtual bool IsAlive() { return !outlook_.NothingComes(); }
  // The program is over, and its things are still there. Returns false where something could not be ended: the process
  // is of no more use.
  virtual bool Finish() { return true; }

  // Something went wrong that no program is to blame for, a lack of descriptors, say: ends the program.
  void Fail(const std::string& why) { fail_(why); }
  // The loop waits forever: nothing that comes after this belongs to the program. For loops that are told while they
  // run; the others say so when Run returns.
  void EndBecauseOfEndlessWait() { end_of_endless_wait_(); }
  const Outlook& outlook() const { return outlook_; }

 private:
  friend class Interpreter;
  const Outlook& outlook_;
  std::function<void(const std::string& why)> fail_;
  std::function<void()> end_of_endless_wait_;
};

// One way to schedule a callback: a name as in `ops` ("timeout", "soon as high") and what makes it. A reader is made
// for a descriptor on which a byte waits, and owns it; the others are given -1.
struct Op {
  std::string name;
  Fires fires;
  std::function<std::unique_ptr<Thing>(Loop& loop, int descriptor)> make;
  // Each run of a chain has its own thing, as with every `read`; otherwise one is started again and again.
  bool is_made_anew = false;
};

struct Adapter {
  std::string name;
  std::string version;
  std::map<std::string, std::string> details;
  // A function of the library under test. With it the file is found that the library was loaded from; null where
  // there is no such file.
  const char* function = nullptr;
  std::vector<Op> ops;
  // Which of the steps that act at once the loop has: clear, close, refresh, start, send, raise, ref, unref, run,
  // alive, stop, update, "clear as cancel". Those that need nothing of it (log, busy, only, again, exit) are always
  // there.
  std::vector<std::string> acts;
  std::function<std::unique_ptr<Loop>(const Outlook& outlook)> make_loop;
  // The profile that it claims; where empty, that of its name.
  std::string profile = "";
  // A longer delay is refused. This one is far beyond any wait, and within what every loop can count.
  double longest_delay_ms = 1e9;
  // The clock of its timers is that of NowNs: CLOCK_MONOTONIC, or its coarse twin.
  bool reads_steady_clock = false;
  // Runs `program`, and returns when it has returned; where it is empty, the program runs on the thread of the session.
  std::function<void(const std::function<void()>& program)> run_program = nullptr;
};

// The conversation of spec/adapter-protocol.md on standard input and output. Returns the exit code of the process.
int RunSession(const Adapter& adapter);

// Takes the byte that waits on a descriptor and closes it, as `read` does before its label. The descriptor becomes -1;
// where it is -1 already, nothing is done.
void ReadAndClose(int& descriptor);
void CloseIfOpen(int& descriptor);

}  // namespace loop_adapter

#endif  // CONFORM_ADAPTERS_SHARED_LOOP_H_
