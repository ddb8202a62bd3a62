#include "runners/model/yaml_tree.h"

#include <algorithm>

#include "runners/base/text.h"

namespace conform {

Location YamlNode::PlaceOf(size_t offset) const {
  return text_column > 0 ? Location{at.line, text_column + static_cast<int>(offset)} : at;
}

std::string_view YamlNode::KindName() const {
  switch (kind) {
    case Kind::kNothing:
      return "nothing";
    case Kind::kText:
      return "a text";
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  CONFORM_CHECK(false);
}

const YamlNode* YamlNode::Find(std::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &values[i];
  }
  return nullptr;
}

std::optional<Error> CheckKeys(const YamlNode& node, const std::string& what, const std::vector<std::string>& known,
                               const std::string& file) {
  if (node.kind != YamlNode::Kind::kMap) {
    return Error{what + " is a map, not " + std::string(node.KindName()), file, node.at};
  }
  for (const YamlNode& key : node.keys) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    const std::string hint = DidYouMean(key.text, known);
    return Error{"'" + key.text + "' is not a key of " + what, file, key.at,
                 hint.empty() ? "known: " + Join(known, ", ") : hint};
  }
  return std::nullopt;
}

}  // namespace conform
