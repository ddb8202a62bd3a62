// Tries an adapter out: says, step by step, what is as spec/adapter-protocol.md says and what is not. It judges no
// order.
#ifndef CONFORM_RUNNERS_HARNESS_SMOKE_H_
#define CONFORM_RUNNERS_HARNESS_SMOKE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runners/harness/adapter.h"
#include "runners/harness/messages.h"
#include "runners/harness/smoke_talk.h"
#include "runners/model/profile.h"

namespace conform {

struct SmokeCheck {
  enum class Outcome { kRight, kWrong, kSkipped };
  Outcome outcome = Outcome::kRight;
  std::string claim;  // what was looked at: "hello is answered with ready"
  std::string note;   // of one that is right: what is worth knowing; of one that was skipped: why

  // Of one that is wrong. All of it can be printed as it is.
  std::string sent;
  std::vector<std::string> received;  // lines, in a short form
  std::string got;                    // what is wrong with it
  std::string expected;
  std::string section;  // the heading in spec/adapter-protocol.md
  std::string hint;
  std::string errors;  // the last of what the adapter wrote to stderr
};

struct SmokeReport {
  std::vector<SmokeCheck> checks;
  std::optional<ReadyMessage> ready;  // how it introduced itself
  bool interrupted = false;

  int64_t Count(SmokeCheck::Outcome outcome) const;
  // Nothing is wrong. A report that was interrupted says nothing.
  bool AllRight() const { return !interrupted && Count(SmokeCheck::Outcome::kWrong) == 0; }
};

// `vocabulary`: names of capabilities that are known beside the ops of the language.
SmokeReport Smoke(const AdapterCommand& command, const Profiles& profiles, const std::vector<std::string>& vocabulary,
                  const SmokeOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_SMOKE_H_
