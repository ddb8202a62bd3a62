// A registry in a temporary folder with a stand-in for npm, for tests.
#ifndef CONFORM_RUNNERS_RUNTIMES_FAKE_REGISTRY_H_
#define CONFORM_RUNNERS_RUNTIMES_FAKE_REGISTRY_H_

#include <string>
#include <vector>

#include "runners/runtimes/tools.h"

namespace conform {

class FakeRegistry {
 public:
  // In a new folder of this name.
  explicit FakeRegistry(const std::string& name);
  ~FakeRegistry();
  FakeRegistry(const FakeRegistry&) = delete;
  FakeRegistry& operator=(const FakeRegistry&) = delete;

  const std::string& folder() const { return folder_; }
  std::string At(const std::string& path) const { return folder_ + "/" + path; }
  // With its own npm on PATH.
  Tools tools() const;

  void Write(const std::string& path, const std::string& text) const;
  std::string Read(const std::string& path) const;
  // Packs `source`, a folder, as `archive`; `options` are those of tar.
  void Tar(const std::string& source, const std::string& archive, const std::vector<std::string>& members,
           const std::vector<std::string>& options = {}) const;
  // The versions of a package.
  void SetVersions(const std::string& package, const std::vector<std::string>& versions) const;
  // An archive with one executable file package/`binary` that is this script, with its right checksum.
  void Add(const std::string& package, const std::string& version, const std::string& binary,
           const std::string& script) const;
  // Says of the archive that is there what it is.
  void SetChecksum(const std::string& package, const std::string& version) const;
  // How often npm was called with something that starts like this: "pack".
  int Calls(const std::string& start) const;

 private:
  std::string folder_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_FAKE_REGISTRY_H_
