// One program on one loop.
#ifndef CONFORM_ADAPTERS_SHARED_INTERPRETER_H_
#define CONFORM_ADAPTERS_SHARED_INTERPRETER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loop.h"
#include "program.h"
#include "trace.h"

namespace loop_adapter {

// A callback of the program with all of its runs: one step, as often as it was come to.
struct Task {
  const Step* step = nullptr;
  int64_t runs = 0;      // that have begun
  bool rearmed = false;  // in the present run
};

class Interpreter {
 public:
  // `descriptors`: those on which a byte waits, for the steps `read`; they are owned. REQUIRES: what is borrowed
  // outlives this.
  Interpreter(const Adapter& adapter, const Program& program, std::vector<int> descriptors, Trace& trace);
  ~Interpreter();

  // Runs the program on a new loop, and ends all that it leaves behind. Returns "", or what went wrong that no program
  // is to blame for. To be called once.
  std::string Go();

  // False where something of the program could not be ended.
  bool left_nothing_behind() const { return left_nothing_behind_; }

  // The loop has called this thing.
  void OnCalled(Thing& thing, const std::string& outcome);
  // Something came that `thing` waits for.
  void OnBrought(Thing& thing, Thing& brought);
  // Keeps what came for `thing`.
  Thing& Keep(std::unique_ptr<Thing> brought, const Thing& thing);

 private:
  // The steps of a body. `task` is the callback around them and `thing` what called it; null in the main body.
  void Perform(const std::vector<Step>& body, Task* task, Thing* thing);
  void Perform(const Step& step, Task* task, Thing* thing);
  void PerformOn(const Step& step, Thing& thing);
  void RunLoop(RunMode mode, const std::string& label);
  void Call(Task& task, Thing* thing, const std::string& outcome);
  void Rearm(Task& task, Thing* thing);
  void Make(Task* task);
  void Start(Thing& thing, double ms);
  bool Arm(Thing& thing);
  static bool IsClosed(const Thing& thing) { return thing.is_closed_ || thing.IsClosed(); }
  Thing* Find(const std::string& name) const;
  void Stop(Thing& thing);
  void Close(const Step& step, Thing& thing);
  void Disarm(Thing& thing);
  void Emit(const std::string& label);
  void End();
  void EndOfEndlessWait();
  void Fail(const std::string& why);
  int NextDescriptor();

  const Program& program_;
  Trace& trace_;
  Outlook outlook_;
  std::string trouble_;
  bool left_nothing_behind_ = true;
  std::unique_ptr<Loop> loop_;
  std::deque<Task> tasks_;
  std::vector<std::unique_ptr<Thing>> things_;
  std::map<std::string, Thing*> names_;  // the newest of each
  std::deque<int> descriptors_;          // on which a byte waits
  std::vector<int> other_ends_;          // of descriptors that this run has made
};

}  // namespace loop_adapter

#endif  // CONFORM_ADAPTERS_SHARED_INTERPRETER_H_
