// SPDX-License-Identifier: Apache-2.0
// Tests of diagnostics: the list of codes, the printed form, JSON, spelling suggestions.

#include "lang_fixture.h"

#include <set>

namespace hellwig {
namespace {

TEST(Diagnostics, CodesAreUniqueAndInOrder) {
  std::set<uint16_t> seen;
  uint16_t last = 0;
  for (const DiagnosticInfo& info : allDiagnostics()) {
    auto number = static_cast<uint16_t>(info.code);
    EXPECT_TRUE(seen.insert(number).second) << codeText(info.code);
    EXPECT_GT(number, last) << codeText(info.code);
    last = number;
    EXPECT_EQ(codeText(info.code).size(), 6u);
    EXPECT_FALSE(info.message.empty());
    EXPECT_NE(info.message.back(), '.') << codeText(info.code);
  }
}

TEST(Diagnostics, MessagesTakeArguments) {
  EXPECT_EQ(formatMessage("there is no {1} `{0}`", {"u", "value"}), "there is no value `u`");
  EXPECT_EQ(formatMessage("`before {{ }}`{3}", {"x"}), "`before { }`");
}

TEST(Diagnostics, PrintsSpanSecondPlaceAndFix) {
  auto file = std::make_shared<SourceText>("units.hlw", "value \xC3\xBC: int = strengh\n\tbox strength\n");
  // `strengh` is at bytes 16..23 (the u umlaut has two), column 16.
  Diagnostic diagnostic = Diagnostic(DiagnosticCode::unknownName, file, {16, 7}, {"strengh", "value"})
                              .also(file, {29, 8}, "the nearest is declared here")
                              .withFix({16, 7}, "strength", "did you mean `strength`?");
  EXPECT_EQ(render(diagnostic), "units.hlw:1:16: error HW0301: there is no value `strengh`\n"
                                "   1 | value \xC3\xBC: int = strengh\n"
                                "     |                ^~~~~~~\n"
                                "units.hlw:2:6: note: the nearest is declared here\n"
                                "   2 |  box strength\n"
                                "     |      ^~~~~~~~\n"
                                "help: did you mean `strength`?\n");
}

TEST(Diagnostics, ColoursOnlyWhenAsked) {
  auto file = std::make_shared<SourceText>("a.hlw", "x\n");
  Diagnostic diagnostic(DiagnosticCode::unknownSign, file, {0, 1}, {"x"});
  EXPECT_EQ(render(diagnostic).find('\x1b'), std::string::npos);
  EXPECT_NE(render(diagnostic, {.colour = true}).find("\x1b[31m"), std::string::npos);
}

TEST(Diagnostics, SpanBeyondTheLineIsCutAtItsEnd) {
  auto file = std::make_shared<SourceText>("a.hlw", "ab\ncd\n");
  EXPECT_EQ(render(Diagnostic(DiagnosticCode::unknownSign, file, {1, 4}, {"x"})),
            "a.hlw:1:2: error HW0101: `x` is not a sign of the language\n   1 | ab\n     |  ^\n");
  EXPECT_EQ(render(Diagnostic(DiagnosticCode::unknownSign, file, {6, 0}, {"x"})),
            "a.hlw:3:1: error HW0101: `x` is not a sign of the language\n   3 | \n     | ^\n");
}

TEST(Diagnostics, JsonHasPlaceAndFix) {
  auto file = std::make_shared<SourceText>("a.hlw", "set a = b\n");
  DiagnosticSink sink;
  sink.report(Diagnostic(DiagnosticCode::setWithEquals, file, {6, 1}, {"set a to .."})
                  .withFix({6, 1}, "to", "write `to`"));
  EXPECT_EQ(renderJson(sink), R"([
  {
    "code": "HW0215",
    "column": 7,
    "endColumn": 8,
    "endLine": 1,
    "file": "a.hlw",
    "fix": {
      "label": "write `to`",
      "length": 1,
      "offset": 6,
      "replacement": "to",
      "safe": false
    },
    "length": 1,
    "line": 1,
    "message": "`set` takes `to`: `set a to ..`",
    "offset": 6,
    "severity": "error"
  }
])");
}

TEST(Diagnostics, SinkCountsAndSorts) {
  auto file = std::make_shared<SourceText>("a.hlw", "abc\n");
  DiagnosticSink sink;
  sink.report(Diagnostic(DiagnosticCode::unknownSign, file, {2, 1}, {"c"}));
  sink.report(Diagnostic(DiagnosticCode::hiddenName, file, {0, 1}, {"hex", "a type"}));
  sink.sort();
  EXPECT_EQ(sink.errorCount(), 1u);
  EXPECT_EQ(sink.warningCount(), 1u);
  EXPECT_EQ(sink.all()[0].code, DiagnosticCode::hiddenName);
}

TEST(Diagnostics, NearestWord) {
  std::vector<std::string> words = {"strength", "move", "range", "attack"};
  EXPECT_EQ(nearest("strengh", words), "strength");
  EXPECT_EQ(nearest("atack", words), "attack");
  EXPECT_EQ(nearest("Move", words), "move");
  EXPECT_EQ(nearest("victory", words), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearestFew("rang", words, 2).front(), "range");
}

} // namespace
} // namespace hellwig
