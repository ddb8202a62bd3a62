#include "runners/base/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace conform {
namespace {

// 0, or the number of the error.
int WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

std::optional<Error> WriteWholeFile(const std::string& path, std::string_view text) {
  const auto trouble = [&](int code) { return Error{std::string("cannot be written: ") + std::strerror(code), path}; };
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  // Through a link, so that the link stays one.
  const std::string target = std::filesystem::is_symlink(std::filesystem::symlink_status(path, ignored))
                                 ? std::filesystem::weakly_canonical(path, ignored).string()
                                 : path;
  const std::string beside = special ? path : target + ".new";
  const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return trouble(errno);
  int code = WriteAll(descriptor, text);
  if (close(descriptor) != 0 && code == 0) code = errno;
  if (code == 0 && !special && rename(beside.c_str(), target.c_str()) != 0) code = errno;
  if (code == 0) return std::nullopt;
  if (!special) unlink(beside.c_str());
  return trouble(code);
}

}  // namespace conform
