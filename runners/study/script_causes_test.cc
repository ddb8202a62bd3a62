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

Lifted LiftedFrom(const std::string& program) {
  Lifted lifted;
  lifted.c = *ParseCase("program:\n" + program + "expect:\n  node: ...\n", "my.js", "my.js");
  return lifted;
}

std::vector<std::string> ShownBy(const Lifted& lifted, const std::string& a, const std::string& b) {
  const auto profiles = LoadProfiles(*FindHome());
  std::vector<std::string> shown;
  for (const ScriptCause& cause : CausesOfLifted(*profiles, lifted, a, b)) {
    EXPECT_TRUE(cause.is_shown);
    shown.push_back(cause.case_id + " " + cause.since + " " + cause.clause);
  }
  return shown;
}

TEST(CausesOfLifted, AreTheRulesThatChangeTheOrdersOfTheScriptItself) {
  Lifted lifted = LiftedFrom("  - timeout A 0:\n      - tick T\n  - timeout B 0\n  - busy 5\n");
  const std::vector<std::string> shown = ShownBy(lifted, "node@24.21.0", "node@10.24.1");
  EXPECT_NE(std::find(shown.begin(), shown.end(), "my.js 11.0.0 timers.lists-by-duration"), shown.end());
  EXPECT_TRUE(ShownBy(lifted, "node@24.21.0", "node@22.0.0").empty());
  EXPECT_TRUE(ShownBy(lifted, "node@24.21.0", "libuv@1.45.0").empty());
  lifted.made_up["T"] = {};  // what it does not print does not differ
  EXPECT_TRUE(ShownBy(lifted, "node@24.21.0", "node@10.24.1").empty());
}

}  // namespace script_causes_test
}  // namespace conform
