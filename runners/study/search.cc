#include "runners/study/search.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "runners/base/text.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

// How well a word matches.
constexpr int kByText = 1;
constexpr int kByTitle = 2;
constexpr int kByName = 3;
// What is more, the title or the id says that this is what the case is about.
constexpr int kAndTitle = 2;
constexpr int kAndId = 1;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// As it is looked for: `setImmediate()` means setImmediate.
std::string Wanted(std::string_view word) {
  std::string wanted = Lower(Trim(word));
  if (wanted.ends_with("()")) wanted.resize(wanted.size() - 2);
  return wanted;
}

bool IsName(std::string_view name, const std::string& wanted) {
  const std::string lower = Lower(name);
  return lower == wanted || lower.ends_with("." + wanted);
}

bool IsOfWord(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

// Does a word of `text` begin with `wanted`?
bool BeginsAWord(std::string_view text, const std::string& wanted) {
  const std::string lower = Lower(text);
  for (size_t at = lower.find(wanted); at != std::string::npos; at = lower.find(wanted, at + 1)) {
    if (at == 0 || !IsOfWord(lower[at - 1])) return true;
  }
  return false;
}

// Is `noun` a word of `text`, in the singular or in the plural?
bool HasNoun(std::string_view text, const std::string& noun) {
  const std::string lower = Lower(text) + " ";
  for (size_t at = lower.find(noun); at != std::string::npos; at = lower.find(noun, at + 1)) {
    size_t end = at + noun.size();
    if (lower[end] == 's') ++end;
    if ((at == 0 || !IsOfWord(lower[at - 1])) && !IsOfWord(lower[end])) return true;
  }
  return false;
}

// The names of a program in any language, with their dots: `fs.createReadStream`.
std::set<std::string> NamesIn(std::string_view text) {
  std::set<std::string> names;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = begin;
    while (end < text.size() && (IsOfWord(text[end]) || text[end] == '.')) ++end;
    if (end > begin) names.emplace(text.substr(begin, end - begin));
  }
  return names;
}

void AddOps(const Program& program, std::set<Op>* ops) {
  for (const Step& step : program) {
    ops->insert(step.op);
    AddOps(step.body, ops);
  }
}

int64_t StepsIn(const Program& program) {
  int64_t steps = 0;
  for (const Step& step : program) steps += 1 + StepsIn(step.body);
  return steps;
}

// The steps that an API has this name for.
std::vector<Op> OpsCalled(const std::string& wanted) {
  std::vector<Op> ops;
  for (const OpShape& shape : AllShapes()) {
    const auto is_wanted = [&](const std::string& name) { return IsName(name, wanted); };
    if (std::any_of(shape.apis.begin(), shape.apis.end(), is_wanted)) ops.push_back(shape.op);
  }
  return ops;
}

// What can be found of a case.
struct Searchable {
  const Case* c;
  std::set<std::string> names;  // of steps, of APIs, and those in its native files
};

Searchable SearchableOf(const Case& c) {
  Searchable one{&c, {}};
  std::set<Op> ops;
  AddOps(c.program, &ops);
  for (const Op op : ops) {
    one.names.emplace(OpName(op));
    one.names.insert(ShapeOf(op).apis.begin(), ShapeOf(op).apis.end());
  }
  for (const auto& [adapter, file] : c.native) {
    const auto text = ReadFile((std::filesystem::path(c.file).parent_path() / file).string(), kMaxCaseBytes);
    if (text) one.names.merge(NamesIn(*text));
  }
  return one;
}

// The spec speaks of timers, and not of setTimeout or call_later.
std::string WordOfTheSpec(Op op) {
  static const std::map<Op, const char*> kOthers = {{Op::kTimeout, "timer"},
                                                    {Op::kFile, "pool"},
                                                    {Op::kWork, "pool"},
                                                    {Op::kRead, "descriptor"},
                                                    {Op::kSend, "wake"}};
  const auto other = kOthers.find(op);
  return other == kOthers.end() ? std::string(OpName(op)) : other->second;
}

// Does a title or an id have the word, or the spec's word for what an API of this name does?
bool IsAbout(std::string_view text, const std::string& wanted) {
  if (BeginsAWord(text, wanted)) return true;
  const std::vector<Op> ops = OpsCalled(wanted);
  return std::any_of(ops.begin(), ops.end(), [&](Op op) { return HasNoun(text, WordOfTheSpec(op)); });
}

