// The text of a baseline: written from the start, or changed line by line so that all else stays.
#ifndef CONFORM_REPORTS_BASELINE_TEXT_H_
#define CONFORM_REPORTS_BASELINE_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "reports/baseline.h"
#include "reports/baseline_update.h"

namespace conform::reports {

// A text of YAML on one line: as it is where that is safe, or in quotes.
std::string YamlText(std::string_view text);

// The lines of an entry that have its verdicts: `verdict: [pass, fail]`, `seen: {pass: 7, fail: 3}`.
std::vector<std::string> VerdictLines(const KnownVerdicts& verdicts);

// All of it, without comments.
std::string BaselineText(const Baseline& baseline);

// `text`, from which `baseline` was read, with the new ids of the entries that have old ones. Nothing where an old id
// is not in its place as it is.
std::optional<std::string> RenamedText(const Baseline& baseline, const std::string& text);

// The same sections with the same entries, in the same order.
bool SameContent(const Baseline& a, const Baseline& b);

// `text`, from which `baseline` was read, with the changes. Nothing where its lines cannot be changed one by one, as
// with several entries on one line. The caller reads the answer again: this looks at lines, and YAML can be written in
// ways that lines do not show.
std::optional<std::string> EditBaseline(const Baseline& baseline, const std::string& text,
                                        const std::vector<BaselineChange>& changes);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_BASELINE_TEXT_H_
