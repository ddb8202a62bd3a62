// Order patterns: regular expressions over labels. spec/case-language.md, "Order patterns".
#ifndef CONFORM_RUNNERS_MODEL_PATTERN_H_
#define CONFORM_RUNNERS_MODEL_PATTERN_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

using Order = std::vector<std::string>;

// `A B=1 C`; the empty order is `(nothing)`. Runs of three and more equal labels print as `T{1000}`.
std::string OrderToString(const Order& order);

struct PatternNode {
  enum class Kind { kEmpty, kLabel, kAnyLabel, kAnything, kSequence, kAlternatives, kInterleaving, kRepetition };
  Kind kind = Kind::kEmpty;
  std::string label;                  // kLabel
  std::vector<PatternNode> children;  // kSequence, kAlternatives, kInterleaving (two), kRepetition (one)
  int64_t least = 0;                  // kRepetition
  std::optional<int64_t> most;        // kRepetition; nothing means without end
};

struct Pattern {
  std::string text;  // as written
  PatternNode root;

  // The labels that are under a repetition of no times, `A{0}`: the pattern says of them that they need not occur.
  // Without their values.
  std::set<std::string> Never() const;

  // Errors carry the column within `text` (line 1). Limits: kMaxPatternLength characters, kMaxPatternDepth groups,
  // kMaxRepetition times, kMaxPatternStates states when repetitions and interleavings are written out.
  static Result<Pattern> Parse(std::string_view text);
};

inline constexpr size_t kMaxPatternLength = 10'000;
inline constexpr int kMaxPatternDepth = 100;
inline constexpr int64_t kMaxRepetition = 100'000;
inline constexpr int64_t kMaxPatternStates = 1'000'000;

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_PATTERN_H_
