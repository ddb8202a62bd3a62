// Versions and ranges of them, as profiles and expectations use them.
#ifndef CONFORM_RUNNERS_MODEL_VERSION_H_
#define CONFORM_RUNNERS_MODEL_VERSION_H_

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

// major.minor.patch; parts that are not written are 0.
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;

  static Result<Version> Parse(std::string_view text);  // "24", "24.2", "v24.2.1"
  std::string ToString() const;
  auto operator<=>(const Version&) const = default;
};

// One interval [from, to); either end may be open.
struct VersionInterval {
  std::optional<Version> from;
  std::optional<Version> to;
  bool Contains(const Version& version) const;
  bool operator==(const VersionInterval&) const = default;
};

// A union of intervals: ">=12.17 <13 || >=13.8"; "" is every version.
class VersionRange {
 public:
  VersionRange() : intervals_{VersionInterval{}} {}  // every version
  // Operators: >= < and, for one exact version, =. <= and > are refused: a boundary is the first version that differs.
  static Result<VersionRange> Parse(std::string_view text);
  bool Contains(const Version& version) const;
  // Some version lies in both.
  bool Overlaps(const VersionRange& other) const;
  const std::vector<VersionInterval>& intervals() const { return intervals_; }
  std::string ToString() const;

 private:
  std::vector<VersionInterval> intervals_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_VERSION_H_
