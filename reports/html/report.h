// The HTML report: a folder of pages, or one file.
#ifndef CONFORM_REPORTS_HTML_REPORT_H_
#define CONFORM_REPORTS_HTML_REPORT_H_

#include <optional>
#include <string>

#include "reports/html/input.h"

namespace conform::reports {

// FOLDER/index.html, report.js, report.css, and cases/NAME.html for each case. A report that is there is replaced once
// all of the new one is written, and stays as it is where that cannot be written; a folder with anything else in it, at
// the top or in cases/, is refused.
std::optional<Error> WriteHtmlFolder(const HtmlInput& input, const std::string& folder);

// Everything in one page. As text: same results, same bytes.
std::string HtmlSinglePage(const HtmlInput& input);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_REPORT_H_
