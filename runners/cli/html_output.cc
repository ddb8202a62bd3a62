#include "runners/cli/html_output.h"

#include "reports/html/allowed.h"
#include "reports/html/report.h"
#include "reports/survey_file.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/study/allowed_orders.h"
#include "runners/study/search.h"

namespace conform {
std::vector<OptionSpec> HtmlOptionSpecs(HtmlOptions* options) {
  return {Value("--html", "DIR", &options->target, "pages, into a folder"),
          Flag("--single", &options->single, "with --html=FILE: everything in one page").Needs("--html"),
          Value("--survey", "FILE", &options->survey, "for --html: what 'conform survey\n--format=json' printed")
              .Alias("--rules")
              .Needs("--html"),
          Value("--playground", "ADDRESS", &options->playground,
                "for --html: where the playground is, such as\nplayground.html; cases then link there")
              .Needs("--html")};
}

std::optional<Error> WriteHtml(const HtmlOptions& options, const Home& home, const reports::ResultSet& set,
                               const reports::Knowledge& knowledge) {
  const auto profiles = LoadProfiles(home);
  if (!profiles) return profiles.error();
  const ClauseList clauses = LoadClauses(home.Spec());
  reports::HtmlInput input = {set, clauses, {}, {}, CONFORM_VERSION, knowledge};
  for (size_t i = 0; i < set.cases().size(); ++i) {
    auto& answers = input.allowed.emplace_back();
    const std::optional<Case>& known = set.cases()[i].known;
    input.find_by.push_back(known ? Join(ApiNamesOf(*known), " ") : "");
    if (!known) continue;
    for (const reports::AllowedQuestion& question : reports::AllowedQuestionsOf(set, i)) {
      answers.push_back(FindAllowedOrders(*profiles, *known, question.profile, question.near));
    }
  }
  input.playground = options.playground;
  input.site = options.site;
  if (!options.survey.empty()) {
    auto survey = reports::ReadSurvey(options.survey);
    if (!survey) return survey.error();
    input.survey = std::move(*survey);
  }
  if (!options.single) return reports::WriteHtmlFolder(input, options.target);
  return WriteWholeFile(options.target, reports::HtmlSinglePage(input));
}

}  // namespace conform
