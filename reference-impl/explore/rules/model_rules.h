// The rules of a whole model: those of the host of a family, and of what is below it.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_RULES_MODEL_RULES_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_RULES_MODEL_RULES_H_

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "reference-impl/explore/deviations/platform_rules.h"
#include "reference-impl/explore/rules/rule_reader.h"
#include "reference-impl/host/asyncio_rules.h"
#include "reference-impl/host/documented_rules.h"
#include "reference-impl/host/html_rules.h"
#include "reference-impl/host/node_rules.h"
#include "reference-impl/loop/rules.h"

namespace conform::reference {

struct ModelRules {
  // LoopRules alone are those of the libuv host.
  std::variant<LoopRules, NodeRules, AsyncioRules, HtmlRules, DocumentedRules> host;
  PlatformRules platform;
  std::vector<ReadRule> numbered;  // the same for each profile of a family
};

// All of the above, by the family of the profile. Throws UnknownRule.
ModelRules ReadModelRules(const Profile& profile);

// The values that each rule of the profile's family may have; none for numbers and for lists.
std::map<std::string, std::vector<std::string>> KnownValues(const Profile& profile);

// One part each.
void ReadRules(RuleReader* reader, PlatformRules* rules);
void ReadRules(RuleReader* reader, LoopRules* rules);
void ReadRules(RuleReader* reader, PromiseRules* rules);
void ReadRules(RuleReader* reader, NodeRules* rules);
void ReadRules(RuleReader* reader, AsyncioRules* rules);
void ReadRules(RuleReader* reader, HtmlRules* rules);
void ReadRules(RuleReader* reader, DocumentedRules* rules);
void ReadOrder(RuleReader* reader, const char* rule, QueueOrder* order);
void ReadOrder(RuleReader* reader, const char* rule, Rule<QueueOrder>* order);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_RULES_MODEL_RULES_H_
