// SPDX-License-Identifier: Apache-2.0
// Which fixes are safe, and how they are made.
#include "lang/fixes.h"

#include "lang_fixture.h"

namespace hellwig {
namespace {

Fix change(uint32_t offset, uint32_t length, const std::string& replacement) {
  return {{offset, length}, replacement, "write it", true};
}

TEST(MakeFixes, InTheOrderOfTheText) {
  const MadeFixes out = makeFixes("a = b, c = d", {change(9, 1, "is"), change(2, 1, "is")});
  EXPECT_EQ(out.text, "a is b, c is d");
  EXPECT_EQ(out.made, (std::vector<size_t>{1, 0}));
}

TEST(MakeFixes, OfTwoThatTouchTheFirst) {
  // The second begins where the first ends, the third within it: both wait for the next run.
  const MadeFixes out = makeFixes("abcdef", {change(0, 3, "X"), change(3, 1, "Y"), change(1, 4, "Z")});
  EXPECT_EQ(out.text, "Xdef");
  EXPECT_EQ(out.made, (std::vector<size_t>{0}));
}

TEST(MakeFixes, AtBothEnds) {
  EXPECT_EQ(makeFixes("abc", {change(0, 0, "("), change(3, 0, ")")}).text, "(abc)");
  EXPECT_EQ(makeFixes("", {}).text, "");
}

bool safe(const std::string& text, const std::vector<std::string>& words = {}) {
  Parsed parsed = parseText(text);
  parsed.sink.judgeFixes(FixJudge(words));
  EXPECT_EQ(parsed.sink.all().size(), 1u) << render(parsed.sink);
  return !parsed.sink.all().empty() && parsed.sink.all()[0].fix && parsed.sink.all()[0].fix->safe;
}

TEST(FixJudge, MissingSignsAreCertainUnlessTheyMayStandEarlier) {
  EXPECT_TRUE(safe("permission p(u: Unit) {\n  forbid when u.tired \"too tired\n}\n"));
  EXPECT_FALSE(safe("permission p(u: Unit) {\n  forbid when u.tired \"too tired [R-1]\n}\n"));
  EXPECT_FALSE(safe("value a: int = 1\n}\n")); // perhaps the opening brace is what is missing
}

TEST(FixJudge, ANameOneSlipAwayIfItIsTheOnlyOne) {
  const std::string text = "permission p(u: Unit) {\n  forbd when u.tired \"too tired\"\n}\n";
  EXPECT_TRUE(safe(text));
  EXPECT_FALSE(safe(text, {"forbad"})); // a name of the game that is as near
}

TEST(FixJudge, SpellingCountsLettersAndSwapsNotCapitals) {
  EXPECT_EQ(spellingDistance("Move", "move"), 0u);
  EXPECT_EQ(spellingDistance("mvoe", "move"), 1u);
  EXPECT_EQ(spellingDistance("mov", "move"), 1u);
  EXPECT_EQ(spellingDistance("stack", "sack"), 1u);
  EXPECT_EQ(spellingDistance("stack", "track"), 2u);
}

} // namespace
} // namespace hellwig
