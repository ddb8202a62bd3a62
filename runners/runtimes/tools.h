// Runs the programs that installing needs: npm, tar, sha512sum, and the new binary itself.
#ifndef CONFORM_RUNNERS_RUNTIMES_TOOLS_H_
#define CONFORM_RUNNERS_RUNTIMES_TOOLS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/harness/process.h"

namespace conform {

struct Tools {
  std::map<std::string, std::string> environment;  // all of the person's: npm has its own settings and proxies there
  const Interrupt* interrupt = nullptr;

  // Runs it in `folder` to the end; an Error where it cannot be started, takes longer, writes too much or is
  // interrupted. How it ended is for the caller to judge.
  Result<Finished> Run(const std::vector<std::string>& command, const std::string& folder, int64_t timeout_ms) const;

  // Its output, or an Error with the last that it wrote to stderr where it ends with another code than 0.
  Result<std::string> Output(const std::vector<std::string>& command, const std::string& folder,
                             int64_t timeout_ms) const;

  // The file that a name means on PATH; nothing where there is none.
  std::optional<std::string> OnPath(const std::string& name) const;
};

// A file that can be run.
bool IsProgram(const std::string& path);

// What a program wrote, for a message: its last line with text, without control characters, and not too long.
std::string LastLine(const std::string& text);
std::string ForMessage(const std::string& text);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_TOOLS_H_
