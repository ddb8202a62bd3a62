#include "runners/runtimes/choose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace conform {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class ChooseTest : public testing::Test {
 protected:
  ChooseTest() {
    root_ = fs::path(testing::TempDir()) /
            (std::string("choose-") + testing::UnitTest::GetInstance()->current_test_info()->name() +
             std::to_string(getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_ / "loop");
    tools_.environment = OwnEnvironment();
    tools_.environment["CONFORM_CACHE"] = (root_ / "cache").string();
    adapter_.name = "loop";
    adapter_.folder = (root_ / "loop").string();
    loop_.name = "loop";
    loop_.build = {"true"};
    loop_.command = {"$out/adapter"};
    loop_.library = "LD_PRELOAD";
    loop_.inside["node"] = {"$runtime", "load.cjs", "$out/addon.node"};
    node_.name = "node";
    node_.runtime = "node";
    node_.command = {"$runtime", "adapter.cjs"};
  }
  ~ChooseTest() override { fs::remove_all(root_); }

  // Every release is installed in a folder of its name.
  Result<AdapterCommand> Choose(const AdapterImplementation& implementation, const std::string& text) const {
    const auto word = ParseImplementationWord(text);
    if (!word) return word.error();
    const BinaryFinder find = [](const std::string& runtime, const std::string& version) -> Result<FoundRuntime> {
      if (version == "99") return Error{"node@99 is not installed"};
      if (version.empty()) return FoundRuntime{"/on/path/" + runtime, runtime};
      return FoundRuntime{"/opt/" + runtime + "-" + version + ".1.0", runtime + "@" + version + ".1.0"};
    };
    return ChooseCommand(adapter_, implementation, *word, find, tools_);
  }
  std::string ErrorOf(const AdapterImplementation& implementation, const std::string& text) const {
    const auto command = Choose(implementation, text);
    return command.ok() ? "none" : command.error().ToString();
  }

  fs::path root_;
  Tools tools_;
  Adapter adapter_;
  AdapterImplementation loop_, node_;
};

TEST_F(ChooseTest, AReleaseOfARuntimeIsFound) {
  const auto command = Choose(node_, "node@24");
  ASSERT_TRUE(command.ok()) << command.error().ToString();
  EXPECT_EQ(command->command, (Words{"/opt/node-24.1.0", "adapter.cjs"}));
  EXPECT_EQ(command->option, "node@24.1.0");
  EXPECT_FALSE(command->by_path);
  EXPECT_EQ(Choose(node_, "node").value().option, "node");
  EXPECT_THAT(ErrorOf(node_, "node@99"), HasSubstr("not installed"));
}

TEST_F(ChooseTest, ABinaryByPathKeepsItsWord) {
  const auto command = Choose(node_, "node=/bin/sh");
  ASSERT_TRUE(command.ok()) << command.error().ToString();
  EXPECT_EQ(command->command[0], "/bin/sh");
  EXPECT_EQ(command->option, "node=/bin/sh");
  EXPECT_TRUE(command->by_path);
  EXPECT_THAT(ErrorOf(node_, "node=./nowhere"), HasSubstr("no such file"));
}

TEST_F(ChooseTest, WhatHasToBeBuiltIsBuilt) {
  const auto command = Choose(loop_, "loop");
  ASSERT_TRUE(command.ok()) << command.error().ToString();
  EXPECT_THAT(command->command[0], HasSubstr((root_ / "cache" / "adapters" / "loop-").string()));
  EXPECT_TRUE(command->command[0].ends_with("/adapter"));
  EXPECT_TRUE(fs::is_directory(fs::path(command->command[0]).parent_path()));
  EXPECT_EQ(command->option, "loop");
  loop_.build = {"false"};
  EXPECT_THAT(ErrorOf(loop_, "loop"), HasSubstr("cannot be built"));
}

TEST_F(ChooseTest, ALibraryGoesIntoItsVariable) {
  const std::string library = (root_ / "libloop.so").string();
  std::ofstream(library) << "";
  const auto command = Choose(loop_, "loop=" + library);
  ASSERT_TRUE(command.ok()) << command.error().ToString();
  EXPECT_EQ(command->variables.at("LD_PRELOAD"), library);
  EXPECT_TRUE(command->by_path);
  EXPECT_THAT(ErrorOf(loop_, "loop=./nowhere.so"), HasSubstr("no such file"));
  loop_.library = "";
  EXPECT_THAT(ErrorOf(loop_, "loop=" + library), HasSubstr("takes no path"));
}

TEST_F(ChooseTest, ALoopRunsInsideOfARelease) {
  const auto command = Choose(loop_, "loop@node-24");
  ASSERT_TRUE(command.ok()) << command.error().ToString();
  EXPECT_EQ(command->command[0], "/opt/node-24.1.0");
  EXPECT_TRUE(command->command[2].ends_with("/addon.node"));
  EXPECT_EQ(command->option, "loop@node-24.1.0");
  EXPECT_TRUE(command->by_path);
  EXPECT_EQ(Choose(loop_, "loop@node").value().command[0], "/on/path/node");
  EXPECT_THAT(ErrorOf(loop_, "loop@node-99"), HasSubstr("not installed"));
  EXPECT_THAT(ErrorOf(loop_, "loop@1.44.2"), HasSubstr("loop@node-VERSION"));
}

TEST_F(ChooseTest, WordsAreTakenApart) {
  EXPECT_EQ(ParseImplementationWord("node@24").value().version, "24");
  EXPECT_EQ(ParseImplementationWord("node=./a@b").value().path, "./a@b");
  EXPECT_EQ(ParseImplementationWord("node").value().name, "node");
  EXPECT_THAT(ErrorOf(node_, "node="), HasSubstr("names no path"));
  EXPECT_THAT(ErrorOf(node_, "node@"), HasSubstr("names no version"));
}

}  // namespace
}  // namespace conform
