// What `conform explore` prints: pure functions of what exploring found.
#ifndef CONFORM_REPORTS_TERMINAL_EXPLORE_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_EXPLORE_REPORT_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "runners/base/output.h"
#include "runners/model/clause.h"
#include "runners/study/linter.h"

namespace conform {

// The size of one set, and how it was found.
struct SetFacts {
  SetSize size;
  std::string limit_hit;  // "" when the set is complete
  int64_t runs = 0;
  int64_t states = 0;
};

struct ExploredRun {
  reference::ModelRun run;
  bool on_time = true;  // also possible when nothing is late
};

struct ExploreReport {
  std::string case_id;
  std::string reference;  // the word that means the case on the command line
  std::string title;
  std::string profile;
  std::optional<std::string> expected;  // the pattern; nothing where no range covers the profile
  bool late = false;                    // the runs are of the late set
  std::optional<SetFacts> on_time_set;  // nothing when one path was replayed
  std::optional<SetFacts> late_set;
  std::vector<ExploredRun> runs;
};

// "0,2,1": what --path takes. Zeros at the end are left out: they are what happens without a choice.
std::string PathOf(const std::vector<reference::Choice>& choices);

// The text of a clause up to the end of its first sentence.
std::string FirstSentence(std::string_view text);

// `clauses` gives the sentence of each clause that put a label where it is; it is told once.
std::string ExploreText(const ExploreReport& report, const ClauseList& clauses, const Style& style);
// spec/schemas/explore.schema.json
nlohmann::ordered_json ExploreJson(const ExploreReport& report, const ClauseList& clauses);

}  // namespace conform

#endif  // CONFORM_REPORTS_TERMINAL_EXPLORE_REPORT_H_
