// conform list
#include <unistd.h>

#include "reports/terminal/list_report.h"
#include "runners/cli/commands.h"

namespace conform {
namespace {

struct ListArguments {
  std::string what = "cases";
  bool json = false;
};

int ListProfiles(const ListArguments& arguments, const Context& context) {
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const std::string text =
      arguments.json ? ProfilesJson(*profiles).dump(2) + "\n" : ProfilesText(*profiles, context.out);
  return Answer(text);
}

// What can be read is listed, and what cannot is told.
int ListCasesOrClauses(const ListArguments& arguments, const Context& context) {
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  std::vector<Error> errors = catalogue.errors;
  std::string text;
  if (arguments.what == "cases") {
    const size_t width = isatty(STDOUT_FILENO) == 1 ? kLineWidth : 0;
    text = arguments.json ? CasesJson(catalogue.cases).dump(2) + "\n" : CasesText(catalogue.cases, width);
  } else {
    const ClauseList clauses = LoadClauses(context.home.Spec());
    errors.insert(errors.end(), clauses.errors.begin(), clauses.errors.end());
    text =
        arguments.json ? ClausesJson(clauses, catalogue.cases).dump(2) + "\n" : ClausesText(clauses, catalogue.cases);
  }
  PrintErrors(errors);
  return Answer(text, errors.empty() ? kAllAsExpected : kBadInput);
}

int List(const ListArguments& arguments, const Context& context) {
  if (arguments.what == "profiles") return ListProfiles(arguments, context);
  if (arguments.what != "impls") return ListCasesOrClauses(arguments, context);
  std::vector<Error> errors;
  const auto all = Implementations(context.home, &errors);
  const std::string text = arguments.json ? ImplementationsJson(all).dump(2) + "\n" : ImplementationsText(all);
  PrintErrors(errors);
  return Answer(text, errors.empty() ? kAllAsExpected : kBadInput);
}

}  // namespace

CommandSpec MakeListCommand() {
  const auto arguments = std::make_shared<ListArguments>();
  return {"list",
          "List cases, impls, clauses or profiles",
          {Argument("WHAT", &arguments->what, "cases, impls, clauses or profiles (default cases)")
               .OneOf({"cases", "impls", "clauses", "profiles"}),
           FormatOption(&arguments->json)},
          RunWith(arguments, List)};
}

}  // namespace conform
