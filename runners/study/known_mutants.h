// spec/source-mutants.yaml: what is known of mutants of real sources, each with its reason.
#ifndef CONFORM_RUNNERS_STUDY_KNOWN_MUTANTS_H_
#define CONFORM_RUNNERS_STUDY_KNOWN_MUTANTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

// Some mutants, by their ids, in which `*` stands for any text.
struct KnownMutants {
  enum class Kind {
    kOutside,     // not a mutant of the loop at all: it is not made
    kEquivalent,  // no program can distinguish it from what it was made of
    kBeyond,      // a program could, but not one that can be written as a case
  };
  Kind kind = Kind::kOutside;
  std::vector<std::string> mutants;
  std::string reason;
  Location at;

  bool Covers(std::string_view id) const;
};
std::string_view KnownName(KnownMutants::Kind kind);  // "outside", "equivalent", "beyond"

// The entries for the sources of `of`, such as "libuv". Errors carry file, line and column.
Result<std::vector<KnownMutants>> ParseKnownMutants(const std::string& text, const std::string& file,
                                                    std::string_view of);

// The first entry that covers the mutant, or null.
const KnownMutants* FindKnown(const std::vector<KnownMutants>& entries, std::string_view id);

// `*` in `glob` stands for any text, and everything else for itself.
bool MatchesGlob(std::string_view glob, std::string_view text);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_KNOWN_MUTANTS_H_
