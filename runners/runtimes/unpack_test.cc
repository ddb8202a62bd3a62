#include "runners/runtimes/unpack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "runners/runtimes/fake_registry.h"
#include "runners/runtimes/integrity.h"

namespace conform {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class UnpackTest : public testing::Test {
 protected:
  UnpackTest() : registry_(testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::create_directories(registry_.At("work/out"));
    registry_.Write("source/package/bin/node", "the binary");
    registry_.Write("source/package/README.md", "x");
    registry_.Write("source/evil", "evil");
  }
  std::string Unpack() {
    const auto error = UnpackBinary(archive(), "bin/node", registry_.At("work/out"), registry_.tools());
    return error ? error->message : "";
  }
  std::string archive() const { return registry_.At("x.tgz"); }
  void Pack(const std::vector<std::string>& members, const std::vector<std::string>& options = {}) {
    registry_.Tar(registry_.At("source"), archive(), members, options);
  }
  // All that is below the folder where the archive was unpacked.
  std::vector<std::string> Unpacked() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(registry_.At("work"))) {
      if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), registry_.At("work")).string());
    }
    return names;
  }

  FakeRegistry registry_;
};

TEST_F(UnpackTest, TheBinaryAloneIsTaken) {
  Pack({"package"});
  EXPECT_EQ(Unpack(), "");
  EXPECT_EQ(Unpacked(), std::vector<std::string>{"out/bin/node"});
  EXPECT_EQ(registry_.Read("work/out/bin/node"), "the binary");
  EXPECT_TRUE(IsProgram(registry_.At("work/out/bin/node")));
}

TEST_F(UnpackTest, TheTopFolderMayHaveAnyName) {
  Pack({"./package"}, {"--transform=s,package,node-v1.2.3,"});
  EXPECT_EQ(Unpack(), "");
  EXPECT_EQ(registry_.Read("work/out/bin/node"), "the binary");
}

TEST_F(UnpackTest, AnArchiveInTheArchiveIsLookedInto) {
  registry_.Tar(registry_.At("source"), registry_.At("inner.tar.gz"), {"package"});
  fs::create_directories(registry_.At("source/outer"));
  fs::rename(registry_.At("inner.tar.gz"), registry_.At("source/outer/node-v0.8.6-linux-x64.tar.gz"));
  Pack({"outer"});
  EXPECT_EQ(Unpack(), "");
  EXPECT_EQ(registry_.Read("work/out/bin/node"), "the binary");
}

TEST_F(UnpackTest, NamesThatLeadOutAreNotUnpacked) {
  Pack({"package", "evil"}, {"-P", "--transform=s,^evil,../../../escaped,"});
  EXPECT_EQ(Unpack(), "");
  EXPECT_EQ(Unpacked(), std::vector<std::string>{"out/bin/node"});
  EXPECT_FALSE(fs::exists(registry_.At("escaped")));
  Pack({"package/bin"}, {"-P", "--transform=s,^package,package/../..,"});
  EXPECT_THAT(Unpack(), HasSubstr("has no bin/node"));
}

TEST_F(UnpackTest, ALinkIsNoBinary) {
  fs::remove(registry_.At("source/package/bin/node"));
  fs::create_symlink("/bin/sh", registry_.At("source/package/bin/node"));
  Pack({"package"});
  EXPECT_THAT(Unpack(), HasSubstr("is not a regular file"));
}

TEST_F(UnpackTest, AFolderThatIsALinkLeadsNowhere) {
  fs::create_directories(registry_.At("elsewhere"));
  fs::rename(registry_.At("source/package"), registry_.At("source/real"));
  fs::create_directories(registry_.At("source/package"));
  fs::create_symlink(registry_.At("elsewhere"), registry_.At("source/package/bin"));
  // First the link package/bin, then a file package/bin/node.
  Pack({"package", "real/bin/node"}, {"--transform=s,^real,package,S"});
  EXPECT_EQ(Unpack(), "");
  EXPECT_TRUE(fs::is_empty(registry_.At("elsewhere")));
  EXPECT_TRUE(fs::is_directory(fs::symlink_status(registry_.At("work/out/bin"))));
}

TEST_F(UnpackTest, BrokenArchivesAreErrors) {
  registry_.Write("x.tgz", "this is no archive");
  EXPECT_THAT(Unpack(), HasSubstr("tar ended with code"));
  Pack({"package"});
  fs::resize_file(archive(), fs::file_size(archive()) / 2);
  EXPECT_THAT(Unpack(), HasSubstr("tar ended with code"));
  fs::remove(archive());
  EXPECT_THAT(Unpack(), HasSubstr("tar ended with code"));
  Pack({"evil"});
  EXPECT_EQ(Unpack(), "the package has no bin/node");
}

TEST_F(UnpackTest, OnlyTheRightChecksumIsRight) {
  registry_.Write("x.tgz", "abc");
  const Tools tools = registry_.tools();
  const std::string right =
      "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";
  EXPECT_EQ(CheckFile(archive(), StrongestChecksum(right, "").value(), tools), std::nullopt);
  const std::string sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
  EXPECT_EQ(CheckFile(archive(), StrongestChecksum("", sha1).value(), tools), std::nullopt);
  EXPECT_EQ(CheckFile(archive(), StrongestChecksum("sha256-x sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", "").value(), tools),
            std::nullopt);
  registry_.Write("x.tgz", "abd");
  for (const auto& [integrity, shasum] : {std::pair(right, std::string()), std::pair(std::string(), sha1)}) {
    const auto error = CheckFile(archive(), StrongestChecksum(integrity, shasum).value(), tools);
    ASSERT_TRUE(error.has_value());
    EXPECT_THAT(error->message, HasSubstr("is not what the registry says"));
  }
  EXPECT_TRUE(CheckFile(registry_.At("nowhere"), StrongestChecksum(right, "").value(), tools).has_value());
}

}  // namespace
}  // namespace conform
