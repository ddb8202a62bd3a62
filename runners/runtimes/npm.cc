#include "runners/runtimes/npm.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runners/base/text.h"
#include "runners/runtimes/json_text.h"
#include "runners/runtimes/release.h"

namespace conform {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int64_t kViewTimeoutMs = 180'000;
constexpr int64_t kPackTimeoutMs = 1'800'000;

Error Malformed(const std::string& what) { return Error{"npm returned an unexpected response: " + what}; }

// The object that npm prints in place of an answer, also when it ends with code 0.
const json* ErrorIn(const json& answer) {
  if (!answer.is_object()) return nullptr;
  const auto error = answer.find("error");
  return error != answer.end() && error->is_object() ? &*error : nullptr;
}

bool MeansNoNetwork(const std::string& text) {
  constexpr std::array kCodes{"ENOTFOUND",   "EAI_AGAIN",    "ECONNREFUSED", "ECONNRESET",         "ETIMEDOUT",
                              "ENETUNREACH", "EHOSTUNREACH", "ENOTCACHED",   "ERR_SOCKET_TIMEOUT", "EPIPE"};
  for (const char* code : kCodes) {
    if (text.find(code) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<std::string>> ParseVersions(const std::string& output) {
  json answer = json::parse(output, nullptr, false);
  if (ErrorIn(answer) != nullptr) return NpmTrouble(output, "");
  if (answer.is_string()) answer = json::array({answer});
  if (!answer.is_array()) return Malformed("expected a list of versions");
  std::vector<std::string> versions;
  for (const json& item : answer) {
    if (!item.is_string()) return Malformed("a version that is not a text");
    // Others could not be the name of a folder, and cannot be requested.
    if (IsExactVersion(item.get_ref<const std::string&>())) versions.push_back(item.get<std::string>());
  }
  return versions;
}

Result<Checksum> ParseDist(const std::string& output) {
  const json answer = json::parse(output, nullptr, false);
  if (ErrorIn(answer) != nullptr) return NpmTrouble(output, "");
  if (!answer.is_object()) return Malformed("expected an object with a checksum");
  return StrongestChecksum(TextOf(answer, "integrity"), TextOf(answer, "shasum"));
}

Error NpmTrouble(const std::string& output, const std::string& errors) {
  const json answer = json::parse(output, nullptr, false);
  std::string code;
  std::string why;
  if (const json* error = ErrorIn(answer)) {
    code = TextOf(*error, "code");
    why = TextOf(*error, "summary");
  }
  if (why.empty()) {
    for (const std::string& line : Split(errors, '\n')) {
      for (const std::string_view mark : {"npm error ", "npm ERR! "}) {
        if (!line.starts_with(mark)) continue;
        std::string rest(Trim(std::string_view(line).substr(mark.size())));
        if (code.empty() && rest.starts_with("code ")) {
          code = rest.substr(5);
        } else if (why.empty() && !rest.empty() && !rest.starts_with("syscall ") && !rest.starts_with("errno ")) {
          why = rest;
        }
      }
    }
  }
  if (why.empty()) why = LastLine(errors);
  if (why.empty()) why = code.empty() ? "it does not say why" : code;
  if (MeansNoNetwork(code) || MeansNoNetwork(why)) {
    return Error::WithHint("the package registry cannot be reached: " + ForMessage(why), "is there a network?");
  }
  return Error{"npm failed: " + ForMessage(why)};
}

Result<std::string> Npm::Ask(std::vector<std::string> arguments, int64_t timeout_ms) const {
  if (!tools_.OnPath("npm")) {
    return Error::WithHint("npm is not on the PATH, and is needed to install runtimes", "install Node.js with npm");
  }
  std::vector<std::string> command{"npm"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  // Without a network npm would wait for more than a minute before it says so.
  for (const char* option : {"--json", "--loglevel=error", "--ignore-scripts", "--no-update-notifier",
                             "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"}) {
    command.emplace_back(option);
  }
  auto finished = tools_.Run(command, folder_, timeout_ms);
  if (!finished) return finished.error();
  const ProcessEnd& end = finished->end;
  if (end.kind != ProcessEnd::Kind::kExited || end.code != 0) return NpmTrouble(finished->output, end.errors);
  return std::move(finished->output);
}

Result<std::vector<std::string>> Npm::Versions(const std::string& package) const {
  const auto output = Ask({"view", package, "versions"}, kViewTimeoutMs);
  if (!output) return output.error();
  return ParseVersions(*output);
}

Result<Checksum> Npm::ChecksumOf(const std::string& package, const std::string& version) const {
  const auto output = Ask({"view", package + "@" + version, "dist"}, kViewTimeoutMs);
  if (!output) return output.error();
  return ParseDist(*output);
}

Result<std::string> Npm::Pack(const std::string& package, const std::string& version,
                              const std::string& destination) const {
  const auto output = Ask({"pack", package + "@" + version, "--pack-destination", destination}, kPackTimeoutMs);
  if (!output) return output.error();
  // What it names the file differs by version of npm; the folder was empty, so that what is in it now is the file.
  std::string file;
  std::error_code code;
  for (fs::directory_iterator at(destination, code), end; !code && at != end; at.increment(code)) {
    if (!file.empty() || !fs::is_regular_file(at->symlink_status())) return Malformed("more than one file");
    file = at->path().string();
  }
  if (file.empty()) return Malformed("no file");
  return file;
}

}  // namespace conform
