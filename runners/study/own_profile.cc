#include "runners/study/own_profile.h"

#include <memory>
#include <utility>

#include "reference-impl/explore/explorer.h"
#include "runners/base/text.h"
#include "runners/harness/parallel.h"
#include "runners/model/profile_change.h"
#include "runners/study/rule_changes.h"

namespace conform {
namespace {

constexpr size_t kMaxProfileBytes = 1 << 20;
// A pattern of more orders would not help.
constexpr size_t kMaxOrdersInPattern = 20;

Result<Profile> OfFamily(const std::string& text, const std::string& file, Profiles* profiles) {
  auto family = ParseProfileFamily(text, file);
  if (!family) return family.error();
  const std::string name = family->name;
  for (const RuleDefinition& rule : family->rules) {
    const std::string hint = profiles->RenamedHint(rule.name);
    if (!hint.empty()) return Error{"there is no rule '" + rule.name + "'", file, {}, hint};
  }
  auto all = profiles->With(std::move(*family));
  if (!all) return all.error();
  if (const auto error = reference::CheckRules(*all)) return *error;
  *profiles = std::move(*all);
  const ProfileFamily& added = *profiles->Find(name);
  return profiles->At(added, added.releases.back());
}

Result<Profile> OfChange(const std::string& text, const std::string& file, const Profiles& profiles) {
  const auto change = ParseProfileChange(text, file);
  if (!change) return change.error();
  auto profile = profiles.Resolve(change->base);
  if (!profile) return Error{profile.error().message, file, change->base_at, profile.error().hint};
  const Profile base = *profile;
  for (const ProfileChange::Rule& rule : change->rules) {
    const auto now = base.rules.find(rule.name);
    if (now != base.rules.end() && now->second == rule.value) continue;
    const auto found = FindChange(profiles, base, rule.name, rule.value);
    const Location& at = now == base.rules.end() ? rule.name_at : rule.value_at;
    if (!found) return Error{found.error().message, file, at, found.error().hint};
    profile = found->ApplyTo(std::move(*profile));
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
  if (reference::NotModelled(c, item->profile->family)) return;
  reference::Exploration found = reference::Explore(c, *item->profile, reference::Timing::kOnTime);
  if (!found.complete) {
    item->unsupported =
        "the limit on " + found.limit_hit + " was hit while exploring what " + item->profile->Name() + " allows";
    return;
  }
  const std::string pattern = PatternOf(found.orders, item->profile->Name());
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
    if (item.profile->is_changed) changed.push_back(&item);
  }
  ForEachInOrder(
      changed.size(), DefaultJobs(),
      [&](size_t i) { ExpectOfModel(plan->cases[changed[i]->case_index].c, changed[i]); }, [](size_t) { return true; });
}

}  // namespace conform
