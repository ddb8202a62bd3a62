// The seam between the harness and what can run programs.
#ifndef CONFORM_RUNNERS_HARNESS_RUNNER_H_
#define CONFORM_RUNNERS_HARNESS_RUNNER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runners/model/case.h"
#include "runners/model/profile.h"
#include "runners/model/results.h"
#include "runners/model/trace.h"

namespace conform {

// What kept a run from being judged.
enum class Trouble {
  kNone,
  kLimit,     // of the model
  kTimeout,   // no end within the deadline, on a real clock
  kSpins,     // it works on and on
  kWaits,     // it waits, and nothing can wake it; where its labels are known, `exit=never` is one more, and no trouble
  kCrash,     // ended by a signal, or without an answer
  kProtocol,  // the adapter did not keep to the protocol
  kUnsupported,  // the adapter says so
  kInterrupted,  // the user stopped conform: there is no result
};

// What one run came to.
struct RunOutcome {
  Trace trace;  // where there was trouble: what was seen before it
  Trouble trouble = Trouble::kNone;
  std::string why = "";      // of the trouble, for users
  std::string remark = "";   // how it ended, where that was with an error: "ended with code 1 (stderr: …)"
  std::string missing = "";  // of kUnsupported: the capability
  std::string seen = "";     // of a process that was ended because it would not have ended
  int processes = 1;         // fresh ones, in which the same was seen
};

// Why a case cannot run.
struct Obstacle {
  std::string why;              // for human readers
  std::string capability = "";  // that is missing; "" where it is something else
};

// One of the runs of a case.
struct Attempt {
  int64_t number = 0;      // distinguishes the runs of one case under one profile
  bool disturbed = false;  // deliberately, where the implementation can be
  bool fresh = false;      // in a process that has run nothing else
};

// The label of a run that waits forever.
inline constexpr char kExitNever[] = "exit=never";

// What an implementation wants to be held to: `node` at `24.21.0`.
struct Claims {
  std::string family;   // "" where it claims nothing: what it does is recorded, not judged
  std::string version;  // as it says it
};

// One implementation. All methods may be called from several threads at once.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual std::string name() const = 0;  // "ref", "ref:real", "node@24.21.0"

  // The word that means it on the command line: "node@24", "node=./out/Release/node".
  virtual std::string option() const { return name(); }

  // What it claims to be, for a real thing: there is one of it, and it knows itself what it has. Null for the reference
  // loop, which can be anything, and has what the profile says.
  virtual const Claims* claims() const { return nullptr; }

  // The command that runs a program of its language without conform: the file follows. Empty where there is none.
  virtual std::vector<std::string> alone() const { return {}; }

  // How it introduced itself, and what it says it can run; null for the reference loop.
  virtual const RunImplementation* introduction() const { return nullptr; }
  virtual const std::vector<std::string>* ops() const { return nullptr; }

  // Why it cannot run `c` under the rules of `profile`, or nothing. What the profile lacks is asked of the reference
  // loop alone, and not here.
  virtual std::optional<Obstacle> CannotRun(const Case& c, const Profile& profile) const = 0;

  // One run. REQUIRES: !CannotRun(c, profile).
  virtual RunOutcome Run(const Case& c, const Profile& profile, const Attempt& attempt) const = 0;

  // More options that a command needs to see run `number` again: "--seed=3", or "".
  virtual std::string OptionsToRepeat(int64_t number) const = 0;

  // A run that was late is worth trying again: the next one may not be.
  virtual bool MayBeLate() const = 0;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_RUNNER_H_
