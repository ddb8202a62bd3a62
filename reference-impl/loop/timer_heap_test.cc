#include "reference-impl/loop/timer_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "reference-impl/platform/system_clock.h"

namespace conform::reference {
namespace {

struct Item {
  std::string name;
  TimerPlace<Item> place;
};

// A clock whose readings have the values that a test gives them: two different readings may show the same time.
class TableClock : public Clock {
 public:
  explicit TableClock(std::vector<int64_t> readings) : readings_(std::move(readings)) {}
  Time Read() override { return {0, 0}; }
  void Busy(int64_t) override {}

 private:
  int64_t Value(Time time) const { return readings_[static_cast<size_t>(time.reading)] + time.ms; }
  bool Decide(Time a, Time b) override { return Value(a) <= Value(b); }
  Time ShiftBetween(Time a, Time, Time) override { return a; }

  const std::vector<int64_t> readings_;
};

class TimerHeapTest : public testing::Test {
 protected:
  Item* Add(const std::string& name, Time deadline) {
    Item* item = &items_[name];
    item->name = name;
    heap_.Insert(item, deadline, next_id_++);
    return item;
  }
  Item* Add(const std::string& name, int64_t ms) { return Add(name, Time{0, ms}); }

  // Takes everything out, the first first.
  static std::string Drain(TimerHeap<Item>* heap) {
    std::string order;
    while (!heap->empty()) {
      Item* item = heap->Min();
      heap->Remove(item);
      order += (order.empty() ? "" : " ") + item->name;
    }
    return order;
  }
  std::string Drain() { return Drain(&heap_); }

  SystemClock clock_;
  TimerHeap<Item> heap_{clock_};
  std::map<std::string, Item> items_;
  uint64_t next_id_ = 0;
};

TEST_F(TimerHeapTest, EarlierDeadlinesComeFirst) {
  Add("c", 30);
  Add("a", -10);
  Add("b", 20);
  EXPECT_EQ(heap_.MinDeadline(), (Time{0, -10}));
  EXPECT_EQ(Drain(), "a b c");
}

TEST_F(TimerHeapTest, EqualDeadlinesFireInStartOrder) {
  for (const char* name : {"e", "d", "c", "b", "a"}) Add(name, 7);
  EXPECT_EQ(heap_.size(), 5u);
  EXPECT_EQ(Drain(), "e d c b a");
}

TEST_F(TimerHeapTest, ATimerThatIsStartedAnewGoesBehindItsEquals) {
  Item* a = Add("a", 7);
  Add("b", 7);
  Add("c", 7);
  heap_.Remove(a);
  Add("a", 7);
  EXPECT_EQ(Drain(), "b c a");
}

TEST_F(TimerHeapTest, AnyOfSeveralEqualsMayLeave) {
  for (const char* left_out : {"a", "b", "c", "d"}) {
    std::string expected;
    for (const std::string name : {"a", "b", "c", "d"}) {
      Add(name, 7);
      if (name != left_out) expected += (expected.empty() ? "" : " ") + name;
    }
    heap_.Remove(&items_[left_out]);
    EXPECT_EQ(heap_.size(), 3u);
    EXPECT_EQ(Drain(), expected);
  }
}

TEST_F(TimerHeapTest, AfterTheLastOfItsEqualsLeftANewOneStandsAlone) {
  Item* a = Add("a", 7);
  Item* b = Add("b", 7);
  heap_.Remove(b);
  heap_.Remove(a);
  EXPECT_TRUE(heap_.empty());
  Add("c", 7);
  EXPECT_EQ(Drain(), "c");
}

TEST_F(TimerHeapTest, AnItemKnowsWhetherItStands) {
  Item* first = Add("first", 7);
  Item* second = Add("second", 7);
  EXPECT_TRUE(first->place.stands());
  EXPECT_TRUE(second->place.stands());
  heap_.Remove(first);
  EXPECT_FALSE(first->place.stands());
  EXPECT_TRUE(second->place.stands());
  heap_.Remove(second);
  EXPECT_FALSE(second->place.stands());
}

TEST_F(TimerHeapTest, EveryItemIsVisitedOnce) {
  Add("a", 1);
  Add("b", 2);
  Add("c", 1);
  std::map<std::string, int64_t> seen;
  heap_.ForEach([&](const Item* item, Time deadline, uint64_t id) {
    EXPECT_TRUE(seen.emplace(item->name, deadline.ms).second);
    EXPECT_EQ(id, item->place.start_id);
  });
  EXPECT_EQ(seen, (std::map<std::string, int64_t>{{"a", 1}, {"b", 2}, {"c", 1}}));
}

// Goal: start order holds although the heap remembers only so many deadlines. Method: deadlines that fall on one place
// of its table, in turn, so that each makes it forget the one before.
TEST_F(TimerHeapTest, StartOrderHoldsForDeadlinesThatWereForgotten) {
  std::vector<std::string> expected;
  for (int64_t deadline = 0; deadline < 3; ++deadline) {
    for (int round = 0; round < 40; ++round) expected.push_back(std::to_string(round) + "@" + std::to_string(deadline));
  }
  for (int round = 0; round < 40; ++round) {
    for (int64_t deadline = 0; deadline < 3; ++deadline) {
      Add(std::to_string(round) + "@" + std::to_string(deadline), deadline * (1 << 20));
    }
  }
  std::vector<std::string> order;
  while (!heap_.empty()) {
    order.push_back(heap_.Min()->name);
    heap_.Remove(heap_.Min());
  }
  EXPECT_EQ(order, expected);
}

TEST(TimerHeap, EqualTimesOfDifferentReadingsComeInStartOrder) {
  TableClock clock({100, 103, 90});
  TimerHeap<Item> heap(clock);
  const std::vector<Time> deadlines{{0, 10}, {1, 7}, {0, 10}, {2, 19}, {1, 7}, {2, 20}, {0, 9}};
  std::vector<Item> items(deadlines.size());
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].name = std::to_string(i);
    heap.Insert(&items[i], deadlines[i], i);
  }
  std::string order;
  while (!heap.empty()) {
    order += heap.Min()->name;
    heap.Remove(heap.Min());
  }
  EXPECT_EQ(order, "3601245");  // 109, 109, then four times 110 and once more
}

