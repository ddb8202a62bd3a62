// From a word of `--impl` to the command that is run.
#ifndef CONFORM_RUNNERS_RUNTIMES_CHOOSE_H_
#define CONFORM_RUNNERS_RUNTIMES_CHOOSE_H_

#include <functional>
#include <string>

#include "runners/base/result.h"
#include "runners/harness/adapter.h"
#include "runners/runtimes/find.h"
#include "runners/runtimes/tools.h"

namespace conform {

// `node@20`, `node=./out/node`, `libuv@node-24`, taken apart.
struct ImplementationWord {
  std::string text;  // as it was written
  std::string name;
  std::string version;  // "" where none is requested
  std::string path;     // "" where none is given
};
Result<ImplementationWord> ParseImplementationWord(const std::string& text);

// Finds the binary of a runtime: FindRuntime, perhaps after installing it.
using BinaryFinder = std::function<Result<FoundRuntime>(const std::string& runtime, const std::string& version)>;

// All that is needed to start what `word` means, which is one of `implementation`; what has to be built is built.
//
//   NAME             the runtime of this name on PATH, or the newest installed; where it has none: its command
//   NAME@VERSION     a release of its runtime
//   NAME@node-24     inside of a release of another runtime, where `inside` knows that one
//   NAME=PATH        its runtime by path; or its library, where it takes one
Result<AdapterCommand> ChooseCommand(const Adapter& adapter, const AdapterImplementation& implementation,
                                     const ImplementationWord& word, const BinaryFinder& find_binary,
                                     const Tools& tools);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_CHOOSE_H_
