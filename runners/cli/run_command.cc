// conform run
#include <ctime>

#include "reference-impl/platform/system_clock.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/cli/implementations.h"
#include "runners/cli/progress.h"
#include "runners/cli/run_report.h"
#include "runners/harness/parallel.h"
#include "runners/harness/run_item.h"

namespace conform {
namespace {

struct RunArguments {
  std::vector<std::string> words;
  std::string implementations = "ref";
  std::string as;
  std::string shard = "1/1";
  std::string output;
  RunOptions options;
  uint64_t seed = 0;
  int jobs = 1;
  bool strict = false;
  bool json = false;
};

Result<std::vector<Profile>> ResolveAll(const Profiles& profiles, const std::string& list) {
  std::vector<Profile> resolved;
  if (list.empty()) return resolved;
  for (const std::string& name : Split(list, ',')) {
    auto profile = profiles.Resolve(name);
    if (!profile) return profile.error();
    resolved.push_back(std::move(*profile));
  }
  return resolved;
}

// Everything that a run needs, or the errors that keep it from starting.
struct Prepared {
  std::vector<std::unique_ptr<Runner>> runners;
  Plan plan;
  Shard shard;
  std::vector<Error> errors;
};

Prepared Prepare(const RunArguments& arguments, const Context& context) {
  Prepared prepared;
  const auto fail = [&](Error error) {
    prepared.errors.push_back(std::move(error));
    return std::move(prepared);
  };
  auto runners = MakeRunners(arguments.implementations, arguments.seed);
  if (!runners) return fail(runners.error());
  prepared.runners = std::move(*runners);
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return fail(profiles.error());
  const auto as = ResolveAll(*profiles, arguments.as);
  if (!as) return fail(as.error());
  const auto shard = Shard::Parse(arguments.shard);
  if (!shard) return fail(shard.error());
  prepared.shard = *shard;

  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  Selection selection = SelectCases(catalogue, context.home.Cases(), arguments.words);
  prepared.errors = std::move(selection.errors);
  if (!prepared.errors.empty()) return prepared;
  if (selection.cases.empty()) return fail({"there is no case to run", context.home.Cases(), {}, ""});

  std::vector<const Runner*> borrowed;
  for (const auto& runner : prepared.runners) borrowed.push_back(runner.get());
  prepared.plan = MakePlan(std::move(selection.cases), *profiles, borrowed, *as, *shard);
  if (prepared.plan.items.empty() && shard->of == 1) {
    return fail({"no known version can run what was chosen", "", {}, "name one with --as"});
  }
  return prepared;
}

std::string Now() {
  const std::time_t seconds = SecondsSince1970();
  std::tm utc{};
  char text[32];
  gmtime_r(&seconds, &utc);
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

// Runs the plan, and hands each result on in the order of the plan.
int RunPlan(const Prepared& prepared, const RunArguments& arguments, const Context& context) {
  std::unique_ptr<ResultsWriter> writer;
  if (!arguments.output.empty()) {
    const RunInfo info{CONFORM_VERSION, Now(), context.command_line, prepared.shard.ToString(),
                       static_cast<int64_t>(prepared.plan.items.size())};
    auto created = ResultsWriter::Create(arguments.output, info);
    if (!created) {
      PrintError(created.error());
      return kBadInput;
    }
    writer = std::move(*created);
  }
  const Plan& plan = prepared.plan;
  RunReport report;
  std::optional<Error> trouble;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::vector<CaseResult> finished(plan.items.size());
  {
    Progress progress("run", plan.items.size());
    ForEachInOrder(
        plan.items.size(), arguments.jobs,
        [&](size_t index) { finished[index] = *RunItem(plan, plan.items[index], arguments.options); },
        [&](size_t index) {
          const CaseResult result = std::move(finished[index]);
          if (writer != nullptr) trouble = writer->Append(result);
          if (arguments.json) results.push_back(nlohmann::ordered_json::parse(ResultLine(result)));
          report.Add(result, plan.cases[plan.items[index].case_index]);
          progress.Show(index + 1, result.case_id);
          return !trouble.has_value();
        });
  }
  if (!trouble && writer != nullptr) trouble = writer->Finish();
  if (trouble) {
    PrintError(*trouble);
    return kHarnessTrouble;
  }
  std::string text;
  if (arguments.json) {
    nlohmann::ordered_json json = report.Json();
    json["results"] = std::move(results);
    text = json.dump(2) + "\n";
  } else {
    text = report.Text(context.out);
  }
  return Print(text) ? report.ExitCode(arguments.strict) : kHarnessTrouble;
}

int Run(const RunArguments& arguments, const Context& context) {
  const Prepared prepared = Prepare(arguments, context);
  if (!prepared.errors.empty()) {
    PrintErrors(prepared.errors);
    return kBadInput;
  }
  return RunPlan(prepared, arguments, context);
}

}  // namespace

void AddRunCommand(CLI::App& app, Command* chosen) {
  CLI::App* sub = app.add_subcommand("run", "Run cases on implementations, and judge the orders");
  const auto arguments = std::make_shared<RunArguments>();
  sub->add_option("CASE", arguments->words, "ids, folders, globs or files (default: all)")->type_name("");
  sub->add_option("--impl", arguments->implementations, "implementations, with commas between (default ref)")
      ->type_name("NAME");
  sub->add_option("--as", arguments->as,
                  "profiles to hold them to, as node@22,libuv\n"
                  "(default: every version where the rules of a case change;\n"
                  "in real time, the newest of each range)")
      ->type_name("PROFILE");
  sub->add_option("--repeat", arguments->options.repeat, "run everything N times (default 1)")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("N");
  sub->add_option("--tries", arguments->options.tries, "try a run that is late up to N times (default 5)")
      ->check(CLI::Range(1, 1'000).description(""))
      ->type_name("N");
  sub->add_option("--seed", arguments->seed, "what ref draws its choices from (default 0: the first)")->type_name("N");
  sub->add_option("--shard", arguments->shard, "run only part I of N")->type_name("I/N");
  sub->add_option("--output", arguments->output, "write the results there, one JSON value a line")->type_name("FILE");
  sub->add_flag("--strict", arguments->strict, "exit 1 also when a result is inconclusive\n(else it is only shown)");
  AddJobsOption(sub, &arguments->jobs);
  AddFormatOption(sub, &arguments->json);
  ChooseWhenParsed(sub, chosen, arguments, Run);
}

}  // namespace conform
