#include "reference-impl/host/rejections.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace conform::reference {

namespace {

const Where kHandledLater{"rejections", "rejections.handled-later"};

}  // namespace

void Rejections::Add(const PromisePtr& promise) {
  if (core_.rules().rejections == NodeRules::Rejections::kIgnored) return;
  if (core_.rules().rejection_report == NodeRules::RejectionReport::kAtOnce) {
    warned_.push_back(promise);
    Report(promise);
    return;
  }
  pending_.push_back(promise);
  core_.RejectionIsPending();
}

void Rejections::Handle(const PromisePtr& promise) {
  const auto pending = std::find(pending_.begin(), pending_.end(), promise);
  if (pending != pending_.end()) {
    if (core_.rules().rejection_report != NodeRules::RejectionReport::kAlsoIfHandled) pending_.erase(pending);
    // spec: rejections.after-microtasks. Some releases take this for the end of all rejections.
    if (core_.rules().rejection_flag == NodeRules::RejectionFlag::kCleared) core_.ForgetRejections();
    return;
  }
  const auto warned = std::find(warned_.begin(), warned_.end(), promise);
  if (warned == warned_.end() || core_.rules().handled_late == NodeRules::HandledLate::kSilent) return;
  warned_.erase(warned);
  if (core_.rules().drain == NodeRules::Drain::kTicksThenMicrotaskTick) {
    struct Handled : InternalTick {
      NodeCore* core;
      Outcome Run() override {
        Outcome outcome;
        core->EmitEvent("handled", "", kHandledLater, &outcome);
        return outcome;
      }
      void AddTo(Fingerprint* fingerprint) const override { fingerprint->Add("rejection handled"); }
    };
    auto handled = std::make_shared<Handled>();
    handled->core = &core_;
    core_.QueueInternalTick(handled);
    return;
  }
  handled_late_.push_back(promise);
  core_.RejectionIsPending();
}

// spec: rejections.after-microtasks, rejections.handled-later, rejections.handler-rejects
bool Rejections::Process(Outcome* outcome) {
  bool ran = !handled_late_.empty();
  while (!handled_late_.empty()) {
    handled_late_.pop_front();
    if (!core_.EmitEvent("handled", "", kHandledLater, outcome)) core_.Warn();
    if (outcome->thrown()) return false;
  }
  // spec: rejections.handler-throw-drops. Newer releases take the whole list first, and lose the rest when a handler
  // throws. Older ones report from the list itself, as many as it has had or, at first, until it is empty.
  Fifo<PromisePtr> taken;
  const bool take_all = core_.rules().rejection_list == NodeRules::RejectionList::kTakenWhole;
  const bool grows = core_.rules().rejection_list == NodeRules::RejectionList::kAsItGrows;
  Fifo<PromisePtr>& list = take_all ? taken : pending_;
  if (take_all) std::swap(taken, pending_);
  const size_t most = grows ? std::numeric_limits<size_t>::max() : list.size();
  for (size_t reported = 0; reported < most && !list.empty(); ++reported) {
    if (core_.rules().rejection_order == QueueOrder::kNewestFirst) {
      std::rotate(list.begin(), list.end() - 1, list.end());
    }
    const PromisePtr promise = list.front();
    list.pop_front();
    warned_.push_back(promise);
    ran = true;
    *outcome = Report(promise);
    if (outcome->thrown()) return false;
  }
  return ran || !pending_.empty();
}

// spec: rejections.default-throws
Outcome Rejections::Report(const PromisePtr& promise) {
  const Where where{"rejections", "rejections.after-microtasks"};
  const NodeRules& rules = core_.rules();
  Outcome outcome;
  if (core_.EmitEvent("unhandled", promise->error, where, &outcome)) {
    if (rules.rejection_report == NodeRules::RejectionReport::kTwice) {
      core_.EmitEvent("unhandled", promise->error, where, &outcome);
    }
    if (rules.rejection_report == NodeRules::RejectionReport::kThrownToo) core_.TriggerUncaught(promise->error);
    return outcome;
  }
  if (rules.rejections == NodeRules::Rejections::kWarned) core_.Warn();
  if (rules.rejections == NodeRules::Rejections::kThrown) core_.TriggerUncaught(promise->error);
  if (rules.rejections == NodeRules::Rejections::kFatal) core_.EndUnhandled();
  return Outcome::Done();
}

void Rejections::AddTo(Fingerprint* fingerprint) const {
  for (const auto* queue : {&pending_, &handled_late_}) {
    fingerprint->Add(queue->size());
    for (const PromisePtr& promise : *queue) AddThing(fingerprint, promise.get());
  }
  fingerprint->Add(warned_.size());
  for (const PromisePtr& promise : warned_) AddThing(fingerprint, promise.get());
}

}  // namespace conform::reference
