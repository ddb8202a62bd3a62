#include "runners/harness/spawn.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>

#include "runners/base/text.h"

namespace conform {
namespace {

constexpr char kDefaultPath[] = "/usr/local/bin:/usr/bin:/bin";

// While it lives, this thread (and what it starts) runs on one CPU alone. One that is not there changes nothing.
class PinnedTo {
 public:
  explicit PinnedTo(std::optional<int> cpu) {
    if (!cpu || *cpu < 0 || *cpu >= CPU_SETSIZE) return;
    pinned_ = pthread_getaffinity_np(pthread_self(), sizeof before_, &before_) == 0;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(*cpu), &one);
    pinned_ = pinned_ && pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
  }
  ~PinnedTo() {
    if (pinned_) pthread_setaffinity_np(pthread_self(), sizeof before_, &before_);
  }
  PinnedTo(const PinnedTo&) = delete;
  PinnedTo& operator=(const PinnedTo&) = delete;

 private:
  bool pinned_ = false;
  cpu_set_t before_;
};

// argv or envp: pointers into texts that stay where they are.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What happens between the start of the process and that of the program.
class Steps {
 public:
  Steps() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~Steps() {
    for (const int copy : copies_) close(copy);
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  int Set(const ProcessRequest& request, const std::vector<int>& descriptors) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int count = static_cast<int>(descriptors.size());
    for (int number = 0; number < count; ++number) {
      // One whose own number is among those that are set would be gone when its turn comes.
      int source = descriptors[static_cast<size_t>(number)];
      if (source < count) {
        source = fcntl(source, F_DUPFD_CLOEXEC, count);
        if (source < 0) return -errno;
        copies_.push_back(source);
      }
      if (const int code = posix_spawn_file_actions_adddup2(&actions_, source, number); code != 0) return -code;
    }
    if (request.folder.empty()) return 0;
    return -posix_spawn_file_actions_addchdir_np(&actions_, request.folder.c_str());
  }

  int Start(const std::string& program, char* const* argv, char* const* envp, pid_t* pid) const {
    return -posix_spawn(pid, program.c_str(), &actions_, &attributes_, argv, envp);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<int> copies_;
};

int Start(const ProcessRequest& request, const std::vector<int>& descriptors, pid_t* pid) {
  std::vector<std::string> command = request.command;
  std::vector<std::string> environment;
  for (const auto& [name, value] : request.environment) environment.push_back(name + "=" + value);
  const std::vector<char*> argv = Pointers(command);
  const std::vector<char*> envp = Pointers(environment);
  Steps steps;
  if (const int code = steps.Set(request, descriptors); code != 0) return code;
  const PinnedTo pinned(request.cpu);
  if (command[0].find('/') != std::string::npos) return steps.Start(command[0], argv.data(), envp.data(), pid);
  const auto path = request.environment.find("PATH");
  int best = -ENOENT;
  for (const std::string& folder : Split(path == request.environment.end() ? kDefaultPath : path->second, ':')) {
    const std::string program = folder.empty() ? "./" + command[0] : folder + "/" + command[0];
    const int code = steps.Start(program, argv.data(), envp.data(), pid);
    if (code == 0) return 0;
    // As a shell does: what is there and cannot be run is reported, unless a later folder has one that can.
    if (code != -ENOENT && code != -ENOTDIR) best = code;
    if (code != -ENOENT && code != -ENOTDIR && code != -EACCES) break;
  }
  return best;
}

}  // namespace

int SpawnProgram(const ProcessRequest& request, const std::vector<int>& descriptors, pid_t* pid) {
  if (request.nice == 0) return Start(request, descriptors, pid);
  // A process inherits the niceness of the thread that starts it. That of this one could not be taken back, and that of
  // a process that already runs would come too late for its first lines.
  int code = 0;
  try {
    std::thread([&] {
      setpriority(PRIO_PROCESS, 0, request.nice);
      code = Start(request, descriptors, pid);
    }).join();
  } catch (const std::system_error& error) {
    return -error.code().value();
  }
  return code;
}

}  // namespace conform
