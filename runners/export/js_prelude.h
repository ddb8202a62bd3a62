// What stands before the program in exported JavaScript: modules, the log, and helpers for the ops that need one.
#ifndef CONFORM_RUNNERS_EXPORT_JS_PRELUDE_H_
#define CONFORM_RUNNERS_EXPORT_JS_PRELUDE_H_

#include "runners/export/code.h"
#include "runners/export/program_facts.h"

namespace conform {

// `var net = require('net');`, or the import that an ES module has in its place, for each module that the program uses.
void WriteJsModules(const Case& c, const ProgramFacts& facts, Code& out);

// What comes before everything else: a program that reads starts itself again, with descriptors to read from.
void WriteJsStart(const ProgramFacts& facts, Code& out);
// More cannot be handed to a process.
inline constexpr int64_t kMaxJsDescriptors = 200;

// log(), and busy(), read(), post(), … where the program calls them. None of them adds a turn of any queue by itself.
void WriteJsHelpers(const Case& c, const ProgramFacts& facts, Code& out);

// The function that posts through the shared channel `via`.
std::string JsChannelName(const std::string& via);

// Is the callback of the step given an error, which its label has to show?
bool GivenError(const Step& step);

// Is the step one of the kinds that node's timers/promises has?
bool IsPromiseTimer(const Step& step);

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_JS_PRELUDE_H_
