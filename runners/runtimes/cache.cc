#include "runners/runtimes/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "runners/base/check.h"
#include "runners/base/folders.h"
#include "runners/base/text.h"
#include "runners/runtimes/json_text.h"
#include "runners/runtimes/package.h"

namespace conform {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kRecord[] = "installed.json";
constexpr size_t kMaxRecordBytes = 1 << 16;
constexpr size_t kTemporarySuffix = 7;  // ".Ab12Cd"

void CheckPart(const std::string& name, const std::string& version) {
  CONFORM_CHECK(IsKnownRuntime(name));
  CONFORM_CHECK(IsExactVersion(version));
}

Error Trouble(const fs::path& path, const std::string& what, const std::string& why) {
  return Error{what + ": " + why, path.string()};
}

std::optional<Error> Move(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::rename(from, to, code);
  if (code) return Trouble(to, "cannot be moved here", code.message());
  return std::nullopt;
}

// A relative path that stays below the folder it starts from.
bool StaysBelow(const fs::path& path) {
  return !path.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

}  // namespace

Result<std::string> CacheFolder(const std::map<std::string, std::string>& environment) {
  const auto value = [&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
  fs::path folder = value("CONFORM_CACHE");
  // The rule of XDG: a path that is not absolute is not valid, and is to be ignored.
  if (folder.empty() && fs::path(value("XDG_CACHE_HOME")).is_absolute()) {
    folder = fs::path(value("XDG_CACHE_HOME")) / "conform";
  }
  if (folder.empty() && !value("HOME").empty()) folder = fs::path(value("HOME")) / ".cache" / "conform";
  if (folder.empty()) {
    return Error{"there is no place for a cache: none of CONFORM_CACHE, XDG_CACHE_HOME and HOME is set"};
  }
  std::error_code code;
  const fs::path absolute = fs::absolute(folder, code);
  if (code) return Trouble(folder, "cannot be found", code.message());
  return absolute.lexically_normal().string();
}

Result<std::optional<CacheLock>> CacheLock::Try(const std::string& file) {
  if (auto error = MakeFolder(fs::path(file).parent_path())) return *error;
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return Trouble(file, "cannot be opened", std::strerror(errno));
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return std::optional<CacheLock>(CacheLock(descriptor));
  const int why = errno;
  close(descriptor);
  if (why == EWOULDBLOCK) return std::optional<CacheLock>();
  return Trouble(file, "cannot be locked", std::strerror(why));
}

CacheLock::CacheLock(CacheLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

// The file stays: to remove one that another process has just opened would give two of them the same lock.
CacheLock::~CacheLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

RuntimeCache::RuntimeCache(std::string root) : root_(std::move(root)) { CONFORM_CHECK(fs::path(root_).is_absolute()); }

std::string RuntimeCache::Place(const std::string& name, const std::string& version) const {
  CheckPart(name, version);
  return (fs::path(root_) / "runtimes" / name / version).string();
}

std::optional<InstalledRuntime> RuntimeCache::Read(const std::string& name, const std::string& version) const {
  const fs::path folder = Place(name, version);
  const auto text = ReadFile((folder / kRecord).string(), kMaxRecordBytes);
  if (!text) return std::nullopt;
  const json record = json::parse(*text, nullptr, false);
  if (!record.is_object() || TextOf(record, "name") != name || TextOf(record, "version") != version) {
    return std::nullopt;
  }
  const fs::path binary = TextOf(record, "binary");
  if (!StaysBelow(binary)) return std::nullopt;
  InstalledRuntime runtime{name, version, TextOf(record, "package"), TextOf(record, "integrity"),
                           (folder / binary).string()};
  // A file of another size than was installed is one that a power failure or a user has cut.
  struct stat status {};
  if (lstat(runtime.binary.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto bytes = record.find("bytes");
  if (bytes == record.end() || !bytes->is_number_integer() || bytes->get<int64_t>() != status.st_size) {
    return std::nullopt;
  }
  runtime.bytes = status.st_size;
  return runtime;
}

std::vector<InstalledRuntime> RuntimeCache::List() const {
  std::vector<InstalledRuntime> all;
  for (const std::string& name : KnownRuntimes()) {
    std::vector<std::string> versions;
    std::error_code code;
    for (fs::directory_iterator at(fs::path(root_) / "runtimes" / name, code), end; !code && at != end;
         at.increment(code)) {
      const std::string version = at->path().filename().string();
      if (IsExactVersion(version)) versions.push_back(version);
    }
    std::sort(versions.begin(), versions.end(), IsOlder);
    for (const std::string& version : versions) {
      if (auto runtime = Read(name, version)) all.push_back(std::move(*runtime));
    }
  }
  return all;
}

std::optional<InstalledRuntime> RuntimeCache::Find(const std::string& name, const std::string& version) const {
  CONFORM_CHECK(IsKnownRuntime(name));
  if (IsExactVersion(version)) return Read(name, version);
  std::optional<InstalledRuntime> newest;
  for (InstalledRuntime& runtime : List()) {
    if (runtime.name == name && Fits(version, runtime.version)) newest = std::move(runtime);
  }
  return newest;
}

Result<std::optional<CacheLock>> RuntimeCache::TryLock(const std::string& name, const std::string& version) const {
  CheckPart(name, version);
  return CacheLock::Try((fs::path(root_) / "locks" / (name + "@" + version)).string());
}

Result<std::string> RuntimeCache::MakeTemporary(const std::string& name, const std::string& version) const {
  CheckPart(name, version);
  const fs::path folder = fs::path(root_) / "temporary";
  if (auto error = MakeFolder(folder)) return *error;
  std::string pattern = (folder / (name + "@" + version + ".XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr) return Trouble(pattern, "cannot be created", std::strerror(errno));
  return pattern;
}

void RuntimeCache::RemoveLeftovers() const {
  std::error_code code;
  std::vector<fs::path> folders;
  for (fs::directory_iterator at(fs::path(root_) / "temporary", code), end; !code && at != end; at.increment(code)) {
    folders.push_back(at->path());
  }
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    if (name.size() <= kTemporarySuffix || name[name.size() - kTemporarySuffix] != '.') continue;
    const auto spec = ParseRuntimeSpec(name.substr(0, name.size() - kTemporarySuffix));
    if (!spec || !IsExactVersion(spec->version)) continue;  // not ours
    const auto lock = TryLock(spec->runtime, spec->version);
    if (!lock || !lock->has_value()) continue;
    fs::remove_all(folder, code);  // what cannot be removed now is tried again next time
  }
}

Result<InstalledRuntime> RuntimeCache::Publish(const InstalledRuntime& runtime, const std::string& folder,
                                               const std::string& binary_in_folder) const {
  CONFORM_CHECK(StaysBelow(binary_in_folder));
  const fs::path place = Place(runtime.name, runtime.version);
  const fs::path binary = fs::path(folder) / binary_in_folder;
  struct stat status {};
  if (lstat(binary.c_str(), &status) != 0) return Trouble(binary, "cannot be read", std::strerror(errno));
  const json record{{"name", runtime.name},       {"version", runtime.version},
                    {"package", runtime.package}, {"integrity", runtime.integrity},
                    {"binary", binary_in_folder}, {"bytes", static_cast<int64_t>(status.st_size)}};
  const fs::path file = fs::path(folder) / kRecord;
  std::ofstream out(file);
  out << record.dump(2) << "\n";
  out.close();
  if (!out) return Trouble(file, "cannot be written", std::strerror(errno));
  if (auto error = MakeFolder(place.parent_path())) return *error;
  // What is in the way is not complete, or was asked to be replaced.
  if (auto removed = Remove(runtime.name, runtime.version); !removed) return removed.error();
  if (auto error = Move(folder, place)) return *error;
  auto installed = Read(runtime.name, runtime.version);
  if (!installed) return Trouble(place, "is not complete", "something else changed it");
  return *installed;
}

Result<bool> RuntimeCache::Remove(const std::string& name, const std::string& version) const {
  const fs::path place = Place(name, version);
  std::error_code code;
  if (!fs::exists(fs::symlink_status(place, code))) return false;
  const auto temporary = MakeTemporary(name, version);
  if (!temporary) return temporary.error();
  if (auto error = Move(place, fs::path(*temporary) / "removed")) return *error;
  fs::remove_all(*temporary, code);  // it is gone already; a rest is a leftover
  return true;
}

}  // namespace conform
