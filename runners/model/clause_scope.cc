#include "runners/model/clause_scope.h"

#include "runners/base/text.h"
#include "runners/model/version.h"

namespace conform {

bool HoldsFor(const Clause& clause, std::string_view profile) {
  const size_t at = profile.find('@');
  if (at == profile.npos) return true;
  const auto version = Version::Parse(profile.substr(at + 1));
  if (!version) return true;
  // The parser has checked that a family and a version follow each `since` and `until`.
  const std::vector<std::string> words = Split(clause.applies, ' ');
  for (size_t i = 0; i + 2 < words.size(); ++i) {
    const bool since = words[i] == "since", until = words[i] == "until";
    if ((!since && !until) || words[i + 1] != profile.substr(0, at)) continue;
    const auto boundary = Version::Parse(words[i + 2]);
    if (boundary && (since ? *version < *boundary : *version >= *boundary)) return false;
  }
  return true;
}

}  // namespace conform
