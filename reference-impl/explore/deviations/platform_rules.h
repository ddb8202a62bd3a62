// What a platform may do in place of what epoll, the pool and a wake-up do: values of rules that no release has.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_DEVIATIONS_PLATFORM_RULES_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_DEVIATIONS_PLATFORM_RULES_H_

#include <cstdint>

#include "reference-impl/loop/rule.h"

namespace conform::reference {

struct PlatformRules {
  // poll.ready-in-start-order: what a wait reports of all that is ready.
  enum class ReadySources : uint8_t { kAll, kNewestFirst, kOnePerPoll };
  // poll.wakeups-coalesce: which calls of Wake arrive.
  enum class Wakes : uint8_t { kAll, kFirstOnly };
  // poll.pool-width: how many threads the pool has.
  enum class PoolWidth : uint8_t { kAsAsked, kOneMore, kOneEach };

  Rule<ReadySources> ready_sources = ReadySources::kAll;
  Rule<Wakes> wakes = Wakes::kAll;
  Rule<PoolWidth> pool_width = PoolWidth::kAsAsked;

  bool operator==(const PlatformRules&) const = default;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_DEVIATIONS_PLATFORM_RULES_H_
