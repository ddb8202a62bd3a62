// Mutants of somebody's source: one small change of one statement or condition each.
#ifndef CONFORM_RUNNERS_STUDY_SOURCE_MUTANTS_H_
#define CONFORM_RUNNERS_STUDY_SOURCE_MUTANTS_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "runners/study/source_tokens.h"

namespace conform {

enum class MutantOperator {
  kRemove,  // a statement removed
  kTime,    // the same, of a statement that reads or sets the time
  kNegate,  // a condition, or one operand of it
  kShift,   // a constant one more, `<` for `<=`
  kTail,    // head for tail, next for previous
  kSwap,    // two calls in a row
};
inline constexpr std::array kMutantOperators{MutantOperator::kRemove, MutantOperator::kTime, MutantOperator::kNegate,
                                             MutantOperator::kShift,  MutantOperator::kTail, MutantOperator::kSwap};
std::string_view OperatorName(MutantOperator op);  // "remove", "time", "negate", "shift", "tail", "swap"

struct SourceMutant {
  std::string id;  // "timer.c:uv__run_timers remove uv_timer_again(handle);": the same in every run on one source
  std::string file;
  std::string function;  // "" outside of all functions
  MutantOperator op = MutantOperator::kRemove;
  int line = 0;
  SourceRange range;        // in the text of the file
  std::string replacement;  // of that range
  // What shows that the place is reached: a statement or condition, and in its stead one that ends the process.
  SourceRange probe_range;
  std::string probe;
};

// All mutants of one file, in the order of their places; no two give the same text. Left out is what only the failure
// of a system call could reach: what an `if` does before it returns an error, `assert`, and what follows a label
// such as `fail:`.
std::vector<SourceMutant> MakeSourceMutants(const std::string& file, std::string_view text, SourceLanguage language);

// The text with the range replaced. As many lines as before, unless it is inside a macro.
std::string Mutated(std::string_view text, const SourceRange& range, const std::string& replacement);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SOURCE_MUTANTS_H_
