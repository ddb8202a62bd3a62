// Chance that can be repeated: what a number of a seed draws.
#ifndef CONFORM_RUNNERS_STUDY_DICE_H_
#define CONFORM_RUNNERS_STUDY_DICE_H_

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/study/lexicon.h"
#include "runners/study/program_generator.h"

namespace conform {

// Its numbers, unlike those of the library's distributions, are the same everywhere.
class Dice {
 public:
  Dice(uint64_t seed, int64_t number)
      : random_(std::stoull(ContentHash(fmt::format("{} {} {}", kGeneratorVersion, seed, number)), nullptr, 16)) {}

  int Below(size_t count) { return static_cast<int>(random_() % count); }
  int Between(int least, int most) { return least + Below(static_cast<size_t>(most - least + 1)); }
  bool Chance(int percent) { return Below(100) < percent; }
  template <typename T>
  const T& Of(const std::vector<T>& all) {
    return all[static_cast<size_t>(Below(all.size()))];
  }
  // Nothing where no word fits.
  const Word* Draw(const std::vector<Word>& words, const std::function<bool(const Word&)>& fits) {
    size_t sum = 0;
    for (const Word& word : words) sum += fits(word) ? static_cast<size_t>(word.weight) : 0;
    if (sum == 0) return nullptr;
    int at = Below(sum);
    for (const Word& word : words) {
      if (!fits(word)) continue;
      at -= word.weight;
      if (at < 0) return &word;
    }
    CONFORM_CHECK(false);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_DICE_H_
