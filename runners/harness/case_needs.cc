#include "runners/harness/case_needs.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

constexpr int64_t kMostDeadlineMs = 120'000;
constexpr int64_t kDeadlineFactor = 4;
// What repeats until something else stops it does not say how often that is.
constexpr int64_t kRunsOfWhatRepeats = 16;

bool Repeats(const Step& step) { return ShapeOf(step.op).comes != Comes::kOnce && !step.chained; }

// Callbacks with their labels, each written at once, in a millisecond on a slow machine.
constexpr int64_t kRunsPerMs = 5;
constexpr int64_t kMostRuns = 10'000'000;
constexpr std::array<std::string_view, 4> kNetworkModules = {"dgram", "http", "https", "net"};
// A file may do anything.
constexpr int64_t kNativeCpuMs = 300;

// How many callbacks there are, or of those the ones that start a process.
int64_t Runs(const Program& body, bool children_only) {
  int64_t sum = 0;
  for (const Step& step : body) {
    const int64_t runs = Repeats(step) ? kRunsOfWhatRepeats : step.times;
    const int64_t own = (children_only && step.op != Op::kChild ? 0 : 1) + Runs(step.body, children_only);
    sum = std::min(kMostRuns, sum + std::min(kMostRuns, runs) * std::min(kMostRuns, own));
  }
  return sum;
}

int64_t Capped(int64_t count) { return std::min(count, kMaxDescriptors + 1); }

// The names of what some step runs again.
void CollectRunAgain(const Program& body, std::set<std::string>* names) {
  for (const Step& step : body) {
    if (step.op == Op::kRefresh || step.op == Op::kStart) names->insert(step.target);
    CollectRunAgain(step.body, names);
  }
}

// Of a body that runs `runs` times.
int64_t Reads(const Program& body, int64_t runs, const std::set<std::string>& run_again) {
  int64_t sum = 0;
  for (const Step& step : body) {
    int64_t times = Capped(runs);
    if (step.op == Op::kOnly) times = Capped(std::max<int64_t>(0, std::min(step.only_to, runs) - step.only_from + 1));
    const bool repeats = Repeats(step) || run_again.contains(step.label);
    const int64_t own_runs = repeats ? std::max(kRunsOfWhatRepeats, step.times) : step.times;
    const int64_t own = (step.op == Op::kRead ? own_runs : 0) + Reads(step.body, own_runs, run_again);
    sum = Capped(sum + times * Capped(own));
  }
  return sum;
}

int64_t OwnMs(const Step& step) {
  double own = 0;
  if (TakesDelay(step.op)) own = DelayOf(step);
  if (step.op == Op::kWork) own = static_cast<double>(WorkMsOf(step));
  if (step.op == Op::kBusy) own = std::strtod(step.argument.c_str(), nullptr);
  // A delay that is not a number, or out of range, means 1 ms. One that is longer than any deadline would not be over
  // then, either: it adds nothing.
  const bool counts = own >= 0 && own <= static_cast<double>(kMostDeadlineMs);
  return counts ? std::llround(own) : 1;
}

}  // namespace

bool NeedsLoopback(const Program& program) {
  return std::any_of(program.begin(), program.end(),
                     [](const Step& step) { return ShapeOf(step.op).loopback || NeedsLoopback(step.body); });
}

bool FileNeedsLoopback(const std::string& file) {
  constexpr size_t kMaxBytes = 1 << 20;
  const Result<std::string> text = ReadFile(file, kMaxBytes);
  if (!text.ok()) return false;
  return std::any_of(kNetworkModules.begin(), kNetworkModules.end(), [&](std::string_view module) {
    return text->find("'" + std::string(module) + "'") != std::string::npos;
  });
}

bool HasLoopback() {
  static const bool has_it = [] {
    const int socket_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_fd < 0) return false;
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(1);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // Nothing is sent; the kernel looks for a way there.
    const bool found = connect(socket_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(socket_fd);
    return found;
  }();
  return has_it;
}

// With chains multiplied out, up to kMostDeadlineMs.
int64_t AskedMs(const Program& program) {
  int64_t sum = 0;
  for (const Step& step : program) {
    const int64_t one_run = std::min(kMostDeadlineMs, OwnMs(step) + AskedMs(step.body));
    sum = std::min(kMostDeadlineMs, sum + std::min(kMostDeadlineMs, one_run * step.times));
  }
  return sum;
}

int64_t LeastMs(const Program& program) {
  int64_t busy = 0;  // until this step is reached
  int64_t longest = 0;
  for (const Step& step : program) {
    if (step.op == Op::kBusy) busy = std::min(kMostDeadlineMs, busy + OwnMs(step));
    const int64_t own = step.op == Op::kBusy ? 0 : OwnMs(step) + LeastMs(step.body);
    const int64_t runs = step.chained ? step.times : 1;
    longest = std::max(longest, busy + std::min(kMostDeadlineMs, own * runs));
  }
  return std::min(kMostDeadlineMs, longest);
}

int64_t DeadlineMs(const Case& c, int64_t least_ms) {
  if (c.deadline_ms > 0) return c.deadline_ms;
  return std::min(kMostDeadlineMs, least_ms + kDeadlineFactor * AskedMs(c.program));
}

int64_t CpuBudgetMs(const Case& c, int64_t start_cpu_ms) {
  const int64_t started = (c.entry == Entry::kWorker ? 2 : 1) + Runs(c.program, /*children_only=*/true);
  const int64_t own_ms = AskedMs(c.program) + Runs(c.program, /*children_only=*/false) / kRunsPerMs;
  const int64_t native_ms = c.native.empty() ? 0 : kNativeCpuMs;
  return std::max(kLeastCpuMs, kDeadlineFactor * (started * start_cpu_ms + own_ms + native_ms));
}

int64_t DescriptorsNeeded(const Program& program) {
  std::set<std::string> run_again;
  CollectRunAgain(program, &run_again);
  return Reads(program, 1, run_again);
}

bool PausesAtTop(const Program& program) {
  return std::any_of(program.begin(), program.end(), [](const Step& step) {
    return step.op == Op::kPause || (IsBlock(step.op) && PausesAtTop(step.body));
  });
}

std::string NativeFile(const Case& c, const std::vector<std::string>& names) {
  auto it = c.native.end();
  for (const std::string& name : names) {
    if (it == c.native.end()) it = c.native.find(name);
  }
  if (it == c.native.end()) it = c.native.find("");
  if (it == c.native.end()) return "";
  const std::filesystem::path beside = std::filesystem::path(c.file).parent_path() / it->second;
  return std::filesystem::absolute(beside).lexically_normal().string();
}

}  // namespace conform
