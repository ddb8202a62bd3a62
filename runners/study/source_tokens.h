// C and JavaScript as tokens: enough to find statements and conditions, and never inside a comment or a text.
#ifndef CONFORM_RUNNERS_STUDY_SOURCE_TOKENS_H_
#define CONFORM_RUNNERS_STUDY_SOURCE_TOKENS_H_

#include <cstddef>
#include <string_view>
#include <vector>

namespace conform {

enum class SourceLanguage { kC, kJavaScript };

struct SourceToken {
  enum class Kind { kWord, kNumber, kText, kSign };
  Kind kind = Kind::kSign;
  size_t begin = 0;  // in the source
  size_t end = 0;
};

struct SourceRange {
  size_t begin = 0;
  size_t end = 0;
};

struct SourceTokens {
  std::vector<SourceToken> tokens;
  std::vector<SourceRange> comments;
};

// Of C, lines of the preprocessor are left out; but a macro that continues over several lines is code from its second
// line on, where libuv keeps whole functions. A text or comment without an end goes up to the end of the source.
SourceTokens Tokenize(std::string_view source, SourceLanguage language);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SOURCE_TOKENS_H_
