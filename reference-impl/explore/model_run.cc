#include "reference-impl/explore/model_run.h"

#include <utility>

#include "reference-impl/host/asyncio_host.h"
#include "reference-impl/host/documented_host.h"
#include "reference-impl/host/html_host.h"
#include "reference-impl/host/libuv_host.h"
#include "reference-impl/host/node_host.h"

namespace conform::reference {

namespace {

// More readings than this at once would make the constraints between them too many to keep.
constexpr int kMaxLiveReadings = 600;

}  // namespace

std::unique_ptr<Interpreter> MakeHost(const Case& c, const Profile& profile, Platform& platform, Recorder& recorder) {
  if (profile.family == "libuv") return std::make_unique<LibuvHost>(c, profile, platform, recorder);
  if (profile.family == "asyncio") return std::make_unique<AsyncioHost>(c, profile, platform, recorder);
  if (profile.family == "html") return std::make_unique<HtmlHost>(c, profile, platform, recorder);
  if (profile.family == "node") return std::make_unique<NodeHost>(c, profile, platform, recorder);
  return std::make_unique<DocumentedHost>(c, profile, platform, recorder);
}

SimulatedRun::SimulatedRun(const Case& c, const Profile& profile, Timing timing, Chooser& chooser, Recorder& recorder,
                           std::function<void(const Fingerprint::Value&)> at_poll)
    : recorder_(recorder),
      at_poll_(std::move(at_poll)),
      platform_(timing, chooser, [this] { BeforeWait(); }),
      host_(MakeHost(c, profile, platform_, recorder)) {}

void SimulatedRun::Run() { host_->RunCase(); }

void SimulatedRun::BeforeWait() {
  recorder_.CountStep();  // a loop that turns without end and runs nothing is ended too
  if (platform_.clock().live_readings() > kMaxLiveReadings) throw LimitHit{"clock readings"};
  Fingerprint fingerprint;
  host_->AddTo(&fingerprint);
  platform_.AddTo(&fingerprint);
  platform_.clock().AddTo(&fingerprint);
  if (at_poll_) at_poll_(fingerprint.value());
}

}  // namespace conform::reference
