#include "reference-impl/explore/search_guide.h"

#include <memory>
#include <utility>

namespace conform::reference {

namespace {

constexpr size_t kSmallState = 64 << 10;
// With this much kept, the oldest paths are taken first; with so much more that they are many, the newest again.
constexpr int64_t kSomeBaseBytes = 2 << 20;
constexpr int64_t kFewBaseBytes = 32 << 20;
constexpr size_t kLongWay = 24;
constexpr size_t kShortWay = 32;

}  // namespace

SearchGuide::~SearchGuide() {
  if (!rests_) return;
  Arena::OfThread().GiveBack(std::move(rest_));
  Arena::OfThread().GiveBack(std::move(last_));
}

bool SearchGuide::TakesTheOldest() const {
  return base_bytes_.images > kSomeBaseBytes && base_bytes_.images < kFewBaseBytes && visitor_->TakesAnyPathNext();
}

Pending SearchGuide::TakeNext() { return TakesTheOldest() ? pending_->TakeFirst() : pending_->TakeLast(); }

void SearchGuide::Begin(Pending next) {
  base_ = std::move(next.base);
  choices_ = std::move(next.choices);
  replayed_ = choices_.size();
  resumes_ = base_ != nullptr && replayed_ == 0;
  starts_at_last_ = base_ != nullptr && base_ == last_base_ && last_choices_.size() < replayed_ &&
                    choices_.starts_with(last_choices_);
  if (!starts_at_last_) last_base_ = nullptr;  // would keep all before it
  position_ = starts_at_last_ ? last_choices_.size() : 0;
  SetHalfWay();
  branch_ = next.branch;
  has_rested_ = false;
  is_over_ = false;
  if (replayed_ == 0) visitor_->Resume(branch_);
}

const Arena::Image* SearchGuide::image() const {
  if (starts_at_last_) return &last_;
  return base_ == nullptr ? nullptr : &base_->image;
}

int SearchGuide::Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) {
  if (is_over_) return 0;
  const Arena::Outside outside;
  if (position_ < replayed_) {
    const int index = choices_[position_++];
    if (position_ == replayed_) visitor_->Resume(branch_);
    return index;
  }
  if (count > kMostAlternatives) throw LimitHit{"alternatives of one choice"};
  const int branch = visitor_->Branch();
  if (has_rested_ && stands_on_rest_) StandOnRest();
  if (has_rested_) RememberRest();
  // The last alternative is tried first of those that are left, so that the list stays a stack.
  choices_.push_back(0);
  replayed_ = ++position_;
  for (int index = count - 1; index >= 1; --index) {
    pending_->Push({base_, choices_, branch}).choices.back() = static_cast<char16_t>(index);
  }
  return 0;
}

bool SearchGuide::AtState(const Fingerprint::Value& state) {
  const Arena::Outside outside;
  is_over_ = is_over_ || !visitor_->AtState(state);
  return !is_over_;
}

bool SearchGuide::AtRest(bool may_leave, bool is_open) {
  if (!rests_ || is_over_) return true;
  const Arena::Outside outside;
  if (replaying()) {
    if (position_ >= half_way_ && base_bytes_.images < 2 * kFewBaseBytes) StandHere();
    return true;
  }
  if (std::exchange(resumes_, false)) return true;  // its base is here
  if (may_leave && !pending_->empty() && TakesTheOldest()) {
    LeaveHere();
    return false;
  }
  if (!is_open) return true;  // a choice all the same is found from the rest before
  const Arena& arena = Arena::OfThread();
  // Where copies are many or large, some way is gone again instead: the longer, the more there are.
  const bool is_small = arena.used() < kSmallState;
  const bool is_cheap = is_small && base_bytes_.images < kFewBaseBytes;
  stands_on_rest_ = is_cheap || choices_.size() >= kLongWay << (base_bytes_.images / kFewBaseBytes);
  if (!is_small && !stands_on_rest_) return true;
  if (rest_.capacity() == 0) rest_ = Arena::OfThread().TakeSpare();
  arena.CopyTo(&rest_);
  choices_at_rest_ = choices_.size();
  has_rested_ = true;
  return true;
}

// Older paths come first, and then the run goes on.
void SearchGuide::LeaveHere() {
  Arena::Image image = Arena::OfThread().TakeSpare();
  Arena::OfThread().CopyTo(&image);
  pending_->Push({MakeBase(std::move(image), choices_.size()), {}, visitor_->Branch()});
  is_over_ = true;
}

// The first of the choices since the base lead to the new one.
BasePtr SearchGuide::MakeBase(Arena::Image image, size_t choices) {
  WayPtr way = WayOf(base_);
  if (knows_ways_ && choices > 0) {
    way = std::make_shared<const Way>(std::move(way), choices_.substr(0, choices), &base_bytes_);
  }
  return std::make_shared<const Base>(std::move(image), std::move(way), &base_bytes_);
}

void SearchGuide::StandOnRest() {
  base_ = MakeBase(std::exchange(rest_, {}), choices_at_rest_);
  choices_.erase(0, choices_at_rest_);
  position_ = replayed_ = choices_.size();
  has_rested_ = false;
}

// On a way that has to be gone again, the states half way and, when little is left, at every rest are bases for the
// paths that have the same way before them, so that the way is not gone as often as there are choices on it.
void SearchGuide::StandHere() {
  Arena::Image image = Arena::OfThread().TakeSpare();
  Arena::OfThread().CopyTo(&image);
  BasePtr base = MakeBase(std::move(image), position_);
  pending_->Move(base_, choices_, position_, base);
  base_ = std::move(base);
  choices_.erase(0, position_);
  replayed_ = choices_.size();
  position_ = 0;
  SetHalfWay();
}

void SearchGuide::SetHalfWay() { half_way_ = replayed_ > kShortWay ? replayed_ / 2 : 1; }

// What is tried next is mostly what the last choice left.
void SearchGuide::RememberRest() {
  std::swap(last_, rest_);
  last_base_ = base_;
  last_choices_.assign(choices_, 0, choices_at_rest_);
  has_rested_ = false;
}

}  // namespace conform::reference
