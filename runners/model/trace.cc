#include "runners/model/trace.h"

namespace conform {

Order Trace::ToOrder() const {
  Order order;
  order.reserve(events.size());
  for (const TraceEvent& event : events) order.push_back(event.label);
  return order;
}

}  // namespace conform
