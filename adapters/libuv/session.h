// The conversation with conform: spec/adapter-protocol.md.
#ifndef CONFORM_ADAPTERS_LIBUV_SESSION_H_
#define CONFORM_ADAPTERS_LIBUV_SESSION_H_

namespace libuv_adapter {

// Reads messages from standard input and answers them on standard output until it is told to stop or the input ends.
// Returns the exit code of the process.
int RunSession();

}  // namespace libuv_adapter

#endif  // CONFORM_ADAPTERS_LIBUV_SESSION_H_
