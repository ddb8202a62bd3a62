#include "runners/study/mutant_hunt.h"

#include <algorithm>

#include "reference-impl/explore/explorer.h"

namespace conform {
namespace {

// A mutant has not ended when it takes this many times the steps of the loop that is right, and some to spare.
constexpr int64_t kStepsFactor = 4;
constexpr int64_t kStepsToSpare = 2'000;
constexpr char kStepsLimit[] = "callbacks in one run";
// Of a mutant with choices, so many orders are judged.
constexpr size_t kMaxOrders = 200;
// And where every case is asked about every mutant, those of so many runs.
constexpr int64_t kFewRuns = 40;

// How near a case is to what a mutant breaks: 0 names the clause, 1 names one of the chapter, 2 none.
int Distance(const Case& c, const std::string& clause) {
  const std::string chapter = clause.substr(0, clause.find('.') + 1);
  int distance = 2;
  for (const std::string& named : c.clauses) {
    if (named == clause) return 0;
    if (named.starts_with(chapter)) distance = 1;
  }
  return distance;
}

// No delay explains the order: the only ground on which an implementation fails on a real machine.
bool IsProof(const Case& c, const Profile& profile, const Order& order) {
  reference::ExploreLimits limits;
  limits.max_runs = 5'000;
  limits.max_total_callbacks = 1'000'000;
  return reference::CanGive(c, profile, reference::Timing::kLate, order, limits) == reference::Membership::kOut;
}

}  // namespace

MutantHunt::MutantHunt(const std::vector<SelectedCase>& cases, const Profiles& profiles) {
  std::map<std::string, std::shared_ptr<const Profile>> shared;
  for (const SelectedCase& selected : cases) {
    const Case& c = selected.c;
    // A mutant is of the loop, and the model of a case is of the library above it.
    if (!c.models.empty()) continue;
    Asked asked{&c, {}};
    std::map<const Expectation*, std::shared_ptr<const ExpectedOrders>> expected;
    for (Profile& profile : profiles.CheckpointsFor(c)) {
      if (reference::NotModelled(c, profile.family)) continue;
      const Expectation* expectation = c.ExpectationFor(profile.family, profile.version);
      auto& orders = expected[expectation];
      if (orders == nullptr) orders = std::make_shared<const ExpectedOrders>(c, *expectation);
      auto& kept = shared[profile.Name()];
      if (kept == nullptr) kept = std::make_shared<const Profile>(std::move(profile));
      asked.questions.push_back({kept, orders, 0});
    }
    if (asked.questions.empty()) continue;
    // The newest version stands for all: a case asks of each about as many steps.
    const reference::ModelRun run = reference::RunInVirtualTime(c, *asked.questions.back().profile, 0);
    const int64_t limit = kStepsFactor * run.steps + kStepsToSpare;
    for (Question& question : asked.questions) question.steps_limit = limit;
    asked_.push_back(std::move(asked));
  }
}

std::vector<const MutantHunt::Question*> MutantHunt::Touched(const Asked& asked, const reference::Mutant& mutant,
                                                             Effort effort) const {
  // By expectation, newest first.
  std::vector<std::vector<const Question*>> groups;
  for (auto it = asked.questions.rbegin(); it != asked.questions.rend(); ++it) {
    if (!mutant.Touches(*it->profile)) continue;
    if (groups.empty() || groups.back().front()->expected != it->expected) groups.emplace_back();
    groups.back().push_back(&*it);
  }
  std::vector<const Question*> likely, others;
  for (const auto& group : groups) {
    likely.push_back(group.front());
    // A deviation is there in all versions alike: the newest and the oldest stand for those between.
    const bool ends = mutant.kind == reference::Mutant::Kind::kDeviation || effort == Effort::kSmall;
    const size_t first = ends ? std::max<size_t>(group.size() - 1, 1) : 1;
    for (size_t i = first; i < group.size(); ++i) others.push_back(group[i]);
  }
  likely.insert(likely.end(), others.begin(), others.end());
  return likely;
}

const reference::Model& MutantHunt::BrokenLoop::At(const Profile& profile) {
  const auto found = models_.find(&profile);
  if (found != models_.end()) return found->second;
  return models_.emplace(&profile, reference::Model(mutant_.Break(profile))).first->second;
}

std::optional<Kill> MutantHunt::Ask(const Case& c, const Question& question, BrokenLoop* broken_loop,
                                    Effort effort) const {
  const Profile& profile = *question.profile;
  const reference::Model& broken = broken_loop->At(profile);
  reference::ExploreLimits limits;
  limits.max_callbacks = question.steps_limit;
  if (effort == Effort::kSmall) limits.max_runs = kFewRuns;
  const reference::ModelRun run = reference::RunInVirtualTime(c, broken, 0, limits);
  Kill kill{c.id, profile.Name(), question.expected->pattern(), std::nullopt};
  if (run.limit_hit == kStepsLimit) return kill;
  if (!run.limit_hit.empty()) return std::nullopt;
  std::vector<Order> orders{run.trace.ToOrder()};
  if (!run.choices.empty()) {
    const reference::Exploration exploration = reference::Explore(c, broken, reference::Timing::kOnTime, limits);
    for (Order& order : exploration.orders.Enumerate(kMaxOrders)) orders.push_back(std::move(order));
  }
  for (Order& order : orders) {
    if (question.expected->Contains(order)) continue;
    kill.proof = effort == Effort::kFull && IsProof(c, profile, order);
    kill.order = std::move(order);
    if (kill.proof || effort == Effort::kSmall) break;
  }
  return kill.order ? std::optional(kill) : std::nullopt;
}

std::optional<Kill> MutantHunt::Find(const reference::Mutant& mutant) const {
  BrokenLoop broken(mutant);
  std::optional<Kill> without_proof;
  // First what is likely, of all cases; then the rest.
  for (const bool likely : {true, false}) {
    for (int distance = 0; distance <= 2; ++distance) {
      for (const Asked& asked : asked_) {
        if (Distance(*asked.c, mutant.clause) != distance) continue;
        const std::vector<const Question*> touched = Touched(asked, mutant, Effort::kFull);
        const size_t few = std::min<size_t>(touched.size(), 2);
        for (size_t i = likely ? 0 : few; i < (likely ? few : touched.size()); ++i) {
          auto kill = Ask(*asked.c, *touched[i], &broken, Effort::kFull);
          if (kill && (kill->proof || !likely)) return kill;
          if (kill && !without_proof) without_proof = std::move(kill);
        }
      }
      if (without_proof && distance == 1) return without_proof;
    }
    if (without_proof) return without_proof;
  }
  return std::nullopt;
}

std::optional<Kill> MutantHunt::KillBy(const Asked& asked, BrokenLoop* broken, Effort effort) const {
  for (const Question* question : Touched(asked, broken->mutant(), effort)) {
    if (auto kill = Ask(*asked.c, *question, broken, effort)) return kill;
  }
  return std::nullopt;
}

std::vector<Kill> MutantHunt::FindAll(const reference::Mutant& mutant) const {
  std::vector<Kill> kills;
  BrokenLoop broken(mutant);
  for (const Effort effort : {Effort::kSmall, Effort::kFull}) {
    for (const Asked& asked : asked_) {
      if (auto kill = KillBy(asked, &broken, effort)) kills.push_back(std::move(*kill));
    }
    if (!kills.empty()) break;
  }
  return kills;
}

std::optional<Kill> MutantHunt::FindBy(const std::string& case_id, const reference::Mutant& mutant) const {
  const auto asked = std::find_if(asked_.begin(), asked_.end(), [&](const Asked& one) { return one.c->id == case_id; });
  if (asked == asked_.end()) return std::nullopt;
  BrokenLoop broken(mutant);
  auto kill = KillBy(*asked, &broken, Effort::kSmall);
  return kill ? kill : KillBy(*asked, &broken, Effort::kFull);
}

std::vector<std::string> MutantHunt::CaseIds() const {
  std::vector<std::string> ids;
  for (const Asked& asked : asked_) ids.push_back(asked.c->id);
  return ids;
}

}  // namespace conform
