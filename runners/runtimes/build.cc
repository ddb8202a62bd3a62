#include "runners/runtimes/build.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/runtimes/cache.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kBuildTimeoutMs = 20 * 60 * 1000;
constexpr std::chrono::milliseconds kLockPause{100};
constexpr int64_t kMaxLockPauses = 2 * kBuildTimeoutMs / 100;
constexpr size_t kMaxFileBytes = 64 << 20;
constexpr size_t kShownLines = 8;
constexpr std::chrono::hours kKeptUnused{24};

// What tools leave behind is not part of the sources.
bool IsSkipped(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "__pycache__";
}

Result<std::vector<fs::path>> FilesBelow(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    std::error_code unreadable;
    if (at->is_directory(unreadable) && IsSkipped(at->path())) at.disable_recursion_pending();
    if (at->is_regular_file(unreadable)) files.push_back(at->path());
  }
  if (code) return Error::OfCall("cannot be read", code.value(), folder);
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::string> HashOf(const Adapter& adapter, const AdapterImplementation& implementation) {
  // Every part with its length before it, so that no two lists of parts give the same text.
  std::string text;
  const auto add = [&](const std::string& part) { text += std::to_string(part.size()) + ":" + part; };
  for (const std::string& word : implementation.build) add(word);
  std::vector<std::string> folders{adapter.folder};
  folders.insert(folders.end(), implementation.sources.begin(), implementation.sources.end());
  for (const std::string& folder : folders) {
    const auto files = FilesBelow(folder);
    if (!files) return files.error();
    for (const fs::path& file : *files) {
      const auto contents = ReadFile(file.string(), kMaxFileBytes);
      if (!contents) return contents.error();
      add(file.lexically_relative(adapter.folder).string());
      add(*contents);
    }
  }
  return ContentHash(text);
}

Result<CacheLock> WaitForLock(const fs::path& file, const Tools& tools) {
  for (int64_t pauses = 0; pauses < kMaxLockPauses; ++pauses) {
    auto lock = CacheLock::Try(file.string());
    if (!lock) return lock.error();
    if (lock->has_value()) return std::move(**lock);
    if (tools.interrupt != nullptr && tools.interrupt->raised()) return Error{"interrupted"};
    std::this_thread::sleep_for(kLockPause);
  }
  return Error{"another process is building it and does not finish", file.string()};
}

// The last lines with text, each on its own line.
std::string LastLines(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : Split(text, '\n')) {
    if (!Trim(line).empty()) lines.push_back("\n  " + ForMessage(line));
  }
  if (lines.size() > kShownLines) lines.erase(lines.begin(), lines.end() - kShownLines);
  return Join(lines, "");
}

std::optional<Error> RunBuild(const Adapter& adapter, const AdapterImplementation& implementation,
                              const std::string& out, const Tools& tools) {
  const std::string what = "the adapter of " + implementation.name + " cannot be built: ";
  const std::string hint = implementation.install.empty() ? "" : "it needs: apt install " + implementation.install;
  Tools with_out = tools;
  with_out.environment["OUT"] = out;
  const auto finished = with_out.Run(implementation.build, adapter.folder, kBuildTimeoutMs);
  if (!finished) return Error{what + finished.error().ToString(), adapter.folder, {}, hint};
  const ProcessEnd& end = finished->end;
  if (end.kind == ProcessEnd::Kind::kExited && end.code == 0) return std::nullopt;
  const std::string how = end.kind == ProcessEnd::Kind::kExited ? "ended with code " : "was killed by signal ";
  return Error{what + "'" + Join(implementation.build, " ") + "' " + how + std::to_string(end.code) +
                   LastLines(finished->output) + LastLines(end.errors) + "\n",
               adapter.folder,
               {},
               hint};
}

// The time of the folder is that of its last use.
void MarkAsUsed(const fs::path& place) { utimensat(AT_FDCWD, place.c_str(), nullptr, 0); }

// What the same adapter was built to before it was edited. Another tree may use it at this very moment: only what
// has not been used for long goes.
void RemoveOutdated(const fs::path& newest, const std::string& adapter_name) {
  std::error_code code;
  const fs::file_time_type now = fs::last_write_time(newest, code);
  const std::string beginning = adapter_name + "-";
  for (fs::directory_iterator at(newest.parent_path(), code), end; !code && at != end; at.increment(code)) {
    const std::string name = at->path().filename().string();
    const bool is_of_it = name.size() == newest.filename().string().size() && name.starts_with(beginning) &&
                          name.find_first_not_of("0123456789abcdef", beginning.size()) == std::string::npos;
    std::error_code unreadable;
    const fs::file_time_type used = fs::last_write_time(at->path(), unreadable);
    if (is_of_it && !unreadable && now - used > kKeptUnused) fs::remove_all(at->path(), unreadable);
  }
}

}  // namespace

Result<std::string> BuildAdapter(const Adapter& adapter, const AdapterImplementation& implementation,
                                 const std::string& cache_root, const Tools& tools) {
  if (implementation.build.empty()) return std::string();
  const fs::path root(cache_root);
  CONFORM_CHECK(root.is_absolute());
  const auto hash = HashOf(adapter, implementation);
  if (!hash) return hash.error();
  const std::string name = adapter.name + "-" + *hash;
  const fs::path place = root / "adapters" / name;
  std::error_code code;
  if (fs::is_directory(place, code)) {
    MarkAsUsed(place);
    return place.string();
  }

  const auto lock = WaitForLock(root / "locks" / ("adapter-" + name), tools);
  if (!lock) return lock.error();
  // Perhaps the one that held the lock has built it.
  if (fs::is_directory(place, code)) return place.string();
  const fs::path temporary = root / "temporary" / ("adapter-" + name);
  fs::remove_all(temporary, code);
  for (const fs::path& folder : {temporary, place.parent_path()}) {
    fs::create_directories(folder, code);
    if (code) return Error{"cannot be created: " + code.message(), folder.string()};
  }
  const auto failed = RunBuild(adapter, implementation, temporary.string(), tools);
  if (!failed) {
    fs::rename(temporary, place, code);
    if (!code) {
      MarkAsUsed(place);
      RemoveOutdated(place, adapter.name);
      return place.string();
    }
  }
  const std::string why = code.message();
  fs::remove_all(temporary, code);
  return failed ? *failed : Error{"cannot be moved here: " + why, place.string()};
}

}  // namespace conform
