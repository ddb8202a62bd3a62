#include "runners/model/yaml_tree.h"

#include <gtest/gtest.h>

#include <ctime>

namespace conform {
namespace yaml_tree_test {

std::string Refusal(const std::string& text) {
  const Result<YamlNode> tree = ReadYaml(text, "f");
  return tree.ok() ? "accepted" : tree.error().ToString();
}

YamlNode Tree(const std::string& text) {
  const Result<YamlNode> tree = ReadYaml(text, "f");
  EXPECT_TRUE(tree.ok()) << (tree.ok() ? "" : tree.error().ToString());
  return tree.ok() ? *tree : YamlNode{};
}

TEST(ReadYaml, EveryScalarIsText) {
  const YamlNode list = Tree("[Y, no, 1.9, NaN, 0x10, null, ~, '', \"a\\tb\"]");
  std::vector<std::string> texts;
  for (const YamlNode& item : list.items) {
    EXPECT_EQ(item.kind, YamlNode::Kind::kText);
    texts.push_back(item.text);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"Y", "no", "1.9", "NaN", "0x10", "null", "~", "", "a\tb"}));
}

TEST(ReadYaml, AMissingValueIsNothing) {
  const YamlNode map = Tree("a:\nnullable: 1\nb:\nnull-ish: 2\nc:");
  for (const size_t i : {0, 2, 4}) EXPECT_EQ(map.values[i].kind, YamlNode::Kind::kNothing) << i;
  EXPECT_EQ(Tree("").kind, YamlNode::Kind::kNothing);
  EXPECT_EQ(Tree("# a remark\n").kind, YamlNode::Kind::kNothing);
}

TEST(ReadYaml, KnowsThePlaceOfEachCharacter) {
  const YamlNode map = Tree("a: plain text\nb: 'quoted text'\nc: >\n  folded\n  text\nd: 'it''s'\n");
  const auto place = [&map](int i, size_t offset) {
    const Location at = map.values[i].PlaceOf(offset);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  EXPECT_EQ(place(0, 6), "1:10");
  EXPECT_EQ(place(1, 7), "2:12");
  EXPECT_EQ(place(2, 7), "3:4");
  EXPECT_EQ(place(3, 4), "6:4");
}

TEST(ReadYaml, LinesMayEndAsOnWindows) {
  const YamlNode map = Tree("a: b\r\nc:\r\n  - d\r\n");
  EXPECT_EQ(map.values[0].text, "b");
  EXPECT_EQ(map.values[1].items[0].text, "d");
  EXPECT_EQ(map.values[1].items[0].at.line, 3);
}

TEST(ReadYaml, RefusesWhatOurFilesDoNotUse) {
  EXPECT_EQ(Refusal("a: 1\nb: 2\na: 3"), "f:3:1: 'a' is given twice");
  EXPECT_EQ(Refusal("a: &x 1"), "f:1:4: anchors are not used here (put the text in quotes)");
  EXPECT_EQ(Refusal("a: &x 1\nb: *x").substr(0, 6), "f:1:4:");
  EXPECT_EQ(Refusal("a: !!int 1"), "f:1:4: tags are not used here (put the text in quotes)");
  EXPECT_EQ(Refusal("a: ! [1]"), "f:1:4: tags are not used here (put the text in quotes)");
  EXPECT_EQ(Refusal("[a]: 1"), "f:1:1: a key is a text, not a list");
  EXPECT_EQ(Refusal("--- a\n--- b"), "f:2:1: holds more than one document");
}

TEST(ReadYaml, RefusesWhatIsNoYaml) {
  EXPECT_EQ(Refusal("a: [1"), "f:1:1: is not valid YAML: end of sequence flow not found");
  EXPECT_EQ(Refusal("a: 'x").substr(0, 24), "f:1:6: is not valid YAML");
  EXPECT_EQ(Refusal("a: b: c").substr(0, 24), "f:1:5: is not valid YAML");
}

TEST(ReadYaml, RefusesControlCharactersAndBadUtf8) {
  EXPECT_EQ(Refusal(std::string("a: b\nc: \0", 9)), "f:2:4: holds the control character 0x00");
  EXPECT_EQ(Refusal("a: \"\\x1b[2J\""), "f:1:4: holds the control character 0x1b");
  EXPECT_EQ(Refusal("a: \x7f"), "f:1:4: holds the control character 0x7f");
  for (const char* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xe0\x80\x80"}) {
    EXPECT_EQ(Refusal(std::string("a: ") + bad), "f:1:4: is not valid UTF-8");
  }
  EXPECT_EQ(Tree("a: \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80").values[0].text, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(ReadYaml, RefusesDeepNestingOfEveryKindQuickly) {
  const auto repeat = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  std::string indented;
  for (int i = 0; i < 1'000; ++i) indented += std::string(i, ' ') + "a:\n";
  const std::clock_t start = std::clock();  // of the processor: others may keep the machine busy
  // The brackets in quotes hide the nesting from the look ahead; the depth is still limited while reading.
  for (const std::string& text : {repeat("[", 1'000'000), repeat("{a: ", 200'000), repeat("- ", 500'000), indented,
                                  repeat("? ", 300'000), repeat("[\"]\",", 150'000), repeat("[a: ", 200'000)}) {
    EXPECT_NE(Refusal(text).find("is nested more than 160 levels deep"), std::string::npos) << text.substr(0, 10);
  }
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 20);
}

TEST(ReadYaml, ManyBracketsInARowAreNotDeep) {
  std::string text = "a: [";
  for (int i = 0; i < 1'000; ++i) text += "[x], ";
  EXPECT_EQ(Tree(text + "]").values[0].items.size(), 1'000u);
}

}  // namespace yaml_tree_test
}  // namespace conform
