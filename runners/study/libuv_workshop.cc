// Mutants of libuv.
//
//   ROOT/sources/libuv-0123456789abcdef/      complete: it appears by one rename; the number is that of the flags
//     tree/                                   what Debian's source package holds
//     objects/timer.o …                       compiled once
//   ROOT/temporary/libuv-source/              while it is fetched: apt's lists, and what it downloads
//   ROOT/temporary/libuv-mutants-PID/N/       a bench
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <regex>
#include <utility>

#include "runners/base/folders.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/runtimes/cache.h"
#include "runners/study/workshop.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kFetchMs = 10 * 60 * 1000;
constexpr int64_t kCompileMs = 2 * 60 * 1000;
constexpr size_t kMaxSourceBytes = 4 << 20;
constexpr size_t kMaxObjectBytes = 64 << 20;
constexpr size_t kMaxListBytes = 1 << 20;
constexpr char kNeeds[] = "it needs: apt install dpkg-dev gcc, and a Debian archive that has sources";

// What is mutated, and what is compiled for it.
struct Mutable {
  std::string_view path, unit;
};
constexpr std::array<Mutable, 12> kMutable{{{"src/timer.c", "src/timer.c"},
                                            {"src/heap-inl.h", "src/timer.c"},
                                            {"src/threadpool.c", "src/threadpool.c"},
                                            {"src/unix/core.c", "src/unix/core.c"},
                                            {"src/unix/loop.c", "src/unix/loop.c"},
                                            {"src/unix/loop-watcher.c", "src/unix/loop-watcher.c"},
                                            {"src/unix/async.c", "src/unix/async.c"},
                                            {"src/unix/signal.c", "src/unix/signal.c"},
                                            {"src/unix/stream.c", "src/unix/stream.c"},
                                            {"src/unix/udp.c", "src/unix/udp.c"},
                                            {"src/unix/epoll.c", "src/unix/epoll.c"},    // until 1.44
                                            {"src/unix/linux.c", "src/unix/linux.c"}}};  // from 1.45 on

// Of all versions; each has some of them.
constexpr std::array<std::string_view, 39> kUnits{"src/fs-poll.c",
                                                  "src/idna.c",
                                                  "src/inet.c",
                                                  "src/random.c",
                                                  "src/strscpy.c",
                                                  "src/strtok.c",
                                                  "src/threadpool.c",
                                                  "src/thread-common.c",
                                                  "src/timer.c",
                                                  "src/uv-common.c",
                                                  "src/uv-data-getter-setters.c",
                                                  "src/version.c",
                                                  "src/unix/async.c",
                                                  "src/unix/core.c",
                                                  "src/unix/dl.c",
                                                  "src/unix/epoll.c",
                                                  "src/unix/fs.c",
                                                  "src/unix/getaddrinfo.c",
                                                  "src/unix/getnameinfo.c",
                                                  "src/unix/linux.c",
                                                  "src/unix/linux-core.c",
                                                  "src/unix/linux-inotify.c",
                                                  "src/unix/linux-syscalls.c",
                                                  "src/unix/loop.c",
                                                  "src/unix/loop-watcher.c",
                                                  "src/unix/pipe.c",
                                                  "src/unix/poll.c",
                                                  "src/unix/process.c",
                                                  "src/unix/procfs-exepath.c",
                                                  "src/unix/proctitle.c",
                                                  "src/unix/random-devurandom.c",
                                                  "src/unix/random-getrandom.c",
                                                  "src/unix/random-sysctl-linux.c",
                                                  "src/unix/signal.c",
                                                  "src/unix/stream.c",
                                                  "src/unix/tcp.c",
                                                  "src/unix/thread.c",
                                                  "src/unix/tty.c",
                                                  "src/unix/udp.c"};

