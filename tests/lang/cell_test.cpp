// SPDX-License-Identifier: Apache-2.0
// Tests of cells: their text and marks, and each way of reading them. Keys follow the reference, section
// "Tables".

#include "lang_fixture.h"

namespace hellwig {
namespace {

struct CellCase {
  std::string shape;
  std::string text; // of the value in the file
  std::string codes;
};

CellCase readCell(const std::string& cell, CellGrammar grammar) {
  std::string source = "type T {\n  | a | " + cell + " |\n}\n";
  Parsed parsed = parseText(source);
  EXPECT_EQ(render(parsed.sink), "") << cell;
  SyntaxTree& tree = parsed.tree;
  NodeId row = tree.child(tree.child(tree.child(tree.root(), Role::item), Role::body), Role::row);
  NodeId found = *++tree.children(row, Role::cell).begin();
  DiagnosticSink sink;
  NodeId value = parseCell(tree, found, grammar, sink);
  CellCase result;
  result.shape = std::string(nodeKindName(tree.kind(value))) + " " + shape(tree, value);
  result.text = std::string(tree.text(value));
  for (const Diagnostic& diagnostic : sink.all()) result.codes += codeText(diagnostic.code);
  EXPECT_EQ(tree.child(found, Role::value), value);
  EXPECT_EQ(joinTokens(tree), source);
  EXPECT_FALSE(tree.hasErrors());
  return result;
}

TEST(Cell, TextAndMarks) {
  Parsed parsed =
      parseText("type T {\n  | size | points [X-1] | 3 [X-2] [X-3]  | \"a | [b]\" [X-4] | [X-5]\n}\n");
  EXPECT_EQ(render(parsed.sink), "");
  const SyntaxTree& tree = parsed.tree;
  NodeId row = tree.child(tree.child(tree.child(tree.root(), Role::item), Role::body), Role::row);
  std::vector<std::string> texts, marks;
  for (NodeId cell : tree.children(row, Role::cell)) {
    texts.emplace_back(tree.cellText(cell));
    for (NodeId mark : tree.children(cell, Role::mark)) marks.emplace_back(tree.text(mark));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"size", "points", "3", "\"a | [b]\""}));
  EXPECT_EQ(marks, (std::vector<std::string>{"[X-1]", "[X-2]", "[X-3]", "[X-4]"}));
  EXPECT_EQ(tree.text(tree.child(row, Role::mark)), "[X-5]");
}

TEST(Cell, Keys) {
  auto keys = [](const std::string& cell) {
    CellCase read = readCell(cell, CellGrammar::keys);
    EXPECT_EQ(read.codes, "") << cell;
    return read.shape;
  };
  EXPECT_EQ(keys("3"), "Keys Keys(key:3)");
  EXPECT_EQ(keys("-3"), "Keys Keys(key:Negate(operand:3))");
  EXPECT_EQ(keys("3-5"), "Keys Keys(key:RangeTo(left:3, right:5))");
  EXPECT_EQ(keys("-3 .. -1"), "Keys Keys(key:RangeTo(left:Negate(operand:3), right:Negate(operand:1)))");
  EXPECT_EQ(keys("..2"), "Keys Keys(key:RangeTo(right:2))");
  EXPECT_EQ(keys("..-1"), "Keys Keys(key:RangeTo(right:Negate(operand:1)))");
  EXPECT_EQ(keys("4:20 .."), "Keys Keys(key:RangeTo(left:4:20))");
  EXPECT_EQ(keys("1:1"), "Keys Keys(key:1:1)");
  EXPECT_EQ(keys("any"), "Keys Keys(key:any)");
  EXPECT_EQ(keys("any other"), "Keys Keys(key:any other)");
  EXPECT_EQ(keys("village, 'old town', 3"), "Keys Keys(key:village, key:'old town', key:3)");
  EXPECT_EQ(readCell("-", CellGrammar::keys).shape, "Nothing -");
}

TEST(Cell, Expressions) {
  auto expression = [](const std::string& cell) {
    CellCase read = readCell(cell, CellGrammar::expression);
    EXPECT_EQ(read.codes, "") << cell;
    EXPECT_EQ(read.text, cell);
    return read.shape;
  };
  EXPECT_EQ(expression("3"), "IntLiteral 3");
  EXPECT_EQ(expression("-3"), "Negate Negate(operand:3)");
  EXPECT_EQ(expression("eliminate"), "NameExpr eliminate");
  EXPECT_EQ(expression("u.hex"), "Member Member(base:u, name:hex)");
  EXPECT_EQ(expression("a, 'b c'"), "ListParen ListParen(item:a, item:'b c')");
  EXPECT_EQ(expression("defenders_rout(2)"), "Call Call(name:defenders_rout, arg:Arg(value:2))");
  EXPECT_EQ(expression("1/2"), "FractionLiteral 1/2");
  EXPECT_EQ(expression("no"), "Constant no");
  EXPECT_EQ(expression("-"), "Nothing -");
}

