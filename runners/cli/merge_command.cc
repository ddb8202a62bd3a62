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
  if (const auto error = CheckOutput(arguments.output, arguments.files)) return Fail(*error);
  const auto whole = reports::MergedParts::Of(arguments.files);
  if (!whole) return Fail(whole.error());
  if (arguments.output.empty()) {
    bool printed = true;
    const auto print = [&](std::string_view line) -> std::optional<Error> {
      printed = Print(line);
      return printed ? std::nullopt : std::optional(Error());
    };
    const auto error = whole->WriteTo(print);
    if (!printed) return kHarnessTrouble;  // which Print has reported
    return error ? Fail(*error, kHarnessTrouble) : kAllAsExpected;
  }
  auto file = WholeFile::Create(arguments.output);
  if (!file) return Fail(file.error(), kHarnessTrouble);
  auto error = whole->WriteTo([&](std::string_view line) { return file->Write(line); });
  if (!error) error = file->Finish();
  if (error) return Fail(*error, kHarnessTrouble);
  const std::string told = arguments.output + ": " + Counted(whole->run().planned, "result") + " of " +
                           Counted(static_cast<int64_t>(arguments.files.size()), "part") + "\n";
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
