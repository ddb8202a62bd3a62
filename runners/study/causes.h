// From failing cases to what the implementation does differently: a small set of changes to the profile under which the
// observed orders are allowed.
//
//   CauseEvidence evidence = GatherEvidence(results, …);       what was observed, and what of it the profile rules out
//   CausesReport report = CauseFinder(evidence, …).Find();
#ifndef CONFORM_RUNNERS_STUDY_CAUSES_H_
#define CONFORM_RUNNERS_STUDY_CAUSES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "runners/harness/runner.h"
#include "runners/model/known_reports.h"
#include "runners/study/cause_evidence.h"
#include "runners/study/cause_questions.h"
#include "runners/study/cause_search.h"
#include "runners/study/rule_changes.h"

namespace conform {

// What the implementation did with the program that shows a cause, in fresh processes.
struct Confirmation {
  int runs = 0;
  int as_predicted = 0;  // of them, with an order that the causes allow and the profile rules out
  Order other;           // an order of another run
  bool confirmed() const { return as_predicted == runs && runs > 0; }
};
inline constexpr int kRunsToConfirm = 20;

// A change that fits as well, by all that was observed until a program was searched for and run.
struct ToldApart {
  RuleChange change;
  Case program;  // the cause allows what the implementation gives for it, and this change does not
  Order given;
};

struct Cause {
  RuleChange change;
  std::vector<RuleChange> alternatives;  // that fit exactly as well: they are indistinguishable from it
  std::vector<ToldApart> told_apart;     // that would be alternatives but for a program that was run
  // Failing cases, together with the causes before it; the smallest program first. Where these explain all of them
  // already, those that it explains alone.
  std::vector<std::string> explains;
  // Passing cases whose orders the profile gives only with a delay, and the causes up to this one give without.
  std::vector<std::string> without_delay;
  std::vector<std::string> mends;  // failing cases that pass if this alone is fixed
  // The smallest program that shows it, made from the case `made_from`; nothing where none was found.
  std::optional<Case> program;
  std::string made_from;
  Order expected;  // an order of the program under the profile, and one with the change
  Order given;
  std::string script;  // the program without conform, in the language of the family; "" where that cannot be written
  std::optional<Confirmation> confirmation;
  std::vector<KnownReport> reports;   // by others, of what it does
  std::optional<Confirmation> alone;  // what the script came to, without conform
};

struct CausesReport {
  std::string implementation;
  std::string profile;
  std::string release;  // the one whose values together were the best beginning; "" where it was no release
  int64_t failing = 0;
  int64_t passing = 0;
  std::vector<std::pair<std::string, Order>> unexplained;  // failing cases, with an order that is outside
  std::vector<Cause> causes;                               // the one that explains most first
  std::vector<std::string> contradicted;  // passing cases with an order that the changed profile rules out
  std::vector<std::string> without_model;
  std::vector<std::string> without_orders;
  int64_t older = 0;
  int64_t undecided = 0;
  bool at_limit = false;  // there are as many causes as there may be
  bool interrupted = false;

  int64_t explained() const { return failing - static_cast<int64_t>(unexplained.size()); }
  // 1 where something fails.
  int ExitCode() const { return failing == 0 && without_model.empty() ? 0 : 1; }
};

struct CausesSettings {
  size_t most_causes = 200;
  int jobs = 1;
  std::vector<Profile> releases;  // that the implementation may be as a whole
  // What the implementation does with a program, in a fresh process: a program that shows a cause must show it there
  // too. Empty where only results are known. Called on several threads.
  std::function<RunOutcome(const Case& c, int64_t number)> observe;
  // What a script gives that was written for the program, without conform; empty where it cannot be run. Likewise.
  std::function<RunOutcome(const Case& c, const std::string& script)> observe_alone;
  // What is known while it searches, on the calling thread.
  std::function<void(const std::string& what, size_t done, size_t all)> progress = [](const std::string&, size_t,
                                                                                      size_t) {};
  std::function<bool()> stopped = [] { return false; };
};

// Draws random programs, and runs those that tell a cause of `report` from an alternative: what they rule out is no
// longer one, and where they rule out the cause, an alternative takes its place. REQUIRES: settings.observe.
void TellCausesApart(CausesReport* report, const Profiles& profiles, const Profile& profile,
                     const CausesSettings& settings);

// Looks for the smallest program that shows each cause of `report`, which was found from the evidence.
void FindPrograms(CausesReport* report, const CauseEvidence& evidence, const CausesSettings& settings);

// Runs the program of each cause of `report`, which was found for `profile`, and notes what came of it; and then its
// script.
void ConfirmCauses(CausesReport* report, const Profile& profile, const CausesSettings& settings);

// Adds to each cause what is known of it.
void NoteKnownReports(CausesReport* report, const std::vector<KnownReport>& reports);

class CauseFinder {
 public:
  // `hypotheses`: changes of the profile of `evidence`. Both must outlive this.
  CauseFinder(const CauseEvidence& evidence, const std::vector<RuleChange>& hypotheses, CausesSettings settings);

  CausesReport Find();

 private:
  std::vector<std::string> ExplainedAlone(const RuleChange& change) const;
  std::vector<Cause> Attribute() const;
  std::vector<RuleChange> AlternativesTo(const Cause& cause) const;
  // The failing cases whose orders on time are those of the profile if all changes but this are made.
  std::vector<std::string> MendedBy(const RuleChange& change) const;

  const CauseEvidence& evidence_;
  const std::vector<RuleChange>& hypotheses_;
  const CausesSettings settings_;
  mutable CauseQuestions questions_;
  const CauseSearch search_;
  CauseSearch::Found found_;
  std::vector<std::optional<Automaton>> right_;  // what the profile gives on time, by observation, where that is known
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_CAUSES_H_
