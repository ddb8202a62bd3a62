#include "runners/runtimes/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

namespace conform {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// An adapter whose build is a script of the shell that counts its runs in the file `runs`.
class BuildTest : public testing::Test {
 protected:
  BuildTest() {
    root_ = fs::path(testing::TempDir()) /
            (std::string("build-") + testing::UnitTest::GetInstance()->current_test_info()->name() +
             std::to_string(getpid()));
    fs::remove_all(root_);
    adapter_.name = "loop";
    adapter_.folder = (root_ / "loop").string();
    implementation_.name = "loop";
    SetScript("echo run >> ../runs; cp source $OUT/adapter");
    Write("loop/source", "one");
  }
  ~BuildTest() override { fs::remove_all(root_); }

  void SetScript(const std::string& script) { implementation_.build = {"sh", "-c", script}; }
  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  static std::string Read(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  int64_t Runs() const {
    const std::string text = Read(root_ / "runs");
    return std::count(text.begin(), text.end(), '\n');
  }
  Result<std::string> Build() const {
    return BuildAdapter(adapter_, implementation_, (root_ / "cache").string(), Tools{OwnEnvironment()});
  }
  // What is not in its place has left nothing behind.
  void ExpectNoTrace() const {
    EXPECT_TRUE(fs::is_empty(root_ / "cache" / "adapters"));
    EXPECT_TRUE(fs::is_empty(root_ / "cache" / "temporary"));
  }

  fs::path root_;
  Adapter adapter_;
  AdapterImplementation implementation_;
};

TEST_F(BuildTest, NothingToBuildIsNoFolder) {
  implementation_.build.clear();
  EXPECT_EQ(Build().value(), "");
  EXPECT_FALSE(fs::exists(root_ / "cache"));
}

TEST_F(BuildTest, WhatIsBuiltIsNotBuiltAgain) {
  const std::string out = Build().value();
  EXPECT_EQ(Read(fs::path(out) / "adapter"), "one");
  EXPECT_EQ(Build().value(), out);
  EXPECT_EQ(Runs(), 1);
  EXPECT_TRUE(fs::is_empty(root_ / "cache" / "temporary"));
}

TEST_F(BuildTest, AnyEditIsBuiltAnew) {
  const std::string first = Build().value();
  Write("loop/source", "two");
  const std::string second = Build().value();
  EXPECT_NE(first, second);
  EXPECT_EQ(Read(fs::path(second) / "adapter"), "two");
  Write("loop/deeper/more", "");
  EXPECT_NE(Build().value(), second);
  EXPECT_EQ(Runs(), 3);
  // Back to what it was.
  fs::remove_all(root_ / "loop" / "deeper");
  Write("loop/source", "one");
  EXPECT_EQ(Build().value(), first);
  EXPECT_EQ(Runs(), 3);
  SetScript("echo run >> ../runs; cp source $OUT/another");
  EXPECT_NE(Build().value(), first);
}

TEST_F(BuildTest, AnEditOfFurtherSourcesIsBuiltAnew) {
  Write("shared/part", "one");
  Write("other/part", "one");
  const std::string alone = Build().value();
  implementation_.sources = {(root_ / "shared").string()};
  const std::string first = Build().value();
  EXPECT_NE(first, alone);
  Write("other/part", "two");
  EXPECT_EQ(Build().value(), first);
  Write("shared/part", "two");
  EXPECT_NE(Build().value(), first);
  EXPECT_EQ(Runs(), 3);
}

TEST_F(BuildTest, WhatToolsLeaveInTheFolderIsNoEdit) {
  const std::string out = Build().value();
  Write("loop/__pycache__/x.pyc", "1");
  Write("loop/.cache/x", "1");
  EXPECT_EQ(Build().value(), out);
}

TEST_F(BuildTest, ANewBuildRemovesThoseThatNobodyHasUsedForADay) {
  const fs::path oldest = Build().value();
  Write("loop/source", "two");
  const fs::path older = Build().value();
  const fs::path other = oldest.parent_path() / "another-0123456789abcdef";
  fs::create_directories(other);
  for (const fs::path& one : {oldest, other}) {
    fs::last_write_time(one, fs::last_write_time(one) - std::chrono::hours(25));
  }
  Write("loop/source", "three");
  EXPECT_TRUE(fs::exists(Build().value()));
  EXPECT_FALSE(fs::exists(oldest));
  EXPECT_TRUE(fs::exists(older));
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(BuildTest, ABuildThatFailsIsToldWithItsLastLinesAndWhatToInstall) {
  SetScript("seq 100 >&2; echo no uv.h >&2; touch $OUT/half; exit 3");
  implementation_.install = "libloop-dev";
  const auto built = Build();
  ASSERT_FALSE(built.ok());
  const std::string message = built.error().ToString();
  EXPECT_THAT(message, HasSubstr("the adapter of loop cannot be built"));
  EXPECT_THAT(message, HasSubstr("ended with code 3"));
  EXPECT_THAT(message, HasSubstr("no uv.h"));
  EXPECT_THAT(message, Not(HasSubstr("\n  50\n")));
  EXPECT_THAT(message, HasSubstr("apt install libloop-dev"));
  ExpectNoTrace();
}

TEST_F(BuildTest, AToolThatIsMissingIsNamed) {
  implementation_.build = {"no-such-tool"};
  const auto built = Build();
  ASSERT_FALSE(built.ok());
  EXPECT_THAT(built.error().ToString(), HasSubstr("no-such-tool"));
  ExpectNoTrace();
}

TEST_F(BuildTest, OneBuildsForAllThatAskAtOnce) {
  SetScript("echo run >> ../runs; sleep 0.2; cp source $OUT/adapter");
  std::vector<std::thread> threads;
  std::vector<std::string> folders(4);
  for (std::string& folder : folders) threads.emplace_back([&] { folder = Build().value(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Runs(), 1);
  for (const std::string& folder : folders) EXPECT_EQ(folder, folders[0]);
  EXPECT_EQ(Read(fs::path(folders[0]) / "adapter"), "one");
}

// A build that was killed leaves its folder, and no lock.
TEST_F(BuildTest, WhatAKilledBuildHasLeftIsRemoved) {
  const fs::path out = Build().value();
  const fs::path left = root_ / "cache" / "temporary" / ("adapter-" + out.filename().string());
  fs::remove_all(out);
  fs::create_directories(left);
  std::ofstream(left / "half") << "";
  EXPECT_EQ(Build().value(), out.string());
  EXPECT_FALSE(fs::exists(out / "half"));
  EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace conform
