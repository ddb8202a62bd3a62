// Making folders.
#ifndef CONFORM_RUNNERS_BASE_FOLDERS_H_
#define CONFORM_RUNNERS_BASE_FOLDERS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "runners/base/result.h"

namespace conform {

// With those above it. Nothing on success, which it is too where the folder exists.
std::optional<Error> MakeFolder(const std::filesystem::path& folder);

// A folder that is removed, with all that is in it, when this object goes. What cannot be removed is left behind.
class TemporaryFolder {
 public:
  // A new one among the system's temporary files, whose name begins with `name`.
  static Result<TemporaryFolder> Make(const std::string& name);
  // One that exists.
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;  // "" after a move
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_FOLDERS_H_
