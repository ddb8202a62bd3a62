// The style of the site, as the build put it into the program.
#ifndef CONFORM_REPORTS_SITE_ASSETS_H_
#define CONFORM_REPORTS_SITE_ASSETS_H_

#include <string_view>

namespace conform::reports {

extern const std::string_view kSiteStyleSource;  // site.css, which follows the style of the report

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_ASSETS_H_
