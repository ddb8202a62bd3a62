// A session with conform, on the libuv that this is linked to or loaded into.
#ifndef CONFORM_ADAPTERS_LIBUV_ADAPTER_H_
#define CONFORM_ADAPTERS_LIBUV_ADAPTER_H_

namespace libuv_adapter {

// Reads messages from standard input and answers them on standard output until it is told to stop or the input ends.
// Returns the exit code of the process.
int RunSession();

}  // namespace libuv_adapter

#endif  // CONFORM_ADAPTERS_LIBUV_ADAPTER_H_
