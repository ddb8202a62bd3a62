#include "runners/study/source_mutants.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform {
namespace {

using TokenKind = SourceToken::Kind;
using Words = std::set<std::string_view>;

constexpr size_t kNone = static_cast<size_t>(-1);
constexpr size_t kMaxIdText = 100;
constexpr size_t kMaxNumberDigits = 9;

// What shows that a place was reached: the process ends there.
std::string_view Mark(SourceLanguage language) {
  return language == SourceLanguage::kC ? "__builtin_trap()" : "process.reallyExit(77)";
}

const Words& ControlWords() {
  static const Words words{"if", "while", "switch", "for"};
  return words;
}

// What a statement that can be removed does not begin with.
const Words& OtherStatements() {
  static const Words words{"if",       "for",    "while",    "do",     "switch", "return", "break",   "continue",
                           "goto",     "case",   "default",  "else",   "const",  "let",    "var",     "class",
                           "function", "throw",  "try",      "async",  "static", "struct", "union",   "enum",
                           "int",      "char",   "unsigned", "long",   "void",   "size_t", "ssize_t", "typedef",
                           "extern",   "import", "export",   "assert", "abort",  "debug",  "yield",   "CHECK"};
  return words;
}

const Words& SignsAfterTheFirstWord() {
  static const Words signs{"(",  "=",  "->", ".",  "[",  "++", "--",  "+=",  "-=",  "*=",
                           "/=", "|=", "&=", "^=", "%=", "?.", "<<=", ">>=", "||=", "&&="};
  return signs;
}

const std::map<std::string_view, std::string_view>& Tails(SourceLanguage language) {
  static const std::map<std::string_view, std::string_view> c{{"QUEUE_INSERT_TAIL", "QUEUE_INSERT_HEAD"},
                                                              {"QUEUE_INSERT_HEAD", "QUEUE_INSERT_TAIL"},
                                                              {"QUEUE_HEAD", "QUEUE_PREV"},
                                                              {"uv__queue_insert_tail", "uv__queue_insert_head"},
                                                              {"uv__queue_insert_head", "uv__queue_insert_tail"},
                                                              {"uv__queue_head", "uv__queue_prev"}};
  static const std::map<std::string_view, std::string_view> js{
      {"push", "unshift"},
      {"unshift", "push"},
      {"shift", "pop"},
      {"ArrayPrototypePush", "primordials.ArrayPrototypeUnshift"},
      {"ArrayPrototypeUnshift", "primordials.ArrayPrototypePush"},
      {"ArrayPrototypeShift", "primordials.ArrayPrototypePop"},
      {"_idlePrev", "_idleNext"},
      {"_idleNext", "_idlePrev"}};
  return language == SourceLanguage::kC ? c : js;
}

std::optional<std::string_view> OtherComparison(std::string_view sign) {
  static const std::map<std::string_view, std::string_view> others{{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
  const auto found = others.find(sign);
  return found == others.end() ? std::nullopt : std::optional(found->second);
}

bool Mentions(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

class Maker {
 public:
  Maker(std::string file, std::string_view source, SourceLanguage language)
      : file_(std::move(file)), source_(source), language_(language), tokens_(Tokenize(source, language).tokens) {
    match_.assign(size(), kNone);
    enclosing_.assign(size(), kNone);
    units_.assign(size(), kNone);
    MatchBrackets();
    FindFunctions();
    FindUnits();
  }

  std::vector<SourceMutant> Make() && {
    for (size_t i = 0; i < size(); ++i) {
      if (!IsInCode(i) || IsErrorPath(i)) continue;
      if (IsStatementStart(i)) OfStatement(i);
      OfToken(i);
    }
    std::stable_sort(mutants_.begin(), mutants_.end(),
                     [](const SourceMutant& a, const SourceMutant& b) { return a.range.begin < b.range.begin; });
    NameAll();
    return std::move(mutants_);
  }

 private:
  struct Function {
    std::string name;
    size_t open, close;  // its braces
  };
  // A statement, from its first token to its semicolon; or a condition, without its parentheses.
  struct Unit {
    size_t begin, end;  // the last token
    bool is_condition;
  };

  size_t size() const { return tokens_.size(); }
  bool is_c() const { return language_ == SourceLanguage::kC; }
  std::string_view Text(size_t i) const {
    return i < size() ? source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : std::string_view();
  }
  bool Is(size_t i, std::string_view text) const { return Text(i) == text; }
  bool IsWord(size_t i) const { return i < size() && tokens_[i].kind == TokenKind::kWord; }
  bool IsOpen(size_t i) const { return Is(i, "(") || Is(i, "[") || Is(i, "{"); }
  bool IsClose(size_t i) const { return Is(i, ")") || Is(i, "]") || Is(i, "}"); }
  // One space for any gap, and no comments.
  std::string TextOf(size_t first, size_t last) const {
    std::string text;
    for (size_t i = first; i <= last; ++i) {
      if (i > first && tokens_[i].begin > tokens_[i - 1].end) text += ' ';
      text += Text(i);
    }
    return text;
  }
  SourceRange RangeOf(size_t first, size_t last) const { return {tokens_[first].begin, tokens_[last].end}; }

  // A brace in the first column ends a function of C, whatever the branches of the preprocessor did to the others.
  void MatchBrackets() {
    std::vector<size_t> open;
    for (size_t i = 0; i < size(); ++i) {
      if (IsClose(i)) {
        const bool ends_all = is_c() && Is(i, "}") && (tokens_[i].begin == 0 || source_[tokens_[i].begin - 1] == '\n');
        while (ends_all && open.size() > 1) open.pop_back();
        if (!open.empty()) {
          match_[i] = open.back();
          match_[open.back()] = i;
          open.pop_back();
        }
      }
      enclosing_[i] = open.empty() ? kNone : open.back();
      if (tokens_[i].kind == TokenKind::kSign && IsOpen(i)) open.push_back(i);
    }
  }

  void FindFunctions() {
    for (size_t i = 1; i < size(); ++i) {
      if (!Is(i, "{") || match_[i] == kNone || !Is(i - 1, ")") || match_[i - 1] == kNone) continue;
      if (is_c() && enclosing_[i] != kNone) continue;
      const size_t name = match_[i - 1] - 1;  // of the function, where there is one
      if (match_[i - 1] == 0 || !IsWord(name) || ControlWords().contains(Text(name)) || Is(name, "catch")) continue;
      functions_.push_back({is_c() ? CName(name) : JsName(name), i, match_[i]});
    }
  }
  // `HEAP_EXPORT(void heap_init(struct heap* heap))`: the macro is not its name.
  std::string CName(size_t name) const {
    const std::string_view word = Text(name);
    if (std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; })) return std::string(word);
    for (size_t i = name + 1; i < match_[name + 1]; ++i) {
      if (IsWord(i) && Is(i + 1, "(")) return std::string(Text(i));
    }
    return std::string(word);
  }
  // `function name(`, `name(` of a class, `name = function(`, `name: function(`.
  std::string JsName(size_t name) const {
    if (!Is(name, "function")) return std::string(Text(name));
    if (name >= 2 && (Is(name - 1, "=") || Is(name - 1, ":")) && IsWord(name - 2)) return std::string(Text(name - 2));
    return "function";
  }
  const Function* FunctionOf(size_t i) const {
    const Function* innermost = nullptr;
    for (const Function& one : functions_) {
      if (one.open < i && i < one.close) innermost = &one;
    }
    return innermost;
  }
  bool IsInCode(size_t i) const { return !is_c() || FunctionOf(i) != nullptr; }

  // Not a struct, a class or a literal.
  bool IsBlock(size_t open) const {
    if (open == kNone) return !is_c();
    if (!Is(open, "{")) return false;
    if (open == 0) return true;
    static const Words before{")", "else", "do", "try", "finally", "catch", "=>", ";", "{", "}"};
    if (before.contains(Text(open - 1))) return true;
    return Is(open - 1, ":") && IsLabel(open - 1);
  }
  // `i` is a colon: that of `case X:`, `default:` or `name:`?
  bool IsLabel(size_t i) const {
    for (size_t at = i; at-- > 0 && i - at < 8;) {
      if (Is(at, "case") || Is(at, "default")) return true;
      if (Is(at, "?") || Is(at, ";") || Is(at, "{") || Is(at, "}")) return i - at == 2 && !Is(at, "?") && IsWord(i - 1);
    }
    return false;
  }

  bool IsStatementStart(size_t i) const {
    if (i == 0 || !IsBlock(enclosing_[i]) || Is(i, ";") || Is(i, "{") || IsClose(i)) return false;
    const size_t p = i - 1;
    if (Is(p, ";") || Is(p, "else") || Is(p, "do")) return true;
    if (Is(p, "{")) return IsBlock(p);
    if (Is(p, "}")) return match_[p] != kNone && IsBlock(match_[p]);
    if (Is(p, ":")) return IsLabel(p);
    return Is(p, ")") && match_[p] != kNone && match_[p] > 0 && ControlWords().contains(Text(match_[p] - 1));
  }
  // The semicolon of the statement that begins at `i`.
  size_t EndOf(size_t i) const {
    for (size_t at = i; at < size(); ++at) {
      if (Is(at, ";")) return at;
      if (IsClose(at)) return kNone;
      if (tokens_[at].kind == TokenKind::kSign && IsOpen(at)) {
        if (match_[at] == kNone) return kNone;
        at = match_[at];
      }
    }
    return kNone;
  }

  void FindUnits() {
    for (size_t i = 0; i < size(); ++i) {
      if (!IsInCode(i) || !IsStatementStart(i)) continue;
      if (ControlWords().contains(Text(i))) {
        if (!Is(i + 1, "(") || match_[i + 1] == kNone || match_[i + 1] == i + 2) continue;
        Unit condition{i + 2, match_[i + 1] - 1, true};
        if (Is(i, "for") && !ConditionOfFor(i + 1, &condition)) continue;
        AddUnit(condition, i + 2, match_[i + 1] - 1);
      } else if (const size_t end = EndOf(i); end != kNone && !Is(i, "do") && !Is(i, "else")) {
        AddUnit({i, end, false}, i, end);
      }
    }
  }
  void AddUnit(const Unit& unit, size_t first, size_t last) {
    for (size_t at = first; at <= last; ++at) units_[at] = all_units_.size();
    all_units_.push_back(unit);
  }
  // What is between the two semicolons, if anything is.
  bool ConditionOfFor(size_t open, Unit* condition) const {
    std::vector<size_t> semicolons;
    for (size_t at = open + 1; at < match_[open]; ++at) {
      if (Is(at, ";") && enclosing_[at] == open) semicolons.push_back(at);
    }
    if (semicolons.size() != 2 || semicolons[1] == semicolons[0] + 1) return false;
    *condition = {semicolons[0] + 1, semicolons[1] - 1, true};
    return true;
  }

  // Only the failure of a system call, or of the caller, leads here.
  bool IsErrorPath(size_t i) const {
    for (size_t block = enclosing_[i]; block != kNone; block = enclosing_[block]) {
      if (Is(block, "{") && IsConditional(block) && EndsInError(block)) return true;
    }
    const Function* function = FunctionOf(i);
    if (function == nullptr || !is_c()) return false;
    for (size_t at = function->open + 2; at < i; ++at) {
      if (Is(at, ":") && enclosing_[at] == function->open && IsLabel(at) && Mentions(Text(at - 1), {"fail", "err"})) {
        return true;
      }
    }
    return false;
  }
  bool IsConditional(size_t block) const {
    if (block == 0 || match_[block] == kNone) return false;
    return Is(block - 1, "else") || (Is(block - 1, ")") && match_[block - 1] != kNone && match_[block - 1] > 0 &&
                                     Is(match_[block - 1] - 1, "if"));
  }
  bool EndsInError(size_t block) const {
    const size_t end = match_[block] - 1;
    if (end <= block || !Is(end, ";")) return false;
    size_t begin = end;
    while (begin > block + 1 && !(IsStatementStart(begin) && enclosing_[begin] == block)) --begin;
    const std::string text = TextOf(begin, end);
    if (text.starts_with("throw") || text.starts_with("abort")) return true;
    if (text.starts_with("return")) return is_c() && Mentions(text, {"UV_E", "UV__ERR", "err"});
    return text.starts_with("goto") && Mentions(text, {"fail", "err"});
  }

  bool IsExpression(size_t i) const {
    if (OtherStatements().contains(Text(i)) || Text(i).starts_with("validate")) return false;
    if (IsWord(i)) {
      return SignsAfterTheFirstWord().contains(Text(i + 1)) || Is(i, "await") || Is(i, "delete");
    }
    if (Is(i, "++") || Is(i, "--") || Is(i, "*")) return true;
    return Is(i, "(") && !Is(i + 1, "void");
  }
  // name(…); or a.name(…); and nothing else.
  bool IsCall(size_t i, size_t end) const {
    if (!IsWord(i) || !Is(end - 1, ")")) return false;
    for (size_t at = i; at < end; ++at) {
      if (Is(at, "(")) return match_[at] == end - 1;
      if (!IsWord(at) && !Is(at, ".") && !Is(at, "->")) return false;
    }
    return false;
  }

  void OfStatement(size_t i) {
    if (ControlWords().contains(Text(i))) {
      if (!Is(i, "switch") && i + 2 < size() && units_[i + 2] != kNone) {
        const Unit& unit = all_units_[units_[i + 2]];
        if (unit.is_condition) Negate(unit.begin, unit.end);
      }
      return;
    }
    const size_t end = EndOf(i);
    if (end == kNone) return;
    if (Is(i, "return")) {
      if (end == i + 1) {
        Remove(i, end);
      } else if (IsTruth(i + 1, end - 1)) {
        Negate(i + 1, end - 1);
      }
      return;
    }
    if (((Is(i, "break") || Is(i, "continue")) && end == i + 1) || IsExpression(i)) Remove(i, end);
    const size_t next = end + 1;
    if (!IsExpression(i) || !IsCall(i, end) || Is(i - 1, ")") || Is(i - 1, "else") || !IsStatementStart(next)) return;
    const size_t next_end = EndOf(next);
    if (next_end == kNone || !IsExpression(next) || !IsCall(next, next_end)) return;
    const std::string first = TextOf(i, end), second = TextOf(next, next_end);
    Add(MutantOperator::kSwap, i, next_end, second + " " + first, first + " " + second,
        {RangeOf(i, next_end), std::string(Mark(language_)) + ";"});
  }

  bool IsTruth(size_t first, size_t last) const {
    static const Words signs{"&&", "||", "==", "!=", "===", "!==", "<", ">", "<=", ">="};
    for (size_t at = first; at <= last; ++at) {
      if (tokens_[at].kind == TokenKind::kSign && IsOpen(at) && match_[at] != kNone)
        at = match_[at];
      else if (Is(at, "?"))
        return false;
      else if (signs.contains(Text(at)))
        return true;
    }
    return Is(first, "!");
  }

  void Remove(size_t i, size_t end) {
    const std::string text = TextOf(i, end);
    const bool is_time = Mentions(text, {"update_time", "getLibuvNow", "hrtime", "->time ", "_idleStart", "base ="});
    Add(is_time ? MutantOperator::kTime : MutantOperator::kRemove, i, end, ";", text, ProbeOf(i));
  }

  void Negate(size_t first, size_t last) {
    const std::string text = TextOf(first, last);
    // What an interrupted system call does is not ours to choose.
    if (IsAboutFailure(text) && Mentions(text, {"EINTR"})) return;
    Add(MutantOperator::kNegate, first, last, "!(" + text + ")", text, ProbeOf(first));
    if (IsAboutFailure(text)) return;
    // Its operands, where all of them are joined in the same way.
    std::vector<size_t> signs;
    for (size_t at = first; at <= last; ++at) {
      if (tokens_[at].kind == TokenKind::kSign && IsOpen(at) && match_[at] != kNone)
        at = match_[at];
      else if (Is(at, "?"))
        return;
      else if (Is(at, "&&") || Is(at, "||"))
        signs.push_back(at);
    }
    if (signs.empty() || std::any_of(signs.begin(), signs.end(), [&](size_t s) { return Text(s) != Text(signs[0]); })) {
      return;
    }
    signs.push_back(last + 1);
    size_t begin = first;
    for (const size_t sign : signs) {
      const std::string operand = TextOf(begin, sign - 1);
      Add(MutantOperator::kNegate, begin, sign - 1, "!(" + operand + ")", operand + " in " + text, ProbeOf(first));
      begin = sign + 1;
    }
  }

  void OfToken(size_t i) {
    const bool in_function = FunctionOf(i) != nullptr;
    const std::string_view text = Text(i);
    if (IsInAssertion(i)) return;
    if (tokens_[i].kind == TokenKind::kNumber) {
      if (text.size() > kMaxNumberDigits || !std::all_of(text.begin(), text.end(), IsDigit) || !IsAmount(i)) return;
      if (!in_function && units_[i] == kNone) return;
      Add(MutantOperator::kShift, i, i, std::to_string(std::stol(std::string(text)) + 1), InUnit(i), ProbeOf(i));
    } else if (const auto other = OtherComparison(text); other && tokens_[i].kind == TokenKind::kSign && in_function) {
      if (IsTestForError(i)) return;
      Add(MutantOperator::kShift, i, i, std::string(*other), InUnit(i), ProbeOf(i));
    } else if (IsWord(i) && in_function) {
      const auto tail = Tails(language_).find(text);
      if (tail == Tails(language_).end() || (!Is(i + 1, "(") && !text.starts_with("_idle"))) return;
      if (text.starts_with("_idle") && !file_.ends_with("linkedlist")) return;
      Add(MutantOperator::kTail, i, i, std::string(tail->second), InUnit(i), ProbeOf(i));
    }
  }
  static bool IsAboutFailure(std::string_view text) { return Mentions(text, {"errno", "UV_E", "EINTR", "EAGAIN"}); }
  // Or in a condition about how a system call failed.
  bool IsInAssertion(size_t i) const {
    if (units_[i] == kNone) return false;
    const Unit& unit = all_units_[units_[i]];
    if (unit.is_condition && IsAboutFailure(TextOf(unit.begin, unit.end))) return true;
    const std::string_view first = Text(unit.begin);
    return !unit.is_condition && (first == "assert" || first == "debug" || first.starts_with("validate"));
  }
  // Neither the size of an array nor a bit; and not what stands for an error, for none, or for success.
  bool IsAmount(size_t i) const {
    static const Words bits{"<<", ">>", "&", "|", "case", "~"};
    if (bits.contains(Text(i + 1)) || (i > 0 && bits.contains(Text(i - 1)))) return false;
    if (!is_c() || i == 0) return true;
    if (Is(i - 1, "[") || IsNegative(i) || IsTestForError(i - 1)) return false;
    const Function* function = FunctionOf(i);
    return !(Is(i, "0") && Is(i - 1, "return") && function != nullptr && Is(function->close - 2, "0") &&
             Is(function->close - 3, "return"));
  }
  // `-1`, but not `a - 1`.
  bool IsNegative(size_t i) const {
    static const Words before{"=", "(", ",", "return", "==", "!=", "<", ">", "?", ":"};
    return i >= 2 && Is(i - 1, "-") && before.contains(Text(i - 2));
  }
  // `r < 0`, `fd >= 0`: in C that asks whether a system call has failed.
  bool IsTestForError(size_t i) const { return is_c() && (Is(i, "<") || Is(i, ">=")) && Is(i + 1, "0"); }
  // "1 in i < 1".
  std::string InUnit(size_t i) const {
    const std::string text(Text(i));
    if (units_[i] == kNone) return text;
    return text + " in " + TextOf(all_units_[units_[i]].begin, all_units_[units_[i]].end);
  }

  struct Probe {
    SourceRange range;
    std::string text;
  };
  Probe ProbeOf(size_t i) const {
    if (units_[i] == kNone) return {};
    const Unit& unit = all_units_[units_[i]];
    const std::string mark(Mark(language_));
    if (!unit.is_condition) return {RangeOf(unit.begin, unit.end), mark + ";"};
    return {RangeOf(unit.begin, unit.end), "(" + mark + ", (" + TextOf(unit.begin, unit.end) + "))"};
  }

  void Add(MutantOperator op, size_t first, size_t last, std::string replacement, const std::string& text,
           Probe probe) {
    const SourceRange range = RangeOf(first, last);
    if (!texts_.insert(Mutated(source_, range, replacement)).second) return;
    const Function* function = FunctionOf(first);
    SourceMutant mutant;
    mutant.file = file_;
    mutant.function = function == nullptr ? "" : function->name;
    mutant.op = op;
    mutant.line = 1 + static_cast<int>(std::count(source_.begin(), source_.begin() + range.begin, '\n'));
    mutant.range = range;
    mutant.replacement = std::move(replacement);
    mutant.probe_range = probe.range;
    mutant.probe = std::move(probe.text);
    mutant.id = file_ + ":" + (mutant.function.empty() ? "" : mutant.function) + " " + std::string(OperatorName(op)) +
                " " + (text.size() > kMaxIdText ? text.substr(0, kMaxIdText) : text);
    mutants_.push_back(std::move(mutant));
  }

  // Equal ones are numbered.
  void NameAll() {
    std::map<std::string, int> seen;
    for (SourceMutant& mutant : mutants_) {
      const int number = ++seen[mutant.id];
      if (number > 1) mutant.id += " #" + std::to_string(number);
    }
  }

  const std::string file_;
  const std::string_view source_;
  const SourceLanguage language_;
  const std::vector<SourceToken> tokens_;
  std::vector<size_t> match_;      // of a bracket, the other one
  std::vector<size_t> enclosing_;  // the innermost open bracket around a token
  std::vector<Function> functions_;
  std::vector<Unit> all_units_;
  std::vector<size_t> units_;  // of each token
  std::unordered_set<std::string> texts_;
  std::vector<SourceMutant> mutants_;
};

}  // namespace

std::string_view OperatorName(MutantOperator op) {
  switch (op) {
    case MutantOperator::kRemove:
      return "remove";
    case MutantOperator::kTime:
      return "time";
    case MutantOperator::kNegate:
      return "negate";
    case MutantOperator::kShift:
      return "shift";
    case MutantOperator::kTail:
      return "tail";
    case MutantOperator::kSwap:
      return "swap";
  }
  CONFORM_CHECK(false);
}

std::vector<SourceMutant> MakeSourceMutants(const std::string& file, std::string_view text, SourceLanguage language) {
  return Maker(file, text, language).Make();
}

std::string Mutated(std::string_view text, const SourceRange& range, const std::string& replacement) {
  const std::string_view old = text.substr(range.begin, range.end - range.begin);
  std::string mutated(text.substr(0, range.begin));
  mutated += replacement;
  if (old.find("\\\n") == std::string_view::npos) {
    const auto lost =
        std::count(old.begin(), old.end(), '\n') - std::count(replacement.begin(), replacement.end(), '\n');
    mutated.append(static_cast<size_t>(std::max<ptrdiff_t>(0, lost)), '\n');
  }
  mutated += text.substr(range.end);
  return mutated;
}

}  // namespace conform
