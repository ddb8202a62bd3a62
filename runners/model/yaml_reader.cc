// Reads YAML with yaml-cpp.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "runners/base/text.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

// Thrown by our event handler through yaml-cpp, and caught below: its interface has no other way to stop.
struct Refusal {
  std::string message;
  Location at;
  std::string hint;
};

Location PlaceOfMark(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {mark.line + 1, mark.column + 1};
}

// The length of the UTF-8 sequence at the start of `bytes`, or 0 when there is no valid one.
size_t Utf8Length(std::string_view bytes) {
  const auto byte = [&bytes](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond the last code point.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

// Control characters could steer a terminal that shows a title, and bytes outside of UTF-8 cannot be put into JSON.
std::optional<Refusal> CheckCharacters(std::string_view text) {
  Location at{1, 1};
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = text[i];
    const size_t length = Utf8Length(text.substr(i));
    if (length == 0) return Refusal{"is not valid UTF-8", at, ""};
    if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f) {
      return Refusal{fmt::format("holds the control character 0x{:02x}", c), at, ""};
    }
    at = c == '\n' ? Location{at.line + 1, 1} : Location{at.line, at.column + static_cast<int>(length)};
    i += length;
  }
  return std::nullopt;
}

// yaml-cpp works by recursion; this looks for deep nesting before it starts. It knows nothing of quotes, so brackets in
// prose are counted too: only a file with very many unbalanced ones could be refused wrongly.
std::optional<Refusal> CheckNesting(std::string_view text) {
  int brackets = 0;
  std::vector<size_t> indents;
  Location at{1, 1};
  bool in_indent = true;
  for (size_t i = 0; i < text.size(); ++i, ++at.column) {
    const char c = text[i];
    if (c == '\n') {
      at = {at.line + 1, 0};
      in_indent = true;
      continue;
    }
    if (in_indent && c != ' ' && c != '\t' && c != '\r') {
      const size_t column = static_cast<size_t>(at.column);
      while (!indents.empty() && indents.back() >= column) indents.pop_back();
      indents.push_back(column);
      // `- - - x` opens a level at each dash, and so does `? `.
      in_indent = (c == '-' || c == '?') && i + 1 < text.size() && text[i + 1] == ' ';
    }
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if (brackets > kMaxYamlDepth || indents.size() > static_cast<size_t>(kMaxYamlDepth)) {
      return Refusal{fmt::format("is nested more than {} levels deep", kMaxYamlDepth), at, ""};
    }
  }
  return std::nullopt;
}

// Builds the tree from yaml-cpp's events. Going through events, not through its nodes, shows anchors, tags and equal
// keys, which its nodes hide, and stops a deep document while it is being read.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view source) : lines_(Split(source, '\n')) {}

  YamlNode Take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw Refusal{"holds more than one document", PlaceOfMark(mark), ""};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    RefuseExtras(mark, "", anchor);
    YamlNode node;
    node.at = PlaceOfMark(mark);
    // yaml-cpp takes some words for nothing; to us they are text like any other.
    if (const std::string_view word = NullWord(Written(node.at)); !word.empty()) {
      node.kind = YamlNode::Kind::kText;
      node.text = word;
      node.text_column = node.at.column;
    }
    Add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refusal{"aliases are not used here", PlaceOfMark(mark), "put a text that starts with '*' in quotes"};
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // Plain text carries the tag "?", quoted text "!"; both are none.
    RefuseExtras(mark, tag == "?" || tag == "!" ? "" : tag, anchor);
    YamlNode node;
    node.kind = YamlNode::Kind::kText;
    node.at = PlaceOfMark(mark);
    node.text = value;
    if (const std::optional<Refusal> refusal = CheckCharacters(value)) throw Refusal{refusal->message, node.at, ""};
    std::string_view written = Written(node.at);
    const bool quoted = !written.empty() && (written[0] == '\'' || written[0] == '"');
    if (quoted) written.remove_prefix(1);
    if (written.starts_with(value)) node.text_column = node.at.column + (quoted ? 1 : 0);
    Add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(YamlNode::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(YamlNode::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { Close(); }

 private:
  // A list or map that is being read, with the keys it has so far.
  struct Level {
    YamlNode node;
    std::set<std::string> keys;
  };

  static void RefuseExtras(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) throw Refusal{"anchors are not used here", PlaceOfMark(mark), "put the text in quotes"};
    if (!tag.empty() && tag != "?")
      throw Refusal{"tags are not used here", PlaceOfMark(mark), "put the text in quotes"};
  }

  // The word at the start of `written` that YAML reads as nothing, or "". A missing value carries the place of what
  // comes next, so a word with a colon behind it is a key of the next line, not a value.
  static std::string_view NullWord(std::string_view written) {
    for (const std::string_view word : {"null", "Null", "NULL", "~"}) {
      if (!written.starts_with(word)) continue;
      const std::string_view rest = written.substr(word.size());
      const bool ends = rest.empty() || std::string_view(" \t\r,]}").find(rest[0]) != std::string_view::npos;
      if (ends && !Trim(rest).starts_with(':')) return word;
    }
    return {};
  }

  // What the source has from `at` to the end of the line.
  std::string_view Written(Location at) const {
    if (at.line < 1 || at.line > static_cast<int>(lines_.size())) return {};
    const std::string_view line = lines_[at.line - 1];
    const size_t start = static_cast<size_t>(at.column - 1);
    return start < line.size() ? line.substr(start) : std::string_view{};
  }

  void Open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    RefuseExtras(mark, tag, anchor);
    if (levels_.size() >= static_cast<size_t>(kMaxYamlDepth)) {
      throw Refusal{fmt::format("is nested more than {} levels deep", kMaxYamlDepth), PlaceOfMark(mark), ""};
    }
    Level level;
    level.node.kind = kind;
    level.node.at = PlaceOfMark(mark);
    levels_.push_back(std::move(level));
  }

  void Close() {
    YamlNode node = std::move(levels_.back().node);
    levels_.pop_back();
    Add(std::move(node));
  }

  void Add(YamlNode node) {
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.kind == YamlNode::Kind::kList) {
      level.node.items.push_back(std::move(node));
    } else if (level.node.keys.size() > level.node.values.size()) {
      level.node.values.push_back(std::move(node));
    } else {
      if (node.kind != YamlNode::Kind::kText) {
        throw Refusal{fmt::format("a key is a text, not {}", node.KindName()), node.at, ""};
      }
      if (!level.keys.insert(node.text).second) {
        throw Refusal{fmt::format("'{}' is given twice", node.text), node.at, ""};
      }
      level.node.keys.push_back(std::move(node));
    }
  }

  std::vector<std::string> lines_;
  int documents_ = 0;
  YamlNode root_;
  std::vector<Level> levels_;
};

}  // namespace

Result<YamlNode> ReadYaml(const std::string& text, const std::string& file) {
  std::optional<Refusal> refusal = CheckCharacters(text);
  if (!refusal) refusal = CheckNesting(text);
  if (refusal) return Error{refusal->message, file, refusal->at, refusal->hint};
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(text);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.Take();
  } catch (const Refusal& thrown) {
    return Error{thrown.message, file, thrown.at, thrown.hint};
  } catch (const YAML::Exception& exception) {
    return Error{"is not valid YAML: " + exception.msg, file, PlaceOfMark(exception.mark)};
  }
}

}  // namespace conform
