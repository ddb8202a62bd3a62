#include "reports/site/report_pages.h"

#include "reports/causes_file.h"
#include "reports/html/allowed.h"
#include "reports/html/report.h"
#include "reports/survey_file.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/study/allowed_orders.h"
#include "runners/study/search.h"

namespace conform::reports {

std::optional<Error> WriteReportPages(const ReportPages& pages, const Home& home, const ResultSet& set,
                                      const Knowledge& knowledge) {
  const auto profiles = LoadProfiles(home);
  if (!profiles) return profiles.error();
  const ClauseList clauses = LoadClauses(home.Spec());
  HtmlInput input = {set, clauses, {}, {}, pages.conform, knowledge};
  for (size_t i = 0; i < set.cases().size(); ++i) {
    auto& answers = input.allowed.emplace_back();
    const std::optional<Case>& known = set.cases()[i].known;
    input.find_by.push_back(known ? Join(ApiNamesOf(*known), " ") : "");
    if (!known) continue;
    for (const AllowedQuestion& question : AllowedQuestionsOf(set, i)) {
      answers.push_back(FindAllowedOrders(*profiles, *known, question.profile, question.near));
    }
  }
  input.playground = pages.playground;
  input.playground_families = pages.playground_families;
  input.site = pages.site;
  if (!pages.survey.empty()) {
    auto survey = ReadSurvey(pages.survey);
    if (!survey) return survey.error();
    input.survey = std::move(*survey);
  }
  for (const std::string& file : pages.causes) {
    auto causes = ReadCauses(file);
    if (!causes) return causes.error();
    input.causes.push_back(std::move(*causes));
  }
  if (!pages.single) return WriteHtmlFolder(input, pages.target);
  return WriteWholeFile(pages.target, HtmlSinglePage(input));
}

}  // namespace conform::reports
