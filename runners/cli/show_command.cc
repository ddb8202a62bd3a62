// conform show
#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/terminal/json_text.h"
#include "reports/terminal/show_report.h"
#include "runners/cli/commands.h"
#include "runners/export/export.h"
#include "runners/study/one_case.h"

namespace conform {
namespace {

struct ShowArguments {
  std::string word;
  std::string as;
  bool json = false;
};

int ShowClause(const Clause& clause, const ShowArguments& arguments, const Context& context) {
  if (!arguments.as.empty()) return Fail(Error::WithHint("a clause is not a program", "name one of its cases"));
  std::vector<const Case*> cases;
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  for (const Case& c : catalogue.cases) {
    if (std::find(c.clauses.begin(), c.clauses.end(), clause.id) != c.clauses.end()) cases.push_back(&c);
  }
  return Answer(arguments.json ? reports::JsonText(reports::ShowClauseJson(clause, cases))
                               : reports::ShowClauseText(clause, cases, context.out));
}

int Show(const ShowArguments& arguments, const Context& context) {
  if (arguments.word.empty()) {
    return Fail(Error::WithHint("show needs a case or a clause", "an id, a file, or -e 'timeout A 0; immediate B'"));
  }
  const ClauseList clauses = LoadClauses(context.home.Spec());
  if (const Clause* clause = clauses.Find(arguments.word)) return ShowClause(*clause, arguments, context);
  const auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) return Fail(selected.error());
  std::string text;
  if (!arguments.as.empty()) {
    const auto program = FindExportLanguage(arguments.as).write(selected->c);
    if (!program) return Fail(program.error());
    text = *program;
  } else {
    text = arguments.json ? reports::JsonText(reports::ShowJson(selected->c, clauses))
                          : reports::ShowText(selected->c, clauses, context.out);
  }
  return Answer(text);
}

}  // namespace

CommandSpec MakeShowCommand() {
  const auto arguments = std::make_shared<ShowArguments>();
  std::vector<std::string> languages;
  for (const ExportLanguage& language : ExportLanguages()) languages.emplace_back(language.name);
  return {"show",
          "Show a case, also as a stand-alone program, or a clause",
          {Argument("CASE", &arguments->word, "an id, or a file; or the id of a clause"),
           ProgramOption([arguments](const std::string& program) { arguments->word = program; }),
           Value("--as", "LANGUAGE", &arguments->as, "print a stand-alone program: js, c or python").OneOf(languages),
           FormatOption(&arguments->json)},
          RunWith(arguments, Show)};
}

}  // namespace conform