// Assertions stay, as in Debian's own build.
const std::vector<std::string>& Flags() {
  static const std::vector<std::string> flags{
      "-O1", "-fPIC", "-w", "-std=gnu99", "-D_GNU_SOURCE", "-D_LARGEFILE_SOURCE", "-pthread", "-D_FILE_OFFSET_BITS=64"};
  return flags;
}

std::string Stem(std::string_view path) { return fs::path(path).stem().string(); }

// An error of the system: neither usage nor input is wrong.
Error SystemTrouble(const std::string& what, const std::string& hint = kNeeds) {
  Error error = Error::WithHint(what, hint);
  error.is_of_system = true;
  return error;
}

class LibuvSource {
 public:
  explicit LibuvSource(const WorkshopSettings& settings)
      : settings_(settings),
        place_(fs::path(settings.cache_root) / "sources" / ("libuv-" + ContentHash(Join(Flags(), " ")))) {}

  const fs::path& place() const { return place_; }

  std::optional<Error> Obtain() {
    std::error_code code;
    if (fs::is_directory(place_, code)) return std::nullopt;
    const fs::path root(settings_.cache_root);
    const auto lock = CacheLock::Try((root / "locks" / "libuv-source").string());
    if (!lock) return lock.error();
    if (!lock->has_value())
      return SystemTrouble("another process fetches libuv's source at this moment", "wait for its end");
    const fs::path temporary = root / "temporary" / "libuv-source";
    fs::remove_all(temporary, code);
    for (const fs::path& folder : {temporary / "new" / "objects", temporary / "apt", place_.parent_path()}) {
      if (auto error = MakeFolder(folder)) return error;
    }
    auto error = Fetch(temporary / "apt", temporary / "new" / "tree");
    if (!error) error = CompileAll(temporary / "new");
    if (!error) {
      fs::rename(temporary / "new", place_, code);
      if (code) error = Error::OfSystem("cannot be moved here", code.value(), place_.string());
    }
    fs::remove_all(temporary, code);
    return error;
  }

 private:
  std::optional<Error> Fetch(const fs::path& folder, const fs::path& tree) {
    for (const char* tool : {"apt-get", "dpkg-source"}) {
      if (!settings_.tools.OnPath(tool)) {
        return SystemTrouble(std::string("libuv's source comes as Debian's source package, and there is no ") + tool);
      }
    }
    settings_.tell("libuv: fetching Debian's source package");
    if (auto error = WriteLists(folder / "lists.d")) return error;
    for (const char* name : {"state/lists/partial", "cache/archives/partial"}) {
      if (auto error = MakeFolder(folder / name)) return error;
    }
    std::vector<std::string> apt{"apt-get", "-q"};
    for (const std::string& option : std::vector<std::string>{
             "Dir::Etc::sourcelist=/dev/null", "Dir::Etc::sourceparts=" + (folder / "lists.d").string(),
             "Dir::State=" + (folder / "state").string(), "Dir::State::status=/var/lib/dpkg/status",
             "Dir::Cache=" + (folder / "cache").string(), "Acquire::Languages=none",
             "APT::Sandbox::User=", "APT::Update::Post-Invoke-Success::=", "APT::Update::Error-Mode=any"}) {
      apt.insert(apt.end(), {"-o", option});
    }
    const std::vector<std::vector<std::string>> steps{{"update"}, {"source", "--only-source", "libuv1"}};
    for (const auto& step : steps) {
      std::vector<std::string> command = apt;
      command.insert(command.end(), step.begin(), step.end());
      const auto done = settings_.tools.Output(command, folder.string(), kFetchMs);
      if (!done) return SystemTrouble("libuv's source package cannot be fetched: " + done.error().ToString());
    }
    std::error_code code;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      if (!fs::is_regular_file(at->path() / "src" / "timer.c", code)) continue;
      fs::rename(at->path(), tree, code);
      if (!code) return std::nullopt;
    }
    return SystemTrouble("the source package of libuv1 does not hold src/timer.c");
  }

  // The lists of this machine, for sources instead of packages.
  std::optional<Error> WriteLists(const fs::path& into) {
    if (auto error = MakeFolder(into)) return error;
    std::vector<fs::path> files{"/etc/apt/sources.list"};
    std::error_code code;
    for (fs::directory_iterator at("/etc/apt/sources.list.d", code), end; !code && at != end; at.increment(code)) {
      files.push_back(at->path());
    }
    bool any = false;
    for (const fs::path& file : files) {
      const std::string ending = file.extension().string();
      const auto text = ReadFile(file.string(), kMaxListBytes);
      if (!text || (ending != ".list" && ending != ".sources")) continue;
      any = true;
      const std::string name = file.filename().string();
      if (auto error = WriteWholeFile((into / name).string(), SourceList(name, *text))) return error;
    }
    if (any) return std::nullopt;
    return SystemTrouble("/etc/apt has no lists that say where Debian's archive is",
                         "add a list with a line that begins with `deb`; man sources.list");
  }

  std::optional<Error> CompileAll(const fs::path& folder) {
    settings_.tell("libuv: compiling it once");
    const fs::path tree = folder / "tree";
    std::error_code code;
    for (const std::string_view unit : kUnits) {
      const fs::path file = tree / unit;
      if (!fs::is_regular_file(file, code)) continue;
      const fs::path object = folder / "objects" / (Stem(unit) + ".o");
      std::vector<std::string> command{"cc", "-c", "-o", object.string(), file.filename().string()};
      command.insert(command.end(), Flags().begin(), Flags().end());
      for (const char* include : {"include", "src", "src/unix"}) command.push_back("-I" + (tree / include).string());
      const auto done = settings_.tools.Output(command, file.parent_path().string(), kCompileMs);
      if (!done) return SystemTrouble("libuv cannot be compiled: " + done.error().ToString());
    }
    return std::nullopt;
  }

  const WorkshopSettings& settings_;
  const fs::path place_;
};

