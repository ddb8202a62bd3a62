// The paths that a search has yet to take, and the states that they begin at.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_PATHS_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/explore/arena.h"
#include "reference-impl/platform/fifo.h"

namespace conform::reference {

// Which alternative was taken at each of some choices: a string, because a few of them then need no memory of their
// own.
using Choices = std::u16string;
inline constexpr int kMostAlternatives = 1 << 16;

// How much memory is in use for bases. A way is kept for as long as anything lies on it.
struct BytesOfBases {
  int64_t images = 0;
  int64_t ways = 0;
};

// The choices from the start of a run to somewhere, in pieces.
struct Way {
  Way(std::shared_ptr<const Way> earlier, Choices since, BytesOfBases* all)
      : before(std::move(earlier)),
        choices(std::move(since)),
        length((before == nullptr ? 0 : before->length) + choices.size()),
        total(all) {
    total->ways += bytes();
  }
  ~Way() {
    total->ways -= bytes();
    // One after the other: there may be more of them than a stack is deep.
    std::shared_ptr<const Way> last = std::move(before);
    while (last != nullptr && last.use_count() == 1) last = std::exchange(last->before, nullptr);
  }
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  int64_t bytes() const { return static_cast<int64_t>(sizeof *this + choices.capacity() * sizeof(char16_t)); }

  mutable std::shared_ptr<const Way> before;  // null: the start of the run
  const Choices choices;                      // from there to here
  const size_t length;                        // of all of it
  BytesOfBases* const total;
};
using WayPtr = std::shared_ptr<const Way>;

// All choices from the start of the run: to the end of the way, and these.
inline Choices WholePath(const WayPtr& way, const Choices& choices) {
  std::vector<const Way*> pieces;
  for (const Way* piece = way.get(); piece != nullptr; piece = piece->before.get()) pieces.push_back(piece);
  Choices path;
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) path += (*piece)->choices;
  return path + choices;
}

// A state that runs resume from, and the way to it. It belongs to the thread that has made it.
struct Base {
  Base(Arena::Image state, WayPtr to_here, BytesOfBases* all)
      : image(std::move(state)), way(std::move(to_here)), total(all) {
    total->images += bytes();
  }
  ~Base() {
    total->images -= bytes();
    Arena::OfThread().GiveBack(std::move(image));
  }
  Base(const Base&) = delete;
  Base& operator=(const Base&) = delete;
  int64_t bytes() const { return static_cast<int64_t>(sizeof *this + image.capacity()); }

  Arena::Image image;
  const WayPtr way;  // null where nobody asks for it
  BytesOfBases* const total;
};
using BasePtr = std::shared_ptr<const Base>;

struct Pending {
  BasePtr base = nullptr;  // null: the start of the run
  Choices choices = {};    // from there; the last is an untried alternative. None: a run was left at the base
  int branch = 0;

  int64_t bytes() const { return static_cast<int64_t>(sizeof *this + choices.capacity() * sizeof(char16_t)); }
};

// In the order in which they were found. The one that was found last is mostly taken first.
class PendingPaths {
 public:
  // Where it is now, until the next call.
  Pending& Push(Pending pending) {
    bytes_ += pending.bytes();
    paths_.push_back(std::move(pending));
    return paths_.back();
  }
  // REQUIRES for both: !empty().
  Pending TakeLast() {
    Pending last = std::move(paths_.back());
    paths_.pop_back();
    bytes_ -= last.bytes();
    return last;
  }
  Pending TakeFirst() {
    Pending first = std::move(paths_.front());
    paths_.pop_front();
    bytes_ -= first.bytes();
    return first;
  }
  // The last paths that begin with the first `count` of `choices` from `from` begin at `to`, which lies there.
  void Move(const BasePtr& from, const Choices& choices, size_t count, const BasePtr& to) {
    for (auto path = paths_.end(); path != paths_.begin();) {
      --path;
      if (path->base != from || path->choices.size() <= count) return;
      if (path->choices.compare(0, count, choices, 0, count) != 0) return;
      bytes_ -= path->bytes();
      path->base = to;
      path->choices.erase(0, count);
      bytes_ += path->bytes();
    }
  }
  bool empty() const { return paths_.empty(); }
  size_t size() const { return paths_.size(); }
  const Pending& first() const { return paths_.front(); }
  int64_t bytes() const { return bytes_; }

 private:
  Fifo<Pending> paths_;
  int64_t bytes_ = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_PATHS_H_
