// spec/mutants.yaml: mutants that no program can distinguish from the correct loop, and cases that are kept although
// others notice all that they notice; each with its reason.
#ifndef CONFORM_RUNNERS_STUDY_EQUIVALENT_MUTANTS_H_
#define CONFORM_RUNNERS_STUDY_EQUIVALENT_MUTANTS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/mutants.h"
#include "runners/base/result.h"
#include "runners/model/version.h"

namespace conform {

// One entry: all mutants of one rule (of a family, inside a range of versions, to one of some values).
struct Equivalent {
  std::string family;
  std::string rule;
  VersionRange range;               // every version that the mutant changes lies in it
  std::vector<std::string> values;  // empty: any
  std::string reason;
  Location at;

  bool Covers(const reference::Mutant& mutant) const;
};

struct MutantsFile {
  std::vector<Equivalent> equivalent;
  std::map<std::string, std::string> kept;  // the id of a case, and what it is for
};

// The file `text`. Errors carry file, line and column.
Result<MutantsFile> ParseMutantsFile(const std::string& text, const std::string& file);

// The entry that covers the mutant, or null.
const Equivalent* FindEquivalent(const std::vector<Equivalent>& entries, const reference::Mutant& mutant);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_EQUIVALENT_MUTANTS_H_
