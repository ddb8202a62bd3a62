// conform report
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "reference-impl/explore/explorer.h"
#include "reports/site/report_pages.h"
#include "reports/writers.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"

namespace conform {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  // Where to write each; "" for not at all, "-" for stdout.
  std::array<std::string, std::size(reports::kTextFormats)> text;  // by format
  std::string tap;
  std::vector<std::string> badges;
  int tap_version = reports::kTapVersion;
  std::string baseline;  // "" for none
  bool github = false;
  reports::ReportPages html;

  bool WritesNothing() const {
    return std::all_of(text.begin(), text.end(), [](const std::string& file) { return file.empty(); }) && tap.empty() &&
           badges.empty() && !github && html.target.empty();
  }
};

// A job summary has room for a mebibyte.
constexpr size_t kMaxSummaryBytes = 1'000'000;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A path below the top of the repository that a workflow works on, or else below this folder.
std::string PlaceInRepository(const std::string& path) {
  std::error_code trouble;
  const std::string workspace = Variable("GITHUB_WORKSPACE");
  const auto top = std::filesystem::weakly_canonical(workspace.empty() ? "." : workspace, trouble);
  const auto place = std::filesystem::weakly_canonical(path, trouble).lexically_relative(top);
  return place.empty() || *place.begin() == ".." ? "" : place.generic_string();
}

// Writes one report after the other, and remembers what went wrong.
class Writer {
 public:
  using Report = std::function<std::optional<Error>(const TextSink& out)>;

  void Write(const std::string& path, const Report& report) {
    if (path.empty() || trouble_) return;
    trouble_ = path == "-" ? report(PrintPiece) : WriteFile(path, report);
  }
  void Write(const std::string& path, const std::string& text) {
    Write(path, [&](const TextSink& out) { return out(text); });
  }

  // What other steps wrote to the file stays.
  void Append(const std::string& path, const Report& report) {
    if (trouble_) return;
    std::ofstream file(path, std::ios::app);
    trouble_ = report([&](std::string_view piece) -> std::optional<Error> {
      file << piece;
      return std::nullopt;
    });
    file.close();
    if (!file && !trouble_) trouble_ = Error{"cannot be written", path};
  }

  int ExitCode() const {
    if (trouble_) PrintError(*trouble_);
    return trouble_ ? kHarnessTrouble : kAllAsExpected;
  }

 private:
  static std::optional<Error> PrintPiece(std::string_view piece) {
    return Print(piece) ? std::nullopt : std::optional(Error{"stdout cannot be written"});
  }
  static std::optional<Error> WriteFile(const std::string& path, const Report& report) {
    auto file = WholeFile::Create(path);
    if (!file) return file.error();
    if (auto error = report([&](std::string_view piece) { return file->Write(piece); })) return error;
    return file->Finish();
  }

  std::optional<Error> trouble_;
};

void WriteForGithub(const reports::ResultSet& set, const reports::Knowledge& knowledge, Writer& writer) {
  writer.Write("-",
               [&](const TextSink& out) { return reports::GithubAnnotations(set, PlaceInRepository, knowledge, out); });
  const std::string summary = Variable("GITHUB_STEP_SUMMARY");
  if (summary.empty()) return;
  writer.Append(summary,
                [&](const TextSink& out) { return reports::MarkdownReport(set, knowledge, out, kMaxSummaryBytes); });
}

// Pages show everything that is in a result. For all else it is read again when it is written, if it can be.
Result<reports::ResultSet> ReadFor(const ReportArguments& arguments, const RenamedIds& renamed,
                                   const reports::ResultSet::Keep& matters) {
  const auto is_regular = [](const std::string& path) { return std::filesystem::is_regular_file(path); };
  const bool twice = std::all_of(arguments.files.begin(), arguments.files.end(), is_regular);
  if (!arguments.html.target.empty() || !twice) return reports::ResultSet::Read(arguments.files, renamed);
  return reports::ResultSet::Skim(arguments.files, renamed, matters);
}

// No report replaces what it is made of.
std::optional<Error> CheckOutputs(const ReportArguments& arguments) {
  std::vector<std::string> read = arguments.files, written = arguments.badges;
  read.insert(read.end(), {arguments.baseline, arguments.html.survey});
  read.insert(read.end(), arguments.html.causes.begin(), arguments.html.causes.end());
  written.insert(written.end(), arguments.text.begin(), arguments.text.end());
  written.insert(written.end(), {arguments.tap, arguments.html.target});
  for (const std::string& file : written) {
    if (auto error = CheckOutput(file, read)) return error;
  }
  return std::nullopt;
}

