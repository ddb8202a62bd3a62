// What the model says of observed orders under changes of a profile. Nothing is asked twice: an answer holds for every
// set of changes that leaves the rules alone which were read for it.
#ifndef CONFORM_RUNNERS_STUDY_CAUSE_QUESTIONS_H_
#define CONFORM_RUNNERS_STUDY_CAUSE_QUESTIONS_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/model.h"
#include "runners/study/cause_evidence.h"
#include "runners/study/rule_changes.h"

namespace conform {

// Several threads may ask at once.
class CauseQuestions {
 public:
  // The evidence must outlive this.
  explicit CauseQuestions(const CauseEvidence& evidence);

  // The profile with some changes, at most one of each rule; and what is known of it.
  class Changed;
  Changed& With(const std::vector<RuleChange>& changes);

  // Where the orders of the observation `index` lie: kOut if one is outside the set, kIn if all are inside.
  reference::Membership Late(Changed& changed, size_t index) { return Find(changed, index, reference::Timing::kLate); }
  reference::Membership OnTime(Changed& changed, size_t index) {
    return Find(changed, index, reference::Timing::kOnTime);
  }

  // How many observations the model was really asked about.
  int64_t asked() const { return asked_; }

 private:
  // Answers that rest on the same rules, by the values that these have.
  struct Known {
    reference::RuleSet read;
    std::unordered_map<std::string, reference::Membership> answers;
  };
  struct NumberedChange {
    size_t rule;
    uint16_t number;
    RuleChange change;
  };
  // Of one observation.
  struct Memory {
    std::mutex mutex;
    std::vector<Known> known;
  };

  reference::Membership Find(Changed& changed, size_t index, reference::Timing timing);
  reference::Membership Ask(Changed& changed, size_t index, reference::Timing timing, reference::RuleSet* read);

  const CauseEvidence& evidence_;
  const reference::Model model_;
  std::vector<Memory> late_;     // by observation
  std::vector<Memory> on_time_;  // likewise
  std::atomic<int64_t> asked_{0};
  std::mutex mutex_;                                         // of what follows
  std::map<std::string, NumberedChange> numbered_;           // by name
  std::map<std::string, std::unique_ptr<Changed>> changed_;  // by the changes
};

class CauseQuestions::Changed {
 public:
  // `changes`: in the order of their numbers. All must outlive this.
  Changed(const Profile& profile, std::vector<const NumberedChange*> changes, size_t observations)
      : profile_(profile), changes_(std::move(changes)), late_(observations), on_time_(observations) {}

  // Such a loop goes round without an end, which takes long to find out each time: it is asked nothing more.
  bool spins() const { return limits_hit_ >= kMostLimitsHit; }

 private:
  friend class CauseQuestions;
  static constexpr int kMostLimitsHit = 2;

  using Answers = std::vector<std::atomic<char>>;  // by observation; 0: not known

  // The rules are read when they are needed, which is seldom.
  const reference::Model& model();
  // The values of those rules that are in `read`.
  std::string ValuesOf(const reference::RuleSet& read) const;
  Answers& answers(reference::Timing timing) { return timing == reference::Timing::kLate ? late_ : on_time_; }

  const Profile& profile_;
  const std::vector<const NumberedChange*> changes_;
  std::once_flag once_;
  std::optional<reference::Model> model_;
  Answers late_;
  Answers on_time_;
  std::atomic<int> limits_hit_{0};
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_CAUSE_QUESTIONS_H_
