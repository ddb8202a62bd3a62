// Output that comes piece by piece and is wanted line by line.
#ifndef CONFORM_RUNNERS_HARNESS_LINE_BUFFER_H_
#define CONFORM_RUNNERS_HARNESS_LINE_BUFFER_H_

#include <cstddef>
#include <string>

namespace conform {

// The time that all calls take together is linear in what is appended, however it is cut into pieces and lines.
class LineBuffer {
 public:
  void Append(const char* bytes, size_t count) { text_.append(bytes, count); }

  // The next whole line, without its end.
  bool TakeLine(std::string* line) {
    const size_t end = text_.find('\n', searched_);
    if (end == std::string::npos) {
      searched_ = text_.size();
      return false;
    }
    line->assign(text_, taken_, end - taken_);
    taken_ = searched_ = end + 1;
    // Moving what is left costs its length: do it when as much was taken, and the sum stays linear.
    if (taken_ > text_.size() / 2) {
      text_.erase(0, taken_);
      taken_ = searched_ = 0;
    }
    return true;
  }

  std::string TakeAll() {
    std::string rest = text_.substr(taken_);
    text_.clear();
    taken_ = searched_ = 0;
    return rest;
  }

 private:
  std::string text_;
  size_t taken_ = 0;     // before this, all was given
  size_t searched_ = 0;  // before this, there is no end of a line that was not given
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_LINE_BUFFER_H_
