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

double Spread(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return (*most - *least) / 2 / Median(values);
}

double TargetOf(const std::string& row) {
  // What consists of system calls is equal within the noise of most machines.
  for (const char* of_the_system : {"wakeup/", "ping/"}) {
    if (row.starts_with(of_the_system)) return 0.9;
  }
  // At most 1.1 times what the peer takes.
  for (const char* nearly_equal : {"harness/cpu-", "explore/chain-"}) {
    if (row.starts_with(nearly_equal)) return 0.909;
  }
  if (row.starts_with("study/lint")) return 4;
  if (row.starts_with("study/mutants")) return 5;
  if (row.starts_with("study/gate")) return 7;
  return row.starts_with("explore/") ? 10 : 1;
}

const char* UnitOf(const std::string& row) {
  if (row.starts_with("memory/")) return "MB";
  return row.starts_with("runs/") ? "runs" : "ns";
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
    // What another process took is given as if it were the time of the wall.
    const bool is_given = run.run_name.time_type == "manual_time";
    const double seconds = is_given ? run.real_accumulated_time : run.cpu_accumulated_time;
    const double ns = seconds * 1e9 / static_cast<double>(run.iterations);
    (side == ReferenceSide::kName ? row->of_reference : row->of_peers[side]).push_back(ns);
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
  for (auto& [first, row] : rows_) {
    if (row.name == name) return &row;
  }
  rows_[place].name = name;
  return &rows_[place];
}

std::vector<RatioReporter::Line> RatioReporter::Lines() const {
  std::vector<Line> lines;
  for (const auto& [place, row] : rows_) {
    for (const auto& [peer, cost] : row.of_peers) lines.push_back({&row, peer, &cost});
    if (row.of_peers.empty()) lines.push_back({&row, "", nullptr});
  }
  return lines;
}

void RatioReporter::Finalize() {
  inner_->Finalize();
  PrintTable();
}

void RatioReporter::PrintTable() const {
  const std::vector<Line> lines = Lines();
  size_t width = 3, peer_width = 5;
  for (const Line& line : lines) {
    width = std::max(width, line.row->name.size());
    peer_width = std::max(peer_width, line.peer.size());
  }
  const auto cell = [](const std::vector<double>& values) {
    return values.empty() ? std::string("-") : fmt::format("{:.1f} ±{:.0f}%", Median(values), 100 * Spread(values));
  };
  int missed = 0, targets = 0;
  size_t repetitions = 0;
  for (const Line& line : lines) repetitions = std::max(repetitions, line.row->of_reference.size());
  table_ << fmt::format("\n{:<{}} | {:>18} | {:>18} | {:<4} | {:<{}} | {:>5} | target\n", "row", width, "ref", "peer",
                        "unit", "peer", peer_width, "ratio");
  table_ << fmt::format("{:-<{}}-|-{:->18}-|-{:->18}-|-{:->4}-|-{:-<{}}-|-{:->5}-|-------\n", "", width, "", "", "", "",
                        peer_width, "");
  for (const Line& line : lines) {
    std::string ratio = "-", target = "-";
    if (line.has_ratio()) {
      ++targets;
      missed += line.is_met() ? 0 : 1;
      ratio = fmt::format("{:.2f}", line.ratio());
      target = fmt::format("{:g} {}", TargetOf(line.row->name), line.is_met() ? "met" : "MISSED");
    }
    const std::string of_peer = line.of_peer == nullptr ? "-" : cell(*line.of_peer);
    table_ << fmt::format("{:<{}} | {:>18} | {:>18} | {:<4} | {:<{}} | {:>5} | {}\n", line.row->name, width,
                          cell(line.row->of_reference), of_peer, UnitOf(line.row->name),
                          line.peer.empty() ? "-" : line.peer, peer_width, ratio, target);
  }
  table_ << fmt::format(
                "{} of {} targets missed. Each figure is the median of up to {} repetitions, which were made in random "
                "order,\n"
                "± half of the way from the least to the most.\n",
                missed, targets, repetitions)
         << std::flush;
}

std::string RatioReporter::Json() const {
  std::vector<std::string> rows;
  for (const Line& line : Lines()) {
    const std::vector<double>& of_reference = line.row->of_reference;
    if (of_reference.empty()) continue;  // only its peer was chosen
    std::string one = fmt::format(R"({{"row": "{}", "unit": "{}", "ref": {:.3f}, "ref_spread": {:.4f})", line.row->name,
                                  UnitOf(line.row->name), Median(of_reference), Spread(of_reference));
    if (line.has_ratio()) {
      one += fmt::format(R"(, "peer": "{}", "of_peer": {:.3f}, "peer_spread": {:.4f})", line.peer,
                         Median(*line.of_peer), Spread(*line.of_peer));
      one += fmt::format(R"(, "ratio": {:.3f}, "target": {:g}, "met": {})", line.ratio(), TargetOf(line.row->name),
                         line.is_met());
    }
    rows.push_back("    " + one + "}");
  }
  return fmt::format("{{\n  \"rows\": [\n{}\n  ]\n}}\n", fmt::join(rows, ",\n"));
}

}  // namespace conform::reference::bench
