// Two orders side by side, so that the eye sees the label that moved.
#ifndef CONFORM_REPORTS_ALIGNMENT_H_
#define CONFORM_REPORTS_ALIGNMENT_H_

#include <string>
#include <vector>

#include "runners/model/pattern.h"

namespace conform::reports {

// What is shown in one column: equal labels, or a label beside a gap (""). Equal labels in a row are one column,
// `T{1000}`.
struct AlignedColumn {
  std::string before, after;
  bool same = false;
};

// As many labels as possible are beside their equals. Beyond kMaxAlignmentCells comparisons, all between the common
// beginning and the common end counts as different.
std::vector<AlignedColumn> AlignOrders(const Order& before, const Order& after);
inline constexpr size_t kMaxAlignmentCells = 4'000'000;

// The columns as two lines of text, in blocks of at most `width` columns each. Labels that have no equal are in
// brackets, and gaps are dots. Long stretches in which nothing differs are cut.
struct AlignedLines {
  std::string before, after;
};
std::vector<AlignedLines> AlignmentLines(const std::vector<AlignedColumn>& columns, size_t width);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_ALIGNMENT_H_
