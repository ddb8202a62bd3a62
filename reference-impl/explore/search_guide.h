// Takes one run of a search after the other from where it begins to where it ends.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_GUIDE_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_GUIDE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference-impl/explore/arena.h"
#include "reference-impl/explore/model_run.h"
#include "reference-impl/explore/search.h"
#include "reference-impl/explore/search_paths.h"
#include "reference-impl/platform/chooser.h"

namespace conform::reference {

// Takes a run from a base along a path, then reports choices to the search. Where a run rests, its state is copied; the
// copy becomes a base if there is a choice before the next rest.
class SearchGuide : public Chooser, public RunObserver {
 public:
  // `rests`: runs may begin at rests. `knows_ways`: and the way to them is asked for.
  SearchGuide(SearchVisitor* visitor, PendingPaths* pending, bool rests, bool knows_ways)
      : visitor_(visitor), pending_(pending), rests_(rests), knows_ways_(knows_ways) {}
  ~SearchGuide() override;
  SearchGuide(const SearchGuide&) = delete;
  SearchGuide& operator=(const SearchGuide&) = delete;

  // Takes the next path from those that are pending, which is not the last one where many states are kept. A chain of
  // choices would keep the states of all that it has passed until its end has been reached. REQUIRES: there is one.
  Pending TakeNext();
  // The next run is this one.
  void Begin(Pending next);
  // The state that it goes on from; null: the start of the run.
  const Arena::Image* image() const;

  int Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) override;

  bool IsOver() const override { return is_over_; }
  bool WantsState() const override { return !replaying() && !resumes_; }
  bool AtState(const Fingerprint::Value& state) override;
  bool AtRest(bool may_leave, bool is_open) override;

  bool replaying() const { return position_ < replayed_; }
  // What the run still does counts for nothing.
  void Abandon() { is_over_ = true; }
  int64_t bytes() const { return base_bytes_.images + base_bytes_.ways; }

  // All choices from the start of the run. REQUIRES: it knows ways.
  std::vector<int> Path() const {
    const Choices path = WholePath(WayOf(base_), choices_);
    return {path.begin(), path.end()};
  }

 private:
  static WayPtr WayOf(const BasePtr& base) { return base == nullptr ? nullptr : base->way; }

  bool TakesTheOldest() const;
  void LeaveHere();
  void StandOnRest();
  void StandHere();
  BasePtr MakeBase(Arena::Image image, size_t choices);
  void SetHalfWay();
  void RememberRest();

  SearchVisitor* visitor_;
  PendingPaths* pending_;
  const bool rests_;
  const bool knows_ways_;
  BytesOfBases base_bytes_;
  BasePtr base_;
  Choices choices_;  // since the base
  size_t replayed_ = 0;
  size_t position_ = 0;
  size_t half_way_ = 0;  // where it is worth standing while it replays
  int branch_ = 0;
  bool resumes_ = false;  // where a run was left, and has not come any further
  Arena::Image rest_;     // the state where the run rested last
  size_t choices_at_rest_ = 0;
  bool has_rested_ = false;      // since the base, or since the last choice
  bool stands_on_rest_ = false;  // at the next choice
  // Likewise where no base was made of it, before the last choice, and the way there.
  Arena::Image last_;
  BasePtr last_base_;
  Choices last_choices_;
  bool starts_at_last_ = false;
  bool is_over_ = false;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_GUIDE_H_