class LibuvWorkshop final : public Workshop {
 public:
  LibuvWorkshop(WorkshopSettings settings, fs::path place)
      : settings_(std::move(settings)),
        place_(std::move(place)),
        benches_(fs::path(settings_.cache_root) / "temporary" / ("libuv-mutants-" + std::to_string(getpid()))) {}

  ~LibuvWorkshop() override {
    std::error_code ignored;
    fs::remove_all(benches_, ignored);
  }

  std::optional<Error> Open() {
    for (const Mutable& one : kMutable) {
      auto text = ReadFile((tree() / one.path).string(), kMaxSourceBytes);
      if (!text) continue;
      const std::string file = fs::path(one.path).filename().string();
      auto mutants = MakeSourceMutants(file, *text, SourceLanguage::kC);
      mutants_.insert(mutants_.end(), mutants.begin(), mutants.end());
      files_[file] = {std::string(one.unit), std::move(*text)};
    }
    const auto header = ReadFile((tree() / "include/uv/version.h").string(), kMaxSourceBytes);
    if (!header) return header.error();
    for (const char* part : {"MAJOR", "MINOR", "PATCH"}) {
      std::smatch match;
      if (!std::regex_search(*header, match, std::regex(std::string("UV_VERSION_") + part + " +([0-9]+)"))) continue;
      version_ += (version_.empty() ? "" : ".") + match[1].str();
    }
    const auto made = Link(place_ / "objects" / "timer.o", "timer", benches_ / "unchanged");
    if (!made) return made.error();
    unchanged_ = *made;
    return std::nullopt;
  }

  std::string source() const override { return "libuv " + version_; }
  std::string unchanged() const override { return unchanged_; }
  const std::vector<SourceMutant>& mutants() const override { return mutants_; }
  // What libuv reads it has to set: new memory holds anything but zeros, and so does what was given back.
  std::map<std::string, std::string> variables() const override { return {{"MALLOC_PERTURB_", "165"}}; }

