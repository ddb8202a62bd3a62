// CHECK: our own invariants, in every build. A failed CHECK is a bug in conform, never a property of its input.
#ifndef CONFORM_RUNNERS_BASE_CHECK_H_
#define CONFORM_RUNNERS_BASE_CHECK_H_

namespace conform {

// Prints `file:line: check failed: condition` and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace conform

#define CONFORM_CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::conform::CheckFailed(__FILE__, __LINE__, #condition))

#endif  // CONFORM_RUNNERS_BASE_CHECK_H_
