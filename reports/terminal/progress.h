// How far a long command is, on stderr: one line that is rewritten on a terminal, with the time that is left, and a few
// plain lines elsewhere.
#ifndef CONFORM_REPORTS_TERMINAL_PROGRESS_H_
#define CONFORM_REPORTS_TERMINAL_PROGRESS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace conform::reports {

class Progress {
 public:
  Progress(std::string what, size_t total);
  ~Progress();  // leaves no half line behind
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(size_t done, std::string_view at);
  // On a terminal, `text` above the line; elsewhere nothing. REQUIRES: `text` ends with a line end.
  void Announce(const std::string& text);
  // Takes the line off the terminal, so that what is printed next stands alone.
  void Clear();

 private:
  const std::string what_;
  const size_t total_;
  const bool terminal_;
  const int64_t began_ms_;
  std::string line_;
  size_t tenths_shown_ = 0;
  bool line_open_ = false;
};

// The same for work that says only as it goes on what it does and how much of that there is: a line for each stage.
class StagedProgress {
 public:
  void Show(const std::string& what, size_t done, size_t total, std::string_view at);
  void Clear() { stage_.reset(); }

 private:
  std::string what_;
  size_t total_ = 0;
  std::unique_ptr<Progress> stage_;
};

// " · 3 min left", from what was done in `elapsed_ms`; "" where that is too little to say.
std::string TimeLeftText(size_t done, size_t total, int64_t elapsed_ms);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_PROGRESS_H_
