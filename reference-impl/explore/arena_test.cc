#include "reference-impl/explore/arena.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace conform::reference {
namespace arena_test {

struct Things {
  std::map<int, std::string> texts;
  std::shared_ptr<Things> other;
};

class ArenaTest : public testing::Test {
 protected:
  ArenaTest() { arena_.Clear(); }

  Things* Make() {
    const Arena::Inside inside(arena_);
    auto* things = new Things;
    things->texts[1] = "a text that is too long for the object itself";
    things->other = std::make_shared<Things>();
    return things;
  }

  Arena& arena_ = Arena::OfThread();
};

TEST_F(ArenaTest, PutsBackWhatWasThere) {
  Things* const things = Make();
  Arena::Image image;
  arena_.CopyTo(&image);
  {
    const Arena::Inside inside(arena_);
    things->texts[1] = "another text that is too long for the object itself";
    things->texts[2] = "a second text that is too long for the object itself";
    things->other = nullptr;
    for (int i = 0; i < 100; ++i) things->texts[i] += "longer and longer and longer";
  }
  arena_.Restore(image);
  EXPECT_EQ(things->texts, (std::map<int, std::string>{{1, "a text that is too long for the object itself"}}));
  ASSERT_NE(things->other, nullptr);
  EXPECT_EQ(things->other.use_count(), 1);
}

TEST_F(ArenaTest, GivesTheSameAddressesAfterClear) {
  const Things* const before = Make();
  arena_.Clear();
  EXPECT_EQ(Make(), before);
}

TEST_F(ArenaTest, UsesWhatWasFreed) {
  Things* const things = Make();
  const auto add_and_erase = [&] {
    const Arena::Inside inside(arena_);
    things->texts[2] = "a text that is too long for the object itself";
    things->texts.erase(2);
  };
  add_and_erase();
  const size_t used = arena_.used();
  for (int i = 0; i < 1000; ++i) add_and_erase();
  EXPECT_EQ(arena_.used(), used);
}

TEST_F(ArenaTest, LeavesAloneWhatIsAllocatedOutside) {
  std::unique_ptr<std::string> outside;
  {
    const Arena::Inside inside(arena_);
    const Arena::Outside pause;
    outside = std::make_unique<std::string>("a text that is too long for the object itself");
  }
  EXPECT_FALSE(arena_.Owns(outside.get()));
  EXPECT_FALSE(arena_.Owns(outside->data()));
  arena_.Clear();
  Make();
  EXPECT_EQ(*outside, "a text that is too long for the object itself");
}

TEST_F(ArenaTest, AlignsEverySize) {
  size_t wrong = 0;
  for (size_t bytes = 1; bytes < 5000; bytes += 7) {
    const auto address = reinterpret_cast<uintptr_t>(arena_.Allocate(bytes));
    wrong += address % alignof(std::max_align_t) != 0;
  }
  EXPECT_EQ(wrong, 0u);
}

TEST_F(ArenaTest, SaysThatItIsFull) {
  EXPECT_THROW(arena_.Allocate(size_t{100} << 20), ArenaFull);
  EXPECT_THROW(
      {
        for (;;) arena_.Allocate(size_t{1} << 20);
      },
      ArenaFull);
}

}  // namespace arena_test
}  // namespace conform::reference
