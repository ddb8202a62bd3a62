// How much a case can be relied on: many runs of it, with and without load.
#ifndef CONFORM_RUNNERS_STUDY_VERIFY_H_
#define CONFORM_RUNNERS_STUDY_VERIFY_H_

#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "runners/model/verdict.h"

namespace conform {

// How much a case can be relied on, from best to worst.
enum class Stability {
  kStable,   // one order in all runs, and it is expected
  kVaries,   // several orders, all of them expected
  kLate,     // some runs gave an order that only a delay explains
  kRefuted,  // several orders, although the case states that nothing in it depends on time
  kWrong,    // an order that no delay explains, or a run that did not end as it should
  kNotRun,   // unsupported, or nothing is expected of this version
};
inline constexpr std::array kStabilities{Stability::kStable,  Stability::kVaries, Stability::kLate,
                                         Stability::kRefuted, Stability::kWrong,  Stability::kNotRun};
std::string_view StabilityName(Stability stability);  // "stable", "varies", "late", "refuted", "wrong", "not run"

// One case on one implementation, with and without load.
struct Verified {
  CaseResult calm;
  CaseResult disturbed;

  Stability stability() const;
  std::set<Order> Orders() const;  // of all runs, as far as they went
};

struct VerifyReport {
  std::vector<Verified> all;

  int64_t Count(Stability stability) const;
  // 1 where something is wrong or refuted; with `strict`, also where something is late.
  int ExitCode(bool strict) const;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_VERIFY_H_
