// SPDX-License-Identifier: Apache-2.0
// Tests of the formatter: it changes white space only, one pass suffices, and its layout.

#include "lang/format.h"

#include "lang_fixture.h"

namespace hellwig {
namespace {

std::string formatted(const std::string& text) {
  return format(parseText(text).tree);
}

// The tokens but white space; blanks at the end of a comment do not count.
std::vector<std::string> words(const std::string& text) {
  Parsed parsed = parseText(text);
  std::vector<std::string> all;
  for (uint32_t i = 0; i < parsed.tree.fileTokenCount(); ++i) {
    TokenKind kind = parsed.tree.token(i).kind;
    if (kind == TokenKind::space) continue;
    all.emplace_back(parsed.tree.text(static_cast<TokenId>(i)));
    if (kind == TokenKind::comment) all.back().erase(all.back().find_last_not_of(" \t") + 1);
  }
  return all;
}

TEST(Format, KeepsTheWordsOfEveryFileAndOnePassSuffices) {
  for (const auto& path : sourceFiles()) {
    std::string text = readFile(path);
    std::string once = formatted(text);
    EXPECT_EQ(words(once), words(text)) << path;
    EXPECT_EQ(formatted(once), once) << path;
  }
}

// All indentation and alignment taken away: the words stay the same and the layout is a fixpoint.
TEST(Format, FromFlatText) {
  for (const auto& path : sourceFiles()) {
    std::istringstream lines(readFile(path));
    std::string flat;
    for (std::string line; std::getline(lines, line);)
      flat += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
    std::string once = formatted(flat);
    EXPECT_EQ(words(once), words(flat)) << path;
    EXPECT_EQ(formatted(once), once) << path;
  }
}

// Where the pipes of a row stand; nothing for a line that is no row, or has text in quotes.
std::vector<size_t> pipes(const std::string& line) {
  std::vector<size_t> at;
  size_t column = 0;
  if (line.find_first_not_of(' ') != line.find('|') || line.find('"') != std::string::npos) return at;
  for (char c : line) {
    if (c == '|') at.push_back(column);
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++column;
  }
  return at;
}

// Rows that follow one another and have as many cells have their pipes below one another; but those of a map,
// which are staggered as on the board.
TEST(Format, LinesUpTheRowsOfEveryTable) {
  size_t rows = 0;
  for (const auto& path : sourceFiles()) {
    std::istringstream lines(formatted(readFile(path)));
    std::vector<size_t> above;
    bool map = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with("rows {")) map = true;
      if (line.ends_with("}")) map = false;
      std::vector<size_t> here = map ? std::vector<size_t>() : pipes(line);
      if (!here.empty() && here.size() == above.size()) {
        EXPECT_EQ(here, above) << path << ": " << line;
        ++rows;
      }
      above = std::move(here);
    }
  }
  EXPECT_GT(rows, 100u);
}

TEST(Format, IndentsAndSpaces) {
  EXPECT_EQ(formatted("\n\nprocedure p( u:Unit ,n :int)[X-1]{\n"
                      "let a=1+ 2*(b )\n"
                      "\n\n\n"
                      "      if a>b{\n"
                      "set c to -1   // why  \n"
                      "\n"
                      "}\n"
                      "else{ }\n"
                      "choose u from us\n"
                      "  \"Which?\" {\n"
                      "move u to h\n"
                      "}\n"
                      "    or pass \"End\"\n"
                      "}"),
            "procedure p(u: Unit, n: int) [X-1] {\n"
            "  let a = 1 + 2 * (b)\n"
            "\n"
            "  if a > b {\n"
            "    set c to -1   // why\n"
            "  }\n"
            "  else { }\n"
            "  choose u from us\n"
            "    \"Which?\" {\n"
            "    move u to h\n"
            "  }\n"
            "      or pass \"End\"\n"
            "}\n");
}

TEST(Format, AlignsTables) {
  EXPECT_EQ(formatted("table T(a: int): int {\n"
                      "clamp a\n"
                      "| a | Gr\xC3\xBCn [X-1]| c |\n"
                      "// between\n"
                      "| 1..22 | 3 |4| [X-2]\n"
                      "}\n"),
            "table T(a: int): int {\n"
            "  clamp a\n"
            "  | a     | Gr\xC3\xBCn [X-1] | c |\n"
            "  // between\n"
            "  | 1..22 | 3          | 4 | [X-2]\n"
            "}\n");
}

TEST(Format, LeavesTheLettersOfAMapAsDrawn) {
  std::string map = "map M {\n  rows {\n    | 01 | .  W  . |\n    | 02 |  .  .  . |\n  }\n}\n";
  EXPECT_EQ(formatted(map), map);
}

TEST(Format, LeavesFaultyFilesAlone) {
  std::string faulty = "procedure p() {\nset a = b\n}\n";
  EXPECT_EQ(formatted(faulty), faulty);
  EXPECT_EQ(formatted(""), "");
}

} // namespace
} // namespace hellwig
