// A case: one question about order. The value that everything after parsing works on.
#ifndef CONFORM_RUNNERS_MODEL_CASE_H_
#define CONFORM_RUNNERS_MODEL_CASE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/pattern.h"
#include "runners/model/step.h"
#include "runners/model/version.h"

namespace conform {

enum class Entry { kScript, kEsm, kWorker };
enum class Tier { kMust, kShould, kInformative };

// One line of `expect`: the profiles it speaks of, and the orders expected there.
struct Expectation {
  std::string family;  // "node", "libuv", "html", "asyncio"; "" when the whole of `expect` is one pattern
  VersionRange range;
  Pattern pattern;
  Location at;

  bool Covers(const std::string& profile_family, const Version& version) const;
};

// One program of `model`: what a native file, or a program with steps that are not modelled, does in steps that the
// reference loop knows.
struct ModelProgram {
  std::string family;  // "" for every profile, as in Expectation
  VersionRange range;
  Program program;
  Location at;

  bool Covers(const std::string& profile_family, const Version& version) const;
};

struct Case {
  std::string id;    // path below cases/, without the ending
  std::string file;  // as given, for messages
  std::string title;
  std::vector<std::string> clauses;
  std::vector<Location> clause_locations;  // one for each clause
  std::string why;
  Program program;
  std::vector<Expectation> expect;  // ranges of one family do not overlap
  Entry entry = Entry::kScript;
  int pool = 4;
  bool pool_given = false;
  std::vector<std::string> needs;
  Tier tier = Tier::kMust;
  bool timeless = false;  // states that nothing in it depends on time: a wrong order that repeats is a failure
  std::map<std::string, std::string> native;  // adapter ("" for any) to file; empty: the program is the case
  std::vector<ModelProgram> models;           // in place of all that; ranges of one family do not overlap
  std::string source = "";                    // of a script: its text
  bool console = false;                       // of a script: the lines that console.log prints are labels too
  int64_t deadline_ms = 0;                    // of a run, where the user gave one; else 0
  std::vector<std::string> issues;
  // Of program, entry, pool, native, models, timeless and expect: what a verdict depends on.
  std::string content_hash;

  // Whether some expectation holds for the family: one of its own, or one for every family.
  bool SpeaksOf(std::string_view family) const;
  const Expectation* ExpectationFor(const std::string& family, const Version& version) const;
  const ModelProgram* ModelFor(const std::string& family, const Version& version) const;
  // A file that is native decides itself how it is loaded.
  Entry EntryOfModel() const;
  // Nothing is known of it but its files.
  bool HasNoProgram() const { return !native.empty() && models.empty(); }
};

// Limits of one case file.
inline constexpr size_t kMaxCaseBytes = 1 << 20;
inline constexpr int kMaxBodyDepth = 64;  // bodies inside bodies
inline constexpr int kMaxSteps = 10'000;
inline constexpr int kMaxPoolThreads = 1024;
inline constexpr size_t kMaxExpectations = 1'000;

// Reads one case. `id` is used as it is. Errors carry file, line, column, and the nearest valid name.
Result<Case> ParseCase(const std::string& text, const std::string& file, const std::string& id);

// Checks beyond syntax: every reference names a label that some step of the program makes, `run` only in the main body,
// `pause` only where it is allowed, `only` and `again` only inside a callback. Part of ParseCase.
std::optional<Error> CheckProgram(const Program& program, Entry entry, const std::string& file);

// Checks that every label of every pattern is one that some step of the program, or of a model, emits, or `exit=CODE`.
// Part of ParseCase.
std::optional<Error> CheckPatternLabels(const Case& c);

// Reads every *.yaml file below `folder`, sorted by id. All errors are returned, not only the first. More is asked of a
// case here than in ParseCase: it has a title, clauses and a reason, and its native files exist; what they contain
// becomes part of its content_hash.
struct Catalogue {
  std::vector<Case> cases;
  std::vector<Error> errors;
};
Catalogue LoadCatalogue(const std::string& folder);
// The same of a single file, `folder`/`id`.yaml.
Catalogue LoadOneOfCatalogue(const std::string& folder, const std::string& id);

// How often the program emits each label, where it fixes that (see spec/case-language.md, "counts"); labels whose count
// depends on a race, a clear, an error or an exit are absent.
std::map<std::string, int64_t> FixedCounts(const Case& c);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_CASE_H_
