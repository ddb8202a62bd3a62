// Looks of the real platform that find nothing, and need not ask the kernel to know it.
#include <gtest/gtest.h>

#include "reference-impl/platform/epoll_platform.h"
#include "reference-impl/platform/system_clock.h"

namespace conform::reference {
namespace {

using Sources = std::vector<Source>;

class EpollLookTest : public testing::Test {
 protected:
  Sources Ready() {
    std::vector<ReadySource> ready;
    platform_.Wait({}, &ready);
    Sources sources;
    for (const ReadySource& one : ready) sources.push_back(one.source);
    return sources;
  }

  SystemClock clock_;
  EpollPlatform platform_{clock_};
};

TEST_F(EpollLookTest, ALookSeesAWakeUpThatCameAfterManyThatSawNothing) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(wakeup, kReadable);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(Ready(), Sources{});
    platform_.Wake(wakeup);
    EXPECT_EQ(Ready(), Sources{wakeup});
    EXPECT_EQ(Ready(), Sources{wakeup}) << "until it is read";
    EXPECT_GT(platform_.Read(wakeup), 0);
  }
}

TEST_F(EpollLookTest, ALookSeesAWakeUpThatCameBeforeItsWatch) {
  const Source quiet = platform_.OpenWakeup();
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(quiet, kReadable);
  platform_.Wake(wakeup);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ready(), Sources{});
  platform_.Watch(wakeup, kReadable);
  EXPECT_EQ(Ready(), Sources{wakeup});
}

TEST_F(EpollLookTest, ALookSeesAWakeUpThatCameWhileItsWatchWasPaused) {
  const Source quiet = platform_.OpenWakeup();
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(quiet, kReadable);
  platform_.Watch(wakeup, kReadable);
  EXPECT_EQ(Ready(), Sources{});
  platform_.Watch(wakeup, 0);
  platform_.Wake(wakeup);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ready(), Sources{});
  platform_.Watch(wakeup, kReadable);
  EXPECT_EQ(Ready(), Sources{wakeup});
}

TEST_F(EpollLookTest, ALookSeesOtherSourcesBesideAQuietWakeUp) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(wakeup, kReadable);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ready(), Sources{});
  const Source listener = platform_.Listen();
  platform_.Watch(listener, kReadable);
  EXPECT_EQ(Ready(), Sources{});
  platform_.Connect(listener);
  EXPECT_EQ(Ready(), Sources{listener});
}

}  // namespace
}  // namespace conform::reference
