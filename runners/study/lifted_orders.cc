#include "runners/study/lifted_orders.h"

#include <algorithm>
#include <utility>

#include "reference-impl/explore/explorer.h"
#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/parallel.h"
#include "runners/harness/process_guard.h"
#include "runners/harness/run_scope.h"
#include "runners/study/history.h"

namespace conform {
namespace {

constexpr char kNodeFamily[] = "node";  // what runs the scripts that are lifted

// The release that ran the script, or the newest that is known.
Profile ProfileOfRuntime(const std::string& runtime, const Profiles& profiles) {
  const auto own = profiles.Resolve(runtime);
  return own ? *own : *profiles.Resolve(kNodeFamily);
}

// Callbacks that ran in no run, and run in these orders.
void NoteUnknown(const Automaton& orders, const Lifted& lifted, LiftedDoubts* doubts) {
  for (const std::string& label : orders.labels()) {
    const auto found = lifted.made_up.find(label.substr(0, label.find('=')));
    if (found == lifted.made_up.end() || !found->second.is_unknown) continue;
    std::vector<std::string>& unknown = doubts->unknown;
    if (std::find(unknown.begin(), unknown.end(), found->first) == unknown.end()) unknown.push_back(found->first);
  }
}

reference::ExploreLimits LimitsOf(const ChosenLimits& chosen) {
  reference::ExploreLimits limits;
  chosen.ApplyTo(&limits);
  return limits;
}

SetSize SizeOfPrinted(const Automaton& orders, bool complete) {
  const size_t count = orders.CountOrders(kMaxCountedOrders + 1);
  return {static_cast<int64_t>(std::min(count, kMaxCountedOrders)), count > kMaxCountedOrders || !complete};
}

// What `release` prints only when something is late.
LiftedDelays OnlyWhenLate(const Lifted& lifted, const Profile& release, const Automaton& on_time,
                          const ChosenLimits& chosen) {
  reference::ExploreLimits limits = SmallLimits();
  chosen.ApplyTo(&limits);
  const auto explored = reference::Explore(lifted.c, release, reference::Timing::kLate, limits);
  const Automaton late = WithoutMadeUp(explored.orders, lifted);
  LiftedDelays delays{SizeOfPrinted(late, explored.complete), Includes(late, on_time).counter_example};
  // All that is possible on time is possible late.
  delays.size.orders = std::max<int64_t>(0, delays.size.orders - SizeOfPrinted(on_time, true).orders);
  return delays;
}

bool IsMadeUp(const std::string& label, const Lifted& lifted) {
  return lifted.made_up.contains(label.substr(0, label.find('=')));
}

// All orders; `...` where they are many, or not all are known.
std::string PatternOf(const reference::Exploration& explored) {
  const std::vector<Order> orders = explored.orders.Enumerate(kMaxLiftedOrders + 1);
  if (!explored.complete || orders.size() > kMaxLiftedOrders) return "...";
  std::vector<std::string> patterns;
  for (const Order& order : orders) patterns.push_back(order.empty() ? "''" : OrderToString(order));
  return Join(patterns, " | ");
}

}  // namespace

Automaton WithoutMadeUp(const Automaton& orders, const Lifted& lifted) {
  if (lifted.made_up.empty()) return orders;
  Automaton out;
  while (out.size() < orders.size()) out.AddState();
  for (int state = 0; state < orders.size(); ++state) {
    if (orders.accepting(state)) out.SetAccepting(state);
    for (Automaton::Edge edge : orders.edges(state)) {
      if (edge.kind == Automaton::EdgeKind::kLabel) {
        const std::string& label = orders.labels()[static_cast<size_t>(edge.label)];
        if (IsMadeUp(label, lifted)) {
          edge.kind = Automaton::EdgeKind::kEpsilon;
        } else {
          edge.label = out.Intern(label);
        }
      }
      out.AddEdge(state, edge);
    }
  }
  return out;
}

LiftedDoubts DoubtsOf(const Lifted& lifted, const Profiles& profiles, const ChosenLimits& chosen) {
  LiftedDoubts doubts;
  const Profile profile = ProfileOfRuntime(lifted.runtime, profiles);
  const bool is_run = !reference::NotModelled(lifted.c, kNodeFamily) &&
                      !profiles.Find(kNodeFamily)->Unsupported(lifted.c, profile.version);
  if (!is_run) return doubts;
  const auto late = reference::Explore(lifted.c, profile, reference::Timing::kLate, LimitsOf(chosen));
  NoteUnknown(late.orders, lifted, &doubts);
  doubts.complete = late.complete;
  if (!late.complete) return doubts;
  const Automaton allowed = WithoutMadeUp(late.orders, lifted);
  const auto found =
      std::find_if(lifted.seen.begin(), lifted.seen.end(), [&](const Order& order) { return !allowed.Accepts(order); });
  if (found != lifted.seen.end()) doubts.unexplained = *found;
  return doubts;
}

LiftedOrders OrdersByRelease(const Lifted& lifted, const Profiles& profiles, const ChosenLimits& chosen) {
  LiftedOrders result;
  if (const auto missing = reference::NotModelled(lifted.c, kNodeFamily)) {
    result.not_modelled = *missing;
    return result;
  }
  result.doubts = DoubtsOf(lifted, profiles, chosen);
  const reference::ExploreLimits limits = LimitsOf(chosen);
  std::vector<Profile> releases = profiles.CheckpointsFor(lifted.c);
  std::erase_if(releases, [](const Profile& profile) { return profile.family != kNodeFamily; });
  std::vector<reference::Exploration> all(releases.size());
  const auto explore = [&](size_t i) {
    all[i] = reference::Explore(lifted.c, releases[i], reference::Timing::kOnTime, limits);
  };
  ForEachInOrder(releases.size(), DefaultJobs(), explore, [&](size_t i) {
    const reference::Exploration explored = std::exchange(all[i], {});
    result.doubts.complete = result.doubts.complete && explored.complete;
    NoteUnknown(explored.orders, lifted, &result.doubts);
    const std::string pattern = PatternOf(explored);
    const bool is_expected = !result.expected.empty() && result.expected.back().pattern == pattern;
    if (!is_expected) result.expected.push_back({releases[i].version, pattern});
    const Automaton printed = WithoutMadeUp(explored.orders, lifted);
    LiftedSpan span{
        releases[i].version, printed.Enumerate(kMaxLiftedOrders), SizeOfPrinted(printed, explored.complete), {}};
    const bool same = !result.spans.empty() && result.spans.back().orders == span.orders &&
                      result.spans.back().size.orders == span.size.orders;
    if (!same) {
      if (i > 0) span.changed_by = RulesBehind(lifted.c, releases[i - 1], releases[i]);
      result.spans.push_back(std::move(span));
    }
    if (i + 1 == releases.size()) result.late = OnlyWhenLate(lifted, releases[i], printed, chosen);
    return true;
  });
  return result;
}

std::string CaseFileOf(const Lifted& lifted, const LiftedOrders& orders) {
  std::string out = lifted.program + "expect:\n";
  if (orders.expected.empty()) return out + "  node: ...\n";
  for (size_t i = 0; i < orders.expected.size(); ++i) {
    out += "  node >=" + orders.expected[i].since.ToString();
    if (i + 1 < orders.expected.size()) out += " <" + orders.expected[i + 1].since.ToString();
    out += ": " + orders.expected[i].pattern + "\n";
  }
  return out;
}

Result<Lifted> LiftWithin(const std::string& script, LiftOptions options, const Home& home, const RunScope& scope) {
  Tools tools{OwnEnvironment(), &scope.interrupt()};
  tools.environment[kRunVariable] = scope.run_word();
  options.adapters = home.Adapters();
  PrintLine("conform: runs " + script + " " + Counted(options.runs, "time") + " to see what it schedules");
  return Lift(script, options, tools);
}

Result<Lifted> LiftScript(const std::string& script, LiftOptions options, const Home& home, int* exit_code) {
  *exit_code = kBadInput;
  const auto scope = RunScope::Open();
  if (!scope) {
    *exit_code = kHarnessTrouble;
    return scope.error();
  }
  const Interrupt& interrupt = scope.value()->interrupt();
  auto lifted = LiftWithin(script, std::move(options), home, *scope.value());
  if (!lifted && interrupt.raised()) *exit_code = interrupt.exit_code();
  return lifted;
}

}  // namespace conform
