#include "runners/study/infer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reference-impl/explore/families.h"
#include "runners/base/text.h"
#include "runners/harness/parallel.h"
#include "runners/study/program_generator.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;
using reference::Timing;

constexpr size_t kMostCausesAtAll = 200;

}  // namespace

RuleChanges Inferrer::Open::Both() const { return beside ? RuleChanges{change, *beside} : RuleChanges{change}; }

std::vector<RuleChange> Inferrer::FoundWith(const std::vector<RuleChange>& changes) const {
  std::vector<RuleChange> with = found_;
  for (const RuleChange& change : changes) {
    std::erase_if(with, [&](const RuleChange& one) { return one.rule == change.rule; });
    if (evidence_.profile.Rule(change.rule) != change.to) with.push_back(change);
  }
  return with;
}

// Of values that do not fit alone, two may fit together: where two rules changed in one release, the old values of both
// explain what the new ones do.
void Inferrer::RuleOutByCases() {
  const std::vector<RuleChange> changes = AllChanges(profiles_, profile_, Narrower::kLeftOut);
  CauseQuestions questions(evidence_);
  CauseQuestions::Changed& found = questions.With(found_);
  const auto is_ruled_out = [&](const Open& open) {
    CauseQuestions::Changed& changed = questions.With(FoundWith(open.Both()));
    for (size_t i = 0; i < evidence_.observations.size(); ++i) {
      if (questions.Late(changed, i) == Membership::kOut && questions.Late(found, i) != Membership::kOut) return true;
    }
    return false;
  };
  const auto keep_open = [&](const std::vector<Open>& asked, const std::string& what) {
    std::vector<char> ruled_out(asked.size(), 0);  // of bytes, which threads may write side by side
    ForEachInOrder(
        asked.size(), settings_.jobs, [&](size_t i) { ruled_out[i] = is_ruled_out(asked[i]) ? 1 : 0; },
        [&](size_t i) {
          settings_.progress(what, i + 1, asked.size());
          return !settings_.stopped();
        });
    for (size_t i = 0; i < asked.size(); ++i) {
      if (ruled_out[i] == 0) open_.push_back(asked[i]);
    }
  };
  std::vector<Open> alone, together;
  for (const RuleChange& change : changes) alone.push_back({change});
  keep_open(alone, "values held against the cases");
  const auto is_open = [&](const RuleChange& change) {
    return std::any_of(open_.begin(), open_.end(), [&](const Open& one) { return one.change == change; });
  };
  for (const RuleChange& change : changes) {
    if (!change.of_release || is_open(change)) continue;
    for (const RuleChange& beside : changes) {
      if (beside.of_release && beside.rule != change.rule) together.push_back({change, beside});
    }
  }
  keep_open(together, "pairs of values held against the cases");
}

// Random programs, each of which is run where it would decide something that is open.
void Inferrer::RuleOutByPrograms() {
  TellingPrograms::Settings settings;
  settings.jobs = settings_.jobs;
  settings.programs = settings_.random_programs;
  settings.seed = settings_.seed;
  settings.observe = [this](const Case& c, int64_t run) {
    if (runner_.CannotRun(c, follows_)) return RunOutcome{.trace = {}, .trouble = Trouble::kUnsupported};
    return runner_.Run(c, follows_, {run, /*disturbed=*/false, /*fresh=*/true});
  };
  settings.progress = settings_.progress;
  settings.stopped = settings_.stopped;
  TellingPrograms programs(profiles_, profile_, std::move(settings));
  while (true) {
    std::vector<RuleChanges> others;
    for (const Open& open : open_) others.push_back(open.Both());
    const std::optional<TellingPrograms::Told> told = programs.Next(profile_, others);
    if (!told) return;
    ++programs_;
    const auto allows = [&](const Profile& profile) {
      return LateMembership(told->program, Model(profile), told->orders) != Membership::kOut;
    };
    // What is ruled out has an order outside that the profile found explains.
    if (!allows(profile_)) continue;
    std::vector<Open> still;
    for (size_t i = 0; i < open_.size(); ++i) {
      const bool ruled_out = told->tells[i] != 0 && !allows(WithChanges(profile_, others[i]));
      if (!ruled_out) still.push_back(open_[i]);
    }
    open_ = std::move(still);
  }
}

