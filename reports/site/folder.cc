#include "reports/site/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "runners/base/folders.h"
#include "runners/base/write_file.h"

namespace conform::reports {
namespace {

namespace fs = std::filesystem;

// Two folders change places in one step where the file system can do that; otherwise in three, and where one of them
// fails the old folder is put back.
int ChangePlaces(const fs::path& a, const fs::path& b) {
  if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  const fs::path aside = a.string() + ".old";
  if (rename(b.c_str(), aside.c_str()) != 0) return errno;
  if (rename(a.c_str(), b.c_str()) != 0) {
    const int code = errno;
    rename(aside.c_str(), b.c_str());
    return code;
  }
  return rename(aside.c_str(), a.c_str()) == 0 ? 0 : errno;
}

}  // namespace

NewFolder::NewFolder(fs::path folder, fs::path part) : folder_(std::move(folder)), part_(std::move(part)) {}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : folder_(std::move(other.folder_)), part_(std::exchange(other.part_, fs::path())) {}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!part_.empty()) fs::remove_all(part_, ignored);
}

Result<NewFolder> NewFolder::Begin(const std::string& folder, const std::string& mark) {
  std::error_code trouble;
  // A link stays one: what it leads to is replaced.
  const fs::path place = fs::weakly_canonical(fs::absolute(folder), trouble);
  if (trouble) return Error::OfCall("cannot be read", trouble.value(), folder);
  const fs::path target = place.has_filename() ? place : place.parent_path();
  if (fs::exists(target, trouble)) {
    if (!fs::is_directory(target, trouble)) return Error{"already exists and is not a directory", folder};
    const bool is_empty = fs::is_empty(target, trouble);
    if (trouble) return Error::OfCall("cannot be read", trouble.value(), folder);
    if (!is_empty && !fs::is_regular_file(fs::symlink_status(target / mark, trouble))) {
      return Error{
          "already exists and is not a site: it has no file '" + mark + "'", folder, {}, "choose another folder"};
    }
  }
  if (auto error = MakeFolder(target.parent_path())) return *error;
  const std::string beside = (target.parent_path() / ("." + target.filename().string() + ".new-")).string();
  for (int number = static_cast<int>(getpid());; ++number) {
    const fs::path part = beside + std::to_string(number);
    const bool is_new = fs::create_directory(part, trouble);
    if (trouble) return Error::OfSystem("cannot be created", trouble.value(), target.string());
    if (is_new) return NewFolder(target, part);
  }
}

std::optional<Error> NewFolder::Write(const std::string& name, const std::string& text) const {
  std::error_code trouble;
  const fs::path file = part_ / name;
  fs::create_directories(file.parent_path(), trouble);
  if (trouble) return Error::OfSystem("cannot be created", trouble.value(), file.parent_path().string());
  return WriteWholeFile(file.string(), text);
}

std::optional<Error> NewFolder::Finish() {
  std::error_code trouble;
  if (!fs::exists(folder_, trouble)) {
    fs::rename(part_, folder_, trouble);
    if (trouble) return Error::OfSystem("cannot be created", trouble.value(), folder_.string());
    part_.clear();
    return std::nullopt;
  }
  if (const int code = ChangePlaces(part_, folder_); code != 0) {
    return Error::OfSystem("cannot be replaced", code, folder_.string());
  }
  // The old one is in the other place now.
  fs::remove_all(part_, trouble);
  part_.clear();
  return std::nullopt;
}

SizeOfPages SizeOf(const fs::path& folder) {
  SizeOfPages size;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (!entry.is_regular_file(ignored)) continue;
    size.bytes += entry.file_size(ignored);
    size.pages += entry.path().extension() == ".html" ? 1 : 0;
  }
  return size;
}

}  // namespace conform::reports
