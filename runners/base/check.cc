#include "runners/base/check.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

namespace conform {

int Obtained(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), std::string("cannot get ") + what);
  return result;
}

void CheckFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace conform
