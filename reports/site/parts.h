// What a site is made of and other files hold: the documents of the spec, and the playground.
#ifndef CONFORM_REPORTS_SITE_PARTS_H_
#define CONFORM_REPORTS_SITE_PARTS_H_

#include <string>
#include <vector>

#include "reports/site/site.h"
#include "runners/base/result.h"

namespace conform::reports {

// Every page of the spec, by path.
Result<std::vector<SiteDocument>> ReadDocuments(const std::string& folder);

// The page that reports/playground/make wrote, with a way back to the site. Error: it is not one.
Result<std::string> ReadPlayground(const std::string& file);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_PARTS_H_
