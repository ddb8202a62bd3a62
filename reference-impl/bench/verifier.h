// spin's verifier of the second model, for six callbacks of four kinds: what exploring is compared with.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_VERIFIER_H_
#define CONFORM_REFERENCE_IMPL_BENCH_VERIFIER_H_

#include <memory>
#include <string>
#include <utility>

#include "runners/base/folders.h"
#include "runners/base/result.h"

namespace conform::reference::bench {

inline constexpr const char* kSpin = "spin";  // the side of a row

// A program in its own folder, which ends with this.
class Verifier {
 public:
  // Error: spin or gcc is missing, or fails. `root` is the top of the project.
  static Result<std::unique_ptr<Verifier>> Build(const std::string& root, bool late);

  // Verifies all programs, and returns the CPU seconds that this took.
  double Run() const;

 private:
  explicit Verifier(TemporaryFolder folder) : folder_(std::move(folder)) {}
  const TemporaryFolder folder_;
};

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_VERIFIER_H_
