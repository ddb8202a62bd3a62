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
constexpr size_t kMostOrdersThatTell = 12;  // of a program that could decide something
constexpr int kRunsOfAProgram = 3;
constexpr int64_t kMostCallbacksAsked = 20'000;
constexpr int64_t kMostCpuMsAsked = 500;

reference::ExploreLimits LimitsOfQuestion() {
  reference::ExploreLimits limits;
  limits.max_callbacks = kMostCallbacksAsked;
  limits.max_total_callbacks = 50 * kMostCallbacksAsked;
  limits.max_cpu_ms = kMostCpuMsAsked;
  return limits;
}

}  // namespace

bool Inferrer::Allows(const Model& model, const Observation& one) const {
  return std::all_of(one.orders.begin(), one.orders.end(), [&](const Order& order) {
    return reference::CanGive(*one.c, model, Timing::kLate, order, one.limits) != Membership::kOut;
  });
}

bool Inferrer::IsRuledOut(const RuleChange& change) const {
  const Model model(change.ApplyTo(profile_)), found(profile_);
  return std::any_of(evidence_.observations.begin(), evidence_.observations.end(),
                     [&](const Observation& one) { return !Allows(model, one) && Allows(found, one); });
}

void Inferrer::RuleOutByCases() {
  const std::vector<RuleChange> changes = AllChanges(profiles_, profile_, Narrower::kLeftOut);
  std::vector<char> ruled_out(changes.size(), 0);  // of bytes, which threads may write side by side
  ForEachInOrder(
      changes.size(), settings_.jobs, [&](size_t i) { ruled_out[i] = IsRuledOut(changes[i]) ? 1 : 0; },
      [&](size_t i) {
        settings_.progress("values held against the cases", i + 1, changes.size());
        return !settings_.stopped();
      });
  for (size_t i = 0; i < changes.size(); ++i) {
    if (ruled_out[i] == 0) open_.push_back({changes[i], ""});
  }
}

bool Inferrer::WouldTell(const Case& c, const RuleChange& change) const {
  const reference::Exploration found = reference::Explore(c, profile_, Timing::kOnTime, LimitsOfQuestion());
  const std::vector<Order> orders = found.orders.Enumerate(kMostOrdersThatTell + 1);
  if (!found.complete || orders.empty() || orders.size() > kMostOrdersThatTell) return false;
  const Model other(change.ApplyTo(profile_));
  return std::all_of(orders.begin(), orders.end(), [&](const Order& order) {
    return reference::CanGive(c, other, Timing::kLate, order, LimitsOfQuestion()) == Membership::kOut;
  });
}

// Random programs, each of which is run where it would decide something that is open.
void Inferrer::RuleOutByPrograms() {
  const ProfileFamily& family = *profiles_.Find(profile_.family);
  auto lexicon = LexiconOf(family, profile_.version, {});
  if (!lexicon) return;
  const ProgramGenerator generator(std::move(*lexicon), settings_.seed);
  for (int64_t number = 1; number <= settings_.random_programs && !open_.empty() && !settings_.stopped(); ++number) {
    settings_.progress("random programs", static_cast<size_t>(number), static_cast<size_t>(settings_.random_programs));
    const Case c = generator.Make(number);
    if (reference::NotModelled(c, profile_.family) || runner_.CannotRun(c, follows_)) continue;
    std::vector<char> tells(open_.size(), 0);
    ForEachInOrder(
        open_.size(), settings_.jobs, [&](size_t i) { tells[i] = WouldTell(c, open_[i].change) ? 1 : 0; },
        [](size_t) { return true; });
    if (std::find(tells.begin(), tells.end(), 1) == tells.end()) continue;
    std::set<Order> seen;
    bool ended = true;
    for (int run = 0; run < kRunsOfAProgram; ++run) {
      const RunOutcome outcome = runner_.Run(c, follows_, {run, /*disturbed=*/false, /*fresh=*/true});
      ended = ended && outcome.trouble == Trouble::kNone;
      seen.insert(outcome.trace.ToOrder());
    }
    if (!ended) continue;
    ++programs_;
    const Observation observation{&c, {seen.begin(), seen.end()}, false, LimitsOfQuestion()};
    // What is ruled out has an order outside that the profile found explains.
    if (!Allows(Model(profile_), observation)) continue;
    std::vector<Open> still;
    for (size_t i = 0; i < open_.size(); ++i) {
      const bool ruled_out = tells[i] != 0 && !Allows(Model(open_[i].change.ApplyTo(profile_)), observation);
      if (!ruled_out) still.push_back(open_[i]);
    }
    open_ = std::move(still);
  }
}

std::string Inferrer::WhyOpen(const RuleChange& change) const {
  std::set<std::string> observed;
  for (const Observation& one : evidence_.observations) observed.insert(one.c->id);
  const ProfileFamily& family = *profiles_.Find(profile_.family);
  for (const SelectedCase& selected : catalogue_) {
    const Case& c = selected.c;
    if (!c.native.empty() || reference::NotModelled(c, profile_.family)) continue;
    if (family.Unsupported(c, profile_.version) || !WouldTell(c, change)) continue;
    if (observed.contains(c.id)) return "runs of " + c.id + " gave only orders that both allow";
    return "it cannot run " + c.id + ", which would decide it";
  }
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
  settings.programs = false;
  settings.progress = settings_.progress;
  settings.stopped = settings_.stopped;
  CausesReport causes = CauseFinder(evidence_, hypotheses, settings).Find();
  if (!causes.unexplained.empty() || !causes.contradicted.empty())
    causes = CauseFinder(evidence_, all, settings).Find();
  profile_ = evidence_.profile;
  for (const Cause& cause : causes.causes) profile_ = cause.change.ApplyTo(std::move(profile_));
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
    for (const Open* one : open->second) rule.others.push_back(one->change.to);
    rule.reason = WhyOpen(open->second.front()->change);
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
