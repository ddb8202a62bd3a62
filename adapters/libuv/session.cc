#include "session.h"

#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>
#include <uv.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "program.h"
#include "run.h"
#include "trace.h"
#include "watchdog.h"

namespace libuv_adapter {
namespace {

using loop_adapter::WriteLine;
using nlohmann::json;

constexpr int kProtocol = 1;

int Fail(const std::string& why) {
  std::fprintf(stderr, "libuv adapter: %s\n", why.c_str());
  return 1;
}

// The next line of standard input without its end; nothing at the end of the input.
class Input {
 public:
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

// The numbers alone: a profile knows no suffix.
std::string PlainVersion() {
  const unsigned version = uv_version();
  return std::to_string(version >> 16) + "." + std::to_string((version >> 8) & 0xFF) + "." +
         std::to_string(version & 0xFF);
}

std::string RealPath(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  const std::string result = real == nullptr ? path : real;
  std::free(real);
  return result;
}

// The file that libuv comes from.
std::string Library() {
  Dl_info info{};
  void* function = dlsym(RTLD_DEFAULT, "uv_run");
  return function != nullptr && dladdr(function, &info) != 0 && info.dli_fname != nullptr ? RealPath(info.dli_fname)
                                                                                          : "";
}

// A library that was given by path and is not used has no uv_run: to go on would be to judge another one in its place.
std::string WrongLibrary() {
  const char* asked = std::getenv("LD_PRELOAD");
  if (asked == nullptr || *asked == '\0' || RealPath(asked) == Library()) return "";
  return std::string(asked) + " was not loaded, or is no libuv";
}

json Ready() {
  json details = json::object();
  if (const char* host = std::getenv("CONFORM_LIBUV_HOST")) {
    details["inside"] = host;
  } else {
    details["library"] = Library();
  }
  return {{"type", "ready"},
          {"protocol", kProtocol},
          {"implementation", {{"name", "libuv"}, {"version", uv_version_string()}, {"details", details}}},
          {"claims", {{"profile", "libuv"}, {"version", PlainVersion()}}},
          {"ops", Capabilities()},
          {"isolation", "session"}};
}

std::optional<std::string> MissingFor(const json& message) {
  if (message.contains("native")) return "native";
  const std::string entry = message.value("entry", "script");
  if (entry != "script") return "entry " + entry;
  return Missing(message.at("program"));
}

void AnswerError(int64_t seq, const std::string& why) {
  WriteLine(json{{"type", "error"}, {"seq", seq}, {"message", why}}.dump());
}

// Returns whether the process can run another program.
bool AnswerRun(const json& message, Watchdog& watchdog) {
  const auto seq = message.at("seq").get<int64_t>();
  try {
    if (const auto missing = MissingFor(message)) {
      WriteLine(json{{"type", "unsupported"}, {"seq", seq}, {"op", *missing}}.dump());
      return true;
    }
    const Program program = ReadProgram(message["program"]);
    const auto descriptors = message.value("descriptors", std::vector<int>());
    Trace trace(seq, message.value("flush", "exit") == "each");
    Run run(program, descriptors, trace, watchdog);
    std::string trouble;
    watchdog.Run([&] { trouble = run.Go(); });
    if (trouble.empty()) {
      trace.Finish();
    } else {
      AnswerError(seq, trouble);
    }
    return run.left_nothing_behind();
  } catch (const std::exception& exception) {
    AnswerError(seq, exception.what());
    return true;
  }
}

}  // namespace

int RunSession() {
  // A write to a socket whose other end is closed has an outcome; it does not end the process.
  std::signal(SIGPIPE, SIG_IGN);
  const std::string wrong = WrongLibrary();
  if (!wrong.empty()) return Fail(wrong);
  Watchdog watchdog;
  Input input;
  while (const auto line = input.NextLine()) {
    const json message = json::parse(*line, nullptr, /*allow_exceptions=*/false);
    const std::string type = message.is_object() ? message.value("type", "") : "";
    if (type == "hello") {
      WriteLine(Ready().dump());
    } else if (type == "run") {
      if (!AnswerRun(message, watchdog)) return Fail("a run could not be ended");
    } else if (type == "stop") {
      return 0;
    } else {
      return Fail("this is no message that it knows: " + *line);
    }
  }
  return 0;
}

}  // namespace libuv_adapter
