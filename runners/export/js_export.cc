#include "runners/export/export.h"
#include "runners/export/js_prelude.h"
#include "runners/export/js_steps.h"

namespace conform {

std::string JsFileName(const Case& c) { return FileStem(c) + (c.entry == Entry::kEsm ? ".mjs" : ".js"); }

Result<std::string> ExportJs(const Case& c) {
  if (!c.native.empty()) {
    return Error{"the case is native: its program is " + c.native.begin()->second, c.file};
  }
  const ProgramFacts facts(c.program);
  Result<Code> program = JsSteps(c, facts).Write();
  if (!program) return program.error();

  Code out;
  for (const std::string& line : HeaderLines(c)) out.Line(line.empty() ? "//" : "// " + line);
  out.Line("//");
  const std::string pool = c.pool_given ? "UV_THREADPOOL_SIZE=" + std::to_string(c.pool) + " " : "";
  out.Line("// Run: " + pool + "node " + JsFileName(c));
  if (c.entry != Entry::kEsm) out.Line("'use strict';");
  out.Line();
  if (c.entry != Entry::kWorker) {
    WriteJsStart(facts, out);
    WriteJsModules(c, facts, out);
    WriteJsHelpers(c, facts, out);
    out.Line("// The program.");
    out.Append(*program);
    return out.ToString();
  }
  out.Line("var workerThreads = require('worker_threads');");
  WriteJsModules(c, facts, out);
  out.Open("if (workerThreads.isMainThread) {");
  out.Line("new workerThreads.Worker(__filename).on('exit', function (code) { process.exitCode = code; });");
  out.Outdent();
  out.Open("} else {");
  WriteJsHelpers(c, facts, out);
  out.Line("// The program, as the main script of the worker.");
  out.Append(*program);
  out.Close("}");
  return out.ToString();
}

}  // namespace conform
