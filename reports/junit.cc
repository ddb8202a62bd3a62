// JUnit XML in the form that Ant's task gave it, with every element and attribute that the strictest of its schemas
// requires: properties, system-out and system-err in every suite, and hostname and timestamp too.
#include <fmt/format.h>

#include <algorithm>
#include <map>

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

std::string Details(const CaseResult& result) {
  std::string text = "case: " + result.case_id + "\nverdict: " + std::string(VerdictName(result.verdict)) + "\n";
  if (result.basis != Basis::kNone) text += "basis: " + std::string(BasisName(result.basis)) + "\n";
  if (!result.expected.empty()) text += "expected: " + result.expected + "\n";
  if (const std::string observed = ObservedText(result); !observed.empty()) text += "observed: " + observed + "\n";
  if (!result.reason.empty()) text += result.reason + "\n";
  return text + result.reproduce + "\n";
}

struct Suite {
  std::string name, package;
  std::string classes;  // what the names of its classes begin with
  std::string properties, cases;
  int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void Add(const CaseResult& result, const Knowledge& knowledge) {
    const double took = SecondsOf(result);
    const size_t slash = result.case_id.rfind('/');
    std::string folder = slash == result.case_id.npos ? "cases" : result.case_id.substr(0, slash);
    std::replace(folder.begin(), folder.end(), '/', '.');
    ++tests;
    seconds += took;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"",
                         XmlEscaped(classes + "." + folder), XmlEscaped(result.case_id), took);
    const std::string type(VerdictName(result.verdict));
    switch (knowledge.OutcomeOf(result)) {
      case Outcome::kGood:
        cases += "/>\n";
        return;
      case Outcome::kBad:
        ++failures;
        AddTrouble("failure", type, Explanation(result), Details(result));
        return;
      case Outcome::kBroken:
        ++errors;
        AddTrouble("error", type, Explanation(result), Details(result));
        return;
      case Outcome::kKnown:
        ++skipped;
        cases += fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                             XmlEscaped(type + ": " + knowledge.TextFor(result)));
        return;
      case Outcome::kSkipped:
        ++skipped;
        cases += fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                             XmlEscaped(type + ": " + Explanation(result)));
        return;
    }
    CONFORM_CHECK(false);
  }

  void AddTrouble(const char* element, const std::string& type, const std::string& message, const std::string& text) {
    cases += fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", element,
                         XmlEscaped(type), XmlEscaped(message), XmlEscaped(text), element);
  }

  void AddProperty(const std::string& property, const std::string& value) {
    if (property.empty()) return;
    properties += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", XmlEscaped(property), XmlEscaped(value));
  }

  std::string Text(size_t id, const std::string& timestamp) const {
    return fmt::format(
        "  <testsuite name=\"{}\" package=\"{}\" id=\"{}\" timestamp=\"{}\" hostname=\"localhost\" tests=\"{}\" "
        "failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\">\n    <properties>\n{}    </properties>\n{}"
        "    <system-out/>\n    <system-err/>\n  </testsuite>\n",
        XmlEscaped(name), XmlEscaped(package), id, timestamp, tests, failures, errors, skipped, seconds, properties,
        cases);
  }
};

Suite SuiteOf(const ResultSet& set, size_t column, const std::string& profile, const Knowledge& knowledge) {
  const ReportImplementation& implementation = set.implementations()[column];
  Suite suite;
  suite.name = implementation.name + " as " + profile;
  suite.package = implementation.kind;
  // Readers tell tests apart by class and name.
  suite.classes = implementation.profiles.size() > 1 ? suite.name : implementation.name;
  suite.AddProperty("implementation", implementation.name);
  suite.AddProperty("profile", profile);
  for (const auto& [name, value] : implementation.details) suite.AddProperty(name, value);
  std::map<Basis, int64_t> by_basis;
  for (size_t row = 0; row < set.cases().size(); ++row) {
    for (const CaseResult& result : set.Of(row, column)) {
      if (result.profile != profile) continue;
      suite.Add(result, knowledge);
      ++by_basis[result.basis];
    }
  }
  for (const auto& [basis, count] : by_basis) {
    if (basis != Basis::kNone) suite.AddProperty("basis " + std::string(BasisName(basis)), std::to_string(count));
  }
  return suite;
}

}  // namespace

std::string JunitReport(const ResultSet& set, const Knowledge& knowledge) {
  const std::string timestamp = Timestamp(set);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  size_t id = 0;
  for (size_t column = 0; column < set.implementations().size(); ++column) {
    for (const std::string& profile : set.implementations()[column].profiles) {
      out += SuiteOf(set, column, profile, knowledge).Text(id++, timestamp);
    }
  }
  Suite runs;
  runs.name = "conform";
  runs.package = "conform";
  for (const std::string& why : set.Incompleteness()) {
    ++runs.tests;
    ++runs.errors;
    runs.cases += "    <testcase classname=\"conform\" name=\"the run is complete\" time=\"0.000000\"";
    runs.AddTrouble("error", "incomplete", why, why);
  }
  if (runs.tests > 0) out += runs.Text(id, timestamp);
  return out + "</testsuites>\n";
}

}  // namespace conform::reports