TEST(Cell, HeadingsNamesTypesLetters) {
  EXPECT_EQ(readCell("move", CellGrammar::heading).shape, "Name move");
  EXPECT_EQ(readCell("week: text", CellGrammar::heading).shape,
            "Field Field(name:week, type:TypeName(name:text))");
  EXPECT_EQ(readCell("arrives: set of Army", CellGrammar::heading).shape,
            "Field Field(name:arrives, type:TypeSet(type:TypeName(name:Army)))");
  EXPECT_EQ(readCell("0-1", CellGrammar::heading).shape, "Keys Keys(key:RangeTo(left:0, right:1))");
  EXPECT_EQ(readCell("'12 lb #1'", CellGrammar::name).shape, "Name '12 lb #1'");
  EXPECT_EQ(readCell("a, b", CellGrammar::names).shape, "Keys Keys(key:a, key:b)");
  EXPECT_EQ(readCell("hex?", CellGrammar::type).shape, "TypeName TypeName[hex](name:hex)");
  EXPECT_EQ(readCell(".  .  W  M", CellGrammar::letters).shape, "Letters .  .  W  M");
  EXPECT_EQ(readCell("Prince’s & Co. (2nd)", CellGrammar::letters).text, "Prince’s & Co. (2nd)");
  EXPECT_EQ(readCell("\"a | b\"", CellGrammar::letters).shape, "Text Text(part:a | b)");
}

TEST(Cell, Slips) {
  EXPECT_EQ(readCell("+1", CellGrammar::expression).codes, "HW0218");
  EXPECT_EQ(readCell("steep hill", CellGrammar::name).codes, "HW0217");
  EXPECT_EQ(readCell("steep hill", CellGrammar::keys).codes, "HW0217");
  EXPECT_EQ(readCell("3 +", CellGrammar::expression).codes, "HW0227");
  EXPECT_EQ(readCell("any hill", CellGrammar::keys).codes, "HW0227");
  EXPECT_EQ(readCell("a, 3", CellGrammar::names).codes, "HW0227");
  EXPECT_EQ(readCell("set of", CellGrammar::type).codes, "HW0227");
  EXPECT_EQ(readCell("((((", CellGrammar::expression).codes, "HW0227");
}

TEST(Cell, IsReadAgainWithAnotherGrammar) {
  Parsed parsed = parseText("type T {\n  | a [X-1] |\n}\n");
  SyntaxTree& tree = parsed.tree;
  NodeId row = tree.child(tree.child(tree.child(tree.root(), Role::item), Role::body), Role::row);
  NodeId cell = tree.child(row, Role::cell);
  parseCell(tree, cell, CellGrammar::name, parsed.sink);
  NodeId second = parseCell(tree, cell, CellGrammar::expression, parsed.sink);
  EXPECT_EQ(tree.children(cell, Role::value).size(), 1u);
  EXPECT_EQ(tree.child(cell, Role::value), second);
  EXPECT_EQ(tree.kind(second), NodeKind::NameExpr);
  EXPECT_EQ(tree.children(cell, Role::mark).size(), 1u);
}

// A word alone need not go through the lexer; it is the same word as there.
TEST(Cell, AWordAloneIsTheWordOfTheLanguage) {
  for (int k = 0; k <= static_cast<int>(TokenKind::kw_other); ++k) {
    const auto kind = static_cast<TokenKind>(k);
    const std::string word(spelling(kind));
    if (!isKeyword(kind) || word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos)
      continue;
    Parsed parsed = parseText("type T {\n  | a | " + word + " |\n}\n");
    SyntaxTree& tree = parsed.tree;
    NodeId row = tree.child(tree.child(tree.child(tree.root(), Role::item), Role::body), Role::row);
    const size_t before = tree.tokenCount();
    DiagnosticSink sink;
    parseCell(tree, *++tree.children(row, Role::cell).begin(), CellGrammar::expression, sink);
    ASSERT_EQ(tree.tokenCount(), before + 1) << word;
    EXPECT_EQ(tree.token(static_cast<uint32_t>(before)).kind, kind) << word;
  }
  for (const char* cell : {"0", "007", "12345", "plain", "Two_Words"})
    EXPECT_EQ(readCell(cell, CellGrammar::expression).text, cell);
}

} // namespace
} // namespace hellwig
