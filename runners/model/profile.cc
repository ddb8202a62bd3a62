#include "runners/model/profile.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "runners/base/text.h"
#include "runners/model/loop_names.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

constexpr size_t kMaxProfileBytes = 1 << 20;

class Collector {
 public:
  void Add(const std::string& name) {
    if (seen_.insert(name).second) names_.push_back(name);
  }

  void AddProgram(const Program& program) {
    for (const Step& step : program) {
      const std::string op(OpName(step.op));
      // `on` by itself says nothing; the event does.
      if (step.op == Op::kOn) {
        Add("on " + step.event);
      } else if (!IsUniversal(step.op)) {
        Add(op);
      }
      if (!step.kind.empty()) Add(op + " as " + step.kind);
      AddProgram(step.body);
    }
  }

  std::vector<std::string> Take() { return std::move(names_); }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> names_;
};

// The versions at which being in `range` changes.
void AddBoundaries(const VersionRange& range, std::set<Version>& versions) {
  for (const VersionInterval& interval : range.intervals()) {
    if (interval.from) versions.insert(*interval.from);
    if (interval.to) versions.insert(*interval.to);
  }
}

const Capability* FindCapability(const ProfileFamily& family, const std::string& name) {
  const auto it = std::find_if(family.capabilities.begin(), family.capabilities.end(),
                               [&](const Capability& capability) { return capability.name == name; });
  return it == family.capabilities.end() ? nullptr : &*it;
}

std::string Span(const ProfileFamily& family) {
  return family.releases.front().ToString() + " to " + family.releases.back().ToString();
}

}  // namespace

const std::string& Profile::Rule(const std::string& name) const {
  const auto it = rules.find(name);
  CONFORM_CHECK(it != rules.end());
  return it->second;
}

std::vector<std::string> CapabilitiesUsed(const Case& c) {
  Collector collector;
  switch (c.entry) {
    case Entry::kScript:
      break;
    case Entry::kEsm:
      collector.Add("entry esm");
      break;
    case Entry::kWorker:
      collector.Add("entry worker");
      break;
  }
  for (const std::string& name : c.needs) collector.Add(name);
  collector.AddProgram(c.program);
  return collector.Take();
}

bool ProfileFamily::Knows(const Version& version) const {
  return !releases.empty() && releases.front() <= version && version <= releases.back();
}

bool ProfileFamily::Has(const std::string& capability, const Version& version) const {
  const Capability* found = FindCapability(*this, capability);
  return found != nullptr && found->range.Contains(version);
}

std::optional<std::string> ProfileFamily::Unsupported(const Case& c, const Version& version) const {
  for (const std::string& capability : CapabilitiesUsed(c)) {
    if (!Has(capability, version)) return capability;
  }
  return std::nullopt;
}

struct Profiles::Memory {
  std::mutex mutex;
  std::map<std::pair<std::string, Version>, Profile> profiles;
};

Result<Profiles> Profiles::Load(const std::string& folder) {
  std::error_code trouble;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator it(folder, trouble), end; !trouble && it != end; it.increment(trouble)) {
    if (it->path().extension() == ".yaml") files.push_back(it->path().string());
  }
  if (trouble) return Error::OfCall("cannot be read", trouble.value(), folder);
  if (files.empty()) return Error{"no profile: expected files that end in .yaml", folder};
  std::sort(files.begin(), files.end());
  std::vector<ProfileFamily> families;
  for (const std::string& file : files) {
    const auto text = ReadFile(file, kMaxProfileBytes);
    if (!text) return text.error();
    auto family = ParseProfileFamily(*text, file);
    if (!family) return family.error();
    families.push_back(std::move(*family));
  }
  return FromFamilies(std::move(families));
}

Result<Profiles> Profiles::FromFamilies(std::vector<ProfileFamily> families) {
  Profiles profiles;
  profiles.families_ = std::move(families);
  profiles.memory_ = std::make_shared<Memory>();
  for (const ProfileFamily& family : profiles.families_) {
    const auto fail = [&](std::string message, std::string hint = "") {
      return Error{std::move(message), family.file, {}, std::move(hint)};
    };
    if (profiles.Find(family.name) != &family) return fail("the family '" + family.name + "' is already defined");
    if (family.base.empty()) continue;
    const ProfileFamily* base = profiles.Find(family.base);
    if (base == nullptr) {
      std::vector<std::string> names;
      for (const ProfileFamily& other : profiles.families_) names.push_back(other.name);
      return fail("there is no family '" + family.base + "' to be the base", DidYouMean(family.base, names));
    }
    if (!base->base.empty()) return fail("the base '" + base->name + "' is itself based on '" + base->base + "'");
    for (const auto& [range, version] : family.base_versions) {
      if (base->Knows(version)) continue;
      return fail(base->name + " " + version.ToString() + " is not known", base->name + " goes from " + Span(*base));
    }
  }
  return profiles;
}

Result<Profiles> Profiles::With(ProfileFamily family) const {
  std::vector<ProfileFamily> families = families_;
  families.push_back(std::move(family));
  auto profiles = FromFamilies(std::move(families));
  if (profiles.ok()) profiles->renamed_rules_ = renamed_rules_;
  return profiles;
}

std::set<std::string> Profiles::RuleNames() const {
  std::set<std::string> names;
  for (const ProfileFamily& family : families_) {
    for (const RuleDefinition& rule : family.rules) {
      names.insert(rule.name);
      for (const std::string& value : rule.values) names.insert(rule.name + "=" + value);
      for (const auto* others : {&rule.deviations, &rule.narrower}) {
        for (const RuleDefinition::Deviation& other : *others) names.insert(rule.name + "=" + other.value);
      }
    }
  }
  return names;
}

