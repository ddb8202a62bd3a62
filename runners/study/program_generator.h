// Random programs, valid by construction: what `conform fuzz` runs.
#ifndef CONFORM_RUNNERS_STUDY_PROGRAM_GENERATOR_H_
#define CONFORM_RUNNERS_STUDY_PROGRAM_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "runners/model/case.h"
#include "runners/study/lexicon.h"
#include "runners/study/rule_pairs.h"

namespace conform {

// Raised whenever the programs of a seed change.
inline constexpr int kGeneratorVersion = 3;

inline constexpr int kLeastCallbacks = 3;
inline constexpr int kMostCallbacks = 12;

class Dice;

class ProgramGenerator {
 public:
  // With `pairs`, a program is the one of several that were drawn that has the most new pairs of rules; the first of
  // equals.
  ProgramGenerator(Lexicon lexicon, uint64_t seed, std::shared_ptr<const RulePairs> pairs = nullptr)
      : lexicon_(std::move(lexicon)), seed_(seed), pairs_(std::move(pairs)) {}

  // Program `number` of the seed, counted from 1: the same bytes on every machine, however many others are made. Its
  // case expects nothing. It ends by itself in the model's time, but for libuv, whose adapter notices a wait without an
  // end.
  Case Make(int64_t number) const;
  // A name for what the programs are weighted by; "" for nothing.
  std::string Weights() const { return pairs_ == nullptr ? "" : pairs_->Digest(); }

 private:
  Case Draw(int64_t number, Dice& dice) const;

  const Lexicon lexicon_;
  const uint64_t seed_;
  const std::shared_ptr<const RulePairs> pairs_;
};

// Those that have a label. What closes servers and connections in the end has none.
int CountCallbacks(const Program& program);

// The text of a case file with this program. `expect`: the lines below `expect:`, or the pattern behind it.
std::string CaseFileText(const Case& c, const std::string& expect);

// A program as a case that expects nothing, with all else as in `like`. It is read back from the text of its file, so
// that what runs is what a file says. Error: the program is not valid.
Result<Case> CaseOf(const Case& like, const Program& program);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_PROGRAM_GENERATOR_H_
