#include "reports/playground/small_yaml.h"

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "runners/base/text.h"

namespace conform::playground {
namespace {

struct Refusal {
  std::string message;
  Location at;
};

// A reader that looks at one character at a time. Columns count bytes, as those of the other reader count characters.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  YamlNode Document() {
    SkipBlank();
    YamlNode root;
    if (!AtEnd()) root = Block(-1);
    SkipBlank();
    if (!AtEnd()) Refuse("unexpected text after the end, or wrong indentation");
    return root;
  }

 private:
  [[noreturn]] void Refuse(std::string message) const { throw Refusal{std::move(message), Here()}; }

  bool AtEnd() const { return position_ >= text_.size(); }
  char Peek(size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  Location Here() const { return {line_, static_cast<int>(position_ - line_start_) + 1}; }
  int Column() const { return static_cast<int>(position_ - line_start_); }
  void Advance() {
    if (text_[position_++] == '\n') {
      ++line_;
      line_start_ = position_;
    }
  }
  bool EndsWord(size_t ahead) const {
    const char c = Peek(ahead);
    return c == '\0' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  // Over blanks, line ends and remarks.
  void SkipBlank() {
    bool may_be_remark = position_ == 0 || EndsWordBefore();
    while (!AtEnd()) {
      const char c = Peek();
      if (c == '#' && may_be_remark) {
        while (!AtEnd() && Peek() != '\n') Advance();
      } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        may_be_remark = true;
        Advance();
      } else {
        return;
      }
    }
  }
  bool EndsWordBefore() const {
    const char c = text_[position_ - 1];
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }
  // Over blanks of this line.
  void SkipSpaces() {
    while (Peek() == ' ' || Peek() == '\t' || Peek() == '\r') Advance();
  }
  bool AtLineEnd() {
    SkipSpaces();
    if (Peek() == '#' && position_ > 0 && EndsWordBefore()) {
      while (!AtEnd() && Peek() != '\n') Advance();
    }
    return AtEnd() || Peek() == '\n';
  }

  class Deeper {
   public:
    explicit Deeper(Reader* reader) : reader_(reader) {
      if (++reader_->depth_ > kMaxYamlDepth) {
        reader_->Refuse("is nested more than " + std::to_string(kMaxYamlDepth) + " levels deep");
      }
    }
    ~Deeper() { --reader_->depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Reader* reader_;
  };

  // A list, a map or a text that is indented by more than `outside`. REQUIRES: at its first character.
  YamlNode Block(int outside) {
    const Deeper deeper(this);
    if (Peek() == '-' && EndsWord(1)) return BlockList(Column());
    return MapOrScalar(outside);
  }

  YamlNode BlockList(int indent) {
    YamlNode list;
    list.kind = YamlNode::Kind::kList;
    list.at = Here();
    while (!AtEnd() && Column() == indent && Peek() == '-' && EndsWord(1)) {
      Advance();
      list.items.push_back(Value(indent, false));
      SkipBlank();
    }
    return list;
  }

  // What follows a dash or a colon: on this line, or below it, indented by more. A list may be below its key.
  YamlNode Value(int indent, bool of_key) {
    YamlNode nothing;
    if (!AtLineEnd()) {
      nothing.at = Here();
      if (Peek() == '>' || Peek() == '|') return BlockText(indent);
      if (of_key && Peek() == '-' && EndsWord(1)) Refuse("a list begins on a new line");
      return of_key ? Scalar(indent) : Block(indent);
    }
    SkipBlank();
    nothing.at = Here();
    const bool is_list = Peek() == '-' && EndsWord(1);
    if (AtEnd() || Column() < indent || (Column() == indent && !(of_key && is_list))) return nothing;
    return Block(indent);
  }

  // `key: value` lines with this indent, or one text.
  YamlNode MapOrScalar(int outside) {
    const Location at = Here();
    const int indent = Column();
    YamlNode first = Scalar(outside);
    if (!AtColon()) return first;
    YamlNode map;
    map.kind = YamlNode::Kind::kMap;
    map.at = at;
    std::set<std::string> seen;
    for (;;) {
      if (first.kind != YamlNode::Kind::kText)
        throw Refusal{"a key is a text, not " + std::string(first.KindName()), first.at};
      if (!seen.insert(first.text).second) throw Refusal{"'" + first.text + "' is given twice", first.at};
      Advance();  // the colon
      map.keys.push_back(std::move(first));
      map.values.push_back(Value(indent, true));
      SkipBlank();
      if (AtEnd() || Column() != indent || (Peek() == '-' && EndsWord(1))) return map;
      first = Scalar(outside);
      if (!AtColon()) Refuse("expected `key: value`");
    }
  }

  // Behind a key on the same line.
  bool AtColon() {
    size_t ahead = 0;
    while (Peek(ahead) == ' ') ++ahead;
    if (Peek(ahead) != ':' || !(EndsWord(ahead + 1) || in_brackets_ > 0)) return false;
    position_ += ahead;
    return true;
  }

  // A text, or a list or map in brackets.
  YamlNode Scalar(int outside) {
    switch (Peek()) {
      case '[':
        return FlowList();
      case '{':
        return FlowMap();
      case '\'':
      case '"':
        return QuotedText();
      case '&':
      case '*':
      case '!':
      case '%':
      case '@':
      case '`':
      case '>':
      case '|':
      case ']':
      case '}':
      case ',':
        Refuse(std::string("a text does not begin with '") + Peek() + "'; put it in quotes");
      case '?':
        if (EndsWord(1)) Refuse("keys are written without '?'");
        break;
      default:
        break;
    }
    return PlainText(outside);
  }

  bool EndsPlain() const {
    const char c = Peek();
    if (c == '\0' || c == '\n' || c == '\r') return true;
    if (c == ':' && (EndsWord(1) || (in_brackets_ > 0 && IsFlowSign(Peek(1))))) return true;
    if (c == '#' && position_ > 0 && EndsWordBefore()) return true;
    return in_brackets_ > 0 && IsFlowSign(c);
  }
  static bool IsFlowSign(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

  // Lines below that are indented by more continue it.
  YamlNode PlainText(int outside) {
    YamlNode node;
    node.kind = YamlNode::Kind::kText;
    node.at = Here();
    node.text_column = node.at.column;
    for (;;) {
      const size_t begin = position_;
      while (!EndsPlain()) ++position_;
      node.text += Trim(text_.substr(begin, position_ - begin));
      while (position_ > begin && (text_[position_ - 1] == ' ' || text_[position_ - 1] == '\t')) --position_;
      const Place before = Save();
      if (!AtLineEnd() ||
          text_.substr(before.position, position_ - before.position).find('#') != std::string_view::npos) {
        Restore(before);
        return node;
      }
      size_t lines = 0;
      while (!AtEnd() && (Peek() == '\n' || Peek() == ' ' || Peek() == '\r')) {
        if (Peek() == '\n') ++lines;
        Advance();
      }
      const bool goes_on = !AtEnd() && Peek() != '#' && lines > 0 &&
                           (in_brackets_ > 0 ? !EndsPlain() : Column() > outside && !IsKeyLine());
      if (!goes_on) {
        Restore(before);
        return node;
      }
      node.text += lines == 1 ? std::string(" ") : std::string(lines - 1, '\n');
      node.text_column = 0;
    }
  }
  // Whether a colon makes a key of what this line begins with: then the text above has ended, and was a mistake.
  bool IsKeyLine() const {
    for (size_t i = position_; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == ':' && (i + 1 == text_.size() || text_[i + 1] == ' ' || text_[i + 1] == '\n')) return true;
    }
    return false;
  }

  YamlNode QuotedText() {
    YamlNode node;
    node.kind = YamlNode::Kind::kText;
    node.at = Here();
    node.text_column = node.at.column + 1;
    const char quote = Peek();
    Advance();
    for (;;) {
      if (AtEnd()) throw Refusal{"a text in quotes does not end", node.at};
      const char c = Peek();
      if (c == '\n') {
        FoldLine(&node.text);
        node.text_column = 0;
      } else if (c == quote && quote == '\'' && Peek(1) == '\'') {
        node.text += '\'';
        node.text_column = 0;
        position_ += 2;
      } else if (c == quote) {
        Advance();
        return node;
      } else if (c == '\\' && quote == '"') {
        Escape(&node.text);
        node.text_column = 0;
      } else {
        node.text += c;
        Advance();
      }
    }
  }
  void Escape(std::string* text) {
    constexpr std::string_view kEscapes = "\"\\/nt ";
    constexpr std::string_view kMeanings = "\"\\/\n\t ";
    const size_t found = kEscapes.find(Peek(1));
    if (Peek(1) == '\0' || found == std::string_view::npos) Refuse("holds an escape that is not used here");
    *text += kMeanings[found];
    position_ += 2;
  }
  // One line end is a blank, more of them are one less. Blanks around them do not count.
  void FoldLine(std::string* text) {
    while (!text->empty() && text->back() == ' ') text->pop_back();
    size_t lines = 0;
    while (!AtEnd() && (Peek() == '\n' || Peek() == ' ' || Peek() == '\r')) {
      if (Peek() == '\n') ++lines;
      Advance();
    }
    *text += lines == 1 ? std::string(" ") : std::string(lines - 1, '\n');
  }

  YamlNode FlowList() {
    const Deeper deeper(this);
    YamlNode list;
    list.kind = YamlNode::Kind::kList;
    list.at = Here();
    Advance();
    ++in_brackets_;
    for (SkipBlank(); Peek() != ']'; SkipBlank()) {
      if (AtEnd()) throw Refusal{"a list in brackets does not end", list.at};
      list.items.push_back(FlowItem());
      SkipBlank();
      if (Peek() == ',') {
        Advance();
      } else if (Peek() != ']' && !AtEnd()) {
        Refuse("expected ',' or ']'");
      }
    }
    Advance();
    --in_brackets_;
    return list;
  }

  // `tick T`, or `tick T: [then P]`, which is a map of one key.
  YamlNode FlowItem() {
    const Location at = Here();
    if (Peek() == ',') Refuse("an item is missing here");
    YamlNode first = Scalar(-1);
    SkipBlank();
    if (Peek() != ':') return first;
    YamlNode map;
    map.kind = YamlNode::Kind::kMap;
    map.at = at;
    FlowPair(std::move(first), &map);
    return map;
  }

  // REQUIRES: at the colon.
  void FlowPair(YamlNode key, YamlNode* map) {
    if (key.kind != YamlNode::Kind::kText) throw Refusal{"a key is a text, not " + std::string(key.KindName()), key.at};
    if (map->Find(key.text) != nullptr) throw Refusal{"'" + key.text + "' is given twice", key.at};
    Advance();
    map->keys.push_back(std::move(key));
    SkipBlank();
    YamlNode value;
    value.at = Here();
    if (Peek() != ',' && Peek() != ']' && Peek() != '}') value = Scalar(-1);
    map->values.push_back(std::move(value));
  }

  YamlNode FlowMap() {
    const Deeper deeper(this);
    YamlNode map;
    map.kind = YamlNode::Kind::kMap;
    map.at = Here();
    Advance();
    ++in_brackets_;
    for (SkipBlank(); Peek() != '}'; SkipBlank()) {
      if (AtEnd()) throw Refusal{"a map in brackets does not end", map.at};
      YamlNode key = Scalar(-1);
      SkipBlank();
      if (Peek() != ':') Refuse("expected `key: value`");
      FlowPair(std::move(key), &map);
      SkipBlank();
      if (Peek() == ',') {
        Advance();
      } else if (Peek() != '}' && !AtEnd()) {
        Refuse("expected ',' or '}'");
      }
    }
    Advance();
    --in_brackets_;
    return map;
  }

  // `>` joins lines, `|` keeps them. Lines that are indented by more than the first are not used here.
  YamlNode BlockText(int outside) {
    YamlNode node;
    node.kind = YamlNode::Kind::kText;
    node.at = Here();
    const bool folds = Peek() == '>';
    Advance();
    const bool strips = Peek() == '-';
    if (strips) Advance();
    if (!AtLineEnd()) Refuse("expected a new line after '>' or '|'");
    if (!AtEnd()) Advance();
    int indent = -1;
    size_t blank_lines = 0;
    while (!AtEnd()) {
      const Place start = Save();
      while (Peek() == ' ') Advance();
      if (Peek() == '\n' || Peek() == '\r' || AtEnd()) {
        if (AtEnd()) break;
        while (Peek() != '\n' && !AtEnd()) Advance();
        if (!AtEnd()) Advance();
        ++blank_lines;
        continue;
      }
      if (indent < 0) indent = Column();
      if (Column() <= outside || Column() < indent) {
        Restore(start);
        break;
      }
      if (Column() > indent && folds) Refuse("lines below '>' are indented alike");
      if (!node.text.empty()) {
        node.text += folds && blank_lines == 0 ? std::string(" ") : std::string(blank_lines + (folds ? 0 : 1), '\n');
      }
      node.text += std::string(static_cast<size_t>(Column() - indent), ' ');
      blank_lines = 0;
      const size_t begin = position_;
      while (!AtEnd() && Peek() != '\n') ++position_;
      node.text += text_.substr(begin, position_ - begin);
      if (!AtEnd()) Advance();
    }
    if (!strips && !node.text.empty()) node.text += '\n';
    return node;
  }

  struct Place {
    size_t position;
    int line;
    size_t line_start;
  };
  Place Save() const { return {position_, line_, line_start_}; }
  void Restore(const Place& place) {
    position_ = place.position;
    line_ = place.line;
    line_start_ = place.line_start;
  }

  std::string_view text_;
  size_t position_ = 0;
  int line_ = 1;
  size_t line_start_ = 0;
  int depth_ = 0;
  int in_brackets_ = 0;
};

}  // namespace

Result<YamlNode> ReadSmallYaml(const std::string& text, const std::string& file) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\r') || byte == 0x7f) return Error{"holds a control character", file};
  }
  try {
    return Reader(text).Document();
  } catch (const Refusal& refusal) {
    return Error{refusal.message, file, refusal.at};
  }
}

}  // namespace conform::playground
