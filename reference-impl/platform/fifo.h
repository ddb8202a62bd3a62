// A queue in one piece of memory, and without any while nothing has been put into it: a run has many, mostly empty, and
// is copied as a whole.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_FIFO_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_FIFO_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace conform::reference {

// As std::deque. Whatever changes it invalidates iterators and references.
template <typename T>
class Fifo {
 public:
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  iterator begin() { return items_.begin() + taken_; }
  iterator end() { return items_.end(); }
  const_iterator begin() const { return items_.begin() + taken_; }
  const_iterator end() const { return items_.end(); }
  bool empty() const { return begin() == end(); }
  size_t size() const { return static_cast<size_t>(end() - begin()); }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  T& back() { return items_.back(); }

  void push_back(T item) { items_.push_back(std::move(item)); }
  void pop_back() { items_.pop_back(); }
  void pop_front() {
    *begin() = T();
    ++taken_;
    // Most of it must be unused before it is worth moving what is left.
    if (empty() || (taken_ >= kManyTaken && static_cast<size_t>(taken_) > size())) Shrink();
  }
  void insert(iterator place, T item) { items_.insert(place, std::move(item)); }
  void insert(iterator place, iterator first, iterator last) { items_.insert(place, first, last); }
  void erase(iterator item) { items_.erase(item); }
  void erase(iterator first, iterator last) { items_.erase(first, last); }
  // How many there were of it.
  size_t Erase(const T& item) {
    const auto rest = std::remove(begin(), end(), item);
    const auto count = static_cast<size_t>(end() - rest);
    items_.erase(rest, end());
    return count;
  }
  void clear() {
    items_.clear();
    taken_ = 0;
  }
  void swap(Fifo& other) { std::swap(*this, other); }

 private:
  static constexpr std::ptrdiff_t kManyTaken = 16;

  void Shrink() {
    items_.erase(items_.begin(), begin());
    taken_ = 0;
  }

  std::vector<T> items_;
  std::ptrdiff_t taken_ = 0;  // of them, from the front
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_FIFO_H_
