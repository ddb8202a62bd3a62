#include "reference-impl/platform/epoll_platform.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {
namespace {

constexpr int kSignal = SIGUSR2;
constexpr int kSocketFlags = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

uint32_t ToEvents(uint8_t readiness) {
  return ((readiness & kReadable) ? uint32_t{EPOLLIN} : 0) | ((readiness & kWritable) ? uint32_t{EPOLLOUT} : 0);
}

uint8_t ToReadiness(uint32_t events) {
  return static_cast<uint8_t>(((events & EPOLLIN) ? kReadable : 0) | ((events & EPOLLOUT) ? kWritable : 0));
}

void WriteEventFd(int fd) {
  const uint64_t one = 1;
  // It fails only when 2^64 - 2 wake-ups wait to be read, and then there is one to read.
  [[maybe_unused]] ssize_t written = write(fd, &one, sizeof one);
}

sigset_t SignalSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, kSignal);
  return set;
}

// One trip through the pool: a file operation that is short and always possible.
void StatRoot() {
  struct stat unused;
  CONFORM_CHECK(stat("/", &unused) == 0);
}

}  // namespace

EpollPlatform::EpollPlatform(Clock& clock)
    : clock_(clock),
      epoll_fd_(Obtained(epoll_create1(EPOLL_CLOEXEC), "an epoll descriptor")),
      read_buffer_(new char[kReadBytes]) {}

EpollPlatform::~EpollPlatform() {
  pool_.reset();  // its threads write to descriptors that are closed below
  own_threads_.reset();
  for (size_t fd = 0; fd < descriptors_.size(); ++fd) {
    if (descriptors_[fd].open) Close(static_cast<Source>(fd));
  }
  ReleaseParked();
  if (closed_port_fd_ >= 0) close(closed_port_fd_);
  close(epoll_fd_);
}

// --- readiness ---

void EpollPlatform::Watch(Source source, uint8_t readiness) {
  Descriptor& it = descriptors_[source];
  CONFORM_CHECK(it.open);
  const uint32_t wanted = ToEvents(readiness);
  const int change = (wanted != 0) - (it.wanted != 0);
  watched_ += change;
  if (it.is_wakeup) watched_wakeups_ += change;
  it.wanted = wanted;
  if (wanted == 0) {
    if (it.queued_at != kNotQueued) queue_[it.queued_at] = kNoSource;
    it.queued_at = kNotQueued;
  } else if (wanted != it.known && it.queued_at == kNotQueued) {
    it.queued_at = static_cast<int32_t>(queue_.size());
    queue_.push_back(source);
  }
}

void EpollPlatform::TellKernel() {
  for (Source source : queue_) {
    if (source == kNoSource) continue;
    Descriptor& it = descriptors_[source];
    it.queued_at = kNotQueued;
    if (it.wanted == it.known) continue;
    epoll_event event{};
    event.events = it.wanted;
    event.data.fd = source;
    CONFORM_CHECK(epoll_ctl(epoll_fd_, it.known == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, source, &event) == 0);
    it.known = it.wanted;
  }
  queue_.clear();
}

// spec: poll.ready-in-start-order, poll.data-waiting-is-ready. The kernel does both: it learns of descriptors in the
// order in which they are watched.
bool EpollPlatform::Wait(const WaitBound& bound, std::vector<ReadySource>* ready) {
  ready->clear();
  ++wait_number_;
  if (!parked_.empty()) ReleaseParked();
  if (!queue_.empty()) {
    TellKernel();
    wakeups_may_be_readable_ = true;  // one that was woken before it was watched
  }

  int64_t left_ms = 0;
  switch (bound.kind) {
    case WaitBound::Kind::kNoWait:
      if (AllIsQuiet()) return true;
      break;
    case WaitBound::Kind::kUntil:
      // From the loop's cached time, as it is: a loop that is late waits too long, and finds its timer due all the
      // same.
      left_ms = std::max<int64_t>(0, bound.deadline.ms - bound.base.ms);
      break;
    case WaitBound::Kind::kForever:
      if (watched_ == 0) return false;
      left_ms = -1;
      break;
  }

  for (;;) {
    const int timeout_ms = static_cast<int>(std::min<int64_t>(left_ms, std::numeric_limits<int>::max()));
    const int count = epoll_wait(epoll_fd_, events_.data(), kMaxReadyPerWait, timeout_ms);
    CONFORM_CHECK(count >= 0 || errno == EINTR);
    wakeups_may_be_readable_ = count < 0 || count == kMaxReadyPerWait;  // whatever the kernel had no room to say
    if (count > 0) Report(count, ready);
    if (!ready->empty() || left_ms == 0) return true;
    // Interrupted, woken for nothing, or early: the kernel's milliseconds don't turn over when the clock's do.
    if (left_ms > 0) {
      left_ms = bound.deadline.ms - clock_.Read().ms;
      if (left_ms <= 0) return true;
    }
  }
}

