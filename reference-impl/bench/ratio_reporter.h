// Shows results as Google Benchmark would, and adds a table that sets the two sides of every row against each other.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_RATIO_REPORTER_H_
#define CONFORM_REFERENCE_IMPL_BENCH_RATIO_REPORTER_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace conform::reference::bench {

// The middle one, or the mean of the two in the middle. REQUIRES: !values.empty().
double Median(std::vector<double> values);

class RatioReporter : public benchmark::BenchmarkReporter {
 public:
  // `table` gets the table when everything has run.
  RatioReporter(std::unique_ptr<benchmark::BenchmarkReporter> inner, std::ostream& table);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  // CPU nanoseconds per operation, one for each repetition.
  struct Row {
    std::string name;
    std::vector<double> reference_ns;
    std::vector<double> libuv_ns;
  };

  Row* RowOf(const std::string& name, int64_t place);
  void PrintTable() const;

  std::unique_ptr<benchmark::BenchmarkReporter> inner_;
  std::ostream& table_;
  std::map<int64_t, Row> rows_;  // by the place at which the first of its benchmarks was registered
};

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_RATIO_REPORTER_H_
