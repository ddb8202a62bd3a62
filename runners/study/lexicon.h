// What random programs are made of: the steps that a family has at a version and that have a model, and how they fit
// together.
#ifndef CONFORM_RUNNERS_STUDY_LEXICON_H_
#define CONFORM_RUNNERS_STUDY_LEXICON_H_

#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/profile.h"
#include "runners/model/step.h"

namespace conform {

// A step that can be written: `timeout`, `timeout as promise`, `on uncaught`.
struct Word {
  Op op = Op::kLog;
  std::string kind = "";
  std::string event = "";
  int weight = 1;  // how often, compared with the others

  // As among the capabilities of a profile.
  std::string Name() const;
};

struct Lexicon {
  std::string family;
  std::vector<Word> words;     // in the order of the profile; then those that every family has
  std::vector<Entry> entries;  // the script comes first
  bool modules_pause = false;  // an `esm` entry may pause in its main body

  const Word* Find(Op op) const;  // the first of the op, or null
};

// All that the family has at `version` and that is modelled. With names in `only`, no more than those of them, and
// what every family has (`log`, `busy`, `only`, `again`).
// Error: a name that is not among them, with the nearest one; or there is no callback that stands alone.
Result<Lexicon> LexiconOf(const ProfileFamily& family, const Version& version, const std::vector<std::string>& only);

// Does the label of the step name a promise? It does for `then A`, and for `timeout A 5 as promise`.
bool MakesPromise(const Step& step);

// Can `of NAME`, `to NAME` or NAME of the word mean what `maker` makes? What a family cannot do has no meaning there:
// nothing is started again that is a promise, and nothing that is a request is unreferenced.
bool CanReferTo(const std::string& family, const Word& word, const Step& maker);
// The same for `with NAME`.
bool CanReferWith(const Step& maker);

// Does it make its target run again? Programs without an end come of that.
bool RunsTargetAgain(Op op);

// Delays that ask something: ties, gaps, parts of a millisecond, and what the family takes instead of a number.
const std::vector<std::string>& DelaysOf(const std::string& family);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_LEXICON_H_
