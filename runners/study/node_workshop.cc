// Mutants of Node's own JavaScript, which every Node binary carries as text.
//
// Two things in the binary could hide a change of that text: the snapshot, in which the main modules have already run,
// and the code cache. Node leaves the snapshot aside on request, and then runs the text that is there, at the
// top of a module and inside of its functions. Whether it really does is not taken for granted: a mutant that is not
// killed counts only if a mark in its place was seen.
//
//   ROOT/temporary/node-mutants-PID/N/node    a bench: a copy of the binary, in which the text is replaced
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "runners/base/text.h"
#include "runners/base/utf8.h"
#include "runners/runtimes/find.h"
#include "runners/study/workshop.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kAskMs = 60'000;
constexpr size_t kMaxBinaryBytes = size_t{1} << 30;
constexpr char kFlags[] = "--no-node-snapshot";

// Timers and immediates, their lists and queues, ticks, microtasks and rejections, errors and the end.
constexpr std::array<std::string_view, 9> kFiles{"timers",
                                                 "internal/timers",
                                                 "internal/linkedlist",
                                                 "internal/priority_queue",
                                                 "internal/fixed_queue",
                                                 "internal/process/task_queues",
                                                 "internal/process/promises",
                                                 "internal/process/execution",
                                                 "internal/process/signal"};

class NodeWorkshop final : public Workshop {
 public:
  NodeWorkshop(WorkshopSettings settings, std::string binary)
      : settings_(std::move(settings)),
        binary_(std::move(binary)),
        benches_(fs::path(settings_.cache_root) / "temporary" / ("node-mutants-" + std::to_string(getpid()))) {}

  ~NodeWorkshop() override {
    std::error_code ignored;
    fs::remove_all(benches_, ignored);
  }

  std::optional<Error> Open() {
    version_ = VersionOf(binary_, settings_.tools);
    settings_.tell("node: looking for its JavaScript in the binary");
    std::string script = "const n = process.binding('natives'), o = {};";
    for (const std::string_view file : kFiles)
      script += "o['" + std::string(file) + "'] = n['" + std::string(file) + "'];";
    script += "process.stdout.write(JSON.stringify(o))";
    const auto answer =
        settings_.tools.Output({binary_, "--no-deprecation", "-e", script}, settings_.cache_root, kAskMs);
    if (!answer) return answer.error();
    const auto texts = nlohmann::json::parse(*answer, nullptr, /*allow_exceptions=*/false);
    if (!texts.is_object()) return Error{"does not give its own JavaScript", binary_};
    const auto bytes = ReadFile(binary_, kMaxBinaryBytes);
    if (!bytes) return bytes.error();
    for (const std::string_view name : kFiles) {
      const auto found = texts.find(name);
      if (found == texts.end() || !found->is_string()) continue;
      if (auto error = Find(std::string(name), found->get<std::string>(), *bytes)) return *error;
    }
    if (mutants_.empty()) return Error{"holds none of the JavaScript that is mutated", binary_};
    patched_.resize(settings_.benches);
    for (size_t bench = 0; bench < settings_.benches; ++bench) {
      std::error_code code;
      fs::create_directories(Copy(bench).parent_path(), code);
      if (!code) fs::copy_file(binary_, Copy(bench), code);
      if (code) return Error::OfSystem("cannot be copied", code.value(), Copy(bench).string());
    }
    return std::nullopt;
  }

  std::string source() const override { return "node " + version_; }
  std::string unchanged() const override { return "node=" + binary_; }
  const std::vector<SourceMutant>& mutants() const override { return mutants_; }
  std::map<std::string, std::string> variables() const override { return {{"NODE_OPTIONS", kFlags}}; }

  std::vector<std::string> FoldersFor(const std::string& file) const override {
    if (file.ends_with("task_queues") || file.ends_with("fixed_queue"))
      return {"ticks", "drain", "errors", "rejections"};
    if (file.ends_with("promises")) return {"rejections", "errors"};
    if (file.ends_with("execution")) return {"errors", "exit"};
    if (file.ends_with("signal")) return {"drain", "exit", "poll"};
    return {"timers", "immediates", "errors", "exit"};
  }

  Result<MadeMutant> Make(const SourceChange& change, size_t bench) override {
    const File& file = files_.at(change.file);
    const auto text = MutatedInPlace(file.text, change.range, change.replacement);
    if (!text) return text.error();
    std::string& patched = patched_[bench];
    if (!patched.empty()) {
      const File& old = files_.at(patched);
      if (auto error = Write(Copy(bench), old.offset, old.original)) return *error;
    }
    patched = change.file;
    if (auto error = Write(Copy(bench), file.offset, Bytes(file, *text))) return *error;
    return MadeMutant{MadeMutant::Kind::kRuns, "node=" + Copy(bench).string()};
  }

