#include "runners/harness/op_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "runners/base/text.h"
#include "runners/harness/printable.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

constexpr size_t kMostUnknown = 5;

// What is unknown about the name of a capability, with the nearest that is known; "" when nothing is.
std::string WhyUnknown(const std::string& name, const std::vector<std::string>& vocabulary) {
  if (std::find(vocabulary.begin(), vocabulary.end(), name) != vocabulary.end()) return "";
  std::vector<std::string> known = vocabulary;
  known.insert(known.end(), OpNames().begin(), OpNames().end());
  known.insert(known.end(), {"native", "entry esm", "entry esm await", "entry worker"});
  if (name == "on") return "'on' needs its event: 'on exit'";
  if (std::find(known.begin(), known.end(), name) != known.end()) return "";
  // The language knows neither the kinds of an op nor the events of a handle.
  const std::vector<std::string> words = Split(name, ' ');
  const std::optional<Op> op = OpFromName(words[0]);
  const bool of_kind = words.size() == 3 && words[1] == "as" && op && ShapeOf(*op).as && !WhyNoName(words[2]);
  const bool of_event = words.size() == 2 && words[0] == "on" && !WhyNoName(words[1]);
  if (of_kind || of_event) return "";
  const std::string hint = DidYouMean(name, known);
  return fmt::format("'{}'{}{}", Printable(name, 60), hint.empty() ? "" : ": ", hint);
}

}  // namespace

std::vector<std::string> Vocabulary(const Profiles& profiles, const std::vector<Case>& cases) {
  std::vector<std::string> names;
  for (const ProfileFamily& family : profiles.families()) {
    for (const Capability& capability : family.capabilities) names.push_back(capability.name);
  }
  for (const Case& c : cases) names.insert(names.end(), c.needs.begin(), c.needs.end());
  return names;
}

std::vector<std::string> UnknownOps(const std::vector<std::string>& ops, const std::vector<std::string>& vocabulary) {
  std::vector<std::string> unknown;
  for (const std::string& name : ops) {
    const std::string why = WhyUnknown(name, vocabulary);
    if (!why.empty() && unknown.size() < kMostUnknown) unknown.push_back(why);
  }
  return unknown;
}

}  // namespace conform
