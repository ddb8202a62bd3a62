// Random programs, valid by construction: what `conform fuzz` runs.
#ifndef CONFORM_RUNNERS_STUDY_PROGRAM_GENERATOR_H_
#define CONFORM_RUNNERS_STUDY_PROGRAM_GENERATOR_H_

#include <cstdint>
#include <string>

#include "runners/model/case.h"
#include "runners/study/lexicon.h"

namespace conform {

// Raised whenever the programs of a seed change.
inline constexpr int kGeneratorVersion = 2;

inline constexpr int kLeastCallbacks = 3;
inline constexpr int kMostCallbacks = 12;

class ProgramGenerator {
 public:
  ProgramGenerator(Lexicon lexicon, uint64_t seed) : lexicon_(std::move(lexicon)), seed_(seed) {}

  // Program `number` of the seed, counted from 1: the same bytes on every machine, however many others are made. Its
  // case expects nothing. It ends by itself in the model's time, but for libuv, whose adapter notices a wait without an
  // end.
  Case Make(int64_t number) const;

 private:
  const Lexicon lexicon_;
  const uint64_t seed_;
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
