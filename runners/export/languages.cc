#include <algorithm>

#include "runners/base/check.h"
#include "runners/export/export.h"

namespace conform {

const std::vector<ExportLanguage>& ExportLanguages() {
  static const std::vector<ExportLanguage> kLanguages = {
      {"js", "JavaScript", ExportJs, JsStepsText, JsFileName},
      {"c", "C", ExportC, CStepsText, CFileName},
      {"python", "Python", ExportPython, PythonStepsText, PythonFileName},
  };
  return kLanguages;
}

const ExportLanguage& FindExportLanguage(std::string_view name) {
  const auto& all = ExportLanguages();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ExportLanguage& one) { return one.name == name; });
  CONFORM_CHECK(found != all.end());
  return *found;
}

const ExportLanguage* ExportLanguageOf(std::string_view family) {
  if (family == "node" || family == "html") return &FindExportLanguage("js");
  if (family == "libuv") return &FindExportLanguage("c");
  return family == "asyncio" ? &FindExportLanguage("python") : nullptr;
}

}  // namespace conform
