#include "reports/site/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "reports/report_testing.h"
#include "reports/site/folder.h"
#include "reports/site/links.h"
#include "reports/site/markdown.h"

namespace conform::reports {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string Html(const std::string& text) {
  MarkdownPlaces places;
  places.link = [](const std::string& target) {
    return target.starts_with("javascript:") ? std::nullopt : std::optional(target);
  };
  return MarkdownHtml(text, places);
}

// A temporary folder, removed with the test.
class SiteFolder : public ::testing::Test {
 protected:
  SiteFolder() {
    std::string pattern = (fs::temp_directory_path() / "site-XXXXXX").string();
    CONFORM_CHECK(mkdtemp(pattern.data()) != nullptr);
    top_ = pattern;
  }
  ~SiteFolder() override { fs::remove_all(top_); }

  void Put(const std::string& name, const std::string& text) const {
    fs::create_directories((top_ / name).parent_path());
    CONFORM_CHECK(!WriteWholeFile((top_ / name).string(), text));
  }
  size_t Entries() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(top_), fs::directory_iterator()));
  }

  fs::path top_;
};

TEST(MarkdownHtml, WritesWhatTheSpecUses) {
  EXPECT_EQ(Html("# A b\n\nOne\ntwo **three** `f(<x>)`.\n"),
            "<h1 id=\"a-b\">A b</h1>\n<p>One two <strong>three</strong> <code>f(&lt;x&gt;)</code>.</p>\n");
  EXPECT_EQ(Html("- a\n  b\n- [c](d.md#e)\n"), "<ul>\n<li>a b</li>\n<li><a href=\"d.md#e\">c</a></li>\n</ul>\n");
  EXPECT_THAT(Html("| a | b |\n| --- | ---: |\n| `x \\| y` | 2 |\n"),
              HasSubstr("<td><code>x | y</code></td><td data-column=\"b\">2</td>"));
  EXPECT_EQ(Html("```js\n<b>\n```\n"), "<pre tabindex=\"0\"><code>&lt;b&gt;\n</code></pre>\n");
}

// A narrow screen shows the rows of a table as lists, with these names.
TEST(MarkdownHtml, ACellKnowsTheNameOfItsColumn) {
  const std::string table = Html("| a | `b` | [c](d.md) | \"><i> |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 |\n");
  EXPECT_THAT(table, HasSubstr("<tr><td>1</td><td data-column=\"b\">2</td><td>3</td><td data-column=\"&quot;&gt;"));
  EXPECT_THAT(table, Not(HasSubstr("<i>")));
}

TEST(MarkdownHtml, MakesNoElementOfHostileText) {
  const std::string page = Html(
      "<script>x</script> <img src=x>\n\n[a](javascript:alert(1)) [b](\"><i>) "
      "\\`<u>\n\n<details><summary><b></summary>\n");
  for (const char* tag : {"<script", "<img", "<i>", "<u>", "<b>", "javascript"}) EXPECT_THAT(page, Not(HasSubstr(tag)));
  EXPECT_THAT(page, HasSubstr("</details>"));  // closed, though the text does not
}

TEST_F(SiteFolder, LinksMustLeadToFilesAndTheirElements) {
  Put("index.html", "<a href=\"a/b.html#x\">\n<a href=\"#y\"><p id=\"y\"><script>'<a href=\"no.html\">'</script>");
  Put("a/b.html", "<p id=\"x\"><a href=\"../index.html\"><a href=\"../compatibility/index.html#spec/c.d\">");
  Put("compatibility/index.html", "<body data-root=\"\">");
  EXPECT_THAT(CheckLinks(top_.string(), {"c.d"}).broken, SizeIs(0));
  EXPECT_EQ(CheckLinks(top_.string(), {"c.d"}).links, 4u);
  EXPECT_THAT(CheckLinks(top_.string(), {}).broken, SizeIs(1));
  Put("a/b.html", "<p>");
  Put("c.html", "\n<a href=\"gone.html\"><a href=\"compatibility/index.html#nowhere\"><a href=\"../outside.html\">");
  const LinkCheck check = CheckLinks(top_.string(), {"c.d"});
  ASSERT_THAT(check.broken, SizeIs(4));
  EXPECT_EQ(check.broken[0].ToString(), "c.html:2: the link to 'gone.html' leads nowhere");
}

TEST_F(SiteFolder, WithoutFinishTheOldOneStays) {
  const std::string site = (top_ / "site").string();
  Put("site/mark", "old");
  {
    const auto folder = NewFolder::Begin(site, "mark");
    ASSERT_TRUE(folder.ok());
    EXPECT_FALSE(folder->Write("a/new", "new"));
  }
  EXPECT_TRUE(fs::exists(top_ / "site/mark"));
  EXPECT_EQ(Entries(), 1u);
  auto folder = NewFolder::Begin(site, "mark");
  ASSERT_TRUE(folder.ok());
  EXPECT_FALSE(folder->Write("a/new", "new"));
  EXPECT_FALSE(folder->Finish());
  EXPECT_TRUE(fs::exists(top_ / "site/a/new"));
  EXPECT_FALSE(fs::exists(top_ / "site/mark"));
  EXPECT_EQ(Entries(), 1u);
}

TEST_F(SiteFolder, IsNotTakenFromSomebodyElse) {
  Put("notes/a.txt", "mine");
  const auto folder = NewFolder::Begin((top_ / "notes").string(), "mark");
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().ToString(), HasSubstr("is not a site: it has no file 'mark'"));
  EXPECT_FALSE(NewFolder::Begin((top_ / "notes/a.txt").string(), "mark").ok());
  fs::create_directory(top_ / "empty");
  EXPECT_TRUE(NewFolder::Begin((top_ / "empty").string(), "mark").ok());
}

}  // namespace
}  // namespace conform::reports
