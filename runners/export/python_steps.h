// The steps of a program as statements of Python, for asyncio.
#ifndef CONFORM_RUNNERS_EXPORT_PYTHON_STEPS_H_
#define CONFORM_RUNNERS_EXPORT_PYTHON_STEPS_H_

#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/export/code.h"
#include "runners/export/program_facts.h"

namespace conform {

class PythonSteps {
 public:
  // REQUIRES: both outlive this.
  PythonSteps(const Case& c, const ProgramFacts& facts);

  // The main body. Callbacks are functions that are defined just before the step that asks for them.
  Result<Code> Write();

 private:
  struct Frame {
    std::string run;        // the number of the present run of the callback; "" where there is only a first one
    std::string again;      // the statement that `again` means; "" outside of chains
    bool is_async = false;  // `await` may stand here
  };

  void WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out);
  void WriteStep(const Step& step, const Frame& frame, Code& out);
  void WriteUnguarded(const Step& step, const Frame& frame, Code& out);
  void WriteCallback(const Step& step, const Frame& frame, const std::string& arm, Code& out);
  std::string Function(const Step& step, const std::string& head, const std::string& first, const std::string& arm,
                       Code& out);
  void WriteTask(const Step& step, const Frame& frame, const std::string& arm, Code& out);
  void WriteAct(const Step& step, const Frame& frame, Code& out);
  void WriteOnly(const Step& step, const Frame& frame, Code& out);
  std::string Delay(const Step& step);
  std::string Assignment(const Step& step) const;
  void Refuse(const Step& step, const std::string& message);

  const Case& case_;
  const ProgramFacts& facts_;
  Names names_;
  std::optional<Error> error_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_PYTHON_STEPS_H_
