// The HTML report of results: what the catalogue, the model and the spec say about them, gathered, and its pages
// written.
#ifndef CONFORM_REPORTS_SITE_REPORT_PAGES_H_
#define CONFORM_REPORTS_SITE_REPORT_PAGES_H_

#include <optional>
#include <string>
#include <vector>

#include "reports/knowledge.h"
#include "reports/result_set.h"
#include "runners/study/home.h"

namespace conform::reports {

struct ReportPages {
  std::string target;  // a folder, or with `single` a file; "" for no HTML
  bool single = false;
  std::string survey;                            // a file that `conform survey --format=json` wrote, or ""
  std::vector<std::string> causes;               // files that `conform causes --format=json` wrote
  std::string playground;                        // its address, or ""
  std::vector<std::string> playground_families;  // that it has, the usual one first
  std::string site;                              // the address of the site that the report is part of, or ""
  std::string conform;                           // the version that writes it
};

// REQUIRES: `set` was described by the catalogue of `home`, and pages.target is not "".
std::optional<Error> WriteReportPages(const ReportPages& pages, const Home& home, const ResultSet& set,
                                      const Knowledge& knowledge = {});

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_REPORT_PAGES_H_
