// YAML as our files use it: text, lists and maps with places, and none of the rest of YAML.
#ifndef CONFORM_RUNNERS_MODEL_YAML_TREE_H_
#define CONFORM_RUNNERS_MODEL_YAML_TREE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

struct YamlNode {
  enum class Kind { kNothing, kText, kList, kMap };
  Kind kind = Kind::kNothing;
  Location at;
  std::string text;              // kText: exactly what is written; `Y`, `1.9` and `null` are themselves
  std::vector<YamlNode> items;   // kList
  std::vector<YamlNode> keys;    // kMap: all kText, no two are equal
  std::vector<YamlNode> values;  // kMap: one for each key

  // The place of the character `offset` of `text`. Where the text is not written in one piece (folded lines, escapes),
  // the place where it starts.
  Location PlaceOf(size_t offset) const;
  // The value of a key of this map, or null.
  const YamlNode* Find(std::string_view key) const;
  // "nothing", "a text", "a list", "a map": for messages.
  std::string_view KindName() const;

  int text_column = 0;  // of the first character of `text`; 0 where the text is not written in one piece
};

inline constexpr int kMaxYamlDepth = 160;

// Reads one document. Refused, with the place: more than one document, anchors, aliases and tags, equal keys in one
// map, keys that are not text, control characters, invalid UTF-8, more than `kMaxYamlDepth` levels, and what is not
// YAML at all. Never throws, and takes time in proportion to the length of `text`.
Result<YamlNode> ReadYaml(const std::string& text, const std::string& file);

// Whether `node` is a map without any key but these. `what` it is, for the message: "a profile".
std::optional<Error> CheckKeys(const YamlNode& node, const std::string& what, const std::vector<std::string>& known,
                               const std::string& file);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_YAML_TREE_H_
