#include "runners/runtimes/release.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "runners/base/text.h"
#include "runners/model/loop_names.h"
#include "runners/model/version.h"
#include "runners/runtimes/package.h"

namespace conform {
namespace {

constexpr size_t kMaxVersionLength = 64;
constexpr size_t kMaxNumberLength = 9;  // fits an int

// "24.21.0" of "24.21.0-rc.1".
std::string_view Numbers(std::string_view version) { return version.substr(0, version.find_first_of("-+")); }

bool IsNumber(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNumberLength &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "24", "24.21", "24.21.0": one to three numbers.
bool IsPartial(std::string_view text) {
  const std::vector<std::string> parts = Split(text, '.');
  return parts.size() <= 3 && std::all_of(parts.begin(), parts.end(), IsNumber);
}

// Numbers in a suffix are compared as such, so that rc.10 is newer than rc.9.
bool SuffixIsOlder(std::string_view a, std::string_view b) {
  const auto parts_a = Split(a, '.');
  const auto parts_b = Split(b, '.');
  for (size_t i = 0; i < std::min(parts_a.size(), parts_b.size()); ++i) {
    if (parts_a[i] == parts_b[i]) continue;
    if (IsNumber(parts_a[i]) && IsNumber(parts_b[i])) return std::stoi(parts_a[i]) < std::stoi(parts_b[i]);
    return parts_a[i] < parts_b[i];
  }
  return parts_a.size() < parts_b.size();
}

Version NumbersOf(std::string_view version) {
  const auto parsed = Version::Parse(Numbers(version));
  return parsed ? *parsed : Version{};
}

}  // namespace

Result<RuntimeSpec> ParseRuntimeSpec(std::string_view text) {
  const size_t at = text.find('@');
  RuntimeSpec spec{std::string(text.substr(0, at)), ""};
  if (!IsKnownRuntime(spec.runtime)) {
    return Error::WithHint("there is no runtime '" + spec.runtime + "'; there are " + Join(KnownRuntimes(), ", "),
                           DidYouMeanLoop(spec.runtime, KnownRuntimes()));
  }
  if (at == std::string_view::npos) return spec;
  std::string_view version = text.substr(at + 1);
  if (version.starts_with('v')) version.remove_prefix(1);
  if (!IsPartial(version) && !IsExactVersion(version)) {
    const std::string given(text);
    return Error::WithHint("'" + given + "' names no version of " + spec.runtime,
                           "as in " + spec.runtime + "@20, " + spec.runtime + "@20.3 or " + spec.runtime + "@20.3.0");
  }
  spec.version = version;
  return spec;
}

bool IsExactVersion(std::string_view version) {
  if (version.size() > kMaxVersionLength) return false;
  const std::string_view numbers = Numbers(version);
  if (std::count(numbers.begin(), numbers.end(), '.') != 2 || !IsPartial(numbers)) return false;
  const std::string_view suffix = version.substr(numbers.size());
  return suffix.size() != 1 && std::all_of(suffix.begin(), suffix.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '+';
         });
}

bool IsRelease(std::string_view version) {
  return IsExactVersion(version) && Numbers(version).size() == version.size();
}

bool Fits(std::string_view wanted, std::string_view version) {
  if (!IsRelease(version)) return wanted == version && IsExactVersion(version);
  if (wanted.empty() || wanted == version) return true;
  return IsPartial(wanted) && version.starts_with(wanted) && version[wanted.size()] == '.';
}

bool IsOlder(std::string_view a, std::string_view b) {
  const Version numbers_a = NumbersOf(a);
  const Version numbers_b = NumbersOf(b);
  if (numbers_a != numbers_b) return numbers_a < numbers_b;
  if (IsRelease(a) || IsRelease(b)) return !IsRelease(a);
  return SuffixIsOlder(a.substr(Numbers(a).size()), b.substr(Numbers(b).size()));
}

std::optional<std::string> NewestThatFits(std::string_view wanted, const std::vector<std::string>& versions) {
  std::optional<std::string> newest;
  for (const std::string& version : versions) {
    if (Fits(wanted, version) && (!newest || IsOlder(*newest, version))) newest = version;
  }
  return newest;
}

std::vector<std::string> NewestOfEachMajor(const std::vector<std::string>& versions) {
  std::map<std::pair<int, int>, std::string> newest;
  for (const std::string& version : versions) {
    if (!IsRelease(version)) continue;
    const Version numbers = NumbersOf(version);
    std::string& best = newest[{numbers.major, numbers.major == 0 ? numbers.minor : 0}];
    if (best.empty() || IsOlder(best, version)) best = version;
  }
  std::vector<std::string> all;
  for (const auto& [major, version] : newest) all.push_back(version);
  return all;
}

}  // namespace conform
