#include "reference-impl/host/documented_rules.h"

#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include "reference-impl/loop/rule_value.h"

namespace conform::reference {

namespace {

// Reads rules one by one, and remembers their names.
class Reader {
 public:
  explicit Reader(const Profile& profile) : profile_(profile) {}

  template <typename Value>
  void Read(const char* rule, Value* value, std::initializer_list<std::pair<const char*, Value>> values) {
    known_.insert(rule);
    if (profile_.rules.contains(rule) && RuleText(profile_, rule) != kOpenValue) {
      *value = RuleValue<Value>(profile_, rule, values);
    }
  }
  void Read(const char* rule, bool* value) { Read<bool>(rule, value, {{"kept", true}}); }

  void RefuseOthers() const {
    for (const auto& [rule, value] : profile_.rules) {
      if (!known_.contains(rule)) throw UnknownRule{profile_.Name() + ": there is no rule '" + rule + "' to document"};
    }
  }

 private:
  const Profile& profile_;
  std::set<std::string> known_;
};

}  // namespace

DocumentedRules DocumentedRules::From(const Profile& profile) {
  DocumentedRules rules;
  Reader reader(profile);
  reader.Read("never-inside", &rules.never_inside);
  reader.Read("timer-not-early", &rules.timer_not_early);
  reader.Read("timers-by-deadline", &rules.timers_by_deadline);
  reader.Read("loop-time", &rules.loop_time);
  reader.Read("prepare-first", &rules.prepare_first);
  reader.Read("fair", &rules.fair);
  reader.Read("cleared-never-comes", &rules.cleared_never_comes);
  reader.Read("cancelled-is-told", &rules.cancelled_is_told);
  reader.Read<SoonOrder>("soon-order", &rules.soon_order,
                         {{"posted", SoonOrder::kPosted}, {"queue", SoonOrder::kQueue}});
  reader.Read<Priorities>("priorities", &rules.priorities,
                          {{"by-turn", Priorities::kByTurn},
                           {"strict", Priorities::kStrict},
                           {"pending", Priorities::kPending},
                           {"by-round", Priorities::kByRound}});
  reader.Read<IdleLast>("idle-last", &rules.idle_last, {{"soon", IdleLast::kSoon}, {"handles", IdleLast::kHandles}});
  reader.Read<Check>("check", &rules.check, {{"first", Check::kFirst}, {"after-another", Check::kAfterAnother}});
  reader.Read<Stop>("stop", &rules.stop, {{"at-once", Stop::kAtOnce}, {"after-pending", Stop::kAfterPending}});
  reader.RefuseOthers();
  return rules;
}

}  // namespace conform::reference
