#include "runners/runtimes/tools.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>

#include "runners/base/text.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxToolOutputBytes = 16 << 20;
constexpr size_t kMaxMessageBytes = 300;

}  // namespace

bool IsProgram(const std::string& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && access(path.c_str(), X_OK) == 0;
}

Result<Finished> Tools::Run(const std::vector<std::string>& command, const std::string& folder,
                            int64_t timeout_ms) const {
  ProcessRequest request;
  request.command = command;
  request.folder = folder;
  request.environment = environment;
  request.max_output_bytes = kMaxToolOutputBytes;
  request.interrupt = interrupt;
  auto finished = RunToEnd(request, "", timeout_ms);
  if (!finished) return finished;
  const std::string& program = command[0];
  switch (finished->event) {
    case Process::Event::kDeadline:
      return Error{program + " did not end within " + std::to_string(timeout_ms / 1000) + " s"};
    case Process::Event::kTooMuch:
      return Error{program + " wrote more than " + std::to_string(kMaxToolOutputBytes) + " bytes"};
    case Process::Event::kInterrupted:
      return Error{"interrupted"};
    case Process::Event::kEnded:
    case Process::Event::kLine:
    case Process::Event::kHalfLine:
    case Process::Event::kEndOfOutput:
      break;
  }
  return finished;
}

Result<std::string> Tools::Output(const std::vector<std::string>& command, const std::string& folder,
                                  int64_t timeout_ms) const {
  auto finished = Run(command, folder, timeout_ms);
  if (!finished) return finished.error();
  const ProcessEnd& end = finished->end;
  const std::string said = LastLine(end.errors);
  const std::string because = said.empty() ? "" : ": " + said;
  switch (end.kind) {
    case ProcessEnd::Kind::kExited:
      if (end.code == 0) return std::move(finished->output);
      return Error{command[0] + " ended with code " + std::to_string(end.code) + because};
    case ProcessEnd::Kind::kSignalled:
      return Error{command[0] + " was killed by signal " + std::to_string(end.code) + " (" + strsignal(end.code) + ")" +
                   because};
    case ProcessEnd::Kind::kStoppedByUs:
      break;
  }
  return Error{command[0] + " had to be stopped"};
}

std::optional<std::string> Tools::OnPath(const std::string& name) const {
  const auto path = environment.find("PATH");
  if (path == environment.end() || name.empty() || name.find('/') != std::string::npos) return std::nullopt;
  for (const std::string& folder : Split(path->second, ':')) {
    std::error_code code;
    const fs::path file = fs::absolute(fs::path(folder.empty() ? "." : folder) / name, code);
    if (!code && IsProgram(file.string())) return file.lexically_normal().string();
  }
  return std::nullopt;
}

std::string LastLine(const std::string& text) {
  const std::vector<std::string> lines = Split(text, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (!Trim(*line).empty()) return ForMessage(*line);
  }
  return "";
}

std::string ForMessage(const std::string& text) {
  std::string shown(Trim(text));
  for (char& c : shown) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  }
  return Shortened(shown, kMaxMessageBytes);
}

}  // namespace conform