int Report(const ReportArguments& arguments, const Context& context) {
  if (arguments.WritesNothing()) return Fail(Error::WithHint("nothing to write", "see 'conform report --help'"));
  if (const auto error = CheckOutputs(arguments)) return Fail(*error);
  const auto renamed = LoadRenamed(context.home.Renamed());
  if (!renamed) return Fail(renamed.error());
  std::optional<reports::Baseline> baseline;
  reports::ResultSet::Keep matters = [](const CaseResult&) { return false; };
  if (!arguments.baseline.empty()) {
    auto read = reports::ReadBaseline(arguments.baseline);
    if (!read) return Fail(read.error());
    baseline = std::move(*read);
    reports::Rename(*baseline, *renamed);
    matters = reports::Knowledge::Matters(*baseline);
  }
  auto set = ReadFor(arguments, *renamed, matters);
  if (!set) return Fail(set.error());
  PrintNotes(set->notes());
  // Cases that cannot be read are reported without what is in their files.
  set->Describe(LoadCatalogue(context.home.Cases()), LoadClauses(context.home.Spec()));

  reports::Knowledge knowledge;
  if (baseline) {
    auto known = reports::Knowledge::Of(*set, *baseline);
    if (!known) return Fail(known.error());
    knowledge = std::move(*known);
  }

  if (!arguments.html.target.empty()) {
    reports::ReportPages pages = arguments.html;
    pages.playground_families = reference::FamiliesWithRecipe();
    pages.conform = CONFORM_VERSION;
    if (const auto error = reports::WriteReportPages(pages, context.home, *set, knowledge)) return Fail(*error);
  }
  Writer writer;
  for (size_t i = 0; i < arguments.text.size(); ++i) {
    writer.Write(arguments.text[i],
                 [&](const TextSink& out) { return reports::kTextFormats[i].write(*set, knowledge, out); });
  }
  writer.Write(arguments.tap,
               [&](const TextSink& out) { return reports::TapReport(*set, knowledge, out, arguments.tap_version); });
  for (const std::string& badge : arguments.badges) {
    writer.Write(badge, badge.ends_with(".svg") ? reports::BadgeSvg(*set) : reports::BadgeJson(*set));
  }
  if (arguments.github) WriteForGithub(*set, knowledge, writer);
  for (const std::string& why : set->Incompleteness()) PrintError(Error::WithHint(why, "the reports say so"));
  return writer.ExitCode();
}

}  // namespace

CommandSpec MakeReportCommand() {
  const auto arguments = std::make_shared<ReportArguments>();
  std::vector<OptionSpec> options{
      Argument("RESULTS", &arguments->files, "results files, as run --output writes them").Required(),
  };
  for (size_t i = 0; i < arguments->text.size(); ++i) {
    const reports::TextFormat& format = reports::kTextFormats[i];
    options.push_back(Value(std::string("--") + format.name, "FILE", &arguments->text[i], format.help));
  }
  const std::vector<OptionSpec> others{
      Value("--tap", "FILE", &arguments->tap, "TAP"),
      Value("--tap-version", "N", &arguments->tap_version, "13, or 14 for newer readers (default 13)")
          .OneOf({"13", "14"}),
      Value("--baseline", "FILE", &arguments->baseline,
            "the known deviations (spec/gate.md): they are shown as\nsuch, and only what is new is a failure"),
      Value("--badge", "FILE", &arguments->badges,
            "a badge: an image if FILE ends with .svg, otherwise\nJSON for a shields.io endpoint"),
      Flag("--github", &arguments->github,
           "annotations on stdout, and Markdown for the job summary,\nas GitHub Actions read them"),
      Value("--html", "DIR", &arguments->html.target, "pages, into a folder"),
      Flag("--single", &arguments->html.single, "with --html=FILE: everything in one page").Needs("--html"),
      Value("--survey", "FILE", &arguments->html.survey, "for --html: what 'conform survey\n--format=json' printed")
          .Alias("--rules")
          .Needs("--html"),
      Value("--causes", "FILE", &arguments->html.causes, "for --html: what 'conform causes --format=json' printed")
          .Needs("--html"),
      Value("--playground", "ADDRESS", &arguments->html.playground,
            "for --html: where the playground is, such as\nplayground.html; cases then link there")
          .Needs("--html"),
  };
  options.insert(options.end(), others.begin(), others.end());
  return {"report", "Write results as pages, tables and files for other tools", std::move(options),
          RunWith(arguments, Report)};
}

}  // namespace conform
