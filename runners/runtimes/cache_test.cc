#include "runners/runtimes/cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace conform {
namespace {

namespace fs = std::filesystem;

class CacheTest : public testing::Test {
 protected:
  CacheTest()
      : root_(fs::path(testing::TempDir()) /
              (std::string("cache-") + testing::UnitTest::GetInstance()->current_test_info()->name() +
               std::to_string(getpid()))),
        cache_(root_.string()) {
    fs::remove_all(root_);
  }
  ~CacheTest() override { fs::remove_all(root_); }

  InstalledRuntime Install(const std::string& name, const std::string& version) {
    const std::string folder = cache_.MakeTemporary(name, version).value();
    fs::create_directories(folder + "/unpacked/bin");
    std::ofstream(folder + "/unpacked/bin/" + name) << "#!/bin/sh\n";
    auto installed = cache_.Publish({name, version, "package", "sha512-x", ""}, folder + "/unpacked", "bin/" + name);
    EXPECT_TRUE(installed.ok()) << installed.error().ToString();
    return *installed;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const InstalledRuntime& one : cache_.List()) names.push_back(one.name + "@" + one.version);
    return names;
  }

  const fs::path root_;
  const RuntimeCache cache_;
};

TEST(CacheFolder, IsTheFirstThatIsSet) {
  EXPECT_EQ(CacheFolder({{"CONFORM_CACHE", "/a/b"}, {"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}}).value(), "/a/b");
  EXPECT_EQ(CacheFolder({{"CONFORM_CACHE", ""}, {"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}}).value(), "/x/conform");
  EXPECT_EQ(CacheFolder({{"XDG_CACHE_HOME", "relative"}, {"HOME", "/h"}}).value(), "/h/.cache/conform");
  EXPECT_EQ(CacheFolder({{"CONFORM_CACHE", "here"}}).value(), (fs::current_path() / "here").string());
  EXPECT_FALSE(CacheFolder({}).ok());
}

TEST_F(CacheTest, AnEmptyOneHoldsNothing) {
  EXPECT_TRUE(cache_.List().empty());
  EXPECT_FALSE(cache_.Find("node", "").has_value());
  cache_.RemoveLeftovers();
  EXPECT_FALSE(cache_.Remove("node", "1.2.3").value());
}

TEST_F(CacheTest, WhatIsPublishedIsFoundByPartOfItsVersion) {
  Install("node", "20.9.0");
  Install("node", "20.10.0");
  Install("node", "24.0.0");
  Install("node", "25.0.0-rc.1");
  Install("bun", "1.0.3");
  EXPECT_EQ(Names(),
            (std::vector<std::string>{"bun@1.0.3", "node@20.9.0", "node@20.10.0", "node@24.0.0", "node@25.0.0-rc.1"}));
  EXPECT_EQ(cache_.Find("node", "20")->version, "20.10.0");
  EXPECT_EQ(cache_.Find("node", "")->version, "24.0.0");
  EXPECT_EQ(cache_.Find("node", "20.9.0")->version, "20.9.0");
  EXPECT_EQ(cache_.Find("node", "25.0.0-rc.1")->version, "25.0.0-rc.1");
  EXPECT_FALSE(cache_.Find("node", "25").has_value());
  EXPECT_FALSE(cache_.Find("deno", "").has_value());
  const InstalledRuntime found = *cache_.Find("bun", "1");
  EXPECT_EQ(found.binary, (root_ / "runtimes/bun/1.0.3/bin/bun").string());
  EXPECT_EQ(found.bytes, 10);
  EXPECT_EQ(found.package, "package");
}

TEST_F(CacheTest, WhatIsNotCompleteIsNotThereAndMayBeReplaced) {
  const InstalledRuntime node = Install("node", "20.9.0");
  std::ofstream(node.binary) << "cut";
  EXPECT_TRUE(cache_.List().empty());
  Install("node", "20.9.0");
  EXPECT_EQ(cache_.List().size(), 1u);
  fs::remove(root_ / "runtimes/node/20.9.0/installed.json");
  EXPECT_TRUE(cache_.List().empty());
  EXPECT_TRUE(cache_.Remove("node", "20.9.0").value());
}

TEST_F(CacheTest, ARecordThatLiesAboutItsBinaryIsNotBelieved) {
  Install("node", "20.9.0");
  std::ofstream(root_ / "outside") << "#!/bin/sh\n";
  const auto write = [&](const std::string& text) {
    std::ofstream(root_ / "runtimes/node/20.9.0/installed.json") << text;
  };
  for (const std::string binary : {"../../../outside", "/bin/sh", "", "bin", "nowhere"}) {
    write(R"({"name":"node","version":"20.9.0","bytes":10,"binary":")" + binary + "\"}");
    EXPECT_TRUE(cache_.List().empty()) << binary;
  }
  for (const std::string text : {"", "[]", "{", R"({"name":"node","version":"20.9.1","bytes":10,"binary":"bin/node"})",
                                 R"({"name":"node","version":"20.9.0","binary":"bin/node"})"}) {
    write(text);
    EXPECT_TRUE(cache_.List().empty()) << text;
  }
  write(R"({"name":"node","version":"20.9.0","bytes":10,"binary":"bin/node"})");
  EXPECT_EQ(cache_.List().size(), 1u);
}

TEST_F(CacheTest, ALockIsHeldByOneAndEndsWithIt) {
  {
    const auto first = cache_.TryLock("node", "20.9.0");
    ASSERT_TRUE(first.ok() && first->has_value());
    EXPECT_FALSE(cache_.TryLock("node", "20.9.0")->has_value());
    EXPECT_TRUE(cache_.TryLock("node", "20.9.1")->has_value());
  }
  EXPECT_TRUE(cache_.TryLock("node", "20.9.0")->has_value());
}

TEST_F(CacheTest, LeftoversAreRemovedWhereNobodyWorks) {
  const std::string left = cache_.MakeTemporary("node", "20.9.0").value();
  const std::string worked_on = cache_.MakeTemporary("bun", "1.0.3-canary.1").value();
  fs::create_directories(root_ / "temporary/somebody-else.s");
  std::ofstream(left + "/file") << "x";
  const auto lock = cache_.TryLock("bun", "1.0.3-canary.1");
  cache_.RemoveLeftovers();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(worked_on));
  EXPECT_TRUE(fs::exists(root_ / "temporary/somebody-else.s"));
}

TEST_F(CacheTest, WhatIsRemovedIsGone) {
  Install("node", "20.9.0");
  EXPECT_TRUE(cache_.Remove("node", "20.9.0").value());
  EXPECT_TRUE(cache_.List().empty());
  cache_.RemoveLeftovers();
  EXPECT_TRUE(fs::is_empty(root_ / "temporary"));
}

}  // namespace
}  // namespace conform
