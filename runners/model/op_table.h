// How each operation is written: one row per op. The parser, Step::ToString, the messages and the tables of
// spec/case-language.md all follow these rows.
#ifndef CONFORM_RUNNERS_MODEL_OP_TABLE_H_
#define CONFORM_RUNNERS_MODEL_OP_TABLE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/model/step.h"

namespace conform {

enum class Presence { kNever, kOptional, kRequired };

// What a word means that follows the op and carries no keyword.
enum class Role {
  kLabel,         // LABEL
  kTarget,        // NAME, the thing that is meant
  kDelay,         // MS, any number that JavaScript knows, or none
  kMilliseconds,  // MS, a whole number
  kErrorName,     // ERROR
  kExitCode,      // CODE
  kRunMode,       // once|nowait|default
  kEvent,         // EVENT
  kRuns,          // RUNS of only
};

struct Positional {
  Role role;
  bool required;
};

// How often the callback of one arming comes.
enum class Comes {
  kOnce,      // a chain is armed again for each run
  kRepeats,   // again and again until it is stopped: a chain is ended, not armed again
  kOnEvents,  // as often as what it waits for: a listener, a signal, a wake-up that others send
};

struct OpShape {
  Op op;
  std::vector<Positional> positionals;  // in the order they are written
  Presence of = Presence::kNever;       // `of NAME`, kept in Step::target
  Presence to = Presence::kNever;       // `to NAME`, kept in Step::target
  bool with = false;
  bool via = false;
  bool as = false;
  bool plain = false;
  bool unsent = false;
  bool times = false;  // xN
  Presence body = Presence::kNever;
  bool callback = false;          // a later moment runs its body: `only` counts those runs
  Comes comes = Comes::kOnce;     // of a callback
  bool emits = false;             // its label appears in orders
  bool makes = false;             // its label names a thing that other steps can refer to
  std::vector<Op> target_makers;  // only these make what its target means; empty: anything that has a name
  bool counted = false;           // one arming runs it just as often as xN says, unless another step changes that
  bool disturbs = false;          // changes how often its target runs
  bool cuts_short = false;        // ends a body, a chain or the program early, or runs the loop less than to its end
  bool returns = false;           // its body may `return`, which decides the promise that it makes
  bool loopback = false;          // uses the machine's loopback interface
  bool acts = false;              // does something, immediately, to a thing that another step made
  // Where a timeline shows its callback: a phase or a queue; "" for that of the callback around it. Of `on`, the event
  // decides.
  std::string lane = "";
  std::vector<std::string> apis = {};  // what Node, libuv, asyncio and others call it, for those who search
};

const OpShape& ShapeOf(Op op);
const std::vector<OpShape>& AllShapes();  // in the order of Op
// A body that is part of the body around it: `only` and `try`.
bool IsBlock(Op op);
// What every loop has, so that no profile lists it: `log`, `busy`, `only` and `again`.
const std::vector<Op>& UniversalOps();
bool IsUniversal(Op op);
// Is a delay one of its words (`timeout A 5`)?
bool TakesDelay(Op op);
// Does its handle repeat by itself (an interval, an idle handle), so that a chain of it is ended, not armed again?
inline bool RepeatsByItself(Op op) { return ShapeOf(op).comes == Comes::kRepeats; }
std::optional<Op> OpFromName(std::string_view name);
const std::vector<std::string>& OpNames();

// "timeout [LABEL] MS [as KIND] [xN]".
std::string UsageOf(Op op);
// "MS", "LABEL", …: how usage and messages call a word of that role.
std::string_view RoleName(Role role);

// Words of the grammar, which can therefore name nothing: of to with via as plain unsent.
bool IsKeyword(std::string_view word);
// x followed by digits, dots and signs only: `x3`, and also `x0` and `x1.5`, which are refused with a reason.
bool IsTimesForm(std::string_view word);
// Nothing when `word` can be a label; else why not.
std::optional<std::string> WhyNoLabel(std::string_view word);
// Nothing when `word` can name a thing, a kind, or an error; else why not.
std::optional<std::string> WhyNoName(std::string_view word);

// Events of the process, which `on` may name without `of`.
const std::vector<std::string>& ProcessEvents();
const std::vector<std::string>& RunModes();

inline constexpr size_t kMaxLabelLength = 100;

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_OP_TABLE_H_
