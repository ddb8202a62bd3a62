#include "runners/model/step_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "runners/base/text.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

struct Word {
  std::string text;
  size_t offset;  // in the text of the step
};

std::vector<Word> SplitWords(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<Word> words;
  for (size_t start = text.find_first_not_of(kBlanks); start != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, start), text.size());
    words.push_back({std::string(text.substr(start, end - start)), start});
    start = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

// A whole number of digits alone, at most `most`.
std::optional<int64_t> WholeNumber(std::string_view text, int64_t most) {
  int64_t number = 0;
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number > most) return std::nullopt;
  return number;
}

size_t CountDigits(std::string_view text) { return std::min(text.find_first_not_of("0123456789"), text.size()); }

// A number as JavaScript writes decimal ones, or one of the words that stand for odd delays.
bool IsDelay(std::string_view text) {
  if (text == "none" || text == "NaN") return true;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  if (text == "Infinity") return true;
  const size_t whole = CountDigits(text);
  text.remove_prefix(whole);
  size_t fraction = 0;
  if (!text.empty() && text[0] == '.') {
    fraction = CountDigits(text.substr(1));
    text.remove_prefix(1 + fraction);
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return !text.empty() && CountDigits(text) == text.size();
}

class StepParser {
 public:
  explicit StepParser(const std::string& text) : words_(SplitWords(text)) {}

  Result<Step> Parse() {
    if (words_.empty()) return At(0, "a step starts with the name of an op", "");
    const std::optional<Op> op = OpFromName(words_[0].text);
    if (!op) return At(0, fmt::format("unknown op '{}'", words_[0].text), DidYouMean(words_[0].text, OpNames()));
    step_.op = *op;
    shape_ = &ShapeOf(*op);
    size_t next = 1;
    while (next < words_.size() && !IsKeyword(words_[next].text) && !IsTimesForm(words_[next].text)) ++next;
    if (std::optional<Error> error = TakePositionals(next - 1)) return *error;
    while (next < words_.size()) {
      if (std::optional<Error> error = TakeKeyword(next)) return *error;
    }
    if (std::optional<Error> error = CheckWhole()) return *error;
    return step_;
  }

 private:
  Error At(size_t word, std::string message, std::string hint) const {
    const size_t offset = word < words_.size() ? words_[word].offset : 0;
    return Error{std::move(message), "", {1, static_cast<int>(offset) + 1}, std::move(hint)};
  }
  // For what breaks the form of the op; the hint shows that form.
  Error Malformed(size_t word, std::string message) const {
    return At(word, std::move(message), fmt::format("write '{}'", UsageOf(step_.op)));
  }
  std::string_view Name() const { return OpName(step_.op); }

  // Words 1 to `count` go to the positionals in order. Where there are fewer words than positionals, the optional ones
  // on the right stay empty first: `timeout 5` is a silent timer, not one named 5.
  std::optional<Error> TakePositionals(size_t count) {
    size_t required = 0;
    for (const Positional& positional : shape_->positionals) required += positional.required ? 1 : 0;
    if (count < required) {
      std::string missing;
      for (const Positional& positional : shape_->positionals) {
        if (positional.required) missing = RoleName(positional.role);
      }
      return Malformed(0, fmt::format("'{}' needs {}", Name(), missing));
    }
    if (count > shape_->positionals.size()) {
      const size_t first = 1 + shape_->positionals.size();
      return Malformed(first, fmt::format("'{}' does not take '{}'", Name(), words_[first].text));
    }
    size_t spare = count - required;
    size_t word = 1;
    for (const Positional& positional : shape_->positionals) {
      if (!positional.required && spare == 0) continue;
      if (IsLeftOut(positional, word, count)) continue;
      if (!positional.required) --spare;
      if (std::optional<Error> error = TakeWord(positional.role, word++)) return error;
    }
    return std::nullopt;
  }

  // `work 20` has no label.
  bool IsLeftOut(const Positional& positional, size_t word, size_t count) const {
    const auto others = static_cast<size_t>(&shape_->positionals.back() - &positional);
    return positional.role == Role::kLabel && !positional.required && word + others > count &&
           !IsLetter(words_[word].text[0]);
  }

  std::optional<Error> TakeWord(Role role, size_t word) {
    const std::string& text = words_[word].text;
    switch (role) {
      case Role::kLabel:
        if (const auto why = WhyNoLabel(text)) return At(word, fmt::format("'{}' is not a label: {}", text, *why), "");
        step_.label = text;
        return std::nullopt;
      case Role::kTarget:
        return TakeName(word, step_.target);
      case Role::kErrorName:
        return TakeName(word, step_.argument);
      case Role::kEvent:
        return TakeName(word, step_.event);
      case Role::kDelay:
        if (!IsDelay(text)) {
          return Malformed(word, fmt::format("'{}' is not a delay: expected a number, NaN, Infinity or none", text));
        }
        step_.argument = text;
        return std::nullopt;
      case Role::kMilliseconds:
        if (!WholeNumber(text, kMaxBusyMs)) {
          return At(word, fmt::format("'{}' is not an integer number of milliseconds up to {}", text, kMaxBusyMs), "");
        }
        step_.argument = text;
        return std::nullopt;
      case Role::kExitCode:
        if (!WholeNumber(text, 255))
          return At(word, fmt::format("'{}' is not an exit code between 0 and 255", text), "");
        step_.argument = text;
        return std::nullopt;
      case Role::kRunMode:
        for (const std::string& mode : RunModes()) {
          if (text == mode) step_.argument = text;
        }
        if (!step_.argument.empty()) return std::nullopt;
        return At(word, fmt::format("unknown mode '{}': once, nowait or default", text), DidYouMean(text, RunModes()));
      case Role::kRuns:
        return TakeRuns(word);
    }
    CONFORM_CHECK(false);
  }

  std::optional<Error> TakeName(size_t word, std::string& field) {
    const std::string& text = words_[word].text;
    if (const auto why = WhyNoName(text)) return At(word, fmt::format("'{}' is not a name: {}", text, *why), "");
    field = text;
    return std::nullopt;
  }

  std::optional<Error> TakeRuns(size_t word) {
    const std::string& text = words_[word].text;
    const size_t dots = text.find("..");
    std::optional<int64_t> from, to;
    if (dots == std::string::npos) {
      from = to = WholeNumber(text, kMaxTimes);
    } else {
      from = dots == 0 ? 1 : WholeNumber(std::string_view(text).substr(0, dots), kMaxTimes);
      to = WholeNumber(std::string_view(text).substr(dots + 2), kMaxTimes);
    }
    if (!from || !to || *from < 1 || *to < *from) {
      return At(word, fmt::format("'{}' names no runs", text), "write '2', '..3' or '2..4'; the first run is 1");
    }
    step_.only_from = *from;
    step_.only_to = *to;
    return std::nullopt;
  }

  // Takes the keyword at `next` with its name, and moves `next` behind them.
  std::optional<Error> TakeKeyword(size_t& next) {
    const size_t word = next++;
    const std::string& text = words_[word].text;
    if (IsTimesForm(text)) return TakeTimes(word);
    if (text == "plain") return TakeFlag(word, shape_->plain, step_.plain);
    if (text == "unsent") return TakeFlag(word, shape_->unsent, step_.unsent);
    bool taken = false;
    std::string* field = nullptr;
    if (text == "of" || text == "to") {
      taken = (text == "of" ? shape_->of : shape_->to) != Presence::kNever;
      field = &step_.target;
    } else if (text == "with") {
      taken = shape_->with;
      field = &step_.with;
    } else if (text == "via") {
      taken = shape_->via;
      field = &step_.via;
    } else if (text == "as") {
      taken = shape_->as;
      field = &step_.kind;
    }
    // A word that is not a keyword comes after one: its place was before.
    if (field == nullptr) return Malformed(word, fmt::format("'{}' comes after a keyword", text));
    if (!taken) return Malformed(word, fmt::format("'{}' takes no '{}'", Name(), text));
    if (!field->empty()) return At(word, fmt::format("'{}' is given twice", text), "");
    if (next >= words_.size()) return Malformed(word, fmt::format("'{}' needs a name after it", text));
    return TakeName(next++, *field);
  }

  std::optional<Error> TakeFlag(size_t word, bool taken, bool& field) {
    const std::string& text = words_[word].text;
    if (!taken) return Malformed(word, fmt::format("'{}' takes no '{}'", Name(), text));
    if (field) return At(word, fmt::format("'{}' is given twice", text), "");
    field = true;
    return std::nullopt;
  }

  std::optional<Error> TakeTimes(size_t word) {
    const std::string& text = words_[word].text;
    if (!shape_->times) return Malformed(word, fmt::format("'{}' takes no 'xN'", Name()));
    if (step_.chained) return At(word, "'xN' is given twice", "");
    const std::optional<int64_t> times = WholeNumber(std::string_view(text).substr(1), kMaxTimes);
    if (!times || *times < 1) {
      return At(word, fmt::format("'{}': a chain has 1 to {} runs", text, kMaxTimes), "");
    }
    step_.chained = true;
    step_.times = *times;
    return std::nullopt;
  }

  // What can only be said once every word is known.
  std::optional<Error> CheckWhole() const {
    if (shape_->of == Presence::kRequired && step_.target.empty()) {
      return Malformed(0, fmt::format("'{}' needs 'of NAME'", Name()));
    }
    if (shape_->to == Presence::kRequired && step_.target.empty()) {
      return Malformed(0, fmt::format("'{}' needs 'to NAME'", Name()));
    }
    if (step_.plain && !step_.target.empty()) {
      return Malformed(0, "'of' and 'plain' are mutually exclusive: a plain value is not a promise");
    }
    if (step_.op == Op::kOn && step_.target.empty()) {
      for (const std::string& event : ProcessEvents()) {
        if (event == step_.event) return std::nullopt;
      }
      const std::string hint = DidYouMean(step_.event, ProcessEvents());
      return At(1, fmt::format("'{}' is not an event of the process", step_.event),
                hint.empty() ? "an event of a handle needs 'of NAME'" : hint);
    }
    return std::nullopt;
  }

  std::vector<Word> words_;
  Step step_;
  const OpShape* shape_ = nullptr;
};

}  // namespace

Result<Step> ParseStep(const std::string& text) { return StepParser(text).Parse(); }

}  // namespace conform
