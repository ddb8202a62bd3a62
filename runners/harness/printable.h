// Text that others wrote, made safe to print.
#ifndef CONFORM_RUNNERS_HARNESS_PRINTABLE_H_
#define CONFORM_RUNNERS_HARNESS_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace conform {

// Valid UTF-8 on one line, of about `max_bytes` at most: ends of lines become blanks, every other control character and
// every byte that is not UTF-8 a question mark, and what is cut off an ellipsis.
std::string Printable(std::string_view text, size_t max_bytes);

// Of what a program wrote to stderr the line that says most, printable: the last that names an error, or else the last
// that is not blank; "" where there is none.
std::string TellingLine(std::string_view text, size_t max_bytes);

// Without control characters; `text` is UTF-8.
bool IsPlain(std::string_view text);
// Without white space, too.
bool IsOneWord(std::string_view text);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PRINTABLE_H_
