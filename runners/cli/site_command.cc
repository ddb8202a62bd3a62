// conform site
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "reports/site/folder.h"
#include "reports/site/links.h"
#include "reports/site/parts.h"
#include "reports/site/report_pages.h"
#include "reports/site/site.h"
#include "reports/terminal/progress.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/harness/interrupt.h"
#include "runners/study/explain_results.h"

namespace conform {
namespace {

struct SiteArguments {
  std::string folder;
  std::vector<std::string> files;
  std::string playground;  // a file, or ""
  std::string survey;      // the same
  bool no_causes = false;
  size_t most = 40;
  int jobs = 1;
};

// Why each implementation fails what it fails.
std::vector<CausesReport> FindAllCauses(const SiteArguments& arguments, const reports::ResultSet& set,
                                        const std::vector<SelectedCase>& cases, const Profiles& profiles,
                                        const Interrupt& interrupt) {
  reports::StagedProgress progress;
  size_t done = 0, all = 0;
  std::string implementation;
  const auto begin = [&](size_t so_far, size_t of, const std::string& name) {
    done = so_far, all = of, implementation = name;
    progress.Show("causes", done, all, implementation);
  };
  CausesSettings settings;
  settings.most_causes = arguments.most;
  settings.jobs = arguments.jobs;
  settings.progress = [&](const std::string& what, size_t, size_t) {
    progress.Show("causes", done, all, implementation + ", " + what);
  };
  settings.stopped = [&] { return interrupt.raised(); };
  return ExplainAllResults(set.results(), cases, profiles, settings, begin);
}

// Into the new folder: everything.
std::optional<Error> WriteSite(const reports::SiteInput& input, const SiteArguments& arguments, const Home& home,
                               const std::string& playground, const reports::NewFolder& folder) {
  for (const reports::SiteFile& file : reports::SiteFiles(input)) {
    if (auto error = folder.Write(file.path, file.text)) return error;
  }
  reports::ReportPages pages;
  pages.target = (folder.path() / reports::kSiteReport).string();
  pages.survey = arguments.survey;
  pages.site = "../index.html";
  pages.conform = input.conform;
  if (input.has_playground) {
    pages.playground_families = input.playground_families;
    pages.playground = std::string("../") + reports::kSitePlayground;
    if (auto error = folder.Write(reports::kSitePlayground, playground)) return error;
  }
  return reports::WriteReportPages(pages, home, input.set);
}

int Site(const SiteArguments& arguments, const Context& context) {
  auto folder = reports::NewFolder::Begin(arguments.folder, reports::kSiteMark);
  if (!folder) return Fail(folder.error());
  const auto renamed = LoadRenamed(context.home.Renamed());
  if (!renamed) return Fail(renamed.error());
  auto set = reports::ResultSet::Read(arguments.files, *renamed);
  if (!set) return Fail(set.error());
  PrintNotes(set->notes());
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  if (!catalogue.errors.empty()) return Fail(catalogue.errors);
  const Selection selection = SelectCases(context.home, catalogue, {});
  if (!selection.errors.empty()) return Fail(selection.errors);
  set->Describe(catalogue);
  const ClauseList clauses = LoadClauses(context.home.Spec());
  if (!clauses.errors.empty()) return Fail(clauses.errors);
  auto documents = reports::ReadDocuments(context.home.Spec());
  if (!documents) return Fail(documents.error());
  auto playground =
      arguments.playground.empty() ? Result<std::string>("") : reports::ReadPlayground(arguments.playground);
  if (!playground) return Fail(playground.error());

  const Interrupt interrupt;
  reports::SiteInput input = {*set, catalogue, clauses, *profiles, std::move(*documents)};
  input.causes_left_out = arguments.no_causes;
  input.has_playground = !arguments.playground.empty();
  input.playground_families = reference::FamiliesWithRecipe();
  input.conform = CONFORM_VERSION;
  if (!arguments.no_causes) input.causes = FindAllCauses(arguments, *set, selection.cases, *profiles, interrupt);
  if (interrupt.raised()) return interrupt.exit_code();
  if (const auto error = WriteSite(input, arguments, context.home, *playground, *folder)) return Fail(*error);
  if (interrupt.raised()) return interrupt.exit_code();

  std::set<std::string> ids;
  for (const Clause& clause : clauses.clauses) ids.insert(clause.id);
  const reports::LinkCheck check = reports::CheckLinks(folder->path().string(), ids);
  if (!check.broken.empty()) return Fail(check.broken, kHarnessTrouble);
  const reports::SizeOfPages size = reports::SizeOf(folder->path());
  if (const auto error = folder->Finish()) return Fail(*error);
  for (const std::string& why : set->Incompleteness()) PrintError(Error::WithHint(why, "the site says so"));
  if (!input.has_playground) {
    PrintNotes({"there is no playground: make one with reports/playground/make FILE, and add --playground=FILE"});
  }
  return Answer(fmt::format("{}: {}, {:.1f} MB; {} checked\nopen {}\n", arguments.folder, Counted(size.pages, "page"),
                            static_cast<double>(size.bytes) / 1e6,
                            Counted(static_cast<int64_t>(check.links), "internal link"),
                            (std::filesystem::path(arguments.folder) / "index.html").generic_string()));
}

}  // namespace

CommandSpec MakeSiteCommand() {
  const auto arguments = std::make_shared<SiteArguments>();
  return {"site",
          "Build a static site: spec, cases, results, causes",
          {Argument("DIR", &arguments->folder, "the folder: new, empty, or a site to be replaced").Required(),
           Argument("RESULTS", &arguments->files, "results files, as run --output writes them").Required(),
           Value("--playground", "FILE", &arguments->playground,
                 "the page that reports/playground/make wrote: it becomes\npart of the site, and cases link there"),
           Value("--survey", "FILE", &arguments->survey, "what 'conform survey --format=json' printed"),
           Flag("--no-causes", &arguments->no_causes, "do not look for the causes of failures, which takes\nlongest"),
           Value("--causes", "N", &arguments->most, "maximum number of causes for each implementation\n(default 40)")
               .Between(1, 1'000),
           JobsOption(&arguments->jobs)},
          RunWith(arguments, Site)};
}

}  // namespace conform
