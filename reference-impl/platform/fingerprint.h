// A fingerprint of a state: 128 bits over everything that can decide what happens next, and nothing that cannot.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>
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

  void Add(uint64_t word) {
    high_ = Mix(high_ ^ word) + 0x9e3779b97f4a7c15u;
    low_ = Mix(low_ + (word ^ 0xc2b2ae3d27d4eb4fu)) ^ (high_ >> 7);
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
    auto [it, fresh] = readings_.try_emplace(time.reading, static_cast<int>(live_readings_.size()));
    if (fresh) live_readings_.push_back(time.reading);
    Add(static_cast<uint64_t>(it->second));
    Add(static_cast<uint64_t>(time.ms));
  }
  // Adds the number of `object`. True at its first visit: then the caller describes it.
  bool Enter(const void* object) {
    if (object == nullptr) {
      Add(0);
      return false;
    }
    auto [it, fresh] = objects_.try_emplace(object, objects_.size() + 1);
    Add(it->second);
    return fresh;
  }

  // The readings of all times that were added, by first mention.
  const std::vector<int32_t>& live_readings() const { return live_readings_; }
  Value value() const { return {high_, low_}; }

 private:
  static uint64_t Mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  uint64_t high_ = 0x243f6a8885a308d3u;
  uint64_t low_ = 0x13198a2e03707344u;
  std::unordered_map<const void*, uint64_t> objects_;
  std::unordered_map<int32_t, int> readings_;
  std::vector<int32_t> live_readings_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_
