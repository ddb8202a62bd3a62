// The judge: a pure function from what was observed and what is allowed to a verdict.
#ifndef CONFORM_RUNNERS_JUDGE_JUDGE_H_
#define CONFORM_RUNNERS_JUDGE_JUDGE_H_

#include <string>
#include <vector>

#include "runners/model/verdict.h"

namespace conform {

// What is known of one observed order. The caller asks pattern and model; the judge only weighs the answers.
enum class LateSet { kIn, kOut, kLimit, kNoModel };

// in_pattern: the order is among the expected ones (on time). late: what the model says of it, asked only when needed.
Standing StandingOf(bool in_pattern, LateSet late);

struct Judgement {
  Verdict verdict;
  std::string reason;  // for a person; "" for a plain pass
};

// The verdict over all tries of one case so far. REQUIRES: !tries.empty().
// One try outside decides: fail. Else one on time: pass. Else late or unknown throughout: inconclusive.
Judgement Judge(const std::vector<Try>& tries);

// After these tries, may another one still change the verdict?
bool WorthAnotherTry(const std::vector<Try>& tries, int max_tries);

}  // namespace conform

#endif  // CONFORM_RUNNERS_JUDGE_JUDGE_H_
