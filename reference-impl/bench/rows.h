// The rows of the table. A row is a pair of benchmarks, `ROW/ref` and `ROW/PEER`; one without a pair has no ratio.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_ROWS_H_
#define CONFORM_REFERENCE_IMPL_BENCH_ROWS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reference-impl/bench/sides.h"

namespace conform::reference::bench {

// How much is measured.
struct Sizes {
  std::vector<int64_t> timers{100'000, 1'000'000};  // how many at once; each is a row
  int64_t longest_ms = 1000;                        // of a random timer: nothing fires before it is waited for
  int64_t handles = 1000;                           // that run in one iteration
  int64_t iterations = 50'000;                      // of the loop, in one repetition
  int64_t programs = 4096;                          // that are explored; all of them are compared with spin

  static Sizes Quick() { return {{1000}, 20, 100, 1000, 16}; }
};

void RegisterTimers(const Sizes& sizes);
void RegisterIterations(const Sizes& sizes);
void RegisterWakeups(const Sizes& sizes);
// REQUIRES: `root` is the top of the project, for the profiles.
void RegisterExploring(const Sizes& sizes, const std::string& root);

// `function.operator()<Side>(state)` becomes the two benchmarks of a row, each of `operations` operations a repetition.
template <typename Function>
void RegisterRow(const std::string& row, int64_t operations, Function function) {
  const auto add = [&]<typename Side>() {
    benchmark::RegisterBenchmark((row + "/" + Side::kName).c_str(), [function](benchmark::State& state) {
      function.template operator()<Side>(state);
    })->Iterations(operations);
  };
  add.template operator()<ReferenceSide>();
  add.template operator()<LibuvSide>();
}

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_ROWS_H_
