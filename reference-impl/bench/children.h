// Processes that are measured: what they take, not what they say.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_CHILDREN_H_
#define CONFORM_REFERENCE_IMPL_BENCH_CHILDREN_H_

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace conform::reference::bench {

struct Usage {
  double cpu_seconds = 0;  // of the process and of all that it started and waited for
  double wall_seconds = 0;
  double peak_mb = 0;  // of memory, of the largest of these processes
};

// A program that runs, without input and with its output in a file. `environment` is added to our own, of which what
// changes how Node starts is left out: an implementation that conform runs does not get it either.
class Child {
 public:
  explicit Child(const std::vector<std::string>& command, const std::vector<std::string>& environment = {},
                 const std::string& output = "/dev/null");

  // Waits for its end. Nothing where it did not start, or exited with another code than 0.
  std::optional<Usage> Wait();
  // Whether it has ended; then Wait returns at once.
  bool HasEnded();

 private:
  bool Take(int options);

  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  pid_t pid_ = -1;  // -1: it did not start, or its end was seen
  std::optional<Usage> used_;
};

// Runs it to its end.
std::optional<Usage> RunChild(const std::vector<std::string>& command,
                              const std::vector<std::string>& environment = {});

// What it prints; nothing as for Wait.
std::optional<std::string> OutputOf(const std::vector<std::string>& command);

// The path of a program that the shell would find; nothing where there is none.
std::optional<std::string> FindProgram(const std::string& name);

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_CHILDREN_H_