std::string Profiles::RenamedHint(const std::string& rule) const {
  const auto found = renamed_rules_.find(rule);
  return found == renamed_rules_.end() ? "" : "renamed to '" + found->second + "'";
}

const ProfileFamily* Profiles::Find(const std::string& family) const {
  const auto it = std::find_if(families_.begin(), families_.end(),
                               [&](const ProfileFamily& candidate) { return candidate.name == family; });
  return it == families_.end() ? nullptr : &*it;
}

Result<Profile> Profiles::Resolve(const std::string& name) const {
  const size_t at = name.find('@');
  const std::string family_name = name.substr(0, at);
  const ProfileFamily* family = Find(family_name);
  if (family == nullptr) {
    std::vector<std::string> names;
    for (const ProfileFamily& candidate : families_) names.push_back(candidate.name);
    return Error::WithHint("there is no profile '" + family_name + "'", DidYouMeanLoop(family_name, names));
  }
  if (at == std::string::npos) return At(*family, family->releases.back());
  const std::string text = name.substr(at + 1);
  const auto version = Version::Parse(text);
  if (!version) return Error{"'" + name + "': " + version.error().message};
  const auto parts = 1 + std::count(text.begin(), text.end(), '.');
  if (parts == 3) {
    if (family->Knows(*version)) return At(*family, *version);
    return Error::WithHint("'" + name + "' is not known", family->name + " goes from " + Span(*family));
  }
  const auto fits = [&](const Version& release) {
    return release.major == version->major && (parts == 1 || release.minor == version->minor);
  };
  const auto newest = std::find_if(family->releases.rbegin(), family->releases.rend(), fits);
  if (newest != family->releases.rend()) return At(*family, *newest);
  if (!family->Knows(*version)) {
    return Error::WithHint("'" + name + "' is not known", family->name + " goes from " + Span(*family));
  }
  if (parts == 2) return At(*family, *version);  // between releases that are listed
  return Error::WithHint("no release of " + family->name + " " + text + " is listed",
                         "write the whole version, such as " + family->name + "@" + version->ToString());
}

Profile Profiles::At(const ProfileFamily& family, const Version& version) const {
  Profile profile{family.name, version, {}};
  if (const ProfileFamily* base = family.base.empty() ? nullptr : Find(family.base)) {
    for (const auto& [range, base_version] : family.base_versions) {
      if (range.Contains(version)) profile.rules = At(*base, base_version).rules;
    }
  }
  for (const RuleDefinition& rule : family.rules) {
    for (const RuleDefinition::Span& span : rule.spans) {
      if (span.range.Contains(version)) profile.rules[rule.name] = span.value;
    }
  }
  return profile;
}

const Profile& Profiles::Remembered(const ProfileFamily& family, const Version& version) const {
  const std::lock_guard lock(memory_->mutex);
  const auto [found, is_new] = memory_->profiles.try_emplace({family.name, version});
  if (is_new) found->second = At(family, version);
  return found->second;
}

std::vector<Version> Profiles::CheckpointsIn(const ProfileFamily& family, const VersionRange& range,
                                             const Case& c) const {
  const Version& first_release = family.releases.front();
  std::set<Version> starts{family.releases.back()};
  std::set<Version> candidates;
  for (const VersionInterval& interval : range.intervals()) {
    starts.insert(std::max(first_release, interval.from.value_or(first_release)));
  }
  for (const ModelProgram& model : c.models) {
    if (model.family == family.name) AddBoundaries(model.range, starts);
  }
  for (const RuleDefinition& rule : family.rules) {
    for (const RuleDefinition::Span& span : rule.spans) AddBoundaries(span.range, candidates);
  }
  for (const auto& [base_range, version] : family.base_versions) AddBoundaries(base_range, candidates);
  for (const std::string& name : CapabilitiesUsed(c)) {
    if (const Capability* capability = FindCapability(family, name)) AddBoundaries(capability->range, candidates);
  }
  candidates.insert(starts.begin(), starts.end());

  // Between two neighbouring candidates nothing changes. One whose rules are those of the version before says nothing
  // new (a new libuv need not order anything differently), and is left out, unless a range starts or the family ends
  // there.
  std::vector<Version> checkpoints;
  const std::map<std::string, std::string>* rules_before = nullptr;
  for (const Version& version : candidates) {
    if (!family.Knows(version) || !range.Contains(version) || family.Unsupported(c, version)) {
      rules_before = nullptr;
      continue;
    }
    const auto& rules = Remembered(family, version).rules;
    if (starts.contains(version) || rules_before == nullptr || rules != *rules_before) checkpoints.push_back(version);
    rules_before = &rules;
  }
  return checkpoints;
}

std::vector<Profile> Profiles::CheckpointsFor(const Case& c) const {
  std::vector<Profile> checkpoints;
  for (const ProfileFamily& family : families_) {
    std::set<Version> versions;
    for (const Expectation& expectation : c.expect) {
      if (!expectation.family.empty() && expectation.family != family.name) continue;
      for (const Version& version : CheckpointsIn(family, expectation.range, c)) versions.insert(version);
    }
    for (const Version& version : versions) checkpoints.push_back(Remembered(family, version));
  }
  return checkpoints;
}

}  // namespace conform
