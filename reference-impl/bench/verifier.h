// spin's verifier of the second model, for six callbacks of four kinds: what exploring is compared with.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_VERIFIER_H_
#define CONFORM_REFERENCE_IMPL_BENCH_VERIFIER_H_

#include <memory>
#include <string>
#include <utility>

#include "runners/base/folders.h"
#include "runners/base/result.h"

namespace conform::reference::bench {

// A program in its own folder, which ends with this.
class Verifier {
 public:
  // Of all programs at once, or of one that is given when it runs.
  enum class Of { kAll, kOne };
  // Error: spin or gcc is missing, or fails. `root` is the top of the project.
  static Result<std::unique_ptr<Verifier>> Build(const std::string& root, Of of, bool late);

  // One process that verifies all programs: the CPU seconds that it took. REQUIRES: Of::kAll.
  double RunAll() const;
  // One process that verifies the program with these kinds, as event_loop.pml numbers them: "144213". REQUIRES:
  // Of::kOne.
  double RunOne(const std::string& kinds) const;

 private:
  explicit Verifier(TemporaryFolder folder) : folder_(std::move(folder)) {}
  const TemporaryFolder folder_;
};

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_VERIFIER_H_
