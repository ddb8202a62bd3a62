#include "runners/model/shard.h"

#include <charconv>
#include <cstdint>

#include "runners/base/text.h"

namespace conform {
namespace {

bool ReadNumber(std::string_view text, int* number) {
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return trouble == std::errc{} && end == text.data() + text.size();
}

// Spreads the bits of a small number over all 64: multiplication by an odd constant moves them up, and each shift
// brings them down again.
uint64_t Spread(uint64_t bits) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;  // 2^64 divided by the golden ratio
  for (int round = 0; round < 3; ++round) {
    bits = (bits + 1) * kGolden;
    bits ^= bits >> 32;
  }
  return bits;
}

}  // namespace

Result<Shard> Shard::Parse(std::string_view text) {
  Shard shard;
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || !ReadNumber(text.substr(0, slash), &shard.part) ||
      !ReadNumber(text.substr(slash + 1), &shard.of) || shard.part < 1 || shard.of < shard.part ||
      shard.of > kMaxShards) {
    return Error{"'" + std::string(text) + "' is not a shard: expected I/N, such as 2/8 for the second of eight"};
  }
  return shard;
}

std::string Shard::ToString() const { return of == 1 ? "" : std::to_string(part) + "/" + std::to_string(of); }

size_t ShardHolding(size_t number, size_t of) { return (number % of + Spread(number / of) % of) % of; }

bool Shard::Holds(size_t number) const {
  return ShardHolding(number, static_cast<size_t>(of)) == static_cast<size_t>(part - 1);
}

void PlanDigest::Add(std::string_view case_id, std::string_view hash, std::string_view implementation,
                     std::string_view profile) {
  // Ids, hashes and names hold no control characters; a longer list never reads as another one.
  for (const std::string_view part : {case_id, hash, implementation, profile}) {
    hasher_.Add(part);
    hasher_.Add(std::string_view("\0", 1));
  }
}

void PlanDigest::Add(const CaseResult& result) {
  Add(result.case_id, result.content_hash, result.implementation, result.profile);
}

std::string PlanDigest::ToString() const { return hasher_.ToString(); }

}  // namespace conform
