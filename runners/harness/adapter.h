// Adapters as their adapter.yaml describes them. spec/adapter-protocol.md
#ifndef CONFORM_RUNNERS_HARNESS_ADAPTER_H_
#define CONFORM_RUNNERS_HARNESS_ADAPTER_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"

namespace conform {

struct AdapterImplementation {
  std::string name;                                   // "node", "bun", …
  std::string runtime;                                // "node"; "" where the command names its own program
  std::vector<std::string> command;                   // files of the folder as absolute paths; "$runtime" as it is
  std::map<Entry, std::vector<std::string>> entries;  // other commands for other entries
  std::vector<std::string> esm_await;                 // for the entry esm where the main body pauses; empty: as without
  std::vector<std::string> alone;                     // runs a program without the adapter; empty: it cannot be run
  bool prints = false;                                // the runtime may print its own lines among the messages
  std::string install;             // what to install where the program is missing, or cannot be built: "python3-uvloop"
  std::vector<std::string> build;  // run in the folder before the first start; empty where nothing is built
  std::vector<std::string> sources;  // other folders that the build reads, absolute
  std::string library;               // the variable that takes the path of NAME=./library.so; "" where it takes none
  std::map<std::string, std::vector<std::string>> inside;  // by runtime: commands that run it inside of one
};

struct Adapter {
  std::string name;
  std::string title;
  std::string folder;  // absolute
  std::vector<AdapterImplementation> implementations;
  std::vector<std::string> environment;          // variables that are passed on where they are set
  std::map<std::string, std::string> variables;  // that are set
};

// Reads `folder`/adapter.yaml. Errors carry file, line and column.
Result<Adapter> LoadAdapter(const std::string& folder);
// The text of its adapter.yaml, which is `file` in errors, as if it were in `folder`, an absolute path.
Result<Adapter> ParseAdapter(const std::string& text, const std::string& file, const std::string& folder);

// Every folder right below `folder` that holds an adapter.yaml, by name; none where `folder` is not there. What is
// wrong with one is reported and keeps no other from being used; of two that share the name of an implementation, the
// second is wrong.
struct LoadedAdapters {
  std::vector<Adapter> adapters;
  std::vector<Error> errors;
};
LoadedAdapters LoadAdapters(const std::string& folder);

// A file that the command names, and the folder has not: it would be looked for wherever conform runs.
std::optional<Error> MissingFile(const Adapter& adapter, const AdapterImplementation& implementation);

// One implementation of one adapter with the binary that it is to run on: all that is needed to start it.
struct AdapterCommand {
  std::string option;    // the word that means it on the command line: "node@24", "node=./out/node"
  bool by_path = false;  // given by path, or inside of a runtime: the option is its name in results, too
  std::vector<std::string> command;
  std::map<Entry, std::vector<std::string>> entries;
  std::vector<std::string> environment;
  std::map<std::string, std::string> variables = {};
  std::vector<std::string> esm_await = {};
  std::vector<std::string> alone = {};  // without the adapter: the file of a program follows
  std::string install = "";             // Debian packages to name where it does not work
  bool prints = false;
  std::set<std::string> names_of_others = {};  // where it introduces itself by one of these, the option is its name
};
// `binary` takes the place of $runtime, and `out`, the folder that holds what was built, that of $out.
AdapterCommand MakeCommand(const Adapter& adapter, const AdapterImplementation& implementation,
                           const std::string& option, const std::string& binary, const std::string& out = "");
// The command that runs it inside of `runtime`. REQUIRES: implementation.inside has it.
AdapterCommand MakeCommandInside(const Adapter& adapter, const AdapterImplementation& implementation,
                                 const std::string& runtime, const std::string& option, const std::string& binary,
                                 const std::string& out);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_ADAPTER_H_
