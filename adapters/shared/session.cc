// The conversation with conform: spec/adapter-protocol.md. The one place that knows JSON.
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "interpreter.h"
#include "loop.h"
#include "program.h"
#include "trace.h"

namespace loop_adapter {
namespace {

using nlohmann::json;

constexpr int kProtocol = 1;

struct NamedAct {
  const char* name;
  Act act;
  bool is_always_there;
  bool is_in_ops;
};
constexpr NamedAct kActs[] = {
    {"log", Act::kLog, true, false},       {"busy", Act::kBusy, true, false},
    {"exit", Act::kExit, true, true},      {"again", Act::kAgain, true, false},
    {"only", Act::kOnly, true, false},     {"clear", Act::kClear, false, true},
    {"close", Act::kClose, false, true},   {"refresh", Act::kRefresh, false, true},
    {"start", Act::kStart, false, true},   {"send", Act::kSend, false, true},
    {"raise", Act::kRaise, false, true},   {"ref", Act::kRef, false, true},
    {"unref", Act::kUnref, false, true},   {"run", Act::kRun, false, true},
    {"alive", Act::kAlive, false, true},   {"stop", Act::kStop, false, true},
    {"update", Act::kUpdate, false, true}, {"clear as cancel", Act::kCancel, false, true},
};

std::string Text(const json& step, const char* key) { return step.value(key, std::string()); }

// The name that `ops` has.
std::string Capability(const json& step) {
  const std::string op = Text(step, "op"), kind = Text(step, "kind");
  if (op == "on") return "on " + Text(step, "event");
  return kind.empty() ? op : op + " as " + kind;
}

const Op* FindOp(const Adapter& adapter, const std::string& name) {
  const auto found =
      std::find_if(adapter.ops.begin(), adapter.ops.end(), [&](const Op& op) { return op.name == name; });
  return found == adapter.ops.end() ? nullptr : &*found;
}

const NamedAct* FindAct(const Adapter& adapter, const std::string& name) {
  for (const NamedAct& act : kActs) {
    if (name != act.name) continue;
    const bool has = std::find(adapter.acts.begin(), adapter.acts.end(), name) != adapter.acts.end();
    return act.is_always_there || has ? &act : nullptr;
  }
  return nullptr;
}

bool IsDelay(const std::string& text, double longest_ms) {
  char* end = nullptr;
  const double delay = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(delay) && delay >= 0 && delay <= longest_ms;
}

// The first thing that the program needs and the loop has not: "tick", "clear as number", "delay NaN".
std::optional<std::string> Missing(const Adapter& adapter, const json& program) {
  for (const json& step : program) {
    const std::string name = Capability(step), op = Text(step, "op");
    if (FindOp(adapter, name) == nullptr && FindAct(adapter, name) == nullptr) return name;
    const bool has_delay = op == "timeout" || op == "interval" || (op == "start" && step.contains("argument"));
    if (has_delay && !IsDelay(Text(step, "argument"), adapter.longest_delay_ms))
      return "delay " + Text(step, "argument");
    if (!step.contains("body")) continue;
    if (auto missing = Missing(adapter, step["body"])) return missing;
  }
  return std::nullopt;
}

// A label that needs no quoting in a trace.
std::string Label(const json& step) {
  const std::string label = Text(step, "label");
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '-') {
      throw std::invalid_argument("a label holds letters, digits, '_', '.' and '-'");
    }
  }
  return label;
}

// REQUIRES: nothing is missing. Throws where the program is not as its schema says.
Program ReadProgram(const Adapter& adapter, const json& from) {
  Program program;
  for (const json& item : from) {
    Step step;
    const std::string name = Capability(item), argument = Text(item, "argument");
    step.op = FindOp(adapter, name);
    step.act = step.op != nullptr ? Act::kMake : FindAct(adapter, name)->act;
    step.reads = Text(item, "op") == "read";
    step.label = Label(item);
    step.target = Text(item, "target");
    step.has_ms = !argument.empty();
    step.ms = std::strtod(argument.c_str(), nullptr);
    step.code = std::strtol(argument.c_str(), nullptr, 10) & 0xFF;
    if (argument == "once") step.mode = RunMode::kOnce;
    if (argument == "nowait") step.mode = RunMode::kNowait;
    step.unsent = item.value("unsent", false);
    step.chained = item.contains("times");
    if (step.chained) step.times = std::stoll(Text(item, "times"));
    if (step.act == Act::kOnly) {
      step.only_from = std::stoll(Text(item, "only_from"));
      step.only_to = std::stoll(Text(item, "only_to"));
    }
    if (item.contains("body")) step.body = ReadProgram(adapter, item["body"]);
    program.push_back(std::move(step));
  }
  return program;
}

std::string RealPath(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  const std::string result = real == nullptr ? path : real;
  std::free(real);
  return result;
}

// The file that the library under test was loaded from; "" where it is part of the adapter.
std::string Library(const Adapter& adapter) {
  Dl_info info{};
  void* function = adapter.function == nullptr ? nullptr : dlsym(RTLD_DEFAULT, adapter.function);
  if (function == nullptr || dladdr(function, &info) == 0 || info.dli_fname == nullptr) return "";
  return RealPath(info.dli_fname);
}

