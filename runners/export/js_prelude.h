// What precedes the program in exported JavaScript: modules, the log, and helpers for the ops that need one.
#ifndef CONFORM_RUNNERS_EXPORT_JS_PRELUDE_H_
#define CONFORM_RUNNERS_EXPORT_JS_PRELUDE_H_

#include <cstdint>
#include <set>
#include <string>

#include "runners/export/code.h"
#include "runners/export/program_facts.h"

namespace conform {

// `var net = require('net');`, or the import that an ES module has in its place, for each of these variables.
void WriteJsModules(const Case& c, std::set<std::string> modules, Code& out);

// What comes before everything else: a program that reads starts itself again, with descriptors to read from.
void WriteJsStart(const ProgramFacts& facts, Code& out);
// More cannot be handed to a process.
inline constexpr int64_t kMaxJsDescriptors = 200;

// log(), and busy(), read(), post(), … where the program calls them. None of them adds a turn of any queue by itself.
void WriteJsHelpers(const Case& c, const ProgramFacts& facts, const std::string& program, Code& out);

// The function that posts through the shared channel `via`.
std::string JsChannelName(const std::string& via);

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_JS_PRELUDE_H_
