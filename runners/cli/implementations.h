// The implementations that this build can run.
#ifndef CONFORM_RUNNERS_CLI_IMPLEMENTATIONS_H_
#define CONFORM_RUNNERS_CLI_IMPLEMENTATIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/harness/runner.h"

namespace conform {

struct ImplementationInfo {
  std::string_view name;
  std::string_view summary;
};
const std::vector<ImplementationInfo>& Implementations();

// `list`: "ref,ref:real". Errors carry the nearest name. `seed`: what run 0 in virtual time draws its choices from.
Result<std::vector<std::unique_ptr<Runner>>> MakeRunners(std::string_view list, uint64_t seed);

// How long a real run of `c` may take before it counts as one without an end: far more than all that it asks for.
int64_t DeadlineMs(const Case& c);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_IMPLEMENTATIONS_H_
