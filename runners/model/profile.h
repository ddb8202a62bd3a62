// Profiles: which rules a family of loops follows at each version. spec/profiles/*.yaml.
#ifndef CONFORM_RUNNERS_MODEL_PROFILE_H_
#define CONFORM_RUNNERS_MODEL_PROFILE_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"
#include "runners/model/version.h"

namespace conform {

// One thing that may differ between versions, or between loops. A value that is a list in the file is text here, its
// items with a comma between them.
struct RuleDefinition {
  std::string name;
  std::string clause;  // the clause of the spec that describes it
  std::string summary;
  std::vector<std::string> values;  // every value that some version has, oldest first
  struct Span {
    VersionRange range;
    std::string value;
  };
  std::vector<Span> spans;  // do not overlap; together they cover the versions of the family
  // A value that no version has: what another loop may do, or one with a mistake.
  struct Deviation {
    std::string value;
    std::string sentence;  // what such a loop does
    std::string clause;    // that it breaks
    VersionRange range;    // the versions that differ from it in this alone
  };
  std::vector<Deviation> deviations = {};
  // Values of a loop that decides what the family leaves open. They break no clause: such a loop gives fewer orders.
  std::vector<Deviation> narrower = {};
  std::optional<Op> step = {};  // that it is about; a family whose model has no such step cannot show it
};

// A family at one version: the table of rules that the reference loop is built from.
struct Profile {
  std::string family;
  Version version;
  std::map<std::string, std::string> rules;  // rule name to value; of a base family too (node has libuv's)
  std::string file = "";                     // of a user's own profile: where it is described
  bool is_changed = false;                   // some of its rules are not those of the release

  // What `--as` takes.
  std::string Name() const {
    if (!file.empty()) return file;
    return family.empty() ? "none" : family + "@" + version.ToString();
  }
  // REQUIRES: the rule exists.
  const std::string& Rule(const std::string& name) const;
};

// What a family has, and since when: ops, kinds (`timeout as promise`), events (`on beforeExit`), entries (`entry
// esm`).
struct Capability {
  std::string name;  // "tick", "timeout as promise", "on beforeExit", "entry esm"
  VersionRange range;
};

class ProfileFamily {
 public:
  std::string name;
  std::string file;  // as given, for messages
  std::string title;
  std::vector<Version> releases;  // representative releases, oldest first; the first and last bound the family
  std::vector<RuleDefinition> rules;
  std::vector<Capability> capabilities;
  std::string base;  // "libuv" for node: its rules are taken from that family at the version that base_versions says
  std::vector<std::pair<VersionRange, Version>> base_versions;
  bool is_documented = false;  // `recipe: documented`: its rules are promises of its documentation, the rest is open

  // Between the first and the last release.
  bool Knows(const Version& version) const;
  // Does `version` have this capability?
  bool Has(const std::string& capability, const Version& version) const;
  // Why `c` cannot run on `version` ("tick", "on beforeExit", …), or nothing.
  std::optional<std::string> Unsupported(const Case& c, const Version& version) const;
};

// The capabilities that `c` uses, by name, without repetition: its entry if that is not a script, what it needs, and
// for each step the op, `OP as KIND`, `on EVENT`. `log`, `busy`, `only` and `again` are universal and left out, and so
// is `on` itself.
std::vector<std::string> CapabilitiesUsed(const Case& c);

// Reads the text of one file of spec/profiles. Errors carry file, line, column, and the nearest valid name.
Result<ProfileFamily> ParseProfileFamily(const std::string& text, const std::string& file);

class Profiles {
 public:
  // Reads every *.yaml of `folder`. Errors carry file and line.
  static Result<Profiles> Load(const std::string& folder);
  // Refused: two families of one name, a base family that is missing, based on another, or does not know a version that
  // is asked of it.
  static Result<Profiles> FromFamilies(std::vector<ProfileFamily> families);
  // The same with one family more.
  Result<Profiles> With(ProfileFamily family) const;

  const std::vector<ProfileFamily>& families() const { return families_; }
  const ProfileFamily* Find(const std::string& family) const;
  // "node@24", "node@24.21.0", "libuv@1.45", "node" (its newest). A partial version is the newest release that fits.
  Result<Profile> Resolve(const std::string& name) const;
  // The rules of the family and of its base; where both have a rule of one name, the family's own wins. Rules that say
  // nothing of `version` (there are none where the family knows it) are absent.
  Profile At(const ProfileFamily& family, const Version& version) const;

  // Every rule of every family, and each of its values, deviations included, as `RULE=VALUE`.
  std::set<std::string> RuleNames() const;
  // What rules were called before, and values, as `RULE=VALUE`: old to new.
  void set_renamed_rules(std::map<std::string, std::string> renamed) { renamed_rules_ = std::move(renamed); }
  // For messages: "renamed to 'x'", or "" where nothing had this name before.
  std::string RenamedHint(const std::string& rule) const;

  // Every version at which `c` has to be looked at: for each range of each expectation, and for each family that an
  // unqualified pattern covers, the first version of the range, each version where a rule (or a capability that `c`
  // uses) changes inside, and the newest release. Versions on which `c` cannot run are left out. In the order of
  // families(), then by version.
  std::vector<Profile> CheckpointsFor(const Case& c) const;

 private:
  std::vector<Version> CheckpointsIn(const ProfileFamily& family, const VersionRange& range, const Case& c) const;
  // At, of a family of this set. Whoever looks at all cases needs the same few over and over.
  const Profile& Remembered(const ProfileFamily& family, const Version& version) const;

  struct Memory;
  std::vector<ProfileFamily> families_;
  std::map<std::string, std::string> renamed_rules_;
  std::shared_ptr<Memory> memory_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_PROFILE_H_
