// Clauses: the sentences of the spec that cases test. Read from the chapters, spec/NN-*.md.
//
//   ### timers.equal-deadline-start-order
//   **MUST** · node, libuv · since libuv 0.10.2
//
//   Timers with the same deadline MUST run in the order in which they were started.
//
// Every heading of the third level in a chapter is a clause. Its id is lower-case words and hyphens joined by dots. The
// level follows, then where the clause applies: families, `since FAMILY VERSION`, `until FAMILY VERSION`, each behind `
// · `. Everything up to the next heading is its text.
#ifndef CONFORM_RUNNERS_MODEL_CLAUSE_H_
#define CONFORM_RUNNERS_MODEL_CLAUSE_H_

#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

enum class ClauseLevel { kMust, kShould, kMay };
std::string_view ClauseLevelName(ClauseLevel level);  // "MUST", "SHOULD", "MAY"

struct Clause {
  std::string id;
  ClauseLevel level = ClauseLevel::kMust;
  std::string applies;  // `node, libuv · since libuv 0.10.2`, as written; "" for everywhere
  std::string text;     // Markdown, without blank lines at its ends
  std::string file;
  int line = 0;  // of the heading
};

struct ClauseList {
  std::vector<Clause> clauses;  // in the order of files and lines
  std::vector<Error> errors;    // each with file and line; a clause with an error is not among `clauses`

  const Clause* Find(std::string_view id) const;
};

// Reads one chapter.
ClauseList ParseClauses(std::string_view text, const std::string& file);

// Whether a file of the spec is a chapter: `04-timers.md`. Not one of a folder below.
bool IsChapter(std::string_view path);
// Reads every chapter of `folder`. No id may occur twice, in one chapter or in two.
ClauseList LoadClauses(const std::string& folder);

// The text of a clause up to the end of its first sentence.
std::string FirstSentence(std::string_view text);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_CLAUSE_H_
