#include "runners/study/cause_evidence.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runners/harness/parallel.h"
#include "runners/study/dice.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;
using reference::Timing;

// Of the profile's own run; and some to spare.
constexpr int64_t kTimesTheSteps = 4;
constexpr int64_t kMoreSteps = 50;
constexpr int64_t kTotalFactor = 5;
constexpr int64_t kMostCpuMs = 200;
constexpr int64_t kMostBytes = 64LL << 20;

}  // namespace

reference::ExploreLimits LimitsOfQuestion(const Case& c, const Model& model) {
  const reference::ModelRun run = reference::RunInVirtualTime(c, model, 0);
  reference::ExploreLimits limits;
  limits.max_callbacks = kTimesTheSteps * run.steps + kMoreSteps;
  limits.max_total_callbacks = kTotalFactor * limits.max_callbacks;
  limits.max_cpu_ms = kMostCpuMs;
  limits.max_memory_bytes = kMostBytes;
  return limits;
}

int64_t CauseEvidence::failing() const {
  return std::count_if(observations.begin(), observations.end(), [](const Observation& one) { return one.fails; });
}

CauseEvidence GatherEvidence(const std::vector<CaseResult>& results, const std::vector<SelectedCase>& cases,
                             const Profiles& profiles, const Profile& profile, int jobs) {
  CauseEvidence evidence;
  evidence.profile = profile;
  const ProfileFamily& family = *profiles.Find(profile.family);
  std::map<std::string, const Case*> by_id;
  for (const SelectedCase& selected : cases) by_id[selected.c.id] = &selected.c;
  std::map<std::string, std::set<Order>> orders;  // by case
  for (const CaseResult& result : results) {
    evidence.implementation = result.implementation;
    const auto c = by_id.find(result.case_id);
    if (c == by_id.end() || c->second->content_hash != result.content_hash) {
      ++evidence.older;
      continue;
    }
    if (family.Unsupported(*c->second, profile.version) || result.verdict == Verdict::kUnsupported) continue;
    const std::set<Order> ended = result.EndedOrders();
    if (ended.empty()) {
      evidence.without_orders.push_back(result.case_id);
    } else if (!reference::NotModelled(*c->second, profile.family)) {
      orders[result.case_id].insert(ended.begin(), ended.end());
    } else if (IsJudgement(result.verdict)) {
      evidence.without_model.push_back(result.case_id);
    }
  }
  for (const auto& [id, seen] : orders) {
    evidence.observations.push_back({by_id[id], {seen.begin(), seen.end()}, false, {}});
  }
  const Model model(profile);
  std::vector<char> decided(evidence.observations.size(), 1);  // of bytes, which threads may write side by side
  ForEachInOrder(
      evidence.observations.size(), jobs,
      [&](size_t index) {
        Observation& one = evidence.observations[index];
        one.limits = LimitsOfQuestion(*one.c, model);
        for (const Order& order : one.orders) {
          const Membership membership = reference::CanGive(*one.c, model, Timing::kLate, order);
          one.fails = one.fails || membership == Membership::kOut;
          if (membership == Membership::kLimit) decided[index] = 0;
        }
      },
      [](size_t) { return true; });
  std::vector<Observation> kept;
  for (size_t i = 0; i < decided.size(); ++i) {
    if (decided[i] != 0) {
      kept.push_back(std::move(evidence.observations[i]));
    } else {
      ++evidence.undecided;
    }
  }
  evidence.observations = std::move(kept);
  return evidence;
}

CauseEvidence WithholdHalf(CauseEvidence* evidence, uint64_t seed) {
  CauseEvidence withheld;
  withheld.implementation = evidence->implementation;
  withheld.profile = evidence->profile;
  std::vector<Observation> kept;
  for (size_t i = 0; i < evidence->observations.size(); ++i) {
    const bool is_withheld = Dice(seed, static_cast<int64_t>(i)).Chance(50);
    (is_withheld ? withheld.observations : kept).push_back(std::move(evidence->observations[i]));
  }
  evidence->observations = std::move(kept);
  return withheld;
}

}  // namespace conform
