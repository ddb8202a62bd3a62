#include "runners/study/bisect.h"

#include <algorithm>
#include <optional>

#include "reference-impl/explore/explorer.h"
#include "runners/base/check.h"
#include "runners/study/history.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Timing;

constexpr int64_t kTimesMoreRuns = 3;  // where a release is like both of its neighbours
constexpr size_t kMostReleases = 60;   // that are run
constexpr size_t kMostSuspected = 12;  // of the model's changes that are looked at

bool HasModel(const Case& c, const ReleaseSample& sample) {
  return !sample.profile.rules.empty() && !reference::NotModelled(c, sample.profile.family);
}

bool Gives(const Case& c, const Profile& profile, Timing timing, const Order& order) {
  return reference::CanGive(c, profile, timing, order) == Membership::kIn;
}

bool IsCommon(const Case& c, const Order& order, const ReleaseSample& own, const ReleaseSample& other) {
  if (other.orders.contains(order)) return true;
  if (!HasModel(c, own) || !HasModel(c, other)) return false;
  if (Gives(c, other.profile, Timing::kOnTime, order)) return true;
  if (Gives(c, own.profile, Timing::kOnTime, order)) return false;
  return Gives(c, own.profile, Timing::kLate, order) && Gives(c, other.profile, Timing::kLate, order);
}

}  // namespace

int64_t ReleaseSample::runs() const {
  int64_t sum = 0;
  for (const auto& [order, count] : orders) sum += count;
  return sum;
}

std::vector<std::pair<int64_t, int64_t>> SetCounts(const Case& c, const ReleaseSample& a, const ReleaseSample& b) {
  std::vector<std::pair<int64_t, int64_t>> counts{{0, 0}};
  for (const auto& [order, count] : a.orders) {
    if (IsCommon(c, order, a, b)) {
      counts[0].first += count;
    } else {
      counts.emplace_back(count, 0);
    }
  }
  for (const auto& [order, count] : b.orders) {
    if (IsCommon(c, order, b, a)) {
      counts[0].second += count;
    } else {
      counts.emplace_back(0, count);
    }
  }
  return counts;
}

std::vector<RuleBehind> RulesBetween(const Case& c, const Profiles& profiles, const ReleaseSample& before,
                                     const ReleaseSample& after) {
  std::vector<RuleBehind> rules;
  if (!HasModel(c, before) || !HasModel(c, after)) return rules;
  const ProfileFamily* family = profiles.Find(after.profile.family);
  for (const std::string& name : RulesBehind(c, before.profile, after.profile)) {
    std::string clause;
    for (const std::string& of : {family->base, family->name}) {
      const ProfileFamily* stated = of.empty() ? nullptr : profiles.Find(of);
      if (stated == nullptr) continue;
      for (const RuleDefinition& rule : stated->rules) {
        if (rule.name == name) clause = rule.clause;
      }
    }
    rules.push_back({name, before.profile.Rule(name), after.profile.Rule(name), clause});
  }
  return rules;
}

std::set<size_t> SuspectedChanges(const Case& c, const Profiles& profiles, const ProfileFamily& family,
                                  const std::vector<std::string>& line) {
  std::set<size_t> suspected;
  if (c.HasNoProgram() || reference::NotModelled(c, family.name)) return suspected;
  std::optional<Profile> before;
  for (size_t i = 0; i < line.size(); ++i) {
    const auto version = Version::Parse(line[i]);
    if (!version || !family.Knows(*version) || family.Unsupported(c, *version)) continue;
    Profile now = profiles.At(family, *version);
    if (before && now.rules != before->rules && !RulesBehind(c, *before, now).empty()) suspected.insert(i);
    before = std::move(now);
  }
  return suspected;
}

bool Bisector::Run(size_t index) {
  CONFORM_CHECK(IsOpen(index));
  steps_.progress(line_[index], samples_.size());
  auto sample = steps_.run(line_[index], settings_.runs);
  if (sample) {
    samples_.emplace(index, std::move(*sample));
  } else {
    left_out_.emplace(index, sample.error().ToString());
  }
  return samples_.contains(index);
}

bool Bisector::RunMore(size_t index) {
  ReleaseSample& sample = samples_.at(index);
  const int64_t enough = settings_.runs * kTimesMoreRuns;
  if (sample.runs() >= enough) return false;
  const auto more = steps_.run(line_[index], enough - sample.runs());
  if (!more) return false;
  for (const auto& [order, count] : more->orders) sample.orders[order] += count;
  return true;
}

