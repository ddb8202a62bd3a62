// The folder where installed runtimes are kept.
//
//   ROOT/runtimes/node/24.21.0/bin/node         a folder here is complete: it appears, and vanishes, by one rename
//   ROOT/runtimes/node/24.21.0/installed.json   what it is, and where it came from
//   ROOT/adapters/libuv-0123456789abcdef/       what an adapter has built; see build.h
//   ROOT/locks/node@24.21.0                     held by the process that installs or removes it
//   ROOT/temporary/node@24.21.0.Ab12Cd/         work that is under way; left over where the lock is free
#ifndef CONFORM_RUNNERS_RUNTIMES_CACHE_H_
#define CONFORM_RUNNERS_RUNTIMES_CACHE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/runtimes/release.h"

namespace conform {

struct InstalledRuntime {
  std::string name;
  std::string version;
  std::string package;    // of npm
  std::string integrity;  // "sha512-…", as the registry gives it
  std::string binary;     // absolute
  int64_t bytes = 0;      // of the binary
};

// CONFORM_CACHE, or `conform` in XDG_CACHE_HOME, or in .cache of HOME; an Error where none is set.
Result<std::string> CacheFolder(const std::map<std::string, std::string>& environment);

// The right to change one thing of the cache. It ends with this object, and with the process, however that ends.
class CacheLock {
 public:
  // `file` is made, in its folder too, where it is not there. Nothing, when another process (or another object of this
  // one) holds it.
  static Result<std::optional<CacheLock>> Try(const std::string& file);
  CacheLock(CacheLock&& other) noexcept;
  CacheLock& operator=(CacheLock&&) = delete;
  ~CacheLock();

 private:
  explicit CacheLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// All operations are safe beside other processes that change the same folder. REQUIRES, everywhere: names are
// those of known runtimes, and versions are exact, unless it is said that a part of one is enough.
class RuntimeCache {
 public:
  explicit RuntimeCache(std::string root);

  const std::string& root() const { return root_; }

  // By name, then from old to new. What is not complete is not there.
  std::vector<InstalledRuntime> List() const;
  // The newest that fits, where `version` may be a part of one or empty.
  std::optional<InstalledRuntime> Find(const std::string& name, const std::string& version) const;

  // Nothing, when another process (or another object of this one) holds it.
  Result<std::optional<CacheLock>> TryLock(const std::string& name, const std::string& version) const;

  // A new, empty folder for work on this runtime. REQUIRES: its lock is held.
  Result<std::string> MakeTemporary(const std::string& name, const std::string& version) const;
  // Removes what killed processes have left, where no process works on it.
  void RemoveLeftovers() const;

  // Writes installed.json into `folder`, a part of a temporary one, and moves it to its place. The binary is already in
  // it, at `binary_in_folder`. REQUIRES: the lock is held.
  Result<InstalledRuntime> Publish(const InstalledRuntime& runtime, const std::string& folder,
                                   const std::string& binary_in_folder) const;
  // False when it was not there. REQUIRES: the lock is held.
  Result<bool> Remove(const std::string& name, const std::string& version) const;

 private:
  std::string Place(const std::string& name, const std::string& version) const;
  std::optional<InstalledRuntime> Read(const std::string& name, const std::string& version) const;

  std::string root_;  // absolute
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_CACHE_H_
