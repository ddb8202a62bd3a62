// Choosers: along a path, and at random.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_CHOOSERS_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_CHOOSERS_H_

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "reference-impl/explore/run.h"
#include "reference-impl/platform/chooser.h"

namespace conform::reference {

// Follows a path; after its end, takes the first alternative. Keeps what was chosen.
class PathChooser : public Chooser {
 public:
  explicit PathChooser(const std::vector<int>& path) : path_(path) {}

  int Choose(int count, const std::function<std::string()>& what,
             const std::function<std::string(int)>& taken) override {
    const size_t at = choices_.size();
    int index = at < path_.size() ? path_[at] : 0;
    if (index < 0 || index >= count) {
      if (!error_.has_value()) {
        error_ = "choice " + std::to_string(at + 1) + " of the path is " + std::to_string(index) + ", but there are " +
                 std::to_string(count) + " alternatives, 0 to " + std::to_string(count - 1);
      }
      index = 0;
    }
    choices_.push_back({what(), taken(index), index, count});
    return index;
  }

  const std::vector<Choice>& choices() const { return choices_; }
  const std::optional<std::string>& error() const { return error_; }

 private:
  const std::vector<int>& path_;
  std::vector<Choice> choices_;
  std::optional<std::string> error_;
};

// Draws from a seed; seed 0 takes the first alternative everywhere.
class SeededChooser : public Chooser {
 public:
  explicit SeededChooser(uint64_t seed) : seed_(seed), random_(seed) {}

  int Choose(int count, const std::function<std::string()>& what,
             const std::function<std::string(int)>& taken) override {
    const int index = seed_ == 0 ? 0 : static_cast<int>(random_() % static_cast<uint64_t>(count));
    choices_.push_back({what(), taken(index), index, count});
    return index;
  }

  const std::vector<Choice>& choices() const { return choices_; }

 private:
  const uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<Choice> choices_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_CHOOSERS_H_
