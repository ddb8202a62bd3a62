#include "runners/harness/adapter.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace conform {
namespace {

namespace fs = std::filesystem;

const char kJavascript[] = R"(name: javascript
title: Node.js, Bun and Deno
implementations:
  node:
    runtime: node
    command: [$runtime, --expose-gc, adapter.js]
    entries: {esm: [$runtime, lib/entry.mjs], worker: [$runtime, adapter.js, worker]}
  python-thing:
    command: [python3, ./adapter.py, missing.py]
    install: python3-uvloop
environment: [LD_LIBRARY_PATH, NODE_OPTIONS]
)";

class AdapterTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) /
            (std::string("adapters-") + testing::UnitTest::GetInstance()->current_test_info()->name() +
             std::to_string(getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string Write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
    return (root_ / name).parent_path().string();
  }

  // What is said of this adapter.yaml.
  std::string ErrorOf(const std::string& text) {
    const auto adapter = LoadAdapter(Write("one/adapter.yaml", text));
    if (adapter) return "none";
    const Error& error = adapter.error();
    return std::to_string(error.at.line) + ":" + std::to_string(error.at.column) + " " + error.message + " " +
           error.hint;
  }

  fs::path root_;
};

TEST_F(AdapterTest, ItsFileSaysHowEachImplementationIsStarted) {
  const std::string folder = Write("javascript/adapter.yaml", kJavascript);
  Write("javascript/adapter.js", "");
  Write("javascript/adapter.py", "");
  Write("javascript/lib/entry.mjs", "");
  const auto adapter = LoadAdapter(folder);
  ASSERT_TRUE(adapter.ok()) << adapter.error().ToString();
  EXPECT_EQ(adapter->name, "javascript");
  EXPECT_EQ(adapter->title, "Node.js, Bun and Deno");
  EXPECT_EQ(adapter->folder, folder);
  EXPECT_EQ(adapter->environment, (std::vector<std::string>{"LD_LIBRARY_PATH", "NODE_OPTIONS"}));
  ASSERT_EQ(adapter->implementations.size(), 2u);
  const AdapterImplementation& node = adapter->implementations[0];
  EXPECT_EQ(node.name, "node");
  EXPECT_EQ(node.runtime, "node");
  EXPECT_EQ(node.command, (std::vector<std::string>{"$runtime", "--expose-gc", folder + "/adapter.js"}));
  EXPECT_EQ(node.entries.at(Entry::kEsm), (std::vector<std::string>{"$runtime", folder + "/lib/entry.mjs"}));
  EXPECT_EQ(node.entries.at(Entry::kWorker), (std::vector<std::string>{"$runtime", folder + "/adapter.js", "worker"}));
  const AdapterImplementation& python = adapter->implementations[1];
  EXPECT_EQ(python.command, (std::vector<std::string>{"python3", folder + "/adapter.py", "missing.py"}));
  EXPECT_EQ(python.runtime, "");
  EXPECT_EQ(python.install, "python3-uvloop");
}

TEST_F(AdapterTest, OneImplementationNeedsNoListAndIsCalledAsTheAdapterIs) {
  const auto adapter = LoadAdapter(Write("one/adapter.yaml", "name: mine\ncommand: [./run]\n") + "/");
  ASSERT_TRUE(adapter.ok()) << adapter.error().ToString();
  EXPECT_EQ(adapter->title, "mine");
  EXPECT_EQ(adapter->folder, (root_ / "one").string());
  ASSERT_EQ(adapter->implementations.size(), 1u);
  EXPECT_EQ(adapter->implementations[0].name, "mine");
  EXPECT_EQ(adapter->implementations[0].command, std::vector<std::string>{"./run"});
}

TEST_F(AdapterTest, ARelativeFolderGivesAbsoluteFiles) {
  Write("one/adapter.yaml", "name: mine\ncommand: [./run, .., one]\n");
  Write("one/run", "");
  const fs::path before = fs::current_path();
  fs::current_path(root_);
  const auto adapter = LoadAdapter("one");
  fs::current_path(before);
  ASSERT_TRUE(adapter.ok()) << adapter.error().ToString();
  const std::string run = (root_ / "one" / "run").string();
  EXPECT_EQ(adapter->implementations[0].command, (std::vector<std::string>{run, "..", "one"}));
}

