#include "reports/html/traces.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

bool Alike(const TraceEvent& a, const TraceEvent& b) {
  return a.label == b.label && a.iteration == b.iteration && a.phase == b.phase && a.clause == b.clause;
}

Json EventJson(const TraceEvent& event, size_t times) {
  Json json = Json::array({event.label, times});
  if (!event.iteration && event.phase.empty() && event.clause.empty()) return json;
  json.push_back(event.iteration ? Json(*event.iteration) : Json());
  if (event.phase.empty() && event.clause.empty()) return json;
  json.push_back(event.phase);
  if (!event.clause.empty()) json.push_back(event.clause);
  return json;
}

Json TraceJson(const Trace& trace) {
  const std::vector<TraceEvent>& all = trace.events;
  Json events = Json::array();
  size_t at = 0;
  while (at < all.size() && events.size() < TraceTable::kMaxEvents) {
    size_t end = at + 1;
    while (end < all.size() && Alike(all[at], all[end])) ++end;
    events.push_back(EventJson(all[at], end - at));
    at = end;
  }
  Json json = {{"events", std::move(events)}};
  if (at < all.size()) json["cut"] = all.size() - at;
  return json;
}

}  // namespace

size_t TraceTable::Add(const Trace& trace) {
  Json json = TraceJson(trace);
  const auto [place, is_new] =
      known_.try_emplace(json.dump(-1, ' ', false, Json::error_handler_t::replace), traces_.size());
  if (is_new) traces_.push_back(std::move(json));
  return place->second;
}

}  // namespace conform::reports
