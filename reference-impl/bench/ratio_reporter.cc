#include "reference-impl/bench/ratio_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "reference-impl/bench/sides.h"

namespace conform::reference::bench {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

RatioReporter::RatioReporter(std::unique_ptr<benchmark::BenchmarkReporter> inner, std::ostream& table)
    : inner_(std::move(inner)), table_(table) {}

bool RatioReporter::ReportContext(const Context& context) {
  inner_->SetOutputStream(&GetOutputStream());
  inner_->SetErrorStream(&GetErrorStream());
  return inner_->ReportContext(context);
}

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
    const std::string& name = run.run_name.function_name;
    const size_t slash = name.rfind('/');
    Row* row = RowOf(name.substr(0, slash), run.family_index);
    const double ns = run.cpu_accumulated_time * 1e9 / static_cast<double>(run.iterations);
    (name.substr(slash + 1) == ReferenceSide::kName ? row->reference_ns : row->libuv_ns).push_back(ns);
  }
  // Every repetition by itself would bury the rest; --benchmark_out keeps them all.
  std::vector<Run> shown;
  const bool repeated = std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.repetitions > 1; });
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(shown), [&](const Run& run) {
    return !repeated || run.aggregate_name == "median" || run.aggregate_name == "cv" || run.error_occurred;
  });
  if (!shown.empty()) inner_->ReportRuns(shown);
}

RatioReporter::Row* RatioReporter::RowOf(const std::string& name, int64_t place) {
  // The two sides of a row are registered one after the other, and repetitions come in any order.
  for (const int64_t first : {place - 1, place, place + 1}) {
    const auto it = rows_.find(first);
    if (it != rows_.end() && it->second.name == name) return &it->second;
  }
  rows_[place].name = name;
  return &rows_[place];
}

void RatioReporter::Finalize() {
  inner_->Finalize();
  PrintTable();
}

void RatioReporter::PrintTable() const {
  size_t width = 3;
  for (const auto& [place, row] : rows_) width = std::max(width, row.name.size());
  const auto cell = [](const std::vector<double>& values) {
    return values.empty() ? std::string("-") : fmt::format("{:.1f}", Median(values));
  };
  table_ << fmt::format("\n{:<{}} | {:>10} | {:>10} | ratio (libuv/ref)\n", "row", width, "ref ns", "libuv ns");
  table_ << fmt::format("{:-<{}}-|-{:->10}-|-{:->10}-|------------------\n", "", width, "", "");
  for (const auto& [place, row] : rows_) {
    const bool both = !row.reference_ns.empty() && !row.libuv_ns.empty();
    const std::string ratio =
        both ? fmt::format("{:.2f}", Median(row.libuv_ns) / Median(row.reference_ns)) : std::string("-");
    table_ << fmt::format("{:<{}} | {:>10} | {:>10} | {}\n", row.name, width, cell(row.reference_ns),
                          cell(row.libuv_ns), ratio);
  }
  table_ << std::flush;
}

}  // namespace conform::reference::bench
