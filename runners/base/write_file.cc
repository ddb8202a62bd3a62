#include "runners/base/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
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

// A new file beside `path`, never one that is there or that a link leads to: its descriptor, or -1 with errno. `name`
// is what it is called.
int CreateBeside(const std::string& path, std::string* name) {
  constexpr int kMaxTries = 100;
  int descriptor = -1;
  for (int i = 0; i < kMaxTries && descriptor < 0; ++i) {
    *name = path + ".new" + (i == 0 ? "" : "-" + std::to_string(getpid()) + "-" + std::to_string(i));
    descriptor = open(name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) return -1;
  }
  return descriptor;
}

}  // namespace

std::optional<Error> WriteWholeFile(const std::string& path, std::string_view text) {
  const auto trouble = [&](int code) { return Error::OfSystem("cannot be written", code, path); };
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  // Through a link, so that the link stays one.
  const std::string target = std::filesystem::is_symlink(std::filesystem::symlink_status(path, ignored))
                                 ? std::filesystem::weakly_canonical(path, ignored).string()
                                 : path;
  std::string beside;
  const int descriptor = special ? open(path.c_str(), O_WRONLY | O_CLOEXEC) : CreateBeside(target, &beside);
  if (descriptor < 0) return trouble(errno);
  int code = WriteAll(descriptor, text);
  if (close(descriptor) != 0 && code == 0) code = errno;
  if (code == 0 && !special && rename(beside.c_str(), target.c_str()) != 0) code = errno;
  if (code == 0) return std::nullopt;
  if (!special) unlink(beside.c_str());
  return trouble(code);
}

}  // namespace conform
