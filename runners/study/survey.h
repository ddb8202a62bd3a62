// The survey: questions about order, put to every loop by running it. runners/model/survey.h has the questions.
#ifndef CONFORM_RUNNERS_STUDY_SURVEY_H_
#define CONFORM_RUNNERS_STUDY_SURVEY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runners/model/survey.h"
#include "runners/study/implementations.h"

namespace conform {

// The questions of spec/survey.yaml, or those whose ids are `wanted`. Error: the file cannot be read or names a case
// that does not exist, or there is no such question.
Result<std::vector<SurveyQuestion>> LoadQuestions(const Home& home, const std::vector<std::string>& wanted);

// One loop, and its answers in the order of the questions; or why it could not be asked.
struct AskedLoop {
  std::string name;
  std::vector<LoopAnswer> answers;
  std::optional<Error> error;
};

struct SurveyOptions {
  int64_t repeat = 10;  // runs of each program
  int jobs = 1;
  // Called on the calling thread, with how many answers there are so far, and the loop that gave the last one.
  std::function<void(size_t answers, const std::string& loop)> progress = nullptr;
};

// In the order of `words`, which are what --impl takes. Each question is asked by the first of its programs that the
// loop can run. Where every run was late, it is asked again, and again. Ends early where options.interrupt was raised.
std::vector<AskedLoop> AskLoops(const std::vector<SurveyQuestion>& questions, const std::vector<std::string>& words,
                                const SurveyOptions& survey, const RunnerOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SURVEY_H_
