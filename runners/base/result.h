// Result<T>: a value, or the trouble that something outside of conform caused.
#ifndef CONFORM_RUNNERS_BASE_RESULT_H_
#define CONFORM_RUNNERS_BASE_RESULT_H_

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "runners/base/check.h"

namespace conform {

// A place in a text file; line and column count from 1, 0 means unknown.
struct Location {
  int line = 0;
  int column = 0;
};

// What went wrong, for users: where, what was expected, and what may be meant.
struct Error {
  // All of these are out of line: hundreds of places make, move and drop an Error, and nothing that runs often does.
  Error();
  explicit Error(std::string message);
  Error(std::string message, std::string file);
  Error(std::string message, std::string file, Location at);
  Error(std::string message, std::string file, Location at, std::string hint);
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();

  static Error WithHint(std::string message, std::string hint);
  // What the machine does not let us do: `what` failed with the error number `code`.
  static Error OfSystem(std::string_view what, int code, std::string file = "");
  // The same, where it may also be the input that is wrong: a number of errno that says that something has run out
  // (descriptors, processes, memory, space) is of the system, every other is not.
  static Error OfCall(std::string_view what, int code, std::string file = "");
  // With `words` in front of its message.
  Error After(std::string_view words) const;

  std::string message;
  std::string file;
  Location at;
  std::string hint;           // "did you mean 'timeout'?", or empty
  bool is_of_system = false;  // neither usage nor input is wrong: a disk is full, or something may not be written

  // `file:line:column: message (hint)`, without the parts that are unknown.
  std::string ToString() const;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit by intent
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit by intent

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok().
  T& value() & {
    CONFORM_CHECK(ok());
    return std::get<T>(state_);
  }
  const T& value() const& {
    CONFORM_CHECK(ok());
    return std::get<T>(state_);
  }
  T&& value() && {
    CONFORM_CHECK(ok());
    return std::get<T>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: !ok().
  const Error& error() const {
    CONFORM_CHECK(!ok());
    return std::get<Error>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_RESULT_H_
