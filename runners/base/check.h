// CHECK: our own invariants, in every build. A failed CHECK is a bug in conform, never a property of its input.
#ifndef CONFORM_RUNNERS_BASE_CHECK_H_
#define CONFORM_RUNNERS_BASE_CHECK_H_

namespace conform {

// What the system gives, as descriptors, and may have run out of: the result of a call that sets errno. One below 0 is
// thrown as a std::system_error that names `what`, and ends the program as its own kind of trouble, not as a bug.
int Obtained(int result, const char* what);

// Prints `file:line: check failed: condition` and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace conform

#define CONFORM_CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::conform::CheckFailed(__FILE__, __LINE__, #condition))

#endif  // CONFORM_RUNNERS_BASE_CHECK_H_
