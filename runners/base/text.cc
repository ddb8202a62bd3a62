#include "runners/base/text.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <system_error>

namespace conform {
namespace {

// Names longer than this are never slips of the fingers, and the table of distances would grow with their square.
constexpr size_t kMaxNameLength = 64;

// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment) between two
// names. A change of case alone costs nothing here: it is the nearest slip of all.
size_t EditDistance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> NearestName(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > kMaxNameLength) return std::nullopt;
  std::optional<std::string> nearest;
  size_t least = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kMaxNameLength) continue;
    const size_t distance = EditDistance(name, candidate);
    // A third of the longer name may be wrong; of two letters, one. So `A` never suggests `B`, but `A1` suggests `A2`.
    const size_t longer = std::max(name.size(), candidate.size());
    const size_t tolerance = longer == 2 ? 1 : longer / 3;
    if (distance > tolerance) continue;
    if (!nearest || distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::optional<std::string> nearest = NearestName(name, candidates);
  return nearest ? "did you mean '" + *nearest + "'?" : "";
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (;;) {
    const size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end == std::string_view::npos ? end : end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

std::string Shortened(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string Quoted(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_-./@:=,+%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Result<OpenFile> OpenToRead(const std::string& path) {
  // Opening a folder succeeds and only reading it fails; a pipe without a writer would block. Say it before.
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::directory) return Error{"is a folder, not a file", path};
  if (status.type() == std::filesystem::file_type::fifo) return Error{"is a pipe, not a file", path};
  OpenFile file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return Error::OfCall("cannot be opened", errno, path);
  return file;
}

Result<std::string> ReadFile(const std::string& path, size_t max_bytes) {
  const auto file = OpenToRead(path);
  if (!file) return file.error();
  std::string contents;
  char block[1 << 14];
  // The size is judged by what is read, not by what the file system says: files of /proc say 0.
  while (const size_t count = std::fread(block, 1, sizeof block, file->get())) {
    if (count > max_bytes - contents.size()) {
      return Error{"is larger than " + std::to_string(max_bytes) + " bytes", path};
    }
    contents.append(block, count);
  }
  if (std::ferror(file->get())) return Error::OfCall("cannot be read", errno, path);
  return contents;
}

void ContentHasher::Add(std::string_view bytes) {
  for (const char byte : bytes) {
    hash_ ^= static_cast<unsigned char>(byte);
    hash_ *= 0x100000001b3u;
  }
}

std::string ContentHasher::ToString() const {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, hash_);
  return digits;
}

std::string ContentHash(std::string_view bytes) {
  ContentHasher hasher;
  hasher.Add(bytes);
  return hasher.ToString();
}

}  // namespace conform
