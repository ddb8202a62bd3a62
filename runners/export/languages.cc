#include <algorithm>

#include "runners/base/check.h"
#include "runners/export/export.h"

namespace conform {

const std::vector<ExportLanguage>& ExportLanguages() {
  static const std::vector<ExportLanguage> kLanguages = {
      {"js", "JavaScript", {"node", "html"}, ExportJs, JsStepsText, JsFileName},
      {"c", "C", {"libuv"}, ExportC, CStepsText, CFileName},
      {"python", "Python", {"asyncio"}, ExportPython, PythonStepsText, PythonFileName},
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
  for (const ExportLanguage& language : ExportLanguages()) {
    const auto& families = language.families;
    if (std::find(families.begin(), families.end(), family) != families.end()) return &language;
  }
  return nullptr;
}

}  // namespace conform
