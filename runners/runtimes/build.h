// Builds the adapters that are not ready to run as they stand, once, into the cache.
//
//   ROOT/adapters/libuv-0123456789abcdef/           a folder here is complete: it appears by one rename
//   ROOT/locks/adapter-libuv-0123456789abcdef       held by the process that builds it
//   ROOT/temporary/adapter-libuv-0123456789abcdef/  a build that is under way; left over where the lock is free
//
// The number is taken from the command that builds and from every file of the adapter's folder and of the folders that
// it names as further sources: what is edited is built anew, and two trees that differ do not share anything. When
// something is built, what the same adapter was built to before and has not been used for a day is removed.
#ifndef CONFORM_RUNNERS_RUNTIMES_BUILD_H_
#define CONFORM_RUNNERS_RUNTIMES_BUILD_H_

#include <string>

#include "runners/base/result.h"
#include "runners/harness/adapter.h"
#include "runners/runtimes/tools.h"

namespace conform {

// The folder that $out stands for, with all that the adapter builds; "" where it builds nothing. Of several processes
// that ask at once one builds, and the others wait for it. One that is killed leaves nothing that counts as built, and
// what it does leave the next build removes. The Error of a build that fails shows the last that it wrote, and says
// what to install. REQUIRES: cache_root is absolute.
Result<std::string> BuildAdapter(const Adapter& adapter, const AdapterImplementation& implementation,
                                 const std::string& cache_root, const Tools& tools);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_BUILD_H_
