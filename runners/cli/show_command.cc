// conform show
#include "runners/cli/commands.h"
#include "runners/cli/list_report.h"
#include "runners/cli/one_case.h"
#include "runners/export/export.h"

namespace conform {
namespace {

struct ShowArguments {
  std::string word;
  std::string as;
  bool json = false;
};

Result<std::string> Export(const Case& c, const std::string& language) {
  if (language == "js") return ExportJs(c);
  if (language == "c") return ExportC(c);
  return ExportPython(c);
}

int Show(const ShowArguments& arguments, const Context& context) {
  const auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) {
    PrintError(selected.error());
    return kBadInput;
  }
  std::string text;
  if (!arguments.as.empty()) {
    const auto program = Export(selected->c, arguments.as);
    if (!program) {
      PrintError(program.error());
      return kBadInput;
    }
    text = *program;
  } else {
    const ClauseList clauses = LoadClauses(context.home.Spec());
    text = arguments.json ? ShowJson(selected->c, clauses).dump(2) + "\n" : ShowText(selected->c, clauses, context.out);
  }
  return Print(text) ? kAllAsExpected : kHarnessTrouble;
}

}  // namespace

void AddShowCommand(CLI::App& app, Command* chosen) {
  CLI::App* sub = app.add_subcommand("show", "A case with its clauses, or as a program of its own");
  const auto arguments = std::make_shared<ShowArguments>();
  sub->add_option("CASE", arguments->word, "an id, or a file")->required()->type_name("");
  sub->add_option("--as", arguments->as, "print a program that runs alone: js, c or python")
      ->check(CLI::IsMember({"js", "c", "python"}).description(""))
      ->type_name("LANGUAGE");
  AddFormatOption(sub, &arguments->json);
  ChooseWhenParsed(sub, chosen, arguments, Show);
}

}  // namespace conform