bool EpollPlatform::AllIsQuiet() {
  if (watched_ > watched_wakeups_) return false;
  if (watched_ == 0) return true;
  // Taken back before the kernel is asked: a wake-up that comes later is seen by the kernel or by the next look.
  if (woken_.load(std::memory_order_relaxed) && woken_.exchange(false, std::memory_order_acquire))
    wakeups_may_be_readable_ = true;
  return !wakeups_may_be_readable_;
}

void EpollPlatform::Report(int count, std::vector<ReadySource>* ready) {
  for (int i = 0; i < count; ++i) {
    const Source source = events_[i].data.fd;
    Descriptor& it = descriptors_[source];
    if (it.is_wakeup) wakeups_may_be_readable_ = true;  // for all that is known, it is never read
    if (it.wanted == 0) {
      CONFORM_CHECK(epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, source, nullptr) == 0);
      it.known = 0;
      continue;
    }
    // A failure or a hang-up makes a source ready for whatever is wanted of it; using it shows what happened.
    const bool over = (events_[i].events & (EPOLLERR | EPOLLHUP)) != 0;
    uint32_t events = events_[i].events & it.wanted;
    if (events == 0 && over) events = it.wanted;
    if (events == 0) continue;
    it.reported_by = wait_number_;
    ready->push_back({source, static_cast<uint8_t>(ToReadiness(events) | (over ? kHangup : 0))});
  }
}

// --- sources ---

Source EpollPlatform::Opened(int fd) {
  Obtained(fd, "a descriptor");
  if (descriptors_.size() <= static_cast<size_t>(fd)) descriptors_.resize(fd + 1);
  descriptors_[fd] = Descriptor{};
  descriptors_[fd].open = true;
  return fd;
}

Source EpollPlatform::OpenReadable() {
  int ends[2];
  Obtained(pipe2(ends, O_NONBLOCK | O_CLOEXEC), "a pipe");
  CONFORM_CHECK(write(ends[1], "x", 1) == 1);
  const Source source = Opened(ends[0]);
  descriptors_[source].peer = ends[1];  // closing it would be a hang-up
  return source;
}

int EpollPlatform::Read(Source source) {
  const ssize_t bytes = read(source, read_buffer_.get(), kReadBytes);
  if (bytes < 0) return errno == EAGAIN || errno == EINTR ? -1 : 0;  // a broken connection is at its end
  if (source == signal_) {
    const int raised = std::max(raised_, 1);  // at least once, by somebody else
    raised_ = 0;
    return raised;
  }
  return static_cast<int>(bytes);
}

Input EpollPlatform::ReadByte(Source source) {
  const ssize_t bytes = recv(source, read_buffer_.get(), 1, 0);
  if (bytes > 0) return Input::kByte;
  if (bytes == 0) return Input::kEnd;
  return errno == EAGAIN || errno == EINTR ? Input::kNothingYet : Input::kReset;
}

