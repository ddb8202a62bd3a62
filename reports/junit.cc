// JUnit XML in the form that Ant's task gave it, with every element and attribute that the strictest of its schemas
// requires: properties, system-out and system-err in every suite, and hostname and timestamp too.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reports/escape.h"
#include "reports/first_difference.h"
#include "reports/writers.h"
#include "runners/base/check.h"

namespace conform::reports {
namespace {

// How long the last run of a case took, as far as it recorded times.
double SecondsOf(const CaseResult& result) {
  double seconds = 0;
  if (result.tries.empty()) return seconds;
  for (const TraceEvent& event : result.tries.back().trace.events) {
    if (event.t_ns) seconds = std::max(seconds, static_cast<double>(*event.t_ns) / 1e9);
  }
  return seconds;
}

// "2026-11-16T01:38:00", which the schema wants without a zone; a run without a time has the first.
std::string Timestamp(const ResultSet& set) {
  std::string earliest;
  for (const ReportFile& file : set.files()) {
    const std::string& started = file.run.started;
    if (started.size() == 20 && (earliest.empty() || started < earliest)) earliest = started;
  }
  return earliest.empty() ? "1970-01-01T00:00:00" : XmlEscaped(earliest.substr(0, 19));
}

std::string Details(const CaseResult& result, const ResultSet& set) {
  std::string text = "case: " + result.case_id + "\nverdict: " + std::string(VerdictName(result.verdict)) + "\n";
  if (result.basis != Basis::kNone) text += "basis: " + std::string(BasisName(result.basis)) + "\n";
  if (!result.expected.empty()) text += "expected: " + result.expected + "\n";
  if (const std::string observed = ObservedText(result); !observed.empty()) text += "observed: " + observed + "\n";
  if (!result.reason.empty()) text += result.reason + "\n";
  if (const std::string clause = set.ClauseOf(result).Text(); !clause.empty()) text += "clause: " + clause + "\n";
  return text + result.reproduce + "\n";
}

// What the first line of a suite says of all of it.
struct Counts {
  int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  std::map<Basis, int64_t> by_basis = {};

  void Add(const CaseResult& result, const Knowledge& knowledge) {
    ++tests;
    seconds += SecondsOf(result);
    ++by_basis[result.basis];
    switch (knowledge.OutcomeOf(result)) {
      case Outcome::kGood:
        return;
      case Outcome::kBad:
        ++failures;
        return;
      case Outcome::kBroken:
        ++errors;
        return;
      case Outcome::kKnown:
      case Outcome::kSkipped:
        ++skipped;
        return;
    }
    CONFORM_CHECK(false);
  }
};

struct Suite {
  std::string name, package;
  std::string classes;  // what the names of its classes begin with
  std::string properties;
  Counts counts;

  void AddProperty(const std::string& property, const std::string& value) {
    if (property.empty()) return;
    properties += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", XmlEscaped(property), XmlEscaped(value));
  }

  std::string Head(size_t id, const std::string& timestamp) const {
    return fmt::format(
        "  <testsuite name=\"{}\" package=\"{}\" id=\"{}\" timestamp=\"{}\" hostname=\"localhost\" tests=\"{}\" "
        "failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\">\n    <properties>\n{}    </properties>\n",
        XmlEscaped(name), XmlEscaped(package), id, timestamp, counts.tests, counts.failures, counts.errors,
        counts.skipped, counts.seconds, properties);
  }
};
constexpr const char* kEndOfSuite = "    <system-out/>\n    <system-err/>\n  </testsuite>\n";

std::string TestCase(const std::string& class_name, const std::string& name, double seconds) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"", XmlEscaped(class_name),
                     XmlEscaped(name), seconds);
}

std::string Trouble(const char* element, const std::string& type, const std::string& message, const std::string& text) {
  return fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", element, XmlEscaped(type),
                     XmlEscaped(message), XmlEscaped(text), element);
}

