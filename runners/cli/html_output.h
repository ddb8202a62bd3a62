// `--html` of `conform report`.
#ifndef CONFORM_RUNNERS_CLI_HTML_OUTPUT_H_
#define CONFORM_RUNNERS_CLI_HTML_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "reports/knowledge.h"
#include "reports/result_set.h"
#include "runners/cli/command_spec.h"

namespace conform {

struct HtmlOptions {
  std::string target;  // a folder, or with `single` a file; "" for no HTML
  bool single = false;
  std::string survey;      // a file that `conform survey --format=json` wrote, or ""
  std::string playground;  // its address, or ""
  std::string site;        // the address of the site that the report is part of, or ""
};

// --html=DIR, --single, --survey=FILE, --playground=ADDRESS.
std::vector<OptionSpec> HtmlOptionSpecs(HtmlOptions* options);

// REQUIRES: `set` was described by the catalogue of `home`, and options.target is not "".
std::optional<Error> WriteHtml(const HtmlOptions& options, const Home& home, const reports::ResultSet& set,
                               const reports::Knowledge& knowledge = {});

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_HTML_OUTPUT_H_
