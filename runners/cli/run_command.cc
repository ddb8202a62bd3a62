// conform run
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "reference-impl/platform/system_clock.h"
#include "reports/terminal/progress.h"
#include "reports/terminal/run_report.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/cli/run_arguments.h"
#include "runners/export/export.h"
#include "runners/harness/earlier_results.h"
#include "runners/harness/parallel.h"
#include "runners/harness/run_plan.h"
#include "runners/harness/run_scope.h"
#include "runners/study/run_to_resume.h"
#include "runners/study/script_explainer.h"

namespace conform {
namespace {

// A results file has the text of a script for whoever reads its results.
constexpr size_t kMaxSourceBytes = 64 << 10;
std::string Bounded(const std::string& source) {
  return source.size() <= kMaxSourceBytes ? source : source.substr(0, kMaxSourceBytes) + "\n…\n";
}

std::string Now() {
  const std::time_t seconds = reference::SecondsSince1970();
  std::tm utc{};
  char text[32];
  gmtime_r(&seconds, &utc);
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

class Run {
 public:
  Run(const Prepared& prepared, const RunArguments& arguments, const Context& context, const RunScope& scope)
      : prepared_(prepared),
        plan_(prepared.plan),
        arguments_(arguments),
        context_(context),
        scope_(scope),
        interrupt_(scope.interrupt()),
        report_(LoadClauses(context.home.Spec())) {}

  int All(std::optional<RunToResume> resumed) {
    if (auto error = resumed ? OpenAgain(std::move(*resumed)) : Open()) return Fail(*error);
    PrintLeftOut(prepared_.left_out);
    for (const auto& runner : prepared_.runners) NoteVersion(*runner);
    const bool whole = RunAndKeep() == plan_.items.size();
    if (!trouble_ && writer_ != nullptr && whole) trouble_ = writer_->Finish();
    ExplainScripts();
    report_.Offer({arguments_.output, LanguageOf});
    // What is known is reported, even where it could not be written.
    printed_ = printed_ && Print(Output());
    if (trouble_) PrintError(*trouble_);
    if (trouble_ || !printed_) return kHarnessTrouble;
    if (!whole && !judged_) return Interrupted();
    if (const std::vector<std::string> silent = report_.SilentScripts(); !silent.empty()) return NothingLogged(silent);
    const int code = report_.ExitCode(arguments_.strict);
    return code == kAllAsExpected && !prepared_.left_out.empty() ? kHarnessTrouble : code;
  }

 private:
  // Nothing is changed before all is checked.
  std::optional<Error> OpenAgain(RunToResume resumed) {
    auto earlier = EarlierResults::Of(resumed.so_far, plan_, arguments_.output);
    if (!earlier) return earlier.error();
    earlier_ = std::move(*earlier);
    if (resumed.so_far.complete) return std::nullopt;
    auto writer = ResultsWriter::Resume(std::move(*resumed.file), resumed.so_far);
    if (!writer) return writer.error();
    writer_ = std::move(*writer);
    return std::nullopt;
  }

  std::optional<Error> Open() {
    if (arguments_.output.empty()) return std::nullopt;
    auto writer = ResultsWriter::Create(arguments_.output, Info());
    if (!writer) return writer.error();
    writer_ = std::move(*writer);
    return std::nullopt;
  }

  // A binary that is given by path is named after its path.
  void NoteVersion(const Runner& runner) {
    const RunImplementation* introduced = runner.introduction();
    if (introduced == nullptr || introduced->name.ends_with("@" + introduced->version)) return;
    std::string note = introduced->name + " reports version " + introduced->version;
    for (const auto& [name, value] : introduced->details) note += ", " + name + " " + value;
    report_.Note(note);
  }

  RunInfo Info() const {
    RunInfo info{CONFORM_VERSION, Now(), context_.command_line, prepared_.shard.ToString(),
                 static_cast<int64_t>(plan_.items.size())};
    info.catalogue = plan_.catalogue;
    info.plan = plan_.digest;
    for (const SelectedCase& selected : plan_.cases) {
      if (!selected.c.source.empty()) info.scripts[selected.c.id] = Bounded(selected.c.source);
    }
    info.arguments.assign(context_.arguments.begin() + 1, context_.arguments.end());
    for (const auto& runner : prepared_.runners) {
      if (const RunImplementation* one = runner->introduction()) info.implementations.push_back(*one);
    }
    return info;
  }

  // How many results there are now.
  size_t RunAndKeep() {
    reports::Progress progress("run", plan_.items.size());
    PlanRunOptions options{arguments_.options, arguments_.jobs};
    // A disturbance is made for one core: with neighbours that wait for theirs, it would be another.
    if (options.jobs == 0 && arguments_.perturb) options.jobs = DefaultJobs();
    if (earlier_) {
      options.known = [this](const PlanItem& item) { return earlier_->Find(plan_.cases[item.case_index], item); };
    }
    return RunPlan(plan_, prepared_.late, options, [&](size_t index, const CaseResult& result) {
      Keep(result, plan_.items[index]);
      progress.Announce(report_.Headline(result, plan_.cases[plan_.items[index].case_index], errors_));
      progress.Show(index + 1, result.case_id);
      judged_ = judged_ || (arguments_.ends_at_first && IsJudgement(result.verdict));
      return !trouble_ && !interrupt_.raised() && !judged_;
    });
  }

  void Keep(const CaseResult& result, const PlanItem& item) {
    const SelectedCase& selected = plan_.cases[item.case_index];
    const bool is_new = !earlier_ || earlier_->Find(selected, item) == nullptr;
    if (writer_ != nullptr && is_new) trouble_ = writer_->Append(result);
    if (arguments_.json) PrintAsJson(result);
    report_.Add(result, selected);
    if (!item.note.empty()) report_.Note(item.runner->name() + ": " + item.note);
    ++done_;
  }

  // Results are printed as they come, and what they add up to after them: nothing that grows with them is kept.
  void PrintAsJson(const CaseResult& result) {
    printed_ = printed_ && Print((done_ == 0 ? kJsonBegins : ",\n    ") + ResultLine(result));
  }

  static std::string LanguageOf(const std::string& family) {
    const ExportLanguage* language = ExportLanguageOf(family);
    return language == nullptr ? "" : std::string(language->name);
  }

  // What the history knows of differences that scripts show.
  void ExplainScripts() {
    const auto is_script = [](const SelectedCase& one) { return one.c.expect.empty(); };
    if (std::none_of(plan_.cases.begin(), plan_.cases.end(), is_script)) return;
    auto profiles = LoadProfiles(context_.home);
    if (!profiles) return;
    profiles_ = std::move(*profiles);
    explainer_.emplace(context_.home, *profiles_, scope_);
    report_.Explain([&](const std::string& source, const reports::ScriptSide& a, const reports::ScriptSide& b) {
      const auto found = std::find_if(plan_.cases.begin(), plan_.cases.end(), [&](const SelectedCase& one) {
        return one.c.expect.empty() && one.c.source == source;
      });
      const bool are_releases = IsRelease(a) && IsRelease(b);
      return explainer_->Explain(found->c, a.profile, b.profile, are_releases);
    });
  }

  // Rather than something else that is held to one.
  static bool IsRelease(const reports::ScriptSide& side) {
    return side.name.substr(0, side.name.find_first_of("@=")) == side.profile.substr(0, side.profile.find('@'));
  }

  int NothingLogged(const std::vector<std::string>& scripts) const {
    const std::string hint = arguments_.console ? "print lines with console.log, or call log('name')"
                                                : "call log('name') where the order matters, or add --console to take "
                                                  "the lines of console.log";
    for (const std::string& script : scripts) PrintError(Error{"logs nothing to compare", script, {}, hint});
    return kBadInput;
  }

  std::string Output() {
    if (!arguments_.json) return report_.Text(context_.out);
    nlohmann::ordered_json json = report_.Json();
    json["complete"] = done_ == plan_.items.size();
    // What follows the results are the other members, without the bracket that opens them.
    return (done_ == 0 ? kJsonBegins : "") + std::string("\n  ],") + json.dump(2).substr(1) + "\n";
  }

  int Interrupted() const {
    std::string message = "interrupted after " + std::to_string(done_) + " of " + std::to_string(plan_.items.size());
    if (!arguments_.output.empty()) message += "; resume with: conform run --resume " + Quoted(arguments_.output);
    PrintError(Error{message});
    return kEndedBySignal + interrupt_.signal();
  }

  const Prepared& prepared_;
  const Plan& plan_;
  const RunArguments& arguments_;
  const Context& context_;
  const RunScope& scope_;
  const Interrupt& interrupt_;
  std::optional<Profiles> profiles_;  // where there are scripts
  std::optional<ScriptExplainer> explainer_;
  const Style errors_ = Style::For(STDERR_FILENO);
  std::unique_ptr<ResultsWriter> writer_;
  std::optional<EarlierResults> earlier_;
  reports::RunReport report_;
  std::optional<Error> trouble_;
  static constexpr const char* kJsonBegins = "{\n  \"results\": [\n    ";
  bool printed_ = true;  // all that was to be
  size_t done_ = 0;
  bool judged_ = false;  // against an implementation, where the run is to end with that
};

bool ChangesWhatIsRun(const RunArguments& asked) {
  const RunArguments plain;
  return !asked.words.empty() || !asked.output.empty() || asked.implementations != plain.implementations ||
         asked.as != plain.as || asked.shard != plain.shard || asked.options.repeat != plain.options.repeat ||
         asked.options.tries != plain.options.tries || asked.seed != plain.seed || asked.perturb || asked.strict ||
         asked.console || asked.timeout_s != plain.timeout_s || !asked.clause.empty() || !asked.failed.empty() ||
         asked.ends_at_first;
}

// A resumed run has the arguments of the run that it continues, and its file.
Result<RunArguments> Resumed(const RunArguments& asked, const RunResults& so_far) {
  auto arguments = ParseRunArguments(so_far.run.arguments);
  if (!arguments) return Error{"its arguments cannot be read: " + arguments.error().message, asked.resume};
  arguments->output = asked.resume;
  arguments->jobs = asked.jobs;
  arguments->json = asked.json;
  arguments->install = asked.install;
  return arguments;
}

Result<RunToResume> OpenToResume(const RunArguments& asked, const Context& context, RunArguments& arguments) {
  if (ChangesWhatIsRun(asked)) {
    return Error::WithHint("--resume takes its arguments from the file",
                           "omit everything but --jobs, --format and --install");
  }
  auto resumed = ReadRunToResume(asked.resume, CONFORM_VERSION, context.home);
  if (!resumed) return resumed.error();
  auto taken = Resumed(asked, resumed->so_far);
  if (!taken) return taken.error();
  arguments = std::move(*taken);
  if (auto error = CheckRunToResume(*resumed, arguments, context.home)) return *error;
  if (resumed->so_far.complete) return resumed;
  std::string line = "resuming: conform run";
  for (const std::string& word : resumed->so_far.run.arguments) line += " " + Quoted(word);
  PrintError(Error{line});
  return resumed;
}

int RunChosen(const RunArguments& asked, const Context& context) {
  RunArguments arguments = asked;
  std::optional<RunToResume> resumed;
  if (!asked.resume.empty()) {
    auto opened = OpenToResume(asked, context, arguments);
    if (!opened) return Fail(opened.error());
    resumed = std::move(*opened);
  }
  std::vector<std::string> read = arguments.words;
  read.push_back(arguments.failed);
  if (const auto error = CheckOutput(arguments.output, read)) return Fail(*error);
  const auto scope = RunScope::Open();
  if (!scope) return Fail(scope.error(), kHarnessTrouble);
  const Interrupt& interrupt = scope.value()->interrupt();
  const RunnerOptions options{context.home,      arguments.seed, arguments.perturb,
                              arguments.install, &interrupt,     scope.value()->run_word()};
  const Prepared prepared = Prepare(arguments, options);
  if (interrupt.raised()) return kEndedBySignal + interrupt.signal();
  if (!prepared.errors.empty()) return Fail(prepared.errors);
  return Run(prepared, arguments, context, *scope.value()).All(std::move(resumed));
}

}  // namespace

CommandSpec MakeRunCommand() {
  const auto arguments = std::make_shared<RunArguments>();
  return {"run", "Run cases on implementations, and judge the orders", RunOptionSpecs(arguments.get()),
          RunWith(arguments, RunChosen)};
}

}  // namespace conform
