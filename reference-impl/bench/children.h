// Processes that are measured: what they take, not what they say.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_CHILDREN_H_
#define CONFORM_REFERENCE_IMPL_BENCH_CHILDREN_H_

#include <optional>
#include <string>
#include <vector>

namespace conform::reference::bench {

struct Usage {
  double cpu_seconds = 0;  // of the process and of all that it started and waited for
  double wall_seconds = 0;
};

// Runs the program to its end, without input and with its output thrown away. `environment` is added to our own, of
// which what changes how Node starts is left out: an implementation that conform runs does not get it either. Nothing
// where it does not start, or exits with another code than 0.
std::optional<Usage> RunChild(const std::vector<std::string>& command,
                              const std::vector<std::string>& environment = {});

// The path of a program that the shell would find; nothing where there is none.
std::optional<std::string> FindProgram(const std::string& name);

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_CHILDREN_H_
