// Questions that can be asked of any loop, and what its orders answer. spec/survey.yaml holds them, spec/survey.md
// describes the file.
#ifndef CONFORM_RUNNERS_MODEL_SURVEY_H_
#define CONFORM_RUNNERS_MODEL_SURVEY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/automaton.h"
#include "runners/model/case.h"
#include "runners/model/trace.h"

namespace conform {

struct SurveyQuestion {
  struct Answer {
    std::string words;  // "start order"
    Automaton orders;
    bool proves = false;  // a run that gives it decides, whatever other runs gave
  };
  // What a run must keep to count: the label `to` comes less than `ms` after the label `from`.
  struct InTime {
    std::string from, to;
    int64_t ms = 0;
  };

  std::string id;    // "equal-deadlines"
  std::string text;  // "In which order do timers with the same deadline run?"
  std::string why;
  std::vector<Case> programs;  // a loop is asked by the first that it has all ops for
  std::vector<Answer> answers;
  std::optional<InTime> in_time;
  std::vector<std::string> cases;  // of the catalogue, on the same question
};

// The programs are complete: for each that uses `soon`, those follow it that say it in the other ways which the file
// lists. Errors carry file, line and column.
Result<std::vector<SurveyQuestion>> ParseSurvey(const std::string& text, const std::string& file);

// `program` with another op in place of `soon`. One that repeats by itself runs once, unless it is a chain, and a
// message goes through one channel.
Program WithSoonAs(Op op, const Program& program);

// What the runs of one program on one loop came to.
struct LoopAnswer {
  enum class State {
    kAnswered,
    kVaries,       // several answers: the loop has no such rule
    kUndecided,    // every run was late
    kUnsupported,  // the loop has no such steps
    kTrouble,      // a run could not be made
  };
  State state = State::kAnswered;
  std::string words;                                    // the answer, the order where it has no name, or the reason
  std::vector<std::string> varied;                      // kVaries: each answer that was given
  std::vector<std::pair<std::string, int64_t>> orders;  // each with how often it came, most often first
  std::string program;                                  // as text: which one asked
};

// REQUIRES: there are runs.
LoopAnswer AnswerOf(const SurveyQuestion& question, const std::vector<Trace>& runs);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_SURVEY_H_
