#include "trace.h"

#include <poll.h>
#include <unistd.h>
#include <uv.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace libuv_adapter {

void WriteLine(const std::string& line) {
  const std::string bytes = line + "\n";
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (written > 0) {
      at += static_cast<size_t>(written);
    } else if (errno == EAGAIN) {
      // The host of an addon may have made the descriptor non-blocking.
      pollfd wait{STDOUT_FILENO, POLLOUT, 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      std::perror("libuv adapter: standard output");
      _exit(1);
    }
  }
}

void Trace::Emit(const std::string& label) {
  ++count_;
  const std::string event = "{\"label\":\"" + label + "\",\"t_ns\":" + std::to_string(uv_hrtime()) + "}";
  if (each_) return WriteLine(Message(event, true));
  if (!events_.empty()) events_ += ',';
  events_ += event;
}

void Trace::Finish() { WriteLine(Message(events_, false)); }

std::string Trace::Message(const std::string& events, bool more) const {
  return "{\"type\":\"trace\",\"seq\":" + std::to_string(seq_) + ",\"events\":[" + events + "]" +
         (more ? ",\"more\":true}" : "}");
}

}  // namespace libuv_adapter
