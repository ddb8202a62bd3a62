// One case under one profile: every order that the model allows, and how each comes about.
#ifndef CONFORM_RUNNERS_STUDY_EXPLORING_H_
#define CONFORM_RUNNERS_STUDY_EXPLORING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "runners/base/result.h"
#include "runners/harness/selection.h"
#include "runners/model/profile.h"

namespace conform {

// How many orders a set has.
struct SetSize {
  int64_t orders = 0;
  bool more = false;  // there are more than were counted
};
inline constexpr size_t kMaxCountedOrders = 10'000;
SetSize SizeOf(const reference::Exploration& exploration);

// What a user may set of the limits, in the units of the command line.
struct ChosenLimits {
  int64_t max_seconds = 120;      // of CPU time, for one set
  int64_t max_megabytes = 1'024;  // for one set

  void ApplyTo(reference::ExploreLimits* limits) const {
    limits->max_cpu_ms = max_seconds * 1'000;
    limits->max_memory_bytes = max_megabytes << 20;
  }
};

// The late set can be far larger than the set on time; within these limits its size is known soon, or not reported.
reference::ExploreLimits SmallLimits();

// The size of one set, and how it was found.
struct SetFacts {
  SetSize size;
  std::string limit_hit;  // "" when the set is complete
  int64_t runs = 0;
  int64_t states = 0;
};

struct ExploredRun {
  reference::ModelRun run;
  bool on_time = true;              // also possible when nothing is late
  std::optional<bool> is_expected;  // by the pattern; nothing where there is none
};

struct ExploreReport {
  std::string case_id;
  std::string reference;  // the word that means the case on the command line
  std::string title;
  std::string profile;
  std::string language;                 // "JavaScript": that of `program`
  std::string program;                  // the steps as calls of the API of the family; "" where there is no such thing
  std::optional<std::string> expected;  // the pattern; nothing where no range covers the profile
  bool late = false;                    // the runs are of the late set
  std::optional<SetFacts> on_time_set;  // nothing when one path was replayed
  std::optional<SetFacts> late_set;
  std::vector<ExploredRun> runs;

  bool Complete() const;  // no limit cut short what was to be found
};

// "0,2,1": what --path takes. Zeros at the end are left out: they are what happens without a choice.
std::string PathOf(const std::vector<reference::Choice>& choices);

struct ExploreOptions {
  std::string profile;  // "node@24", "./my.yaml"; "" for the newest that the case covers
  std::string path;     // "0,2,1": one run with these choices; "" for the whole set
  bool late = false;    // also what occurs only when something is late
  size_t limit = 20;    // orders that are listed
  ChosenLimits limits;
};

// Error: the profile or the path does not exist, or the model cannot run the case under the profile.
Result<ExploreReport> ExploreOne(const SelectedCase& selected, Profiles profiles, const ExploreOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_EXPLORING_H_
