#include "runners/judge/judge.h"

#include <algorithm>

#include "runners/base/check.h"

namespace conform {
namespace {

using Tries = std::vector<Try>;

bool Ended(const Try& one) { return one.trouble.empty(); }
bool EndedAs(const Try& one, Standing standing) { return Ended(one) && one.standing == standing; }

const Try* FirstAs(const Tries& tries, Standing standing) {
  const auto found = std::find_if(tries.begin(), tries.end(), [&](const Try& one) { return EndedAs(one, standing); });
  return found == tries.end() ? nullptr : &*found;
}

bool AllAs(const Tries& tries, Standing standing) {
  return std::all_of(tries.begin(), tries.end(), [&](const Try& one) { return EndedAs(one, standing); });
}

std::string OrderOf(const Try& one) { return OrderToString(one.trace.ToOrder()); }

// What was seen of a process from outside counts when enough fresh ones have shown it.
template <typename Is>
const Try* Confirmed(const Tries& tries, const Is& is) {
  int processes = 0;
  for (const Try& one : tries) {
    if (!is(one)) continue;
    processes += one.seen.empty() ? kConfirmations : one.processes;
    if (processes >= kConfirmations) return &one;
  }
  return nullptr;
}

const Try* DecisiveOutside(const Tries& tries) {
  return Confirmed(tries, [](const Try& one) { return EndedAs(one, Standing::kOutside); });
}

// Without a model: it waits forever where that is not expected.
const Try* DecisiveWait(const Tries& tries) {
  return Confirmed(tries, [](const Try& one) { return EndedAs(one, Standing::kUnknown) && !one.seen.empty(); });
}

bool IsUnconfirmed(const Try& one) {
  const bool counts = EndedAs(one, Standing::kOutside) || EndedAs(one, Standing::kUnknown) || !Ended(one);
  return counts && !one.seen.empty();
}

int Processes(const Tries& tries) {
  int processes = 0;
  for (const Try& one : tries) processes += IsUnconfirmed(one) ? one.processes : 0;
  return processes;
}

// The wrong order in every fresh process, half of them disturbed.
bool IsRepeated(const Tries& tries) {
  const auto disturbed = std::count_if(tries.begin(), tries.end(), [](const Try& one) { return one.disturbed; });
  return std::ssize(tries) >= kRepetitions && 2 * disturbed >= kRepetitions && AllAs(tries, Standing::kUnknown);
}

bool IsLateAndCalm(const Tries& tries) {
  return AllAs(tries, Standing::kLate) &&
         std::all_of(tries.begin(), tries.end(), [](const Try& one) { return one.calm; });
}

std::string Of(size_t part, size_t all) {
  if (all == 1) return "on the only try";
  if (part == all) return "on each of " + std::to_string(all) + " tries";
  return "on " + std::to_string(part) + " of " + std::to_string(all) + " tries";
}

// Why nothing could be decided: how many tries were late, how many the model could not place, and how many did not end.
std::string WhyInconclusive(const Tries& tries) {
  size_t late = 0, unknown = 0, troubled = 0;
  const Try* last_trouble = nullptr;
  for (const Try& one : tries) {
    if (!Ended(one)) {
      ++troubled;
      last_trouble = &one;
    } else if (one.standing == Standing::kLate) {
      ++late;
    } else {
      ++unknown;
    }
  }
  std::string reason;
  const auto add = [&](std::string_view what, size_t count) {
    if (count == 0) return;
    if (!reason.empty()) reason += ", ";
    reason.append(what).append(" ").append(Of(count, tries.size()));
  };
  add("late", late);
  add("not expected, and not decided by the model,", unknown);
  add("no end", troubled);
  if (last_trouble != nullptr) reason.append(": ").append(last_trouble->trouble);
  return reason;
}

// No try was outside or on time.
Judgement JudgeTheRest(const Tries& tries, Basis basis) {
  if (const Try* refuted = FirstAs(tries, Standing::kRefuted)) {
    return {Verdict::kSuspect, Basis::kTimes,
            "only a delay explains " + OrderOf(*refuted) + ", and the times of the run rule that delay out"};
  }
  if (const Try* wait = DecisiveWait(tries)) {
    const std::string reason = wait->seen + ", in " + std::to_string(Processes(tries)) + " fresh processes";
    if (basis == Basis::kRepetition) return {Verdict::kFail, basis, reason};
    return {Verdict::kTimeout, basis, reason};
  }
  if (basis == Basis::kRepetition && IsRepeated(tries)) {
    return {Verdict::kFail, basis,
            "nothing in the case depends on time, and none of " + std::to_string(tries.size()) +
                " fresh processes, half of them disturbed, gives an expected order"};
  }
  if (const Try* one = FirstAs(tries, Standing::kContradiction)) {
    return {Verdict::kInconclusive, basis,
            "the pattern contradicts the model, which gives " + OrderOf(*one) + " on time: see conform lint"};
  }
  if (IsLateAndCalm(tries) && std::ssize(tries) >= kRepetitions) {
    return {Verdict::kSuspect, Basis::kRepetition,
            "late " + Of(tries.size(), tries.size()) + ", although nothing in them was slow"};
  }
  return {Verdict::kInconclusive, basis, WhyInconclusive(tries)};
}

}  // namespace

Standing StandingOf(bool in_pattern, LateSet late) {
  if (in_pattern) return Standing::kOnTime;
  switch (late) {
    case LateSet::kOnTime:
      return Standing::kContradiction;
    case LateSet::kIn:
      return Standing::kLate;
    case LateSet::kRefuted:
      return Standing::kRefuted;
    case LateSet::kOut:
      return Standing::kOutside;
    case LateSet::kLimit:
    case LateSet::kNoModel:
      // A failure is a proof, and there is none.
      return Standing::kUnknown;
  }
  CONFORM_CHECK(false);
}

Judgement Judge(const std::vector<Try>& tries, Basis basis) {
  CONFORM_CHECK(!tries.empty());
  if (const Try* outside = DecisiveOutside(tries)) {
    std::string reason = "no delay of any length explains " + OrderOf(*outside);
    if (!outside->seen.empty()) reason += ": " + outside->seen;
    return {Verdict::kFail, Basis::kProof, std::move(reason)};
  }
  if (const Try* once = FirstAs(tries, Standing::kOutside)) {
    return {Verdict::kSuspect, Basis::kRepetition, once->seen + ", but not in every fresh process"};
  }
  const Try* on_time = FirstAs(tries, Standing::kOnTime);
  if (on_time == nullptr) return JudgeTheRest(tries, basis);
  if (on_time == &tries.front()) return {Verdict::kPass, basis, ""};
  return {Verdict::kPass, basis, "on time at try " + std::to_string(on_time - &tries.front() + 1)};
}

bool WorthAnotherTry(const std::vector<Try>& tries, Basis basis, int max_tries) {
  if (tries.empty()) return max_tries > 0;
  if (max_tries == 1) return false;
  if (FirstAs(tries, Standing::kOnTime) != nullptr || FirstAs(tries, Standing::kContradiction) != nullptr) return false;
  if (DecisiveOutside(tries) != nullptr) return false;
  if (IsUnconfirmed(tries.back())) return Processes(tries) < kConfirmations;
  const bool by_repetition = basis == Basis::kRepetition && AllAs(tries, Standing::kUnknown);
  const bool goes_on = by_repetition || IsLateAndCalm(tries);
  return std::ssize(tries) < (goes_on ? std::max(max_tries, kRepetitions) : max_tries);
}

bool IsDisturbed(size_t number_of_try, Basis basis) { return basis == Basis::kRepetition && number_of_try % 2 == 1; }

}  // namespace conform
