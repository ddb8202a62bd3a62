#include "reports/playground/answer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/playground/moments.h"
#include "runners/base/text.h"
#include "runners/model/inline_program.h"

namespace conform::playground {
namespace answer_test {

using Json = nlohmann::json;

const Playground& Ready() {
  static const Playground playground = [] {
    std::map<std::string, std::string> files;
    const std::string folder = CONFORM_SOURCE_DIR "/spec/profiles";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".yaml") {
        files[entry.path().filename().string()] = *ReadFile(entry.path().string(), 1 << 20);
      }
    }
    return *Playground::FromProfiles(files);
  }();
  return playground;
}

Json Orders(const std::string& program, const std::string& profile = "node@24") {
  return Json::parse(Ready().Answer(Json{{"ask", "orders"}, {"program", program}, {"profile", profile}}.dump()));
}

std::vector<std::string> Kinds(const Json& run) {
  std::vector<std::string> kinds;
  for (const Json& moment : run["moments"]) {
    const std::string label = moment[2];
    kinds.push_back(moment[0].get<std::string>() + " " + (label.empty() ? moment[1].dump() : label));
  }
  return kinds;
}

TEST(Playground, ListsEveryOrderWithItsReason) {
  const Json answer = Orders("timeout A 0; immediate B");
  EXPECT_EQ(answer["on_time"]["orders"], 2);
  ASSERT_EQ(answer["runs"].size(), 2u);
  EXPECT_EQ(answer["runs"][0]["order"], (Json{"A", "B"}));
  EXPECT_EQ(answer["runs"][1]["order"], (Json{"B", "A"}));
  EXPECT_EQ(answer["runs"][1]["differs"]["clause"], "check.immediates-after-poll");
  EXPECT_EQ(answer["runs"][1]["choices"][0]["of"], 2);
}

TEST(Playground, MarksOrdersThatNeedADelay) {
  const Json answer = Orders("timeout A 50; timeout B 20: [timeout C 1]");
  EXPECT_EQ(answer["on_time"]["orders"], 1);
  ASSERT_GT(answer["runs"].size(), 1u);
  EXPECT_EQ(answer["runs"][0]["on_time"], true);
  EXPECT_EQ(answer["runs"][1]["on_time"], false);
}

TEST(Playground, ShowsWhatIsScheduledAndWhatRuns) {
  const Json answer = Orders("timeout A 0: [tick T]; busy 5");
  EXPECT_EQ(Kinds(answer["runs"][0]),
            (std::vector<std::string>{"schedules 0", "runs 0", "prints A", "schedules 1", "runs 1", "prints T"}));
}

TEST(Playground, ACallbackThatPrintsNothingIsSeenToRun) {
  const Json answer = Orders("log S; tick: [log X]");
  EXPECT_EQ(Kinds(answer["runs"][0]), (std::vector<std::string>{"prints S", "schedules 1", "runs 1", "prints X"}));
}

TEST(Playground, SaysWhereAProgramIsWrong) {
  const Json error = Orders("timeout A 0; imediate B")["error"];
  EXPECT_EQ(error["message"], "unknown op 'imediate'");
  EXPECT_EQ(error["hint"], "did you mean 'immediate'?");
  EXPECT_EQ(error["column"], 14);
}

TEST(Playground, RefusesWhatIsNotARequest) {
  for (const char* text :
       {"", "[]", "{", "{\"ask\": 1}", "{\"ask\": \"orders\"}", "{\"ask\": \"orders\", \"program\": []}",
        "{\"ask\": \"orders\", \"program\": \"tick A\", \"profile\": \"node@999\"}"}) {
    EXPECT_TRUE(Json::parse(Ready().Answer(text)).contains("error")) << text;
  }
  EXPECT_TRUE(Orders("tick A\n" + std::string(30'000, ' ')).contains("error"));
  EXPECT_TRUE(Orders("timeout A Infinity", "libuv").contains("error"));
}

TEST(Playground, EndsWhereAProgramNeverDoes) {
  const Json answer = Orders("interval A 1");
  EXPECT_EQ(answer["on_time"]["more"], true);
  EXPECT_NE(answer["on_time"]["limit"], "");
}

// The marks change no order: every case that the model can run, in its newest profile.
TEST(Moments, MarksChangeNoOrder) {
  size_t runs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CONFORM_SOURCE_DIR "/cases/drain")) {
    if (entry.path().extension() != ".yaml") continue;
    const auto c = ParseCase(*ReadFile(entry.path().string(), 1 << 20), "f", "f");
    ASSERT_TRUE(c.ok());
    std::string program;
    if (!c->native.empty() || c->program.empty()) continue;
    const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
    const auto profile = profiles->Resolve("node@24");
    if (profiles->Find("node")->Unsupported(*c, profile->version) || reference::NotModelled(*c, "node")) continue;
    const reference::Model model(*profile);
    const Case marked = WithMarks(*c);
    const auto orders = reference::Explore(*c, model, reference::Timing::kOnTime).orders.Enumerate(20);
    for (const auto& run : reference::Explain(*c, model, reference::Timing::kOnTime, orders)) {
      std::vector<int> path;
      for (const auto& choice : run.choices) path.push_back(choice.index);
      const auto again = reference::Replay(marked, model, reference::Timing::kOnTime, path);
      ASSERT_TRUE(again.ok());
      EXPECT_EQ(OrderWithoutMarks(again->trace), run.trace.ToOrder()) << entry.path();
      ++runs;
    }
  }
  EXPECT_GT(runs, 20u);
}

}  // namespace answer_test
}  // namespace conform::playground
