// The site: everything that conform knows, as pages that need no server. The report of the results, with the pages of
// its cases, is one part of it (reports/html); the playground is another (reports/playground).
#ifndef CONFORM_REPORTS_SITE_SITE_H_
#define CONFORM_REPORTS_SITE_SITE_H_

#include <string>
#include <vector>

#include "reports/result_set.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"
#include "runners/model/profile.h"
#include "runners/study/causes.h"

namespace conform::reports {

// Where the other parts are, from the top of the site.
inline constexpr char kSiteReport[] = "compatibility";
inline constexpr char kSitePlayground[] = "playground.html";
// A file that a folder has if it is a site, and what is in it.
inline constexpr char kSiteMark[] = "conform-site.txt";

struct SiteDocument {
  std::string path;  // below the spec: "claims.md", "decisions/0011-….md"
  std::string text;
};

struct SiteInput {
  const ResultSet& set;  // described by the catalogue
  const Catalogue& catalogue;
  const ClauseList& clauses;
  const Profiles& profiles;
  std::vector<SiteDocument> documents;
  std::vector<CausesReport> causes = {};  // of implementations that fail something
  bool causes_left_out = false;           // not computed
  bool has_playground = false;
  std::vector<std::string> playground_families = {};  // that it has, the usual one first
  std::string conform = "";                           // the version that makes the site
};

struct SiteFile {
  std::string path;  // from the top of the site, in parts that a / separates
  std::string text;
};

// All files but those of the report and the playground. Same input, same bytes.
std::vector<SiteFile> SiteFiles(const SiteInput& input);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_SITE_H_
