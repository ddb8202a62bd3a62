// The steps of a program as statements of JavaScript.
#ifndef CONFORM_RUNNERS_EXPORT_JS_STEPS_H_
#define CONFORM_RUNNERS_EXPORT_JS_STEPS_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "runners/export/step_writer.h"

namespace conform {

class JsSteps : public StepWriter {
 public:
  // REQUIRES: both outlive this.
  JsSteps(const Case& c, const ProgramFacts& facts);

  // The program: variables that several places share, then the main body.
  Result<Code> Write();

  // The modules that its rows need, under the names of their variables.
  std::set<std::string> Modules() const;

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

  // How one capability is written: a statement, or a function that writes it. A statement contains
  //   @   the function that is called back        $d   the delay, "" for none; `$,d` with a comma before it
  //   $t  the variable of the target              $p   the same, or a promise that is fulfilled where there is none
  //   $l  the label, as a literal                 $e   a new error with the name that is given
  //   $o  an array of the target and of what `with` names
  struct Row {
    std::string text;
    Thing makes = Thing::kNone;
    bool is_guarded = false;             // it does nothing while its target is not there
    std::set<std::string> modules = {};  // that it calls, under the names of their variables
    void (JsSteps::*write)(const Step& step, const Frame& frame, Code& out) = nullptr;
  };
  static const std::map<std::string, Row>& Table();

  // The variable that holds the newest thing of a label.
  struct Variable {
    Thing thing = Thing::kNone;
    std::string name;
    std::string resolve;  // of a promise that some step settles
    std::string reject;
    bool at_its_maker = false;  // declared where the one step that makes it is
  };

  bool HasRow(const Step& step) const override { return FindRow(Table(), step) != nullptr; }
  std::string GuardOf(const Step& step) override;
  void WriteRow(const Step& step, const Frame& frame, Code& out) override;
  void WriteIf(const std::string& condition, const Code& inner, Code& out) const override;
  std::string IsEqual(const std::string& value, const std::string& number) const override;

  static Thing ThingOf(const Step& step);
  void NameVariables(Code& declarations);
  const Variable* VariableOf(const Step& step, const std::string& label);
  std::string NameOf(const Step& step, const std::string& label);
  // `process` or the variable of the handle, and the event, of a listener: `process.on('exit', ` without `on`.
  std::optional<std::pair<std::string, std::string>> EmitterAndEvent(const Step& listener);
  std::string Assignment(const Step& step);
  Code Callback(const Step& step, const Frame& outer, const std::string& first = "", const std::string& last = "");

  // Writes the statement `text`.
  void WriteText(const std::string& text, const Step& step, const Frame& frame, Code& out);
  // What a text cannot say.
  void WriteAwait(const Step& step, const Frame& frame, Code& out);
  void WriteInterval(const Step& step, const Frame& frame, Code& out);
  void WriteRead(const Step& step, const Frame& frame, Code& out);
  void WriteMessage(const Step& step, const Frame& frame, Code& out);
  void WriteConnect(const Step& step, const Frame& frame, Code& out);
  void WriteAccept(const Step& step, const Frame& frame, Code& out);
  void WriteClose(const Step& step, const Frame& frame, Code& out);
  void WriteListener(const Step& step, const Frame& frame, Code& out);
  void WriteThenable(const Step& step, const Frame& frame, Code& out);
  void WriteClear(const Step& step, const Frame& frame, Code& out);
  void WriteRef(const Step& step, const Frame& frame, Code& out);
  void WriteNewPromise(const Step& step, const Frame& frame, Code& out);
  void WriteResolve(const Step& step, const Frame& frame, Code& out);
  void WriteReject(const Step& step, const Frame& frame, Code& out);
  void WriteReturn(const Step& step, const Frame& frame, Code& out);
  void WriteAsync(const Step& step, const Frame& frame, Code& out);
  void WritePause(const Step& step, const Frame& frame, Code& out);
  void WriteTry(const Step& step, const Frame& frame, Code& out);

  std::map<std::string, Variable> variables_;
  std::map<const Step*, std::string> arm_names_;
  std::map<const Step*, std::string> counters_;
  std::map<const Step*, std::string> own_timers_;  // of intervals that clear themselves
};

// Is the callback of the step given an error, which its label has to show?
bool GivenError(const Step& step);

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_JS_STEPS_H_
