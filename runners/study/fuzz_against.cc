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

std::string DisagreementFileText(const AgainstReport& report, const Disagreement& one) {
  std::string text;
  const auto add = [&](const std::string& name, const OrderCounts& counts) {
    text += "# " + name + "\n";
    for (const auto& [order, count] : counts) text += fmt::format("#   {} × {}\n", count, OrderToString(order));
  };
  add(report.implementation, one.ours);
  add(report.against, one.theirs);
  text += fmt::format("# {}:\n#   {}\n", one.is_shrunk ? "Made smaller from the program of" : "The program of",
                      report.CommandFor(one.number));
  return text + CaseFileText(one.shrunk, " ...\n");
}

Result<AgainstFuzzer::Sides> AgainstFuzzer::RunBoth(const Case& c, int64_t number) const {
  Sides sides;
  for (const Runner* runner : {&ours_, &theirs_}) {
    if (const std::optional<Obstacle> obstacle = runner->CannotRun(c, profile_)) return Error{obstacle->why};
    const RunOutcome outcome = runner->Run(c, profile_, {number, /*disturbed=*/false, /*fresh=*/true});
    if (outcome.trouble != Trouble::kNone) return Error{runner->name() + ": " + outcome.why};
    ++(runner == &ours_ ? sides.ours : sides.theirs)[outcome.trace.ToOrder()];
  }
  return sides;
}

// The runs of the two sides are interleaved, so that both meet the same load.
Result<AgainstFuzzer::Sides> AgainstFuzzer::Sample(const Case& c, int runs, int jobs) const {
  std::vector<Result<Sides>> each(static_cast<size_t>(runs), Sides{});
  Result<Sides> all = Sides{};
  ForEachInOrder(
      each.size(), jobs, [&](size_t i) { each[i] = RunBoth(c, static_cast<int64_t>(i)); },
      [&](size_t i) {
        if (!each[i]) {
          all = each[i].error();
          return false;
        }
        for (const auto& [order, count] : each[i]->ours) all->ours[order] += count;
        for (const auto& [order, count] : each[i]->theirs) all->theirs[order] += count;
        return !listener_.stopped();
      });
  return all;
}

void AgainstFuzzer::MakeSmaller(Disagreement* one, int jobs) const {
  size_t attempts = 0;
  const auto first_that_shows = [&](const std::vector<Case>& programs) -> std::optional<size_t> {
    for (size_t i = 0; i < programs.size() && attempts < kMostSmallerCompared && !listener_.stopped();
         ++i, ++attempts) {
      const auto sides = Sample(programs[i], kRunsOfSmaller, jobs);
      if (sides && !HaveCommon(sides->ours, sides->theirs)) return i;
    }
    return std::nullopt;
  };
  const Case smaller = Shrink(one->drawn, profile_.family, first_that_shows);
  auto sides = Sample(smaller, kRunsOfEachSide, jobs);
  if (!sides || listener_.stopped() || !differ_(sides->ours, sides->theirs)) return;
  one->shrunk = smaller;
  one->is_shrunk = true;
  one->ours = std::move(sides->ours);
  one->theirs = std::move(sides->theirs);
}

void AgainstFuzzer::Compare(Disagreement one, const Sides& first, int jobs, AgainstReport* report) const {
  if (first.ours == first.theirs) {
    ++report->equal;
    return;
  }
  auto sides = Sample(one.drawn, kRunsOfEachSide, jobs);
  if (!sides) {
    report->undecided.emplace_back(one.number, sides.error().message);
  } else if (!differ_(sides->ours, sides->theirs)) {
    ++report->varies;
  } else {
    one.ours = std::move(sides->ours);
    one.theirs = std::move(sides->theirs);
    if (report->findings.size() < kMostShrunk) MakeSmaller(&one, jobs);
    report->findings.push_back(std::move(one));
    listener_.found(report->findings.back());
  }
}

void AgainstFuzzer::Run(const FuzzSettings& settings, AgainstReport* report) {
  const int64_t began = SteadyMs();
  const int64_t end = settings.first + settings.count;
  for (int64_t next = settings.first; next < end && !listener_.stopped();) {
    if (settings.milliseconds > 0 && SteadyMs() - began >= settings.milliseconds) break;
    const std::vector<int64_t> numbers = NextPrograms(settings, &next, end, kProgramsCompared);
    const size_t count = numbers.size();
    std::vector<Case> programs;
    for (const int64_t number : numbers) programs.push_back(generator_.Make(number));
    // Most programs need one run of each side, and those fill all jobs; the few that differ then have all jobs for
    // themselves, one after the other.
    std::vector<Result<Sides>> first(count, Sides{});
    size_t done = 0;
    ForEachInOrder(
        count, settings.jobs, [&](size_t i) { first[i] = RunBoth(programs[i], 0); },
        [&](size_t i) {
          done = i + 1;
          listener_.progress(report->ran + static_cast<int64_t>(done), programs[i].id);
          return !listener_.stopped();
        });
    for (size_t i = 0; i < done && !listener_.stopped(); ++i) {
      const int64_t number = numbers[i];
      ++report->ran;
      if (first[i]) {
        Compare({number, programs[i], programs[i], false, {}, {}}, *first[i], settings.jobs, report);
      } else {
        report->undecided.emplace_back(number, first[i].error().message);
      }
    }
  }
  report->interrupted = listener_.stopped();
  report->milliseconds = SteadyMs() - began;
}

}  // namespace conform
