// Lifting: a script of JavaScript becomes a program of the case language, by recording what it schedules while it runs.
#ifndef CONFORM_RUNNERS_LIFT_LIFT_H_
#define CONFORM_RUNNERS_LIFT_LIFT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"
#include "runners/runtimes/tools.h"

namespace conform {

// Something about a place of the script.
struct LiftNote {
  int line = 0;
  std::string file;  // "" for the script itself
  std::string what;
  bool is_remark = false;  // says how something is written; nothing is left out
};

// A label that the script does not print.
struct MadeUpLabel {
  LiftNote note;
  bool is_unknown = false;  // its callback ran in no run
};

struct Lifted {
  Case c;                                      // expects nothing yet: `node: ...`
  std::string program;                         // as YAML, from `program:` on
  std::map<std::string, std::string> labels;   // label to what was printed, where they differ
  std::map<std::string, MadeUpLabel> made_up;  // of what prints nothing, and must have a name
  std::vector<LiftNote> notes;                 // what is not in the program, and what it depends on
  std::vector<Order> seen;                     // of each run: what it printed, and `exit=CODE`
  std::string runtime;                         // "node@20.20.2": what ran the script

  bool LeavesOut() const;  // a note that is not a remark
};

struct LiftOptions {
  std::string node;        // "node@24", "node=./out/node"; "" for the one on PATH or the newest that is installed
  int runs = 6;            // every second one is disturbed
  int64_t timeout_s = 10;  // of each run
  std::string adapters;    // the folder of the adapters, where the recorder is
};

// Runs the script. An Error where that cannot be done (no Node that is new enough), or where the script cannot be
// lifted: it does not end, reads its input, is a module or not JavaScript, or does nothing that can be ordered.
Result<Lifted> Lift(const std::string& script, const LiftOptions& given, const Tools& tools);

// What program.cjs wrote about `script`, as a case. `codes`: how each run ended.
Result<Lifted> ParseLifted(const std::string& json, const std::string& script, const std::vector<int>& codes);

// Whether a word of the command line is a script: x.js, x.cjs, x.mjs, and those of TypeScript, which are refused.
bool IsScriptWord(const std::string& word);

}  // namespace conform

#endif  // CONFORM_RUNNERS_LIFT_LIFT_H_
