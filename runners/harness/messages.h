// The messages of the adapter protocol. spec/adapter-protocol.md, spec/schemas/protocol/
#ifndef CONFORM_RUNNERS_HARNESS_MESSAGES_H_
#define CONFORM_RUNNERS_HARNESS_MESSAGES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"
#include "runners/model/trace.h"

namespace conform {

inline constexpr int kProtocolVersion = 1;
inline constexpr int kMaxJsonDepth = 32;
inline constexpr size_t kMaxTraceLabel = 200;
// Of one trace one more is kept than this, so that too many differ from many; the rest is read and dropped.
inline constexpr size_t kMaxMessageEvents = 250'000;

// To an adapter. One line each, with its line end.
std::string HelloLine();
struct RunRequest {
  int64_t seq = 1;
  Entry entry = Entry::kScript;
  const Program* program = nullptr;  // or `native`
  std::string native;                // an absolute path
  bool console = false;              // with `native`: what it prints with console.log are labels
  int descriptors = 0;               // 3, 4, …
  bool flush_each = false;
};
std::string RunLine(const RunRequest& request);
std::string StopLine();

// From an adapter.
struct ReadyMessage {
  std::string name, version;
  std::map<std::string, std::string> details;
  std::string claimed_profile, claimed_version;  // "" where it claims none
  std::optional<std::vector<std::string>> ops;
  enum class Isolation { kProcess, kSession };
  Isolation isolation = Isolation::kProcess;
};
struct TraceMessage {
  int64_t seq = 0;
  std::vector<TraceEvent> events;
  bool more = false;
  std::optional<int64_t> start_ns;
};
struct UnsupportedMessage {
  int64_t seq = 0;
  std::string op;
};
struct ErrorMessage {
  int64_t seq = 0;
  std::string message;
  bool broken = false;  // the implementation is, and not the adapter
};
using AdapterMessage = std::variant<ReadyMessage, TraceMessage, UnsupportedMessage, ErrorMessage>;

// One line without its line end. The error says, for the author of the adapter, what is wrong with which field; it
// quotes what was written only in a short form that is safe to print.
Result<AdapterMessage> ParseAdapterMessage(std::string_view line);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_MESSAGES_H_
