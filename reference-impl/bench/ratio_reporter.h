// Shows results as Google Benchmark would, and adds a table that sets the reference side of every row against each of
// its peers, with the spread of both, and whether the target of the row is met.
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

// Half of the way from the smallest to the largest, as a part of the median. REQUIRES: !values.empty().
double Spread(const std::vector<double>& values);

// How many times as fast as its peers the reference side of a row is to be.
double TargetOf(const std::string& row);

// What its figures count: nanoseconds for an operation, unless its name says otherwise.
const char* UnitOf(const std::string& row);

class RatioReporter : public benchmark::BenchmarkReporter {
 public:
  // `table` gets the table when everything has run.
  RatioReporter(std::unique_ptr<benchmark::BenchmarkReporter> inner, std::ostream& table);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  // The table as JSON. spec/schemas/bench.schema.json
  std::string Json() const;

 private:
  // What one operation takes, in the unit of the row; one figure for each repetition.
  struct Row {
    std::string name;
    std::vector<double> of_reference;
    std::map<std::string, std::vector<double>> of_peers;  // "libuv"; empty where there is nothing to compare with
  };
  // A line of the table: a row beside one of its peers.
  struct Line {
    const Row* row;
    std::string peer;                    // "" where there is nothing to compare with
    const std::vector<double>* of_peer;  // null there

    bool has_ratio() const { return of_peer != nullptr && !row->of_reference.empty(); }
    double ratio() const { return Median(*of_peer) / Median(row->of_reference); }
    bool is_met() const { return ratio() >= TargetOf(row->name); }
  };

  Row* RowOf(const std::string& name, int64_t place);
  std::vector<Line> Lines() const;
  void PrintTable() const;

  std::unique_ptr<benchmark::BenchmarkReporter> inner_;
  std::ostream& table_;
  std::map<int64_t, Row> rows_;  // by the place at which the first of its benchmarks was registered
};

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_RATIO_REPORTER_H_
