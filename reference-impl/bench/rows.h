// The rows of the table. A row is a set of benchmarks, `ROW/ref` and `ROW/PEER` for each of its peers; one without a
// peer has no ratio.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_ROWS_H_
#define CONFORM_REFERENCE_IMPL_BENCH_ROWS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reference-impl/bench/libev_side.h"
#include "reference-impl/bench/sides.h"

namespace conform::reference::bench {

// How much is measured.
struct Sizes {
  std::vector<int64_t> timers{100'000, 1'000'000};  // how many at once; each is a row
  int64_t longest_ms = 1000;                        // of a random timer: nothing fires before it is waited for
  int64_t handles = 1000;                           // that run in one iteration
  int64_t iterations = 50'000;                      // of the loop, in one repetition
  int64_t sample = 256;                             // of all programs of six callbacks
  int most_callbacks = 10;                          // of a program
  std::vector<int64_t> chains{10'000, 100'000};     // callbacks of one timer; each is a row
  bool with_spin = true;                            // its verifiers take a while to be compiled
  int64_t repeats = 4;                              // of the cases that Node runs
  bool with_studies = true;                         // of the whole catalogue
  std::string cases = "rejections/";                // programs that start one process each, and hardly keep it busy

  static Sizes Quick() { return {{1000}, 20, 100, 1000, 16, 4, {2000}, false, 1, false, "rejections/handled-in-tick"}; }
};
inline constexpr int64_t kCurveSample = 64;  // of the programs of each length

void RegisterTimers(const Sizes& sizes);
void RegisterIterations(const Sizes& sizes);
void RegisterWakeups(const Sizes& sizes);
// `conform` is the program, here and below. REQUIRES: `root` is the top of the project, for the profiles.
void RegisterExploring(const Sizes& sizes, const std::string& root, const std::string& conform);
// Nothing where it, or Node, is not there; then a sentence on stderr says so.
void RegisterHarness(const Sizes& sizes, const std::string& conform);
// `before`: an older version of the program, in its own tree; "" for none.
void RegisterStudies(const Sizes& sizes, const std::string& conform, const std::string& before);

// `function.operator()<Side>(state)` becomes a benchmark of the row for each of the sides, of `operations` operations a
// repetition.
template <typename... Sides, typename Function>
void RegisterSides(const std::string& row, int64_t operations, Function function) {
  const auto add = [&]<typename Side>() {
    benchmark::RegisterBenchmark((row + "/" + Side::kName).c_str(), [function](benchmark::State& state) {
      function.template operator()<Side>(state);
    })->Iterations(operations);
  };
  (add.template operator()<Sides>(), ...);
}

// For what libuv has.
template <typename Function>
void RegisterRow(const std::string& row, int64_t operations, Function function) {
  RegisterSides<ReferenceSide, LibuvSide>(row, operations, function);
}

// For what libev has as well.
template <typename Function>
void RegisterRowWithLibev(const std::string& row, int64_t operations, Function function) {
#ifdef CONFORM_HAS_LIBEV
  RegisterSides<ReferenceSide, LibuvSide, LibevSide>(row, operations, function);
#else
  RegisterRow(row, operations, function);
#endif
}

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_ROWS_H_
