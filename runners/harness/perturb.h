// Disturbing runs on purpose, so that rare orders show: busy neighbours, niceness, a single CPU.
#ifndef CONFORM_RUNNERS_HARNESS_PERTURB_H_
#define CONFORM_RUNNERS_HARNESS_PERTURB_H_

#include <cstdint>
#include <optional>
#include <string>

namespace conform {

struct Perturb {
  uint64_t seed = 0;
};

// What is done to one run.
struct Disturbance {
  int neighbours = 0;  // threads that spin beside it, on its CPU where it has one
  int nice = 0;
  std::optional<int> cpu;
  std::string ToString() const;  // "2 neighbours, nice 10, cpu 1"
};

// A function of the seed, the case and the number of the run alone, given the CPUs that this process may use.
Disturbance DisturbanceOf(const Perturb& perturb, const std::string& case_id, int64_t number);

// Threads that spin while it lives.
class Neighbours {
 public:
  explicit Neighbours(const Disturbance& disturbance);
  ~Neighbours();
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

 private:
  void Stop();

  struct State;
  State* state_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PERTURB_H_
