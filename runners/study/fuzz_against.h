// Random programs on two implementations, compared without a model.
#ifndef CONFORM_RUNNERS_STUDY_FUZZ_AGAINST_H_
#define CONFORM_RUNNERS_STUDY_FUZZ_AGAINST_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runners/harness/runner.h"
#include "runners/study/fuzz.h"
#include "runners/study/program_generator.h"

namespace conform {

using OrderCounts = std::map<Order, int64_t>;

// A program that the two run in different orders.
struct Disagreement {
  int64_t number = 0;  // of the program that was drawn
  Case drawn;
  Case shrunk;  // as `drawn` where it was not made smaller
  bool is_shrunk = false;
  OrderCounts ours, theirs;  // of the smaller one
};

struct AgainstReport {
  std::string implementation, against;  // "bun@1.4.4", "node@24.21.0"
  std::string option, against_option;   // the words that mean them on the command line
  std::string profile;                  // whose steps the programs are drawn from
  uint64_t seed = 0;
  std::string ops;                                         // as given; "" for all
  int64_t ran = 0;                                         // programs
  int64_t equal = 0;                                       // the same order at once
  int64_t varies = 0;                                      // different ones, as may come by chance
  std::vector<std::pair<int64_t, std::string>> undecided;  // programs, with the reason
  std::vector<Disagreement> findings;
  int64_t milliseconds = 0;
  bool interrupted = false;

  std::string CommandFor(int64_t number) const;
  // 1 where they disagree.
  int ExitCode() const { return findings.empty() ? 0 : 1; }
};

// The file of a finding: the program, what both sides gave, and how to see it again. It expects nothing.
std::string DisagreementFileText(const AgainstReport& report, const Disagreement& one);

// Of each side, where one run of each differs.
inline constexpr int kRunsOfEachSide = 20;

// A difference is claimed where one run of each side differs, and then chance can be excluded in kRunsOfEachSide more
// of each. That holds for each program: where chance would say so in at most one comparison in a thousand, a thousand
// programs whose orders vary may give one finding that is not there. One that was made smaller has passed the test
// twice, in separate runs.
class AgainstFuzzer {
 public:
  struct Listener {
    std::function<void(int64_t done, const std::string& what)> progress;
    std::function<bool()> stopped;
    std::function<void(const Disagreement&)> found = [](const Disagreement&) {};
  };
  // Whether chance can be excluded as the reason for these counts.
  using Differ = std::function<bool(const OrderCounts& ours, const OrderCounts& theirs)>;

  // All must outlive this.
  AgainstFuzzer(const ProgramGenerator& generator, const Runner& ours, const Runner& theirs, const Profile& profile,
                Differ differ, Listener listener)
      : generator_(generator),
        ours_(ours),
        theirs_(theirs),
        profile_(profile),
        differ_(std::move(differ)),
        listener_(std::move(listener)) {}

  // Adds what it finds to the report.
  void Run(const FuzzSettings& settings, AgainstReport* report);

 private:
  struct Sides;

  // Runs the program once on each side. Error: one of them cannot run it, or its run gave no order.
  Result<Sides> RunBoth(const Case& c, int64_t number) const;
  // The same so many times, in turns. Error: that of the first run that has one. What was run until then where the
  // listener stops it.
  Result<Sides> Sample(const Case& c, int runs, int jobs) const;
  // Decides on one program, of which `first` is one run of each side, and counts or adds it.
  void Compare(Disagreement one, const Sides& first, int jobs, AgainstReport* report) const;
  // Looks for a smaller program that shows a difference, and keeps it where it passes the same test as the drawn one.
  void MakeSmaller(Disagreement* one, int jobs) const;

  const ProgramGenerator& generator_;
  const Runner& ours_;
  const Runner& theirs_;
  const Profile& profile_;
  const Differ differ_;
  const Listener listener_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_FUZZ_AGAINST_H_
