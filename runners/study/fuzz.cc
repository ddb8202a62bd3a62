#include "runners/study/fuzz.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "reference-impl/explore/explorer.h"
#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/harness/process.h"
#include "runners/harness/run_plan.h"
#include "runners/study/shrink.h"

namespace conform {
namespace {

constexpr int64_t kBatch = 50;           // programs of one plan
constexpr int kRunsWhereAlways = 2;      // of a smaller program, where every run of the larger one was outside
constexpr int kRunsWhereSometimes = 10;  // where some were not
constexpr size_t kMostSmaller = 1'000;   // smaller programs of one finding
constexpr size_t kMostOrders = 60;       // of a pattern that is written down

// Accepts no order. Every order that is observed is then asked of the model, whose answer is all that matters here.
std::shared_ptr<const ExpectedOrders> NothingOnTime(const Case& c) {
  Expectation nothing;
  nothing.pattern.root.kind = PatternNode::Kind::kAlternatives;
  return std::make_shared<ExpectedOrders>(c, nothing);
}

Plan PlanFor(const std::vector<Case>& programs, const Runner& runner, const Profile& profile) {
  Plan plan;
  for (const Case& c : programs) {
    const std::optional<Obstacle> obstacle = runner.CannotRun(c, profile);
    plan.items.push_back({plan.cases.size(), &runner, std::make_shared<Profile>(profile), obstacle ? obstacle->why : "",
                          NothingOnTime(c)});
    plan.cases.push_back({c, c.id, true});
  }
  return plan;
}

// The orders on time, one after the other; "..." where there are too many.
std::string OnTimePattern(const Case& c, const Profile& profile) {
  const reference::Exploration found = reference::Explore(c, profile, reference::Timing::kOnTime);
  const std::vector<Order> orders = found.orders.Enumerate(kMostOrders + 1);
  std::vector<std::string> parts;
  for (const Order& order : orders) parts.push_back(order.empty() ? "''" : Join(order, " "));
  const std::string pattern = Join(parts, " | ");
  const bool whole = found.complete && orders.size() <= kMostOrders && pattern.size() <= kMaxPatternLength;
  return whole ? pattern : "...";
}

bool IsExplained(LateSet late) { return late == LateSet::kOnTime || late == LateSet::kIn || late == LateSet::kRefuted; }

const Try* FirstOutside(const CaseResult& result) {
  const auto found = std::find_if(result.tries.begin(), result.tries.end(), [](const Try& one) {
    return one.trouble.empty() && one.standing == Standing::kOutside;
  });
  return found == result.tries.end() ? nullptr : &*found;
}

}  // namespace

std::string_view UndecidedName(Undecided why) {
  switch (why) {
    case Undecided::kLimit:
      return "limit";
    case Undecided::kTimeout:
      return "timeout";
    case Undecided::kCrash:
      return "crash";
    case Undecided::kUnsupported:
      return "unsupported";
  }
  CONFORM_CHECK(false);
}

std::string FuzzReport::CommandFor(int64_t number) const {
  std::string command = "conform fuzz --impl=" + Quoted(option);
  if (!as_claimed) command += " --as=" + profile;
  command += fmt::format(" --seed={} --first={} --count=1", seed, number);
  return ops.empty() ? command : command + " --ops=" + Quoted(ops);
}

std::string FindingFileText(const FuzzReport& report, const FuzzFinding& finding, const Profile& profile) {
  std::string text = fmt::format(
      "# {}, held to {}: {} of {} runs gave an order that no delay explains, such as\n#   {}\n", report.implementation,
      report.profile, finding.outside, finding.runs, OrderToString(finding.observed));
  text += fmt::format("# {}:\n#   {}\n", finding.is_shrunk ? "Made smaller from the program of" : "The program of",
                      report.CommandFor(finding.number));
  const std::string expect = fmt::format("\n  {} ={}: \"{}\"\n", profile.family, profile.version.ToString(),
                                         OnTimePattern(finding.shrunk, profile));
  return text + CaseFileText(finding.shrunk, expect);
}

std::vector<int64_t> NextPrograms(const FuzzSettings& settings, int64_t* next, int64_t end, int64_t most) {
  std::vector<int64_t> numbers;
  for (; *next < end && static_cast<int64_t>(numbers.size()) < most; ++*next) {
    const bool is_ours = settings.shard.Holds(static_cast<size_t>(*next - 1));
    if (is_ours && !settings.known.contains(*next)) numbers.push_back(*next);
  }
  return numbers;
}

void AddNote(const FuzzNote& note, FuzzResult* result) {
  ++result->ran;
  if (note.finding != nullptr) {
    result->findings.push_back(*note.finding);
  } else if (note.undecided) {
    ++result->undecided;
    result->why_undecided[*note.undecided].emplace_back(note.number, note.reason);
  } else {
    ++result->inside;
    if (result->samples.size() < kMostSamples) result->samples.emplace_back(note.number, note.observed);
  }
}

std::optional<FuzzNote> Fuzzer::Sort(const Case& c, int64_t number, const CaseResult& result, FuzzResult& all) {
  FuzzNote note{number};
  const auto undecided = [&](Undecided why, std::string reason) {
    note.undecided = why;
    note.reason = std::move(reason);
    return note;
  };
  if (const Try* outside = FirstOutside(result)) {
    FuzzFinding finding;
    finding.number = number;
    finding.drawn = c;
    finding.shrunk = c;
    finding.observed = outside->trace.ToOrder();
    finding.outside = finding.runs = 1;
    ++all.ran;
    all.findings.push_back(std::move(finding));
    return std::nullopt;
  }
  if (result.verdict == Verdict::kUnsupported) return undecided(Undecided::kUnsupported, result.reason);
  const Try& last = result.tries.back();
  if (result.verdict == Verdict::kTimeout) {
    // Waiting forever may be what the model does; spinning is not.
    Trace trace = last.trace;
    trace.events.push_back({kExitNever, {}, {}, "", ""});
    if (!last.seen.empty() || !IsExplained(late_.WhetherLate(c, profile_, trace))) {
      return undecided(Undecided::kTimeout, last.trouble);
    }
    note.observed = trace.ToOrder();
    return note;
  }
  if (!last.trouble.empty()) return undecided(Undecided::kCrash, last.trouble);
  if (last.standing == Standing::kUnknown) return undecided(Undecided::kLimit, OrderToString(last.trace.ToOrder()));
  note.observed = last.trace.ToOrder();
  return note;
}

void Fuzzer::MakeSmaller(FuzzFinding& finding, int jobs) {
  // How often it shows decides how often a smaller program has to be run until it is known not to.
  const auto runs_outside = [&](const Case& c, int runs, Order* observed) {
    int outside = 0;
    const Plan plan = PlanFor(std::vector<Case>(static_cast<size_t>(runs), c), runner_, profile_);
    RunPlan(plan, late_, {{1, 1}, jobs}, [&](size_t, const CaseResult& result) {
      if (const Try* one = FirstOutside(result)) {
        ++outside;
        *observed = one->trace.ToOrder();
      }
      return !listener_.stopped();
    });
    return outside;
  };
  Order observed = finding.observed;
  const bool always = runs_outside(finding.drawn, kRunsWhereSometimes, &observed) == kRunsWhereSometimes;
  const int64_t runs = always ? kRunsWhereAlways : kRunsWhereSometimes;
  size_t attempts = 0;
  const auto first_that_shows = [&](const std::vector<Case>& programs) -> std::optional<size_t> {
    if (listener_.stopped() || attempts > kMostSmaller) return std::nullopt;
    std::optional<size_t> shows;
    const Plan plan = PlanFor(programs, runner_, profile_);
    RunPlan(plan, late_, {{runs, 1}, jobs}, [&](size_t index, const CaseResult& result) {
      ++attempts;
      if (FirstOutside(result) != nullptr) shows = index;
      return !shows && !listener_.stopped();
    });
    return shows;
  };
  finding.shrunk = Shrink(finding.drawn, profile_.family, first_that_shows);
  finding.is_shrunk = !listener_.stopped();
  finding.outside = runs_outside(finding.shrunk, kConfirmingRuns, &observed);
  finding.runs = kConfirmingRuns;
  finding.observed = observed;
}

FuzzResult Fuzzer::Run(const FuzzSettings& settings, FuzzResult earlier) {
  FuzzResult all = std::move(earlier);
  const int64_t began = SteadyMs();
  const int64_t end = settings.first + settings.count;
  size_t told = all.findings.size(), shrunk = 0;
  for (int64_t next = settings.first; next < end && !listener_.stopped();) {
    if (settings.milliseconds > 0 && SteadyMs() - began >= settings.milliseconds) break;
    const std::vector<int64_t> numbers = NextPrograms(settings, &next, end, kBatch);
    std::vector<Case> programs;
    for (const int64_t number : numbers) programs.push_back(generator_.Make(number));
    const Plan plan = PlanFor(programs, runner_, profile_);
    RunPlan(plan, late_, {{1, 1}, settings.jobs}, [&](size_t index, const CaseResult& result) {
      if (const auto note = Sort(programs[index], numbers[index], result, all)) {
        AddNote(*note, &all);
        listener_.noted(*note);
      } else {
        listener_.found(all.findings.back());
      }
      listener_.progress(all.ran, result.case_id);
      return !listener_.stopped();
    });
    for (; told < all.findings.size() && !listener_.stopped(); ++told) {
      FuzzFinding& finding = all.findings[told];
      if (shrunk++ < kMostShrunk) {
        MakeSmaller(finding, settings.jobs);
        listener_.found(finding);
      }
      if (!listener_.stopped()) listener_.noted({finding.number, {}, {}, "", &finding});
    }
  }
  all.interrupted = listener_.stopped();
  all.milliseconds += SteadyMs() - began;
  return all;
}

CausesReport CausesOfFindings(const FuzzReport& report, const ProgramGenerator& generator, const Profiles& profiles,
                              const Profile& profile, const CausesSettings& settings) {
  CauseEvidence evidence;
  evidence.implementation = report.implementation;
  evidence.profile = profile;
  const reference::Model model(profile);
  std::deque<Case> inside;  // which the evidence refers to
  for (const FuzzFinding& finding : report.result.findings) {
    evidence.observations.push_back(
        {&finding.shrunk, {finding.observed}, true, LimitsOfQuestion(finding.shrunk, model)});
  }
  for (const auto& [number, order] : report.result.samples) {
    inside.push_back(generator.Make(number));
    evidence.observations.push_back({&inside.back(), {order}, false, LimitsOfQuestion(inside.back(), model)});
  }
  const std::vector<RuleChange> hypotheses = AllChanges(profiles, profile, Narrower::kLeftOut);
  return CauseFinder(evidence, hypotheses, settings).Find();
}

}  // namespace conform
