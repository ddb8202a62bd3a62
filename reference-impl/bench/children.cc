#include "reference-impl/bench/children.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>

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

std::optional<Usage> RunChild(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  std::vector<char*> arguments = Pointers(command), variables = Pointers(environment);
  arguments.push_back(nullptr);
  for (char** one = environ; *one != nullptr; ++one) {
    if (!std::string_view(*one).starts_with("NODE_")) variables.push_back(*one);
  }
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  }
  const auto began = std::chrono::steady_clock::now();
  pid_t child = -1;
  const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  return Usage{Seconds(used.ru_utime) + Seconds(used.ru_stime), wall.count()};
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
