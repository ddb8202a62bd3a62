#include "reference-impl/explore/search_share.h"

#include <utility>

namespace conform::reference {

void SearchShare::Join() {
  const std::lock_guard lock(mutex_);
  ++working_;
}

void SearchShare::Leave() {
  const std::lock_guard lock(mutex_);
  --working_;
  changed_.notify_all();
}

std::optional<SharedPath> SearchShare::Take() {
  std::unique_lock lock(mutex_);
  --working_;
  ++wanted_;
  changed_.wait(lock, [&] { return has_ended() || !offered_.empty() || working_ == 0; });
  if (has_ended() || offered_.empty()) {
    ended_ = true;
    changed_.notify_all();
    return std::nullopt;
  }
  ++working_;
  SharedPath path = std::move(offered_.back());
  offered_.pop_back();
  return path;
}

void SearchShare::Offer(SharedPath path) {
  const std::lock_guard lock(mutex_);
  offered_.push_back(std::move(path));
  --wanted_;
  changed_.notify_one();
}

void SearchShare::End(const std::string& limit) {
  const std::lock_guard lock(mutex_);
  if (!has_ended()) limit_hit_ = limit;
  ended_ = true;
  changed_.notify_all();
}

void SearchShare::Fail(std::exception_ptr thrown) {
  const std::lock_guard lock(mutex_);
  if (thrown_ == nullptr) thrown_ = std::move(thrown);
  ended_ = true;
  changed_.notify_all();
}

SearchShare::Used SearchShare::Note(size_t thread, const Used& used) {
  const std::lock_guard lock(mutex_);
  used_[thread] = used;
  Used others;
  for (size_t i = 0; i < used_.size(); ++i) {
    if (i == thread) continue;
    others.callbacks += used_[i].callbacks;
    others.bytes += used_[i].bytes;
    others.cpu_ms += used_[i].cpu_ms;
  }
  return others;
}

}  // namespace conform::reference