TEST_F(AdapterTest, WhatIsWrongIsToldWithItsPlace) {
  EXPECT_EQ(ErrorOf("name: x\ncomand: [a]\n"), "2:1 'comand' is not a key of an adapter did you mean 'command'?");
  EXPECT_EQ(ErrorOf("command: [a]\n"), "1:1 an adapter has a 'name' ");
  EXPECT_EQ(ErrorOf("name: x\n"), "1:7 'x' has no 'command' ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: a\n"), "2:10 'command' is a list of words, not a text ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: []\n"), "2:10 'command' is empty ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [\"\"]\n"), "2:11 the program of 'command' is empty ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [a, [b]]\n"), "2:14 a word of 'command' is a text, not a list ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [$runtime]\n"), "2:11 '$runtime' without 'runtime' runtime: node");
  EXPECT_EQ(ErrorOf("name: x\nruntime: node\ncommand: [a]\n"), "3:10 'command' does not use its runtime [$runtime, …]");
  EXPECT_EQ(ErrorOf("name: x\nruntime: node\ncommand: [$runtmie]\n"),
            "3:11 '$runtmie' is unknown; there are $runtime and $out did you mean '$runtime'?");
  EXPECT_EQ(ErrorOf("name: x\nruntime: ../node\ncommand: [$runtime]\n").substr(0, 31),
            "2:10 '../node' is not a name: e");
  EXPECT_EQ(ErrorOf("name: a@b\ncommand: [a]\n").substr(0, 25), "1:7 'a@b' is not a name: ");
  EXPECT_EQ(ErrorOf("name: ref\ncommand: [a]\n").substr(0, 48), "1:7 an implementation cannot be called 'ref' in ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [a]\nentries: {emsm: [a]}\n"),
            "3:11 'emsm' is not an entry: expected esm, esm await or worker did you mean 'esm'?");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [a]\nentries: {script: [a]}\n"),
            "3:11 the entry 'script' is what 'command' runs ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [a]\nenvironment: [A-B=1]\n"), "3:15 'A-B' is not the name of a variable ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [a]\nimplementations: {y: {command: [b]}}\n"),
            "2:1 'command' beside 'implementations' it belongs to one of them");
  EXPECT_EQ(ErrorOf("name: x\nimplementations: {y: {cmd: [b]}}\n"),
            "2:23 'cmd' is not a key of the implementation 'y' known: runtime, command, entries, install, large, "
            "build, sources, library, inside, prints, alone");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [$out/a]\n"), "2:11 '$out' without 'build' build: [make, -s]");
  EXPECT_EQ(ErrorOf("name: x\nbuild: make\ncommand: [$out/a]\n"), "2:8 'build' is a list of words, not a text ");
  EXPECT_EQ(ErrorOf("name: x\nbuild: [make]\ncommand: [$outer/a]\n").substr(0, 26), "3:11 '$outer/a' is unknown");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [a]\nsources: [..]\n"), "3:10 'sources' without 'build' build: [make, -s]");
  EXPECT_EQ(ErrorOf("name: x\nbuild: [make]\nsources: [../no]\ncommand: [a]\n"), "3:11 '../no' is not a folder ");
  EXPECT_EQ(ErrorOf("name: x\nlibrary: a/b\ncommand: [a]\n"), "2:10 'a/b' is not the name of a variable ");
  EXPECT_EQ(ErrorOf("name: x\nprints: yes\ncommand: [a]\n"), "2:9 'prints' is true or false ");
  EXPECT_EQ(ErrorOf("name: x\ninstall: y\nlarge: very\ncommand: [a]\n"), "3:8 'large' is true or false ");
  EXPECT_EQ(ErrorOf("name: x\nlarge: true\ncommand: [a]\n"), "2:8 'large' without 'install' ");
  EXPECT_EQ(ErrorOf("name: x\ncommand: [a]\ninside: {node: [load.cjs]}\n"),
            "3:16 the command of 'node' does not use its runtime [$runtime, …]");
}

TEST_F(AdapterTest, AFolderWithoutTheFileIsNoAdapter) {
  EXPECT_NE(LoadAdapter(root_.string()).error().ToString().find("adapter.yaml"), std::string::npos);
  EXPECT_NE(LoadAdapter((root_ / "nowhere").string()).error().ToString().find("is not a folder"), std::string::npos);
}

TEST_F(AdapterTest, AllAreFoundByName) {
  Write("z/adapter.yaml", "name: alpha\ncommand: [a]\n");
  Write("a/adapter.yaml", "name: beta\ncommand: [a]\n");
  Write("a/deeper/adapter.yaml", "name: gamma\ncommand: [a]\n");
  Write("README.md", "");
  const LoadedAdapters loaded = LoadAdapters(root_.string());
  EXPECT_TRUE(loaded.errors.empty());
  ASSERT_EQ(loaded.adapters.size(), 2u);
  EXPECT_EQ(loaded.adapters[0].name, "alpha");
  EXPECT_EQ(loaded.adapters[1].name, "beta");
  EXPECT_TRUE(LoadAdapters((root_ / "nowhere").string()).adapters.empty());
}

