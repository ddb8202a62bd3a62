#include "runners/model/clause.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include "runners/base/text.h"
#include "runners/model/version.h"

namespace conform {
namespace {

constexpr size_t kMaxChapterBytes = 4 << 20;
constexpr std::string_view kBetween = " · ";
constexpr ClauseLevel kLevels[] = {ClauseLevel::kMust, ClauseLevel::kShould, ClauseLevel::kMay};

bool IsLowerOrDigit(char c) {
  return std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Words of lower-case letters and digits, joined by single hyphens and dots, with at least one dot.
bool IsClauseId(std::string_view id) {
  char before = '.';
  for (char c : id) {
    const bool joint = c == '.' || c == '-';
    if (!joint && !IsLowerOrDigit(c)) return false;
    if (joint && !IsLowerOrDigit(before)) return false;
    before = c;
  }
  return id.find('.') != id.npos && IsLowerOrDigit(before);
}

bool IsFamily(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return IsLowerOrDigit(c) || c == '-'; });
}

// 3 for `### `; 0 where the line is not a heading.
size_t HeadingDepth(std::string_view line) {
  const size_t depth = std::min(line.find_first_not_of('#'), line.size());
  return depth >= 1 && depth <= 6 && depth < line.size() && line[depth] == ' ' ? depth : 0;
}

std::vector<std::string_view> SplitSegments(std::string_view text) {
  std::vector<std::string_view> segments;
  for (size_t start = 0;;) {
    const size_t end = text.find(kBetween, start);
    segments.push_back(text.substr(start, end == text.npos ? text.npos : end - start));
    if (end == text.npos) return segments;
    start = end + kBetween.size();
  }
}

// What is wrong with one segment of the line of a level, or nothing.
std::optional<std::string> SegmentTrouble(std::string_view segment) {
  for (std::string_view word : {"since ", "until "}) {
    if (!segment.starts_with(word)) continue;
    const std::vector<std::string> parts = Split(segment.substr(word.size()), ' ');
    if (parts.size() == 2 && IsFamily(parts[0]) && Version::Parse(parts[1]).ok()) return std::nullopt;
    return "expected '" + std::string(word) + "FAMILY VERSION', found '" + std::string(segment) + "'";
  }
  for (const std::string& family : Split(segment, ',')) {
    if (!IsFamily(Trim(family))) return "expected families such as 'node, libuv', found '" + std::string(segment) + "'";
  }
  return std::nullopt;
}

class ChapterParser {
 public:
  ChapterParser(std::string_view text, const std::string& file) : lines_(Split(text, '\n')), file_(file) {
    for (std::string& line : lines_) {
      if (line.ends_with('\r')) line.pop_back();
    }
  }

  ClauseList Parse() {
    bool fenced = false;
    size_t start = lines_.size();  // the heading of the clause that is open, if there is one
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (Trim(lines_[i]).starts_with("```")) fenced = !fenced;
      const size_t depth = fenced ? 0 : HeadingDepth(lines_[i]);
      if (depth == 0) continue;
      if (start < lines_.size()) Read(start, i);
      start = depth == 3 ? i : lines_.size();
    }
    if (start < lines_.size()) Read(start, lines_.size());
    return std::move(list_);
  }

 private:
  void Fail(size_t line, std::string message) {
    list_.errors.push_back({std::move(message), file_, Location{static_cast<int>(line) + 1, 1}, ""});
  }

  // The clause whose heading is line `start`; `end` is the line behind its text.
  void Read(size_t start, size_t end) {
    Clause clause;
    clause.file = file_;
    clause.line = static_cast<int>(start) + 1;
    clause.id = Trim(std::string_view(lines_[start]).substr(4));
    if (!IsClauseId(clause.id)) {
      return Fail(start,
                  "'" + clause.id + "' is not a clause id: expected lower-case words and hyphens joined by dots");
    }
    size_t at = start + 1;
    while (at < end && Trim(lines_[at]).empty()) ++at;
    if (at == end || !ReadLevel(lines_[at], clause)) {
      return Fail(start, "the clause '" + clause.id + "' has no level: expected **MUST**, **SHOULD** or **MAY** first");
    }
    if (!clause.applies.empty()) {
      for (std::string_view segment : SplitSegments(clause.applies)) {
        if (const auto trouble = SegmentTrouble(segment)) return Fail(at, *trouble);
      }
    }
    const std::vector<std::string> rest(lines_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                        lines_.begin() + static_cast<std::ptrdiff_t>(end));
    clause.text = Trim(Join(rest, "\n"));
    if (clause.text.empty()) return Fail(start, "the clause '" + clause.id + "' is empty");
    list_.clauses.push_back(std::move(clause));
  }

