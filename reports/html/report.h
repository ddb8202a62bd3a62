// The HTML report: a folder of pages, or one file.
#ifndef CONFORM_REPORTS_HTML_REPORT_H_
#define CONFORM_REPORTS_HTML_REPORT_H_

#include <optional>
#include <string>

#include "reports/html/input.h"

namespace conform::reports {

// FOLDER/index.html, report.js, report.css, and cases/NAME.html for each case. Files of these names are written anew,
// and pages of cases that an earlier report left in cases/ go; a folder with anything else in it is refused.
std::optional<Error> WriteHtmlFolder(const HtmlInput& input, const std::string& folder);

// Everything in one page. As text: same results, same bytes.
std::string HtmlSinglePage(const HtmlInput& input);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_REPORT_H_
