#include "runners/base/result.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace conform {

Error::Error() = default;
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

Error::Error(std::string what) : message(std::move(what)) {}

Error::Error(std::string what, std::string where) : message(std::move(what)), file(std::move(where)) {}

Error::Error(std::string what, std::string where, Location place)
    : message(std::move(what)), file(std::move(where)), at(place) {}

Error::Error(std::string what, std::string where, Location place, std::string remedy)
    : message(std::move(what)), file(std::move(where)), at(place), hint(std::move(remedy)) {}

Error Error::WithHint(std::string message, std::string hint) { return {std::move(message), "", {}, std::move(hint)}; }

Error Error::OfSystem(std::string_view what, int code, std::string file) {
  Error error(std::string(what).append(": ").append(std::strerror(code)), std::move(file));
  error.is_of_system = true;
  return error;
}

Error Error::OfCall(std::string_view what, int code, std::string file) {
  Error error = OfSystem(what, code, std::move(file));
  constexpr int kHasRunOut[] = {EMFILE, ENFILE, EAGAIN, ENOMEM, ENOSPC, EDQUOT, EFBIG};
  error.is_of_system = std::find(std::begin(kHasRunOut), std::end(kHasRunOut), code) != std::end(kHasRunOut);
  return error;
}

Error Error::After(std::string_view words) const {
  Error error = *this;
  error.message = std::string(words).append(message);
  return error;
}

std::string Error::ToString() const {
  std::string text;
  if (!file.empty()) {
    text += file;
    if (at.line > 0) text += ':' + std::to_string(at.line);
    if (at.column > 0) text += ':' + std::to_string(at.column);
    text += ": ";
  }
  text += message;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

}  // namespace conform
