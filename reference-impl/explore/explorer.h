// Exploring: every order that the reference loop allows for a program under a profile. No I/O; threads only where the
// limits allow more than one; the only clock is that of the processor, for a limit.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_EXPLORER_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_EXPLORER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/model.h"
#include "reference-impl/explore/run.h"
#include "reference-impl/platform/sim_clock.h"
#include "runners/base/result.h"
#include "runners/model/automaton.h"
#include "runners/model/case.h"
#include "runners/model/profile.h"

namespace conform::reference {

struct Exploration {
  Automaton orders;  // the set of allowed orders
  bool complete = true;
  std::string limit_hit;  // the name of the limit, when !complete
  int64_t runs = 0;
  int64_t states = 0;  // distinct states at choice points
};

// A rule that a profile lacks, or a value that the reference loop does not know, at any version where a rule changes or
// among the deviations.
std::optional<Error> CheckRules(const Profiles& profiles);

// Whether the reference loop has a host for this family alone. The others share the one for loops that are held to
// their documentation.
bool HasRecipeOfItsOwn(const std::string& family);
// All that have one. The first is meant where a program or a pattern names no family.
const std::vector<std::string>& FamiliesWithRecipe();

// Why the reference loop cannot run this program as that family (`child`, a native case, …), or nothing. Apart from
// what the profile lacks.
std::optional<std::string> NotModelled(const Case& c, const std::string& family);

// The first delay of the program that the family does not have (`Infinity` in libuv), or nothing. NotModelled names it
// too; this says where it is.
std::optional<Error> StrangeDelay(const Case& c, const std::string& family);

// Why the program cannot be explored under the profile, or nothing: a step that the profile lacks, with the hint
// `of_lacking`, or one that has no model. REQUIRES: `profiles` has the family of the profile.
std::optional<Error> WhyNotExplored(const Profiles& profiles, const Case& c, const Profile& profile,
                                    const std::string& of_lacking);

// REQUIRES for all below: !NotModelled(c, profile.family), and the profile's family supports the case.

// The whole set. It is the same with any number of threads; how its automaton numbers states is not.
Exploration Explore(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits = {},
                    RunsFrom from = RunsFrom::kLastRest);

// One run in virtual time that takes the choices of `path` (0 after its end).
// Error: an index that is not among the alternatives at that point.
Result<ModelRun> Replay(const Case& c, const Model& model, Timing timing, const std::vector<int>& path,
                        const ExploreLimits& limits = {});

// A shortest-path witness for each order, in the order of Exploration::orders.Enumerate(): a run that gives exactly it.
// Orders for which the limits end the search are absent.
std::vector<ModelRun> Explain(const Case& c, const Model& model, Timing timing, const std::vector<Order>& orders,
                              const ExploreLimits& limits = {});

// Can the model give exactly this order? Walks along the order and prunes at the first wrong label.
enum class Membership { kIn, kOut, kLimit };
Membership CanGive(const Case& c, const Model& model, Timing timing, const Order& order,
                   const ExploreLimits& limits = {});

// The same with delays, and with the times that a real run recorded: can the model give the order of `recorded` late,
// so that each reading of the clock lies between the times of the labels around it? REQUIRES: recorded.start_ns.
Membership CanGiveInItsTime(const Case& c, const Model& model, const Trace& recorded, const ExploreLimits& limits = {});

// One run for real: system clock, epoll, threads. Ends after `deadline_ms` at the latest, with limit_hit set then.
ModelRun RunForReal(const Case& c, const Model& model, int64_t deadline_ms);

// One run in virtual time with choices drawn from `seed`; seed 0 takes the first alternative everywhere.
ModelRun RunInVirtualTime(const Case& c, const Model& model, uint64_t seed, const ExploreLimits& limits = {});

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_EXPLORER_H_
