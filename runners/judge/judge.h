// The judge: a pure function from what was observed and what is allowed to a verdict.
#ifndef CONFORM_RUNNERS_JUDGE_JUDGE_H_
#define CONFORM_RUNNERS_JUDGE_JUDGE_H_

#include <string>
#include <vector>

#include "runners/model/verdict.h"

namespace conform {

// What is known of one observed order. The caller asks pattern and model; the judge only weighs the answers.
enum class LateSet {
  kOnTime,   // the model gives it without any delay
  kIn,       // some delay explains it
  kRefuted,  // some delay explains it, but none that the times of the run allow
  kOut,      // no delay explains it
  kLimit,
  kNoModel,
};

// in_pattern: the order is among the expected ones (on time). late: what the model says of it, asked only when needed.
Standing StandingOf(bool in_pattern, LateSet late);

struct Judgement {
  Verdict verdict;
  Basis basis;
  std::string reason;  // for users; "" for a plain pass
};

// Where a case rests on repetition: a wrong order has to come in this many fresh processes, half of them disturbed. And
// where every try is late and calm: so many tries are a reason to suspect the implementation.
inline constexpr int kRepetitions = 20;
// A wait without end, or a spin, that was only seen from outside has to be seen in this many fresh processes.
inline constexpr int kConfirmations = 3;

// The verdict over all tries of one case so far. `basis`: what a failure of the case rests on, proof (it has a model),
// repetition (it has none, and states that nothing in it depends on time) or nothing. REQUIRES: !tries.empty().
// One try outside decides: fail; a wait that too few processes have shown: suspect. Else one on time: pass. Else what
// the times of a run refute: suspect. Else, by repetition, a wrong order throughout: fail; late throughout and always
// calm: suspect. Else inconclusive.
Judgement Judge(const std::vector<Try>& tries, Basis basis);

// After these tries, may another one still change the verdict? `max_tries` bounds the tries that are late; 1 means that
// nothing is tried again.
bool WorthAnotherTry(const std::vector<Try>& tries, Basis basis, int max_tries);

// In tries to confirm something by repetition, every other one is disturbed.
bool IsDisturbed(size_t number_of_try, Basis basis);

}  // namespace conform

#endif  // CONFORM_RUNNERS_JUDGE_JUDGE_H_
