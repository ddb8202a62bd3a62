#include "reports/html/playground_link.h"

#include <algorithm>

#include "runners/model/inline_program.h"

namespace conform::reports {
namespace {

constexpr size_t kLongestProgram = 20'000;  // LONGEST_PROGRAM of reports/playground/page/address.js

}  // namespace

std::string QueryText(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  static constexpr std::string_view kPlain = "-._*";
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          kPlain.find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

std::string PlaygroundFamily(const Case& c, const std::vector<std::string>& families) {
  if (families.empty()) return "";
  const std::string family = c.expect.empty() || c.expect[0].family.empty() ? families.front() : c.expect[0].family;
  const bool is_there = std::find(families.begin(), families.end(), family) != families.end();
  const bool is_plain = c.native.empty() && c.models.empty() && c.entry == Entry::kScript && !c.pool_given;
  return is_there && is_plain ? family : "";
}

std::string PlaygroundFragment(const Case& c, std::string_view on) {
  const std::string steps = InlineText(c.program);
  return steps.size() > kLongestProgram ? "" : "steps=" + QueryText(steps) + "&on=" + QueryText(on);
}

}  // namespace conform::reports
