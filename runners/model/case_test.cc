#include "runners/model/case.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace conform {
namespace case_test {

Case Parsed(const std::string& text) {
  const Result<Case> parsed = ParseCase(text, "f.yaml", "a/b");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().ToString());
  return parsed.ok() ? *parsed : Case{};
}

TEST(ExpectationFor, FindsTheRangeThatCoversTheVersion) {
  const Case c = Parsed("program: [log A, log B]\nexpect: {node >=11: A B, node >=0.12 <10: B A, html: A B}");
  EXPECT_EQ(c.ExpectationFor("node", {24, 0, 0}), &c.expect[0]);
  EXPECT_EQ(c.ExpectationFor("node", {9, 11, 2}), &c.expect[1]);
  EXPECT_EQ(c.ExpectationFor("node", {10, 0, 0}), nullptr);
  EXPECT_EQ(c.ExpectationFor("html", {1, 0, 0}), &c.expect[2]);
  EXPECT_EQ(c.ExpectationFor("libuv", {1, 0, 0}), nullptr);
}

TEST(ExpectationFor, OnePatternCoversEveryProfile) {
  const Case c = Parsed("program: [log A]\nexpect: A");
  EXPECT_EQ(c.ExpectationFor("anything", {0, 0, 1}), &c.expect[0]);
}

// The catalogue is tried on real files in a temporary folder.
class LoadCatalogueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "conform-cases-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  // The errors, with the folder taken away.
  std::string Errors() {
    std::string text;
    for (const Error& error : LoadCatalogue(folder_.string()).errors) {
      text += error.ToString().substr(folder_.string().size() + 1) + "\n";
    }
    return text;
  }

  static constexpr char kGood[] = "title: T\nclauses: [a.b]\nwhy: W\nprogram: [log A]\nexpect: A\n";
  std::filesystem::path folder_;
};

TEST_F(LoadCatalogueTest, SortsCasesById) {
  Write("b/z.yaml", kGood);
  Write("a/deep/y.yaml", kGood);
  Write("a/x.yaml", kGood);
  Write("a/readme.md", "no case");
  const Catalogue catalogue = LoadCatalogue(folder_.string());
  EXPECT_TRUE(catalogue.errors.empty());
  ASSERT_EQ(catalogue.cases.size(), 3u);
  EXPECT_EQ(catalogue.cases[0].id, "a/deep/y");
  EXPECT_EQ(catalogue.cases[1].id, "a/x");
  EXPECT_EQ(catalogue.cases[2].id, "b/z");
  EXPECT_EQ(catalogue.cases[2].file, (folder_ / "b/z.yaml").string());
}

TEST_F(LoadCatalogueTest, ReadsASingleCaseAsOneOfAll) {
  Write("a/x.yaml", kGood);
  Write("a/y.yaml", "titel: T");
  const Catalogue one = LoadOneOfCatalogue(folder_.string(), "a/x");
  EXPECT_TRUE(one.errors.empty());  // those of other files are not looked for
  ASSERT_EQ(one.cases.size(), 1u);
  EXPECT_EQ(one.cases[0].id, "a/x");
  EXPECT_EQ(one.cases[0].content_hash, LoadCatalogue(folder_.string()).cases[0].content_hash);
  EXPECT_EQ(LoadOneOfCatalogue(folder_.string(), "a/y").errors.size(), 1u);
}

TEST_F(LoadCatalogueTest, ReturnsEveryError) {
  Write("a.yaml", "titel: T");
  Write("b.yaml", kGood);
  Write("c.yaml", "program: [tikc A]\nexpect: A");
  EXPECT_EQ(Errors(),
            "a.yaml:1:1: unknown key 'titel' (did you mean 'title'?)\n"
            "c.yaml:1:11: unknown op 'tikc' (did you mean 'tick'?)\n");
  EXPECT_EQ(LoadCatalogue(folder_.string()).cases.size(), 1u);
}

TEST_F(LoadCatalogueTest, ACaseOfTheCatalogueExplainsItself) {
  Write("a.yaml", "program: [log A]\nexpect: A");
  EXPECT_EQ(Errors(),
            "a.yaml: a case of the catalogue needs 'title'\n"
            "a.yaml: a case of the catalogue needs 'clauses'\n"
            "a.yaml: a case of the catalogue needs 'why'\n");
}

TEST_F(LoadCatalogueTest, NativeFilesExistAndArePartOfTheHash) {
  Write("a/n.yaml", "title: T\nclauses: [a.b]\nwhy: W\nnative: n.cjs\nexpect: A\n");
  EXPECT_EQ(Errors(), "a/n.yaml: native file 'n.cjs' cannot be opened: No such file or directory\n");
  Write("a/n.cjs", "one");
  const std::string hash = LoadCatalogue(folder_.string()).cases.at(0).content_hash;
  Write("a/n.cjs", "two");
  EXPECT_NE(LoadCatalogue(folder_.string()).cases.at(0).content_hash, hash);
}

TEST_F(LoadCatalogueTest, RefusesOddFileNames) {
  Write("A b.yaml", kGood);
  EXPECT_EQ(Errors(), "A b.yaml: the name of a case consists of lower-case letters, digits, '-', '.' and '_'\n");
}

TEST_F(LoadCatalogueTest, SaysWhenTheFolderIsMissing) {
  const Catalogue catalogue = LoadCatalogue((folder_ / "none").string());
  ASSERT_EQ(catalogue.errors.size(), 1u);
  EXPECT_EQ(catalogue.errors[0].message, "cannot be listed: No such file or directory");
}

TEST(Case, SpeaksOfTheFamiliesThatItsExpectationsNameOrOfAll) {
  Case c;
  EXPECT_FALSE(c.SpeaksOf("node"));
  c.expect.emplace_back().family = "node";
  EXPECT_TRUE(c.SpeaksOf("node"));
  EXPECT_FALSE(c.SpeaksOf("libuv"));
  c.expect.emplace_back().family = "";
  EXPECT_TRUE(c.SpeaksOf("libuv"));
}

// The cases that the project ships are cases.
TEST(LoadCatalogue, OurOwnCasesAreWellFormed) {
  const Catalogue catalogue = LoadCatalogue(CONFORM_SOURCE_DIR "/cases");
  for (const Error& error : catalogue.errors) ADD_FAILURE() << error.ToString();
}

}  // namespace case_test
}  // namespace conform
