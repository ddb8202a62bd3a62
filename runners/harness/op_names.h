// The names that the `ops` of a ready may have. spec/adapter-protocol.md
#ifndef CONFORM_RUNNERS_HARNESS_OP_NAMES_H_
#define CONFORM_RUNNERS_HARNESS_OP_NAMES_H_

#include <string>
#include <vector>

#include "runners/model/case.h"
#include "runners/model/profile.h"

namespace conform {

// Names that some profile or some case uses: capabilities beside the ops of the language.
std::vector<std::string> Vocabulary(const Profiles& profiles, const std::vector<Case>& cases);

// Those of `ops` that are not known, each in quotes and with the nearest that is; at most five.
std::vector<std::string> UnknownOps(const std::vector<std::string>& ops, const std::vector<std::string>& vocabulary);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_OP_NAMES_H_
