#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/writers.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxLabel = 40;

struct Badge {
  std::string label, message;
  const char* name;    // of the colour, as shields.io knows it
  const char* colour;  // the same for our own picture; white text on it is readable
};

Badge BadgeOf(const ResultSet& set) {
  int64_t good = 0, bad = 0, doubtful = 0;
  for (const auto& [verdict, count] : set.totals()) {
    const Outcome outcome = OutcomeOf(verdict);
    if (outcome == Outcome::kGood) good += count;
    if (outcome == Outcome::kBad || outcome == Outcome::kBroken) bad += count;
    if (verdict == Verdict::kInconclusive) doubtful += count;
  }
  Badge badge{"conform", fmt::format("{} of {} pass", good, good + bad + doubtful), "brightgreen", "#2a7d1f"};
  if (set.implementations().size() == 1)
    badge.label.append(" ").append(Shortened(set.implementations()[0].name, kMaxLabel));
  const bool mostly = good >= 9 * bad;
  if (!set.complete()) {
    badge.message = "incomplete";
    badge.name = "lightgrey";
    badge.colour = "#6b6b6b";
  } else if (good + bad + doubtful == 0) {
    badge.message = "nothing judged";
    badge.name = "lightgrey";
    badge.colour = "#6b6b6b";
  } else if (bad > 0) {
    badge.name = mostly ? "orange" : "red";
    badge.colour = mostly ? "#a85a00" : "#b3261e";
  } else if (doubtful > 0) {
    badge.name = "yellow";
    badge.colour = "#7a6a00";
  }
  return badge;
}

// About how wide a text is at 11 pixels in a common sans-serif face; `textLength` makes it exactly that.
int WidthOf(const std::string& text) {
  int tenths = 0;
  for (const unsigned char c : text) {
    if ((c & 0xC0) == 0x80) continue;
    const bool narrow = std::string_view("ijl.,:;|!'It/ ()[]").find(static_cast<char>(c)) != std::string_view::npos;
    const bool wide = c >= 0x80 || c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '@';
    tenths += narrow ? 38 : wide ? 95 : 66;
  }
  return (tenths + 9) / 10;
}

}  // namespace

std::string BadgeJson(const ResultSet& set) {
  const Badge badge = BadgeOf(set);
  return nlohmann::ordered_json{
             {"schemaVersion", 1}, {"label", badge.label}, {"message", badge.message}, {"color", badge.name}}
             .dump() +
         "\n";
}

std::string BadgeSvg(const ResultSet& set) {
  const Badge badge = BadgeOf(set);
  const int left = WidthOf(badge.label), right = WidthOf(badge.message);
  const int split = left + 14, width = split + right + 14;
  const std::string label = XmlEscaped(badge.label), message = XmlEscaped(badge.message);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"20\" viewBox=\"0 0 {0} 20\" role=\"img\" "
      "aria-label=\"{1}: {2}\">\n  <title>{1}: {2}</title>\n",
      width, label, message);
  out += fmt::format("  <rect width=\"{}\" height=\"20\" rx=\"4\" fill=\"{}\"/>\n", width, badge.colour);
  out += fmt::format("  <path d=\"M4 0h{0}v20H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z\" fill=\"#333\"/>\n", split - 4);
  out += "  <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n";
  out += fmt::format("    <text x=\"7\" y=\"14\" textLength=\"{}\">{}</text>\n", left, label);
  out += fmt::format("    <text x=\"{}\" y=\"14\" textLength=\"{}\">{}</text>\n", split + 7, right, message);
  return out + "  </g>\n</svg>\n";
}

}  // namespace conform::reports
