// How the process of an adapter is started. spec/adapter-protocol.md, "Isolation".
#ifndef CONFORM_RUNNERS_HARNESS_ADAPTER_PROCESS_H_
#define CONFORM_RUNNERS_HARNESS_ADAPTER_PROCESS_H_

#include <string>

#include "runners/harness/adapter.h"
#include "runners/harness/process.h"

namespace conform {

// The command for `entry`, with the environment that an adapter gets. `run_word` is that of the guard of this process;
// "" where there is none.
ProcessRequest RequestFor(const AdapterCommand& command, Entry entry, const std::string& run_word,
                          const Interrupt* interrupt);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_ADAPTER_PROCESS_H_
