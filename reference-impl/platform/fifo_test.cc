#include "reference-impl/platform/fifo.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>
#include <vector>

namespace conform::reference {
namespace {

template <typename Queue>
std::vector<int> ItemsOf(const Queue& queue) {
  return {queue.begin(), queue.end()};
}

TEST(Fifo, DoesWhatADequeDoes) {
  std::mt19937 random(1);
  Fifo<int> fifo;
  std::deque<int> deque;
  for (int i = 0; i < 10'000; ++i) {
    const bool grows = i / 500 % 2 == 0;  // and shrinks, in turn
    const uint32_t what = random() % 10;
    if (what < (grows ? 6u : 2u)) {
      fifo.push_back(i % 7);
      deque.push_back(i % 7);
    } else if (what == 9 && random() % 20 == 0) {
      fifo.Erase(3);
      std::erase(deque, 3);
    } else if (what == 8) {
      fifo.insert(fifo.begin(), i);
      deque.insert(deque.begin(), i);
    } else if (!deque.empty()) {
      ASSERT_EQ(fifo.front(), deque.front());
      fifo.pop_front();
      deque.pop_front();
    }
    ASSERT_EQ(fifo.empty(), deque.empty());
    ASSERT_EQ(ItemsOf(fifo), ItemsOf(deque)) << i;
  }
}

TEST(Fifo, LetsGoOfWhatWasTaken) {
  Fifo<std::shared_ptr<int>> fifo;
  const auto item = std::make_shared<int>();
  fifo.push_back(item);
  fifo.push_back(nullptr);
  fifo.pop_front();
  EXPECT_EQ(item.use_count(), 1);
}

}  // namespace
}  // namespace conform::reference
