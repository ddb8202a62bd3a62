// Where along a line of releases the orders of a program change.
//
//   BisectReport report = Bisector(line, steps, suspected).Find();
#ifndef CONFORM_RUNNERS_STUDY_BISECT_H_
#define CONFORM_RUNNERS_STUDY_BISECT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"
#include "runners/model/profile.h"
#include "runners/study/script_causes.h"

namespace conform {

// What one release gave.
struct ReleaseSample {
  std::string version;
  std::map<Order, int64_t> orders;  // and how often; the order of a run that did not end has `…` behind it
  Profile profile;                  // the rules of the release; without rules where there is no model of it
  std::string claims;               // what it says it is: "node@11.0.0"
  std::string trouble;              // of the last run that had some

  int64_t runs() const;
};

// Two sets of orders are compared, and not how often each occurred: what both have is counted together. An order that
// one of them alone gave counts as common, too, if the model of the other release gives it on time, or if only a delay
// explains it on both sides. The first count is that of common orders; each of the others has a 0 on one side.
std::vector<std::pair<int64_t, int64_t>> SetCounts(const Case& c, const ReleaseSample& a, const ReleaseSample& b);

// A rule that the model knows to have changed this program between two releases.
struct RuleBehind {
  std::string rule;
  std::string before;
  std::string after;
  std::string clause;
};
// Empty where a side has no model, or the model has the same orders for both.
std::vector<RuleBehind> RulesBetween(const Case& c, const Profiles& profiles, const ReleaseSample& before,
                                     const ReleaseSample& after);

// The releases of `line` whose orders, by the model, are not those of the one before.
std::set<size_t> SuspectedChanges(const Case& c, const Profiles& profiles, const ProfileFamily& family,
                                  const std::vector<std::string>& line);

struct BisectChange {
  size_t before = 0;                 // the last release that was run before it, as an index of `samples`
  size_t after = 0;                  // the first that has it
  std::vector<std::string> not_run;  // releases between the two that could not be run
  // The next change takes it back: what is before this one and behind that one does not differ.
  bool is_taken_back = false;
  std::vector<RuleBehind> rules = {};        // of a program that has a model
  std::vector<ScriptCause> may_be_due = {};  // of a script
};

struct BisectReport {
  std::string program;  // as the user named it
  std::string runtime;
  size_t releases = 0;                 // of the line
  std::vector<ReleaseSample> samples;  // of the releases that were run, oldest first
  std::vector<BisectChange> changes;   // oldest first
  // Releases whose orders are neither different from those before nor from those behind, although these differ.
  std::vector<std::string> undecided;
  std::vector<std::pair<std::string, std::string>> skipped;  // releases that could not be run, and why
  bool interrupted = false;

  // 0 where a change was found.
  int ExitCode() const { return changes.empty() ? 1 : 0; }
};

class Bisector {
 public:
  struct Steps {
    // Runs the program on a release, so many times. Error: it cannot be installed, or cannot run it.
    std::function<Result<ReleaseSample>(const std::string& version, int64_t runs)> run;
    std::function<bool(const ReleaseSample&, const ReleaseSample&)> differ;
    std::function<bool(const std::string& version)> is_installed = [](const std::string&) { return true; };
    std::function<void(const std::string& version, size_t done)> progress = [](const std::string&, size_t) {};
    std::function<bool()> stopped = [] { return false; };
  };
  struct Settings {
    int64_t runs = 30;  // of each release
    size_t probes = 2;  // releases that are run in addition, in the largest gaps: for what came and went
    // Whether the user named the first release. If not, the line begins with the first that can run the program.
    bool first_is_named = true;
  };

  // `line`: at least two releases, oldest first. `suspected`: where the model has a change; they are tried first.
  Bisector(std::vector<std::string> line, std::set<size_t> suspected, Steps steps, Settings settings)
      : line_(std::move(line)), suspected_(std::move(suspected)), steps_(std::move(steps)), settings_(settings) {}

  // Error: an end of the line cannot be run, or only its last release can.
  Result<BisectReport> Find();

 private:
  using Samples = std::map<size_t, ReleaseSample>;  // by place in the line

  bool IsOpen(size_t index) const { return !samples_.contains(index) && !left_out_.contains(index); }
  // False: it is left out.
  bool Run(size_t index);
  bool RunMore(size_t index);
  bool Differ(size_t a, size_t b) const { return steps_.differ(samples_.at(a), samples_.at(b)); }
  // The first release cannot run the program, the last can: bisects for the first that can, and skips what is older.
  void FindFirst();
  // The release between the two that says most; nothing where none is left.
  std::optional<size_t> Between(size_t low, size_t high) const;
  // Runs releases until no gap between two that differ is open.
  void CloseGaps();
  void Place(size_t low, size_t middle, size_t high);
  void Probe();
  BisectReport Report() const;

  const std::vector<std::string> line_;
  const std::set<size_t> suspected_;
  const Steps steps_;
  const Settings settings_;
  Samples samples_;
  std::map<size_t, std::string> left_out_;  // and why
  std::set<size_t> undecided_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_BISECT_H_
