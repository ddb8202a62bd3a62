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
void NoteUnknown(const Automaton& orders, const Lifted& lifted, LiftedOrders* result) {
  for (const std::string& label : orders.labels()) {
    const auto found = lifted.made_up.find(label.substr(0, label.find('=')));
    if (found == lifted.made_up.end() || !found->second.is_unknown) continue;
    const bool is_new =
        std::find(result->unknown.begin(), result->unknown.end(), found->first) == result->unknown.end();
    if (is_new) result->unknown.push_back(found->first);
  }
}

// What the runs showed against what any delay allows.
void CompareWithRuns(const Lifted& lifted, const Profiles& profiles, const reference::ExploreLimits& limits,
                     LiftedOrders* result) {
  const Profile profile = ProfileOfRuntime(lifted.runtime, profiles);
  if (profiles.Find(kNodeFamily)->Unsupported(lifted.c, profile.version)) return;
  const auto late = reference::Explore(lifted.c, profile, reference::Timing::kLate, limits);
  NoteUnknown(late.orders, lifted, result);
  if (!late.complete) {
    result->complete = false;
    return;
  }
  const Automaton allowed = WithoutMadeUp(late.orders, lifted);
  for (const Order& order : lifted.seen) {
    if (allowed.Accepts(order)) continue;
    result->unexplained = order;
    return;
  }
}

bool IsMadeUp(const std::string& label, const Lifted& lifted) {
  return lifted.made_up.contains(label.substr(0, label.find('=')));
}

std::string PatternOf(const Order& order) { return order.empty() ? "''" : OrderToString(order); }

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

LiftedOrders OrdersByRelease(const Lifted& lifted, const Profiles& profiles, const ChosenLimits& chosen) {
  LiftedOrders result;
  if (const auto missing = reference::NotModelled(lifted.c, kNodeFamily)) {
    result.not_modelled = *missing;
    return result;
  }
  reference::ExploreLimits limits;
  chosen.ApplyTo(&limits);
  std::vector<Profile> releases = profiles.CheckpointsFor(lifted.c);
  std::erase_if(releases, [](const Profile& profile) { return profile.family != kNodeFamily; });
  std::vector<reference::Exploration> all(releases.size());
  const auto explore = [&](size_t i) {
    all[i] = reference::Explore(lifted.c, releases[i], reference::Timing::kOnTime, limits);
  };
  ForEachInOrder(releases.size(), DefaultJobs(), explore, [&](size_t i) {
    const reference::Exploration explored = std::exchange(all[i], {});
    result.complete = result.complete && explored.complete;
    NoteUnknown(explored.orders, lifted, &result);
    LiftedSpan span{releases[i].version, explored.orders.Enumerate(kMaxLiftedOrders), SizeOf(explored), {}};
    const bool same = !result.spans.empty() && result.spans.back().orders == span.orders &&
                      result.spans.back().size.orders == span.size.orders;
    if (!same) {
      if (i > 0) span.changed_by = RulesBehind(lifted.c, releases[i - 1], releases[i]);
      result.spans.push_back(std::move(span));
    }
    return true;
  });
  CompareWithRuns(lifted, profiles, limits, &result);
  return result;
}

std::string CaseFileOf(const Lifted& lifted, const LiftedOrders& orders) {
  std::string out = lifted.program + "expect:\n";
  if (orders.spans.empty()) return out + "  node: ...\n";
  for (size_t i = 0; i < orders.spans.size(); ++i) {
    const LiftedSpan& span = orders.spans[i];
    out += "  node >=" + span.since.ToString();
    if (i + 1 < orders.spans.size()) out += " <" + orders.spans[i + 1].since.ToString();
    std::vector<std::string> patterns;
    for (const Order& order : span.orders) patterns.push_back(PatternOf(order));
    const bool whole = !span.size.more && static_cast<size_t>(span.size.orders) == span.orders.size();
    out += ": " + (whole ? Join(patterns, " | ") : std::string("...")) + "\n";
  }
  return out;
}

Result<Lifted> LiftScript(const std::string& script, LiftOptions options, const Home& home, int* exit_code) {
  *exit_code = kBadInput;
  const auto scope = RunScope::Open();
  if (!scope) {
    *exit_code = kHarnessTrouble;
    return scope.error();
  }
  Tools tools{OwnEnvironment(), &scope.value()->interrupt()};
  tools.environment[kRunVariable] = scope.value()->run_word();
  options.adapters = home.Adapters();
  PrintLine("conform: runs " + script + " " + Counted(options.runs, "time") + " to see what it schedules");
  auto lifted = Lift(script, options, tools);
  if (!lifted && scope.value()->interrupt().raised()) *exit_code = kEndedBySignal + scope.value()->interrupt().signal();
  return lifted;
}

}  // namespace conform