  Result<MadeMutant> Make(const SourceChange& change, size_t bench) override {
    const File& file = files_.at(change.file);
    const fs::path folder = benches_ / std::to_string(bench);
    std::error_code code;
    fs::remove_all(folder, code);
    if (auto error = MakeFolder(folder)) return *error;
    const fs::path unit(file.unit);
    fs::copy_file(tree() / unit, folder / unit.filename(), code);
    if (code) return Error::OfSystem("cannot be copied", code.value(), (tree() / unit).string());
    const std::string text = Mutated(file.text, change.range, change.replacement);
    if (auto error = WriteWholeFile((folder / change.file).string(), text)) return *error;
    std::vector<std::string> command{"cc", "-c", "-o", "mutant.o", unit.filename().string()};
    command.insert(command.end(), Flags().begin(), Flags().end());
    for (const char* include : {"include", "src", "src/unix"}) command.push_back("-I" + (tree() / include).string());
    const auto compiled = settings_.tools.Run(command, folder.string(), kCompileMs);
    if (!compiled) return compiled.error();
    if (compiled->end.kind != ProcessEnd::Kind::kExited || compiled->end.code != 0) {
      return MadeMutant{MadeMutant::Kind::kNotSource};
    }
    const auto before = ReadFile((place_ / "objects" / (Stem(file.unit) + ".o")).string(), kMaxObjectBytes);
    const auto now = ReadFile((folder / "mutant.o").string(), kMaxObjectBytes);
    if (before && now && *before == *now) return MadeMutant{MadeMutant::Kind::kSameCode};
    const auto option = Link(folder / "mutant.o", Stem(file.unit), folder);
    if (!option) return option.error();
    return MadeMutant{MadeMutant::Kind::kRuns, *option};
  }

 private:
  struct File {
    std::string unit;
    std::string text;
  };

  fs::path tree() const { return place_ / "tree"; }

  // All objects, but for `stem` this one.
  Result<std::string> Link(const fs::path& object, const std::string& stem, const fs::path& folder) const {
    if (auto error = MakeFolder(folder)) return *error;
    const fs::path library = folder / "libuv.so";
    std::vector<std::string> command{"cc", "-shared", "-pthread", "-o", library.string(), object.string()};
    std::error_code code;
    for (fs::directory_iterator at(place_ / "objects", code), end; !code && at != end; at.increment(code)) {
      if (at->path().stem() != stem) command.push_back(at->path().string());
    }
    command.insert(command.end(), {"-ldl", "-lrt"});
    const auto linked = settings_.tools.Output(command, folder.string(), kCompileMs);
    if (!linked) return SystemTrouble("libuv cannot be linked: " + linked.error().ToString());
    return "libuv=" + library.string();
  }

  const WorkshopSettings settings_;
  const fs::path place_;
  const fs::path benches_;
  std::string version_;
  std::string unchanged_;
  std::map<std::string, File> files_;
  std::vector<SourceMutant> mutants_;
};

}  // namespace

std::string SourceList(const std::string& name, const std::string& text) {
  std::string list;
  for (const std::string& line : Split(text, '\n')) {
    const std::string_view trimmed = Trim(line);
    if (name.ends_with(".sources") && trimmed.starts_with("Types:")) {
      list += "Types: deb-src\n";
    } else if (name.ends_with(".list") && (trimmed.starts_with("deb ") || trimmed.starts_with("deb\t"))) {
      list += "deb-src" + std::string(trimmed.substr(3)) + "\n";
    } else if (name.ends_with(".sources")) {
      list += line + "\n";
    }
  }
  return list;
}

Result<std::unique_ptr<Workshop>> OpenLibuvWorkshop(const WorkshopSettings& settings) {
  LibuvSource source(settings);
  if (auto error = source.Obtain()) return *error;
  auto workshop = std::make_unique<LibuvWorkshop>(settings, source.place());
  if (auto error = workshop->Open()) return *error;
  return std::unique_ptr<Workshop>(std::move(workshop));
}

}  // namespace conform
