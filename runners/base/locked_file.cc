#include "runners/base/locked_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runners/base/text.h"

namespace conform {
namespace {

// One that was killed a moment ago may hold it for another moment.
constexpr int kTries = 50;
constexpr int kBetweenTriesMs = 20;
constexpr size_t kMaxTableBytes = 16 << 20;
constexpr size_t kMaxCommandBytes = 400;

// "process 12 (conform run --output=x)", or "another process". /proc/locks has lines as
//
//   1: FLOCK  ADVISORY  WRITE 12 00:2f:1234567 0 EOF
std::string HolderOf(const struct stat& file) {
  const auto table = ReadFile("/proc/locks", kMaxTableBytes);
  const std::string inode = ":" + std::to_string(file.st_ino);
  for (const std::string& line : Split(table.ok() ? *table : "", '\n')) {
    std::vector<std::string> words;
    for (const std::string& word : Split(line, ' ')) {
      if (!word.empty()) words.push_back(word);
    }
    if (words.size() < 6 || words[1] != "FLOCK" || !words[5].ends_with(inode)) continue;
    const auto command = ReadFile("/proc/" + words[4] + "/cmdline", kMaxTableBytes);
    std::string shown;
    for (const std::string& word : Split(command.ok() ? *command : "", '\0')) {
      if (!word.empty()) shown += (shown.empty() ? "" : " ") + Quoted(word);
    }
    if (shown.size() > kMaxCommandBytes) shown = shown.substr(0, kMaxCommandBytes) + "…";
    return "process " + words[4] + (shown.empty() ? "" : " (" + shown + ")");
  }
  return "another process";
}

}  // namespace

Result<LockedFile> LockedFile::Open(const std::string& path, int flags) {
  LockedFile file(path, open(path.c_str(), flags | O_CLOEXEC, 0666));
  if (file.descriptor_ < 0) return Error::OfSystem("cannot be opened", errno, path);
  struct stat status {};
  if (fstat(file.descriptor_, &status) != 0) return Error::OfSystem("cannot be opened", errno, path);
  if (!S_ISREG(status.st_mode)) return file;
  for (int i = 0; i < kTries; ++i) {
    // On a file system without locks, none is held.
    if (flock(file.descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return file;
    poll(nullptr, 0, kBetweenTriesMs);
  }
  Error error("is being written by " + HolderOf(status), path, {}, "wait for its end, or choose another file");
  error.is_of_system = true;
  return error;
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

LockedFile::~LockedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<Error> LockedFile::Close() {
  if (close(std::exchange(descriptor_, -1)) == 0) return std::nullopt;
  return Error::OfSystem("cannot be closed", errno, path_);
}

}  // namespace conform
