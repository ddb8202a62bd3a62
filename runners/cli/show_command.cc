// conform show
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

int Show(const ShowArguments& arguments, const Context& context) {
  const auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) return Fail(selected.error());
  std::string text;
  if (!arguments.as.empty()) {
    const auto program = FindExportLanguage(arguments.as).write(selected->c);
    if (!program) return Fail(program.error());
    text = *program;
  } else {
    const ClauseList clauses = LoadClauses(context.home.Spec());
    text = arguments.json ? ShowJson(selected->c, clauses).dump(2) + "\n" : ShowText(selected->c, clauses, context.out);
  }
  return Answer(text);
}

}  // namespace

CommandSpec MakeShowCommand() {
  const auto arguments = std::make_shared<ShowArguments>();
  std::vector<std::string> languages;
  for (const ExportLanguage& language : ExportLanguages()) languages.emplace_back(language.name);
  return {"show",
          "Show a case with its clauses, or as a stand-alone program",
          {Argument("CASE", &arguments->word, "an id, or a file").Required(),
           Value("--as", "LANGUAGE", &arguments->as, "print a stand-alone program: js, c or python").OneOf(languages),
           FormatOption(&arguments->json)},
          RunWith(arguments, Show)};
}

}  // namespace conform
