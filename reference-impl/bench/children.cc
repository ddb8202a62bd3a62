#include "reference-impl/bench/children.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "runners/base/folders.h"

namespace conform::reference::bench {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  return pointers;
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const std::vector<std::string>& environment,
             const std::string& output) {
  std::vector<char*> arguments = Pointers(command), variables = Pointers(environment);
  arguments.push_back(nullptr);
  for (char** one = environ; *one != nullptr; ++one) {
    if (!std::string_view(*one).starts_with("NODE_")) variables.push_back(*one);
  }
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), variables.data()) != 0) pid_ = -1;
  posix_spawn_file_actions_destroy(&actions);
}

bool Child::Take(int options) {
  if (pid_ == -1) return true;
  int status = 0;
  rusage used{};
  if (wait4(pid_, &status, options, &used) != pid_) return false;
  pid_ = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return true;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began_;
  used_ = {Seconds(used.ru_utime) + Seconds(used.ru_stime), wall.count(), static_cast<double>(used.ru_maxrss) / 1024};
  return true;
}

std::optional<Usage> Child::Wait() {
  Take(0);
  return used_;
}

bool Child::HasEnded() { return Take(WNOHANG); }

std::optional<Usage> RunChild(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  return Child(command, environment).Wait();
}

std::optional<std::string> OutputOf(const std::vector<std::string>& command) {
  const auto folder = TemporaryFolder::Make("conform-bench");
  if (!folder) return std::nullopt;
  const std::string file = folder->path() + "/output";
  if (!Child(command, {}, file).Wait()) return std::nullopt;
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::optional<std::string> FindProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const size_t end = folders.find(':');
    const std::string program = std::string(folders.substr(0, end)) + "/" + name;
    if (access(program.c_str(), X_OK) == 0) return program;
    folders.remove_prefix(end == folders.npos ? folders.size() : end + 1);
  }
  return std::nullopt;
}

}  // namespace conform::reference::bench
