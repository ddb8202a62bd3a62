#include "runners/study/adapter_template.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "runners/base/folders.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFileBytes = 1 << 20;
// What the templates call the adapter.
constexpr std::string_view kName = "my-loop";

// A name that can be used in adapter.yaml, in the texts of each language and in a file name.
bool CanBeName(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 40 && plain(name[0]) && name != "ref" && name != "adapter" &&
         std::all_of(name.begin(), name.end(), [&](char c) { return plain(c) || c == '-' || c == '_'; });
}

std::string AdapterName(const fs::path& folder) {
  std::error_code trouble;
  fs::path absolute = fs::absolute(folder, trouble).lexically_normal();
  if (!absolute.has_filename()) absolute = absolute.parent_path();
  const std::string name = absolute.filename().string();
  return CanBeName(name) ? name : std::string(kName);
}

std::string WithName(std::string text, const std::string& name) {
  for (size_t at = text.find(kName); at != std::string::npos; at = text.find(kName, at + name.size())) {
    text.replace(at, kName.size(), name);
  }
  return text;
}

}  // namespace

const std::vector<AdapterTemplate>& AdapterTemplates() {
  static const std::vector<AdapterTemplate> templates = {
      {"js",
       "JavaScript",
       {"README.md", "adapter.cjs", "adapter.yaml"},
       {{"javascript/adapter.cjs", "interpreter.cjs"}, {"javascript/ops.cjs", "ops.cjs"}}},
      {"python",
       "Python",
       {"README.md", "adapter.py", "adapter.yaml"},
       {{"shared/callbacks.py", "callbacks.py"}, {"shared/programs.py", "programs.py"}}},
      {"c", "C", {"Makefile", "README.md", "adapter.c", "adapter.yaml", "json.c", "json.h", "loop.c", "loop.h"}},
  };
  return templates;
}

Result<std::string> MakeAdapter(const AdapterTemplate& adapter, const std::string& adapters,
                                const std::string& folder) {
  const std::string name = AdapterName(folder);
  std::vector<std::pair<std::string, std::string>> contents;
  for (const std::string& file : adapter.files) {
    auto text = ReadFile((fs::path(adapters) / "templates" / adapter.language / file).string(), kMaxFileBytes);
    if (!text) return text.error();
    contents.emplace_back(file, WithName(std::move(*text), name));
  }
  for (const auto& [from, file] : adapter.shared) {
    auto text = ReadFile((fs::path(adapters) / from).string(), kMaxFileBytes);
    if (!text) return text.error();
    contents.emplace_back(file, std::move(*text));
  }
  std::error_code trouble;
  if (fs::exists(folder, trouble) && !(fs::is_directory(folder, trouble) && fs::is_empty(folder, trouble))) {
    return Error{"already exists and is not an empty directory", folder, {}, "choose another one"};
  }
  const bool is_new = !fs::exists(folder, trouble);
  if (auto error = MakeFolder(folder)) return *error;
  for (const auto& [file, text] : contents) {
    const auto error = WriteWholeFile((fs::path(folder) / file).string(), text);
    if (!error) continue;
    // Half an adapter would be in the way of another attempt.
    for (const auto& [written, ignored] : contents) fs::remove(fs::path(folder) / written, trouble);
    if (is_new) fs::remove(folder, trouble);
    return *error;
  }
  return name;
}

}  // namespace conform
