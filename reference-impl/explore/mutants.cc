#include "reference-impl/explore/mutants.h"

#include <algorithm>
#include <set>

#include "reference-impl/explore/families.h"
#include "reference-impl/explore/rules/rule_reader.h"
#include "runners/base/check.h"

namespace conform::reference {
namespace {

// The profiles of a family at the first version of each step, oldest first.
std::vector<Profile> StepsOf(const Profiles& profiles, const ProfileFamily& family) {
  std::set<Version> versions{family.releases.front()};
  const auto add = [&](const VersionRange& range) {
    for (const VersionInterval& interval : range.intervals()) {
      for (const auto& version : {interval.from, interval.to}) {
        if (version && family.Knows(*version)) versions.insert(*version);
      }
    }
  };
  for (const RuleDefinition& rule : family.rules) {
    for (const RuleDefinition::Span& span : rule.spans) add(span.range);
  }
  for (const auto& [range, base_version] : family.base_versions) add(range);
  std::vector<Profile> steps;
  for (const Version& version : versions) {
    Profile profile = profiles.At(family, version);
    if (steps.empty() || steps.back().rules != profile.rules) steps.push_back(std::move(profile));
  }
  return steps;
}

std::string Span(const Version& from, const std::optional<Version>& to) {
  return to ? ">=" + from.ToString() + " <" + to->ToString() : ">=" + from.ToString();
}

class RuleMutants {
 public:
  RuleMutants(const ProfileFamily& family, const std::vector<Profile>& steps, const RuleDefinition& rule,
              std::vector<Mutant>* mutants)
      : family_(family), steps_(steps), rule_(rule), mutants_(mutants) {}

  void Add() {
    // Whole stretches come first: a boundary beside a stretch of one step is such a flip, and not made again.
    for (size_t begin = 0, end; begin < steps_.size(); begin = end) {
      end = begin + 1;
      while (end < steps_.size() && ValueAt(end) == ValueAt(begin)) ++end;
      for (const std::string& other : rule_.values) {
        if (other == ValueAt(begin)) continue;
        Mutant mutant = Make(Mutant::Kind::kFlip, begin, end, other);
        mutant.id = Name() + "=" + other + "@" + mutant.from.ToString();
        mutant.sentence = rule_.name + " is " + other + ", not " + ValueAt(begin) + ", in " + family_.name + " " +
                          Span(mutant.from, mutant.to);
        Keep(std::move(mutant));
      }
    }
    for (size_t at = 1; at < steps_.size(); ++at) {
      if (ValueAt(at) == ValueAt(at - 1)) continue;
      const std::string boundary = steps_[at].version.ToString();
      Mutant later = Make(Mutant::Kind::kBoundary, at, at + 1, ValueAt(at - 1));
      later.id = Name() + "@" + boundary + ":later";
      later.sentence = rule_.name + " is still " + ValueAt(at - 1) + " in " + family_.name + " " + boundary;
      Keep(std::move(later));
      Mutant earlier = Make(Mutant::Kind::kBoundary, at - 1, at, ValueAt(at));
      earlier.id = Name() + "@" + boundary + ":earlier";
      earlier.sentence = rule_.name + " is " + ValueAt(at) + " already before " + family_.name + " " + boundary;
      Keep(std::move(earlier));
    }
  }

 private:
  std::string Name() const { return family_.name + ":" + rule_.name; }
  const std::string& ValueAt(size_t step) const { return steps_[step].Rule(rule_.name); }

  Mutant Make(Mutant::Kind kind, size_t begin, size_t end, const std::string& value) const {
    Mutant mutant;
    mutant.kind = kind;
    mutant.family = family_.name;
    mutant.rule = rule_.name;
    mutant.value = value;
    mutant.from = steps_[begin].version;
    if (end < steps_.size()) mutant.to = steps_[end].version;
    mutant.clause = rule_.clause;
    return mutant;
  }

  void Keep(Mutant mutant) {
    const bool known = std::any_of(mutants_->begin(), mutants_->end(), [&](const Mutant& other) {
      return other.family == mutant.family && other.rule == mutant.rule && other.value == mutant.value &&
             other.from == mutant.from && other.to == mutant.to;
    });
    if (!known) mutants_->push_back(std::move(mutant));
  }

  const ProfileFamily& family_;
  const std::vector<Profile>& steps_;
  const RuleDefinition& rule_;
  std::vector<Mutant>* mutants_;
};

void AddDeviations(const ProfileFamily& family, const RuleDefinition& rule, std::vector<Mutant>* mutants) {
  for (const RuleDefinition::Deviation& deviation : rule.deviations) {
    Mutant mutant;
    mutant.kind = Mutant::Kind::kDeviation;
    mutant.id = family.name + ":" + rule.name + "=" + deviation.value;
    mutant.family = family.name;
    mutant.rule = rule.name;
    mutant.value = deviation.value;
    mutant.from = family.releases.front();
    for (const VersionInterval& interval : deviation.range.intervals()) {
      if (interval.from) mutant.from = std::max(mutant.from, *interval.from);
      mutant.to = interval.to;
    }
    mutant.clause = deviation.clause;
    mutant.sentence = deviation.sentence;
    mutants->push_back(std::move(mutant));
  }
}

}  // namespace

bool Mutant::Touches(const Profile& profile) const {
  return profile.family == family && from <= profile.version && (!to || profile.version < *to);
}

Profile Mutant::Break(Profile profile) const {
  CONFORM_CHECK(Touches(profile));
  profile.rules[rule] = value;
  return profile;
}

std::vector<Mutant> AllMutants(const Profiles& profiles) {
  std::vector<Mutant> mutants;
  for (const ProfileFamily& family : profiles.families()) {
    const std::vector<Profile> steps = StepsOf(profiles, family);
    for (const StatedRule& stated : RulesOf(profiles, family)) {
      RuleDefinition rule = *stated.rule;
      // A loop that does not do as its documentation says may do anything in its place.
      if (family.is_documented) rule.values.push_back(kOpenValue);
      RuleMutants(family, steps, rule, &mutants).Add();
      // Deviations of the base are tried there.
      if (stated.family == &family) AddDeviations(family, rule, &mutants);
    }
  }
  return mutants;
}

}  // namespace conform::reference
