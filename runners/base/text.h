// Small text helpers that every folder may use.
#ifndef CONFORM_RUNNERS_BASE_TEXT_H_
#define CONFORM_RUNNERS_BASE_TEXT_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

// The candidate with the smallest edit distance to `name`, if it is near enough to be a slip of the fingers.
std::optional<std::string> NearestName(std::string_view name, const std::vector<std::string>& candidates);

// "did you mean 'timeout'?", or "" when no candidate is near.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates);

// Of ASCII, whatever the locale.
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::vector<std::string> Split(std::string_view text, char separator);
std::string_view Trim(std::string_view text);
std::string Join(const std::vector<std::string>& parts, std::string_view separator);

// At most `max_bytes` and an ellipsis, cut between characters.
std::string Shortened(std::string_view text, size_t max_bytes);

// `text` as one word for a shell.
std::string Quoted(const std::string& text);

using OpenFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
// Refused: a folder, and a pipe, which might never be written to.
Result<OpenFile> OpenToRead(const std::string& path);
// The whole file, refused above `max_bytes`.
Result<std::string> ReadFile(const std::string& path, size_t max_bytes);

// 64 bits of FNV-1a in 16 hex digits: a name for contents, not a defence against an adversary.
std::string ContentHash(std::string_view bytes);
// The same of contents that come piece by piece.
class ContentHasher {
 public:
  void Add(std::string_view bytes);
  std::string ToString() const;
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_TEXT_H_
