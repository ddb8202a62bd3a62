#include "runners/judge/judge.h"

#include <algorithm>

#include "runners/base/check.h"

namespace conform {
namespace {

bool Ended(const Try& one) { return one.trouble.empty(); }
bool EndedAs(const Try& one, Standing standing) { return Ended(one) && one.standing == standing; }

std::string Of(size_t part, size_t all) {
  if (all == 1) return "on the only try";
  if (part == all) return "on each of " + std::to_string(all) + " tries";
  return "on " + std::to_string(part) + " of " + std::to_string(all) + " tries";
}

// Why nothing could be decided: how many tries were late, how many the model could not place, and how many did not end.
std::string WhyInconclusive(const std::vector<Try>& tries) {
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

}  // namespace

Standing StandingOf(bool in_pattern, LateSet late) {
  if (in_pattern) return Standing::kOnTime;
  switch (late) {
    case LateSet::kIn:
      return Standing::kLate;
    case LateSet::kOut:
      return Standing::kOutside;
    case LateSet::kLimit:
    case LateSet::kNoModel:
      // A failure is a proof, and there is none.
      return Standing::kUnknown;
  }
  CONFORM_CHECK(false);
}

Judgement Judge(const std::vector<Try>& tries) {
  CONFORM_CHECK(!tries.empty());
  const auto outside =
      std::find_if(tries.begin(), tries.end(), [](const Try& one) { return EndedAs(one, Standing::kOutside); });
  if (outside != tries.end()) {
    return {Verdict::kFail, "no delay of any length explains " + OrderToString(outside->trace.ToOrder())};
  }
  const auto on_time =
      std::find_if(tries.begin(), tries.end(), [](const Try& one) { return EndedAs(one, Standing::kOnTime); });
  if (on_time == tries.end()) return {Verdict::kInconclusive, WhyInconclusive(tries)};
  if (on_time == tries.begin()) return {Verdict::kPass, ""};
  return {Verdict::kPass, "on time at try " + std::to_string(on_time - tries.begin() + 1)};
}

bool WorthAnotherTry(const std::vector<Try>& tries, int max_tries) {
  if (static_cast<int64_t>(tries.size()) >= max_tries) return false;
  return std::none_of(tries.begin(), tries.end(), [](const Try& one) {
    return EndedAs(one, Standing::kOutside) || EndedAs(one, Standing::kOnTime);
  });
}

}  // namespace conform
