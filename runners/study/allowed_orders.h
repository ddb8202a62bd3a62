// What a case allows under a profile, for those who draw it: orders with their phases, as the model gives them.
#ifndef CONFORM_RUNNERS_STUDY_ALLOWED_ORDERS_H_
#define CONFORM_RUNNERS_STUDY_ALLOWED_ORDERS_H_

#include <optional>
#include <string>
#include <vector>

#include "runners/model/allowed_orders.h"
#include "runners/model/case.h"
#include "runners/model/profile.h"

namespace conform {

// A few allowed orders, among them for each of `near` the one that shares the longest beginning with it. From exploring
// on time; where the model does not know the case, from the pattern, without phases. Nothing where the profile is not
// known, or the pattern leaves open which labels there are.
std::optional<AllowedOrders> FindAllowedOrders(const Profiles& profiles, const Case& c, const std::string& profile,
                                               const std::vector<Order>& near);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_ALLOWED_ORDERS_H_
