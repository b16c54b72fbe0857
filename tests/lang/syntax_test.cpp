// SPDX-License-Identifier: Apache-2.0
// Tests of the tree: nothing of a file is lost, shapes of declarations and statements, names, marks.

#include "lang_fixture.h"

namespace hellwig {
namespace {

std::string dumpFirst(const std::string& source) {
  Parsed parsed = parseText(source);
  EXPECT_EQ(render(parsed.sink), "");
  return dumpTree(parsed.tree, parsed.tree.child(parsed.tree.root(), Role::item));
}

TEST(Syntax, FilesAreParsedWithoutLoss) {
  size_t files = 0;
  for (const auto& path : sourceFiles()) {
    std::string text = readFile(path);
    Parsed parsed = parseText(text, path.filename().string());
    EXPECT_EQ(render(parsed.sink), "") << path;
    EXPECT_EQ(joinTokens(parsed.tree), text) << path;
    EXPECT_FALSE(parsed.tree.hasErrors());
    ++files;
  }
  EXPECT_GE(files, 10u);
}

// Children lie within their parents and follow each other.
TEST(Syntax, RangesNest) {
  for (const auto& path : sourceFiles()) {
    Parsed parsed = parseText(readFile(path));
    const SyntaxTree& tree = parsed.tree;
    std::vector<NodeId> open{tree.root()};
    while (!open.empty()) {
      NodeId node = open.back();
      open.pop_back();
      uint32_t at = tree.range(node).offset;
      for (NodeId child : tree.children(node)) {
        TextRange range = tree.range(child);
        ASSERT_GE(range.offset, at) << path << " " << tree.text(node);
        ASSERT_LE(range.end(), std::max(tree.range(node).end(), range.offset))
            << path << " " << tree.text(node);
        at = range.end();
        open.push_back(child);
      }
    }
  }
}

TEST(Syntax, OddInputIsKept) {
  for (const char* odd : {"", " ", "\n", "// only a comment", "\xEF\xBB\xBF// mark\nbox A", "}", "{", "|",
                          "\"", "[", "'", "\xC3\xBC\xC3\xBC #\xE2\x82\xAC {{ }", "box\r\n  Reserve\r\n"}) {
    Parsed parsed = parseText(odd);
    EXPECT_EQ(joinTokens(parsed.tree), odd);
  }
}

TEST(Syntax, CounterDeclaration) {
  EXPECT_EQ(dumpFirst("counter Unit, units is Piece [X-1] {\n"
                      "  printed arm: Arm, attack: int = 3\n"
                      "  faces Face [X-2]\n"
                      "  state moved = no resets each player turn\n"
                      "  show turned 90 when it is flipped\n"
                      "}"),
            "item CounterDecl\n"
            "  name Name `Unit`\n"
            "  plural Name `units`\n"
            "  base Name `Piece`\n"
            "  mark Mark `[X-1]`\n"
            "  body Block\n"
            "    item Printed\n"
            "      item PrintedItem\n"
            "        name Name `arm`\n"
            "        type TypeName\n"
            "          name Name `Arm`\n"
            "      item PrintedItem\n"
            "        name Name `attack`\n"
            "        type TypeName\n"
            "          name Name `int`\n"
            "        value IntLiteral `3`\n"
            "    item Faces\n"
            "      name Name `Face`\n"
            "      mark Mark `[X-2]`\n"
            "    item State\n"
            "      item StateItem\n"
            "        name Name `moved`\n"
            "        value Constant no `no`\n"
            "      resets Span player `player turn`\n"
            "    item Show\n"
            "      name Name `turned`\n"
            "      count IntLiteral `90`\n"
            "      when Compare is\n"
            "        left Constant it `it`\n"
            "        right NameExpr `flipped`\n");
}

TEST(Syntax, ValueWithSteps) {
  EXPECT_EQ(dumpFirst("value a(u: Unit?): set of hex = b {\n"
                      "  add 2 when c as \"why\" [X-1]\n"
                      "  divide by 2, round up\n"
                      "  at most 5\n"
                      "  round down\n"
                      "  waive [X-2] when d [X-3]\n"
                      "}"),
            "item ValueDecl flags=4\n"
            "  name Name `a`\n"
            "  param Param\n"
            "    name Name `u`\n"
            "    type TypeName flags=1\n"
            "      name Name `Unit`\n"
            "  type TypeSet\n"
            "    type TypeName hex\n"
            "      name Name `hex`\n"
            "  value NameExpr `b`\n"
            "  body Block\n"
            "    item Step add\n"
            "      value IntLiteral `2`\n"
            "      when NameExpr `c`\n"
            "      text Text\n"
            "        part TextPart `why`\n"
            "      mark Mark `[X-1]`\n"
            "    item Step divide\n"
            "      value IntLiteral `2`\n"
            "      rounding Rounding up `round up`\n"
            "    item Step most\n"
            "      value IntLiteral `5`\n"
            "    item Step round\n"
            "      rounding Rounding down `round down`\n"
            "    item Waive\n"
            "      waived Mark `[X-2]`\n"
            "      when NameExpr `d`\n"
            "      mark Mark `[X-3]`\n");
}

TEST(Syntax, ChooseWithEverything) {
  EXPECT_EQ(
      dumpFirst(
          "procedure p() {\n"
          "  ask t.side to choose 1 to 2 us from s provided a [X-1] prefer least b \"Which?\" [X-2] { }\n"
          "    or \"Hold\" when c { }\n"
          "    or pass \"End\"\n"
          "    otherwise [X-3] { next }\n"
          "}"),
      "item ProcedureDecl flags=4\n"
      "  name Name `p`\n"
      "  body Block\n"
      "    item Choose\n"
      "      ask Member\n"
      "        base NameExpr `t`\n"
      "        name Name `side`\n"
      "      count Count to\n"
      "        left IntLiteral `1`\n"
      "        right IntLiteral `2`\n"
      "      name Name `us`\n"
      "      set NameExpr `s`\n"
      "      provided Provided\n"
      "        condition NameExpr `a`\n"
      "        mark Mark `[X-1]`\n"
      "      prefer Prefer least\n"
      "        value NameExpr `b`\n"
      "      text Text\n"
      "        part TextPart `Which?`\n"
      "      mark Mark `[X-2]`\n"
      "      body Block `{ }`\n"
      "      alternative Alternative\n"
      "        text Text\n"
      "          part TextPart `Hold`\n"
      "        when NameExpr `c`\n"
      "        body Block `{ }`\n"
      "      alternative Alternative flags=8\n"
      "        text Text\n"
      "          part TextPart `End`\n"
      "      otherwiseMark Mark `[X-3]`\n"
      "      otherwise Block\n"
      "        item Next `next`\n");
}

TEST(Syntax, IfMatchPlace) {
  EXPECT_EQ(dumpFirst("procedure p() {\n"
                      "  if a { stop } else if b [X-1] { } else [X-2] { }\n"
                      "  match c { x, 2 { } else { } }\n"
                      "  place n = new Unit like u at h with a = 1, b from c\n"
                      "}"),
            "item ProcedureDecl flags=4\n"
            "  name Name `p`\n"
            "  body Block\n"
            "    item IfStmt\n"
            "      condition NameExpr `a`\n"
            "      body Block\n"
            "        item Stop `stop`\n"
            "      elseBody IfStmt\n"
            "        condition NameExpr `b`\n"
            "        mark Mark `[X-1]`\n"
            "        body Block `{ }`\n"
            "        elseMark Mark `[X-2]`\n"
            "        elseBody Block `{ }`\n"
            "    item Match\n"
            "      value NameExpr `c`\n"
            "      arm Arm\n"
            "        key Name `x`\n"
            "        key IntLiteral `2`\n"
            "        body Block `{ }`\n"
            "      elseBody Block `{ }`\n"
            "    item Place flags=8\n"
            "      name Name `n`\n"
            "      base Name `Unit`\n"
            "      target NameExpr `u`\n"
            "      at NameExpr `h`\n"
            "      with Setting =\n"
            "        name Name `a`\n"
            "        value IntLiteral `1`\n"
            "      with Setting from\n"
            "        name Name `b`\n"
            "        value NameExpr `c`\n");
}

TEST(Syntax, MapItems) {
  EXPECT_EQ(dumpFirst("map M {\n"
                      "  grid pointed, even rows pushed right\n"
                      "  size 11 by 15\n"
                      "  number column row digits 2\n"
                      "  join A west to B east\n"
                      "  rows {\n    | 01 | . W |\n  }\n"
                      "  river on 0610/0611 0610SE [X-1]\n"
                      "  area X \"i\" at 0108 .. 0308\n"
                      "}"),
            "item MapDecl\n"
            "  name Name `M`\n"
            "  body Block\n"
            "    item Grid\n"
            "      shape Word pointed `pointed`\n"
            "      parity Word even `even`\n"
            "      lines Word rows `rows`\n"
            "      direction Word right `right`\n"
            "    item Size\n"
            "      columns IntLiteral `11`\n"
            "      rows IntLiteral `15`\n"
            "    item Number column\n"
            "      digits IntLiteral `2`\n"
            "    item Join\n"
            "      left Name `A`\n"
            "      leftEdge Name `west`\n"
            "      right Name `B`\n"
            "      rightEdge Name `east`\n"
            "    item MapRows\n"
            "      body Block\n"
            "        row Row\n"
            "          cell Cell `01`\n"
            "          cell Cell `. W`\n"
            "    item Feature on\n"
            "      type Name `river`\n"
            "      ref HexPair\n"
            "        left HexRef `0610`\n"
            "        right HexRef `0611`\n"
            "      ref HexRef `0610SE`\n"
            "      mark Mark `[X-1]`\n"
            "    item Area\n"
            "      name Name `X`\n"
            "      text Text\n"
            "        part TextPart `i`\n"
            "      ref HexRange\n"
            "        left HexRef `0108`\n"
            "        right HexRef `0308`\n");
}

TEST(Syntax, TestsAndVictory) {
  Parsed parsed = parseText("victory {\n"
                            "  at once any side s wins \"few\" when s.x <= 2 [X-1]\n"
                            "  at end draw\n"
                            "}\n"
                            "test \"t\" {\n"
                            "  decide u = hex 0610 by Prussia, pass\n"
                            "  expect refused attack(u, t) to h \"why\" [X-2]\n"
                            "  expect a is b because \"so\"\n"
                            "}\n");
  EXPECT_EQ(render(parsed.sink), "");
  const SyntaxTree& tree = parsed.tree;
  std::vector<NodeId> items;
  for (NodeId item : tree.children(tree.root(), Role::item))
    for (NodeId part : tree.children(tree.child(item, Role::body))) items.push_back(part);
  ASSERT_EQ(items.size(), 5u);
  EXPECT_EQ(tree.op(items[0]), TokenKind::kw_once);
  EXPECT_EQ(tree.kind(tree.child(items[0], Role::winner)), NodeKind::AnySide);
  EXPECT_TRUE(tree.has(items[1], NodeFlags::draw));
  NodeId bind = tree.child(items[2], Role::item);
  EXPECT_EQ(tree.nameOf(bind), "u");
  EXPECT_EQ(tree.text(tree.child(bind, Role::by)), "Prussia");
  EXPECT_TRUE(tree.has(tree.node(bind).nextSibling, NodeFlags::pass));
  EXPECT_EQ(tree.kind(items[3]), NodeKind::ExpectRefused);
  EXPECT_EQ(tree.text(tree.child(items[3], Role::to)), "h");
  EXPECT_EQ(tree.text(tree.child(items[3], Role::mark)), "[X-2]");
  EXPECT_EQ(tree.textOf(tree.child(items[4], Role::because)), "so");
}

TEST(Syntax, NamesWithAndWithoutQuotes) {
  Parsed parsed = parseText("box 'Not yet' box Reserve box 'Saxe-Gotha’s'");
  std::vector<std::string> names;
  for (NodeId item : parsed.tree.children(parsed.tree.root())) names.push_back(parsed.tree.nameOf(item));
  EXPECT_EQ(names, (std::vector<std::string>{"Not yet", "Reserve", "Saxe-Gotha’s"}));
}

TEST(Syntax, Numbers) {
  Parsed parsed = parseText("value a = 12 value b = 3/4 value c = 2:40");
  const SyntaxTree& tree = parsed.tree;
  std::vector<NodeId> values;
  for (NodeId item : tree.children(tree.root())) values.push_back(tree.child(item, Role::value));
  EXPECT_EQ(tree.intOf(values[0]), 12);
  EXPECT_EQ(tree.pairOf(values[1]), std::pair(3, 4));
  EXPECT_EQ(tree.kind(values[1]), NodeKind::FractionLiteral);
  EXPECT_EQ(tree.pairOf(values[2]), std::pair(2, 40));
  EXPECT_EQ(tree.kind(values[2]), NodeKind::OddsLiteral);
}

TEST(Syntax, Marks) {
  auto read = [](const std::string& text) {
    Parsed parsed = parseText("box A " + text);
    MarkText mark = readMark(
        parsed.tree, parsed.tree.child(parsed.tree.child(parsed.tree.root(), Role::item), Role::mark));
    std::string ids;
    for (const MarkId& id : mark.ids) {
      ids += id.id + "@" + std::string(parsed.tree.source().text(id.range)) + " ";
    }
    return std::tuple(ids, mark.reconstructed, mark.reason);
  };
  using Result = std::tuple<std::string, bool, std::string>;
  EXPECT_EQ(read("[MO-018, MO-019]"), Result("MO-018@MO-018 MO-019@MO-019 ", false, ""));
  EXPECT_EQ(read("[MO-018; reconstructed: no: map]"), Result("MO-018@MO-018 ", true, "no: map"));
  EXPECT_EQ(read("[reconstructed: a, b; c]"), Result("", true, "a, b; c"));
  EXPECT_EQ(read("[KO-098..KO-101]"),
            Result("KO-098@KO-098..KO-101 KO-099@KO-098..KO-101 KO-100@KO-098..KO-101 KO-101@KO-098..KO-101 ",
                   false, ""));
  EXPECT_EQ(read("[]"), Result("", false, ""));
}

TEST(Syntax, DeepNestingIsRefusedAndNeverOverflows) {
  auto nested = [](const std::string& open, const std::string& middle, const std::string& close, size_t n) {
    std::string text = "value x = ";
    for (size_t i = 0; i < n; ++i) text += open;
    text += middle;
    for (size_t i = 0; i < n; ++i) text += close;
    return text;
  };
  EXPECT_EQ(render(parseText(nested("(", "1", ")", 199)).sink), "");
  EXPECT_EQ(places(parseText(nested("(", "1", ")", 201)).sink), std::vector<std::string>{"1:211 HW0206"});
  for (const std::string& text :
       {nested("(", "1", ")", 100000), nested("not ", "a", "", 100000), nested("-", "a", "", 100000),
        nested("if a then ", "b", " else c", 20000), nested("if a then b else ", "c", "", 20000),
        nested("a + ", "b", "", 100000), nested("a.", "b", "", 100000), nested("", "a", " of b", 50000),
        nested("a where ", "b", "", 20000),
        std::string("type T is a procedure p(x: ") + nested("set of ", "int", "", 50000),
        nested("", "1", "\nreplace ", 20000), nested("{", "", "}", 1000)}) {
    Parsed parsed = parseText(text);
    EXPECT_TRUE(parsed.tree.hasErrors()) << text.substr(0, 40);
    EXPECT_LE(parsed.sink.all().size(), 5u) << text.substr(0, 40);
    EXPECT_EQ(joinTokens(parsed.tree), text);
  }
}

TEST(Syntax, FaultyDeclarationsAreMarked) {
  Parsed parsed = parseText("procedure p() {\n  set a = b\n}\nprocedure q() {\n  set a to b\n}\n");
  const SyntaxTree& tree = parsed.tree;
  std::vector<bool> faulty;
  for (NodeId item : tree.children(tree.root(), Role::item))
    faulty.push_back(tree.has(item, NodeFlags::faulty));
  EXPECT_EQ(faulty, (std::vector<bool>{true, false}));
}

} // namespace
} // namespace hellwig