std::string Skipped(const std::string& message) {
  return fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", XmlEscaped(message));
}

std::string TestCaseOf(const CaseResult& result, const std::string& classes, const ResultSet& set,
                       const Knowledge& knowledge) {
  const size_t slash = result.case_id.rfind('/');
  std::string folder = slash == result.case_id.npos ? "cases" : result.case_id.substr(0, slash);
  std::replace(folder.begin(), folder.end(), '/', '.');
  const std::string begin = TestCase(classes + "." + folder, result.case_id, SecondsOf(result));
  const std::string type(VerdictName(result.verdict));
  switch (knowledge.OutcomeOf(result)) {
    case Outcome::kGood:
      return begin + "/>\n";
    case Outcome::kBad:
      return begin + Trouble("failure", type, Explanation(result), Details(result, set));
    case Outcome::kBroken:
      return begin + Trouble("error", type, Explanation(result), Details(result, set));
    case Outcome::kKnown:
      return begin + Skipped(type + ": " + knowledge.TextFor(result));
    case Outcome::kSkipped:
      return begin + Skipped(type + ": " + Explanation(result));
  }
  CONFORM_CHECK(false);
}

Suite SuiteOf(const ReportImplementation& implementation, const std::string& profile, const Counts& counts) {
  Suite suite;
  suite.name = implementation.name + " as " + profile;
  suite.package = implementation.kind;
  // Readers tell tests apart by class and name.
  suite.classes = implementation.profiles.size() > 1 ? suite.name : implementation.name;
  suite.counts = counts;
  suite.AddProperty("implementation", implementation.name);
  suite.AddProperty("profile", profile);
  for (const auto& [name, value] : implementation.details) suite.AddProperty(name, value);
  for (const auto& [basis, count] : counts.by_basis) {
    if (basis != Basis::kNone) suite.AddProperty("basis " + std::string(BasisName(basis)), std::to_string(count));
  }
  return suite;
}

// Of a run that was cut short.
std::string RunsSuite(const std::vector<std::string>& incomplete, size_t id, const std::string& timestamp) {
  Suite runs;
  runs.name = runs.package = "conform";
  runs.counts.tests = runs.counts.errors = static_cast<int64_t>(incomplete.size());
  std::string out = runs.Head(id, timestamp);
  for (const std::string& why : incomplete) {
    out += TestCase("conform", "the run is complete", 0) + Trouble("error", "incomplete", why, why);
  }
  return out + kEndOfSuite;
}

}  // namespace

std::optional<Error> JunitReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out) {
  using Key = std::pair<std::string, std::string>;  // implementation and profile
  std::map<Key, Counts> counts;
  const auto count = [&](const CaseResult& result) -> std::optional<Error> {
    counts[{result.implementation, result.profile}].Add(result, knowledge);
    return std::nullopt;
  };
  if (auto error = set.ForEach(ResultSet::By::kCase, count)) return error;
  if (auto error = out("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")) return error;
  const std::string timestamp = Timestamp(set);
  size_t id = 0;
  std::optional<Key> open;
  Suite suite;
  const auto write = [&](const CaseResult& result) {
    std::string text;
    if (const Key key{result.implementation, result.profile}; key != open) {
      if (open) text += kEndOfSuite;
      open = key;
      suite = SuiteOf(set.implementations()[*set.FindImplementation(key.first)], key.second, counts[key]);
      text += suite.Head(id++, timestamp);
    }
    return out(text + TestCaseOf(result, suite.classes, set, knowledge));
  };
  if (auto error = set.ForEach(ResultSet::By::kImplementation, write)) return error;
  std::string text = open ? kEndOfSuite : "";
  if (const auto incomplete = set.Incompleteness(); !incomplete.empty()) text += RunsSuite(incomplete, id, timestamp);
  return out(text + "</testsuites>\n");
}

}  // namespace conform::reports
