// The same host and loop on the real clock, epoll and threads.
#include <utility>

#include "reference-impl/explore/deadline_platform.h"
#include "reference-impl/explore/model_run.h"
#include "reference-impl/explore/program_to_run.h"
#include "reference-impl/platform/epoll_platform.h"
#include "reference-impl/platform/system_clock.h"

namespace conform::reference {

namespace {

class RealRecorder : public Recorder {
 public:
  RealRecorder(const SystemClock& clock, int64_t deadline_ms)
      : clock_(clock), deadline_ms_(deadline_ms), start_ns_(clock.ReadNs()) {
    trace_.start_ns = 0;
  }
  void Emit(const std::string& label, const char* phase, int64_t iteration, const char* clause) override {
    trace_.events.push_back({label, clock_.ReadNs() - start_ns_, iteration, phase, clause});
  }
  void CountStep() override {
    if (clock_.ReadNs() - start_ns_ > deadline_ms_ * 1'000'000) throw LimitHit{"deadline"};
  }
  Trace Take() { return std::move(trace_); }

 private:
  const SystemClock& clock_;
  const int64_t deadline_ms_;
  const int64_t start_ns_;
  Trace trace_;
};

}  // namespace

ModelRun RunForReal(const Case& c, const Model& model, int64_t deadline_ms) {
  ModelRun result;
  SystemClock clock;
  EpollPlatform platform(clock);
  DeadlinePlatform bounded(platform, clock.Read() + deadline_ms);
  RealRecorder recorder(clock, deadline_ms);
  try {
    BelowHost below(bounded, model);
    const ProgramToRun program(c, model);
    MakeHost(*program, model, below.platform(), recorder)->RunCase();
  } catch (const LimitHit& limit) {
    result.limit_hit = limit.name;
  }
  result.trace = recorder.Take();
  return result;
}

}  // namespace conform::reference
