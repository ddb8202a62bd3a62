// Mutants: the reference loop with one thing wrong. A catalogue that notices each of them says something about loops.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_MUTANTS_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_MUTANTS_H_

#include <optional>
#include <string>
#include <vector>

#include "runners/model/profile.h"

namespace conform::reference {

struct Mutant {
  enum class Kind {
    kFlip,       // over a whole stretch of versions, a rule has a value of another stretch
    kBoundary,   // a rule changes one step too early or too late
    kDeviation,  // a rule has a value that no release has
  };
  Kind kind = Kind::kFlip;
  std::string id;      // "node:drain=tick-depth@11.0.0", "node:drain@11.0.0:later", "node:tick-order=newest-first"
  std::string family;  // whose cases have to notice
  std::string rule;
  std::string value;  // that it has, wrongly
  Version from;       // the versions at which it has it
  std::optional<Version> to;
  std::string clause;    // that describes what is wrong
  std::string sentence;  // what is wrong

  bool Touches(const Profile& profile) const;
  // REQUIRES: Touches(profile).
  Profile Break(Profile profile) const;
};

// Every rule of every family, those of its base among them, over each stretch of versions in which it has one value, at
// each other value that it has somewhere, and where a family is held to its documentation, broken; each boundary of
// each rule, one step to either side; and every deviation of the rules of the family itself. A step is a stretch of
// versions over which no rule of the family changes. None twice.
std::vector<Mutant> AllMutants(const Profiles& profiles);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_MUTANTS_H_
