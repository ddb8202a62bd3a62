// A few of the orders that a case allows, for those who show them.
#ifndef CONFORM_RUNNERS_MODEL_ALLOWED_ORDERS_H_
#define CONFORM_RUNNERS_MODEL_ALLOWED_ORDERS_H_

#include <cstddef>
#include <vector>

#include "runners/model/trace.h"

namespace conform {

// Orders that a case allows under a profile, with phases and clauses where the model knows them.
struct AllowedOrders {
  std::vector<Trace> traces;  // some of them
  size_t total = 0;           // how many there are
  bool at_least = false;      // there may be more than `total`
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_ALLOWED_ORDERS_H_
