#include "reference-impl/explore/model_run.h"

#include "reference-impl/explore/rules/model_rules.h"
#include "reference-impl/host/asyncio_host.h"
#include "reference-impl/host/documented_host.h"
#include "reference-impl/host/html_host.h"
#include "reference-impl/host/libuv_host.h"
#include "reference-impl/host/node_host.h"

namespace conform::reference {

namespace {

// More readings than this at once would make the constraints between them too many to keep.
constexpr int kMaxLiveReadings = 600;
// From here on it costs more to keep them than to find those that are not needed.
constexpr int kManyReadings = 48;

}  // namespace

std::unique_ptr<Interpreter> MakeHost(const Case& c, const Model& model, Platform& platform, Recorder& recorder) {
  using Host = std::unique_ptr<Interpreter>;
  struct Maker {
    Host operator()(const LoopRules& rules) const { return std::make_unique<LibuvHost>(c, rules, platform, recorder); }
    Host operator()(const NodeRules& rules) const { return std::make_unique<NodeHost>(c, rules, platform, recorder); }
    Host operator()(const AsyncioRules& rules) const {
      return std::make_unique<AsyncioHost>(c, rules, platform, recorder);
    }
    Host operator()(const HtmlRules& rules) const { return std::make_unique<HtmlHost>(c, rules, platform, recorder); }
    Host operator()(const DocumentedRules& rules) const {
      return std::make_unique<DocumentedHost>(c, rules, platform, recorder);
    }
    const Case& c;
    Platform& platform;
    Recorder& recorder;
  };
  return std::visit(Maker{c, platform, recorder}, model.rules().host);
}

BelowHost::BelowHost(Platform& platform, const Model& model) : platform_(platform) {
  const PlatformRules& rules = model.rules().platform;
  if (rules != PlatformRules{}) deviating_.emplace(platform, rules);
}

SimulatedRun::SimulatedRun(const Case& c, const Model& model, Timing timing, Chooser& chooser, Recorder& recorder,
                           RunObserver* observer, const RecordedBounds* bounds)
    : recorder_(recorder),
      observer_(observer),
      platform_(
          timing, chooser, [this] { return BeforeWait(); },
          [this](bool may_leave, bool is_open) {
            return observer_ == nullptr || observer_->AtRest(may_leave, is_open);
          },
          [this](uint64_t how) { return BeforeNext(how); }),
      below_(platform_, model),
      host_(MakeHost(c, model, below_.platform(), recorder)) {
  if (bounds != nullptr) platform_.clock().Hold(*bounds);
}

void SimulatedRun::Run() { host_->RunCase(); }

void SimulatedRun::Continue() { host_->ContinueCase(); }

bool SimulatedRun::BeforeWait() {
  recorder_.CountStep();  // a loop that turns without end and runs nothing is ended too
  if (observer_ != nullptr && observer_->IsOver()) return false;
  if (platform_.clock().live_readings() > kMaxLiveReadings) throw LimitHit{"clock readings"};
  // To describe the state is also to forget readings that nothing refers to.
  const bool wanted = observer_ == nullptr || observer_->WantsState();
  if (!wanted && platform_.clock().live_readings() < kManyReadings) return true;
  const Fingerprint::Value state = State(0);
  return observer_ == nullptr || !wanted || observer_->AtState(state);
}

bool SimulatedRun::BeforeNext(uint64_t how) {
  if (observer_ == nullptr) return true;
  if (observer_->IsOver()) return false;
  return !observer_->WantsState() || observer_->AtState(State(how));
}

Fingerprint::Value SimulatedRun::State(uint64_t where) {
  Fingerprint fingerprint;
  fingerprint.Add(where);
  host_->AddTo(&fingerprint);
  platform_.AddTo(&fingerprint);
  below_.AddTo(&fingerprint);
  platform_.clock().AddTo(&fingerprint);
  return fingerprint.value();
}

}  // namespace conform::reference
