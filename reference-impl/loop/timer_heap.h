// Timers by deadline, then by start order. spec: timers.deadline-order, timers.equal-deadline-start-order
#ifndef CONFORM_REFERENCE_IMPL_LOOP_TIMER_HEAP_H_
#define CONFORM_REFERENCE_IMPL_LOOP_TIMER_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference-impl/platform/time.h"

namespace conform::reference {

// Where an item is; the heap alone writes it.
template <typename Item>
struct TimerPlace {
  Time deadline;
  uint64_t start_id = 0;
  Item* next = nullptr;      // in the chain of its deadline
  Item* previous = nullptr;  // null for the first of a chain, which is the one that is in the heap
  int64_t heap_index = -1;   // of the first of a chain; -1 when the item is in no heap

  bool stands() const { return heap_index >= 0; }
};

// Timers that are started with one deadline form a chain, and an array heap with four children a node holds the first
// of each chain: most starts and stops link or unlink one timer and leave the heap alone, however many timers there
// are. `Item` has a TimerPlace<Item> named `place`.
//
// A table finds the last of a chain by its deadline. It is small and forgets: a deadline that it no longer knows gets a
// second chain, whose timers are all younger than those of the first, and start order puts it behind.
template <typename Item>
class TimerHeap {
 public:
  explicit TimerHeap(Clock& clock) : clock_(clock) { ForgetTails(kFewTails); }

  bool empty() const { return nodes_.empty(); }
  size_t size() const { return size_; }
  // REQUIRES: !empty().
  Item* Min() const { return nodes_[0].item; }
  Time MinDeadline() const { return nodes_[0].deadline; }

  // REQUIRES: the item is in no heap, and `start_id` is higher than all before it. Equal deadlines come out in the
  // order of `start_id`. spec: timers.equal-deadline-start-order
  void Insert(Item* item, Time deadline, uint64_t start_id) {
    ++size_;
    item->place.deadline = deadline;
    item->place.start_id = start_id;
    Tail& tail = TailOf(deadline);
    if (tail.item != nullptr && tail.deadline == deadline) {
      item->place.heap_index = kFollows;
      item->place.previous = tail.item;
      tail.item->place.next = item;
      tail.item = item;
    } else {
      tail = {deadline, item};
      InsertFirst(item, deadline, start_id);
    }
  }

  // REQUIRES: the item is in this heap.
  void Remove(Item* item) {
    --size_;
    TimerPlace<Item>& place = item->place;
    if (place.next == nullptr) {
      Tail& tail = TailOf(place.deadline);
      if (tail.item == item) tail.item = place.previous;
    } else {
      place.next->place.previous = place.previous;
    }
    if (place.previous != nullptr) {
      place.previous->place.next = place.next;
    } else {
      RemoveFirst(static_cast<size_t>(place.heap_index), place.next);
    }
    place.next = place.previous = nullptr;
    place.heap_index = -1;
  }

  // Every item, in no particular order.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Node& node : nodes_) {
      for (const Item* item = node.item; item != nullptr; item = item->place.next) {
        visit(item, node.deadline, item->place.start_id);
      }
    }
  }

 private:
  struct Node {
    Time deadline;
    uint64_t start_id;
    Item* item;
  };
  struct Tail {
    Time deadline;
    Item* item = nullptr;  // null: the chain is not known, or has ended
  };
  // A loop with few timers stays small; one with many has a place for every millisecond of the next two seconds.
  static constexpr size_t kFewTails = 8;
  static constexpr size_t kManyTails = 2048;
  static constexpr int64_t kFollows = 0;

  Tail& TailOf(Time deadline) {
    const uint64_t mixed = static_cast<uint64_t>(deadline.ms) + static_cast<uint64_t>(deadline.reading) * 0x9e3779b1u;
    return tails_[mixed & tail_mask_];
  }

  // `count` places, a power of two, none of which knows a chain.
  void ForgetTails(size_t count) {
    tails_.assign(count, {});
    tail_mask_ = count - 1;
  }

  // The first of a chain. Not inlined, so that linking one of many timers to its chain saves no registers.
  [[gnu::noinline]] void InsertFirst(Item* item, Time deadline, uint64_t start_id) {
    nodes_.emplace_back();
    Up(nodes_.size() - 1, {deadline, start_id, item});
    if (nodes_.size() > tails_.size() && tails_.size() < kManyTails) ForgetTails(kManyTails);
  }

  bool Less(const Node& a, const Node& b) const {
    if (a.deadline.reading == b.deadline.reading) {
      return a.deadline.ms != b.deadline.ms ? a.deadline.ms < b.deadline.ms : a.start_id < b.start_id;
    }
    if (clock_.Before(a.deadline, b.deadline)) return true;
    if (clock_.Before(b.deadline, a.deadline)) return false;
    return a.start_id < b.start_id;
  }

  // The first of the chain at `index` leaves it to `next`, if there is one.
  void RemoveFirst(size_t index, Item* next) {
    if (next != nullptr) {
      // It is due at the same time but younger: another reading of the clock may be just as due, and go first.
      Down(index, {nodes_[index].deadline, next->place.start_id, next});
      return;
    }
    const Node last = nodes_.back();
    nodes_.pop_back();
    if (index == nodes_.size()) return;
    if (index > 0 && Less(last, nodes_[(index - 1) / 4])) {
      Up(index, last);
    } else {
      Down(index, last);
    }
  }

  // Puts a node where it belongs, at `index` or above it; what was there is overwritten.
  void Up(size_t index, const Node& node) {
    while (index > 0) {
      const size_t parent = (index - 1) / 4;
      if (!Less(node, nodes_[parent])) break;
      Place(index, nodes_[parent]);
      index = parent;
    }
    Place(index, node);
  }

  // The same, at `index` or below it.
  void Down(size_t index, const Node& node) {
    for (;;) {
      const size_t first = index * 4 + 1;
      if (first >= nodes_.size()) break;
      const size_t end = first + 4 < nodes_.size() ? first + 4 : nodes_.size();
      size_t least = first;
      for (size_t child = first + 1; child < end; ++child) {
        if (Less(nodes_[child], nodes_[least])) least = child;
      }
      if (!Less(nodes_[least], node)) break;
      Place(index, nodes_[least]);
      index = least;
    }
    Place(index, node);
  }

  void Place(size_t index, const Node& node) {
    nodes_[index] = node;
    node.item->place.heap_index = static_cast<int64_t>(index);
  }

  Clock& clock_;
  size_t size_ = 0;
  std::vector<Node> nodes_;
  std::vector<Tail> tails_;  // by deadline
  size_t tail_mask_ = 0;     // one less than there are tails
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_TIMER_HEAP_H_
