#include "runners/study/cause_questions.h"

#include <algorithm>

namespace conform {

using reference::Membership;
using reference::RuleSet;
using reference::Timing;

CauseQuestions::CauseQuestions(const CauseEvidence& evidence)
    : evidence_(evidence),
      model_(evidence.profile),
      late_(evidence.observations.size()),
      on_time_(evidence.observations.size()) {}

CauseQuestions::Changed& CauseQuestions::With(const std::vector<RuleChange>& changes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<const NumberedChange*> numbered;
  for (const RuleChange& change : changes) {
    const auto [known, fresh] = numbered_.try_emplace(change.Name());
    if (fresh) known->second = {NumberOfRule(model_, change.rule), static_cast<uint16_t>(numbered_.size()), change};
    numbered.push_back(&known->second);
  }
  std::sort(numbered.begin(), numbered.end(),
            [](const NumberedChange* a, const NumberedChange* b) { return a->number < b->number; });
  std::string key;
  for (const NumberedChange* one : numbered) key += std::to_string(one->number) + " ";
  std::unique_ptr<Changed>& changed = changed_[key];
  if (changed == nullptr) {
    changed = std::make_unique<Changed>(evidence_.profile, std::move(numbered), evidence_.observations.size());
  }
  return *changed;
}

const reference::Model& CauseQuestions::Changed::model() {
  std::call_once(once_, [&] {
    Profile profile = profile_;
    for (const NumberedChange* one : changes_) profile = one->change.ApplyTo(std::move(profile));
    model_.emplace(profile);
  });
  return *model_;
}

std::string CauseQuestions::Changed::ValuesOf(const RuleSet& read) const {
  std::string values;
  for (const NumberedChange* one : changes_) {
    if (!read[one->rule]) continue;
    values += static_cast<char>(one->number & 0xff);
    values += static_cast<char>(one->number >> 8);
  }
  return values;
}

Membership CauseQuestions::Find(Changed& changed, size_t index, Timing timing) {
  std::atomic<char>& answer = changed.answers(timing)[index];
  if (const char known = answer; known != 0) return static_cast<Membership>(known - 1);
  Memory& memory = (timing == Timing::kLate ? late_ : on_time_)[index];
  const auto keep = [&](Membership membership) {
    answer = static_cast<char>(static_cast<int>(membership) + 1);
    return membership;
  };
  {
    const std::lock_guard<std::mutex> lock(memory.mutex);
    for (const Known& known : memory.known) {
      const auto found = known.answers.find(changed.ValuesOf(known.read));
      if (found != known.answers.end()) return keep(found->second);
    }
  }
  if (changed.spins()) return keep(Membership::kLimit);
  RuleSet read;
  const Membership membership = Ask(changed, index, timing, &read);
  if (membership == Membership::kLimit) ++changed.limits_hit_;
  const std::lock_guard<std::mutex> lock(memory.mutex);
  auto same =
      std::find_if(memory.known.begin(), memory.known.end(), [&](const Known& known) { return known.read == read; });
  if (same == memory.known.end()) same = memory.known.insert(same, {read, {}});
  same->answers.emplace(changed.ValuesOf(read), membership);
  return keep(membership);
}

Membership CauseQuestions::Ask(Changed& changed, size_t index, Timing timing, RuleSet* read) {
  ++asked_;
  const Observation& one = evidence_.observations[index];
  const reference::Model& model = changed.model();
  Membership all = Membership::kIn;
  *read = RulesReadBy(model, [&] {
    for (const Order& order : one.orders) {
      const Membership membership = reference::CanGive(*one.c, model, timing, order, one.limits);
      if (membership != Membership::kIn) all = membership;
      if (membership == Membership::kOut) return;
    }
  });
  return all;
}

}  // namespace conform
