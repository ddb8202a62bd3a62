// A profile of one's own that differs from a release in some rules: a file that `--as=FILE` names.
//
//   base: node@24
//   rules:
//     drain: after-list
//     iteration: [timers, pending, idle, prepare, poll, check, closing]
//
// spec/profiles/README.md describes it for a writer.
#ifndef CONFORM_RUNNERS_MODEL_PROFILE_CHANGE_H_
#define CONFORM_RUNNERS_MODEL_PROFILE_CHANGE_H_

#include <string>
#include <vector>

#include "runners/base/result.h"

namespace conform {

struct ProfileChange {
  struct Rule {
    std::string name;
    std::string value;  // a list as text, as in RuleDefinition
    Location name_at, value_at;
  };
  std::string base;  // as `--as` takes it: "node@24"
  Location base_at;
  std::vector<Rule> rules;  // at least one
};

// Whether a word of the command line is such a file, and not the name of a profile.
bool IsProfileFile(const std::string& word);
// Whether the text describes a family (profile.h), and not a change.
bool DescribesFamily(const std::string& text);

// Errors carry file, line and column. Whether the base and its rules exist is for others to check.
Result<ProfileChange> ParseProfileChange(const std::string& text, const std::string& file);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_PROFILE_CHANGE_H_
