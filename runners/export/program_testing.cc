#include "runners/export/program_testing.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace conform {

Case CaseWith(const std::string& program, const std::string& more_keys) {
  const std::string text = "title: A title\nclauses: [drain.after-each-callback]\n" + more_keys + "program:\n" +
                           program + "expect:\n  node >=11: ...\n  libuv: ''\n";
  Result<Case> c = ParseCase(text, "some/file.yaml", "timers/some-case");
  EXPECT_TRUE(c.ok()) << (c.ok() ? "" : c.error().ToString()) << "\n" << text;
  return c.ok() ? *c : Case{};
}

bool HasCommand(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

std::string WriteAndRun(const std::string& file, const std::string& text, const std::string& command) {
  std::string folder = (std::filesystem::temp_directory_path() / "conform-export-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return "no temporary folder";
  std::ofstream(folder + "/" + file) << text;
  std::string output;
  std::FILE* pipe = popen(("cd '" + folder + "' && { " + command + "; } 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return "no shell";
  char buffer[4096];
  for (size_t size; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, size);
  const int status = pclose(pipe);
  std::filesystem::remove_all(folder);
  while (!output.empty() && output.back() == '\n') output.pop_back();
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code == 0 ? output : output + " exit=" + std::to_string(code);
}

}  // namespace conform
