#include "runners/runtimes/unpack.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "runners/base/text.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kTarTimeoutMs = 600'000;

// A name that means itself to every tar: no pattern, no option, no way out.
bool IsPlainName(std::string_view name) {
  return !name.empty() && std::isalnum(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '+';
         });
}

// What is below the top folder of a member, which is called differently in different packages; "" where the name is
// none that we take.
std::string_view BelowTop(std::string_view member) {
  if (member.starts_with("./")) member.remove_prefix(2);
  const size_t slash = member.find('/');
  if (slash == std::string_view::npos || !IsPlainName(member.substr(0, slash))) return "";
  return member.substr(slash + 1);
}

struct Members {
  std::string binary;                 // "" where it is not there
  std::vector<std::string> archives;  // right below the top folder
};

Result<Members> FindMembers(const std::string& archive, const std::string& binary, const Tools& tools) {
  const auto listing = tools.Output({"tar", "-tzf", archive}, "", kTarTimeoutMs);
  if (!listing) return listing.error();
  Members members;
  for (const std::string& member : Split(*listing, '\n')) {
    const std::string_view below = BelowTop(member);
    if (below == binary) members.binary = member;
    if (below.ends_with(".tar.gz") && IsPlainName(below)) members.archives.push_back(member);
  }
  return members;
}

std::optional<Error> Extract(const std::string& archive, const std::string& member, const std::string& folder,
                             const Tools& tools) {
  const auto is_slash = [](char c) { return c == '/'; };
  const std::string_view below = BelowTop(member);
  const auto strip = std::count_if(member.begin(), member.end() - static_cast<ptrdiff_t>(below.size()), is_slash);
  const auto done = tools.Output({"tar", "-xzf", archive, "-C", folder, "--strip-components=" + std::to_string(strip),
                                  "--no-same-owner", "--no-same-permissions", "--", member},
                                 "", kTarTimeoutMs);
  if (!done) return done.error();
  // A link could lead anywhere.
  const fs::path file = fs::path(folder) / below;
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1) {
    return Error{"'" + member + "' in the package is not a regular file"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> UnpackBinary(const std::string& archive, const std::string& binary, const std::string& folder,
                                  const Tools& tools) {
  const Error missing{"the package has no " + binary};
  auto members = FindMembers(archive, binary, tools);
  if (!members) return members.error();
  std::string holder = archive;
  if (members->binary.empty()) {
    if (members->archives.size() != 1) return missing;
    const std::string inner = folder + ".inner";
    std::error_code code;
    if (!fs::create_directory(inner, code)) return Error{"cannot be created", inner};
    const std::string& member = members->archives[0];
    if (auto error = Extract(archive, member, inner, tools)) return error;
    holder = (fs::path(inner) / BelowTop(member)).string();
    members = FindMembers(holder, binary, tools);
    if (!members) return members.error();
    if (members->binary.empty()) return missing;
  }
  if (auto error = Extract(holder, members->binary, folder, tools)) return error;
  const fs::path file = fs::path(folder) / binary;
  std::error_code code;
  fs::permissions(file,
                  fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                      fs::perms::others_exec,
                  code);
  if (code) return Error{"cannot be made executable: " + code.message(), file.string()};
  return std::nullopt;
}

}  // namespace conform
