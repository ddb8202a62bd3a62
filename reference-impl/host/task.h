// What the programs of cases are made of at run time.
#ifndef CONFORM_REFERENCE_IMPL_HOST_TASK_H_
#define CONFORM_REFERENCE_IMPL_HOST_TASK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/platform/fingerprint.h"
#include "runners/model/step.h"

namespace conform::reference {

// Something that a program can name: a timer, a promise, a handle, …
struct Thing : Visited {
  virtual ~Thing() = default;
  // Adds all that decides what it does next.
  virtual void AddTo(Fingerprint* fingerprint) const = 0;

 protected:
  Thing() = default;
};
using ThingPtr = std::shared_ptr<Thing>;

inline void AddThing(Fingerprint* fingerprint, const Thing* thing) {
  if (fingerprint->Enter(thing)) thing->AddTo(fingerprint);
}

// A callback of the program: the step that scheduled it, and how often it has run. Silent internal work has no step.
struct Task : Visited {
  const Step* step = nullptr;
  int64_t runs = 0;      // begun so far
  bool rearmed = false;  // in this run, the next one has been scheduled

  void AddTo(Fingerprint* fingerprint) const {
    fingerprint->Add(step == nullptr ? ~0ull : static_cast<uint64_t>(step->id));
    fingerprint->Add(static_cast<uint64_t>(runs) * 2 + (rearmed ? 1 : 0));
  }
};
using TaskPtr = std::shared_ptr<Task>;

inline void AddTask(Fingerprint* fingerprint, const TaskPtr& task) {
  if (fingerprint->Enter(task.get())) task->AddTo(fingerprint);
}

// How far execution has got in a body; `only` and `try` nest.
struct Frame {
  const std::vector<Step>* body;
  size_t next = 0;
  const Step* catches = nullptr;  // the `try` whose body it is
};

// How a stretch of a body ended.
struct Outcome {
  enum class Kind { kDone, kThrown, kReturned, kPaused };
  Kind kind = Kind::kDone;
  std::string error;  // kThrown: its name, may be empty
  ThingPtr value;     // kReturned: what `return of Q` gives; kPaused: what is awaited, null for a resolved promise
  const Step* pause = nullptr;  // kPaused

  bool thrown() const { return kind == Kind::kThrown; }
  static Outcome Done() { return {}; }
  static Outcome Thrown(std::string error) { return {Kind::kThrown, std::move(error), nullptr, nullptr}; }
};

// Where a callback runs, for the trace: the phase, and the clause that puts it there.
struct Where {
  const char* phase;
  const char* clause;
};

// The process is gone: nothing on the stack has anything left to do.
struct ProcessEnd {};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_TASK_H_
