// The steps of a program as statements of Python, for asyncio.
#ifndef CONFORM_RUNNERS_EXPORT_PYTHON_STEPS_H_
#define CONFORM_RUNNERS_EXPORT_PYTHON_STEPS_H_

#include <map>
#include <string>

#include "runners/export/step_writer.h"

namespace conform {

class PythonSteps : public StepWriter {
 public:
  // REQUIRES: both outlive this.
  PythonSteps(const Case& c, const ProgramFacts& facts);

  // The main body. Callbacks are functions that are defined just before the step that schedules them.
  Result<Code> Write();

 private:
  // How one capability is written: a statement, or a function that writes it. A statement contains
  //   @   the name of the function that is called back    $d  the delay          $l  the label, as a literal
  //   $t  the newest thing of the target's name           $v  that of the label  $n  the argument, a whole number
  //   $e  a new exception with the name that is given
  struct Row {
    std::string text;
    bool can_be_cleared = false;
    void (PythonSteps::*write)(const Step& step, const Frame& frame, Code& out) = nullptr;
  };
  static const std::map<std::string, Row>& Table();

  bool HasRow(const Step& step) const override { return FindRow(Table(), step) != nullptr; }
  std::string GuardOf(const Step& step) override;
  void WriteRow(const Step& step, const Frame& frame, Code& out) override;
  void WriteIf(const std::string& condition, const Code& inner, Code& out) const override;
  std::string IsBetween(const std::string& value, const std::string& from, const std::string& to) const override;

  std::string Function(const Step& step, const std::string& head, const std::string& first, Code& out);
  std::string Delay(const Step& step);
  std::string Assignment(const Step& step) const;

  void WriteText(const std::string& text, const Step& step, Code& out);
  void WriteWake(const Step& step, const Frame& frame, Code& out);
  void WriteThen(const Step& step, const Frame& frame, Code& out);
  void WriteAwait(const Step& step, const Frame& frame, Code& out);
  void WriteAsync(const Step& step, const Frame& frame, Code& out);
  void WriteOn(const Step& step, const Frame& frame, Code& out);
  void WriteRun(const Step& step, const Frame& frame, Code& out);
  void WriteSettle(const Step& step, const Frame& frame, Code& out);
  void WritePause(const Step& step, const Frame& frame, Code& out);
  void WriteClear(const Step& step, const Frame& frame, Code& out);

  std::map<const Step*, std::string> arm_names_;  // of chains
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_PYTHON_STEPS_H_
