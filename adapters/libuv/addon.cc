// The adapter as an addon of Node.js: it runs on the libuv inside of that binary.
//
// Node calls this function while it loads the addon. The whole session happens in there, before Node runs its own loop,
// and then the process ends without a look back: nothing of Node but its libuv takes part.
#include <unistd.h>

#include "session.h"

extern "C" __attribute__((visibility("default"))) void* napi_register_module_v1(void* /*env*/, void* /*exports*/) {
  _exit(libuv_adapter::RunSession());
}