// A library that was given by path and is not used lacks this function: continuing would examine another one.
std::string WrongLibrary(const Adapter& adapter) {
  const char* asked = std::getenv("LD_PRELOAD");
  if (asked == nullptr || *asked == '\0' || RealPath(asked) == Library(adapter)) return "";
  return std::string(asked) + " was not loaded, or is not " + adapter.name;
}

json Ready(const Adapter& adapter) {
  json details = adapter.details;
  if (!Library(adapter).empty()) details["library"] = Library(adapter);
  json ops = json::array();
  for (const Op& op : adapter.ops) ops.push_back(op.name);
  for (const NamedAct& act : kActs) {
    if (act.is_in_ops && FindAct(adapter, act.name) != nullptr) ops.push_back(act.name);
  }
  const std::string profile = adapter.profile.empty() ? adapter.name : adapter.profile;
  // The numbers alone: "2.1.12" of "2.1.12-stable".
  const std::string version = adapter.version.substr(0, adapter.version.find_first_not_of("0123456789."));
  return {{"type", "ready"},
          {"protocol", kProtocol},
          {"implementation", {{"name", adapter.name}, {"version", adapter.version}, {"details", details}}},
          {"claims", {{"profile", profile}, {"version", version}}},
          {"ops", ops},
          {"isolation", "session"}};
}

std::optional<std::string> MissingFor(const Adapter& adapter, const json& message) {
  if (message.contains("native")) return "native";
  const std::string entry = message.value("entry", "script");
  if (entry != "script") return "entry " + entry;
  return Missing(adapter, message.at("program"));
}

// `broken`: the loop under test is at fault.
void AnswerError(int64_t seq, const std::string& why, bool broken) {
  WriteLine(json{{"type", "error"}, {"seq", seq}, {"message", why}, {"broken", broken}}.dump());
}

// Returns whether the process can run another program.
bool AnswerRun(const Adapter& adapter, const json& message) {
  const auto seq = message.at("seq").get<int64_t>();
  try {
    if (const auto missing = MissingFor(adapter, message)) {
      WriteLine(json{{"type", "unsupported"}, {"seq", seq}, {"op", *missing}}.dump());
      return true;
    }
    const Program program = ReadProgram(adapter, message["program"]);
    Trace trace(seq, message.value("flush", "exit") == "each", adapter.reads_steady_clock);
    std::string trouble;
    bool left_nothing_behind = true;
    const auto run = [&] {
      try {
        Interpreter interpreter(adapter, program, message.value("descriptors", std::vector<int>()), trace);
        trouble = interpreter.Go();
        left_nothing_behind = interpreter.left_nothing_behind();
      } catch (const std::exception& exception) {
        trouble = exception.what();  // no exception leaves a thread
      }
    };
    adapter.run_program ? adapter.run_program(run) : run();
    if (trouble.empty()) {
      trace.Finish();
    } else {
      // A loop that cannot be ended has come out of order.
      AnswerError(seq, trouble, !left_nothing_behind);
    }
    return left_nothing_behind;
  } catch (const std::exception& exception) {
    AnswerError(seq, exception.what(), /*broken=*/false);
    return true;
  }
}

int Fail(const std::string& why) {
  std::fprintf(stderr, "adapter: %s\n", why.c_str());
  return 1;
}

// The lines of standard input. Where the adapter is an addon, its host may have made the descriptor non-blocking.
class Input {
 public:
  // The next line without its end; nothing at the end of the input.
  std::optional<std::string> NextLine() {
    for (;;) {
      const size_t end = read_.find('\n');
      if (end != std::string::npos) {
        std::string line = read_.substr(0, end);
        read_.erase(0, end + 1);
        return line;
      }
      char bytes[65536];
      const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
      if (count > 0) {
        read_.append(bytes, static_cast<size_t>(count));
      } else if (count < 0 && errno == EAGAIN) {
        pollfd wait{STDIN_FILENO, POLLIN, 0};
        poll(&wait, 1, -1);
      } else if (count == 0 || errno != EINTR) {
        return std::nullopt;
      }
    }
  }

 private:
  std::string read_;
};

}  // namespace

int RunSession(const Adapter& adapter) {
  // A write to a socket whose other end is closed has an outcome; it does not end the process.
  std::signal(SIGPIPE, SIG_IGN);
  const std::string wrong = WrongLibrary(adapter);
  if (!wrong.empty()) return Fail(wrong);
  Input input;
  while (const auto line = input.NextLine()) {
    const json message = json::parse(*line, nullptr, /*allow_exceptions=*/false);
    const std::string type = message.is_object() ? message.value("type", "") : "";
    if (type == "hello") {
      WriteLine(Ready(adapter).dump());
    } else if (type == "run") {
      if (!AnswerRun(adapter, message)) return Fail("a run could not be ended");
    } else if (type == "stop") {
      return 0;
    } else {
      return Fail("unknown message: " + *line);
    }
  }
  return 0;
}

}  // namespace loop_adapter
