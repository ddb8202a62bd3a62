#include "runners/harness/adapter_process.h"

#include "runners/harness/process_guard.h"

namespace conform {

ProcessRequest RequestFor(const AdapterCommand& command, Entry entry, const std::string& run_word,
                          const Interrupt* interrupt) {
  ProcessRequest request;
  const auto other = command.entries.find(entry);
  request.command = other == command.entries.end() ? command.command : other->second;
  const std::map<std::string, std::string> own = OwnEnvironment();
  std::vector<std::string> passed_on = command.environment;
  passed_on.insert(passed_on.end(), {"PATH", "HOME", "TMPDIR"});
  for (const std::string& name : passed_on) {
    if (const auto it = own.find(name); it != own.end()) request.environment.insert(*it);
  }
  for (const auto& [name, value] : command.variables) request.environment[name] = value;
  request.environment["LANG"] = "C.UTF-8";
  if (!run_word.empty()) request.environment[kRunVariable] = run_word;
  request.interrupt = interrupt;
  return request;
}

}  // namespace conform
