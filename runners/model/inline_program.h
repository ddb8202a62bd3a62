// Programs that are typed on the command line: `timeout A 0; immediate B: [tick C]`.
#ifndef CONFORM_RUNNERS_MODEL_INLINE_PROGRAM_H_
#define CONFORM_RUNNERS_MODEL_INLINE_PROGRAM_H_

#include <string>

#include "runners/base/result.h"
#include "runners/model/case.h"

namespace conform {

// Whether a word of the command line is a program: it has a space or a semicolon, as no id of a case has.
bool IsInlineProgram(const std::string& word);

// The case that expects nothing and has these steps, which semicolons or line ends separate. Its id is the program.
// Errors have the column of `text`.
Result<Case> ParseInlineProgram(const std::string& text, Entry entry = Entry::kScript);

// The other way: a step on each line, bodies in brackets.
std::string InlineText(const Program& program);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_INLINE_PROGRAM_H_
