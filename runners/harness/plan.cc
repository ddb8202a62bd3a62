#include "runners/harness/plan.h"

#include <algorithm>
#include <map>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform {
namespace {

std::optional<Obstacle> WhyUnsupported(const Case& c, const Profiles& profiles, const Profile& profile,
                                       const Runner& runner) {
  if (runner.claims() == nullptr) {
    const ProfileFamily* family = profiles.Find(profile.family);
    CONFORM_CHECK(family != nullptr);
    if (const auto missing = family->Unsupported(c, profile.version)) {
      return Obstacle{profile.Name() + " has no " + *missing, *missing};
    }
  }
  return runner.CannotRun(c, profile);
}

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

// The version itself: "24.21.0" of "24.21.0-pre+4".
std::string_view WithoutSuffix(std::string_view version) { return version.substr(0, version.find_first_of("-+ ")); }

// A profile to be planned, and where it comes from.
struct Held {
  Profile profile;
  bool as_claimed = false;
  std::string note = "";
};

class Planner {
 public:
  Planner(const Profiles& profiles, const std::vector<Profile>& as, const Shard& shard)
      : profiles_(profiles), as_(as), shard_(shard) {}

  void Add(Plan& plan, size_t index, const Runner* runner) {
    const SelectedCase& selected = plan.cases[index];
    for (const Held& held : ProfilesFor(selected.c, *runner)) {
      const Profile& profile = held.profile;
      if (!selected.named && IsHeldToAll(held) && !selected.c.SpeaksOf(profile.family)) continue;
      digest_.Add(selected.c.id, selected.c.content_hash, runner->name(), profile.Name());
      rules_.try_emplace(profile.Name(), profile.rules);
      if (!shard_.Holds(number_++)) continue;
      PlanItem item{index, runner, Shared(profile), "", nullptr, held.as_claimed, held.note};
      if (const Expectation* expectation = selected.c.ExpectationFor(profile.family, profile.version)) {
        if (!profile.rules.empty()) item.expected = Expected(selected.c, expectation);
      }
      if (held.as_claimed && item.expected != nullptr) item.claimed = SharedFamily(profile.family);
      if (const auto obstacle = WhyUnsupported(selected.c, profiles_, profile, *runner)) {
        item.is_missing = item.Promises(obstacle->capability);
        item.unsupported = obstacle->why + (item.is_missing ? ", which " + profile.Name() + " has" : "");
      }
      plan.items.push_back(std::move(item));
    }
  }

  // Of all that was added, whatever the shard holds.
  std::string Digest() const { return digest_.ToString(); }
  std::string CatalogueDigest(const std::vector<SelectedCase>& cases) const {
    std::string all;
    for (const SelectedCase& selected : cases) all += selected.c.id + '\0' + selected.c.content_hash + '\0';
    for (const auto& [name, rules] : rules_) {
      all += name + '\0';
      for (const auto& [rule, value] : rules) all += rule + '\0' + value + '\0';
    }
    return ContentHash(all);
  }

 private:
  // What a loop does that is held to its documentation is recorded where that says nothing.
  bool IsHeldToAll(const Held& held) const {
    const ProfileFamily* family = profiles_.Find(held.profile.family);
    return !held.profile.family.empty() && !(held.as_claimed && family != nullptr && family->is_documented);
  }

  std::vector<Held> ProfilesFor(const Case& c, const Runner& runner) const {
    std::vector<Held> held;
    if (!as_.empty()) {
      for (const Profile& profile : as_) held.push_back({profile});
    } else if (const Claims* claims = runner.claims()) {
      ClaimedProfile claimed = ProfileOf(*claims, profiles_);
      held.push_back({std::move(claimed.profile), true, std::move(claimed.note)});
    } else {
      const std::vector<Profile> every = profiles_.CheckpointsFor(c);
      for (const Profile& profile : runner.MayBeLate() ? NewestOfEachRange(c, every) : every) held.push_back({profile});
    }
    return held;
  }

  std::shared_ptr<const ExpectedOrders> Expected(const Case& c, const Expectation* expectation) {
    auto& orders = expected_[expectation];
    if (!orders) orders = std::make_shared<ExpectedOrders>(c, *expectation);
    return orders;
  }

  // A release has some hundred rules, and a run tens of thousands of items.
  std::shared_ptr<const Profile> Shared(const Profile& profile) {
    std::shared_ptr<const Profile>& shared = shared_[profile.Name()];
    if (shared == nullptr) shared = std::make_shared<Profile>(profile);
    return shared;
  }

  // The plan outlives the profiles.
  std::shared_ptr<const ProfileFamily> SharedFamily(const std::string& name) {
    std::shared_ptr<const ProfileFamily>& shared = families_[name];
    const ProfileFamily* family = profiles_.Find(name);
    if (shared == nullptr && family != nullptr) shared = std::make_shared<ProfileFamily>(*family);
    return shared;
  }

  const Profiles& profiles_;
  const std::vector<Profile>& as_;
  const Shard& shard_;
  size_t number_ = 0;
  PlanDigest digest_;
  std::map<std::string, std::map<std::string, std::string>> rules_;  // by profile
  std::map<std::string, std::shared_ptr<const Profile>> shared_;     // likewise
  std::map<std::string, std::shared_ptr<const ProfileFamily>> families_;
  std::map<const Expectation*, std::shared_ptr<const ExpectedOrders>> expected_;
};

}  // namespace

bool PlanItem::Promises(const std::string& capability) const {
  return claimed != nullptr && claimed->Has(capability, profile->version);
}

ClaimedProfile ProfileOf(const Claims& claims, const Profiles& profiles) {
  const auto version = Version::Parse(WithoutSuffix(claims.version));
  const Profile nothing{claims.family, version ? *version : Version{}, {}};
  if (claims.family.empty()) return {nothing, "it claims no profile"};
  const ProfileFamily* family = profiles.Find(claims.family);
  if (family == nullptr) return {nothing, "there is no profile '" + claims.family + "'"};
  if (!version) return {nothing, "'" + claims.version + "' is not a version"};
  if (family->Knows(*version)) return {profiles.At(*family, *version), ""};
  if (*version < family->releases.front()) {
    return {nothing, family->name + " " + claims.version + " is older than all known versions"};
  }
  const Version& newest = family->releases.back();
  return {profiles.At(*family, newest), family->name + " " + claims.version +
                                            " is newer than all known versions, and is held to " + newest.ToString()};
}

Plan MakePlan(std::vector<SelectedCase> cases, const Profiles& profiles, const std::vector<const Runner*>& runners,
              const std::vector<Profile>& as, const Shard& shard) {
  Plan plan;
  plan.cases = std::move(cases);
  Planner planner(profiles, as, shard);
  for (size_t index = 0; index < plan.cases.size(); ++index) {
    for (const Runner* runner : runners) planner.Add(plan, index, runner);
  }
  plan.catalogue = planner.CatalogueDigest(plan.cases);
  plan.digest = planner.Digest();
  return plan;
}

}  // namespace conform
