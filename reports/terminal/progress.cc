#include "reports/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "runners/base/output.h"
#include "runners/harness/process.h"

namespace conform {
namespace {

// What is done sooner than one looks up needs no lines in a log: few things, unless they take their time.
constexpr size_t kWorthLines = 1'000;
constexpr int64_t kWorthLinesAfterMs = 30'000;

void Say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(std::string what, size_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) == 1), began_ms_(SteadyMs()) {}

Progress::~Progress() { Clear(); }

void Progress::Clear() {
  if (line_open_) Say("\r\033[K");
  line_open_ = false;
}

void Progress::Show(size_t done, std::string_view at) {
  if (terminal_) {
    line_open_ = true;
    Say("\r\033[K" + Cut(TerminalText(fmt::format("{} of {} {}  {}", done, total_, what_, at)), kLineWidth - 1));
    return;
  }
  const size_t tenths = done * 10 / total_;
  const bool is_long = total_ >= kWorthLines || SteadyMs() - began_ms_ >= kWorthLinesAfterMs;
  if (!is_long || tenths == tenths_shown_) return;
  tenths_shown_ = tenths;
  Say(fmt::format("conform: {} of {} {}\n", done, total_, what_));
}

}  // namespace conform
