// Parts of a run: which of its planned results each part holds, and how the parts are put together again.
#ifndef CONFORM_RUNNERS_MODEL_SHARD_H_
#define CONFORM_RUNNERS_MODEL_SHARD_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "runners/base/result.h"
#include "runners/base/text.h"
#include "runners/model/verdict.h"

namespace conform {

// "2/8": the second of eight parts. "1/1" is the whole.
struct Shard {
  int part = 1;
  int of = 1;
  static Result<Shard> Parse(std::string_view text);
  std::string ToString() const;  // "" for the whole

  // Whether the planned result of this number, counted from 0, belongs to the part. Of each `of` results in a row every
  // part has one, so that the parts are of one size. Which part has which changes from row to row without a pattern:
  // with two implementations and two parts, none gets all results of the slower implementation.
  bool Holds(size_t number) const;
};
inline constexpr int kMaxShards = 100'000;

// The part, counted from 0, that holds result `number` of a run in `of` parts.
size_t ShardHolding(size_t number, size_t of);

// A name for a list of planned results: equal plans have equal names.
class PlanDigest {
 public:
  void Add(std::string_view case_id, std::string_view hash, std::string_view implementation, std::string_view profile);
  void Add(const CaseResult& result);
  std::string ToString() const;

 private:
  ContentHasher hasher_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_SHARD_H_
