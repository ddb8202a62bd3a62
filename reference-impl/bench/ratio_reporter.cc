#include "reference-impl/bench/ratio_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "reference-impl/bench/sides.h"
#include "reference-impl/bench/verifier.h"

namespace conform::reference::bench {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double Spread(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return (*most - *least) / 2 / Median(values);
}

double TargetOf(const std::string& row) {
  // What consists of system calls is equal within the noise of most machines.
  for (const char* of_the_system : {"wakeup/", "ping/"}) {
    if (row.starts_with(of_the_system)) return 0.9;
  }
  return row.starts_with("explore/") ? 10 : 1;
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
    const std::string side = name.substr(slash + 1);
    // A verifier of spin is another process, whose CPU time is given as if it were that of the wall.
    const double seconds = side == kSpin ? run.real_accumulated_time : run.cpu_accumulated_time;
    const double ns = seconds * 1e9 / static_cast<double>(run.iterations);
    if (side != ReferenceSide::kName) row->peer = side;
    (side == ReferenceSide::kName ? row->reference_ns : row->peer_ns).push_back(ns);
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
    return values.empty() ? std::string("-") : fmt::format("{:.1f} ±{:.0f}%", Median(values), 100 * Spread(values));
  };
  int missed = 0;
  table_ << fmt::format("\n{:<{}} | {:>15} | {:>15} | {:<5} | {:>5} | target\n", "row", width, "ref ns", "peer ns",
                        "peer", "ratio");
  table_ << fmt::format("{:-<{}}-|-{:->15}-|-{:->15}-|-{:-<5}-|-{:->5}-|-------\n", "", width, "", "", "", "");
  for (const auto& [place, row] : rows_) {
    std::string ratio = "-", target = "-";
    if (row.has_ratio()) {
      missed += row.is_met() ? 0 : 1;
      ratio = fmt::format("{:.2f}", row.ratio());
      target = fmt::format("{:g} {}", TargetOf(row.name), row.is_met() ? "met" : "MISSED");
    }
    table_ << fmt::format("{:<{}} | {:>15} | {:>15} | {:<5} | {:>5} | {}\n", row.name, width, cell(row.reference_ns),
                          cell(row.peer_ns), row.peer.empty() ? "-" : row.peer, ratio, target);
  }
  table_ << fmt::format(
                "{} of {} targets missed\n", missed,
                std::count_if(rows_.begin(), rows_.end(), [](const auto& row) { return row.second.has_ratio(); }))
         << std::flush;
}

std::string RatioReporter::Json() const {
  std::vector<std::string> rows;
  for (const auto& [place, row] : rows_) {
    std::string one = fmt::format(R"({{"row": "{}", "ref_ns": {:.3f}, "ref_spread": {:.4f})", row.name,
                                  Median(row.reference_ns), Spread(row.reference_ns));
    if (row.has_ratio()) {
      one += fmt::format(R"(, "peer": "{}", "peer_ns": {:.3f}, "peer_spread": {:.4f})", row.peer, Median(row.peer_ns),
                         Spread(row.peer_ns));
      one +=
          fmt::format(R"(, "ratio": {:.3f}, "target": {:g}, "met": {})", row.ratio(), TargetOf(row.name), row.is_met());
    }
    rows.push_back("    " + one + "}");
  }
  return fmt::format("{{\n  \"rows\": [\n{}\n  ]\n}}\n", fmt::join(rows, ",\n"));
}

}  // namespace conform::reference::bench
