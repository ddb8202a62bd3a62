// Exporting: a case as a program that runs without conform, to be pasted into a bug report.
//
// Each program opens with a comment (title, id, expected orders, how to run it), does what the case says with direct
// calls of the platform, and prints the labels in the order in which the callbacks ran, on one line. The exit code is
// the process's own. Logging costs no turn of the loop, so that watching the order does not change it.
#ifndef CONFORM_RUNNERS_EXPORT_EXPORT_H_
#define CONFORM_RUNNERS_EXPORT_EXPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"

namespace conform {

// A language that cases can be written in, for one platform.
struct ExportLanguage {
  std::string_view name;                   // "js", as `show --as` takes it
  std::string_view title;                  // "JavaScript"
  std::vector<std::string_view> families;  // of loops whose programs are written in it
  // Pure. An op, kind or event that the platform has not is an error that names it ("libuv has no tick") and carries
  // the place of the step; so is a case that is native, which has its own program already.
  Result<std::string> (*write)(const Case& c);
  // The same without what is around it: only what the steps of the case are in this language, for a reader.
  Result<std::string> (*write_steps)(const Case& c);
  // A file name that suits the program: `drain-between-timers.js`.
  std::string (*file_name)(const Case& c);
};

// All of them: js, c, python.
const std::vector<ExportLanguage>& ExportLanguages();
// REQUIRES: it is one of these names.
const ExportLanguage& FindExportLanguage(std::string_view name);
// The one that programs for this family of loops are written in; null where there is none.
const ExportLanguage* ExportLanguageOf(std::string_view family);

// JavaScript for Node 0.10 and later, Bun and Deno: ES5, but for what the case itself needs (`await`, an ES module,
// whose file name ends in `.mjs`).
Result<std::string> ExportJs(const Case& c);
Result<std::string> JsStepsText(const Case& c);
std::string JsFileName(const Case& c);

// C for libuv 1.44 and later: `cc x.c -luv`.
Result<std::string> ExportC(const Case& c);
Result<std::string> CStepsText(const Case& c);
std::string CFileName(const Case& c);

// Python 3.8 and later, with asyncio.
Result<std::string> ExportPython(const Case& c);
Result<std::string> PythonStepsText(const Case& c);
std::string PythonFileName(const Case& c);

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_EXPORT_H_
