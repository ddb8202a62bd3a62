#include "runners/base/folders.h"

#include <stdlib.h>

#include <cerrno>

namespace conform {

namespace fs = std::filesystem;

std::optional<Error> MakeFolder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code) return std::nullopt;
  // A path that leads through a file is wrong; all else is trouble of the machine.
  const auto of = code.value() == ENOTDIR ? Error::OfCall : Error::OfSystem;
  return of("cannot be created", code.value(), folder.string());
}

Result<TemporaryFolder> TemporaryFolder::Make(const std::string& name) {
  std::error_code trouble;
  std::string path = (fs::temp_directory_path(trouble) / (name + "-XXXXXX")).string();
  if (trouble) return Error::OfSystem("cannot find the temporary folder", trouble.value());
  if (mkdtemp(path.data()) == nullptr) return Error::OfSystem("cannot make a temporary folder", errno);
  return TemporaryFolder(path);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace conform
