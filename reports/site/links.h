// Whether every link between the pages of a site leads somewhere.
#ifndef CONFORM_REPORTS_SITE_LINKS_H_
#define CONFORM_REPORTS_SITE_LINKS_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "runners/base/result.h"

namespace conform::reports {

struct LinkCheck {
  size_t links = 0;           // that were looked at, each as often as it occurs
  std::vector<Error> broken;  // each with its page and line
};

// Reads every page below `folder`. A link must lead to a file of the folder, and what follows a # to an element with
// that id. The report draws its elements itself: there, the view must be one of its views, and the clause of a link to
// the spec one of `clauses`. Links that a script draws are not seen. Addresses of the web are not asked.
LinkCheck CheckLinks(const std::string& folder, const std::set<std::string>& clauses);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_LINKS_H_
