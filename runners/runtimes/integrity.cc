#include "runners/runtimes/integrity.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "runners/base/text.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSumTimeoutMs = 300'000;

size_t BytesOf(Checksum::Kind kind) {
  switch (kind) {
    case Checksum::Kind::kSha1:
      return 20;
    case Checksum::Kind::kSha512:
      return 64;
  }
  return 0;
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kHex = "0123456789abcdef";

std::optional<std::string> HexOfBase64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string hex;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t value = kBase64.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    const unsigned byte = bits >> count & 0xFF;
    hex += kHex[byte >> 4];
    hex += kHex[byte & 0xF];
  }
  return hex;
}

std::string Base64OfHex(std::string_view hex) {
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char c : hex) {
    bits = bits << 4 | static_cast<unsigned>(kHex.find(c));
    count += 4;
    if (count < 6) continue;
    count -= 6;
    text += kBase64[bits >> count & 0x3F];
  }
  if (count > 0) text += kBase64[bits << (6 - count) & 0x3F];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return kHex.find(c) != std::string_view::npos; });
}

std::optional<Checksum> Find(const std::string& integrity, std::string_view prefix, Checksum::Kind kind) {
  for (const std::string& word : Split(integrity, ' ')) {
    if (!word.starts_with(prefix)) continue;
    // Options may follow the sum: "sha512-…?option".
    const std::string sum = word.substr(prefix.size(), word.find('?') - prefix.size());
    const auto hex = HexOfBase64(sum);
    if (hex && hex->size() == 2 * BytesOf(kind)) return Checksum{kind, *hex, std::string(prefix) + sum};
  }
  return std::nullopt;
}

}  // namespace

Result<Checksum> StrongestChecksum(const std::string& integrity, const std::string& shasum) {
  if (auto found = Find(integrity, "sha512-", Checksum::Kind::kSha512)) return *found;
  if (auto found = Find(integrity, "sha1-", Checksum::Kind::kSha1)) return *found;
  std::string hex = shasum;
  std::transform(hex.begin(), hex.end(), hex.begin(), [](unsigned char c) { return std::tolower(c); });
  if (hex.size() == 2 * BytesOf(Checksum::Kind::kSha1) && IsHex(hex)) {
    return Checksum{Checksum::Kind::kSha1, hex, "sha1-" + Base64OfHex(hex)};
  }
  return Error{"the registry has no checksum that can be verified"};
}

std::optional<Error> CheckFile(const std::string& file, const Checksum& expected, const Tools& tools) {
  const bool is_sha1 = expected.kind == Checksum::Kind::kSha1;
  // Without coreutils there is mostly Perl's program for all kinds. Only the name of the file is given: a path with
  // odd characters would be printed escaped, with a mark before the sum.
  std::vector<std::string> command{is_sha1 ? "sha1sum" : "sha512sum"};
  if (!tools.OnPath(command[0])) command = {"shasum", "-a", is_sha1 ? "1" : "512"};
  command.push_back("./" + fs::path(file).filename().string());
  const auto output = tools.Output(command, fs::path(file).parent_path().string(), kSumTimeoutMs);
  if (!output) return output.error();
  const std::string sum = output->substr(0, expected.hex.size());
  if (sum.size() != 2 * BytesOf(expected.kind) || !IsHex(sum)) {
    return Error{command[0] + " printed no checksum: " + LastLine(*output)};
  }
  if (sum == expected.hex) return std::nullopt;
  return Error{"the download is not what the registry says: expected " + expected.text + ", it is " +
               (is_sha1 ? "sha1-" : "sha512-") + Base64OfHex(sum)};
}

}  // namespace conform
