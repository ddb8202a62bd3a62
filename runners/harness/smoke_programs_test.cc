#include "runners/harness/smoke_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "runners/model/op_table.h"
#include "runners/model/profile.h"

namespace conform {
namespace {

std::vector<std::string> Everything() {
  std::vector<std::string> ops = OpNames();
  for (const std::string& event : ProcessEvents()) ops.push_back("on " + event);
  ops.insert(ops.end(), {"timeout as promise", "file as readFile", "entry esm", "entry worker"});
  return ops;
}

TEST(SmokePrograms, AskForNothingThatOpsDoNotName) {
  const std::vector<std::string> ops = {"timeout", "clear"};
  const auto programs = SmokePrograms(ops);
  EXPECT_GT(programs.size(), 8u);
  for (const SmokeProgram& program : programs) {
    for (const std::string& name : CapabilitiesUsed(program.c)) {
      EXPECT_NE(std::find(ops.begin(), ops.end(), name), ops.end()) << program.claim;
    }
  }
}

TEST(SmokePrograms, AskForLogAloneWhereThereAreNoOps) {
  for (const SmokeProgram& program : SmokePrograms({})) EXPECT_TRUE(CapabilitiesUsed(program.c).empty());
  EXPECT_EQ(SmokePrograms({}).size(), 2u);
}

// The labels are written by hand; where the language fixes how often one comes, both must agree.
TEST(SmokePrograms, ExpectWhatTheProgramFixes) {
  std::vector<std::vector<std::string>> vocabularies = {Everything()};
  // The first of these that there is stands for the others.
  for (const char* op : {"soon", "timeout", "tick", "microtask", "immediate"}) {
    vocabularies.push_back({op, "clear", "throw", "exit", "on uncaught", "on exit"});
  }
  int64_t compared = 0;
  for (const auto& ops : vocabularies) {
    for (const SmokeProgram& program : SmokePrograms(ops)) {
      for (const auto& [label, count] : FixedCounts(program.c)) {
        EXPECT_EQ(std::count(program.labels.begin(), program.labels.end(), label), count) << program.claim;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(SmokePrograms, CoverEveryOpOfTheLanguageThatHasCertainLabels) {
  std::map<std::string, int> used;
  for (const SmokeProgram& program : SmokePrograms(Everything())) {
    for (const std::string& name : CapabilitiesUsed(program.c)) ++used[name];
  }
  for (const char* name : {"soon",
                           "timeout",
                           "tick",
                           "microtask",
                           "immediate",
                           "then",
                           "await",
                           "finally",
                           "wake",
                           "work",
                           "file",
                           "message",
                           "read",
                           "interval",
                           "clear",
                           "throw",
                           "exit",
                           "promise",
                           "resolve",
                           "reject",
                           "async",
                           "pause",
                           "thenable",
                           "listen",
                           "connect",
                           "accept",
                           "close",
                           "run",
                           "alive",
                           "on uncaught",
                           "on unhandled",
                           "on exit",
                           "on beforeExit",
                           "timeout as promise",
                           "file as readFile",
                           "entry esm",
                           "entry worker"}) {
    EXPECT_GT(used[name], 0) << name;
  }
}

TEST(SmokePrograms, HandOverADescriptorForEachRead) {
  for (const SmokeProgram& program : SmokePrograms({"read"})) {
    const auto reads = std::count(program.labels.begin(), program.labels.end(), "A");
    if (program.c.program[0].op == Op::kRead) {
      EXPECT_EQ(program.descriptors, reads) << program.claim;
    }
  }
}

TEST(UnsupportedPrograms, NeedOneThingThatOpsDoNotName) {
  for (const std::vector<std::string>& ops :
       {std::vector<std::string>{}, {"soon"}, {"timeout", "tick"}, Everything()}) {
    for (const UnsupportedProgram& program : UnsupportedPrograms(ops)) {
      std::vector<std::string> missing;
      for (const std::string& name : CapabilitiesUsed(program.c)) {
        // Of an op with a kind the op is named, too.
        if (std::find(ops.begin(), ops.end(), name) == ops.end()) missing.push_back(name);
      }
      EXPECT_EQ(missing, std::vector<std::string>{program.missing});
    }
    EXPECT_FALSE(UnsupportedPrograms(ops).empty());
  }
}

}  // namespace
}  // namespace conform
