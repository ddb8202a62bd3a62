// From what an implementation does to a profile: which value each rule of its family has there.
//
//   Inferrer inferrer(evidence, profiles, runner, settings);
//   InferReport report = inferrer.Infer();
#ifndef CONFORM_RUNNERS_STUDY_INFER_H_
#define CONFORM_RUNNERS_STUDY_INFER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/harness/runner.h"
#include "runners/study/causes.h"
#include "runners/study/rule_changes.h"
#include "runners/study/telling.h"

namespace conform {

struct InferredRule {
  std::string rule;
  std::string value;  // that explains what was observed
  std::string clause;
  std::vector<std::string> others;  // values that explain it as well; none where the rule is decided
  std::string reason = "";          // why it is not decided
};

struct InferReport {
  std::string implementation;
  std::string family;
  std::vector<InferredRule> decided;
  std::vector<InferredRule> open;
  std::string base;                      // the release that agrees with most rules that are decided
  std::vector<RuleChange> differences;   // decided rules that have another value in `base`
  int64_t cases = 0;                     // that were run and have a model
  int64_t programs = 0;                  // that were searched for, and run, to decide a rule
  std::vector<std::string> unexplained;  // cases with an order that no profile of these rules explains
  bool interrupted = false;

  // 1 where something is unexplained.
  int ExitCode() const { return unexplained.empty() ? 0 : 1; }
};

// The text of a file that `--as=./FILE` takes.
std::string InferredProfileText(const InferReport& report);

struct InferSettings {
  int jobs = 1;
  int64_t random_programs = 200;  // that are searched for one that decides a rule
  uint64_t seed = 1;
  std::function<void(const std::string& what, size_t done, size_t all)> progress = [](const std::string&, size_t,
                                                                                      size_t) {};
  std::function<bool()> stopped = [] { return false; };
};

class Inferrer {
 public:
  // `evidence`: held to any release of the family. `follows`: what the runner is to run as. `catalogue`: all cases.
  // All must outlive this.
  Inferrer(const CauseEvidence& evidence, const Profiles& profiles, const std::vector<SelectedCase>& catalogue,
           const Runner& runner, Profile follows, InferSettings settings)
      : evidence_(evidence),
        profiles_(profiles),
        catalogue_(catalogue),
        runner_(runner),
        follows_(std::move(follows)),
        settings_(std::move(settings)) {}

  InferReport Infer();

 private:
  // Another value of a rule that nothing observed rules out; alone, or beside that of another rule.
  struct Open {
    RuleChange change;
    std::optional<RuleChange> beside = std::nullopt;

    RuleChanges Both() const;
  };

  // Keeps what no order rules out that was observed and that the profile explains.
  void RuleOutByCases();
  // The changes of the profile of the evidence that make it what was found, with these.
  std::vector<RuleChange> FoundWith(const std::vector<RuleChange>& changes) const;
  void RuleOutByPrograms();
  std::string WhyOpen(const Open& open);
  void ChooseBase(InferReport* report) const;

  const CauseEvidence& evidence_;
  const Profiles& profiles_;
  const std::vector<SelectedCase>& catalogue_;
  const Runner& runner_;
  const Profile follows_;
  const InferSettings settings_;
  std::vector<RuleChange> found_;             // changes of the profile of the evidence that explain it
  Profile profile_;                           // that has them
  std::map<std::string, GivenOnTime> given_;  // for a case of the catalogue
  std::vector<Open> open_;
  int64_t programs_ = 0;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_INFER_H_
