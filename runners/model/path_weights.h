// Least and greatest weights of the ways from each state of an automaton to acceptance: of their lengths, or of how
// often they read one label. What prunes every search through orders.
#ifndef CONFORM_RUNNERS_MODEL_PATH_WEIGHTS_H_
#define CONFORM_RUNNERS_MODEL_PATH_WEIGHTS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "runners/model/automaton.h"

namespace conform {

inline constexpr int64_t kNoWay = -1;           // the state accepts nothing
inline constexpr int64_t kEndless = INT64_MAX;  // there is no greatest weight

// 0 or 1 for each edge.
using EdgeWeight = std::function<int64_t(const Automaton::Edge&)>;

// 1 for every edge that reads a label: weights are lengths.
int64_t LengthOf(const Automaton::Edge& edge);

// For each state the least weight of a way to acceptance, or kNoWay.
std::vector<int64_t> LeastWeights(const Automaton& automaton, const EdgeWeight& weight);

// For each state the greatest weight of a way to acceptance, or kEndless. `least` says where there is one: see above.
std::vector<int64_t> GreatestWeights(const Automaton& automaton, const EdgeWeight& weight,
                                     const std::vector<int64_t>& least);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_PATH_WEIGHTS_H_
