#include "runners/study/prepared_run.h"

#include <algorithm>

#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/op_names.h"
#include "runners/study/linter.h"

namespace conform {
namespace {

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

Error WhyNothingIsPlanned(const Prepared& prepared, const Profiles& profiles) {
  for (const auto& runner : prepared.runners) {
    if (runner->claims() == nullptr) continue;
    const std::string note = ProfileOf(*runner->claims(), profiles).note;
    if (!note.empty()) return Error::WithHint(runner->name() + ": " + note, "name a profile with --as");
  }
  const auto expects_nothing = [](const SelectedCase& selected) { return selected.c.expect.empty(); };
  if (std::any_of(prepared.plan.cases.begin(), prepared.plan.cases.end(), expects_nothing)) {
    return Error::WithHint("a script needs a real runtime", "name some, such as --impl=node,bun");
  }
  return Error::WithHint("no known version can run the selected cases", "name one with --as");
}

// A name with a mistake in it only makes cases unsupported.
void WarnOfUnknownOps(const Runner& runner, const std::vector<std::string>& vocabulary) {
  const std::vector<std::string>* ops = runner.ops();
  if (ops == nullptr) return;
  const std::vector<std::string> unknown = UnknownOps(*ops, vocabulary);
  if (unknown.empty()) return;
  PrintError(Error{"warning: " + runner.name() + " declares unknown capabilities: " + Join(unknown, ", ")});
}

}  // namespace

Prepared Prepare(const WhatToRun& request, const RunnerOptions& options) {
  Prepared prepared;
  const auto fail = [&](Error error) {
    prepared.errors.push_back(std::move(error));
    return std::move(prepared);
  };
  const auto profiles = LoadProfiles(options.home);
  if (!profiles) return fail(profiles.error());
  const auto as = ResolveAll(*profiles, request.as);
  if (!as) return fail(as.error());
  const auto shard = Shard::Parse(request.shard);
  if (!shard) return fail(shard.error());
  prepared.shard = *shard;

  const Catalogue catalogue = LoadCatalogue(options.home.Cases());
  for (const Error& error : catalogue.errors) {
    if (error.is_of_system) return fail(error);  // what is there is not known
  }
  Selection selection = SelectCases(options.home, catalogue, request.words);
  prepared.errors = std::move(selection.errors);
  if (!prepared.errors.empty()) return prepared;
  if (selection.cases.empty()) return fail({"there is no case to run", options.home.Cases(), {}, ""});

  for (SelectedCase& selected : selection.cases) {
    selected.c.deadline_ms = request.timeout_s * 1'000;
    if (!request.console || !selected.c.expect.empty()) continue;
    selected.c.console = true;
    selected.c.content_hash = ContentHash(selected.c.content_hash + " console");
  }

  // An expectation of nobody would only leave the case unspecified.
  for (const SelectedCase& selected : selection.cases) {
    for (Error& error : UnknownFamilies(selected.c, *profiles)) prepared.errors.push_back(std::move(error));
  }
  if (!prepared.errors.empty()) return prepared;

  const std::vector<std::string> vocabulary = Vocabulary(*profiles, catalogue.cases);
  auto runners = MakeRunners(request.implementations, options, &prepared.left_out);
  if (!runners) return fail(runners.error());
  prepared.runners = std::move(*runners);
  std::vector<const Runner*> borrowed;
  for (const auto& runner : prepared.runners) {
    borrowed.push_back(runner.get());
    WarnOfUnknownOps(*runner, vocabulary);
  }
  prepared.plan = MakePlan(std::move(selection.cases), *profiles, borrowed, *as, *shard);
  if (prepared.plan.items.empty() && shard->of == 1) return fail(WhyNothingIsPlanned(prepared, *profiles));
  return prepared;
}

}  // namespace conform
