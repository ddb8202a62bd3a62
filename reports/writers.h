// Reports: each a pure function from results to the bytes of one file. Same results, same bytes. What grows with the
// number of results is written as they are read, and not held; an error is that of reading or of `out`.
#ifndef CONFORM_REPORTS_WRITERS_H_
#define CONFORM_REPORTS_WRITERS_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/knowledge.h"
#include "reports/result_set.h"
#include "runners/base/write_file.h"

namespace conform::reports {

// How often each verdict was given, by its name.
nlohmann::ordered_json TotalsJson(const Totals& totals);

// Why a result is not good, on one line: the first difference, or the reason.
std::string Explanation(const CaseResult& result);

// "decided 408 by proof, 20 by repetition"; "" where nothing was decided.
std::string BasesText(const std::map<Basis, int64_t>& bases);
// The orders that were observed, as `A B` or `A B (3 times), B A`; "" where none was.
std::string ObservedText(const CaseResult& result, size_t max_bytes = 400);

// With a baseline, every report shows known deviations apart, with their reasons: what is red is new.

// JUnit XML with one suite for each implementation under each profile: failure for a wrong order, error where there is
// none, skipped where nothing is judged, or where the deviation is known. The name of a class has the implementation
// and the folder of the case. A run that was cut short is a separate error.
std::optional<Error> JunitReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out);

// TAP with one test point for each result, `# TODO` for a known deviation, and a bail-out at the end of a run that was
// cut short. Of what version 14 has over 13 nothing is used, so that 13 is what every reader can read.
inline constexpr int kTapVersion = 13;
std::optional<Error> TapReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out,
                               int version = kTapVersion);

inline constexpr size_t kMaxCommentBytes = 60'000;  // a comment on GitHub has room for 65,536 characters
// Markdown: totals by implementation, and what does not pass. No longer than `max_bytes`: what does not fit is counted.
std::optional<Error> MarkdownReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out,
                                    size_t max_bytes = kMaxCommentBytes);

// Workflow commands of GitHub, one line for each result that is bad or broken, at the expectation in the file of the
// case; known deviations are counted in a notice. `place` makes a path of the repository of a path of this machine, or
// "" where there is none.
using PlaceInRepository = std::function<std::string(const std::string& path)>;
std::optional<Error> GithubAnnotations(const ResultSet& set, const PlaceInRepository& place, const Knowledge& knowledge,
                                       const TextSink& out);
inline constexpr size_t kMaxAnnotations = 50;

// A badge: as shields.io takes it from an endpoint, or as a picture.
std::string BadgeJson(const ResultSet& set);
std::string BadgeSvg(const ResultSet& set);

// Everything, spec/schemas/report.schema.json.
std::optional<Error> JsonReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out);

// CSV with a header and one row for each result, for a spreadsheet or a database.
std::optional<Error> CsvReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out);

// A format that needs nothing but the results: `conform report --NAME=FILE` writes it.
struct TextFormat {
  const char* name;
  const char* help;
  std::optional<Error> (*write)(const ResultSet& set, const Knowledge& knowledge, const TextSink& out);
};
inline constexpr TextFormat kTextFormats[] = {
    {"markdown", "Markdown that fits a comment ('-' for stdout,\nhere and below)",
     [](const ResultSet& set, const Knowledge& knowledge, const TextSink& out) {
       return MarkdownReport(set, knowledge, out);
     }},
    {"junit", "JUnit XML", JunitReport},
    {"csv", "CSV, one row for each result", CsvReport},
    {"json", "JSON (spec/schemas/report.schema.json)", JsonReport},
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_WRITERS_H_