std::string Inferrer::WhyOpen(const Open& open) {
  std::set<std::string> observed;
  for (const Observation& one : evidence_.observations) observed.insert(one.c->id);
  const ProfileFamily& family = *profiles_.Find(profile_.family);
  for (const SelectedCase& selected : catalogue_) {
    const Case& c = selected.c;
    if (!c.native.empty() || reference::NotModelled(c, profile_.family)) continue;
    if (family.Unsupported(c, profile_.version)) continue;
    const auto [given, fresh] = given_.try_emplace(c.id);
    if (fresh) given->second = FindGivenOnTime(c, profile_);
    if (!WouldTell(c, given->second, profile_, open.Both())) continue;
    if (observed.contains(c.id)) return "runs of " + c.id + " gave only orders that both allow";
    return "it cannot run " + c.id + ", which would decide it";
  }
  if (open.beside) return "it is decided only together with " + open.beside->rule;
  return fmt::format("no case of the catalogue and none of {} random programs decides it", settings_.random_programs);
}

// The release whose rules differ in the fewest that are decided; of several, the newest. A file may change its rules
// only to values that the model knows there.
void Inferrer::ChooseBase(InferReport* report) const {
  const ProfileFamily& family = *profiles_.Find(profile_.family);
  std::optional<size_t> least;
  for (auto version = family.releases.rbegin(); version != family.releases.rend(); ++version) {
    const Profile release = profiles_.At(family, *version);
    std::vector<RuleChange> differences;
    bool is_possible = true;
    for (const InferredRule& rule : report->decided) {
      const auto now = release.rules.find(rule.rule);
      if (now == release.rules.end() || now->second == rule.value) continue;
      const auto change = FindChange(profiles_, release, rule.rule, rule.value);
      is_possible = is_possible && change.ok();
      if (change) differences.push_back(*change);
    }
    if (!is_possible || (least && differences.size() >= *least)) continue;
    least = differences.size();
    report->base = release.Name();
    report->differences = std::move(differences);
  }
}

InferReport Inferrer::Infer() {
  InferReport report;
  report.implementation = evidence_.implementation;
  report.family = evidence_.profile.family;
  report.cases = static_cast<int64_t>(evidence_.observations.size());
  // What releases have comes first: a deviation may look like one of their values.
  const std::vector<RuleChange> all = AllChanges(profiles_, evidence_.profile, Narrower::kLeftOut);
  std::vector<RuleChange> hypotheses = all;
  std::erase_if(hypotheses, [](const RuleChange& change) { return !change.of_release; });
  CausesSettings settings;
  settings.most_causes = kMostCausesAtAll;
  settings.jobs = settings_.jobs;
  settings.progress = settings_.progress;
  settings.stopped = settings_.stopped;
  CausesReport causes = CauseFinder(evidence_, hypotheses, settings).Find();
  if (!causes.unexplained.empty() || !causes.contradicted.empty())
    causes = CauseFinder(evidence_, all, settings).Find();
  for (const Cause& cause : causes.causes) found_.push_back(cause.change);
  profile_ = WithChanges(evidence_.profile, found_);
  for (const auto& [id, order] : causes.unexplained) report.unexplained.push_back(id);
  report.unexplained.insert(report.unexplained.end(), causes.contradicted.begin(), causes.contradicted.end());

  RuleOutByCases();
  RuleOutByPrograms();
  std::map<std::string, std::vector<const Open*>> by_rule;
  for (const Open& open : open_) by_rule[open.change.rule].push_back(&open);
  const ProfileFamily& family = *profiles_.Find(report.family);
  for (const reference::StatedRule& stated : reference::RulesOf(profiles_, family)) {
    const auto value = profile_.rules.find(stated.rule->name);
    if (value == profile_.rules.end()) continue;
    InferredRule rule{stated.rule->name, value->second, stated.rule->clause, {}};
    const auto open = by_rule.find(rule.rule);
    if (open == by_rule.end()) {
      report.decided.push_back(std::move(rule));
      continue;
    }
    for (const Open* one : open->second) {
      if (std::find(rule.others.begin(), rule.others.end(), one->change.to) == rule.others.end()) {
        rule.others.push_back(one->change.to);
      }
    }
    rule.reason = WhyOpen(*open->second.front());
    report.open.push_back(std::move(rule));
  }
  report.programs = programs_;
  ChooseBase(&report);
  report.interrupted = settings_.stopped();
  return report;
}

std::string InferredProfileText(const InferReport& report) {
  std::string out =
      fmt::format("# What {} does, found by running it: {} of {} rules are decided.\n", report.implementation,
                  report.decided.size(), report.decided.size() + report.open.size());
  for (const InferredRule& rule : report.open) {
    out += fmt::format("# not decided: {}, {} or {}\n", rule.rule, rule.value, Join(rule.others, " or "));
  }
  out += "base: " + report.base + "\nrules:\n";
  for (const InferredRule& rule : report.decided) {
    const bool is_list = rule.value.find(',') != std::string::npos;
    out += fmt::format("  {}: {}\n", rule.rule, is_list ? "[" + rule.value + "]" : "\"" + rule.value + "\"");
  }
  return out;
}

}  // namespace conform
