// What a loop runs callbacks for. Handles are owned by whoever made them, and must stay where they are while they are
// active or closing.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_HANDLE_H_
#define CONFORM_REFERENCE_IMPL_LOOP_HANDLE_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "reference-impl/loop/timer_heap.h"
#include "reference-impl/platform/platform.h"

namespace conform::reference {

class Loop;

// A member of a ring: idle, prepare and check handles are in one ring each.
struct RingLink {
  RingLink* previous = this;
  RingLink* next = this;

  RingLink() = default;
  RingLink(const RingLink&) = delete;
  RingLink& operator=(const RingLink&) = delete;

  bool alone() const { return next == this; }
  void InsertAfter(RingLink* place) {
    previous = place;
    next = place->next;
    place->next->previous = this;
    place->next = this;
  }
  void Leave() {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
};

struct Handle {
  void* data = nullptr;  // the owner's
  bool active = false;
  bool referenced = true;  // counts for the loop being alive while active
  bool closing = false;
  bool awaits_signal = false;  // closing, and caught signals are still on their way
  void (*on_close)(Handle*) = nullptr;
  Handle* next_closing = nullptr;
};

struct TimerHandle : Handle {
  void (*callback)(TimerHandle*) = nullptr;
  int64_t repeat_ms = 0;
  int64_t due_index = -1;  // place among the timers of the pass that is under way
  TimerPlace<TimerHandle> place;
};

struct PhaseHandle : Handle, RingLink {
  void (*callback)(PhaseHandle*) = nullptr;
};

struct WakeupHandle : Handle {
  void (*callback)(WakeupHandle*) = nullptr;
  std::atomic<bool> pending{false};
};

struct IoHandle : Handle {
  void (*callback)(IoHandle*, uint8_t readiness) = nullptr;
  Source source = kNoSource;
  uint8_t interest = 0;
};

// Several may be started; a signal is caught for each of them.
struct SignalHandle : Handle {
  void (*callback)(SignalHandle*) = nullptr;
  bool started = false;
  int number = 0;         // of the signal that it catches
  bool is_once = false;   // stops itself when a signal has reached it
  int64_t address = 0;    // decides on the order of handles that catch the same signal
  int64_t under_way = 0;  // signals that were caught and have not reached the handle
};

// Something that the pool does.
struct Request {
  void* data = nullptr;
  void (*callback)(Request*) = nullptr;
  std::string name;
  int64_t ms = 0;          // how long it takes on its thread, at least
  bool referenced = true;  // counts for the loop being alive
  bool cancelled = false;
  int64_t id = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_HANDLE_H_
