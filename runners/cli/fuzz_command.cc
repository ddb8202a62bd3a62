// conform fuzz
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "reports/distributions.h"
#include "reports/terminal/fuzz_report.h"
#include "reports/terminal/progress.h"
#include "runners/base/folders.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/export/export.h"
#include "runners/harness/plan.h"
#include "runners/study/fuzz.h"
#include "runners/study/fuzz_log.h"
#include "runners/study/implementations.h"
#include "runners/study/own_profile.h"
#include "runners/study/ref_runners.h"

namespace conform {
namespace {

constexpr int64_t kMostPrograms = 1'000'000'000;

struct FuzzArguments {
  std::string implementation;
  std::string against;
  std::string as;
  std::optional<uint64_t> seed;
  int64_t first = 1;
  int64_t count = 300;
  int64_t minutes = 0;
  std::string ops;
  std::string output;
  std::string log;
  std::string shard = "1/1";
  int jobs = 1;
  bool install = false;
  bool print = false;
  bool json = false;
};

// What the implementation is held to.
struct Held {
  Profile profile;
  bool as_claimed = false;
};

// A family that `as` describes is added to the profiles.
Result<Held> HeldTo(const std::string& as, const Runner& runner, Profiles* profiles) {
  if (!as.empty()) {
    const auto profile = ResolveProfile(as, profiles);
    if (!profile) return profile.error();
    return Held{*profile};
  }
  if (runner.claims() == nullptr)
    return Error::WithHint(runner.name() + " has no profile of its own", "choose one with --as");
  const ClaimedProfile claimed = ProfileOf(*runner.claims(), *profiles);
  if (!claimed.note.empty()) PrintNotes({runner.name() + ": " + claimed.note});
  if (claimed.profile.rules.empty()) {
    return Error::WithHint(runner.name() + " has no model", "choose a profile with --as");
  }
  return Held{claimed.profile, true};
}

// Of each program the text, as it would be in a file.
int PrintPrograms(const ProgramGenerator& generator, const FuzzArguments& arguments) {
  std::string text;
  for (int64_t i = 0; i < arguments.count; ++i) {
    const Case c = generator.Make(arguments.first + i);
    text += "# " + c.id + "\n" + CaseFileText(c, " ...\n") + "---\n";
  }
  return Answer(text);
}

FuzzSettings SettingsOf(const FuzzArguments& arguments, const Shard& shard) {
  FuzzSettings settings{arguments.first, arguments.count, arguments.minutes * 60'000, arguments.jobs, shard};
  if (arguments.minutes > 0) settings.count = kMostPrograms;
  return settings;
}

// Of a finding, the case file and beside it the program as it runs without conform, where it can be written so. Nothing
// where no folder is named.
std::optional<Error> WriteFinding(const std::string& folder, const Case& drawn, const Case& shrunk,
                                  const std::string& family, const std::string& text) {
  if (folder.empty()) return std::nullopt;
  const std::string path = folder + "/" + drawn.id;
  if (auto error = WriteWholeFile(path + ".yaml", text)) return error;
  const ExportLanguage* language = ExportLanguageOf(family);
  const auto program = language == nullptr ? Result<std::string>(Error{"no language"}) : language->write(shrunk);
  if (!program) return std::nullopt;
  return WriteWholeFile(path + std::filesystem::path(language->file_name(shrunk)).extension().string(), *program);
}

int FuzzAgainst(const FuzzArguments& arguments, const Context& context, const ProgramGenerator& generator,
                const Profile& profile, const FuzzSettings& settings, uint64_t seed, const Runner& runner,
                const RunnerOptions& options) {
  const auto other = MakeRunner(arguments.against, options);
  if (!other) return Fail(other.error());
  AgainstReport report;
  report.implementation = runner.name();
  report.against = other.value()->name();
  report.option = runner.option();
  report.against_option = other.value()->option();
  report.profile = profile.Name();
  report.seed = seed;
  report.ops = arguments.ops;
  const auto differ = [](const OrderCounts& ours, const OrderCounts& theirs) {
    return reports::Liken(reports::CountPairs(ours, theirs)).likeness == reports::Likeness::kDifferent;
  };
  std::optional<Error> trouble;
  const auto keep = [&](const Disagreement& one) {
    trouble = WriteFinding(arguments.output, one.drawn, one.shrunk, profile.family, DisagreementFileText(report, one));
  };
  reports::Progress progress("programs", static_cast<size_t>(settings.count));
  AgainstFuzzer fuzzer(generator, runner, **other, profile, differ,
                       {[&](int64_t done, const std::string& at) { progress.Show(static_cast<size_t>(done), at); },
                        [&] { return options.interrupt->raised() || trouble.has_value(); }, keep});
  fuzzer.Run(settings, &report);
  progress.Clear();
  if (trouble) return Fail(*trouble, kHarnessTrouble);
  const std::string text =
      arguments.json ? reports::AgainstJson(report).dump(2) + "\n" : reports::AgainstText(report, context.out);
  const bool interrupted = options.interrupt->raised();
  return Answer(text, interrupted ? kEndedBySignal + options.interrupt->signal() : report.ExitCode());
}

int Fuzz(const FuzzArguments& arguments, const Context& context) {
  auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto shard = Shard::Parse(arguments.shard);
  if (!shard) return Fail(shard.error());
  const auto opened = OpenImplementation(arguments.implementation, context.home, arguments.install);
  if (!opened) return Fail(opened.error());
  const Interrupt& interrupt = opened->interrupt();
  const Runner& runner = *opened->runner;
  if (!runner.MayBeLate() && arguments.against.empty()) {
    return Fail(
        Error::WithHint(runner.name() + " runs in virtual time, where every order is the model's own", "use ref:real"));
  }
  const auto held = HeldTo(arguments.as, runner, &*profiles);
  if (!held) return Fail(held.error());
  const std::vector<std::string> only = arguments.ops.empty() ? std::vector<std::string>{} : Split(arguments.ops, ',');
  auto lexicon = LexiconOf(*profiles->Find(held->profile.family), held->profile.version, only);
  if (!lexicon) return Fail(lexicon.error());

  // What a log holds is of its seed.
  std::optional<uint64_t> seed = arguments.seed;
  if (!seed && !arguments.log.empty()) seed = FuzzLog::SeedOf(arguments.log);
  FuzzReport report{runner.name(),
                    runner.option(),
                    held->profile.Name(),
                    held->as_claimed,
                    seed.value_or(std::random_device()()),
                    arguments.ops,
                    {}};
  const ProgramGenerator generator(
      std::move(*lexicon), report.seed,
      std::make_shared<RulePairs>(held->profile, LoadCatalogue(context.home.Cases()).cases));
  if (arguments.print) return PrintPrograms(generator, arguments);
  if (!arguments.output.empty()) {
    if (const auto error = MakeFolder(arguments.output)) return Fail(*error);
  }
  FuzzSettings settings = SettingsOf(arguments, *shard);
  if (!arguments.against.empty()) {
    return FuzzAgainst(arguments, context, generator, held->profile, settings, report.seed, runner, opened->options);
  }

  std::optional<FuzzLog> log;
  FuzzResult earlier;
  if (!arguments.log.empty()) {
    auto file = FuzzLog::Open(arguments.log, report, generator);
    if (!file) return Fail(file.error());
    log = std::move(*file);
    settings.known = log->known();
    earlier = log->TakeEarlier();
  }
  std::optional<Error> trouble;
  const auto keep = [&](const FuzzFinding& finding) {
    if (auto error = WriteFinding(arguments.output, finding.drawn, finding.shrunk, held->profile.family,
                                  FindingFileText(report, finding, held->profile))) {
      trouble = error;
    }
  };
  const auto note = [&](const FuzzNote& one) {
    if (!log) return;
    log->Add(one);
    if (log->trouble()) trouble = log->trouble();
  };
  reports::Progress progress("programs", static_cast<size_t>(settings.count));
  const ModelOracle late;
  Fuzzer fuzzer(generator, runner, held->profile, late,
                {[&](int64_t done, const std::string& at) { progress.Show(static_cast<size_t>(done), at); }, keep,
                 [&] { return interrupt.raised() || trouble.has_value(); }, note});
  report.result = fuzzer.Run(settings, std::move(earlier));
  progress.Clear();
  if (trouble) return Fail(*trouble, kHarnessTrouble);
  if (!report.result.findings.empty() && !report.result.interrupted) {
    CausesSettings causes;
    causes.jobs = arguments.jobs;
    causes.stopped = [&] { return interrupt.raised(); };
    report.causes = CausesOfFindings(report, generator, *profiles, held->profile, causes);
  }
  const std::string text =
      arguments.json ? reports::FuzzJson(report).dump(2) + "\n" : reports::FuzzText(report, context.out);
  return Answer(text, interrupt.raised() ? kEndedBySignal + interrupt.signal() : report.ExitCode());
}

}  // namespace

CommandSpec MakeFuzzCommand() {
  const auto arguments = std::make_shared<FuzzArguments>();
  return {
      "fuzz",
      "Run random programs, and look for impossible orders",
      {Value("--impl", "NAME", &arguments->implementation, "the implementation to run them on").Required(),
       Value("--as", "PROFILE", &arguments->as, "the profile to hold it to, such as node@22"),
       Value("--against", "NAME", &arguments->against,
             "compare it with this implementation, without a model;\nprograms use the steps of the profile"),
       Value("--seed", "N", &arguments->seed, "seed of the random programs (default: a new number)"),
       Value("--first", "N", &arguments->first, "the number of the first program of the seed (default 1)")
           .Between(1, kMostPrograms),
       Value("--count", "N", &arguments->count, "how many programs (default 300)").Between(1, kMostPrograms),
       Value("--minutes", "N", &arguments->minutes, "as many programs as fit into N minutes")
           .Between(1, 100'000)
           .Excludes("--count"),
       Value("--ops", "LIST", &arguments->ops, "only these steps, such as timeout,immediate,on exit"),
       Value(
           "--output", "DIR", &arguments->output,
           "write a case file for each finding, as soon as there is\none, and the program as it runs without conform"),
       Value("--log", "FILE", &arguments->log,
             "keep what is known of each program there as it comes, and\ndo not run again what it has")
           .Excludes("--against"),
       Value("--shard", "I/N", &arguments->shard, "only this part of the programs, such as 2/8"),
       Flag("--install", &arguments->install, "install the named runtime if it is missing"),
       Flag("--print", &arguments->print, "print the programs without running them"), JobsOption(&arguments->jobs),
       FormatOption(&arguments->json)},
      RunWith(arguments, Fuzz)};
}

}  // namespace conform
