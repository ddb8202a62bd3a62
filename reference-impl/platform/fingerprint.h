// A fingerprint of a state: 128 bits over everything that can decide what happens next, and nothing that cannot.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "reference-impl/platform/time.h"

namespace conform::reference {

// Objects are numbered by first visit and times by first mention, so that two states that differ only in how they came
// about have the same fingerprint.
class Fingerprint {
 public:
  struct Value {
    uint64_t high = 0;
    uint64_t low = 0;
    auto operator<=>(const Value&) const = default;
  };

  Fingerprint() { live_readings_.reserve(8); }
  Fingerprint(const Fingerprint&) = delete;
  Fingerprint& operator=(const Fingerprint&) = delete;

  // Two lanes, each a round of xxHash64 with its own multipliers.
  void Add(uint64_t word) {
    high_ = std::rotl(high_ + word * 0xc2b2ae3d27d4eb4fu, 31) * 0x9e3779b185ebca87u;
    low_ = std::rotl(low_ + word * 0xbf58476d1ce4e5b9u, 29) * 0x94d049bb133111ebu;
  }
  void Add(std::string_view text) {
    Add(text.size());
    uint64_t word = 0;
    int filled = 0;
    for (unsigned char c : text) {
      word = (word << 8) | c;
      if (++filled == 8) {
        Add(word);
        word = 0;
        filled = 0;
      }
    }
    if (filled > 0) Add(word);
  }
  void Add(Time time) {
    const auto found = std::find(live_readings_.begin(), live_readings_.end(), time.reading);
    Add(static_cast<uint64_t>(found - live_readings_.begin()));
    if (found == live_readings_.end()) live_readings_.push_back(time.reading);
    Add(static_cast<uint64_t>(time.ms));
  }
  // Adds the number of `object`. True at its first visit: then the caller describes it.
  bool Enter(const void* object) {
    if (object == nullptr) {
      Add(0);
      return false;
    }
    const auto [number, fresh] = NumberOf(object);
    Add(number);
    return fresh;
  }

  // The readings of all times that were added, by first mention.
  const std::vector<int32_t>& live_readings() const { return live_readings_; }
  Value value() const { return {Mix(high_), Mix(low_)}; }

 private:
  using Entry = std::pair<const void*, uint64_t>;

  static uint64_t Mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  // Counted from 1, by first visit; and whether this is it.
  std::pair<uint64_t, bool> NumberOf(const void* object) {
    if (count_ * 2 >= objects_.size()) Grow();
    const size_t place = PlaceOf(object);
    const bool fresh = objects_[place].first == nullptr;
    if (fresh) objects_[place] = {object, ++count_};
    return {objects_[place].second, fresh};
  }
  // Where the object is, or would be.
  size_t PlaceOf(const void* object) const {
    const size_t mask = objects_.size() - 1;
    size_t place = Mix(reinterpret_cast<uintptr_t>(object)) & mask;
    while (objects_[place].first != nullptr && objects_[place].first != object) place = (place + 1) & mask;
    return place;
  }
  void Grow() {
    const std::span<const Entry> before = objects_;
    std::vector<Entry> more(objects_.size() * 2);
    more.swap(many_);
    objects_ = many_;
    for (const Entry& entry : before) {
      if (entry.first != nullptr) objects_[PlaceOf(entry.first)] = entry;
    }
  }

  uint64_t high_ = 0x243f6a8885a308d3u;
  uint64_t low_ = 0x13198a2e03707344u;
  std::array<Entry, 64> few_{};
  std::vector<Entry> many_;
  std::span<Entry> objects_{few_};  // an open table, at most half full: few_, and later many_
  uint64_t count_ = 0;
  std::vector<int32_t> live_readings_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_
