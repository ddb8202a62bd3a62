// The steps of a program as statements of JavaScript.
#ifndef CONFORM_RUNNERS_EXPORT_JS_STEPS_H_
#define CONFORM_RUNNERS_EXPORT_JS_STEPS_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runners/base/result.h"
#include "runners/export/code.h"
#include "runners/export/program_facts.h"

namespace conform {

class JsSteps {
 public:
  // REQUIRES: both outlive this.
  JsSteps(const Case& c, const ProgramFacts& facts);

  // The program: variables that several places share, then the main body.
  Result<Code> Write();

 private:
  // What a label names; decides the name of its variable, and how it is cleared and closed.
  enum class Thing {
    kNone,
    kTimeout,
    kInterval,
    kImmediate,
    kPromise,
    kThenable,
    kSocket,
    kServer,
    kPort,
    kChild,
    kListener
  };

  // The variable that holds the newest thing of a label.
  struct Variable {
    Thing thing = Thing::kNone;
    std::string name;
    std::string resolve;  // of a promise that some step settles
    std::string reject;
    bool at_its_maker = false;  // declared where the one step that makes it stands
  };

  // Where a statement stands.
  struct Frame {
    std::string run;        // the number of the present run of the callback; "" where there is only a first one
    std::string again;      // the statement that `again` means; "" outside of chains
    std::string at_end;     // what leaving the function has to do before, to arm the next run; "" for nothing
    bool is_async = false;  // `await` may stand here
  };

  static Thing ThingOf(const Step& step);
  bool HasOnly(const Step& step) const;  // does some `only` ask for the number of its run?
  void NameVariables(Code& declarations);
  const Variable* VariableOf(const Step& step, const std::string& label);
  // `process` or the variable of the handle, and the event, of a listener: `process.on('exit', ` without `on`.
  std::optional<std::pair<std::string, std::string>> EmitterAndEvent(const Step& listener);
  bool IsTimerLike(const std::string& label) const;  // can `clear` be called before it exists?
  std::string Assignment(const Step& step);
  std::vector<std::string> Guards(const Step& step);

  void WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out);
  void WriteStep(const Step& step, const Frame& frame, Code& out);
  void WriteUnguarded(const Step& step, const Frame& frame, Code& out);
  Code Callback(const Step& step, const Frame& outer, const std::string& first = "", const std::string& last = "");

  // Each writes the statement for some of the ops.
  void WriteQueue(const Step& step, const Frame& frame, Code& out);
  void WriteTimer(const Step& step, const Frame& frame, Code& out);
  void WriteFile(const Step& step, const Frame& frame, Code& out);
  void WriteSocket(const Step& step, const Frame& frame, Code& out);
  void WriteClose(const Step& step, const Frame& frame, Code& out);
  void WriteOther(const Step& step, const Frame& frame, Code& out);
  void WriteListener(const Step& step, const Frame& frame, Code& out);
  void WriteClear(const Step& step, Code& out);
  void WritePromise(const Step& step, const Frame& frame, Code& out);
  void WriteOnly(const Step& step, const Frame& frame, Code& out);

  void Refuse(const Step& step, const std::string& message);
  bool RefuseKind(const Step& step);  // true where the step has a kind, which then is none that the op has

  const Case& case_;
  const ProgramFacts& facts_;
  Names names_;
  std::map<std::string, Variable> variables_;
  std::map<const Step*, std::string> arm_names_;
  std::map<const Step*, std::string> counters_;
  std::map<const Step*, std::string> own_timers_;  // of intervals that clear themselves
  std::optional<Error> error_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_JS_STEPS_H_
