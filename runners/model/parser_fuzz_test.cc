// Goal: no text, however broken, can crash a parser or keep it busy. Method: files of the project and random bytes,
// mutated with a fixed seed; the sanitizer builds run the same inputs. A parser may accept or refuse; it may not do
// anything else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "runners/base/text.h"
#include "runners/model/automaton.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"
#include "runners/model/pattern.h"
#include "runners/model/profile.h"
#include "runners/model/results.h"
#include "runners/model/version.h"

namespace conform {
namespace {

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  size_t Draw(size_t count) { return static_cast<size_t>(random_() % count); }

  // A few small changes: bytes flipped, inserted, removed, pieces doubled or cut off.
  std::string Mutate(std::string text) {
    static const std::string kBytes = "{}[]()|&*+?.,:;-_='\"#!%@`\\ \n\tx0919AZ\x01\x80\xff";
    for (size_t changes = 1 + Draw(4); changes > 0; --changes) {
      const size_t at = text.empty() ? 0 : Draw(text.size());
      switch (Draw(5)) {
        case 0:
          text.insert(at, 1, kBytes[Draw(kBytes.size())]);
          break;
        case 1:
          if (!text.empty()) text[at] = kBytes[Draw(kBytes.size())];
          break;
        case 2:
          if (!text.empty()) text.erase(at, 1 + Draw(8));
          break;
        case 3:
          text.insert(at, text.substr(at, Draw(40)));
          break;
        case 4:
          text.resize(at);
          break;
      }
    }
    return text;
  }

 private:
  std::mt19937_64 random_;
};

std::vector<std::string> FilesBelow(const std::string& folder, const std::string& ending) {
  std::vector<std::string> texts;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(CONFORM_SOURCE_DIR) + folder)) {
    if (entry.path().extension() == ending) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    const Result<std::string> text = ReadFile(path, 1 << 20);
    EXPECT_TRUE(text.ok()) << path;
    texts.push_back(*text);
  }
  return texts;
}

TEST(ParserFuzz, CasesSurviveMutation) {
  Mutator mutator(1);
  int accepted = 0;
  int refused = 0;
  for (const std::string& text : FilesBelow("/cases", ".yaml")) {
    for (int i = 0; i < 6; ++i) {
      const Result<Case> c = ParseCase(mutator.Mutate(text), "fuzz.yaml", "fuzz");
      if (!c.ok()) {
        EXPECT_FALSE(c.error().ToString().empty());
        ++refused;
        continue;
      }
      FixedCounts(*c);
      ++accepted;
    }
  }
  // Both happen, or the mutations are too weak or too strong to mean anything.
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

TEST(ParserFuzz, PatternsSurviveMutation) {
  Mutator mutator(2);
  const std::vector<std::string> seeds = {"A B C",       "A | (B & C)",         "T{1000} A",
                                          "I{1,3} A I*", "... _ A? X=E exit=1", "''"};
  int accepted = 0;
  for (int i = 0; i < 4000; ++i) {
    const Result<Pattern> pattern = Pattern::Parse(mutator.Mutate(seeds[mutator.Draw(seeds.size())]));
    if (!pattern.ok()) continue;
    ++accepted;
    Automaton::FromPattern(*pattern).Accepts({"A", "B", "C"});
  }
  EXPECT_GT(accepted, 400);
}

TEST(ParserFuzz, ProfilesClausesAndVersionsSurviveMutation) {
  Mutator mutator(3);
  for (const std::string& text : FilesBelow("/spec/profiles", ".yaml")) {
    for (int i = 0; i < 60; ++i) ParseProfileFamily(mutator.Mutate(text), "fuzz.yaml").ok();
  }
  for (const char* text : {">=12.17 <13 || >=13.8", "=1.2.3", "<11", ""}) {
    for (int i = 0; i < 500; ++i) {
      const Result<VersionRange> range = VersionRange::Parse(mutator.Mutate(text));
      if (range.ok()) range->Contains({12, 18, 0});
    }
  }
}

TEST(ParserFuzz, ChaptersSurviveMutation) {
  Mutator mutator(4);
  for (const std::string& text : FilesBelow("/spec", ".md")) {
    for (int i = 0; i < 10; ++i) ParseClauses(mutator.Mutate(text), "fuzz.md");
  }
}

TEST(ParserFuzz, ResultsSurviveMutation) {
  Mutator mutator(5);
  const Result<std::string> page = ReadFile(std::string(CONFORM_SOURCE_DIR) + "/spec/results-format.md", 1 << 20);
  ASSERT_TRUE(page.ok());
  // The lines of the page that are lines of a results file.
  std::string file;
  for (const std::string& line : Split(*page, '\n')) {
    if (line.starts_with("{\"type\"")) file += line + "\n";
  }
  ASSERT_FALSE(file.empty());
  for (int i = 0; i < 400; ++i) {
    const Result<RunResults> results = ParseResults(mutator.Mutate(file), "fuzz.jsonl");
    if (!results.ok()) {
      EXPECT_GT(results.error().at.line, 0) << results.error().ToString();
    }
  }
}

}  // namespace
}  // namespace conform
