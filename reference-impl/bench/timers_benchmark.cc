// Timers: starting, firing and stopping many of them. One operation is one timer.
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "reference-impl/bench/rows.h"

namespace conform::reference::bench {
namespace {

enum class Delays { kRandom, kDistinct, kEqual };

// 1 to `longest_ms`, or no two of them equal; the same on both sides and in every repetition.
std::vector<uint64_t> MakeDelays(Delays delays, int64_t count, int64_t longest_ms) {
  std::vector<uint64_t> all(static_cast<size_t>(count), 1);
  if (delays == Delays::kEqual) return all;
  std::mt19937_64 random(20'240'101);
  if (delays == Delays::kDistinct) {
    std::iota(all.begin(), all.end(), 1);
    std::shuffle(all.begin(), all.end(), random);
    return all;
  }
  for (uint64_t& one : all) one = 1 + random() % static_cast<uint64_t>(longest_ms);
  return all;
}

void Count(void* data) { ++*static_cast<int64_t*>(data); }

// A loop and timers that are ready to be started. The memory of the handles has been touched; that of the loop has not.
template <typename Side>
struct Field {
  explicit Field(const std::vector<uint64_t>& delays) : timers(new typename Side::Timer[delays.size()]) {
    for (size_t i = 0; i < delays.size(); ++i) side.InitTimer(&timers[i], &fired);
  }
  void StartAll(const std::vector<uint64_t>& delays) {
    for (size_t i = 0; i < delays.size(); ++i) side.template StartTimer<Count>(&timers[i], delays[i]);
  }
  void StopAll(const std::vector<uint64_t>& delays) {
    for (size_t i = 0; i < delays.size(); ++i) side.StopTimer(&timers[i]);
  }

  std::unique_ptr<typename Side::Timer[]> timers;
  int64_t fired = 0;
  Side side;
};

// Each part measures one step of a life: start all, wait until all are due, fire or stop all.
enum class Part { kInsert, kFire, kCancel };

template <typename Side>
void Measure(benchmark::State& state, Part part, const std::vector<uint64_t>& delays, int64_t longest_ms) {
  const int64_t count = static_cast<int64_t>(delays.size());
  while (state.KeepRunningBatch(count)) {
    state.PauseTiming();
    {
      Field<Side> field(delays);
      if (part == Part::kInsert) state.ResumeTiming();
      field.StartAll(delays);
      if (part == Part::kInsert) state.PauseTiming();
      if (part == Part::kFire) {
        uv_sleep(static_cast<unsigned>(longest_ms) + 1);
        state.ResumeTiming();
        field.side.RunNoWait();
        state.PauseTiming();
        CONFORM_CHECK(field.fired == count);
      }
      if (part == Part::kCancel) state.ResumeTiming();
      field.StopAll(delays);
      if (part == Part::kCancel) state.PauseTiming();
    }
    state.ResumeTiming();
  }
}

std::string Short(int64_t count) {
  if (count % 1'000'000 == 0) return std::to_string(count / 1'000'000) + "M";
  return std::to_string(count / 1000) + "k";
}

}  // namespace

void RegisterTimers(const Sizes& sizes) {
  const std::pair<Part, const char*> parts[] = {
      {Part::kInsert, "timer-insert"}, {Part::kFire, "timer-fire"}, {Part::kCancel, "timer-cancel"}};
  const std::pair<Delays, const char*> kinds[] = {
      {Delays::kRandom, "random"}, {Delays::kDistinct, "distinct"}, {Delays::kEqual, "equal"}};
  for (const auto& [part, part_name] : parts) {
    for (const auto& [kind, kind_name] : kinds) {
      if (part == Part::kFire && kind == Delays::kDistinct) continue;  // they would have to be waited for
      for (const int64_t count : sizes.timers) {
        const auto delays = std::make_shared<std::vector<uint64_t>>(MakeDelays(kind, count, sizes.longest_ms));
        const int64_t longest_ms = kind == Delays::kEqual ? 1 : sizes.longest_ms;
        RegisterRowWithLibev(std::string(part_name) + "/" + kind_name + "/" + Short(count), count,
                             [part = part, delays, longest_ms]<typename Side>(benchmark::State& state) {
                               Measure<Side>(state, part, *delays, longest_ms);
                             });
      }
    }
  }
}

}  // namespace conform::reference::bench
