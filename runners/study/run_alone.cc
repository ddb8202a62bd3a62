#include "runners/study/run_alone.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>

#include "runners/base/folders.h"
#include "runners/base/write_file.h"
#include "runners/harness/process.h"

namespace conform {
namespace {

constexpr int64_t kPatienceMs = 20'000;
constexpr char kPool[] = "UV_THREADPOOL_SIZE=";  // in the comment of a program that needs so many threads

// The digits behind the variable; "" where the program does not name it.
std::string PoolOf(const std::string& script) {
  const size_t at = script.find(kPool);
  if (at == std::string::npos) return "";
  const size_t begin = at + sizeof kPool - 1;
  return script.substr(begin, script.find_first_not_of("0123456789", begin) - begin);
}

}  // namespace

RunOutcome RunAlone(std::vector<std::string> command, const std::string& script, const std::string& file_name,
                    const Interrupt* interrupt) {
  const auto trouble = [](Trouble what, std::string why) {
    return RunOutcome{.trace = {}, .trouble = what, .why = std::move(why)};
  };
  const auto folder = TemporaryFolder::Make("conform-alone-");
  if (!folder) return trouble(Trouble::kCrash, folder.error().ToString());
  const std::string file = folder->File(file_name);
  if (const auto error = WriteWholeFile(file, script)) return trouble(Trouble::kCrash, error->ToString());
  ProcessRequest request;
  request.command = std::move(command);
  request.command.push_back(file);
  request.environment = OwnEnvironment();
  if (const std::string pool = PoolOf(script); !pool.empty()) request.environment["UV_THREADPOOL_SIZE"] = pool;
  request.interrupt = interrupt;
  const auto finished = RunToEnd(request, "", kPatienceMs);
  if (!finished) return trouble(Trouble::kCrash, finished.error().ToString());
  if (finished->event == Process::Event::kInterrupted) return trouble(Trouble::kInterrupted, "interrupted");
  if (finished->event != Process::Event::kEnded) return trouble(Trouble::kTimeout, "it does not end");
  if (finished->end.kind != ProcessEnd::Kind::kExited) return trouble(Trouble::kCrash, "ended by a signal");
  RunOutcome outcome;
  const auto add = [&](std::string label) { outcome.trace.events.push_back({std::move(label), {}, {}, "", ""}); };
  std::istringstream lines(finished->output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("file://")) continue;  // a runtime that says where an error is
    std::istringstream labels(line);
    for (std::string label; labels >> label;) add(label);
  }
  if (finished->end.code != 0) add(fmt::format("exit={}", finished->end.code));
  return outcome;
}

}  // namespace conform
