// SPDX-License-Identifier: Apache-2.0
// Tests of the shapes of expressions. Expected shapes follow the table of precedence and the rule for `where`
// in the language reference, section "Expressions".

#include "lang_fixture.h"

namespace hellwig {
namespace {

std::string shapeOf(const std::string& expression) {
  Parsed parsed = parseText("value x = " + expression);
  EXPECT_EQ(render(parsed.sink), "") << expression;
  NodeId value = parsed.tree.child(parsed.tree.child(parsed.tree.root(), Role::item), Role::value);
  if (!valid(value)) return "none";
  EXPECT_EQ(parsed.tree.text(value), expression); // the range covers all of it
  return shape(parsed.tree, value);
}

TEST(Expression, Precedence) {
  EXPECT_EQ(shapeOf("a + b * c"), "Binary[+](left:a, right:Binary[*](left:b, right:c))");
  EXPECT_EQ(shapeOf("a - b - c"), "Binary[-](left:Binary[-](left:a, right:b), right:c)");
  EXPECT_EQ(shapeOf("a / b * c rounded down"),
            "Rounded[down](value:Binary[*](left:Binary[/](left:a, right:b), right:c))");
  EXPECT_EQ(shapeOf("a + b / c rounded up"),
            "Binary[+](left:a, right:Rounded[up](value:Binary[/](left:b, right:c)))");
  EXPECT_EQ(shapeOf("a or b and not c"),
            "Binary[or](left:a, right:Binary[and](left:b, right:Not(operand:c)))");
  EXPECT_EQ(shapeOf("a + 1 otherwise 0 .. 6"),
            "RangeTo(left:Otherwise(left:Binary[+](left:a, right:1), right:0), right:6)");
  EXPECT_EQ(shapeOf("-a.b * 2"), "Binary[*](left:Negate(operand:Member(base:a, name:b)), right:2)");
  EXPECT_EQ(shapeOf("not not a"), "Not(operand:Not(operand:a))");
}

TEST(Expression, Comparisons) {
  EXPECT_EQ(shapeOf("u is not flipped"), "Compare[is]!(left:u, right:flipped)");
  EXPECT_EQ(shapeOf("a <= b + 1"), "Compare[<=](left:a, right:Binary[+](left:b, right:1))");
  EXPECT_EQ(shapeOf("h not in us.zoc"), "In!(left:h, right:Member(base:us, name:zoc))");
  EXPECT_EQ(shapeOf("h has no road"), "Has!(left:h, name:road)");
}

TEST(Expression, CallsAndMembers) {
  EXPECT_EQ(shapeOf("f()"), "Call(name:f)");
  EXPECT_EQ(shapeOf("R(hex = h, n)"), "Call(name:R, arg:Arg(name:hex, value:h), arg:Arg(value:n))");
  EXPECT_EQ(shapeOf("T(r shifted left 2)"), "Call(name:T, arg:Arg(value:r, shift:Shift[left](value:2)))");
  EXPECT_EQ(shapeOf("T(r shifted n)"), "Call(name:T, arg:Arg(value:r, shift:Shift[right](value:n)))");
  EXPECT_EQ(shapeOf("u.hex.v(1)"), "Member(base:Member(base:u, name:hex), name:v, arg:Arg(value:1))");
  EXPECT_EQ(shapeOf("can see(a, b)"), "Can(call:Call(name:see, arg:Arg(value:a), arg:Arg(value:b)))");
  EXPECT_EQ(shapeOf("path r(u) to h"), "Query[path](call:Call(name:r, arg:Arg(value:u)), to:h)");
  EXPECT_EQ(shapeOf("if a then 1 else 2"), "If(condition:a, then:1, elseBody:2)");
}

TEST(Expression, LiteralsAndSets) {
  EXPECT_EQ(shapeOf("(a, b)"), "ListParen(item:a, item:b)");
  EXPECT_EQ(shapeOf("(a)"), "Paren(value:a)");
  EXPECT_EQ(shapeOf("hex 0610"), "HexLiteral(ref:0610)");
  EXPECT_EQ(shapeOf("hexside 0610/0611"), "HexsideLiteral(ref:HexPair(left:0610, right:0611))");
  EXPECT_EQ(shapeOf("hexside between a and b"), "Filter[between](base:hexside, operand:a, operand2:b)");
  EXPECT_EQ(
      shapeOf("units of s within 2 of h except us"),
      "Filter[except](base:Filter[within](base:Filter[of](base:units, operand:s), operand:2, operand2:h), "
      "operand:us)");
  EXPECT_EQ(shapeOf("hexes on or east of h"),
            "Filter[east]!(base:hexes, operand:h)"); // orOn shares the bit of negated
}

// The examples of the reference, each `where` on the phrase that ends just before it.
TEST(Expression, WhereHangsOnThePhraseBeforeIt) {
  EXPECT_EQ(
      shapeOf("count of units of s where it is ready"),
      "Aggregate[count](set:Filter[of](base:units, operand:s), where:Compare[is](left:it, right:ready))");
  EXPECT_EQ(
      shapeOf("u.a and any units of e where it.range > 1"),
      "Binary[and](left:Member(base:u, name:a), right:Quantifier[any](set:Filter[of](base:units, operand:e), "
      "where:Compare[>](left:Member(base:it, name:range), right:1)))");
  EXPECT_EQ(shapeOf("a and no us where it.x or it.y"),
            "Binary[and](left:a, right:Quantifier[no](set:us, where:Binary[or](left:Member(base:it, name:x), "
            "right:Member(base:it, name:y))))");
  EXPECT_EQ(shapeOf("sum of it.cf over units at h where not it.shaken"),
            "Aggregate[sum](of:Member(base:it, name:cf), set:Filter[at](base:units, operand:h), "
            "where:Not(operand:Member(base:it, name:shaken)))");
  EXPECT_EQ(shapeOf("1 + count of us where it.x"),
            "Binary[+](left:1, right:Aggregate[count](set:us, where:Member(base:it, name:x)))");
  EXPECT_EQ(shapeOf("n > count of us where it.x"),
            "Compare[>](left:n, right:Aggregate[count](set:us, where:Member(base:it, name:x)))");
  EXPECT_EQ(shapeOf("units of s where it.moved"),
            "Where(base:Filter[of](base:units, operand:s), condition:Member(base:it, name:moved))");
  EXPECT_EQ(shapeOf("u in units where it.moved"),
            "In(left:u, right:Where(base:units, condition:Member(base:it, name:moved)))");
}

// A second `where` goes into the condition of the first.
TEST(Expression, WhereNests) {
  EXPECT_EQ(shapeOf("those u from us where u is ready and any v from vs where v is u"),
            "Aggregate[those](name:u, set:us, where:Binary[and](left:Compare[is](left:u, right:ready), "
            "right:Quantifier[any](name:v, set:vs, where:Compare[is](left:v, right:u))))");
  EXPECT_EQ(shapeOf("any u from us where (any ws at u.hex where it.a)"),
            "Quantifier[any](name:u, set:us, where:Paren(value:Quantifier[any](set:Filter[at](base:ws, "
            "operand:Member(base:u, name:hex)), where:Member(base:it, name:a))))");
  EXPECT_EQ(shapeOf("a where b where c"), "Where(base:a, condition:Where(base:b, condition:c))");
}

TEST(Expression, ByOrdersTheWhole) {
  EXPECT_EQ(shapeOf("first of ls where it.on_map by greatest it.morale"),
            "By[greatest](base:Aggregate[first](set:ls, where:Member(base:it, name:on_map)), "
            "key:Member(base:it, name:morale))");
}

TEST(Expression, WhereWithoutPhraseIsAnError) {
  for (const char* wrong : {"3 where it.x", "a rounded up where it.x", "a otherwise b where it.x",
                            "(a and b) where it.x", "yes where it.x"}) {
    Parsed parsed = parseText(std::string("value x = ") + wrong);
    ASSERT_EQ(parsed.sink.all().size(), 1u) << wrong;
    EXPECT_EQ(codeText(parsed.sink.all()[0].code), "HW0203") << wrong;
  }
}

TEST(Expression, FixOfTwoComparisonsShowsTheBrackets) {
  Parsed parsed = parseText("value x = a and count of us where it is ready <= 2 < 3");
  ASSERT_EQ(parsed.sink.all().size(), 1u);
  ASSERT_TRUE(parsed.sink.all()[0].fix);
  EXPECT_EQ(parsed.sink.all()[0].fix->replacement, "(count of us where it is ready)");
}

TEST(Expression, HolesOfTextsAreParsedInPlace) {
  std::string source = "value x: text = \"Move {u.kind} to {f(h)}!\\n\"";
  Parsed parsed = parseText(source);
  EXPECT_EQ(render(parsed.sink), "");
  const SyntaxTree& tree = parsed.tree;
  NodeId text = tree.child(tree.child(tree.root(), Role::item), Role::value);
  EXPECT_EQ(shape(tree, text), "Text(part:Move , part:Hole(value:Member(base:u, name:kind)), part: to , "
                               "part:Hole(value:Call(name:f, arg:Arg(value:h))), part:!\\n)");
  NodeId hole = *++tree.children(text, Role::part).begin();
  EXPECT_EQ(tree.range(hole).offset, source.find("{u.kind}"));
  EXPECT_EQ(tree.range(tree.child(hole, Role::value)).offset, source.find("u.kind"));
  EXPECT_EQ(tree.textOf(text), "Move {u.kind} to {f(h)}!\n");
  EXPECT_EQ(joinTokens(tree), source);
}

TEST(Expression, OperatorRanges) {
  Parsed parsed = parseText("value x = a - b - c");
  const SyntaxTree& tree = parsed.tree;
  NodeId outer = tree.child(tree.child(tree.root(), Role::item), Role::value);
  EXPECT_EQ(tree.opRange(outer), (TextRange{16, 1}));
  EXPECT_EQ(tree.opRange(tree.child(outer, Role::left)), (TextRange{12, 1}));
}

TEST(Expression, ParsedAlone) {
  DiagnosticSink sink;
  SyntaxTree tree = parseExpression(std::make_shared<SourceText>("console", "u.attack + 1"), sink);
  EXPECT_EQ(shape(tree, tree.root()), "Binary[+](left:Member(base:u, name:attack), right:1)");
  SyntaxTree wrong = parseExpression(std::make_shared<SourceText>("console", "u. +"), sink);
  EXPECT_EQ(sink.errorCount(), 1u);
  EXPECT_TRUE(wrong.has(wrong.root(), NodeFlags::faulty));
}

} // namespace
} // namespace hellwig
