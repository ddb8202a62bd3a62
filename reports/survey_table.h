// The survey: what each loop answers to each question. `conform survey` fills the table.
#ifndef CONFORM_REPORTS_SURVEY_TABLE_H_
#define CONFORM_REPORTS_SURVEY_TABLE_H_

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/model/survey.h"

namespace conform::reports {

struct SurveyTable {
  struct Missing {
    std::string name;     // "tokio"
    std::string why;      // one line
    std::string install;  // Debian packages; "" where the reason says what to do
  };
  struct Row {
    SurveyQuestion question;
    std::map<std::string, LoopAnswer> answers;  // by loop
  };
  // Loops that give one answer.
  struct Group {
    std::string words;
    std::vector<std::string> loops;
  };

  int64_t repeat = 0;              // runs of each program
  std::vector<std::string> loops;  // "libev@4.33", in the order of the adapters
  std::vector<Missing> missing;    // loops that could not be asked
  std::vector<Row> rows;

  // The answers to one question: those that the question itself names first, in its order; then others, what varies,
  // and what is not known. Loops that lack the steps are left out.
  std::vector<Group> GroupsOf(const Row& row) const;
};

std::string_view StateName(LoopAnswer::State state);  // "answered", "varies", …

// spec/schemas/survey.schema.json
nlohmann::ordered_json SurveyJson(const SurveyTable& table);
// A page: a section for each question, and all answers in one table. `command` is what made it.
std::string SurveyMarkdown(const SurveyTable& table, const std::string& command);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SURVEY_TABLE_H_
