#include "runners/export/export.h"
#include "runners/export/js_prelude.h"
#include "runners/export/js_steps.h"

namespace conform {

std::string JsFileName(const Case& c) { return FileStem(c) + (c.entry == Entry::kEsm ? ".mjs" : ".js"); }

Result<std::string> JsStepsText(const Case& c) {
  if (const auto native = RefuseNative(c)) return *native;
  const ProgramFacts facts(c.program);
  const Result<Code> program = JsSteps(c, facts).Write();
  if (!program) return program.error();
  return program->ToString();
}

Result<std::string> ExportJs(const Case& c) {
  if (const auto native = RefuseNative(c)) return *native;
  const ProgramFacts facts(c.program);
  JsSteps steps(c, facts);
  Result<Code> program = steps.Write();
  if (!program) return program.error();

  Code out;
  const std::string pool = c.pool_given ? "UV_THREADPOOL_SIZE=" + std::to_string(c.pool) + " " : "";
  WriteHeader(c, "//", pool + "node " + JsFileName(c), out);
  if (c.entry != Entry::kEsm) out.Line("'use strict';");
  out.Line();
  const std::string text = program->ToString();
  if (c.entry != Entry::kWorker) {
    WriteJsStart(facts, out);
    WriteJsModules(c, steps.Modules(), out);
    WriteJsHelpers(c, facts, text, out);
    out.Line("// The program.");
    out.Append(*program);
    return out.ToString();
  }
  out.Line("var workerThreads = require('worker_threads');");
  WriteJsModules(c, steps.Modules(), out);
  out.Open("if (workerThreads.isMainThread) {");
  out.Line("new workerThreads.Worker(__filename).on('exit', function (code) { process.exitCode = code; });");
  out.Outdent();
  out.Open("} else {");
  WriteJsHelpers(c, facts, text, out);
  out.Line("// The program, as the main script of the worker.");
  out.Append(*program);
  out.Close("}");
  return out.ToString();
}

}  // namespace conform
