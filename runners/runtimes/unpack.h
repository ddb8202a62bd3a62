// Takes the one binary out of the archive of a package.
#ifndef CONFORM_RUNNERS_RUNTIMES_UNPACK_H_
#define CONFORM_RUNNERS_RUNTIMES_UNPACK_H_

#include <optional>
#include <string>

#include "runners/base/result.h"
#include "runners/runtimes/tools.h"

namespace conform {

// Puts the member TOP/`binary` of `archive` at `folder`/`binary`, and nothing else of it anywhere: whatever the names
// and links of the other members are, they are not unpacked. The oldest packages hold one archive that in turn holds
// the binary. `folder` is there and empty; beside it there may be files of this function.
std::optional<Error> UnpackBinary(const std::string& archive, const std::string& binary, const std::string& folder,
                                  const Tools& tools);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_UNPACK_H_
