#include "runners/base/result.h"

namespace conform {

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
