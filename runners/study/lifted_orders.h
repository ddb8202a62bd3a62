// What the model says about a script that was lifted: its orders, release by release, and whether a test may assert
// one.
#ifndef CONFORM_RUNNERS_STUDY_LIFTED_ORDERS_H_
#define CONFORM_RUNNERS_STUDY_LIFTED_ORDERS_H_

#include <optional>
#include <string>
#include <vector>

#include "runners/lift/lift.h"
#include "runners/model/profile.h"
#include "runners/study/exploring.h"
#include "runners/study/home.h"

namespace conform {

// A stretch of releases with the same orders on time.
struct LiftedSpan {
  Version since;
  std::vector<Order> orders;  // the first kMaxLiftedOrders of them
  SetSize size;
  std::vector<std::string> changed_by;  // rules; empty for the first
};
inline constexpr size_t kMaxLiftedOrders = 20;

struct LiftedOrders {
  std::vector<LiftedSpan> spans;     // oldest first; empty where the model cannot run the program
  std::string not_modelled;          // why
  std::optional<Order> unexplained;  // the first order that a run showed and no delay explains
  std::vector<std::string> unknown;  // labels of callbacks that ran in no run, and that the model lets run
  bool complete = true;              // no limit was hit
};

// Without the labels that were made up.
Automaton WithoutMadeUp(const Automaton& orders, const Lifted& lifted);

LiftedOrders OrdersByRelease(const Lifted& lifted, const Profiles& profiles, const ChosenLimits& limits);

// The case as a file: the program, and what the model expects of it.
std::string CaseFileOf(const Lifted& lifted, const LiftedOrders& orders);

// Says on stderr that the script is run, and lifts it. `exit_code`: of the error, where there is one. REQUIRES: as of
// RunScope::Open.
Result<Lifted> LiftScript(const std::string& script, LiftOptions options, const Home& home, int* exit_code);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_LIFTED_ORDERS_H_
