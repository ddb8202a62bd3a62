#include "reports/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "runners/base/output.h"
#include "runners/harness/process.h"

namespace conform::reports {
namespace {

// What is done sooner than one looks up needs no lines in a log: few things, unless they take their time.
constexpr size_t kWorthLines = 1'000;
constexpr int64_t kWorthLinesAfterMs = 30'000;
// What is known of the time left before this is a guess.
constexpr int64_t kGuessedBeforeMs = 5'000;

void Say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string TimeLeftText(size_t done, size_t total, int64_t elapsed_ms) {
  if (done == 0 || done >= total || elapsed_ms < kGuessedBeforeMs) return "";
  const double left_s =
      static_cast<double>(elapsed_ms) * static_cast<double>(total - done) / static_cast<double>(done) / 1'000;
  if (left_s < 60) return fmt::format(" · {:.0f} s left", left_s + 0.5);
  if (left_s < 90 * 60) return fmt::format(" · {:.0f} min left", left_s / 60);
  return fmt::format(" · {:.1f} h left", left_s / 3'600);
}

Progress::Progress(std::string what, size_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) == 1), began_ms_(SteadyMs()) {}

Progress::~Progress() { Clear(); }

void Progress::Clear() {
  if (line_open_) Say("\r\033[K");
  line_open_ = false;
}

void Progress::Announce(const std::string& text) {
  if (terminal_ && !text.empty()) Say("\r\033[K" + TerminalText(text) + (line_open_ ? line_ : ""));
}

void Progress::Show(size_t done, std::string_view at) {
  if (terminal_) {
    line_open_ = true;
    const std::string left = TimeLeftText(done, total_, SteadyMs() - began_ms_);
    line_ = Cut(TerminalText(fmt::format("{} of {} {}{}  {}", done, total_, what_, left, at)), kLineWidth - 1);
    Say("\r\033[K" + line_);
    return;
  }
  const size_t tenths = done * 10 / total_;
  const bool is_long = total_ >= kWorthLines || SteadyMs() - began_ms_ >= kWorthLinesAfterMs;
  if (!is_long || tenths == tenths_shown_) return;
  tenths_shown_ = tenths;
  Say(fmt::format("conform: {} of {} {}\n", done, total_, what_));
}

void StagedProgress::Show(const std::string& what, size_t done, size_t total, std::string_view at) {
  if (stage_ == nullptr || what != what_ || total != total_) stage_ = std::make_unique<Progress>(what, total);
  what_ = what;
  total_ = total;
  stage_->Show(done, at);
}

}  // namespace conform::reports
