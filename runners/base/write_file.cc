#include "runners/base/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

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

std::optional<Error> CheckOutput(const std::string& output, const std::vector<std::string>& read) {
  std::error_code ignored;
  for (const std::string& file : read) {
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    if (!std::filesystem::equivalent(output, file, ignored)) continue;
    const std::string also = output == file ? "" : ", as " + file;
    return Error{"is to be written, and is also one of the files to be read" + also, output, {}, "choose another file"};
  }
  return std::nullopt;
}

Result<WholeFile> WholeFile::Create(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  // Through a link, so that the link stays one.
  const std::string target = std::filesystem::is_symlink(std::filesystem::symlink_status(path, ignored))
                                 ? std::filesystem::weakly_canonical(path, ignored).string()
                                 : path;
  std::optional<LockedFile> old;
  // A lock on a file that cannot be read cannot be seen.
  if (!special && access(target.c_str(), R_OK) == 0) {
    auto locked = LockedFile::Open(target, O_RDONLY);
    if (!locked) return locked.error();
    old = std::move(*locked);
  }
  std::string beside;
  const int descriptor = special ? open(path.c_str(), O_WRONLY | O_CLOEXEC) : CreateBeside(target, &beside);
  if (descriptor < 0) return Error::OfSystem("cannot be written", errno, path);
  return WholeFile(path, target, beside, descriptor, std::move(old));
}

WholeFile::WholeFile(std::string path, std::string target, std::string beside, int descriptor,
                     std::optional<LockedFile> old)
    : path_(std::move(path)),
      target_(std::move(target)),
      beside_(std::move(beside)),
      descriptor_(descriptor),
      old_(std::move(old)) {}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      beside_(std::exchange(other.beside_, "")),
      descriptor_(std::exchange(other.descriptor_, -1)),
      old_(std::move(other.old_)),
      gathered_(std::move(other.gathered_)) {}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!beside_.empty()) unlink(beside_.c_str());
}

std::optional<Error> WholeFile::Write(std::string_view text) {
  constexpr size_t kEnough = 1 << 16;
  gathered_ += text;
  return gathered_.size() < kEnough ? std::nullopt : Flush();
}

std::optional<Error> WholeFile::Flush() {
  const int code = WriteAll(descriptor_, gathered_);
  gathered_.clear();
  if (code != 0) return Trouble(code);
  return std::nullopt;
}

std::optional<Error> WholeFile::Finish() {
  if (auto error = Flush()) return error;
  if (close(std::exchange(descriptor_, -1)) != 0) return Trouble(errno);
  if (beside_.empty()) return std::nullopt;
  if (rename(beside_.c_str(), target_.c_str()) != 0) return Trouble(errno);
  beside_.clear();
  return std::nullopt;
}

Error WholeFile::Trouble(int code) const { return Error::OfSystem("cannot be written", code, path_); }

std::optional<Error> WriteWholeFile(const std::string& path, std::string_view text) {
  auto file = WholeFile::Create(path);
  if (!file) return file.error();
  if (auto error = file->Write(text)) return error;
  return file->Finish();
}

}  // namespace conform
