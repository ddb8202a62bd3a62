#include "runners/study/prepared_run.h"

#include <algorithm>
#include <set>

#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/op_names.h"
#include "runners/study/linter.h"
#include "runners/study/own_profile.h"

namespace conform {
namespace {

Result<std::vector<Profile>> ResolveAll(const std::string& list, Profiles* profiles) {
  std::vector<Profile> resolved;
  if (list.empty()) return resolved;
  for (const std::string& name : Split(list, ',')) {
    auto profile = ResolveProfile(name, profiles);
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
  for (const SelectedCase& selected : prepared.plan.cases) {
    if (!selected.c.expect.empty()) continue;
    if (selected.c.HasNoProgram()) return Error::WithHint("a script needs a real runtime", "such as --impl=node,bun");
    return Error::WithHint("a program that expects nothing needs a real runtime, or a profile",
                           "such as --impl=node,bun or --as=node; conform explore lists every order");
  }
  return Error::WithHint("no known version can run the selected cases", "name one with --as");
}

// Keeps the cases that are about a clause: `timers.deadline-order`, or all of a chapter, `timers`.
std::optional<Error> KeepAbout(const std::string& clause, const Home& home, Selection* selection) {
  const auto is_about = [&clause](const std::string& id) { return id == clause || id.starts_with(clause + "."); };
  std::vector<std::string> ids;
  for (const Clause& one : LoadClauses(home.Spec()).clauses) ids.push_back(one.id);
  if (std::none_of(ids.begin(), ids.end(), is_about)) {
    return Error::WithHint("there is no clause '" + clause + "'", DidYouMean(clause, ids));
  }
  std::erase_if(selection->cases, [&](const SelectedCase& selected) {
    return std::none_of(selected.c.clauses.begin(), selected.c.clauses.end(), is_about);
  });
  return std::nullopt;
}

// Keeps the cases that have a judgement against them in a results file.
std::optional<Error> KeepFailed(const std::string& file, const Home& home, Selection* selection) {
  auto read = ReadResults(file);
  if (!read) return read.error();
  const auto renamed = LoadRenamed(home.Renamed());
  if (!renamed) return renamed.error();
  PrintNotes(RenameResults(*renamed, read->results));
  std::set<std::string> failed;
  for (const CaseResult& result : read->results) {
    if (IsJudgement(result.verdict)) failed.insert(result.case_id);
  }
  if (failed.empty()) return Error{"contains no judgement against an implementation", file};
  std::erase_if(selection->cases, [&](const SelectedCase& selected) { return !failed.contains(selected.c.id); });
  return std::nullopt;
}

constexpr size_t kMaxUnknownShown = 400;  // bytes

// A name with a mistake in it only makes cases unsupported.
void WarnOfUnknownOps(const Runner& runner, const std::vector<std::string>& vocabulary) {
  const std::vector<std::string>* ops = runner.ops();
  if (ops == nullptr) return;
  const std::vector<std::string> unknown = UnknownOps(*ops, vocabulary);
  if (unknown.empty()) return;
  PrintError(Error{"warning: " + runner.name() +
                   " declares unknown capabilities: " + Shortened(Join(unknown, ", "), kMaxUnknownShown)});
}

}  // namespace

Selection SelectWhatToRun(const WhatToRun& request, const Home& home, const Catalogue& catalogue) {
  Selection selection = SelectCases(home, catalogue, request.words);
  const auto keep = [&](const std::string& which, auto keep_those) {
    if (which.empty() || !selection.errors.empty()) return;
    if (auto error = keep_those(which, home, &selection)) selection.errors.push_back(std::move(*error));
  };
  keep(request.clause, KeepAbout);
  keep(request.failed, KeepFailed);
  for (SelectedCase& selected : selection.cases) {
    selected.c.deadline_ms = request.timeout_s * 1'000;
    if (!request.console || !selected.c.expect.empty()) continue;
    selected.c.console = true;
    selected.c.content_hash = ContentHash(selected.c.content_hash + " console");
  }
  return selection;
}

Prepared Prepare(const WhatToRun& request, const RunnerOptions& options) {
  Prepared prepared;
  const auto fail = [&](Error error) {
    prepared.errors.push_back(std::move(error));
    return std::move(prepared);
  };
  auto profiles = LoadProfiles(options.home);
  if (!profiles) return fail(profiles.error());
  const auto as = ResolveAll(request.as, &*profiles);
  if (!as) return fail(as.error());
  const auto shard = Shard::Parse(request.shard);
  if (!shard) return fail(shard.error());
  prepared.shard = *shard;

  const Catalogue catalogue = LoadCatalogue(options.home.Cases());
  for (const Error& error : catalogue.errors) {
    if (error.is_of_system) return fail(error);  // what is there is not known
  }
  Selection selection = SelectWhatToRun(request, options.home, catalogue);
  prepared.errors = std::move(selection.errors);
  if (!prepared.errors.empty()) return prepared;
  if (selection.cases.empty()) return fail({"there is no case to run", options.home.Cases(), {}, ""});

  // An expectation of an unknown family would only leave the case unspecified.
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
  ExpectWhatTheModelGives(&prepared.plan);
  if (prepared.plan.items.empty() && shard->of == 1) return fail(WhyNothingIsPlanned(prepared, *profiles));
  return prepared;
}

}  // namespace conform
