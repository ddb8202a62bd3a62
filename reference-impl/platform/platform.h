// The seam between the loop and the machine: what a loop waits for, and where it comes from. One real, one simulated.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_PLATFORM_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_PLATFORM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/platform/time.h"

namespace conform::reference {

// A source of readiness, numbered by the platform: a descriptor for real, a name when explored.
using Source = int;
inline constexpr Source kNoSource = -1;

// kHangup comes along where a source is ready for something that is wanted, and never alone: both directions of a
// connection have ended, or it has failed.
enum Readiness : uint8_t { kReadable = 1, kWritable = 2, kHangup = 4 };

// What there is to read of a connection.
enum class Input { kByte, kNothingYet, kEnd, kReset };

struct ReadySource {
  Source source;
  uint8_t readiness;
};

// What a platform's Wait may do.
struct WaitBound {
  enum class Kind {
    kNoWait,   // look, and come back
    kUntil,    // until `deadline`, as seen from `base` (the loop's cached time)
    kForever,  // until something is ready
  };
  Kind kind = Kind::kNoWait;
  Time base;
  Time deadline;
  // kNoWait: a look before a wait with this base and deadline, which follows unless the deadline has passed by then.
  bool wait_follows = false;
  // Whoever waits calls TakeOneMore for what TakeEnded leaves open.
  bool takes_one_by_one = false;
  // Two requests or more were taken at once. One of them may have ended after its wake-up had been read, and before it
  // was taken: then this wait ends with nothing to take.
  bool may_be_woken_for_nothing = false;
};

// One wait reports at most so many descriptors, as in libuv; the others are reported by the next.
inline constexpr int kMaxReadyPerWait = 1024;
inline constexpr int kOwnThread = 0;  // for Submit: not a thread of the pool

class Platform {
 public:
  virtual ~Platform() = default;
  virtual Clock& clock() = 0;

  // Something that the host does behind the program's back, when it chooses: does it happen here? `usual`: it does
  // on time. Explored, the other answer is one of the ways in which a run may be late.
  virtual bool Intrudes(bool usual) { return usual; }

  // Something that happens only when a run is late; `what` is the question, for display. For real it never happens.
  virtual bool IsLate(const char* /*what*/) { return false; }

  // Which of `count` things that nothing puts in an order comes first; `name` tells them apart for display. For real,
  // the first of them. REQUIRES: count >= 2.
  virtual size_t First(size_t /*count*/, const std::function<std::string(size_t)>& /*name*/) { return 0; }

  // Called where a loop is between two steps of an iteration: all of its state is in objects, and none on the
  // stack. `is_open`: as far as is known, more than one thing may happen before the next of these calls.
  virtual void Rest(bool /*is_open*/) {}
  // The same where no wait follows at once.
  virtual void RestWithoutWait() {}

  // --- readiness ---

  // Watches `source` for `readiness`, from the next Wait on. Sources that are ready together are reported in the order
  // in which they became ready while watched, as epoll does. Watching anew changes the set; an empty set ends the
  // watch.
  virtual void Watch(Source source, uint8_t readiness) = 0;

  // Fills `ready` (cleared first) with what is ready, in order; at most 1024. Returns false, explored only, when the
  // run ends here: `bound` is kForever and nothing that is watched can ever become ready, where a real loop would wait
  // without end; or another run has been here.
  virtual bool Wait(const WaitBound& bound, std::vector<ReadySource>* ready) = 0;

  // --- sources; every one is closed with Close ---

  // A descriptor on which one byte already waits.
  virtual Source OpenReadable() = 0;
  // Reads what is there; the number of bytes, 0 at the end, -1 when nothing is there yet.
  virtual int Read(Source source) = 0;
  // Reads one byte of a connection. That its peer closed without having read everything is reported once, and then its
  // end.
  virtual Input ReadByte(Source source) = 0;
  // A TCP connection to a port on loopback where nothing listens; it becomes writable when it has failed.
  virtual Source ConnectRefused() = 0;
  // The wake-up of a loop: readable after Wake, until Read.
  virtual Source OpenWakeup() = 0;
  virtual void Wake(Source wakeup) = 0;
  // A listening path socket and connections to it. A connection is made at once: the listener is readable, the client
  // writable.
  virtual Source Listen() = 0;
  virtual Source Connect(Source listener) = 0;
  virtual Source Accept(Source listener) = 0;  // kNoSource when no connection waits
  virtual bool Write(Source source) = 0;       // one byte, taken whole at once; false: the peer has gone
  virtual void Shutdown(Source source) = 0;    // of a connection: nothing is written any more
  // A datagram socket on loopback. What it sends goes to itself, and is there at once.
  virtual Source OpenDatagrams() = 0;
  virtual void SendDatagram(Source source) = 0;
  virtual bool ReceiveDatagram(Source source) = 0;  // false: none is there
  // Signals: a source that is readable once the signal was raised. One number is used: SIGUSR2.
  virtual Source OpenSignal() = 0;
  virtual void RaiseSignal() = 0;
  virtual void Close(Source source) = 0;

  // --- the pool ---

  // Hands request `id` to the pool of `threads` threads (fixed by the first call); it ends some time later, and then
  // `wakeup` becomes readable. The pool takes requests in order, up to `threads` at once, and they end in any order,
  // each no earlier than `ms` after a thread has taken it. With kOwnThread as `threads`, it has its
  // own thread, whatever the pool does.
  virtual void Submit(int64_t id, int threads, Source wakeup, std::string name, int64_t ms) = 0;
  // Ends a request at once, without doing it, if no thread has taken it yet; it is then among the ended ones.
  virtual bool Cancel(int64_t id) = 0;
  // The requests that have ended and were not yet taken, in the order in which they ended.
  virtual std::vector<int64_t> TakeEnded() = 0;
  // After TakeEnded, and with what it returned served: another one that had ended by then, if that was left open.
  // `can_wait`: all the same happens if it is taken after the next Wait.
  virtual std::optional<int64_t> TakeOneMore(bool /*can_wait*/) { return std::nullopt; }
  // Called before TakeOneMore where nothing on the stack decides how the loop continues, apart from where it is and
  // `how`. Returns false, explored only, when another run has been here and this one ends.
  virtual bool GoesOn(uint64_t /*how*/) { return true; }

  // --- child processes ---

  // Starts child `id`. It ends some time later, and the signal source is readable from then on.
  // REQUIRES: a signal source is open.
  virtual void Spawn(int64_t id, std::string name) = 0;
  // How many signals have reported the ends of children since the last call: the system may make one of several.
  virtual int SignalsOfChildren() = 0;
  // The children that have ended by now and were not yet taken, in the order in which they were started.
  virtual std::vector<int64_t> TakeEndedChildren() = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_PLATFORM_H_
