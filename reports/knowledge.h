// What a baseline says of the results of a report: which deviations are known, and which are new.
#ifndef CONFORM_REPORTS_KNOWLEDGE_H_
#define CONFORM_REPORTS_KNOWLEDGE_H_

#include <map>
#include <string>
#include <tuple>

#include "reports/gate.h"

namespace conform::reports {

// What a result means to whoever counts only good and bad.
enum class Outcome {
  kGood,     // pass
  kBad,      // fail, suspect, missing: something is wrong; with a baseline, also anything that is worse than it says
  kBroken,   // timeout, crash, protocol-error: there is no order to judge
  kSkipped,  // unsupported, unspecified, inconclusive: nothing is said for or against
  kKnown,    // does not pass, as the baseline says, or better than it says
};
Outcome OutcomeOf(Verdict verdict);  // without a baseline: never kKnown

// Without a baseline, nothing is known. Of one set, which has one result for each case on an implementation under a
// profile. The baseline must outlive it.
class Knowledge {
 public:
  Knowledge() = default;
  // REQUIRES: the set has kept what does not pass, and what the baseline names (Matters). Refused: entries that
  // contradict each other.
  static Result<Knowledge> Of(const ResultSet& set, const Baseline& baseline);

  // Whether what the baseline says of the result is more than that it is as its verdict says.
  static ResultSet::Keep Matters(const Baseline& baseline);

  bool has_baseline() const { return has_baseline_; }
  Outcome OutcomeOf(const CaseResult& result) const;
  // "known deviation: REASON LINK", "varies: pass (7 times) or fail (3 times); REASON LINK"; "" where nothing is known.
  std::string TextFor(const CaseResult& result) const;
  // The entry for it, or null.
  const KnownDeviation* EntryFor(const CaseResult& result) const;
  // How many results have that outcome, of those that were given to Of; none without a baseline.
  int64_t Count(Outcome outcome) const;
  int64_t improved() const { return improved_; }

 private:
  struct One {
    GateKind kind;
    const KnownDeviation* known;
  };
  const One* Find(const CaseResult& result) const;

  bool has_baseline_ = false;
  std::map<std::tuple<std::string, std::string, std::string>, One> all_;  // by case, implementation and profile
  std::map<Outcome, int64_t> counts_;
  int64_t improved_ = 0;
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_KNOWLEDGE_H_