// 0: not at all.
int Score(const Searchable& one, const std::string& wanted) {
  const auto is_name = [&](const std::string& name) { return IsName(name, wanted); };
  const auto has_word = [&](const std::string& text) { return BeginsAWord(text, wanted); };
  if (std::any_of(one.names.begin(), one.names.end(), is_name) || has_word(one.c->id)) {
    return kByName + (IsAbout(one.c->title, wanted) ? kAndTitle : 0) + (IsAbout(one.c->id, wanted) ? kAndId : 0);
  }
  if (has_word(one.c->title)) return kByTitle;
  return has_word(one.c->why) || std::any_of(one.c->clauses.begin(), one.c->clauses.end(), has_word) ? kByText : 0;
}

int Score(const Clause& clause, const std::string& wanted) {
  if (BeginsAWord(clause.id, wanted)) return kByName;
  if (IsAbout(clause.id, wanted)) return kByTitle;
  return IsAbout(clause.text, wanted) ? kByText : 0;
}

// Of equals, what is easier to read comes first.
std::pair<bool, int64_t> ReadingLength(const Searchable& one) { return SizeOfCase(*one.c); }
std::pair<bool, int64_t> ReadingLength(const Clause&) { return {}; }

// Of what matches every word, the best first. `matched` is set for each word that anything matches.
template <typename Item>
std::vector<const Item*> Best(const std::vector<Item>& items, const std::vector<std::string>& wanted,
                              std::vector<bool>* matched) {
  struct Found {
    int score;
    std::pair<bool, int64_t> size;
    const Item* item;
  };
  std::vector<Found> found;
  for (const Item& item : items) {
    int sum = 0;
    bool all = true;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const int score = Score(item, wanted[i]);
      if (score > 0) (*matched)[i] = true;
      all = all && score > 0;
      sum += score;
    }
    if (all) found.push_back({sum, ReadingLength(item), &item});
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.score != b.score ? a.score > b.score : a.size < b.size;
  });
  std::vector<const Item*> best;
  for (const Found& one : found) best.push_back(one.item);
  return best;
}

// Every name that a word may have been meant to be.
std::vector<std::string> KnownNames(const std::vector<Searchable>& cases, const ClauseList& clauses) {
  std::set<std::string> known;
  for (const Searchable& one : cases) {
    known.insert(one.names.begin(), one.names.end());
    known.insert(one.c->id);
    for (const std::string& word : Split(one.c->title, ' ')) known.insert(Lower(word));
  }
  for (const std::string& name : std::set<std::string>(known)) known.insert(name.substr(name.rfind('.') + 1));
  for (const Clause& clause : clauses.clauses) known.insert(clause.id);
  known.erase("");
  return {known.begin(), known.end()};
}

}  // namespace

std::pair<bool, int64_t> SizeOfCase(const Case& c) { return {!c.native.empty(), StepsIn(c.program)}; }

bool IsApiName(const std::string& word) { return !OpsCalled(Wanted(word)).empty(); }

std::vector<std::string> ApiNamesOf(const Case& c) {
  const std::set<std::string> in_case = SearchableOf(c).names;
  std::vector<std::string> names;
  for (const OpShape& shape : AllShapes()) {
    for (const std::string& name : shape.apis) {
      // A native file may call it without what precedes its last dot.
      const bool is_there =
          in_case.contains(name) || (!c.native.empty() && in_case.contains(name.substr(name.rfind('.') + 1)));
      if (is_there && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

Result<SearchResults> Search(const std::vector<std::string>& words, const std::vector<Case>& cases,
                             const ClauseList& clauses) {
  std::vector<Searchable> searchable;
  for (const Case& c : cases) searchable.push_back(SearchableOf(c));
  std::vector<std::string> wanted;
  for (const std::string& word : words) {
    wanted.push_back(Wanted(word));
    if (wanted.back().empty()) return Error{"there is nothing to search for in '" + word + "'"};
  }
  std::vector<bool> matched(words.size(), false);
  SearchResults results;
  for (const Searchable* one : Best(searchable, wanted, &matched)) results.cases.push_back(one->c);
  results.clauses = Best(clauses.clauses, wanted, &matched);
  for (size_t i = 0; i < words.size(); ++i) {
    if (matched[i]) continue;
    return Error::WithHint("no case and no clause matches '" + words[i] + "'",
                           DidYouMean(words[i], KnownNames(searchable, clauses)));
  }
  if (results.cases.empty() && results.clauses.empty()) {
    return Error::WithHint("no case and no clause matches all of these words", "use fewer of them");
  }
  return results;
}

}  // namespace conform
