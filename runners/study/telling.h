// Programs that tell two profiles apart: what one of them gives on time lies outside the late set of the other.
#ifndef CONFORM_RUNNERS_STUDY_TELLING_H_
#define CONFORM_RUNNERS_STUDY_TELLING_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/model.h"
#include "runners/harness/runner.h"
#include "runners/study/program_generator.h"
#include "runners/study/rule_changes.h"

namespace conform {

using RuleChanges = std::vector<RuleChange>;

// What a profile gives for a program on time, if it is little; and the rules that were read to find it.
struct GivenOnTime {
  std::vector<Order> orders;  // none where they are too many, or cannot be found
  reference::RuleSet read;
};
GivenOnTime FindGivenOnTime(const Case& c, const Profile& profile);

// Does all of it, which `profile` gives, lie outside of the late set of the profile with these changes?
bool WouldTell(const Case& c, const GivenOnTime& given, const Profile& profile, const RuleChanges& changes);

// Where the orders lie in the late set of the profile: kOut if one is outside, kIn if all are inside.
reference::Membership LateMembership(const Case& c, const reference::Model& model, const std::vector<Order>& orders);

// Random programs, of which those are run that tell something.
class TellingPrograms {
 public:
  struct Settings {
    int jobs = 1;
    int64_t programs = 200;  // that are drawn
    uint64_t seed = 1;
    // What the implementation does with a program, in a fresh process.
    std::function<RunOutcome(const Case& c, int64_t number)> observe;
    std::function<void(const std::string& what, size_t done, size_t all)> progress;
    std::function<bool()> stopped;
  };
  // A program that was run, and ended each time.
  struct Told {
    Case program;
    std::vector<Order> orders;  // that were observed, each once
    std::vector<char> tells;    // for each of the others, whether it told the profile from it
  };

  // Programs have the steps of `profile`.
  TellingPrograms(const Profiles& profiles, const Profile& profile, Settings settings);

  // Draws on until a program would tell `profile` from one of the others, which are changes of it, and runs that one.
  // Nothing: there is nothing to tell, or all programs are drawn.
  std::optional<Told> Next(const Profile& profile, const std::vector<RuleChanges>& others);

 private:
  const Settings settings_;
  std::optional<ProgramGenerator> generator_;
  int64_t drawn_ = 0;
};

// Runs the program as often as one that tells something; nothing where a run does not end.
std::optional<std::vector<Order>> ObserveOften(const Case& c,
                                               const std::function<RunOutcome(const Case& c, int64_t number)>& observe);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_TELLING_H_
