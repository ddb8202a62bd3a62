#include "reports/alignment.h"

#include <algorithm>
#include <cstdint>

#include "runners/base/output.h"

namespace conform::reports {
namespace {

// Longer stretches in which nothing differs are cut to their ends.
constexpr size_t kMaxSameStretch = 12;
constexpr size_t kKeptOfStretch = 4;

enum class Step : uint8_t { kBoth, kBefore, kAfter };

// The way through the table of longest common subsequences of two pieces. REQUIRES: both have an entry in the table.
std::vector<Step> LongestCommon(const std::string* a, size_t n, const std::string* b, size_t m) {
  std::vector<uint32_t> length((n + 1) * (m + 1), 0);
  const auto at = [&](size_t i, size_t j) -> uint32_t& { return length[i * (m + 1) + j]; };
  for (size_t i = n; i-- > 0;) {
    for (size_t j = m; j-- > 0;) {
      at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  std::vector<Step> steps;
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[i] == b[j]) {
      steps.push_back(Step::kBoth);
      ++i, ++j;
    } else if (j == m || (i < n && at(i + 1, j) >= at(i, j + 1))) {
      steps.push_back(Step::kBefore);
      ++i;
    } else {
      steps.push_back(Step::kAfter);
      ++j;
    }
  }
  return steps;
}

std::vector<Step> Steps(const Order& before, const Order& after) {
  size_t head = 0, tail = 0;
  const size_t shorter = std::min(before.size(), after.size());
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const size_t n = before.size() - head - tail, m = after.size() - head - tail;
  std::vector<Step> steps(head, Step::kBoth);
  if ((n + 1) > kMaxAlignmentCells / (m + 1)) {
    steps.insert(steps.end(), n, Step::kBefore);
    steps.insert(steps.end(), m, Step::kAfter);
  } else {
    const std::vector<Step> middle = LongestCommon(before.data() + head, n, after.data() + head, m);
    steps.insert(steps.end(), middle.begin(), middle.end());
  }
  steps.insert(steps.end(), tail, Step::kBoth);
  return steps;
}

std::string Times(const std::string& label, size_t count) {
  return count < 3 ? label : label + "{" + std::to_string(count) + "}";
}

std::string Cell(const std::string& label, const AlignedColumn& column) {
  if (label.empty()) return "·";
  return column.same ? label : "[" + label + "]";
}

}  // namespace

std::vector<AlignedColumn> AlignOrders(const Order& before, const Order& after) {
  const std::vector<Step> steps = Steps(before, after);
  std::vector<AlignedColumn> columns;
  for (size_t s = 0, i = 0, j = 0; s < steps.size();) {
    const Step step = steps[s];
    const std::string& label = step == Step::kAfter ? after[j] : before[i];
    size_t count = 0;
    while (s < steps.size() && steps[s] == step && (step == Step::kAfter ? after[j] : before[i]) == label) {
      ++count, ++s;
      if (step != Step::kAfter) ++i;
      if (step != Step::kBefore) ++j;
    }
    // Two in a row stay two, as orders are written elsewhere.
    for (size_t repeat = count == 2 ? 2 : 1; repeat > 0; --repeat) {
      const std::string text = Times(label, count);
      columns.push_back({step == Step::kAfter ? "" : text, step == Step::kBefore ? "" : text, step == Step::kBoth});
    }
  }
  return columns;
}

std::vector<AlignedLines> AlignmentLines(const std::vector<AlignedColumn>& columns, size_t width) {
  std::vector<AlignedColumn> shown;
  for (size_t i = 0; i < columns.size();) {
    size_t end = i;
    while (end < columns.size() && columns[end].same) ++end;
    if (end - i > kMaxSameStretch) {
      shown.insert(shown.end(), columns.begin() + i, columns.begin() + i + kKeptOfStretch);
      shown.push_back({"…", "…", true});
      shown.insert(shown.end(), columns.begin() + end - kKeptOfStretch, columns.begin() + end);
    } else {
      shown.insert(shown.end(), columns.begin() + i, columns.begin() + end);
    }
    if (end < columns.size()) shown.push_back(columns[end++]);
    i = end;
  }
  std::vector<AlignedLines> lines(1);
  size_t taken = 0;
  for (const AlignedColumn& column : shown) {
    const std::string before = Cell(column.before, column), after = Cell(column.after, column);
    const size_t wide = std::max(Columns(before), Columns(after));
    if (taken > 0 && taken + 1 + wide > width) {
      lines.emplace_back();
      taken = 0;
    }
    if (taken > 0) {
      lines.back().before += ' ';
      lines.back().after += ' ';
    }
    lines.back().before += before + std::string(wide - Columns(before), ' ');
    lines.back().after += after + std::string(wide - Columns(after), ' ');
    taken += (taken > 0 ? 1 : 0) + wide;
  }
  for (AlignedLines& one : lines) {
    for (std::string* line : {&one.before, &one.after}) line->erase(line->find_last_not_of(' ') + 1);
  }
  return lines;
}

}  // namespace conform::reports
