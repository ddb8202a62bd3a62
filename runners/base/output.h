// What every command says in the same way: exit codes, colours, wrapped lines, errors.
#ifndef CONFORM_RUNNERS_BASE_OUTPUT_H_
#define CONFORM_RUNNERS_BASE_OUTPUT_H_

#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/base/text.h"

namespace conform {

inline constexpr int kAllAsExpected = 0;
inline constexpr int kJudgement = 1;       // against an implementation, or against a case
inline constexpr int kBadInput = 2;        // usage, files
inline constexpr int kHarnessTrouble = 3;  // conform itself could not do its work

inline constexpr int kEndedBySignal = 128;  // and the number of the signal, as shells have it

inline constexpr size_t kLineWidth = 80;

// Colours, or none.
class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}
  // For a terminal, unless NO_COLOR is set or the terminal is dumb.
  static Style For(int descriptor);

  std::string Good(std::string_view text) const { return Painted("32", text); }
  std::string Bad(std::string_view text) const { return Painted("31", text); }
  std::string Doubtful(std::string_view text) const { return Painted("33", text); }
  std::string Strong(std::string_view text) const { return Painted("1", text); }

 private:
  std::string Painted(std::string_view code, std::string_view text) const;
  bool colour_;
};

// Text that holds words of others (file names, labels, messages), as it may reach a terminal: colours of Style become
// what terminals understand; control characters, bytes that are not UTF-8, and characters that change the direction of
// writing are written as \u001b or \xff. In JSON that is the same value; ends of lines and tabs stay.
std::string TerminalText(std::string_view text);

// Breaks `text` at its spaces into lines of at most `width` columns; a word that is longer stays whole. The first line
// starts with `first`, the others with `rest`. Ends with a newline.
std::string Wrap(std::string_view text, std::string_view first, std::string_view rest, size_t width = kLineWidth);

// How many columns UTF-8 text takes, one for each character.
size_t Columns(std::string_view text);
// `text`, filled with spaces up to `columns`; or cut, with an ellipsis at its end, where `cut` is requested.
std::string Padded(std::string_view text, size_t columns);
std::string Cut(std::string_view text, size_t columns);

// "1 case", "2 cases".
std::string Counted(int64_t count, std::string_view one, std::string_view many);
std::string Counted(int64_t count, std::string_view one);  // many: one + "s"

// To stdout, as TerminalText. False when it cannot be written.
bool Print(std::string_view text);
// To stderr, as TerminalText, with the end of a line.
void PrintLine(std::string_view line);
// To stderr: `conform: …` for each.
void PrintError(const Error& error);
void PrintErrors(const std::vector<Error>& errors);
// What is worth knowing and changes no exit code: `conform: note: …`, the first few of them.
void PrintNotes(const std::vector<std::string>& notes);
// Prints the error and returns `exit_code`: the last word of a command that cannot do what it should.
int Fail(const Error& error, int exit_code);
// With the exit code that its kind calls for: kHarnessTrouble where the system is to blame, or else kBadInput.
int Fail(const Error& error);
int Fail(const std::vector<Error>& errors, int exit_code);
int Fail(const std::vector<Error>& errors);
// The last word of one that can: prints `text` to stdout and returns `exit_code`, or kHarnessTrouble where stdout
// cannot be written.
int Answer(std::string_view text, int exit_code = kAllAsExpected);

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_OUTPUT_H_
