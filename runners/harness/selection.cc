#include "runners/harness/selection.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "runners/base/text.h"
#include "runners/model/inline_program.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxScriptBytes = 16 << 20;

bool IsFile(const std::string& word) { return word.ends_with(".yaml") || word.ends_with(".yml"); }

// The user's own program, which calls log(label).
bool IsScript(const std::string& word) {
  static constexpr std::string_view kEndings[] = {".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view e) { return word.ends_with(e); });
}

bool IsGlob(const std::string& word) { return word.find_first_of("*?[") != std::string::npos; }

// The id of a file below `folder`, or nothing.
std::optional<std::string> IdBelow(const std::string& folder, const std::string& file) {
  std::error_code trouble;
  const fs::path relative =
      fs::weakly_canonical(file, trouble).lexically_relative(fs::weakly_canonical(folder, trouble));
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return fs::path(relative).replace_extension().generic_string();
}

bool Means(const std::string& word, const std::string& id) {
  if (word == id) return true;
  if (IsGlob(word)) return fnmatch(word.c_str(), id.c_str(), 0) == 0;
  return id.starts_with(word.ends_with('/') ? word : word + "/");
}

// Everything that a misspelt word may have meant.
std::vector<std::string> KnownWords(const Catalogue& catalogue) {
  std::set<std::string> words;
  for (const Case& c : catalogue.cases) {
    words.insert(c.id);
    for (size_t slash = c.id.find('/'); slash != std::string::npos; slash = c.id.find('/', slash + 1)) {
      words.insert(c.id.substr(0, slash));
      words.insert(c.id.substr(0, slash + 1));
    }
  }
  return {words.begin(), words.end()};
}

class Selector {
 public:
  Selector(const Catalogue& catalogue, const std::string& folder, const RenamedIds& renamed, const HintFor& hint_for)
      : catalogue_(catalogue), folder_(folder), renamed_(renamed), hint_for_(hint_for) {}

  void Take(const std::string& word) {
    if (IsScript(word)) {
      TakeScript(word);
    } else if (IsFile(word)) {
      TakeFile(word);
    } else if (IsInlineProgram(word)) {
      TakeProgram(word);
    } else {
      TakeIds(word);
    }
  }

  void TakeAll() {
    for (const Case& c : catalogue_.cases) ids_.insert(c.id);
    errors_ = catalogue_.errors;
  }

  Selection Finish() {
    Selection selection;
    for (const Case& c : catalogue_.cases) {
      if (ids_.contains(c.id)) selection.cases.push_back({c, c.id, named_.contains(c.id)});
    }
    for (SelectedCase& file : files_) selection.cases.push_back(std::move(file));
    selection.errors = std::move(errors_);
    selection.notes = std::move(notes_);
    return selection;
  }

 private:
  void TakeFile(const std::string& word) {
    const auto id = IdBelow(folder_, word);
    if (id && (TakeIdsOf(*id, /*exactly=*/true) || TakeRenamed(*id, /*exactly=*/true))) return;
    if (!files_taken_.insert(word).second) return;
    const auto text = ReadFile(word, kMaxCaseBytes);
    if (!text) {
      errors_.push_back(text.error());
      return;
    }
    auto c = ParseCase(*text, word, fs::path(word).stem().string());
    if (c) {
      files_.push_back({std::move(*c), word, true});
    } else {
      errors_.push_back(c.error());
    }
  }

  void TakeScript(const std::string& word) {
    if (!files_taken_.insert(word).second) return;
    const auto text = ReadFile(word, kMaxScriptBytes);
    if (!text) {
      errors_.push_back(text.error());
      return;
    }
    Case c;
    c.id = c.file = c.title = word;
    c.native[""] = fs::absolute(word).lexically_normal().string();
    if (word.ends_with(".mjs") || word.ends_with(".mts")) c.entry = Entry::kEsm;
    c.content_hash = ContentHash(*text);
    c.source = *text;
    files_.push_back({std::move(c), word, true});
  }

  void TakeProgram(const std::string& word) {
    if (!files_taken_.insert(word).second) return;
    auto c = ParseInlineProgram(word);
    if (c) {
      files_.push_back({std::move(*c), word, true});
    } else {
      errors_.push_back(c.error());
    }
  }

  void TakeIds(const std::string& word) {
    if (TakeIdsOf(word, /*exactly=*/false) || TakeRenamed(word, /*exactly=*/false)) return;
    std::string hint = hint_for_ ? hint_for_(word) : "";
    if (hint.empty()) hint = DidYouMean(word, KnownWords(catalogue_));
    errors_.push_back(Error::WithHint("there is no case '" + word + "'", hint));
  }

  // True when something was meant, be it only a file with an error.
  bool TakeIdsOf(const std::string& word, bool exactly) {
    bool any = false;
    const auto means = [&](const std::string& id) { return exactly ? id == word : Means(word, id); };
    for (const Case& c : catalogue_.cases) {
      if (!means(c.id)) continue;
      ids_.insert(c.id);
      if (c.id == word) named_.insert(c.id);
      any = true;
    }
    for (const Error& error : catalogue_.errors) {
      const auto id = IdBelow(folder_, error.file);
      if (!id || !means(*id)) continue;
      if (broken_.insert(error.ToString()).second) errors_.push_back(error);
      any = true;
    }
    return any;
  }

  // The same of what cases were called before.
  bool TakeRenamed(const std::string& word, bool exactly) {
    bool any = false;
    for (const auto& [old, renamed] : renamed_.cases) {
      const bool named_before = named_.contains(renamed.now);
      if (!(exactly ? old == word : Means(word, old)) || !TakeIdsOf(renamed.now, /*exactly=*/true)) continue;
      if (old != word && !named_before) named_.erase(renamed.now);
      notes_.push_back(RenamedNote(old, renamed.now));
      any = true;
    }
    return any;
  }

  const Catalogue& catalogue_;
  const std::string& folder_;
  const RenamedIds& renamed_;
  const HintFor& hint_for_;
  std::set<std::string> ids_;
  std::set<std::string> named_;
  std::set<std::string> files_taken_;
  std::set<std::string> broken_;
  std::vector<SelectedCase> files_;
  std::vector<Error> errors_;
  std::vector<std::string> notes_;
};

}  // namespace

Selection SelectCases(const Catalogue& catalogue, const std::string& folder, const std::vector<std::string>& words,
                      const RenamedIds& renamed, const HintFor& hint_for) {
  Selector selector(catalogue, folder, renamed, hint_for);
  if (words.empty()) selector.TakeAll();
  for (const std::string& word : words) selector.Take(word);
  return selector.Finish();
}

}  // namespace conform
