// conform list
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/terminal/json_text.h"
#include "reports/terminal/list_report.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/study/search.h"

namespace conform {
namespace {

const std::vector<std::string> kKinds{"cases", "impls", "clauses", "profiles"};

struct ListArguments {
  std::vector<std::string> words;
  bool json = false;
};

// What is listed, and which of it.
struct Listing {
  std::string kind = "cases";
  std::vector<std::string> words;
};

Result<Listing> ListingOf(const std::vector<std::string>& words) {
  if (words.empty()) return Listing{};
  if (std::find(kKinds.begin(), kKinds.end(), words[0]) != kKinds.end()) {
    return Listing{words[0], {words.begin() + 1, words.end()}};
  }
  for (const std::string& kind : kKinds) {
    if (words[0] + "s" != kind && !(kind == "impls" && words[0].starts_with("implementation"))) continue;
    return Error::WithHint("list needs one of " + Join(kKinds, ", ") + " before the words to look for",
                           "did you mean '" + kind + "'?");
  }
  return Listing{"cases", words};
}

// Those whose name contains every word.
template <typename Named>
std::optional<Error> KeepNamed(const Listing& wanted, std::vector<Named>* all) {
  std::vector<std::string> names;
  for (const Named& one : *all) names.push_back(one.name);
  for (const std::string& word : wanted.words) {
    std::erase_if(*all, [&](const Named& one) { return one.name.find(word) == std::string::npos; });
    if (all->empty())
      return Error::WithHint("none of the " + wanted.kind + " is called '" + word + "'", DidYouMean(word, names));
  }
  return std::nullopt;
}

int ListProfiles(const Listing& wanted, bool json, const Context& context) {
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  std::vector<ProfileFamily> families = profiles->families();
  if (const auto error = KeepNamed(wanted, &families)) return Fail(*error);
  return Answer(json ? reports::JsonText(reports::ProfilesJson(families))
                     : reports::ProfilesText(families, context.out));
}

int ListImplementations(const Listing& wanted, bool json, const Context& context) {
  std::vector<Error> errors;
  auto all = Implementations(context.home, &errors);
  if (const auto error = KeepNamed(wanted, &all)) return Fail(*error);
  PrintErrors(errors);
  return Answer(json ? reports::JsonText(reports::ImplementationsJson(all)) : reports::ImplementationsText(all),
                errors.empty() ? kAllAsExpected : kBadInput);
}

// Keeps what a search for the words finds, in the order of the catalogue and of the spec.
std::optional<Error> KeepFound(const Listing& wanted, std::vector<Case>* cases, ClauseList* clauses) {
  const auto found = Search(wanted.words, *cases, *clauses);
  if (!found) return found.error();
  const bool none = wanted.kind == "cases" ? found->cases.empty() : found->clauses.empty();
  if (none) {
    return Error::WithHint("none of the " + wanted.kind + " matches", "conform search " + Join(wanted.words, " "));
  }
  const auto keep = [](const auto& pointers, auto* all) {
    using Item = typename std::decay_t<decltype(*all)>::value_type;
    std::vector<Item> kept;
    for (const Item& one : *all) {
      if (std::find(pointers.begin(), pointers.end(), &one) != pointers.end()) kept.push_back(one);
    }
    *all = std::move(kept);
  };
  if (wanted.kind == "cases") {
    keep(found->cases, cases);
  } else {
    keep(found->clauses, &clauses->clauses);
  }
  return std::nullopt;
}

// What can be read is listed, and what cannot is reported.
int ListCasesOrClauses(const Listing& wanted, bool json, const Context& context) {
  Catalogue catalogue = LoadCatalogue(context.home.Cases());
  ClauseList clauses = LoadClauses(context.home.Spec());
  std::vector<Error> errors = catalogue.errors;
  errors.insert(errors.end(), clauses.errors.begin(), clauses.errors.end());
  if (!wanted.words.empty()) {
    if (const auto error = KeepFound(wanted, &catalogue.cases, &clauses)) return Fail(*error);
  }
  std::string text;
  if (wanted.kind == "cases") {
    const size_t width = isatty(STDOUT_FILENO) == 1 ? kLineWidth : 0;
    text = json ? reports::JsonText(reports::CasesJson(catalogue.cases)) : reports::CasesText(catalogue.cases, width);
  } else {
    text = json ? reports::JsonText(reports::ClausesJson(clauses, catalogue.cases))
                : reports::ClausesText(clauses, catalogue.cases);
  }
  PrintErrors(errors);
  return Answer(text, errors.empty() ? kAllAsExpected : kBadInput);
}

int List(const ListArguments& arguments, const Context& context) {
  const auto wanted = ListingOf(arguments.words);
  if (!wanted) return Fail(wanted.error());
  if (wanted->kind == "profiles") return ListProfiles(*wanted, arguments.json, context);
  if (wanted->kind == "impls") return ListImplementations(*wanted, arguments.json, context);
  return ListCasesOrClauses(*wanted, arguments.json, context);
}

}  // namespace

CommandSpec MakeListCommand() {
  const auto arguments = std::make_shared<ListArguments>();
  return {"list",
          "List cases, impls, clauses or profiles",
          {Argument("WORD", &arguments->words,
                    "cases, impls, clauses or profiles (default cases); then\n"
                    "words or API names that all of them must match"),
           FormatOption(&arguments->json)},
          RunWith(arguments, List)};
}

}  // namespace conform
