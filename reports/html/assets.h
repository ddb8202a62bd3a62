// The sources of page/, as the build put them into the program.
#ifndef CONFORM_REPORTS_HTML_ASSETS_H_
#define CONFORM_REPORTS_HTML_ASSETS_H_

#include <string_view>

namespace conform::reports {

extern const std::string_view kHtmlScriptSource;  // page/*.js
extern const std::string_view kHtmlStyleSource;   // page/*.css

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_ASSETS_H_
