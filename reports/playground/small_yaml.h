// YAML without yaml-cpp, which Debian has no WebAssembly of: as much as profiles, cases and typed programs use.
#ifndef CONFORM_REPORTS_PLAYGROUND_SMALL_YAML_H_
#define CONFORM_REPORTS_PLAYGROUND_SMALL_YAML_H_

#include <string>

#include "runners/base/result.h"
#include "runners/model/yaml_tree.h"

namespace conform::playground {

// Gives the tree that ReadYaml gives, for lists and maps in blocks and in brackets, plain and quoted text on one line
// or several, `>` and `|`, and remarks; their places too, those of blocks apart. Refuses everything else that YAML has.
// Never throws.
Result<YamlNode> ReadSmallYaml(const std::string& text, const std::string& file);

}  // namespace conform::playground

#endif  // CONFORM_REPORTS_PLAYGROUND_SMALL_YAML_H_
