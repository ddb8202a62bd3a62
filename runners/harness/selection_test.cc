#include "runners/harness/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace conform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kGood[] = "title: t\nclauses: [a.b]\nwhy: w\nprogram:\n  - log A\nexpect: A\n";

class SelectionTest : public ::testing::Test {
 protected:
  SelectionTest() : root_(std::filesystem::path(::testing::TempDir()) / "selection_test") {
    std::filesystem::remove_all(root_);
    Write("cases/timers/one.yaml", kGood);
    Write("cases/timers/two.yaml", kGood);
    Write("cases/ticks/one.yaml", kGood);
  }
  ~SelectionTest() override { std::filesystem::remove_all(root_); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }

  Selection Select(const std::vector<std::string>& words) const {
    const std::string folder = (root_ / "cases").string();
    return SelectCases(LoadCatalogue(folder), folder, words);
  }

  static std::vector<std::string> References(const Selection& selection) {
    std::vector<std::string> references;
    for (const SelectedCase& selected : selection.cases) references.push_back(selected.reference);
    return references;
  }

  const std::filesystem::path root_;
};

TEST_F(SelectionTest, NoWordMeansEverything) {
  EXPECT_THAT(References(Select({})), ElementsAre("ticks/one", "timers/one", "timers/two"));
}

TEST_F(SelectionTest, FoldersMeanWhatIsBelowWithAndWithoutTheSlash) {
  EXPECT_THAT(References(Select({"timers"})), ElementsAre("timers/one", "timers/two"));
  EXPECT_THAT(References(Select({"timers/"})), ElementsAre("timers/one", "timers/two"));
}

TEST_F(SelectionTest, AnOldIdMeansTheCaseThatWasRenamed) {
  const std::string folder = (root_ / "cases").string();
  const Catalogue catalogue = LoadCatalogue(folder);
  RenamedIds renamed;
  renamed.cases["timers/first"] = {"timers/one", {}};
  const auto select = [&](const std::string& word) { return SelectCases(catalogue, folder, {word}, renamed); };
  for (const std::string& word : {std::string("timers/first"), folder + "/timers/first.yaml"}) {
    const Selection selection = select(word);
    EXPECT_THAT(References(selection), ElementsAre("timers/one"));
    EXPECT_THAT(selection.notes, ElementsAre("'timers/first' was renamed to 'timers/one'"));
  }
  EXPECT_TRUE(select("timers/first").cases.at(0).named);
  EXPECT_THAT(References(select("timers/fir*")), ElementsAre("timers/one"));
  EXPECT_FALSE(select("timers/fir*").cases.at(0).named);
  EXPECT_THAT(select("timers/").notes, IsEmpty());
  EXPECT_THAT(select("timers/thrid").errors, SizeIs(1));
}

TEST_F(SelectionTest, GlobsCrossFolders) {
  EXPECT_THAT(References(Select({"*one"})), ElementsAre("ticks/one", "timers/one"));
}

TEST_F(SelectionTest, NothingIsSelectedTwice) {
  EXPECT_THAT(References(Select({"timers/two", "timers", "timers/two"})), ElementsAre("timers/one", "timers/two"));
}

TEST_F(SelectionTest, AFileOfTheCatalogueIsTheCaseOfItsId) {
  EXPECT_THAT(References(Select({(root_ / "cases/timers/one.yaml").string()})), ElementsAre("timers/one"));
}

TEST_F(SelectionTest, AFileElsewhereIsACaseOfItsOwn) {
  const std::string file = Write("mine.yaml", "program:\n  - log A\nexpect: A\n");
  const Selection selection = Select({file});
  EXPECT_THAT(References(selection), ElementsAre(file));
  EXPECT_EQ(selection.cases[0].c.id, "mine");
}

TEST_F(SelectionTest, AMisspeltIdNamesTheNearest) {
  const Selection selection = Select({"timers/tow"});
  ASSERT_EQ(selection.errors.size(), 1u);
  EXPECT_THAT(selection.errors[0].ToString(), HasSubstr("did you mean 'timers/two'?"));
}

TEST_F(SelectionTest, AnUnreadableCaseCountsOnlyWhereItIsMeant) {
  Write("cases/timers/bad.yaml", "title: [\n");
  EXPECT_THAT(Select({"ticks"}).errors, IsEmpty());
  EXPECT_EQ(Select({"timers"}).errors.size(), 1u);
  EXPECT_EQ(Select({"timers/bad"}).errors.size(), 1u);
  EXPECT_EQ(Select({}).errors.size(), 1u);
}

TEST_F(SelectionTest, AFileThatDoesNotExistIsAnError) { EXPECT_EQ(Select({"nowhere.yaml"}).errors.size(), 1u); }

TEST_F(SelectionTest, AScriptIsANativeCaseThatExpectsNothing) {
  const std::string script = Write("mine.js", "log('A')");
  const std::string module = Write("mine.mjs", "log('A')");
  const Selection selection = Select({script, module, script});
  ASSERT_EQ(selection.cases.size(), 2u);
  EXPECT_TRUE(selection.cases[0].c.expect.empty());
  EXPECT_EQ(selection.cases[0].c.native.at(""), script);
  EXPECT_EQ(selection.cases[0].c.entry, Entry::kScript);
  EXPECT_EQ(selection.cases[1].c.entry, Entry::kEsm);
  EXPECT_THAT(Select({"nowhere.js"}).errors, ::testing::SizeIs(1));
}

TEST_F(SelectionTest, OnlyWhatIsMeantByItsIdOrFileIsNamed) {
  const auto named = [](const Selection& selection) { return selection.cases.at(0).named; };
  EXPECT_TRUE(named(Select({"timers/one"})));
  EXPECT_TRUE(named(Select({(root_ / "cases/timers/one.yaml").string()})));
  EXPECT_TRUE(named(Select({Write("mine.yaml", kGood)})));
  EXPECT_FALSE(named(Select({"timers"})));
  EXPECT_FALSE(named(Select({"timers/o*"})));
  EXPECT_FALSE(named(Select({})));
}

}  // namespace
}  // namespace conform
