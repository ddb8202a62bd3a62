// playground_answer PROFILES: answers requests, one on each line of the standard input. What the page asks, without a
// browser and without WebAssembly.
#include <filesystem>
#include <iostream>

#include "reports/playground/answer.h"
#include "runners/base/text.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: playground_answer PROFILES\n";
    return 2;
  }
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.path().extension() != ".yaml") continue;
    auto text = conform::ReadFile(entry.path().string(), 1 << 20);
    if (text) files[entry.path().filename().string()] = *text;
  }
  const auto playground = conform::playground::Playground::FromProfiles(files);
  if (!playground) {
    std::cerr << playground.error().ToString() << "\n";
    return 2;
  }
  for (std::string line; std::getline(std::cin, line);) std::cout << playground->Answer(line) << std::endl;
}
