// SPDX-License-Identifier: Apache-2.0
// Tests of source text: lines, columns, loading, UTF-8.

#include "lang_fixture.h"

namespace hellwig {
namespace {

TEST(SourceText, CountsLinesOfEveryLineEnd) {
  SourceText text("t", "a\nbc\r\nd\re");
  EXPECT_EQ(text.lineCount(), 4u);
  EXPECT_EQ(text.text(text.line(1)), "a");
  EXPECT_EQ(text.text(text.line(2)), "bc");
  EXPECT_EQ(text.text(text.line(3)), "d");
  EXPECT_EQ(text.text(text.line(4)), "e");
}

TEST(SourceText, ColumnsCountCodePoints) {
  SourceText text("t", "Gr\xC3\xBCn x\ny");
  EXPECT_EQ(text.position(6), (LineColumn{1, 6})); // after five code points in six bytes
  EXPECT_EQ(text.position(8), (LineColumn{2, 1}));
}

TEST(SourceText, EndOfFileBelongsToTheLastLine) {
  SourceText text("t", "a\n");
  EXPECT_EQ(text.position(2), (LineColumn{2, 1}));
  EXPECT_EQ(text.position(99), (LineColumn{2, 1}));
  SourceText empty("t", "");
  EXPECT_EQ(empty.lineCount(), 1u);
  EXPECT_EQ(empty.line(1), (TextRange{0, 0}));
}

// RFC 3629: overlong forms, surrogates, and what lies beyond U+10FFFF are no UTF-8.
TEST(SourceText, FindsInvalidUtf8) {
  EXPECT_EQ(firstInvalidUtf8("plain"), 5u);
  EXPECT_EQ(firstInvalidUtf8("\xE2\x82\xAC"), 3u);
  EXPECT_EQ(firstInvalidUtf8("\xF4\x8F\xBF\xBF"), 4u);
  EXPECT_EQ(firstInvalidUtf8("ab\xFF"), 2u);
  EXPECT_EQ(firstInvalidUtf8("a\xC0\xAF"), 1u);
  EXPECT_EQ(firstInvalidUtf8("\xED\xA0\x80"), 0u);
  EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0u);
  EXPECT_EQ(firstInvalidUtf8("\xE2\x82"), 0u);
}

TEST(SourceText, RefusesWhatIsNotUtf8WithItsPlace) {
  DiagnosticSink sink;
  EXPECT_EQ(SourceText::make("game.hlw", "box Reserve\n\xFF", sink), nullptr);
  EXPECT_EQ(places(sink), std::vector<std::string>{"2:1 HW0106"});
}

TEST(SourceText, RefusesTooLargeFiles) {
  DiagnosticSink sink;
  EXPECT_EQ(SourceText::make("game.hlw", std::string(SourceText::maxBytes + 1, ' '), sink), nullptr);
  ASSERT_EQ(sink.all().size(), 1u);
  EXPECT_EQ(codeText(sink.all()[0].code), "HW0107");
  EXPECT_EQ(sink.all()[0].message, "the file has 16777217 bytes; at most 16777216 are read");
}

TEST(SourceText, ReportsAFileThatCannotBeRead) {
  DiagnosticSink sink;
  EXPECT_EQ(SourceText::load("/no/such/file.hlw", "file.hlw", sink), nullptr);
  EXPECT_EQ(SourceText::load("/", "folder", sink), nullptr);
  ASSERT_EQ(sink.all().size(), 2u);
  for (const Diagnostic& diagnostic : sink.all()) EXPECT_EQ(codeText(diagnostic.code), "HW0108");
}

} // namespace
} // namespace hellwig
