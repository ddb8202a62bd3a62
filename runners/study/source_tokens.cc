#include "runners/study/source_tokens.h"

#include <algorithm>
#include <array>

#include "runners/base/text.h"

namespace conform {
namespace {

using TokenKind = SourceToken::Kind;

// The longest first.
constexpr std::array<std::string_view, 32> kSigns{
    ">>>=", "===", "!==", "**=", "<<=", ">>=", ">>>", "...", "&&=", "||=", "=>", "==", "!=", "<=", ">=", "&&",
    "||",   "??",  "?.",  "->",  "++",  "--",  "+=",  "-=",  "*=",  "/=",  "|=", "&=", "^=", "%=", "<<", ">>"};

class Tokenizer {
 public:
  Tokenizer(std::string_view source, SourceLanguage language) : source_(source), language_(language) {}

  SourceTokens Take() && {
    while (at_ < source_.size()) Next();
    return std::move(all_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool Starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  bool is_js() const { return language_ == SourceLanguage::kJavaScript; }

  bool IsWordStart() const {
    const char c = Peek();
    if (IsLetter(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80) return true;
    // `#name` of a class; `##` between the parts of a word in a macro.
    return c == '#' && (is_js() || Peek(1) == '#');
  }
  bool IsInWord() const { return IsWordStart() || IsDigit(Peek()) || (Peek() == '#' && !is_js()); }

  void Add(TokenKind kind, size_t begin) { all_.tokens.push_back({kind, begin, at_}); }

  void SkipTo(size_t end) { at_ = std::min(end, source_.size()); }
  size_t EndOfLine() const { return std::min(source_.find('\n', at_), source_.size()); }

  void Next() {
    const char c = Peek();
    const size_t begin = at_;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || (c == '\\' && !is_js())) {
      line_has_code_ = c == '\n' ? false : line_has_code_;
      ++at_;
    } else if (Starts("//") || Starts("/*")) {
      const size_t end = Starts("//") ? EndOfLine() : source_.find("*/", at_ + 2);
      SkipTo(end == std::string_view::npos ? source_.size() : Starts("//") ? end : end + 2);
      all_.comments.push_back({begin, at_});
    } else if (c == '#' && !is_js() && !line_has_code_) {
      SkipDirective();
    } else {
      line_has_code_ = true;
      Code(begin);
    }
  }

  void SkipDirective() {
    const bool is_macro = source_.substr(at_, EndOfLine() - at_).find("define") != std::string_view::npos;
    do {
      const size_t end = EndOfLine();
      const bool goes_on = end > 0 && end < source_.size() && source_[end - 1] == '\\';
      SkipTo(end + 1);
      if (!goes_on || is_macro) return;
    } while (at_ < source_.size());
  }

  void Code(size_t begin) {
    const char c = Peek();
    if (IsWordStart()) {
      while (at_ < source_.size() && IsInWord()) ++at_;
      Add(TokenKind::kWord, begin);
    } else if (IsDigit(c)) {
      while (at_ < source_.size() && (IsInWord() || Peek() == '.')) ++at_;
      Add(TokenKind::kNumber, begin);
    } else if (c == '"' || c == '\'' || (c == '`' && is_js())) {
      Quoted(c);
      Add(TokenKind::kText, begin);
    } else if (c == '/' && is_js() && MayBeginRegex()) {
      Regex();
      Add(TokenKind::kText, begin);
    } else {
      const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](std::string_view one) { return Starts(one); });
      at_ += sign == kSigns.end() ? 1 : sign->size();
      Add(TokenKind::kSign, begin);
    }
  }

  void Quoted(char quote) {
    for (++at_; at_ < source_.size() && Peek() != quote; ++at_) {
      if (Peek() == '\\') ++at_;
    }
    SkipTo(at_ + 1);
  }

  // After a value, `/` divides.
  bool MayBeginRegex() const {
    if (all_.tokens.empty()) return true;
    const SourceToken& last = all_.tokens.back();
    const std::string_view text = source_.substr(last.begin, last.end - last.begin);
    if (last.kind == TokenKind::kWord) return text == "return" || text == "typeof" || text == "case";
    return last.kind == TokenKind::kSign && text != ")" && text != "]" && text != "}";
  }

  void Regex() {
    bool in_class = false;
    for (++at_; at_ < source_.size() && Peek() != '\n' && (in_class || Peek() != '/'); ++at_) {
      if (Peek() == '[') in_class = true;
      if (Peek() == ']') in_class = false;
      if (Peek() == '\\') ++at_;
    }
    SkipTo(at_ + 1);
  }

  const std::string_view source_;
  const SourceLanguage language_;
  size_t at_ = 0;
  bool line_has_code_ = false;
  SourceTokens all_;
};

}  // namespace

SourceTokens Tokenize(std::string_view source, SourceLanguage language) { return Tokenizer(source, language).Take(); }

}  // namespace conform
