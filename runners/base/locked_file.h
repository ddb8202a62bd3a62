// A file that one process alone writes to.
#ifndef CONFORM_RUNNERS_BASE_LOCKED_FILE_H_
#define CONFORM_RUNNERS_BASE_LOCKED_FILE_H_

#include <optional>
#include <string>

#include "runners/base/result.h"

namespace conform {

// An open file, and a lock on it that ends when it is closed, or with this process, however that ends. What is not a
// regular file, such as a pipe, is open without a lock.
class LockedFile {
 public:
  // Opens with the `flags` of open(2). Where another process holds the lock, the error names it: its number and its
  // command.
  static Result<LockedFile> Open(const std::string& path, int flags);

  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  ~LockedFile();

  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  // Nothing on success. REQUIRES: it was not called.
  std::optional<Error> Close();

 private:
  LockedFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_;  // -1 once closed
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_LOCKED_FILE_H_
