// conform merge
#include "reports/merge.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"

namespace conform {
namespace {

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
};

int Merge(const MergeArguments& arguments, const Context&) {
  std::vector<reports::ResultSet::Source> parts;
  for (const std::string& file : arguments.files) {
    auto results = ReadResults(file);
    if (!results) return Fail(results.error());
    parts.push_back({file, std::move(*results)});
  }
  const auto whole = reports::MergeParts(std::move(parts));
  if (!whole) return Fail(whole.error());
  const std::string text = reports::ResultsText(*whole);
  if (arguments.output.empty()) return Answer(text);
  if (auto error = WriteWholeFile(arguments.output, text)) return Fail(*error, kHarnessTrouble);
  const std::string told = arguments.output + ": " + Counted(static_cast<int64_t>(whole->results.size()), "result") +
                           " of " + Counted(static_cast<int64_t>(arguments.files.size()), "part") + "\n";
  return Answer(told);
}

}  // namespace

CommandSpec MakeMergeCommand() {
  const auto arguments = std::make_shared<MergeArguments>();
  return {"merge",
          "Merge the parts of a run (run --shard)",
          {Argument("RESULTS", &arguments->files, "the results files of all parts").Required(),
           Value("--output", "FILE", &arguments->output, "write the merged results there (default: stdout)")},
          RunWith(arguments, Merge)};
}

}  // namespace conform
