// Writing a whole file.
#ifndef CONFORM_RUNNERS_BASE_WRITE_FILE_H_
#define CONFORM_RUNNERS_BASE_WRITE_FILE_H_

#include <optional>
#include <string>
#include <string_view>

#include "runners/base/result.h"

namespace conform {

// Replaces the file at once, so that whoever reads it sees the old one or the new one. A path that is no ordinary file,
// as /dev/stdout, is written to as it is. No other file is touched, whatever is there. Nothing on success.
std::optional<Error> WriteWholeFile(const std::string& path, std::string_view text);

}  // namespace conform

#endif  // CONFORM_RUNNERS_BASE_WRITE_FILE_H_
