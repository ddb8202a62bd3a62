#include "runners/harness/perturb.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "runners/base/text.h"

namespace conform {
namespace {

constexpr int kMostNeighbours = 4;
constexpr int kNiceSteps[] = {0, 0, 5, 10, 19};

std::vector<int> OwnCpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<size_t>(cpu), &set)) cpus.push_back(cpu);
  }
  return cpus;
}

void RunOn(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(cpu), &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

}  // namespace

std::string Disturbance::ToString() const {
  std::vector<std::string> parts;
  if (neighbours > 0) parts.push_back(fmt::format("{} neighbour{}", neighbours, neighbours == 1 ? "" : "s"));
  if (nice != 0) parts.push_back(fmt::format("nice {}", nice));
  if (cpu) parts.push_back(fmt::format("cpu {}", *cpu));
  return parts.empty() ? "nothing" : Join(parts, ", ");
}

Disturbance DisturbanceOf(const Perturb& perturb, const std::string& case_id, int64_t number) {
  // Its numbers, unlike those of the library's distributions, are the same everywhere.
  const std::string name = fmt::format("{} {} {}", perturb.seed, number, case_id);
  std::mt19937_64 random(std::stoull(ContentHash(name), nullptr, 16));
  const auto draw = [&](size_t count) { return static_cast<size_t>(random() % count); };
  Disturbance disturbance;
  disturbance.neighbours = static_cast<int>(draw(kMostNeighbours + 1));
  disturbance.nice = kNiceSteps[draw(std::size(kNiceSteps))];
  const bool on_one_cpu = draw(2) == 0;
  const std::vector<int> cpus = OwnCpus();
  if (on_one_cpu && !cpus.empty()) disturbance.cpu = cpus[draw(cpus.size())];
  return disturbance;
}

struct Neighbours::State {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
};

Neighbours::Neighbours(const Disturbance& disturbance) : state_(new State) {
  try {
    for (int i = 0; i < disturbance.neighbours; ++i) {
      state_->threads.emplace_back([state = state_, cpu = disturbance.cpu] {
        if (cpu) RunOn(*cpu);
        while (!state->stop.load(std::memory_order_relaxed)) continue;
      });
    }
  } catch (...) {
    Stop();
    throw;
  }
}

Neighbours::~Neighbours() { Stop(); }

void Neighbours::Stop() {
  state_->stop = true;
  for (std::thread& thread : state_->threads) thread.join();
  delete state_;
}

}  // namespace conform
