#include "runners/study/fuzz_against.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runners/base/text.h"
#include "runners/harness/parallel.h"
#include "runners/harness/process.h"
#include "runners/study/shrink.h"

namespace conform {
namespace {

constexpr int64_t kProgramsCompared = 50;       // programs between two looks at the time
constexpr int kRunsOfSmaller = 2;               // of each side, of a smaller program
constexpr size_t kMostSmallerCompared = 1'000;  // smaller programs of one finding

// What kept the run from telling its order, or "".
std::string TroubleOf(const RunOutcome& outcome, const Runner& runner) {
  return outcome.trouble == Trouble::kNone ? "" : runner.name() + ": " + outcome.why;
}

bool HaveCommon(const OrderCounts& a, const OrderCounts& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& one) { return b.contains(one.first); });
}

}  // namespace

struct AgainstFuzzer::Sides {
  OrderCounts ours, theirs;
};

std::string AgainstReport::CommandFor(int64_t number) const {
  std::string command = "conform fuzz --impl=" + Quoted(option) + " --against=" + Quoted(against_option) +
                        " --as=" + profile + fmt::format(" --seed={} --first={} --count=1", seed, number);
  return ops.empty() ? command : command + " --ops=" + Quoted(ops);
}

std::string AgainstFuzzer::RunBoth(const Case& c, int64_t number, Sides* sides) const {
  for (const Runner* runner : {&ours_, &theirs_}) {
    if (const std::optional<Obstacle> obstacle = runner->CannotRun(c, profile_)) return obstacle->why;
    const RunOutcome outcome = runner->Run(c, profile_, {number, /*disturbed=*/false, /*fresh=*/true});
    if (std::string trouble = TroubleOf(outcome, *runner); !trouble.empty()) return trouble;
    ++(runner == &ours_ ? sides->ours : sides->theirs)[outcome.trace.ToOrder()];
  }
  return "";
}

// The runs of the two sides are interleaved, so that both meet the same load.
std::string AgainstFuzzer::Sample(const Case& c, int runs, int jobs, Sides* sides) const {
  std::vector<Sides> each(static_cast<size_t>(runs));
  std::vector<std::string> troubles(each.size());
  std::string trouble;
  ForEachInOrder(
      each.size(), jobs, [&](size_t i) { troubles[i] = RunBoth(c, static_cast<int64_t>(i), &each[i]); },
      [&](size_t i) {
        for (const auto& [order, count] : each[i].ours) sides->ours[order] += count;
        for (const auto& [order, count] : each[i].theirs) sides->theirs[order] += count;
        trouble = troubles[i];
        return trouble.empty() && !listener_.stopped();
      });
  return trouble;
}

void AgainstFuzzer::MakeSmaller(Disagreement* one, int jobs) const {
  size_t attempts = 0;
  const auto first_that_shows = [&](const std::vector<Case>& programs) -> std::optional<size_t> {
    for (size_t i = 0; i < programs.size() && attempts < kMostSmallerCompared && !listener_.stopped();
         ++i, ++attempts) {
      Sides sides;
      if (Sample(programs[i], kRunsOfSmaller, jobs, &sides).empty() && !HaveCommon(sides.ours, sides.theirs)) return i;
    }
    return std::nullopt;
  };
  const Case smaller = Shrink(one->drawn, profile_.family, first_that_shows);
  Sides sides;
  const bool has_trouble = !Sample(smaller, kRunsOfEachSide, jobs, &sides).empty();
  if (has_trouble || listener_.stopped() || !differ_(sides.ours, sides.theirs)) return;
  one->shrunk = smaller;
  one->is_shrunk = true;
  one->ours = std::move(sides.ours);
  one->theirs = std::move(sides.theirs);
}

void AgainstFuzzer::Compare(Disagreement one, const Sides& first, int jobs, AgainstReport* report) const {
  if (first.ours == first.theirs) {
    ++report->equal;
    return;
  }
  Sides sides;
  if (const std::string trouble = Sample(one.drawn, kRunsOfEachSide, jobs, &sides); !trouble.empty()) {
    report->undecided.emplace_back(one.number, trouble);
  } else if (!differ_(sides.ours, sides.theirs)) {
    ++report->varies;
  } else {
    one.ours = std::move(sides.ours);
    one.theirs = std::move(sides.theirs);
    if (report->findings.size() < kMostShrunk) MakeSmaller(&one, jobs);
    report->findings.push_back(std::move(one));
  }
}

void AgainstFuzzer::Run(const FuzzSettings& settings, AgainstReport* report) {
  const int64_t began = SteadyMs();
  const int64_t end = settings.first + settings.count;
  for (int64_t next = settings.first; next < end && !listener_.stopped(); next += kProgramsCompared) {
    if (settings.milliseconds > 0 && SteadyMs() - began >= settings.milliseconds) break;
    const auto count = static_cast<size_t>(std::min(kProgramsCompared, end - next));
    std::vector<Case> programs;
    for (size_t i = 0; i < count; ++i) programs.push_back(generator_.Make(next + static_cast<int64_t>(i)));
    std::vector<Sides> first(count);
    std::vector<std::string> troubles(count);
    size_t done = 0;
    ForEachInOrder(
        count, settings.jobs, [&](size_t i) { troubles[i] = RunBoth(programs[i], 0, &first[i]); },
        [&](size_t i) {
          done = i + 1;
          listener_.progress(report->ran + static_cast<int64_t>(done), programs[i].id);
          return !listener_.stopped();
        });
    for (size_t i = 0; i < done && !listener_.stopped(); ++i) {
      const int64_t number = next + static_cast<int64_t>(i);
      ++report->ran;
      if (troubles[i].empty()) {
        Compare({number, programs[i], programs[i], false, {}, {}}, first[i], settings.jobs, report);
      } else {
        report->undecided.emplace_back(number, troubles[i]);
      }
    }
  }
  report->interrupted = listener_.stopped();
  report->milliseconds = SteadyMs() - began;
}

}  // namespace conform
