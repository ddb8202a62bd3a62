// A fingerprint of a state: 128 bits over everything that can decide what happens next, and nothing that cannot.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference-impl/platform/time.h"

namespace conform::reference {

// An object that fingerprints number: by which it was visited last, and as which one. REQUIRES: one thread visits it.
class Visited {
  friend class Fingerprint;
  mutable uint64_t fingerprint_ = 0;
  mutable uint32_t number_ = 0;
};

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
  bool Enter(const Visited* object) {
    if (object == nullptr) {
      Add(0);
      return false;
    }
    const bool fresh = object->fingerprint_ != fingerprint_;
    if (fresh) {
      object->fingerprint_ = fingerprint_;
      object->number_ = ++count_;
    }
    Add(object->number_);
    return fresh;
  }

  // The readings of all times that were added, by first mention.
  const std::vector<int32_t>& live_readings() const { return live_readings_; }
  Value value() const { return {Mix(high_), Mix(low_)}; }

 private:
  static uint64_t Mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  // Of this thread, each has its own number. What an object remembers of one may be put back with it.
  static uint64_t Next() {
    thread_local uint64_t last = 0;
    return ++last;
  }

  const uint64_t fingerprint_ = Next();
  uint64_t high_ = 0x243f6a8885a308d3u;
  uint64_t low_ = 0x13198a2e03707344u;
  uint32_t count_ = 0;  // of objects that were visited
  std::vector<int32_t> live_readings_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_FINGERPRINT_H_