TEST_F(AdapterTest, ABrokenOneKeepsNoOtherFromBeingUsed) {
  Write("a/adapter.yaml", "name: [\n");
  Write("b/adapter.yaml", "name: b\ncommand: [x]\n");
  const LoadedAdapters loaded = LoadAdapters(root_.string());
  ASSERT_EQ(loaded.adapters.size(), 1u);
  EXPECT_EQ(loaded.adapters[0].name, "b");
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_NE(loaded.errors[0].ToString().find("a/adapter.yaml"), std::string::npos);
}

TEST_F(AdapterTest, AFileThatTheFolderHasNotIsNotLookedForElsewhere) {
  const auto missing = [&](const std::string& command) {
    const auto adapter = LoadAdapter(Write("m/adapter.yaml", "name: m\ninstall: m-dev\ncommand: " + command + "\n"));
    EXPECT_TRUE(adapter.ok());
    const auto error = MissingFile(*adapter, adapter->implementations[0]);
    return error ? error->ToString() : "";
  };
  Write("m/there.py", "");
  EXPECT_EQ(missing("[python3, -u, there.py, word]"), "");
  EXPECT_EQ(missing("[/bin/cat, /etc/x.py]"), "");
  EXPECT_NE(missing("[python3, gone.py]").find("names 'gone.py', which is not in this folder"), std::string::npos);
  EXPECT_NE(missing("[./gone]").find("apt install m-dev"), std::string::npos);
}

TEST_F(AdapterTest, TwoThatShareAnImplementationAreAnError) {
  Write("a/adapter.yaml", "name: a\nimplementations: {node: {command: [x]}}\n");
  Write("b/adapter.yaml", "name: node\ncommand: [x]\n");
  const LoadedAdapters loaded = LoadAdapters(root_.string());
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_NE(loaded.errors[0].ToString().find("the implementation 'node' is also one of"), std::string::npos);
}

TEST_F(AdapterTest, TheBinaryTakesThePlaceOfTheRuntime) {
  const auto adapter = LoadAdapter(Write("javascript/adapter.yaml", kJavascript));
  ASSERT_TRUE(adapter.ok()) << adapter.error().ToString();
  const AdapterImplementation& node = adapter->implementations[0];
  const AdapterCommand made = MakeCommand(*adapter, node, "node@20", "/opt/node");
  EXPECT_EQ(made.option, "node@20");
  EXPECT_FALSE(made.by_path);
  EXPECT_EQ(made.command, (std::vector<std::string>{"/opt/node", "--expose-gc", "adapter.js"}));
  EXPECT_EQ(made.entries.at(Entry::kEsm)[0], "/opt/node");
  EXPECT_EQ(made.environment, adapter->environment);
  EXPECT_TRUE(MakeCommand(*adapter, node, "node=./out/node", "./out/node").by_path);
}

TEST_F(AdapterTest, WhatIsBuiltIsFoundInTheFolderOfTheBuild) {
  const std::string folder = Write("loop/adapter.yaml", R"(name: loop
build: [make, -s]
sources: [../shared]
install: libloop-dev
command: [$out/adapter, --out, $out]
library: LD_PRELOAD
inside: {node: [$runtime, load.cjs, $out/addon.node]}
environment: [LD_LIBRARY_PATH, MODE=plain, EMPTY=]
)");
  Write("loop/load.cjs", "");
  Write("shared/loop.h", "");
  const auto adapter = LoadAdapter(folder);
  ASSERT_TRUE(adapter.ok()) << adapter.error().ToString();
  const AdapterImplementation& loop = adapter->implementations[0];
  EXPECT_EQ(loop.build, (std::vector<std::string>{"make", "-s"}));
  EXPECT_EQ(loop.sources, std::vector<std::string>{(root_ / "shared").string()});
  EXPECT_EQ(loop.library, "LD_PRELOAD");
  const AdapterCommand made = MakeCommand(*adapter, loop, "loop", "", "/cache/loop-1");
  EXPECT_EQ(made.command, (std::vector<std::string>{"/cache/loop-1/adapter", "--out", "/cache/loop-1"}));
  EXPECT_FALSE(made.by_path);
  EXPECT_EQ(made.environment, std::vector<std::string>{"LD_LIBRARY_PATH"});
  EXPECT_EQ(made.variables, (std::map<std::string, std::string>{{"EMPTY", ""}, {"MODE", "plain"}}));
  const AdapterCommand inside =
      MakeCommandInside(*adapter, loop, "node", "loop@node-24.1.0", "/opt/node", "/cache/loop-1");
  EXPECT_EQ(inside.command, (std::vector<std::string>{"/opt/node", folder + "/load.cjs", "/cache/loop-1/addon.node"}));
  EXPECT_EQ(inside.option, "loop@node-24.1.0");
  EXPECT_TRUE(inside.by_path);
}

}  // namespace
}  // namespace conform
