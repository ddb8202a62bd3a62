#include "runners/study/script_causes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runners/study/home.h"

namespace conform {
namespace script_causes_test {

constexpr char kScript[] =
    "setTimeout(() => { log('A'); process.nextTick(() => log('T')); }, 0);\n"
    "Promise.resolve().then(() => log('P'));\n";

std::vector<std::string> RulesOf(const std::string& source, const std::string& a, const std::string& b) {
  const auto home = FindHome();
  const auto profiles = LoadProfiles(*home);
  std::vector<std::string> rules;
  const Catalogue catalogue = LoadCatalogue(home->Cases());
  for (const ScriptCause& cause : FindScriptCauses(*profiles, catalogue.cases, source, a, b)) {
    rules.push_back(cause.family + " " + cause.since + " " + cause.clause);
  }
  return rules;
}

TEST(ScriptCauses, NameTheRuleAndTheReleaseThatTheHistoryKnows) {
  const auto rules = RulesOf(kScript, "node@10.24.1", "node@24.21.0");
  EXPECT_NE(std::find(rules.begin(), rules.end(), "node 11.0.0 timers.lists-by-duration"), rules.end());
  EXPECT_EQ(rules, RulesOf(kScript, "node@24.21.0", "node@10.24.1"));
}

TEST(ScriptCauses, AreNoneForAScriptWithoutTheFunctionsOrTwoFamilies) {
  EXPECT_TRUE(RulesOf("log('A')", "node@10.24.1", "node@24.21.0").empty());
  EXPECT_TRUE(RulesOf(kScript, "node@24.21.0", "node@24.21.0").empty());
  EXPECT_TRUE(RulesOf(kScript, "node@10.24.1", "libuv@1.45.0").empty());
}

}  // namespace script_causes_test
}  // namespace conform
