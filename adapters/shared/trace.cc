#include "trace.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>

namespace loop_adapter {

int64_t NowNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void WriteLine(const std::string& line) {
  const std::string bytes = line + "\n";
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (written > 0) {
      at += static_cast<size_t>(written);
    } else if (errno == EAGAIN) {
      // Where the adapter is an addon, its host may have made the descriptor non-blocking.
      pollfd wait{STDOUT_FILENO, POLLOUT, 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      std::perror("adapter: standard output");
      _exit(1);
    }
  }
}

Trace::Trace(int64_t seq, bool each, bool with_start)
    : seq_(seq), each_(each), start_(with_start ? ",\"start_ns\":" + std::to_string(NowNs()) : "") {}

void Trace::Emit(const std::string& label) {
  ++count_;
  if (!events_.empty()) events_ += ',';
  events_ += "{\"label\":\"" + label + "\",\"t_ns\":" + std::to_string(NowNs()) + "}";
  if (!each_) return;
  WriteLine(Message(/*more=*/true));
  events_.clear();
}

void Trace::Finish() { WriteLine(Message(/*more=*/false)); }

std::string Trace::Message(bool more) const {
  return "{\"type\":\"trace\",\"seq\":" + std::to_string(seq_) + start_ + ",\"events\":[" + events_ + "]" +
         (more ? ",\"more\":true}" : "}");
}

}  // namespace loop_adapter
