// Which changes of a profile explain best what was observed; a search from several starts.
#ifndef CONFORM_RUNNERS_STUDY_CAUSE_SEARCH_H_
#define CONFORM_RUNNERS_STUDY_CAUSE_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runners/study/cause_evidence.h"
#include "runners/study/cause_questions.h"
#include "runners/study/rule_changes.h"

namespace conform {

// How a set of changes relates to what was observed. The marks are by observation.
struct CauseFit {
  std::vector<bool> allowed;  // all orders are in the late set
  std::vector<bool> on_time;  // all orders are in the set on time
  int64_t explained = 0;      // failing ones that are allowed
  int64_t contradicted = 0;   // passing ones that are not
  int64_t without_delay = 0;  // that are on time

  int64_t value() const { return explained - kPenalty * contradicted; }
  bool operator==(const CauseFit&) const = default;

  static constexpr int64_t kPenalty = 2;
};

struct CauseSearchSettings {
  size_t most_causes;
  int jobs;
  const std::vector<Profile>& releases;  // that the implementation may be as a whole
  const std::function<void(const std::string& what, size_t done, size_t all)>& progress;
  const std::function<bool()>& stopped;
};

class CauseSearch {
 public:
  using Changes = std::vector<RuleChange>;

  // All must outlive this.
  CauseSearch(const CauseEvidence& evidence, const std::vector<RuleChange>& hypotheses, CauseSearchSettings settings,
              CauseQuestions* questions);

  struct Found {
    Changes changes;
    CauseFit fit;
    const Profile* release = nullptr;  // whose values the search began with, where that was the best start
    bool at_limit = false;             // there were as many changes as there may be
  };
  Found Find() const;

  CauseFit FitOf(const Changes& changes) const { return FitOf(evidence_, changes, &questions_); }
  static CauseFit FitOf(const CauseEvidence& evidence, const Changes& changes, CauseQuestions* questions);
  // Whether the orders of an observation are in the late set.
  bool Allows(CauseQuestions::Changed& changed, size_t index) const {
    return Allows(evidence_, changed, index, &questions_);
  }
  // A rule has one value: the newest change of it counts.
  static Changes With(Changes changes, const RuleChange& change);
  static Changes Without(Changes changes, const RuleChange& change);

 private:
  enum class Values { kOfReleases, kAll };

  Found Start(Changes changes, const Profile* release) const;
  static bool Allows(const CauseEvidence& evidence, CauseQuestions::Changed& changed, size_t index,
                     CauseQuestions* questions);
  bool GivesOnTime(CauseQuestions::Changed& changed, size_t index) const;
  // The gain in value of `change` over `fit`, which is that of some of `changes`. Where it is at most 0, it may be
  // less.
  int64_t GainOf(const Changes& changes, const CauseFit& fit, const RuleChange& change) const;
  // How many more observations the change puts on time; 0 where it lowers the value.
  int64_t GainOnTime(const Found& found, const RuleChange& change) const;
  bool HasAlone(const RuleChange& change) const;
  int64_t CostOf(const Found& found) const;
  bool IsBetter(const Found& a, const Found& b) const;

  // The hypotheses that may be taken now. `avoided`: a change that may not.
  std::vector<size_t> Candidates(const Found& found, Values values, const RuleChange* avoided) const;
  void Grow(Found* found, Values values, const RuleChange* avoided) const;
  void GrowOnTime(Found* found, const RuleChange* avoided) const;
  // Takes two changes at once, where no single one gains; false where no two do.
  bool TakePair(Found* found) const;
  void Drop(Found* found) const;
  void Improve(Found* found) const;
  bool FitsAll(const Found& found) const;
  bool TakeBetterNeighbour(Found* found) const;
  // The release whose values have the largest value together; nothing where none has any.
  std::optional<Found> StartOfRelease() const;

  const CauseEvidence& evidence_;
  const std::vector<RuleChange>& hypotheses_;
  const CauseSearchSettings settings_;
  CauseQuestions& questions_;
  CauseFit unchanged_;  // that of no changes
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_CAUSE_SEARCH_H_