// What the model suspects, then what is installed and not far from the middle, then the middle.
std::optional<size_t> Bisector::Between(size_t low, size_t high) const {
  const size_t middle = low + (high - low) / 2, quarter = (high - low) / 4;
  std::optional<size_t> best;
  std::pair<int, size_t> best_rank;
  for (size_t i = low + 1; i < high; ++i) {
    if (!IsOpen(i)) continue;
    const size_t distance = i > middle ? i - middle : middle - i;
    const bool is_suspected = suspected_.contains(i) || suspected_.contains(i + 1);
    const bool is_cheap = distance <= quarter && steps_.is_installed(line_[i]);
    const std::pair<int, size_t> rank{is_suspected ? 0 : is_cheap ? 1 : 2, distance};
    if (best && best_rank <= rank) continue;
    best = i;
    best_rank = rank;
  }
  return best;
}

// `low` and `high` differ. Where one between them differs from neither, more runs may decide; if not, nothing can be
// said about it, and it stands in the way of what can.
void Bisector::Place(size_t low, size_t middle, size_t high) {
  if (Differ(low, middle) || Differ(middle, high)) return;
  bool more = false;
  for (const size_t index : {low, middle, high}) more = RunMore(index) || more;
  if (more && (Differ(low, middle) || Differ(middle, high))) return;
  undecided_.insert(middle);
  left_out_.emplace(middle, "");
  samples_.erase(middle);
}

void Bisector::CloseGaps() {
  for (bool again = true; again && !steps_.stopped();) {
    again = false;
    for (auto next = std::next(samples_.begin()); next != samples_.end(); ++next) {
      const size_t low = std::prev(next)->first, high = next->first;
      const auto middle = Between(low, high);
      if (!middle || samples_.size() >= kMostReleases || !Differ(low, high)) continue;
      if (Run(*middle)) Place(low, *middle, high);
      again = true;
      break;
    }
  }
}

// Between two releases that agree there may be some that do not.
void Bisector::Probe() {
  std::vector<size_t> chosen;
  for (const size_t index : suspected_) {
    if (chosen.size() < kMostSuspected) chosen.push_back(index);
  }
  for (const size_t index : chosen) {
    if (IsOpen(index) && !steps_.stopped()) Run(index);
  }
  for (size_t probe = 0; probe < settings_.probes && !steps_.stopped();) {
    std::optional<std::pair<size_t, size_t>> widest;
    for (auto next = std::next(samples_.begin()); next != samples_.end(); ++next) {
      const size_t low = std::prev(next)->first, high = next->first;
      if (!Between(low, high)) continue;
      if (!widest || high - low > widest->second - widest->first) widest = {low, high};
    }
    if (!widest) break;
    if (Run(*Between(widest->first, widest->second))) ++probe;
  }
}

BisectReport Bisector::Report() const {
  BisectReport report;
  report.releases = line_.size();
  for (const auto& [index, sample] : samples_) report.samples.push_back(sample);
  for (auto next = std::next(samples_.begin()); next != samples_.end(); ++next) {
    const size_t low = std::prev(next)->first, high = next->first;
    if (!Differ(low, high)) continue;
    const auto place = static_cast<size_t>(std::distance(samples_.begin(), next));
    BisectChange change{place - 1, place, {}};
    for (size_t i = low + 1; i < high; ++i) change.not_run.push_back(line_[i]);
    report.changes.push_back(std::move(change));
  }
  for (size_t i = 0; i + 1 < report.changes.size(); ++i) {
    report.changes[i].is_taken_back =
        !steps_.differ(report.samples[report.changes[i].before], report.samples[report.changes[i + 1].after]);
  }
  for (const auto& [index, why] : left_out_) {
    if (undecided_.contains(index)) {
      report.undecided.push_back(line_[index]);
    } else {
      report.skipped.emplace_back(line_[index], why);
    }
  }
  report.interrupted = steps_.stopped();
  return report;
}

// Old releases lack what a program or the adapter needs, and newer ones have it.
void Bisector::FindFirst() {
  size_t cannot = 0, can = line_.size() - 1;
  while (can - cannot > 1 && !steps_.stopped()) {
    const size_t middle = cannot + (can - cannot) / 2;
    (Run(middle) ? can : cannot) = middle;
  }
  for (size_t i = 1; i < cannot; ++i) left_out_.try_emplace(i, "older than " + line_[can] + ", the first that runs it");
}

Result<BisectReport> Bisector::Find() {
  CONFORM_CHECK(line_.size() >= 2);
  const size_t last = line_.size() - 1;
  const bool has_first = Run(0);
  if (!has_first && settings_.first_is_named) return Error{left_out_.at(0)};
  if (!steps_.stopped() && !Run(last)) return Error{left_out_.at(last)};
  if (!has_first && !steps_.stopped()) FindFirst();
  if (samples_.size() < 2 && !has_first && !steps_.stopped()) return Error{left_out_.at(0)};
  if (samples_.size() < 2) return Error{"interrupted"};
  CloseGaps();
  Probe();
  CloseGaps();
  return Report();
}

}  // namespace conform
