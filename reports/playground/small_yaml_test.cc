#include "reports/playground/small_yaml.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "runners/base/text.h"

namespace conform::playground {
namespace small_yaml_test {

std::string Flat(const YamlNode& node) {
  std::string out;
  switch (node.kind) {
    case YamlNode::Kind::kNothing:
      return "nothing";
    case YamlNode::Kind::kText:
      return "'" + node.text + "'@" + std::to_string(node.at.line) + ":" + std::to_string(node.at.column) + "+" +
             std::to_string(node.text_column);
    case YamlNode::Kind::kList:
      for (const YamlNode& item : node.items) out += Flat(item) + ", ";
      return "[" + out + "]";
    case YamlNode::Kind::kMap:
      for (size_t i = 0; i < node.keys.size(); ++i) out += Flat(node.keys[i]) + ": " + Flat(node.values[i]) + ", ";
      return "{" + out + "}";
  }
  return out;
}

// The two readers agree, or both refuse.
void ExpectSame(const std::string& text, const std::string& name) {
  const auto expected = ReadYaml(text, "f");
  const auto got = ReadSmallYaml(text, "f");
  EXPECT_EQ(got.ok(), expected.ok()) << name << "\n" << (got.ok() ? "" : got.error().ToString());
  if (!got.ok() || !expected.ok()) return;
  EXPECT_EQ(Flat(*got), Flat(*expected)) << name;
}

TEST(SmallYaml, ReadsEveryCaseAndProfileAsTheOtherReaderDoes) {
  size_t files = 0;
  for (const char* folder : {"/cases", "/spec/profiles"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(CONFORM_SOURCE_DIR + std::string(folder))) {
      if (entry.path().extension() != ".yaml") continue;
      const auto text = ReadFile(entry.path().string(), 1 << 20);
      ASSERT_TRUE(text.ok());
      ExpectSame(*text, entry.path().string());
      ++files;
    }
  }
  EXPECT_GT(files, 500u);
}

TEST(SmallYaml, ReadsAndRefusesLikeTheOtherReader) {
  for (const char* text : {"",
                           "# remark\n",
                           "a: 1",
                           "a:\n- b\n- c: [d, e: [f]]\n",
                           "program:\n  - timeout A 0: [tick T, then P: [log X]]\n",
                           "- a\n- - b\n  - c\n",
                           "a: 'it''s'\n",
                           "a: \"x\\ty\\\"\"",
                           "a: >\n  b\n  c\n\n  d\ne: f\n",
                           "a: |\n  b\n   c\nd: e",
                           "a: b # c\n",
                           "a: b#c\n",
                           "a: [b, c, ]\n",
                           "{a: b, c: {d: e}}",
                           "a: b\na: c\n",
                           "[a: b",
                           "a: [b\n",

                           "a: b\n  c\n",
                           "- a: b\n  c: d\n- e\n",
                           "a: x:y\n",
                           "a: [x:y, b]",
                           "&a b",
                           "a: *b",
                           "!t a",
                           "a: b: c",
                           "[[a]: b]",
                           "a: ]",
                           "- a\nb: c\n",
                           "a:\n  b: c\n d: e\n"}) {
    ExpectSame(text, text);
  }
}

TEST(SmallYaml, RefusesWithThePlace) {
  const auto place = [](const std::string& text) {
    const auto tree = ReadSmallYaml(text, "f");
    return tree.ok() ? "accepted" : tree.error().ToString();
  };
  EXPECT_EQ(place("a: 1\na: 2\n"), "f:2:1: 'a' is given twice");
  EXPECT_EQ(place("a: [b, {c: d}\n"), "f:1:4: a list in brackets does not end");
  EXPECT_EQ(place(std::string(500, '[')), "f:1:160: is nested more than 160 levels deep");
  EXPECT_EQ(place(std::string("a: \x01")), "f: holds a control character");
}

}  // namespace small_yaml_test
}  // namespace conform::playground
