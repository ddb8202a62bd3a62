// Where things are on the site, and what a page of it looks like.
#ifndef CONFORM_REPORTS_SITE_PLACES_H_
#define CONFORM_REPORTS_SITE_PLACES_H_

#include <map>
#include <optional>
#include <set>
#include <string>

#include "reports/site/site.h"

namespace conform::reports {

struct SitePage {
  std::string path;     // "spec/claims.html"
  std::string section;  // of the navigation: the path of its entry; "" for none
  std::string title;
  std::string text;         // Markdown. A link to `site:PATH` leads to PATH from the top of the site
  bool has_tries = false;   // a case that is named has a link to the playground beside it
  std::string folder = "";  // below the spec, of the document that it was made from: what its links start from
};

class SitePlaces {
 public:
  // `input` must outlive this.
  explicit SitePlaces(const SiteInput& input);

  // From the top of the site; "" where there is no such thing.
  std::string OfCase(const std::string& id) const;
  std::string OfClause(const std::string& id) const;
  std::string OfDocument(const std::string& path) const;
  std::string OfCauses(const CausesReport& report) const;
  // The playground with the program of the case.
  std::string OfProgram(const std::string& case_id) const;
  // The same with the program of a cause, on the release that it was held to.
  std::string OfProgram(const Case& program, const std::string& profile) const;

  // The page with its frame.
  std::string Render(const SitePage& page) const;
  // The content of an element of the page: the Markdown as HTML.
  std::string RenderText(const SitePage& page) const;

 private:
  std::string CodeHtml(const SitePage& page, const std::string& root, const std::string& code) const;
  std::optional<std::string> LinkTo(const SitePage& page, const std::string& root, const std::string& target) const;

  const SiteInput& input_;
  std::map<std::string, const Case*> cases_;
  std::map<std::string, std::string> case_pages_;  // of the report, by id
  std::map<std::string, std::string> clauses_;
  std::map<std::string, std::string> documents_;
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SITE_PLACES_H_
