// The grammar, loosest binding first:
//
//   pattern      = blank | alternatives
//   alternatives = interleaving ('|' interleaving)*
//   interleaving = sequence ('&' sequence)*
//   sequence     = item item*
//   item         = atom ('*' | '+' | '?' | '{' N '}' | '{' N ',' [N] '}')?
//   atom         = LABEL['=' VALUE] | '_' | '...' | "''" | '(' [alternatives] ')'
#include "runners/model/pattern.h"

#include <algorithm>
#include <cctype>

#include "runners/base/text.h"

namespace conform {
namespace {

using Kind = PatternNode::Kind;

// A run of at least this many equal labels is printed as a repetition.
constexpr size_t kShortestRun = 3;

bool IsLabelCharacter(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '.' || c == '-'; }

int64_t CappedSum(int64_t a, int64_t b) { return std::min(kMaxPatternStates + 1, a + b); }
int64_t CappedProduct(int64_t a, int64_t b) {
  return b != 0 && a > kMaxPatternStates / b ? kMaxPatternStates + 1 : std::min(kMaxPatternStates + 1, a * b);
}

// How many states the automaton of `node` adds to the one it starts from; automaton.cc builds it so.
int64_t StatesOf(const PatternNode& node) {
  switch (node.kind) {
    case Kind::kEmpty:
      return 0;
    case Kind::kLabel:
    case Kind::kAnyLabel:
    case Kind::kAnything:
      return 1;
    case Kind::kSequence:
    case Kind::kAlternatives: {
      int64_t sum = node.kind == Kind::kAlternatives ? 1 : 0;
      for (const PatternNode& child : node.children) sum = CappedSum(sum, StatesOf(child));
      return sum;
    }
    case Kind::kInterleaving: {
      const int64_t left = CappedSum(StatesOf(node.children[0]), 1);
      return CappedProduct(left, CappedSum(StatesOf(node.children[1]), 1));
    }
    case Kind::kRepetition: {
      const int64_t copies = node.most ? *node.most : std::max<int64_t>(node.least, 1);
      return CappedSum(CappedProduct(copies, StatesOf(node.children[0])), 1);
    }
  }
  CONFORM_CHECK(false);
}

PatternNode Make(Kind kind) {
  PatternNode node;
  node.kind = kind;
  return node;
}

void CollectLabels(const PatternNode& node, bool never, std::set<std::string>* labels) {
  if (node.kind == Kind::kLabel && never) labels->insert(node.label.substr(0, node.label.find('=')));
  const bool zero = node.kind == Kind::kRepetition && node.most == 0;
  for (const PatternNode& child : node.children) CollectLabels(child, never || zero, labels);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<PatternNode> Parse() {
    if (text_.size() > kMaxPatternLength) {
      return Fail(kMaxPatternLength, "a pattern has at most " + std::to_string(kMaxPatternLength) + " characters");
    }
    SkipSpace();
    if (AtEnd()) return PatternNode{};
    auto node = Alternatives();
    if (!node) return node;
    if (!AtEnd()) return Unexpected("the end of the pattern");
    if (StatesOf(*node) > kMaxPatternStates) {
      return Fail(0, "the pattern needs more than " + std::to_string(kMaxPatternStates) +
                         " states when its repetitions and interleavings are written out");
    }
    return node;
  }

 private:
  static Error Fail(size_t offset, std::string message, std::string hint = "") {
    return Error{std::move(message), "", Location{1, static_cast<int>(offset) + 1}, std::move(hint)};
  }
  Error Unexpected(const std::string& wanted) const {
    const std::string found = AtEnd() ? "the end" : std::string{'\'', text_[at_], '\''};
    return Fail(at_, "expected " + wanted + ", found " + found);
  }

  bool AtEnd() const { return at_ == text_.size(); }
  bool Sees(std::string_view token) const { return text_.substr(at_).starts_with(token); }
  void SkipSpace() {
    while (!AtEnd() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool Take(std::string_view token) {
    if (!Sees(token)) return false;
    at_ += token.size();
    SkipSpace();
    return true;
  }

  Result<PatternNode> Alternatives() {
    std::vector<PatternNode> children;
    do {
      auto child = Interleaving();
      if (!child) return child;
      children.push_back(std::move(*child));
    } while (Take("|"));
    return OneOrMany(Kind::kAlternatives, std::move(children));
  }

  Result<PatternNode> Interleaving() {
    auto left = Sequence();
    while (left && Take("&")) {
      auto right = Sequence();
      if (!right) return right;
      PatternNode both = Make(Kind::kInterleaving);
      both.children.push_back(std::move(*left));
      both.children.push_back(std::move(*right));
      left = std::move(both);
    }
    return left;
  }

  Result<PatternNode> Sequence() {
    std::vector<PatternNode> children;
    do {
      auto child = Item();
      if (!child) return child;
      children.push_back(std::move(*child));
    } while (!AtEnd() && !Sees("|") && !Sees("&") && !Sees(")"));
    return OneOrMany(Kind::kSequence, std::move(children));
  }

  static PatternNode OneOrMany(Kind kind, std::vector<PatternNode> children) {
    if (children.size() == 1) return std::move(children[0]);
    PatternNode node = Make(kind);
    node.children = std::move(children);
    return node;
  }

  Result<PatternNode> Item() {
    auto atom = Atom();
    if (!atom) return atom;
    PatternNode repetition = Make(Kind::kRepetition);
    if (Take("*")) {
    } else if (Take("+")) {
      repetition.least = 1;
    } else if (Take("?")) {
      repetition.most = 1;
    } else if (Take("{")) {
      if (auto error = Bounds(repetition)) return *error;
    } else {
      return atom;
    }
    if (Sees("*") || Sees("+") || Sees("?") || Sees("{")) {
      return Fail(at_, "a repetition cannot be repeated", "group it first: '(A{3})*'");
    }
    repetition.children.push_back(std::move(*atom));
    return repetition;
  }

  // What is between '{' and '}', and the '}'.
  std::optional<Error> Bounds(PatternNode& repetition) {
    const size_t start = at_;
    auto least = Number();
    if (!least) return least.error();
    repetition.least = *least;
    repetition.most = *least;
    if (Take(",")) {
      repetition.most.reset();
      if (!Sees("}")) {
        auto most = Number();
        if (!most) return most.error();
        if (*most < *least) return Fail(start, "a repetition counts upwards: {least,most}");
        repetition.most = *most;
      }
    }
    if (!Take("}")) return Unexpected("'}'");
    return std::nullopt;
  }

  Result<int64_t> Number() {
    const size_t start = at_;
    int64_t number = 0;
    for (; !AtEnd() && IsDigit(text_[at_]); ++at_) {
      number = number * 10 + (text_[at_] - '0');
      if (number > kMaxRepetition) {
        return Fail(start, "a repetition counts to at most " + std::to_string(kMaxRepetition));
      }
    }
    if (at_ == start) return Unexpected("a number");
    SkipSpace();
    return number;
  }

  Result<PatternNode> Atom() {
    if (Sees("(")) return Group();
    if (Take("''")) return PatternNode{};
    if (!AtEnd() && IsLabelCharacter(text_[at_])) return Word();
    return Unexpected("a label, '_', '...' or '('");
  }

  Result<PatternNode> Group() {
    if (++depth_ > kMaxPatternDepth) {
      return Fail(at_, "groups nest at most " + std::to_string(kMaxPatternDepth) + " deep");
    }
    Take("(");
    Result<PatternNode> inner = PatternNode{};
    if (!Sees(")")) inner = Alternatives();
    if (!inner) return inner;
    if (!Take(")")) return Unexpected("')'");
    --depth_;
    return inner;
  }

  // A label with its value, `_` or `...`: everything that is made of label characters.
  Result<PatternNode> Word() {
    const size_t start = at_;
    const std::string_view name = Run();
    if (name == "..." || name == "_") {
      if (Sees("=")) return Unexpected("a space: only a label has a value");
      SkipSpace();
      return Make(name == "_" ? Kind::kAnyLabel : Kind::kAnything);
    }
    if (!IsLetter(name[0])) return Fail(start, "a label starts with a letter, '" + std::string(name) + "' does not");
    if (Sees("=")) {
      ++at_;
      if (Run().empty()) return Unexpected("a value after '='");
    }
    PatternNode node = Make(Kind::kLabel);
    node.label = text_.substr(start, at_ - start);
    if (const size_t dots = node.label.find("..."); dots != std::string::npos) {
      return Fail(start + dots, "'...' is glued to a label", "put a space between the two");
    }
    if (Sees("=")) return Unexpected("a space: a label has one value");
    SkipSpace();
    return node;
  }

  std::string_view Run() {
    const size_t start = at_;
    while (!AtEnd() && IsLabelCharacter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Pattern> Pattern::Parse(std::string_view text) {
  auto root = Parser(text).Parse();
  if (!root) return root.error();
  return Pattern{std::string(text), std::move(*root)};
}

std::set<std::string> Pattern::Never() const {
  std::set<std::string> labels;
  CollectLabels(root, false, &labels);
  return labels;
}

std::string OrderToString(const Order& order) {
  if (order.empty()) return "(nothing)";
  std::string text;
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && order[end] == order[i]) ++end;
    if (end - i < kShortestRun) end = i + 1;
    if (i > 0) text += ' ';
    text += order[i];
    if (end - i >= kShortestRun) text += '{' + std::to_string(end - i) + '}';
    i = end;
  }
  return text;
}

}  // namespace conform
