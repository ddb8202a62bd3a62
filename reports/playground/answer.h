// What the playground asks the model, as text in JSON on both sides: the page and the tests speak to nothing else.
#ifndef CONFORM_REPORTS_PLAYGROUND_ANSWER_H_
#define CONFORM_REPORTS_PLAYGROUND_ANSWER_H_

#include <map>
#include <string>

#include "runners/base/result.h"
#include "runners/model/profile.h"

namespace conform::playground {

// No I/O, no thread.
class Playground {
 public:
  // `files`: the profiles, by the names of their files.
  static Result<Playground> FromProfiles(const std::map<std::string, std::string>& files);

  // One of
  //   {"ask": "releases"}                                   {"families": [{"name", "title", "releases"}, …]}
  //   {"ask": "orders", PROGRAM, "profile", "limit"?}
  //     {"profile", "steps": [{"id", "text", "op", "label", "parent", …}], "on_time", "late": {"orders", "more",
  //     "limit"},
  //      "runs": [{"order", "on_time", "differs"?, "path", "choices", "moments"}]}
  //   {"ask": "sets", PROGRAM, "profile"?}                  {"sets": [{"profile", "on_time", "late"}, …]}
  // where PROGRAM is `"program", "entry"?, "pool"?` or `"case", "id"`, a case file; or {"error": {"message", "hint",
  // "line", "column"}}. Never throws.
  std::string Answer(const std::string& request) const;

 private:
  explicit Playground(Profiles profiles) : profiles_(std::move(profiles)) {}

  Profiles profiles_;
};

}  // namespace conform::playground

#endif  // CONFORM_REPORTS_PLAYGROUND_ANSWER_H_