 private:
  struct File {
    std::string text;      // what is not ASCII is in comments alone, and is a question mark here
    std::string original;  // its bytes in the binary
    bool is_wide = false;  // with two bytes for each character
    size_t offset = 0;     // in the binary
  };

  fs::path Copy(size_t bench) const { return benches_ / std::to_string(bench) / "node"; }

  std::optional<Error> Find(const std::string& name, const std::string& text, const std::string& bytes) {
    File file;
    const std::u16string units = Units(text);
    file.is_wide = std::any_of(units.begin(), units.end(), [](char16_t unit) { return unit > 0xFF; });
    for (const char16_t unit : units) {
      file.text += unit < 0x80 ? static_cast<char>(unit) : '?';
      file.original += static_cast<char>(unit & 0xFF);
      if (file.is_wide) file.original += static_cast<char>(unit >> 8);
    }
    const std::boyer_moore_horspool_searcher searcher(file.original.begin(), file.original.end());
    const auto at = std::search(bytes.begin(), bytes.end(), searcher);
    if (at == bytes.end()) return Error{"does not hold the text of " + name + " as it is", binary_};
    if (std::search(at + 1, bytes.end(), searcher) != bytes.end()) {
      return Error{"holds the text of " + name + " more than once", binary_};
    }
    file.offset = static_cast<size_t>(at - bytes.begin());
    auto mutants = MakeSourceMutants(name, file.text, SourceLanguage::kJavaScript);
    mutants_.insert(mutants_.end(), mutants.begin(), mutants.end());
    files_[name] = std::move(file);
    return std::nullopt;
  }

  // As UTF-16, which is what a length counts in JavaScript.
  static std::u16string Units(std::string_view text) {
    std::u16string units;
    while (!text.empty()) {
      const Utf8Character one = FirstCharacter(text);
      text.remove_prefix(std::max<size_t>(one.length, 1));
      if (one.code > 0xFFFF) units += u'?';
      units += static_cast<char16_t>(one.code > 0xFFFF ? u'?' : one.code);
    }
    return units;
  }

  static std::string Bytes(const File& file, const std::string& text) {
    if (!file.is_wide) return text;
    std::string bytes;
    for (const char c : text) bytes.append({c, '\0'});
    return bytes;
  }

  static std::optional<Error> Write(const fs::path& path, size_t offset, const std::string& text) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return Error::OfSystem("cannot be opened", errno, path.string());
    const ssize_t written = pwrite(descriptor, text.data(), text.size(), static_cast<off_t>(offset));
    const int code = written < 0 ? errno : ENOSPC;
    close(descriptor);
    if (written == static_cast<ssize_t>(text.size())) return std::nullopt;
    return Error::OfSystem("cannot be written", code, path.string());
  }

  const WorkshopSettings settings_;
  const std::string binary_;
  const fs::path benches_;
  std::string version_;
  std::map<std::string, File> files_;
  std::vector<SourceMutant> mutants_;
  std::vector<std::string> patched_;  // of each bench, the file that is not as it was; "" for none
};

}  // namespace

Result<std::string> MutatedInPlace(std::string_view text, const SourceRange& range, const std::string& replacement) {
  const size_t room = range.end - range.begin;
  std::string changed = replacement;
  if (changed.size() <= room) {
    changed.append(room - changed.size(), ' ');
    return std::string(text.substr(0, range.begin)) + changed + std::string(text.substr(range.end));
  }
  size_t missing = changed.size() - room;
  std::string result;
  size_t at = 0;
  bool is_in = false;
  // Up to `end`, with the change where its place comes.
  const auto take = [&](size_t end) {
    if (!is_in && range.begin >= at && range.end <= end) {
      result += text.substr(at, range.begin - at);
      result += changed;
      at = range.end;
      is_in = true;
    }
    result += text.substr(at, end - at);
    at = end;
  };
  for (const SourceRange& comment : Tokenize(text, SourceLanguage::kJavaScript).comments) {
    const bool is_apart = comment.end <= range.begin || comment.begin >= range.end;
    if (!is_apart || missing == 0 || comment.end - comment.begin <= 4) continue;
    // What begins and ends it stays.
    take(comment.begin + 2);
    const size_t taken = std::min(missing, comment.end - comment.begin - 4);
    at += taken;
    missing -= taken;
  }
  take(text.size());
  if (missing > 0) return Error{"the comments have no room for a longer text"};
  return result;
}

Result<std::unique_ptr<Workshop>> OpenNodeWorkshop(const WorkshopSettings& settings, const std::string& binary) {
  auto workshop = std::make_unique<NodeWorkshop>(settings, binary);
  if (auto error = workshop->Open()) return *error;
  return std::unique_ptr<Workshop>(std::move(workshop));
}

}  // namespace conform
