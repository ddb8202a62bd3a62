#include "reference-impl/explore/search.h"

#include <utility>

namespace conform::reference {

namespace {

struct Pending {
  std::vector<int> path;  // ends with an untried alternative
  int branch;
};

// Replays a path, then reports choices to the search.
class SearchChooser : public Chooser {
 public:
  SearchChooser(std::vector<int> path, int branch, SearchVisitor* visitor, std::vector<Pending>* pending)
      : path_(std::move(path)), replayed_(path_.size()), visitor_(visitor), pending_(pending) {
    if (replayed_ == 0) visitor_->Resume(branch);
    branch_ = branch;
  }

  int Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) override {
    if (position_ < replayed_) {
      const int index = path_[position_++];
      if (position_ == replayed_) visitor_->Resume(branch_);
      return index;
    }
    const int branch = visitor_->Branch();
    // The last alternative is tried first of those that are left, so that the list stays a stack.
    for (int index = count - 1; index >= 1; --index) {
      std::vector<int> path = path_;
      path.push_back(index);
      pending_->push_back({std::move(path), branch});
    }
    path_.push_back(0);
    ++position_;
    return 0;
  }

  bool replaying() const { return position_ < replayed_; }
  const std::vector<int>& path() const { return path_; }

 private:
  std::vector<int> path_;
  const size_t replayed_;
  size_t position_ = 0;
  int branch_ = 0;
  SearchVisitor* visitor_;
  std::vector<Pending>* pending_;
};

class SearchRecorder : public Recorder {
 public:
  SearchRecorder(const SearchChooser& chooser, SearchVisitor* visitor, const ExploreLimits& limits, int64_t* total)
      : chooser_(chooser), visitor_(visitor), limits_(limits), total_(total) {}

  void Emit(const std::string& label, const char*, int64_t, const char*) override {
    if (!chooser_.replaying()) visitor_->Emit(label);
  }
  void CountStep() override {
    if (++steps_ > limits_.max_callbacks) throw LimitHit{"callbacks in one run"};
    if (++*total_ > limits_.max_total_callbacks) throw LimitHit{"callbacks in all runs"};
  }

 private:
  const SearchChooser& chooser_;
  SearchVisitor* visitor_;
  const ExploreLimits& limits_;
  int64_t* total_;
  int64_t steps_ = 0;
};

}  // namespace

SearchResult Search(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits,
                    SearchVisitor* visitor) {
  SearchResult result;
  std::vector<Pending> pending{{{}, 0}};
  int64_t total = 0;
  while (!pending.empty()) {
    if (result.runs == limits.max_runs) {
      result.limit_hit = "runs";
      return result;
    }
    ++result.runs;
    Pending next = std::move(pending.back());
    pending.pop_back();
    SearchChooser chooser(std::move(next.path), next.branch, visitor, &pending);
    SearchRecorder recorder(chooser, visitor, limits, &total);
    try {
      SimulatedRun run(c, model, timing, chooser, recorder, [&](const Fingerprint::Value& state) {
        if (!chooser.replaying()) visitor->AtPoll(state);
      });
      run.Run();
      if (visitor->End(chooser.path())) return result;
    } catch (const RunAbandoned&) {
      // Another run has been here, or nobody wants to go on.
    } catch (const LimitHit& limit) {
      result.limit_hit = limit.name;
      return result;
    }
  }
  return result;
}

}  // namespace conform::reference
