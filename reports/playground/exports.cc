// The module of WebAssembly: two functions on text that ends with a zero. What they return stays until the next call.
#include <emscripten.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "reference-impl/platform/system_clock.h"
#include "reports/playground/answer.h"
#include "reports/playground/small_yaml.h"

namespace conform {

// In place of the reader that uses yaml-cpp.
Result<YamlNode> ReadYaml(const std::string& text, const std::string& file) {
  return playground::ReadSmallYaml(text, file);
}

// A module has no clock of its own processor time. Its worker does nothing else, so that the time that passes is near
// enough for a limit.
int64_t reference::ThreadCpuMs() { return static_cast<int64_t>(emscripten_get_now()); }

}  // namespace conform

namespace {

struct State {
  std::optional<conform::playground::Playground> playground;
  std::string said;
};
State& TheState() {
  static State state;
  return state;
}

}  // namespace

extern "C" {

// Reads the profiles, `{"node.yaml": text, …}`. Returns "", or what is wrong with them.
const char* playground_start(const char* profiles) {
  State& state = TheState();
  const auto files = nlohmann::json::parse(profiles, nullptr, false);
  if (!files.is_object()) return "the profiles are not a JSON object";
  auto made = conform::playground::Playground::FromProfiles(files.get<std::map<std::string, std::string>>());
  state.said = made.ok() ? "" : made.error().ToString();
  if (made.ok()) state.playground.emplace(std::move(*made));
  return state.said.c_str();
}

// REQUIRES: playground_start returned "".
const char* playground_answer(const char* request) {
  State& state = TheState();
  if (!state.playground) std::abort();
  state.said = state.playground->Answer(request);
  return state.said.c_str();
}
}
