// The adapter as an addon of Node.js: it runs on the libuv inside of that binary.
//
// An addon tells Node about itself while it is loaded, and Node then calls its function. The whole session happens in
// there, before Node runs its own loop, and the process ends without a look back: nothing of Node but its libuv takes
// part. The description below has had this form since Node 0.12, and with it no headers of Node are needed. Node asks
// that its first field is the number of its own binary interface, which load.cjs passes on.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "adapter.h"

namespace {

struct Description {
  int interface_number = 0;
  unsigned flags = 0;
  void* library = nullptr;
  const char* file = nullptr;
  void (*start)(void* exports, void* module, void* data) = nullptr;
  void (*start_in_context)(void* exports, void* module, void* context, void* data) = nullptr;
  const char* name = nullptr;
  void* data = nullptr;
  Description* next = nullptr;
};

void Start(void* /*exports*/, void* /*module*/, void* /*data*/) { _exit(libuv_adapter::RunSession()); }

// Runs when the addon is loaded.
__attribute__((constructor)) void Introduce() {
  static Description description;
  const char* number = std::getenv("CONFORM_NODE_INTERFACE");
  auto* tell = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "node_module_register"));
  if (number == nullptr || tell == nullptr) return;
  description.interface_number = std::atoi(number);
  description.file = "addon.node";
  description.start = Start;
  description.name = "addon";
  tell(&description);
}

}  // namespace
