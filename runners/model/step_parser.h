// Reads steps: the words of one step, and the tree of a program.
#ifndef CONFORM_RUNNERS_MODEL_STEP_PARSER_H_
#define CONFORM_RUNNERS_MODEL_STEP_PARSER_H_

#include <string>

#include "runners/base/result.h"
#include "runners/model/step.h"
#include "runners/model/yaml_tree.h"

namespace conform {

// One step without its body: `timeout A 5 x3`. Errors carry the column within `text` (line 1) and no file; their hint
// is the nearest valid word, or how the op is written.
Result<Step> ParseStep(const std::string& text);

// The list under `program`, with places and ids. Does not look at references; CheckProgram does.
Result<Program> ParseProgram(const YamlNode& list, const std::string& file);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_STEP_PARSER_H_
