// What the model says about a script that was lifted: its orders, release by release, and whether a test may assert
// one.
#ifndef CONFORM_RUNNERS_STUDY_LIFTED_ORDERS_H_
#define CONFORM_RUNNERS_STUDY_LIFTED_ORDERS_H_

#include <optional>
#include <string>
#include <vector>

#include "runners/harness/run_scope.h"
#include "runners/lift/lift.h"
#include "runners/model/profile.h"
#include "runners/study/exploring.h"
#include "runners/study/home.h"

namespace conform {

// A stretch of releases with the same orders on time, as the script prints them: without labels that were made up.
struct LiftedSpan {
  Version since;
  std::vector<Order> orders;  // the first kMaxLiftedOrders of them
  SetSize size;
  std::vector<std::string> changed_by;  // rules; empty for the first
};
inline constexpr size_t kMaxLiftedOrders = 20;

// What the model expects of the program, with the labels that were made up, from a release on.
struct LiftedExpectation {
  Version since;
  std::string pattern;
};

// What the newest release prints only when something is late.
struct LiftedDelays {
  SetSize size;
  std::optional<Order> example;
};

// What the runs showed, against what any delay allows.
struct LiftedDoubts {
  std::optional<Order> unexplained;  // the first order that a run showed and no delay explains
  std::vector<std::string> unknown;  // labels of callbacks that ran in no run, and that the model lets run
  bool complete = true;              // no limit was hit

  bool Any() const { return unexplained || !unknown.empty() || !complete; }
};

struct LiftedOrders {
  std::vector<LiftedSpan> spans;  // oldest first; empty where the model cannot run the program
  std::string not_modelled;       // why
  std::vector<LiftedExpectation> expected;
  LiftedDelays late;
  LiftedDoubts doubts;
};

// Without the labels that were made up.
Automaton WithoutMadeUp(const Automaton& orders, const Lifted& lifted);

LiftedDoubts DoubtsOf(const Lifted& lifted, const Profiles& profiles, const ChosenLimits& chosen);

LiftedOrders OrdersByRelease(const Lifted& lifted, const Profiles& profiles, const ChosenLimits& limits);

// The case as a file: the program, and what the model expects of it.
std::string CaseFileOf(const Lifted& lifted, const LiftedOrders& orders);

// Says on stderr that the script is run, and lifts it.
Result<Lifted> LiftWithin(const std::string& script, LiftOptions options, const Home& home, const RunScope& scope);

// The same in a scope of its own. `exit_code`: of the error, where there is one. REQUIRES: as of
// RunScope::Open.
Result<Lifted> LiftScript(const std::string& script, LiftOptions options, const Home& home, int* exit_code);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_LIFTED_ORDERS_H_
