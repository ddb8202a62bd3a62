// Writing files: write_file.h, locked_file.h, folders.h.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "runners/base/folders.h"
#include "runners/base/locked_file.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"

namespace conform {
namespace files_test {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "files-XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string At(const std::string& name) const { return folder_ + "/" + name; }
  void Put(const std::string& name, const std::string& text) const { std::ofstream(At(name)) << text; }
  std::string Get(const std::string& name) const { return *ReadFile(At(name), 1 << 20); }
  size_t Count() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }

  std::string folder_;
};

TEST_F(Files, AFolderIsMadeWithThoseAboveItOrTheErrorNamesIt) {
  EXPECT_FALSE(MakeFolder(At("a/b")));
  EXPECT_FALSE(MakeFolder(At("a/b")));
  EXPECT_TRUE(fs::is_directory(At("a/b")));
  Put("file", "");
  const auto error = MakeFolder(At("file/b"));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->ToString(), At("file/b") + ": cannot be created: Not a directory");
  EXPECT_FALSE(error->is_of_system);
}

TEST_F(Files, ATemporaryFolderGoesWithWhatIsInIt) {
  std::string path;
  {
    auto made = TemporaryFolder::Make("conform-files-test");
    ASSERT_TRUE(made.ok());
    path = made->path();
    const TemporaryFolder moved = std::move(*made);
    std::ofstream(moved.File("x")) << "x";
    EXPECT_TRUE(fs::exists(path + "/x"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Files, WritingOneTouchesNoOther) {
  Put("x.new", "of somebody");
  Put("far", "away");
  fs::create_symlink(At("far"), At("y.new"));
  ASSERT_FALSE(WriteWholeFile(At("x"), "1"));
  ASSERT_FALSE(WriteWholeFile(At("y"), "2"));
  EXPECT_EQ(Get("x") + Get("y"), "12");
  EXPECT_EQ(Get("x.new"), "of somebody");
  EXPECT_EQ(Get("far"), "away");
  EXPECT_EQ(Count(), 5u);
}

TEST_F(Files, ALinkStaysOne) {
  Put("real", "before");
  fs::create_symlink("real", At("link"));
  ASSERT_FALSE(WriteWholeFile(At("link"), "after"));
  EXPECT_TRUE(fs::is_symlink(At("link")));
  EXPECT_EQ(Get("real"), "after");
}

TEST_F(Files, OneThatIsBeingWrittenIsNotReplaced) {
  Put("x", "before");
  {
    const auto held = LockedFile::Open(At("x"), O_WRONLY);
    ASSERT_TRUE(held.ok());
    const auto error = WriteWholeFile(At("x"), "after");
    ASSERT_TRUE(error);
    EXPECT_NE(error->message.find("is being written by process"), std::string::npos) << error->message;
    EXPECT_TRUE(error->is_of_system);
    EXPECT_EQ(Get("x"), "before");
  }
  EXPECT_FALSE(WriteWholeFile(At("x"), "after"));
  EXPECT_EQ(Get("x"), "after");
}

TEST_F(Files, AnOutputIsNoneOfTheFilesThatAreReadWhateverItIsCalled) {
  Put("x", "");
  Put("y", "");
  fs::create_symlink("x", At("link"));
  fs::create_hard_link(At("x"), At("hard"));
  for (const char* name : {"x", "./x", "link", "hard"}) {
    const auto error = CheckOutput(At(name), {At("y"), At("x")});
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->file, At(name));
  }
  EXPECT_FALSE(CheckOutput(At("x"), {At("y"), At("none")}));
  EXPECT_FALSE(CheckOutput(At("none"), {At("y"), At("none")}));
  EXPECT_FALSE(CheckOutput("/dev/null", {"/dev/null"}));
  EXPECT_FALSE(CheckOutput("", {"timeout A 0; immediate B"}));
}

TEST_F(Files, OneThatCannotBeWrittenIsTroubleOfTheSystemAndLeavesNothing) {
  const auto error = WriteWholeFile(At("none/x"), "1");
  ASSERT_TRUE(error.has_value());
  EXPECT_TRUE(error->is_of_system);
  EXPECT_TRUE(WriteWholeFile("/dev/full", "1")->is_of_system);
  EXPECT_EQ(Count(), 0u);
}

TEST_F(Files, OneThatIsWrittenInPiecesAppearsWhenItIsFinished) {
  Put("x", "before");
  {
    auto abandoned = WholeFile::Create(At("x"));
    ASSERT_TRUE(abandoned.ok());
    ASSERT_FALSE(abandoned->Write("1"));
  }
  EXPECT_EQ(Get("x"), "before");
  EXPECT_EQ(Count(), 1u);
  auto file = WholeFile::Create(At("x"));
  ASSERT_TRUE(file.ok());
  ASSERT_FALSE(file->Write("1"));
  ASSERT_FALSE(file->Write("2"));
  EXPECT_EQ(Get("x"), "before");
  ASSERT_FALSE(file->Finish());
  EXPECT_EQ(Get("x"), "12");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(Files, AWholeFileOnAFullDiskKeepsTheOldOne) {
  Put("x", "before");
  struct rlimit before {
  }, small{1, 1};
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    _exit(WriteWholeFile(At("x"), "after") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Get("x"), "before");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(Files, TheLockOfADeadProcessIsTakenOver) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto file = LockedFile::Open(At("x"), O_WRONLY | O_CREAT);
    if (!file.ok() || write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char byte;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  const auto refused = LockedFile::Open(At("x"), O_WRONLY);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("process " + std::to_string(child) + " ("), std::string::npos)
      << refused.error().message;
  kill(child, SIGKILL);
  EXPECT_TRUE(LockedFile::Open(At("x"), O_WRONLY).ok());
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(Files, WhatIsNoOrdinaryFileHasNoLock) {
  const auto one = LockedFile::Open("/dev/null", O_WRONLY);
  EXPECT_TRUE(one.ok() && LockedFile::Open("/dev/null", O_WRONLY).ok());
}

}  // namespace files_test
}  // namespace conform
