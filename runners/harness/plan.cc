#include "runners/harness/plan.h"

#include <charconv>
#include <map>

#include "runners/base/check.h"

namespace conform {
namespace {

bool ReadNumber(std::string_view text, int* number) {
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return trouble == std::errc{} && end == text.data() + text.size();
}

std::string WhyUnsupported(const Case& c, const Profiles& profiles, const Profile& profile, const Runner& runner) {
  const ProfileFamily* family = profiles.Find(profile.family);
  CONFORM_CHECK(family != nullptr);
  if (const auto missing = family->Unsupported(c, profile.version)) return profile.Name() + " has no " + *missing;
  if (const auto reason = runner.CannotRun(c, profile)) return *reason;
  return "";
}

}  // namespace

Result<Shard> Shard::Parse(std::string_view text) {
  Shard shard;
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || !ReadNumber(text.substr(0, slash), &shard.part) ||
      !ReadNumber(text.substr(slash + 1), &shard.of) || shard.part < 1 || shard.of < shard.part ||
      shard.of > kMaxShards) {
    return Error{"'" + std::string(text) + "' is no shard: expected I/N, as 2/8 for the second of eight", "", {}, ""};
  }
  return shard;
}

std::string Shard::ToString() const { return of == 1 ? "" : std::to_string(part) + "/" + std::to_string(of); }

namespace {

// The newest of the profiles that each range of `expect` covers, in their order.
std::vector<Profile> NewestOfEachRange(const Case& c, const std::vector<Profile>& profiles) {
  std::map<std::pair<const Expectation*, std::string>, size_t> newest;
  for (size_t i = 0; i < profiles.size(); ++i) {
    const Profile& profile = profiles[i];
    const Expectation* expectation = c.ExpectationFor(profile.family, profile.version);
    const auto [it, fresh] = newest.try_emplace({expectation, profile.family}, i);
    if (!fresh && profiles[it->second].version < profile.version) it->second = i;
  }
  std::vector<Profile> kept;
  for (size_t i = 0; i < profiles.size(); ++i) {
    for (const auto& [range, index] : newest) {
      if (index == i) kept.push_back(profiles[i]);
    }
  }
  return kept;
}

}  // namespace

Plan MakePlan(std::vector<SelectedCase> cases, const Profiles& profiles, const std::vector<const Runner*>& runners,
              const std::vector<Profile>& as, const Shard& shard) {
  Plan plan;
  plan.cases = std::move(cases);
  size_t number = 0;
  for (size_t index = 0; index < plan.cases.size(); ++index) {
    const Case& c = plan.cases[index].c;
    std::map<const Expectation*, std::shared_ptr<const ExpectedOrders>> expected;
    const std::vector<Profile> every = as.empty() ? profiles.CheckpointsFor(c) : as;
    for (const Runner* runner : runners) {
      const bool real_time = runner->MayBeLate();
      for (const Profile& profile : as.empty() && real_time ? NewestOfEachRange(c, every) : every) {
        if (static_cast<int>(number++ % shard.of) != shard.part - 1) continue;
        PlanItem item{index, runner, profile, WhyUnsupported(c, profiles, profile, *runner), nullptr};
        if (const Expectation* expectation = c.ExpectationFor(profile.family, profile.version)) {
          auto& orders = expected[expectation];
          if (!orders) orders = std::make_shared<ExpectedOrders>(c, *expectation);
          item.expected = orders;
        }
        plan.items.push_back(std::move(item));
      }
    }
  }
  return plan;
}

}  // namespace conform
