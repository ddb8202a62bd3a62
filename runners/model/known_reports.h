// Threads elsewhere in which others report or discuss what a value of a rule does. spec/known-reports.yaml, described
// in spec/README.md.
//
//   - {rule: immediate-drain, value: after-batch, of: node, report: "https://…", about: ticks between immediates}
#ifndef CONFORM_RUNNERS_MODEL_KNOWN_REPORTS_H_
#define CONFORM_RUNNERS_MODEL_KNOWN_REPORTS_H_

#include <string>
#include <vector>

#include "runners/base/result.h"

namespace conform {

struct KnownReport {
  std::string rule;
  std::string value;   // "" for any
  std::string of;      // what it was reported of: "bun"
  std::string report;  // the address
  std::string about;
  Location at = {};  // in the file

  // Is it about what this implementation does, which is `NAME` or `NAME@VERSION`?
  bool IsAbout(const std::string& implementation, const std::string& changed_rule, const std::string& to) const;
};

inline constexpr size_t kMaxKnownReportsBytes = 1 << 20;

// Errors carry file, line and column.
Result<std::vector<KnownReport>> ParseKnownReports(const std::string& text, const std::string& file);
// A file that does not exist means that nothing is known.
Result<std::vector<KnownReport>> LoadKnownReports(const std::string& path);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_KNOWN_REPORTS_H_
