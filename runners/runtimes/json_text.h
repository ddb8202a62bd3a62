// What files and answers hold that another program may have written.
#ifndef CONFORM_RUNNERS_RUNTIMES_JSON_TEXT_H_
#define CONFORM_RUNNERS_RUNTIMES_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>

namespace conform {

// The text under `key`, or "" where there is none. REQUIRES: it is an object.
inline std::string TextOf(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_JSON_TEXT_H_
