// Which rules a program brings together: what two rules do beside each other shows where no case has both.
#ifndef CONFORM_RUNNERS_STUDY_RULE_PAIRS_H_
#define CONFORM_RUNNERS_STUDY_RULE_PAIRS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference-impl/explore/model.h"
#include "runners/model/case.h"

namespace conform {

class RulePairs {
 public:
  // Of the cases that have a model in the family of the profile: the rules that a run of each reads under it.
  RulePairs(const Profile& profile, const std::vector<Case>& cases);

  // How many pairs a run of the program reads that no case has.
  int64_t NewPairsOf(const Case& c) const;
  // A name for what the cases have: equal for equal pairs.
  std::string Digest() const;

 private:
  reference::RuleSet ReadBy(const Case& c) const;

  const reference::Model model_;
  std::vector<reference::RuleSet> beside_;  // by rule: those that are read in some case that reads it
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_RULE_PAIRS_H_
