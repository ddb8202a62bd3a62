// The steps of a program as statements and functions of C, for libuv.
#ifndef CONFORM_RUNNERS_EXPORT_C_STEPS_H_
#define CONFORM_RUNNERS_EXPORT_C_STEPS_H_

#include <map>
#include <string>
#include <vector>

#include "runners/export/step_writer.h"

namespace conform {

class CSteps : public StepWriter {
 public:
  // REQUIRES: both outlive this.
  CSteps(const Case& c, const ProgramFacts& facts);

  struct Parts {
    Code works;  // what threads of the pool do
    Code variables;
    Code functions;  // callbacks, each before its first use
    Code main;
    Code end;  // what is to be done when the process ends
  };
  Result<Parts> Write();

  // How one capability is done with libuv. The texts contain
  //   $v  the variable of the thing      $f  the function that is called back     $l  the label, as a literal
  //   $t  the variable of the target     $d  the delay                            $n  the argument, a whole number
  //   $p  the path of the target, where that is a server                          $w  the function of a work
  struct Row {
    std::string act;                             // the statement of a step at once; "" for the others
    std::string type = "";                       // "uv_timer_t"; "" where nothing is made
    std::string prefix = "";                     // of the variable: "timer"
    std::vector<std::string> init = {};          // once for each thing
    std::string start = "";                      // makes the callback happen; also what `start` does
    std::string parameters = "";                 // of the callback: "uv_timer_t *handle"; "" where there is none
    std::string thing = "";                      // the thing in the callback: "handle"
    std::vector<std::string> unused = {};        // parameters that the callback never looks at
    std::string status = "";                     // 0 or an error of libuv; "" where nothing can go wrong
    std::vector<std::string> before_label = {};  // what the callback does first
    std::string clear = "";                      // what `clear` does; "" where it can't be cleared
    bool is_handle = true;                       // a handle, not a request
    // What texts cannot say.
    void (CSteps::*write)(const Step& step, const Frame& frame, Code& out) = nullptr;
  };

 private:
  static const std::map<std::string, Row>& Table();

  bool HasRow(const Step& step) const override { return FindRow(Table(), step) != nullptr; }
  std::string GuardOf(const Step& step) override;
  void WriteRow(const Step& step, const Frame& frame, Code& out) override;
  void WriteIf(const std::string& condition, const Code& inner, Code& out) const override;

  void NameVariables();
  const Row* TargetRow(const Step& step);     // of the thing that the step refers to
  const Step* TargetMaker(const Step& step);  // where there is only one
  std::string Variable(const std::string& label) const;
  std::string OwnVariable(const Step& step) const;  // of what the step makes
  std::string Function(const Step& step);
  std::string Path(const std::string& server);
  std::string Delay(const Step& step);
  std::string Work(const Step& step);
  std::string Fill(const std::string& text, const Step& step);

  void WriteCallback(const Step& step, const Row& row);
  void WriteMaking(const Step& step, const Row& row, bool counts, Code& out);
  void WriteLabel(const Step& step, const Row& row, Code& out);

  void WriteServer(const Step& step, const Frame& frame, Code& out);
  void WriteAccept(const Step& step, const Frame& frame, Code& out);
  void WriteData(const Step& step, const Frame& frame, Code& out);
  void WriteSocket(const Step& step, const Frame& frame, Code& out);
  void WriteClose(const Step& step, const Frame& frame, Code& out);
  void WriteRef(const Step& step, const Frame& frame, Code& out);
  void WriteRefresh(const Step& step, const Frame& frame, Code& out);
  void WriteClear(const Step& step, const Frame& frame, Code& out);
  void WriteRaise(const Step& step, const Frame& frame, Code& out);
  void WriteStart(const Step& step, const Frame& frame, Code& out);
  void WriteRun(const Step& step, const Frame& frame, Code& out);
  // The callback, what makes the thing, and what starts it; a chain in a separate function.
  void WriteMade(const Step& step, const Row& row, Code& out);

  Parts parts_;
  std::map<std::string, std::string> shared_;         // by label: the newest thing of a name
  std::map<const Step*, std::string> own_;            // of things that nothing refers to
  std::map<const Step*, std::string> functions_;      // callbacks
  std::set<const Step*> defined_, declared_;          // whose callbacks have been written, or announced
  std::map<const Step*, std::string> arm_functions_;  // of chains
  std::map<std::string, std::string> paths_;          // of servers
  std::set<std::string> works_;                       // what threads of the pool do, by name
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_C_STEPS_H_
