// Search over choice points: run, take an untried alternative, mostly the last that was found, and run again from the
// last rest before it.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference-impl/explore/model_run.h"
#include "reference-impl/explore/run.h"

namespace conform::reference {

// What a search does with the runs that it makes. Only what comes after the point where a run leaves those before it is
// reported.
class SearchVisitor {
 public:
  virtual ~SearchVisitor() = default;

  // A run leaves the others after `path`: what follows belongs to the branch that Branch returned for it.
  virtual void Resume(int branch) = 0;
  // False: the run is of no use, and ends soon.
  virtual bool Emit(const std::string& label) = 0;
  // The state where runs may meet. False: another run has been here, and this one ends.
  virtual bool AtState(const Fingerprint::Value& state) = 0;
  // A choice point with untried alternatives: the number of the branch that they belong to.
  virtual int Branch() = 0;
  // The paths that are left may be taken in any order.
  virtual bool TakesAnyPathNext() const = 0;
  // What the visitor keeps, about.
  virtual int64_t bytes() const = 0;
  // The run ended by itself; `path` gives its choices. Returns true when the search is over.
  virtual bool End(const std::function<std::vector<int>()>& path) = 0;
};

struct SearchResult {
  std::string limit_hit;  // "" when every path was taken, or the visitor ended the search
  int64_t runs = 0;
};

// Searches on as many threads as there are visitors, once there is much to do. More than one share what they know, so
// that a branch and a state are the same for all of them.
// `recorded`: every reading of the clock lies between the times of the labels around it; null where nothing is known.
SearchResult Search(const Case& c, const Model& model, Timing timing, const ExploreLimits& limits,
                    const std::vector<SearchVisitor*>& visitors, const Trace* recorded = nullptr,
                    RunsFrom from = RunsFrom::kLastRest);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_SEARCH_H_
