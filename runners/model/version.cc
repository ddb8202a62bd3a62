#include "runners/model/version.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <tuple>

#include "runners/base/text.h"

namespace conform {
namespace {

// Nine digits always fit an int, and leave room for the `+ 1` that ends the interval of `=1.2.3`.
constexpr size_t kMaxDigits = 9;

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

Error At(size_t offset, std::string message, std::string hint = "") {
  return Error{std::move(message), "", Location{1, static_cast<int>(offset) + 1}, std::move(hint)};
}

// A version without its trailing zero parts, as a user writes a boundary: 11, 12.17, 13.8.1.
std::string Short(const Version& version) {
  std::string text = std::to_string(version.major);
  if (version.minor != 0 || version.patch != 0) text += '.' + std::to_string(version.minor);
  if (version.patch != 0) text += '.' + std::to_string(version.patch);
  return text;
}

// The two ends of an interval as plain versions, so that open and closed ends compare alike. No version is negative.
constexpr Version kLowest{0, 0, 0};
constexpr Version kBeyond{std::numeric_limits<int>::max(), 0, 0};

Version From(const VersionInterval& interval) { return interval.from.value_or(kLowest); }
Version To(const VersionInterval& interval) { return interval.to.value_or(kBeyond); }

// Reads one alternative of a range, the text between two `||`. `base` is its offset in the whole text.
class IntervalParser {
 public:
  IntervalParser(std::string_view text, size_t base) : text_(text), base_(base) {}

  Result<VersionInterval> Parse() {
    for (SkipSpace(); at_ < text_.size(); SkipSpace()) {
      if (auto error = Constraint()) return *error;
    }
    if (count_ == 0) return At(base_, "expected a range such as '>=12.17 <13'");
    if (From(interval_) >= To(interval_)) return At(base_, "this range contains no version");
    return interval_;
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }

  std::optional<Error> Constraint() {
    const size_t start = base_ + at_;
    auto op = Operator();
    if (!op) return op.error();
    SkipSpace();
    const size_t from = at_;
    while (at_ < text_.size() && !IsSpace(text_[at_]) && text_[at_] != '<' && text_[at_] != '>' && text_[at_] != '=')
      ++at_;
    auto version = Version::Parse(text_.substr(from, at_ - from));
    if (!version) return At(base_ + from, version.error().message);
    ++count_;
    if (*op == "=") {
      if (count_ > 1) return At(start, "'=' must be alone in a range");
      exact_ = true;
      interval_ = {*version, Version{version->major, version->minor, version->patch + 1}};
      return std::nullopt;
    }
    if (exact_) return At(start, "'=' must be alone in a range");
    std::optional<Version>& end = *op == "<" ? interval_.to : interval_.from;
    if (end) return At(start, "'" + *op + "' is given twice");
    end = *version;
    return std::nullopt;
  }

  Result<std::string> Operator() {
    const std::string_view rest = text_.substr(at_);
    const size_t offset = base_ + at_;
    const std::string why = "a boundary is the first version that differs";
    if (rest.starts_with("<=")) return At(offset, "'<=' is not a range operator", why + "; use '<'");
    if (rest.starts_with(">=")) return at_ += 2, std::string(">=");
    if (rest.starts_with(">")) return At(offset, "'>' is not a range operator", why + "; use '>='");
    if (rest.starts_with("<") || rest.starts_with("=")) return at_ += 1, std::string(rest.substr(0, 1));
    return At(offset, "expected '>=', '<' or '='");
  }

  std::string_view text_;
  size_t base_;
  size_t at_ = 0;
  int count_ = 0;
  bool exact_ = false;
  VersionInterval interval_;
};

// Sorted, and joined where two touch, so that a range has one form and no boundary inside that changes nothing.
std::vector<VersionInterval> Normalised(std::vector<VersionInterval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const VersionInterval& a, const VersionInterval& b) {
    return std::tuple(From(a), To(a)) < std::tuple(From(b), To(b));
  });
  std::vector<VersionInterval> joined;
  for (const VersionInterval& interval : intervals) {
    if (joined.empty() || To(joined.back()) < From(interval)) {
      joined.push_back(interval);
    } else if (To(joined.back()) < To(interval)) {
      joined.back().to = interval.to;
    }
  }
  return joined;
}

}  // namespace

Result<Version> Version::Parse(std::string_view text) {
  Version version;
  int* const parts[] = {&version.major, &version.minor, &version.patch};
  size_t at = text.starts_with('v') ? 1 : 0;
  for (int* part : parts) {
    const size_t start = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    if (at == start)
      return At(start, "expected a version such as '24', '24.2' or '24.2.1', not '" + std::string(text) + "'");
    if (at - start > kMaxDigits)
      return At(start, "a part of a version has at most " + std::to_string(kMaxDigits) + " digits");
    *part = std::stoi(std::string(text.substr(start, at - start)));
    if (at == text.size()) return version;
    if (text[at] != '.') break;
    ++at;
  }
  return At(at, "expected the end of the version in '" + std::string(text) + "'");
}

std::string Version::ToString() const {
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

bool VersionInterval::Contains(const Version& version) const {
  return (!from || *from <= version) && (!to || version < *to);
}

Result<VersionRange> VersionRange::Parse(std::string_view text) {
  VersionRange range;
  if (Trim(text).empty()) return range;
  range.intervals_.clear();
  for (size_t start = 0;;) {
    const size_t bar = text.find("||", start);
    auto interval = IntervalParser(text.substr(start, bar == text.npos ? text.npos : bar - start), start).Parse();
    if (!interval) return interval.error();
    range.intervals_.push_back(*interval);
    if (bar == text.npos) break;
    start = bar + 2;
  }
  range.intervals_ = Normalised(std::move(range.intervals_));
  return range;
}

bool VersionRange::Contains(const Version& version) const {
  return std::any_of(intervals_.begin(), intervals_.end(),
                     [&](const VersionInterval& interval) { return interval.Contains(version); });
}

bool VersionRange::Overlaps(const VersionRange& other) const {
  for (const VersionInterval& a : intervals_) {
    for (const VersionInterval& b : other.intervals_) {
      if (std::max(From(a), From(b)) < std::min(To(a), To(b))) return true;
    }
  }
  return false;
}

std::string VersionRange::ToString() const {
  std::vector<std::string> parts;
  for (const auto& [from, to] : intervals_) {
    if (from && to && *to == Version{from->major, from->minor, from->patch + 1}) {
      parts.push_back(std::string("=").append(from->ToString()));
      continue;
    }
    std::vector<std::string> ends;
    if (from) ends.push_back(std::string(">=").append(Short(*from)));
    if (to) ends.push_back(std::string("<").append(Short(*to)));
    parts.push_back(Join(ends, " "));
  }
  return Join(parts, " || ");
}

}  // namespace conform
