// Exploring: every order of programs of some callbacks, beside spin with the second model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "reference-impl/bench/children.h"
#include "reference-impl/bench/rows.h"
#include "reference-impl/bench/verifier.h"
#include "reference-impl/explore/explorer.h"

namespace conform::reference::bench {
namespace {

struct Kind {
  const char* step;
  char number;  // in event_loop.pml
};
constexpr std::array<Kind, 4> kKinds{
    {{"microtask %", '1'}, {"timeout % 1", '4'}, {"file %", '3'}, {"immediate %", '2'}}};
constexpr int kCallbacks = 6;  // of the programs that spin verifies too

// Late: any step may take any time, so a timer may be due and a request of the pool may have ended at any poll.
constexpr std::pair<Timing, const char*> kTimings[] = {{Timing::kOnTime, "on-time"}, {Timing::kLate, "late"}};

// In how many ways each of so many callbacks can have a kind.
constexpr int64_t CountPrograms(int callbacks) { return int64_t{1} << (2 * callbacks); }

// The program of a number: its digits to the base 4 are the kinds of A, B, ….
struct Program {
  Case steps;
  std::string kinds;  // as the second model numbers them
};

Program MakeProgram(int callbacks, int64_t number) {
  std::string kinds;
  std::string text = "title: Some callbacks\nclauses: [drain.after-each-callback]\nwhy: To be measured.\nprogram:\n";
  for (int i = 0; i < callbacks; ++i, number /= 4) {
    const Kind& kind = kKinds[static_cast<size_t>(number % 4)];
    std::string step = kind.step;
    step.replace(step.find('%'), 1, 1, static_cast<char>('A' + i));
    text += "  - " + step + "\n";
    kinds += kind.number;
  }
  text += "expect: '...'\n";
  Result<Case> parsed = ParseCase(text, "callbacks", "bench/callbacks");
  CONFORM_CHECK(parsed.ok());
  return {std::move(parsed).value(), kinds};
}

// `count` of all programs, at most: spread over their numbers, so that every callback has every kind. The stride has no
// divisor in common with how many there are.
std::vector<Program> MakePrograms(int callbacks, int64_t count) {
  const int64_t all = CountPrograms(callbacks);
  const int64_t stride = (all * 618 / 1000) | 1;
  std::vector<Program> programs;
  for (int64_t i = 0; i < std::min(count, all); ++i) programs.push_back(MakeProgram(callbacks, i * stride % all));
  return programs;
}

using Programs = std::shared_ptr<const std::vector<Program>>;

// One operation is one program.
void ExploreAll(benchmark::State& state, const std::vector<Program>& programs, const Model& model, Timing timing) {
  int64_t orders = 0;
  int64_t runs = 0;
  // Before anything is timed: to stop the clock for each program would take a tenth of the time of exploring it.
  for (const Program& program : programs) {
    const Exploration exploration = Explore(program.steps, model, timing);
    CONFORM_CHECK(exploration.complete);
    runs += exploration.runs;
    orders += static_cast<int64_t>(exploration.orders.CountOrders(1'000'000));
  }
  while (state.KeepRunningBatch(static_cast<int64_t>(programs.size()))) {
    for (const Program& program : programs) benchmark::DoNotOptimize(Explore(program.steps, model, timing).runs);
  }
  using benchmark::Counter;
  state.counters["programs/s"] = Counter(static_cast<double>(state.iterations()), Counter::kIsRate);
  state.counters["orders/s"] = Counter(static_cast<double>(orders), Counter::kIsRate);
  state.counters["runs/s"] = Counter(static_cast<double>(runs), Counter::kIsRate);
  state.counters["orders"] = static_cast<double>(orders);
}

void RegisterExplorer(const std::string& row, Programs programs, const Model& model, Timing timing) {
  const auto explore = [programs, model, timing](benchmark::State& state) {
    ExploreAll(state, *programs, model, timing);
  };
  benchmark::RegisterBenchmark((row + "/ref").c_str(), explore)->Iterations(static_cast<int64_t>(programs->size()));
}

// One operation is one program. `seconds(verifier)` is the CPU time of all of them. The verifier is built when the row
// is measured, if it is.
template <typename Seconds>
void RegisterSpin(const std::string& root, Verifier::Of of, Timing timing, const std::string& row, int64_t programs,
                  Seconds seconds) {
  const auto verify = [=, verifier = std::make_shared<std::unique_ptr<Verifier>>()](benchmark::State& state) {
    if (*verifier == nullptr) {
      auto built = Verifier::Build(root, of, timing == Timing::kLate);
      if (!built.ok()) return state.SkipWithError(built.error().ToString().c_str());
      *verifier = std::move(built).value();
    }
    while (state.KeepRunningBatch(programs)) state.SetIterationTime(seconds(**verifier));
  };
  benchmark::RegisterBenchmark((row + "/spin").c_str(), verify)->Iterations(programs)->UseManualTime();
}

// What is not a time is handed over as if it were one.
void RegisterFigure(const std::string& name, std::function<double()> figure) {
  const auto measure = [figure = std::move(figure)](benchmark::State& state) {
    while (state.KeepRunning()) state.SetIterationTime(figure() / 1e9);
  };
  benchmark::RegisterBenchmark(name.c_str(), measure)->Iterations(1)->UseManualTime();
}

Case MakeCase(const std::string& steps) {
  Result<Case> parsed = ParseCase("program:\n" + steps + "expect: '...'\n", "bench", "bench/steps");
  CONFORM_CHECK(parsed.ok());
  return std::move(parsed).value();
}

// One operation is one callback of a chain.
void RegisterChain(const std::string& name, int64_t length, int64_t times, const Model& model, Timing timing) {
  const Case chain = MakeCase(fmt::format("  - timeout A 0 x{}\n", length));
  const auto explore = [chain, model, timing, length](benchmark::State& state) {
    while (state.KeepRunningBatch(length)) CONFORM_CHECK(Explore(chain, model, timing).complete);
  };
  benchmark::RegisterBenchmark(name.c_str(), explore)->Iterations(length * times);
}

// How the time of one callback changes with the length of the chain, and what the longest takes of memory.
void RegisterChains(const Sizes& sizes, const std::string& conform, const Model& model) {
  constexpr int64_t kShort = 1000;
  for (const auto& [timing, name] : kTimings) {
    for (const int64_t length : sizes.chains) {
      const std::string row = fmt::format("explore/chain-x{}/{}", length, name);
      RegisterChain(row + "/ref", length, 1, model, timing);
      RegisterChain(row + "/x1000", kShort, std::min<int64_t>(length / kShort, 10), model, timing);
    }
  }
  if (sizes.chains.empty() || !std::filesystem::exists(conform)) return;
  const int64_t length = sizes.chains.back();
  const std::string row = fmt::format("memory/chain-x{}", length);
  RegisterFigure(row + "/ref", [conform, length] {
    const auto used = RunChild({conform, "explore", "-e", fmt::format("timeout A 0 x{}", length), "--profile=node@24"});
    CONFORM_CHECK(used);
    return used->peak_mb;
  });
  constexpr double kMostMb = 300;
  RegisterFigure(row + "/limit", [] { return kMostMb; });
}

// Requests that end in any order: all orders are found within the limits, of which that on runs is the nearest.
void RegisterFiles(const Model& model) {
  std::string steps;
  for (char label = 'A'; label < 'A' + 8; ++label) steps += fmt::format("  - file {}\n", label);
  const Case files = MakeCase(steps);
  for (const auto& [timing, name] : kTimings) {
    const std::string row = std::string("runs/eight-files/") + name;
    RegisterFigure(row + "/ref", [files, model, timing = timing] {
      const Exploration exploration = Explore(files, model, timing);
      // A set that is not complete has missed the limit, whichever was hit.
      return static_cast<double>(exploration.complete ? exploration.runs : 2 * ExploreLimits().max_runs);
    });
    RegisterFigure(row + "/limit", [] { return static_cast<double>(ExploreLimits().max_runs); });
  }
}

// One large program on all cores, as a clock on the wall sees it, beside one thread.
void RegisterAllCores(const Model& model) {
  std::string steps = "  - timeout T 1\n";
  for (char label = 'A'; label < 'A' + 7; ++label)
    steps += fmt::format("  - file {0}:\n      - immediate I{0}\n", label);
  const Case large = MakeCase(steps);
  const auto explore = [large, model](size_t threads) {
    ExploreLimits limits;
    limits.threads = threads;
    const auto began = std::chrono::steady_clock::now();
    CONFORM_CHECK(Explore(large, model, Timing::kLate, limits).complete);
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
  };
  RegisterFigure("explore-wall/large-program/ref",
                 [explore] { return explore(std::max(1u, std::thread::hardware_concurrency())); });
  RegisterFigure("explore-wall/large-program/one-thread", [explore] { return explore(1); });
}

}  // namespace

void RegisterExploring(const Sizes& sizes, const std::string& root, const std::string& conform) {
  const Result<Profiles> profiles = Profiles::Load(root + "/spec/profiles");
  CONFORM_CHECK(profiles.ok());
  const Result<Profile> profile = profiles->Resolve("node");
  CONFORM_CHECK(profile.ok());
  const Model model(*profile);
  const auto make = [](int callbacks, int64_t count) {
    return std::make_shared<const std::vector<Program>>(MakePrograms(callbacks, count));
  };
  // One process of spin for each program, which is how a question about one program is asked.
  const Programs sample = make(kCallbacks, sizes.sample);
  for (const auto& [timing, name] : kTimings) {
    const std::string row = std::string("explore/six-callbacks-one-by-one/") + name;
    RegisterExplorer(row, sample, model, timing);
    if (!sizes.with_spin) continue;
    RegisterSpin(root, Verifier::Of::kOne, timing, row, sizes.sample, [sample](const Verifier& verifier) {
      double seconds = 0;
      for (const Program& program : *sample) seconds += verifier.RunOne(program.kinds);
      return seconds;
    });
  }
  // One process of spin for all programs, which is the fastest way to use it that we know.
  if (sizes.with_spin) {
    const Programs all = make(kCallbacks, CountPrograms(kCallbacks));
    for (const auto& [timing, name] : kTimings) {
      const std::string row = std::string("explore/six-callbacks/") + name;
      RegisterExplorer(row, all, model, timing);
      RegisterSpin(root, Verifier::Of::kAll, timing, row, CountPrograms(kCallbacks),
                   [](const Verifier& verifier) { return verifier.RunAll(); });
    }
  }
  RegisterChains(sizes, conform, model);
  RegisterFiles(model);
  RegisterAllCores(model);
  // How it grows with the length of the program; there is nothing beside it.
  for (const auto& [timing, name] : kTimings) {
    for (int callbacks = 2; callbacks <= sizes.most_callbacks; ++callbacks) {
      RegisterExplorer(fmt::format("explore/callbacks-{}/{}", callbacks, name),
                       make(callbacks, std::min(sizes.sample, kCurveSample)), model, timing);
    }
  }
}

}  // namespace conform::reference::bench
