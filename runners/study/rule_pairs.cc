#include "runners/study/rule_pairs.h"

#include "reference-impl/explore/explorer.h"
#include "runners/base/text.h"

namespace conform {
namespace {

constexpr int64_t kMostCallbacksOfRun = 20'000;  // of one run

}  // namespace

RulePairs::RulePairs(const Profile& profile, const std::vector<Case>& cases)
    : model_(profile), beside_(reference::kMostRules) {
  for (const Case& c : cases) {
    if (!c.native.empty() || reference::NotModelled(c, profile.family)) continue;
    const reference::RuleSet read = ReadBy(c);
    for (size_t rule = 0; rule < beside_.size(); ++rule) {
      if (read[rule]) beside_[rule] |= read;
    }
  }
}

reference::RuleSet RulePairs::ReadBy(const Case& c) const {
  reference::ExploreLimits limits;
  limits.max_callbacks = kMostCallbacksOfRun;
  return RulesReadBy(model_, [&] { reference::RunInVirtualTime(c, model_, 0, limits); });
}

int64_t RulePairs::NewPairsOf(const Case& c) const {
  const reference::RuleSet read = ReadBy(c);
  int64_t both_ways = 0;
  for (size_t rule = 0; rule < beside_.size(); ++rule) {
    if (read[rule]) both_ways += static_cast<int64_t>((read & ~beside_[rule]).count());
  }
  return both_ways / 2;
}

std::string RulePairs::Digest() const {
  std::string bytes;
  for (const reference::RuleSet& rules : beside_) bytes += rules.to_string();
  return ContentHash(bytes);
}

}  // namespace conform
