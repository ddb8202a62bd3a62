// From what an implementation does to a profile: which value each rule of its family has there.
//
//   Inferrer inferrer(evidence, profiles, runner, settings);
//   InferReport report = inferrer.Infer();
#ifndef CONFORM_RUNNERS_STUDY_INFER_H_
#define CONFORM_RUNNERS_STUDY_INFER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runners/harness/runner.h"
#include "runners/study/causes.h"
#include "runners/study/rule_changes.h"

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
  // Another value of a rule that nothing observed rules out.
  struct Open {
    RuleChange change;
    std::string reason;
  };

  bool Allows(const reference::Model& model, const Observation& one) const;
  // Whether some order that was observed, and that the profile explains, is outside of the late set of `change`.
  bool IsRuledOut(const RuleChange& change) const;
  void RuleOutByCases();
  void RuleOutByPrograms();
  // Does what the profile gives for `c` on time lie outside of the late set of `change`?
  bool WouldTell(const Case& c, const RuleChange& change) const;
  std::string WhyOpen(const RuleChange& change) const;
  void ChooseBase(InferReport* report) const;

  const CauseEvidence& evidence_;
  const Profiles& profiles_;
  const std::vector<SelectedCase>& catalogue_;
  const Runner& runner_;
  const Profile follows_;
  const InferSettings settings_;
  Profile profile_;  // what explains the evidence
  std::vector<Open> open_;
  int64_t programs_ = 0;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_INFER_H_
