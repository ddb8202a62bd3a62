// Timers by deadline, then by start order.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_TIMER_HEAP_H_
#define CONFORM_REFERENCE_IMPL_LOOP_TIMER_HEAP_H_

#include <cstdint>
#include <vector>

#include "reference-impl/platform/time.h"

namespace conform {

// An array heap with four children a node: the keys lie side by side, which is what makes it quick. An item is told where
// it stands through `Item::heap_index`, -1 when it is in no heap.
template <typename Item>
class TimerHeap {
 public:
  explicit TimerHeap(Clock& clock) : clock_(clock) {}

  bool empty() const { return nodes_.empty(); }
  size_t size() const { return nodes_.size(); }
  // REQUIRES: !empty().
  Item* Min() const { return nodes_[0].item; }
  Time MinDeadline() const { return nodes_[0].deadline; }

  // REQUIRES: the item is in no heap. Equal deadlines come out in the order of `start_id`.
  // spec: timers.equal-deadline-start-order
  void Insert(Item* item, Time deadline, uint64_t start_id) {
    nodes_.push_back({deadline, start_id, item});
    Up(nodes_.size() - 1);
  }

  // REQUIRES: the item is in this heap.
  void Remove(Item* item) {
    const size_t index = static_cast<size_t>(item->heap_index);
    item->heap_index = -1;
    const Node last = nodes_.back();
    nodes_.pop_back();
    if (index == nodes_.size()) return;
    nodes_[index] = last;
    last.item->heap_index = static_cast<int64_t>(index);
    if (index > 0 && Less(nodes_[index], nodes_[(index - 1) / 4])) {
      Up(index);
    } else {
      Down(index);
    }
  }

  // Every item, in no particular order.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Node& node : nodes_) visit(node.item, node.deadline, node.start_id);
  }

 private:
  struct Node {
    Time deadline;
    uint64_t start_id;
    Item* item;
  };

  bool Less(const Node& a, const Node& b) const {
    if (a.deadline.reading == b.deadline.reading) {
      return a.deadline.ms != b.deadline.ms ? a.deadline.ms < b.deadline.ms : a.start_id < b.start_id;
    }
    if (clock_.Before(a.deadline, b.deadline)) return true;
    if (clock_.Before(b.deadline, a.deadline)) return false;
    return a.start_id < b.start_id;
  }

  void Up(size_t index) {
    const Node node = nodes_[index];
    while (index > 0) {
      const size_t parent = (index - 1) / 4;
      if (!Less(node, nodes_[parent])) break;
      Place(index, nodes_[parent]);
      index = parent;
    }
    Place(index, node);
  }

  void Down(size_t index) {
    const Node node = nodes_[index];
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
    node.item->heap_index = static_cast<int64_t>(index);
  }

  Clock& clock_;
  std::vector<Node> nodes_;
};

}  // namespace conform

#endif  // CONFORM_REFERENCE_IMPL_LOOP_TIMER_HEAP_H_
