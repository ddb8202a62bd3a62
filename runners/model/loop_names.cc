#include "runners/model/loop_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runners/base/text.h"

namespace conform {
namespace {

using Synonym = std::pair<std::string_view, std::string_view>;
constexpr std::array kSynonyms = {
    Synonym{"chrome", "chromium"}, Synonym{"google-chrome", "chromium"},
    Synonym{"edge", "chromium"},   Synonym{"python", "asyncio"},
    Synonym{"python3", "asyncio"}, Synonym{"nodejs", "node"},
    Synonym{"js", "node"},         Synonym{"javascript", "node"},
    Synonym{"uv", "libuv"},        Synonym{"cloudflare", "workerd"},
    Synonym{"qt", "qt6"},          Synonym{"systemd", "sd-event"},
    Synonym{"boost", "asio"},      Synonym{"browser", "html"},
    Synonym{"chrome", "html"},     Synonym{"chromium", "html"},
    Synonym{"firefox", "html"},    Synonym{"bun", "node"},
    Synonym{"deno", "node"},       Synonym{"uvloop", "asyncio"},
};

}  // namespace

std::optional<std::string> LoopCalled(std::string_view name, const std::vector<std::string>& names) {
  const auto is_there = [&](std::string_view one) { return std::find(names.begin(), names.end(), one) != names.end(); };
  if (is_there(name.substr(0, name.find('@')))) return std::string(name);
  const auto found = std::find_if(kSynonyms.begin(), kSynonyms.end(),
                                  [&](const Synonym& one) { return one.first == name && is_there(one.second); });
  if (found != kSynonyms.end()) return std::string(found->second);
  // `node24`, `node-24.1`, `nodev24`: a name and a version without the sign between them.
  const size_t digits = name.find_first_of("0123456789");
  if (digits == std::string_view::npos) return std::nullopt;
  std::string_view stem = name.substr(0, digits);
  if (stem.ends_with('v') && !is_there(stem)) stem.remove_suffix(1);  // node-v24
  while (stem.ends_with('-') || stem.ends_with('_')) stem.remove_suffix(1);
  if (!is_there(stem)) return std::nullopt;
  return std::string(stem) + "@" + std::string(name.substr(digits));
}

std::string DidYouMeanLoop(std::string_view name, const std::vector<std::string>& names) {
  const std::optional<std::string> called = LoopCalled(name, names);
  return called ? "did you mean '" + *called + "'?" : DidYouMean(name, names);
}

}  // namespace conform
