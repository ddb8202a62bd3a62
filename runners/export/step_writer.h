// The skeleton of an exporter: it walks through a program, writes guards, chains, `only` and `again`, and refuses what
// the platform does not have. A language adds how it writes a condition and a function, and a table with a row for each
// capability (`timeout`, `timeout as promise`): what has no row cannot be exported.
#ifndef CONFORM_RUNNERS_EXPORT_STEP_WRITER_H_
#define CONFORM_RUNNERS_EXPORT_STEP_WRITER_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/export/code.h"
#include "runners/export/program_facts.h"

namespace conform {

// The name of what a step needs of a platform: "tick", "timeout as promise".
std::string CapabilityOf(const Step& step);

// The row of the step's capability, or nothing.
template <typename Row>
const Row* FindRow(const std::map<std::string, Row>& table, const Step& step) {
  const auto found = table.find(CapabilityOf(step));
  return found == table.end() ? nullptr : &found->second;
}

// A row's text with its placeholders (`$t`) replaced. The value of one that does not occur is never computed, and what
// looks like one in a value stays as it is.
struct Placeholder {
  std::string_view name;
  std::function<std::string()> value;
};
std::string Filled(std::string_view text, const std::vector<Placeholder>& placeholders);

class StepWriter {
 public:
  virtual ~StepWriter() = default;

 protected:
  // Where a statement is.
  struct Frame {
    std::string run;        // the number of the present run of the callback; "" where there is only a first one
    std::string again;      // the statement that `again` means; "" outside of chains
    std::string at_end;     // the statement that arms the next run at the end of the body; "" for none
    bool is_async = false;  // `await` is allowed here
  };

  // How a language arms the next run of a chain: in the plain way; and where an `again` may or may not have done so,
  // with a variable, which `again` sets and the end of the body looks at.
  struct Rearming {
    std::string plain;
    std::string variable;
    std::string again;
    std::string at_end;
  };

  // `platform` is named where something is refused. REQUIRES: case and facts outlive this.
  StepWriter(const Case& c, const ProgramFacts& facts, std::string platform, std::set<std::string> taken_names);

  // The language's own. A step is refused where it has no row; its guard is the condition under which it does anything,
  // "" for none; WriteRow does the rest, and is not called for `only` and `again`.
  virtual bool HasRow(const Step& step) const = 0;
  virtual std::string GuardOf(const Step& step) = 0;
  virtual void WriteRow(const Step& step, const Frame& frame, Code& out) = 0;
  virtual void WriteIf(const std::string& condition, const Code& inner, Code& out) const = 0;
  virtual std::string IsEqual(const std::string& value, const std::string& number) const;
  virtual std::string IsBetween(const std::string& value, const std::string& from, const std::string& to) const;

  void WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out);
  void Refuse(const Step& step, const std::string& message);
  // Fills in how the callback of a chain arms the next run, and writes the variable where there is one.
  void BeginChain(const Step& chain, const Rearming& rearming, Frame& frame, Code& out) const;
  // The name of the signal that `raise` sends. Refused where its target stands for several.
  std::string SignalName(const Step& raise);
  // Does some `only` in the body of `step` need the number of its run?
  bool HasOnly(const Step& step) const;

  const Case& case_;
  const ProgramFacts& facts_;
  const std::string platform_;
  Names names_;
  std::optional<Error> error_;  // the first

 private:
  void WriteStep(const Step& step, const Frame& frame, Code& out);
  void WriteOnly(const Step& step, const Frame& frame, Code& out);
};

// What a program may call: it precedes the program where that, or a later helper that is there, has `use` in it.
struct Helper {
  std::string_view use;   // "busy("
  std::string_view text;  // begins with a line end, as raw strings do
};
void WriteHelpers(const std::vector<Helper>& helpers, const std::string& program, int lines_between, Code& out);
// Does the word occur, and not as a part of another name or behind a dot?
bool HasWord(std::string_view text, std::string_view word);

// Opens an exported program: title, id, expectations, and how to run it, as comments.
void WriteHeader(const Case& c, const std::string& comment_mark, const std::string& how_to_run, Code& out);

// The case has its own program already.
std::optional<Error> RefuseNative(const Case& c);

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_STEP_WRITER_H_
