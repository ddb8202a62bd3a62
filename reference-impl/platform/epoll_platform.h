// The platform of a loop that runs for real: Linux, with epoll.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_EPOLL_PLATFORM_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_EPOLL_PLATFORM_H_

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reference-impl/platform/platform.h"
#include "reference-impl/platform/thread_pool.h"

namespace conform::reference {

// A Source is a file descriptor. One thread uses a platform, the one that made it; Wake alone may be called from any.
// What platform.h leaves open:
//  - Watch is lazy: the kernel learns of it in the next Wait, in the order of the calls. A watch that ended stays
//    known to the kernel until it stirs or is watched anew, so pausing a source costs nothing and keeps its place.
//  - The number of a source that was closed after the last Wait reported it is not given out again before the next
//    Wait: a stale report can't be mistaken for one of a newer source.
//  - Read of a signal source returns how many times RaiseSignal was called, although the kernel merges them.
//  - A child ends within the call that starts it, and is not a process: the signal that a real one sends belongs to
//    whoever else has children.
//  - At most one signal source is open at a time. A signal is raised for the calling thread alone, so platforms in
//    several threads don't receive each other's. Without an open source, where the default would be death, raising does
//    nothing.
//  - Write drops the byte when the peer has left, or when so much waits for it that the kernel takes no more: the
//    peer is readable then in any case.
class EpollPlatform final : public Platform {
 public:
  explicit EpollPlatform(Clock& clock);
  ~EpollPlatform() override;

  EpollPlatform(const EpollPlatform&) = delete;
  EpollPlatform& operator=(const EpollPlatform&) = delete;

  Clock& clock() override { return clock_; }

  void Watch(Source source, uint8_t readiness) override;
  // Also returns false when `bound` is kForever and nothing at all is watched.
  bool Wait(const WaitBound& bound, std::vector<ReadySource>* ready) override;

  Source OpenReadable() override;
  int Read(Source source) override;
  Input ReadByte(Source source) override;
  Source ConnectRefused() override;
  Source OpenWakeup() override;
  void Wake(Source wakeup) override;
  Source Listen() override;
  Source Connect(Source listener) override;
  Source Accept(Source listener) override;
  bool Write(Source source) override;
  void Shutdown(Source source) override;
  Source OpenDatagrams() override;
  void SendDatagram(Source source) override;
  bool ReceiveDatagram(Source source) override;
  Source OpenSignal() override;
  void RaiseSignal() override;
  void Close(Source source) override;

  void Submit(int64_t id, int threads, Source wakeup, std::string name, int64_t ms) override;
  bool Cancel(int64_t id) override;
  std::vector<int64_t> TakeEnded() override;

  void Spawn(int64_t id, std::string name) override;
  int SignalsOfChildren() override;
  std::vector<int64_t> TakeEndedChildren() override;

 private:
  static constexpr size_t kReadBytes = 65'536;
  static constexpr int32_t kNotQueued = -1;

  // What is known of one descriptor.
  struct Descriptor {
    bool open = false;
    bool is_wakeup = false;
    uint32_t wanted = 0;             // epoll's events as requested by Watch
    uint32_t known = 0;              // as the kernel has them
    int32_t queued_at = kNotQueued;  // its place in queue_
    int peer = -1;                   // the other end, kept open as long as this one
    uint64_t reported_by = 0;        // the number of the last Wait that reported it
  };

  Source Opened(int fd);
  void TellKernel();
  void ReleaseParked();
  // Whether a look can find nothing, which spares asking the kernel.
  bool AllIsQuiet();
  // Takes the kernel's events over to `ready`, less those that are no longer watched.
  void Report(int count, std::vector<ReadySource>* ready);
  void StirSignal();
  void CloseSignal();

  Clock& clock_;
  const int epoll_fd_;

  std::vector<Descriptor> descriptors_;  // by number
  std::vector<Source> queue_;            // watches that the kernel has to learn of; kNoSource where one was taken back
  std::vector<int> parked_;              // numbers kept from being used again until the next Wait
  int watched_ = 0;                      // how many have wanted != 0
  int watched_wakeups_ = 0;              // how many of those are wake-ups
  uint64_t wait_number_ = 1;

  // Nothing but Wake makes a wake-up readable.
  std::atomic<bool> woken_{false};       // by any thread, after the kernel has learned of it
  bool wakeups_may_be_readable_ = true;  // as far as this thread knows
  int closed_port_fd_ = -1;              // bound and never listening, so that nothing else can listen there either
  Source signal_ = kNoSource;
  bool signal_was_blocked_ = false;
  int raised_ = 0;
  int child_signals_ = 0;
  std::vector<int64_t> ended_children_;

  std::array<epoll_event, kMaxReadyPerWait> events_;
  std::unique_ptr<char[]> read_buffer_;

  std::unique_ptr<ThreadPool> pool_;         // from the first Submit on, as the next
  std::unique_ptr<ThreadPool> own_threads_;  // for kOwnThread
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_EPOLL_PLATFORM_H_