  // False if `line` does not start with a level, or continues with something other than ` · `.
  static bool ReadLevel(std::string_view line, Clause& clause) {
    for (ClauseLevel level : kLevels) {
      const std::string mark = "**" + std::string(ClauseLevelName(level)) + "**";
      if (!line.starts_with(mark)) continue;
      clause.level = level;
      const std::string_view rest = line.substr(mark.size());
      if (rest.starts_with(kBetween)) clause.applies = Trim(rest.substr(kBetween.size()));
      return Trim(rest).empty() || !clause.applies.empty();
    }
    return false;
  }

  std::vector<std::string> lines_;
  const std::string& file_;
  ClauseList list_;
};

// Leaves the first of several clauses with one id, and reports the others.
void RefuseDuplicates(ClauseList& list) {
  std::map<std::string, std::string> places;
  std::vector<Clause> kept;
  for (Clause& clause : list.clauses) {
    const std::string place = clause.file + ":" + std::to_string(clause.line);
    const auto [it, is_new] = places.try_emplace(clause.id, place);
    if (is_new) {
      kept.push_back(std::move(clause));
    } else {
      list.errors.push_back(
          {"the clause '" + clause.id + "' is already at " + it->second, clause.file, Location{clause.line, 1}, ""});
    }
  }
  list.clauses = std::move(kept);
}

}  // namespace

bool IsChapter(std::string_view path) {
  return path.size() > 3 && IsDigit(path[0]) && IsDigit(path[1]) && path[2] == '-' && path.ends_with(".md") &&
         path.find('/') == std::string_view::npos;
}

std::string_view ClauseLevelName(ClauseLevel level) {
  switch (level) {
    case ClauseLevel::kMust:
      return "MUST";
    case ClauseLevel::kShould:
      return "SHOULD";
    case ClauseLevel::kMay:
      return "MAY";
  }
  CONFORM_CHECK(false);
}

const Clause* ClauseList::Find(std::string_view id) const {
  const auto it = std::find_if(clauses.begin(), clauses.end(), [&](const Clause& clause) { return clause.id == id; });
  return it == clauses.end() ? nullptr : &*it;
}

ClauseList ParseClauses(std::string_view text, const std::string& file) {
  ClauseList list = ChapterParser(text, file).Parse();
  RefuseDuplicates(list);
  return list;
}

ClauseList LoadClauses(const std::string& folder) {
  ClauseList all;
  std::error_code trouble;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator it(folder, trouble), end; !trouble && it != end; it.increment(trouble)) {
    if (IsChapter(it->path().filename().string())) files.push_back(it->path().string());
  }
  if (trouble) all.errors.push_back(Error::OfCall("cannot be read", trouble.value(), folder));
  if (!trouble && files.empty())
    all.errors.push_back({"no chapter: expected files such as 01-terms.md", folder, {}, ""});
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    const auto text = ReadFile(file, kMaxChapterBytes);
    if (!text) {
      all.errors.push_back(text.error());
      continue;
    }
    ClauseList chapter = ChapterParser(*text, file).Parse();
    std::move(chapter.clauses.begin(), chapter.clauses.end(), std::back_inserter(all.clauses));
    std::move(chapter.errors.begin(), chapter.errors.end(), std::back_inserter(all.errors));
  }
  RefuseDuplicates(all);
  return all;
}

std::string FirstSentence(std::string_view text) {
  std::string sentence;
  for (size_t i = 0; i < text.size(); ++i) {
    // A blank line ends a paragraph, and with it a sentence that has no full stop.
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '\n') break;
    sentence += text[i] == '\n' ? ' ' : text[i];
    if (text[i] != '.') continue;
    if (i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n') break;
  }
  return sentence;
}

}  // namespace conform
