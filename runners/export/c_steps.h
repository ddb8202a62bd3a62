// The steps of a program as statements and functions of C, for libuv.
#ifndef CONFORM_RUNNERS_EXPORT_C_STEPS_H_
#define CONFORM_RUNNERS_EXPORT_C_STEPS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/export/code.h"
#include "runners/export/program_facts.h"

namespace conform {

// How one op is done with libuv. In the texts $v is the variable of the thing, $f the function that is called back, $d
// the delay, $t the variable of the target, $p the path of the target where that is a server.
struct COp {
  std::string type;                       // "uv_timer_t"; "" where nothing is made
  std::string prefix;                     // of the variable: "timer"
  std::vector<std::string> init;          // once for each thing
  std::string start;                      // makes the callback happen; also what `start` does
  std::string parameters;                 // of the callback: "uv_timer_t *handle"; "" where there is none
  std::string thing;                      // the thing in the callback: "handle"
  std::vector<std::string> unused;        // parameters that the callback never looks at
  std::string status;                     // 0 or an error of libuv; "" where nothing can go wrong
  std::vector<std::string> before_label;  // what the callback does first
  std::string clear;                      // what `clear` does; "" where it can't be cleared
  bool is_handle = true;                  // a handle, not a request
};

// The row for the op and kind of a step, or nothing where libuv has no such thing.
const COp* FindCOp(const Step& step);

class CSteps {
 public:
  // REQUIRES: both outlive this.
  CSteps(const Case& c, const ProgramFacts& facts);

  struct Parts {
    Code variables;
    Code functions;  // callbacks, each before its first use
    Code main;
    Code end;  // what is to be done when the process ends
  };
  Result<Parts> Write();

 private:
  // Where a statement stands.
  struct Frame {
    std::string run;    // the number of the present run; "" where there is only a first one
    std::string again;  // the statement that `again` means; "" outside of chains
  };

  void NameVariables();
  bool NeedsRun(const Step& step) const;
  const COp* TargetOp(const Step& step);      // of the thing that the step refers to
  const Step* TargetMaker(const Step& step);  // where there is only one
  std::string Variable(const std::string& label) const;
  std::string Function(const Step& step);
  std::string Path(const std::string& server);
  std::string Delay(const Step& step);
  std::string Fill(std::string text, const Step& step);

  void WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out);
  void WriteStep(const Step& step, const Frame& frame, Code& out);
  void WriteUnguarded(const Step& step, const Frame& frame, Code& out);
  void WriteCallback(const Step& step, const COp& op);
  void WriteMaking(const Step& step, const COp& op, bool counts, Code& out);
  void WriteServer(const Step& step, const COp& op, Code& out);
  void WriteAccept(const Step& step, const COp& op, Code& out);
  void WriteAct(const Step& step, const Frame& frame, Code& out);
  void WriteOnly(const Step& step, const Frame& frame, Code& out);
  void WriteLabel(const Step& step, const COp& op, Code& out);
  void Refuse(const Step& step, const std::string& message);

  const Case& case_;
  const ProgramFacts& facts_;
  Names names_;
  Parts parts_;
  std::map<std::string, std::string> shared_;         // by label: the newest thing of a name
  std::map<const Step*, std::string> own_;            // of things that nothing refers to
  std::map<const Step*, std::string> functions_;      // callbacks
  std::map<const Step*, std::string> arm_functions_;  // of chains
  std::map<std::string, std::string> paths_;          // of servers
  std::optional<Error> error_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_C_STEPS_H_
