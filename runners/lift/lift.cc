#include "runners/lift/lift.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "runners/base/folders.h"
#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"
#include "runners/runtimes/find.h"
#include "runners/runtimes/json_text.h"

namespace conform {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr char kOldest[] = "16.14.0";  // the first with promise hooks
constexpr size_t kMaxScriptBytes = 1 << 20;
constexpr int64_t kMergeMs = 60'000;
constexpr char kProgram[] = "/javascript/lift/program.cjs";
constexpr char kUnexpected[] = "the recorder wrote something unexpected";
constexpr char kStack[] = "--stack-size=3900";  // a chain of a thousand callbacks is a thousand deep

Result<FoundRuntime> FindNode(const std::string& word, const Tools& tools) {
  if (word.starts_with("node=")) return RuntimeByPath("node", word.substr(5));
  if (!word.empty() && word != "node" && !word.starts_with("node@")) {
    return Error::WithHint("a script is lifted on Node.js", "as in --impl=node@24");
  }
  const auto folder = CacheFolder(tools.environment);
  if (!folder) return folder.error();
  const RuntimeCache cache(*folder);
  return FindRuntime("node", word.starts_with("node@") ? word.substr(5) : "", cache, tools);
}

bool IsNewEnough(const std::string& version) {
  const auto parsed = Version::Parse(version);
  return parsed && !(*parsed < *Version::Parse(kOldest));
}

struct Node {
  std::string binary;
  std::string version;
};

// One that can record. The one on PATH may be too old where a newer one is installed.
Result<Node> NodeFor(const LiftOptions& options, const Tools& tools) {
  const auto found = FindNode(options.node, tools);
  if (!found && !options.node.empty()) return found.error();
  const std::string version = found ? VersionOf(found->binary, tools) : "";
  if (found && IsNewEnough(version)) return Node{found->binary, version};
  if (options.node.empty()) {
    const auto folder = CacheFolder(tools.environment);
    if (!folder) return folder.error();
    const auto newest = RuntimeCache(*folder).Find("node", "");
    if (newest && IsNewEnough(newest->version)) return Node{newest->binary, newest->version};
  }
  const std::string what = found ? "Node.js " + version + " is too old" : std::string("there is no Node.js");
  return Error::WithHint(what + ": a script is recorded on Node.js " + kOldest + " or newer",
                         "conform runtimes install node");
}

std::string AbsoluteOf(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

// A step with all that it holds.
void WriteStep(const Json& step, int depth, std::string* out) {
  out->append(static_cast<size_t>(depth) * 2, ' ').append("- ").append(TextOf(step, "text"));
  const auto body = step.find("body");
  const bool has_body = body != step.end() && body->is_array() && !body->empty();
  out->append(has_body ? ":\n" : "\n");
  if (!has_body || depth > 2 * kMaxYamlDepth) return;  // too deep to be read again
  for (const Json& inner : *body) WriteStep(inner, depth + 2, out);
}

LiftNote NoteOf(const Json& json, const std::string& script) {
  LiftNote note;
  const auto line = json.find("line");
  if (line != json.end() && line->is_number_integer()) note.line = std::max(0, line->get<int>());
  note.file = TextOf(json, "file");
  if (note.file == AbsoluteOf(script)) note.file = "";
  note.what = TextOf(json, "what");
  note.is_remark = json.value("is_remark", false);
  return note;
}

Error NotUnderstood(const std::string& text, const std::string& file, Location at) {
  const bool is_module = text.find("import statement outside") != text.npos || text.find("import.meta") != text.npos ||
                         text.find("token 'export'") != text.npos || text.find("await is only valid") != text.npos;
  return {"is not JavaScript that this Node.js understands: " + text, file, at,
          is_module ? "a module is called .mjs, or is lifted by a release that knows it as one: --impl=node@24" : ""};
}

Error NotFound(const std::string& text, const std::string& file, Location at) {
  return {"cannot be loaded: " + text, file, at,
          "a package that it imports has to be installed beside it: npm install"};
}

// What Node says of a module that it cannot load, where that is why nothing was recorded. The place stands before it.
std::optional<Error> WhyNotLoaded(const std::string& said, const std::string& script) {
  Location at;
  for (const std::string& line : Split(said, '\n')) {
    const std::string place = AbsoluteOf(script) + ":";
    const size_t found = at.line == 0 ? line.find(place) : line.npos;
    if (found != line.npos) at.line = std::atoi(line.c_str() + found + place.size());
    const size_t text = line.find(": ");
    if (line.starts_with("SyntaxError")) return NotUnderstood(line.substr(text + 2), script, at);
    if (line.find("[ERR_MODULE_NOT_FOUND]") != line.npos) return NotFound(line.substr(text + 2), script, at);
    if (line.starts_with("ReferenceError: require is not defined")) {
      return Error{"is a module, where there is no require", script, at, "use import, or call the file .cjs"};
    }
  }
  return std::nullopt;
}

// Why a script cannot be lifted, as its recorder says.
Error EndingOf(const Json& ending, const std::string& script) {
  const std::string how = TextOf(ending, "how");
  const LiftNote place = NoteOf(ending, script);
  const std::string text = TextOf(ending, "text");
  const std::string file = place.file.empty() ? script : place.file;
  const Location at{place.line, 0};
  if (how == "input") return {"reads its standard input; a script that is lifted gets none", file, at};
  if (how == "syntax") return NotUnderstood(text, file, at);
  if (how == "missing") return NotFound(text, file, at);
  if (how == "never") {
    return {"does not end" + (text.empty() ? "" : ": " + text), file, at,
            "clear what repeats, close what listens, or raise --timeout"};
  }
  return {text.empty() ? kUnexpected : text, file, at};
}

// What a script waits for that was ended from outside.
Error WhyUnended(const Node& node, const std::string& script, const LiftOptions& options, const std::string& record,
                 const Tools& tools) {
  const std::string within = " within " + std::to_string(options.timeout_s) + " s";
  if (fs::exists(record)) {
    const auto json =
        tools.Output({node.binary, kStack, options.adapters + kProgram, "--unended", record}, "", kMergeMs);
    const auto lifted = json ? ParseLifted(*json, script, {}) : Result<Lifted>(json.error());
    if (!lifted) return lifted.error();
  }
  return {"does not return to its event loop" + within, script, {}, "raise --timeout where it only takes long"};
}

Result<std::string> RecordOf(const Node& node, const std::string& script, const LiftOptions& options,
                             const TemporaryFolder& folder, int run, const Tools& tools, int* code, std::string* said) {
  const std::string record = folder.File("record-" + std::to_string(run) + ".json");
  Tools recording = tools;
  const Json settings{{"output", record}, {"disturb", run % 2 == 0 ? 0 : run}};
  recording.environment["CONFORM_LIFT"] = settings.dump();
  recording.environment.erase("NODE_OPTIONS");
  const std::vector<std::string> command{node.binary, "-r", options.adapters + "/javascript/lift/recorder.cjs",
                                         AbsoluteOf(script)};
  const auto finished = recording.Run(command, "", options.timeout_s * 1'000);
  if (!finished) {
    if (tools.interrupt != nullptr && tools.interrupt->raised()) return finished.error();
    return WhyUnended(node, script, options, record, tools);
  }
  if (!fs::exists(record)) {
    const std::string last = LastLine(finished->end.errors);
    return Error{"ended before anything could be recorded" + (last.empty() ? "" : ": " + last), script};
  }
  *said = finished->end.errors;
  *code = finished->end.kind == ProcessEnd::Kind::kExited ? finished->end.code : 128 + finished->end.code;
  return record;
}

}  // namespace

bool Lifted::LeavesOut() const {
  return std::any_of(notes.begin(), notes.end(), [](const LiftNote& note) { return !note.is_remark; });
}

namespace {

// Throws Json::exception where a member is missing or of another kind.
Result<Lifted> LiftedFrom(const Json& value, const std::string& script, const std::vector<int>& codes) {
  if (const auto ending = value.find("ending"); ending != value.end() && ending->is_object()) {
    return EndingOf(*ending, script);
  }
  Lifted lifted;
  for (const Json& note : value.at("notes")) lifted.notes.push_back(NoteOf(note, script));
  std::stable_sort(lifted.notes.begin(), lifted.notes.end(), [](const LiftNote& a, const LiftNote& b) {
    return std::pair(a.file, a.line) < std::pair(b.file, b.line);
  });
  for (const auto& [label, text] : value.at("labels").items()) lifted.labels[label] = text.get<std::string>();
  for (const auto& [label, note] : value.at("made_up").items()) {
    lifted.made_up[label] = {NoteOf(note, script), note.value("is_unknown", false)};
  }
  for (size_t i = 0; i < value.at("orders").size(); ++i) {
    Order order = value.at("orders")[i].get<Order>();
    if (i < codes.size() && codes[i] != 0) order.push_back("exit=" + std::to_string(codes[i]));
    lifted.seen.push_back(std::move(order));
  }
  lifted.program = "program:\n";
  for (const Json& step : value.at("steps")) WriteStep(step, 1, &lifted.program);
  if (value.at("steps").empty()) {
    const std::string why = lifted.notes.empty() ? "" : ": " + lifted.notes[0].what;
    return Error{"schedules and prints nothing that has a step" + why,
                 script,
                 {lifted.notes.empty() ? 0 : lifted.notes[0].line, 0}};
  }
  if (TextOf(value, "entry") == "esm") lifted.program = "entry: esm\n" + lifted.program;
  auto c = ParseCase(lifted.program + "expect:\n  node: ...\n", script, script);
  if (!c)
    return Error{
        "the program that was made of it cannot be read: " + c.error().message, script, {}, "please report this"};
  lifted.c = std::move(*c);
  lifted.c.title = script;
  return lifted;
}

}  // namespace

Result<Lifted> ParseLifted(const std::string& json, const std::string& script, const std::vector<int>& codes) {
  try {
    const Json value = Json::parse(json);
    if (value.is_object()) return LiftedFrom(value, script, codes);
  } catch (const Json::exception&) {
    // The script has written to the record, or to what was made of it.
  }
  return Error{kUnexpected, script};
}

Result<Lifted> Lift(const std::string& script, const LiftOptions& given, const Tools& tools) {
  LiftOptions options = given;
  options.adapters = AbsoluteOf(given.adapters);  // Node takes a path without a slash in front for a package
  const auto source = ReadFile(script, kMaxScriptBytes);
  if (!source) return source.error();
  if (script.ends_with("ts")) {
    return Error{"is TypeScript, and only JavaScript can be lifted", script, {}, "lift what it is compiled to"};
  }
  const auto node = NodeFor(options, tools);
  if (!node) return node.error();
  const auto folder = TemporaryFolder::Make("conform-lift");
  if (!folder) return folder.error();
  std::vector<std::string> command{node->binary, kStack, options.adapters + kProgram};
  std::vector<int> codes;
  std::string said;  // by Node, on its standard error
  for (int run = 0; run < options.runs; ++run) {
    codes.push_back(0);
    const auto record = RecordOf(*node, script, options, *folder, run, tools, &codes.back(), &said);
    if (!record) return record.error();
    command.push_back(*record);
  }
  const auto json = tools.Output(command, "", kMergeMs);
  if (!json) return json.error();
  auto lifted = ParseLifted(*json, script, codes);
  if (!lifted) return WhyNotLoaded(said, script).value_or(lifted.error());
  lifted->runtime = "node@" + node->version;
  lifted->c.source = *source;
  return lifted;
}

bool IsScriptWord(const std::string& word) {
  static constexpr std::string_view kEndings[] = {".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view e) { return word.ends_with(e); });
}

}  // namespace conform