Source EpollPlatform::ConnectRefused() {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (closed_port_fd_ < 0) {
    closed_port_fd_ = Obtained(socket(AF_INET, kSocketFlags, 0), "a socket");
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CONFORM_CHECK(bind(closed_port_fd_, reinterpret_cast<sockaddr*>(&address), size) == 0);
  }
  CONFORM_CHECK(getsockname(closed_port_fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const Source source = Opened(socket(AF_INET, kSocketFlags, 0));
  // Whether it fails now or later, the socket is writable from then on, and that is how the loop learns of it.
  CONFORM_CHECK(connect(source, reinterpret_cast<sockaddr*>(&address), size) != 0);
  return source;
}

Source EpollPlatform::OpenWakeup() {
  const Source source = Opened(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  descriptors_[source].is_wakeup = true;
  return source;
}

void EpollPlatform::Wake(Source wakeup) {
  WriteEventFd(wakeup);
  woken_.store(true, std::memory_order_release);
}

Source EpollPlatform::Listen() {
  const Source source = Opened(socket(AF_UNIX, kSocketFlags, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // An address of the family alone asks the kernel for a free name, which leaves no file behind.
  CONFORM_CHECK(bind(source, reinterpret_cast<sockaddr*>(&address), sizeof address.sun_family) == 0);
  CONFORM_CHECK(listen(source, SOMAXCONN) == 0);
  return source;
}

Source EpollPlatform::Connect(Source listener) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  CONFORM_CHECK(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const Source source = Opened(socket(AF_UNIX, kSocketFlags, 0));
  CONFORM_CHECK(connect(source, reinterpret_cast<sockaddr*>(&address), size) == 0);
  return source;
}

Source EpollPlatform::Accept(Source listener) {
  const int fd = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    const bool none_waits = errno == EAGAIN || errno == ECONNABORTED || errno == EINTR;
    if (!none_waits) Obtained(fd, "a connection");
    return kNoSource;
  }
  return Opened(fd);
}

bool EpollPlatform::Write(Source source) {
  const ssize_t sent = send(source, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  CONFORM_CHECK(sent == 1 || errno == EAGAIN || errno == EPIPE || errno == ECONNRESET);
  return sent == 1 || errno == EAGAIN;
}

void EpollPlatform::Shutdown(Source source) { shutdown(source, SHUT_WR); }

Source EpollPlatform::OpenDatagrams() {
  const Source source = Opened(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  CONFORM_CHECK(bind(source, any, size) == 0 && getsockname(source, any, &size) == 0);
  CONFORM_CHECK(connect(source, any, size) == 0);
  return source;
}

void EpollPlatform::SendDatagram(Source source) { CONFORM_CHECK(send(source, "x", 1, 0) == 1); }

bool EpollPlatform::ReceiveDatagram(Source source) { return recv(source, read_buffer_.get(), kReadBytes, 0) > 0; }

Source EpollPlatform::OpenSignal() {
  CONFORM_CHECK(signal_ == kNoSource);
  const sigset_t set = SignalSet();
  sigset_t before;
  CONFORM_CHECK(pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
  signal_was_blocked_ = sigismember(&before, kSignal) == 1;
  signal_ = Opened(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  raised_ = 0;
  return signal_;
}

void EpollPlatform::RaiseSignal() {
  if (signal_ == kNoSource) return;
  ++raised_;
  StirSignal();
}

// To this thread alone: it is the one that reads the signal, and no other is known to have it blocked.
void EpollPlatform::StirSignal() { CONFORM_CHECK(pthread_kill(pthread_self(), kSignal) == 0); }

void EpollPlatform::CloseSignal() {
  // What is still pending would be delivered as soon as the signal is let through.
  while (read(signal_, read_buffer_.get(), kReadBytes) > 0) {
  }
  if (!signal_was_blocked_) {
    const sigset_t set = SignalSet();
    CONFORM_CHECK(pthread_sigmask(SIG_UNBLOCK, &set, nullptr) == 0);
  }
  signal_ = kNoSource;
}

void EpollPlatform::Close(Source source) {
  CONFORM_CHECK(descriptors_[source].open);
  Watch(source, 0);
  Descriptor& it = descriptors_[source];
  for (ThreadPool* pool : {pool_.get(), own_threads_.get()}) {
    if (it.is_wakeup && pool != nullptr) pool->Forget(source);
  }
  if (source == signal_) CloseSignal();
  if (it.known != 0) CONFORM_CHECK(epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, source, nullptr) == 0);
  if (it.peer >= 0) close(it.peer);
  if (it.reported_by == wait_number_) {
    // Closes the source now and keeps its number taken.
    CONFORM_CHECK(dup3(epoll_fd_, source, O_CLOEXEC) == source);
    parked_.push_back(source);
  } else {
    close(source);
  }
  it = Descriptor{};
}

void EpollPlatform::ReleaseParked() {
  for (int fd : parked_) close(fd);
  parked_.clear();
}

// --- the pool ---

void EpollPlatform::Submit(int64_t id, int threads, Source wakeup, std::string /*name*/, int64_t ms) {
  std::unique_ptr<ThreadPool>& pool = threads == kOwnThread ? own_threads_ : pool_;
  if (pool == nullptr) {
    const int many = threads == kOwnThread ? 1 : threads;
    pool = std::make_unique<ThreadPool>(many, ThreadPool::Hooks{StatRoot, [this](int whom) { Wake(whom); }});
  }
  pool->Submit(id, wakeup, ms);
}

bool EpollPlatform::Cancel(int64_t id) { return pool_ != nullptr && pool_->Cancel(id); }

std::vector<int64_t> EpollPlatform::TakeEnded() {
  std::vector<int64_t> ended = pool_ == nullptr ? std::vector<int64_t>{} : pool_->TakeEnded();
  if (own_threads_ == nullptr) return ended;
  const std::vector<int64_t> others = own_threads_->TakeEnded();
  ended.insert(ended.end(), others.begin(), others.end());
  return ended;
}

// --- child processes ---

void EpollPlatform::Spawn(int64_t id, std::string /*name*/) {
  CONFORM_CHECK(signal_ != kNoSource);
  ended_children_.push_back(id);
  ++child_signals_;
  StirSignal();
}

int EpollPlatform::SignalsOfChildren() { return std::exchange(child_signals_, 0); }

std::vector<int64_t> EpollPlatform::TakeEndedChildren() { return std::exchange(ended_children_, {}); }

}  // namespace conform::reference
