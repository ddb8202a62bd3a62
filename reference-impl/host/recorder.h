// Where a run reports what it emits.
#ifndef CONFORM_REFERENCE_IMPL_HOST_RECORDER_H_
#define CONFORM_REFERENCE_IMPL_HOST_RECORDER_H_

#include <cstdint>
#include <string>

namespace conform::reference {

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void Emit(const std::string& label, const char* phase, int64_t iteration, const char* clause) = 0;
  // Called for every callback and step, so that a run without end is noticed.
  virtual void CountStep() = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_RECORDER_H_
