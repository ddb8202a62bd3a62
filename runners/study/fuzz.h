// Random programs, run for real and held against the late set of the model.
#ifndef CONFORM_RUNNERS_STUDY_FUZZ_H_
#define CONFORM_RUNNERS_STUDY_FUZZ_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runners/harness/late_oracle.h"
#include "runners/harness/runner.h"
#include "runners/model/shard.h"
#include "runners/study/causes.h"
#include "runners/study/program_generator.h"

namespace conform {

struct FuzzSettings {
  int64_t first = 1;  // the number of the first program
  int64_t count = 300;
  int64_t milliseconds = 0;  // no new batch is begun after so many; 0: no matter how long it takes
  int jobs = 1;
  Shard shard = {};              // of the programs, only this part
  std::set<int64_t> known = {};  // programs that an earlier run has decided on
};

// The next programs that are to run, from `*next` on and before `end`; at most `most` of them.
std::vector<int64_t> NextPrograms(const FuzzSettings& settings, int64_t* next, int64_t end, int64_t most);

// A program that gave an order which no delay explains.
struct FuzzFinding {
  int64_t number = 0;  // of the program that was drawn
  Case drawn;
  Case shrunk;  // as `drawn` where it was not made smaller
  bool is_shrunk = false;
  Order observed;   // by the smaller one
  int outside = 0;  // of the runs of the smaller one, how many gave an order outside
  int runs = 0;
};

// Why a program was not decided, for a report.
enum class Undecided {
  kLimit,        // of the model
  kTimeout,      // no end within the deadline, where the model has one
  kCrash,        // or the adapter had trouble
  kUnsupported,  // the implementation lacks something that its version should have
};
std::string_view UndecidedName(Undecided why);

struct FuzzResult {
  int64_t ran = 0;     // programs
  int64_t inside = 0;  // in the late set
  int64_t undecided = 0;
  std::map<Undecided, std::vector<std::pair<int64_t, std::string>>> why_undecided;  // programs, with the reason
  std::vector<FuzzFinding> findings;
  std::vector<std::pair<int64_t, Order>> samples;  // of those inside: what some of them gave
  int64_t milliseconds = 0;
  bool interrupted = false;
};
inline constexpr size_t kMostSamples = 300;

// What is known of one program, for a log. Without a reason or a finding it is inside.
struct FuzzNote {
  int64_t number = 0;
  Order observed = {};  // where it is inside, and ended
  std::optional<Undecided> undecided = std::nullopt;
  std::string reason = "";               // of that
  const FuzzFinding* finding = nullptr;  // as small as it gets
};
// Counts it.
void AddNote(const FuzzNote& note, FuzzResult* result);

// What was run, for a report.
struct FuzzReport {
  std::string implementation;  // "node@24.21.0"
  std::string option;          // the word that means it on the command line
  std::string profile;         // "node@24.21.0"
  bool as_claimed = false;
  uint64_t seed = 0;
  std::string ops;  // as given; "" for all
  FuzzResult result;
  std::optional<CausesReport> causes = std::nullopt;  // of the findings, whose programs are its cases

  // Draws and runs one program again: "conform fuzz --impl=… --seed=1 --first=17 --count=1".
  std::string CommandFor(int64_t number) const;
  // 1 where something was found.
  int ExitCode() const { return result.findings.empty() ? 0 : 1; }
};

// The file of a finding: the program, what was observed, how to see it again, and what the model allows on time; where
// that is too much to be written down, anything.
std::string FindingFileText(const FuzzReport& report, const FuzzFinding& finding, const Profile& profile);

// What changes of the profile explain the findings, and no change contradicts of what was inside.
CausesReport CausesOfFindings(const FuzzReport& report, const ProgramGenerator& generator, const Profiles& profiles,
                              const Profile& profile, const CausesSettings& settings);

// Of the runs that confirm a finding in the end.
inline constexpr int kConfirmingRuns = 20;
// More findings than these are kept as they were drawn.
inline constexpr size_t kMostShrunk = 20;

class Fuzzer {
 public:
  // What is reported while it runs, on the calling thread.
  struct Listener {
    std::function<void(int64_t done, const std::string& what)> progress;
    // Twice for one finding: when it is found, and when it was made smaller.
    std::function<void(const FuzzFinding&)> found;
    std::function<bool()> stopped;  // the user has interrupted it
    // Once for each program, when all is known of it.
    std::function<void(const FuzzNote&)> noted = [](const FuzzNote&) {};
  };

  // All must outlive this.
  Fuzzer(const ProgramGenerator& generator, const Runner& runner, const Profile& profile, const LateOracle& late,
         Listener listener)
      : generator_(generator), runner_(runner), profile_(profile), late_(late), listener_(std::move(listener)) {}

  // `earlier`: of the programs that are known.
  FuzzResult Run(const FuzzSettings& settings, FuzzResult earlier = {});

 private:
  // Nothing: it is a finding, and told of.
  std::optional<FuzzNote> Sort(const Case& c, int64_t number, const CaseResult& result, FuzzResult& all);
  void MakeSmaller(FuzzFinding& finding, int jobs);

  const ProgramGenerator& generator_;
  const Runner& runner_;
  const Profile& profile_;
  const LateOracle& late_;
  const Listener listener_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_FUZZ_H_
