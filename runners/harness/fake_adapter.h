// For tests: adapters that are scripts of fakes/.
#ifndef CONFORM_RUNNERS_HARNESS_FAKE_ADAPTER_H_
#define CONFORM_RUNNERS_HARNESS_FAKE_ADAPTER_H_

#include <unistd.h>

#include <string>
#include <vector>

#include "runners/harness/adapter.h"

namespace conform {

inline AdapterCommand FakeAdapter(const std::string& script, const std::vector<std::string>& arguments) {
  // The system's own starts quickest, and without what a user or a site has added.
  const char* python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
  AdapterCommand command;
  command.option = "fake";
  command.command = {python, "-I", "-S", CONFORM_SOURCE_DIR "/runners/harness/fakes/" + script};
  command.command.insert(command.command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_FAKE_ADAPTER_H_
