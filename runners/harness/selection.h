// Which cases are meant: ids, folders, globs and files, as a user writes them.
#ifndef CONFORM_RUNNERS_HARNESS_SELECTION_H_
#define CONFORM_RUNNERS_HARNESS_SELECTION_H_

#include <functional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"
#include "runners/model/renamed.h"

namespace conform {

// A case, and the word that means it on the command line: its id, or the file that it was read from.
struct SelectedCase {
  Case c;
  std::string reference;
  bool named = false;  // by its id or file, not as one of many
};

struct Selection {
  std::vector<SelectedCase> cases;  // of the catalogue in its order, then files in the order of the words; none twice
  std::vector<Error> errors;        // words that mean nothing, and files that cannot be read
  std::vector<std::string> notes;   // old ids among the words, and what they were renamed to
};

// `words`: an id (`timers/x`), a folder (`timers/` or `timers`), a glob (`timers/*-list`), a file (`x.yaml`), or a
// script (`x.js`, `x.mjs`, …), which is a native case that expects nothing, or a program (`timeout A 0; immediate B`).
// No word means the whole catalogue. `folder` is where the catalogue was read from: a file in it is the case of that
// id. Errors of the catalogue count only where the words mean those files. A word that only an old id matches means the
// case that was renamed.
// `hint_for` gives a hint for a word that means nothing; without one, or where it is "", the nearest id is named.
using HintFor = std::function<std::string(const std::string& word)>;
Selection SelectCases(const Catalogue& catalogue, const std::string& folder, const std::vector<std::string>& words,
                      const RenamedIds& renamed = {}, const HintFor& hint_for = nullptr);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_SELECTION_H_