// Goal: whatever is started and stopped, the heap agrees with a sorted list. Method: random operations on both, with
// few deadlines, some, and so many that most are alone.
class TimerHeapAgainstModel : public testing::TestWithParam<int64_t> {};

TEST_P(TimerHeapAgainstModel, AgreesWithASortedListAfterEveryStep) {
  const int64_t range = GetParam();
  std::mt19937_64 random(static_cast<uint64_t>(range));
  SystemClock clock;
  TimerHeap<Item> heap(clock);
  std::vector<Item> items(2000);
  std::map<std::pair<int64_t, uint64_t>, Item*> model;  // by deadline and start
  uint64_t next_id = 0;
  const auto remove = [&](Item* item) {
    model.erase({item->place.deadline.ms, item->place.start_id});
    heap.Remove(item);
  };
  for (int step = 0; step < 60'000; ++step) {
    Item* item = &items[random() % items.size()];
    const uint64_t what = random() % 8;
    if (what == 0 && !model.empty()) {
      item = heap.Min();
      ASSERT_EQ(item, model.begin()->second);
      remove(item);
    } else if (item->place.stands()) {
      remove(item);
    } else {
      const int64_t deadline = static_cast<int64_t>(random() % static_cast<uint64_t>(range));
      model[{deadline, next_id}] = item;
      heap.Insert(item, Time{0, deadline}, next_id++);
    }
    ASSERT_EQ(heap.size(), model.size());
    if (model.empty()) continue;
    ASSERT_EQ(heap.Min(), model.begin()->second) << "after " << step << " steps";
    ASSERT_EQ(heap.MinDeadline().ms, model.begin()->first.first);
  }
  for (const auto& [key, item] : model) {
    ASSERT_EQ(heap.Min(), item);
    heap.Remove(item);
  }
  EXPECT_TRUE(heap.empty());
}

INSTANTIATE_TEST_SUITE_P(Ranges, TimerHeapAgainstModel, testing::Values(1, 3, 50, 1000, 5000, 1'000'000'000));

}  // namespace
}  // namespace conform::reference
