#include "runners/study/own_profile.h"

#include <memory>
#include <utility>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/rules/rule_reader.h"
#include "runners/base/text.h"
#include "runners/harness/parallel.h"
#include "runners/model/profile_change.h"

namespace conform {
namespace {

constexpr size_t kMaxProfileBytes = 1 << 20;
// A pattern of more orders helps nobody.
constexpr size_t kMaxOrdersInPattern = 20;

Result<Profile> OfFamily(const std::string& text, const std::string& file, Profiles* profiles) {
  auto family = ParseProfileFamily(text, file);
  if (!family) return family.error();
  const std::string name = family->name;
  std::vector<ProfileFamily> families = profiles->families();
  families.push_back(std::move(*family));
  auto all = Profiles::FromFamilies(std::move(families));
  if (!all) return all.error();
  if (const auto error = reference::CheckRules(*all)) return *error;
  *profiles = std::move(*all);
  const ProfileFamily& added = *profiles->Find(name);
  return profiles->At(added, added.releases.back());
}

// Every value that the files of the spec know of a rule.
std::vector<std::string> KnownValues(const Profiles& profiles, const std::string& family, const std::string& rule) {
  std::vector<std::string> values;
  const ProfileFamily* own = profiles.Find(family);
  for (const ProfileFamily* one : {own, own->base.empty() ? nullptr : profiles.Find(own->base)}) {
    if (one == nullptr || !values.empty()) continue;
    for (const RuleDefinition& definition : one->rules) {
      if (definition.name != rule) continue;
      values = definition.values;
      for (const auto* others : {&definition.deviations, &definition.narrower}) {
        for (const auto& other : *others) values.push_back(other.value);
      }
    }
  }
  return values;
}

Result<Profile> OfChange(const std::string& text, const std::string& file, const Profiles& profiles) {
  const auto change = ParseProfileChange(text, file);
  if (!change) return change.error();
  auto profile = profiles.Resolve(change->base);
  if (!profile) return Error{profile.error().message, file, change->base_at, profile.error().hint};
  std::vector<std::string> names;
  for (const auto& [name, value] : profile->rules) names.push_back(name);
  for (const ProfileChange::Rule& rule : change->rules) {
    const auto found = profile->rules.find(rule.name);
    if (found == profile->rules.end()) {
      return Error{profile->Name() + " has no rule '" + rule.name + "'", file, rule.name_at,
                   DidYouMean(rule.name, names)};
    }
    found->second = rule.value;
    try {
      const reference::Model model(*profile);
    } catch (const reference::UnknownRule&) {
      const auto values = KnownValues(profiles, profile->family, rule.name);
      return Error{"'" + rule.value + "' is not a value of the rule '" + rule.name + "'", file, rule.value_at,
                   "there are " + Join(values, "; ")};
    }
  }
  profile->is_changed = true;
  return profile;
}

std::string PatternOf(const Automaton& orders, const std::string& profile) {
  const std::vector<Order> first = orders.Enumerate(kMaxOrdersInPattern + 1);
  if (first.size() > kMaxOrdersInPattern) return "what the model gives under " + profile;
  std::vector<std::string> texts;
  for (const Order& order : first) texts.push_back(order.empty() ? "" : OrderToString(order));
  return Join(texts, " | ");
}

void ExpectOfModel(const Case& c, PlanItem* item) {
  if (item->expected == nullptr || !item->unsupported.empty()) return;
  if (reference::NotModelled(c, item->profile.family)) return;
  reference::Exploration found = reference::Explore(c, item->profile, reference::Timing::kOnTime);
  if (!found.complete) {
    item->unsupported =
        "the limit on " + found.limit_hit + " was hit while exploring what " + item->profile.Name() + " allows";
    return;
  }
  const std::string pattern = PatternOf(found.orders, item->profile.Name());
  item->expected = std::make_shared<const ExpectedOrders>(std::move(found.orders), pattern);
}

}  // namespace

Result<Profile> ResolveProfile(const std::string& word, Profiles* profiles) {
  if (!IsProfileFile(word)) return profiles->Resolve(word);
  const auto text = ReadFile(word, kMaxProfileBytes);
  if (!text) return text.error();
  auto profile = DescribesFamily(*text) ? OfFamily(*text, word, profiles) : OfChange(*text, word, *profiles);
  if (profile.ok()) profile->file = word;
  return profile;
}

void ExpectWhatTheModelGives(Plan* plan) {
  std::vector<PlanItem*> changed;
  for (PlanItem& item : plan->items) {
    if (item.profile.is_changed) changed.push_back(&item);
  }
  ForEachInOrder(
      changed.size(), DefaultJobs(),
      [&](size_t i) { ExpectOfModel(plan->cases[changed[i]->case_index].c, changed[i]); }, [](size_t) { return true; });
}

}  // namespace conform
