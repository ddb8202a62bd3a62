#include "reference-impl/explore/rules/model_rules.h"

#include <type_traits>

#include "reference-impl/explore/model.h"

namespace conform::reference {

namespace {

template <typename Rules>
ModelRules ReadAll(RuleReader* reader) {
  Rules host;
  PlatformRules platform;
  ReadRules(reader, &host);
  // The other hosts have no rules for what stands below them.
  if constexpr (std::is_same_v<Rules, LoopRules> || std::is_same_v<Rules, NodeRules>) ReadRules(reader, &platform);
  reader->RefuseOthers();
  return {host, platform};
}

ModelRules ReadOf(const std::string& family, RuleReader* reader) {
  if (family == "libuv") return ReadAll<LoopRules>(reader);
  if (family == "node") return ReadAll<NodeRules>(reader);
  if (family == "asyncio") return ReadAll<AsyncioRules>(reader);
  if (family == "html") return ReadAll<HtmlRules>(reader);
  return ReadAll<DocumentedRules>(reader);
}

}  // namespace

ModelRules ReadModelRules(const Profile& profile) {
  RuleReader reader(profile);
  return ReadOf(profile.family, &reader);
}

std::map<std::string, std::vector<std::string>> KnownValues(const Profile& profile) {
  RuleReader reader(profile);
  ReadOf(profile.family, &reader);
  return reader.known();
}

Model::Model(const Profile& profile) : rules_(std::make_shared<const ModelRules>(ReadModelRules(profile))) {}

}  // namespace conform::reference
