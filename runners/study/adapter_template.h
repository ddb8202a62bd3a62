// New adapters: copies of those in adapters/templates.
#ifndef CONFORM_RUNNERS_STUDY_ADAPTER_TEMPLATE_H_
#define CONFORM_RUNNERS_STUDY_ADAPTER_TEMPLATE_H_

#include <string>
#include <utility>
#include <vector>

#include "runners/base/result.h"

namespace conform {

struct AdapterTemplate {
  std::string language;  // "js": the folder in adapters/templates
  std::string title;     // "JavaScript"
  std::vector<std::string> files;
  // From other folders of adapters, and what they are called in the new one.
  std::vector<std::pair<std::string, std::string>> shared = {};
};
const std::vector<AdapterTemplate>& AdapterTemplates();

// Writes the files into `folder`, which is made, or is empty; the adapter is called as the folder is, where that can be
// a name. `adapters`: the folder of all of them, with the templates in it. Nothing is ever written over.
Result<std::string> MakeAdapter(const AdapterTemplate& adapter, const std::string& adapters, const std::string& folder);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_ADAPTER_TEMPLATE_H_
