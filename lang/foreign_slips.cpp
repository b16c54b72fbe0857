// SPDX-License-Identifier: Apache-2.0
// Slips of the pen that other languages, other editors and plain English lead to: signs, comments, words and
// orders of words. Each is told with what is written instead.

#include "lang/syntax_errors.h"

#include <algorithm>

namespace hellwig {
namespace {

using P = HellwigParser;
using Code = DiagnosticCode;

struct Spelling {
  std::string_view foreign, own;
};

// Signs of print and of other languages. Quotes that an editor has bent come with their partner.
constexpr Spelling signs[] = {{"\u2264", "<="},  {"\u2265", ">="}, {"\u2260", "is not"}, {"\u00D7", "*"},
                              {"\u00F7", "/"},   {"\u2013", "-"},  {"\u2014", "-"},      {"\u2212", "-"},
                              {"\u2026", ".."},  {"\u201C", "\""}, {"\u201D", "\""},     {"\u201E", "\""},
                              {"\u00AB", "\""},  {"\u00BB", "\""}, {"\u2018", "'"},      {"\u201A", "'"},
                              {"`", "'"},        {"&", "and"},     {"\u00BD", "1/2"},    {"\u00BC", "1/4"},
                              {"\u00BE", "3/4"}, {"\u00A0", " "}};

// Words that end or join blocks elsewhere.
constexpr Spelling branches[] = {
    {"elif", "else if"}, {"elsif", "else if"}, {"elseif", "else if"}, {"elsewhen", "else if"}};
constexpr std::string_view blockEnds[] = {"endif", "endfor", "endwhile", "fi", "done", "endphase", "endturn"};

// After a word, one preposition where another is meant.
struct Preposition {
  size_t after, wrong, right;
};
constexpr Preposition prepositions[] = {
    {P::KW_SETUP, P::KW_FOR, P::KW_BY},     {P::KW_SETUP, P::KW_OF, P::KW_BY},
    {P::KW_ACTIVATION, P::KW_OF, P::KW_BY}, {P::KW_ACTIVATION, P::KW_FOR, P::KW_BY},
    {P::KW_ADJACENT, P::KW_WITH, P::KW_TO}, {P::KW_ADJACENT, P::KW_OF, P::KW_TO},
    {P::KW_ADJACENT, P::KW_FROM, P::KW_TO}, {P::KW_ADJACENT, P::KW_BY, P::KW_TO},
    {P::KW_DIVIDE, P::KW_IN, P::KW_BY},     {P::KW_DIVIDE, P::KW_WITH, P::KW_BY},
    {P::KW_MULTIPLY, P::KW_WITH, P::KW_BY}, {P::KW_COUNT, P::KW_IN, P::KW_OF},
    {P::KW_END, P::KW_IN, P::KW_AT},        {P::KW_END, P::KW_ON, P::KW_AT},
    {P::KW_GOAL, P::KW_IN, P::KW_AT},       {P::KW_GOAL, P::KW_ON, P::KW_AT},
    {P::KW_RESETS, P::KW_ON, P::KW_EACH},   {P::KW_RESETS, P::KW_AT, P::KW_EACH}};

std::string code(std::string_view words) {
  return "`" + std::string(words) + "`";
}

} // namespace

Diagnostic SyntaxErrors::rewrite(TextRange at, std::string own) const {
  Diagnostic told = builder_.make(Code::wording, at, {own});
  // What stands for something else is no text to put there.
  if (own.find("..") == std::string::npos && !own.starts_with("at "))
    told.fix = Fix{at, own, "write `" + own + "`"};
  return told;
}

Diagnostic SyntaxErrors::exchange(size_t i, const std::string& own) const {
  return builder_.make(Code::unexpected, range(i), {describe(i), ": `" + own + "` is wanted"})
      .withFix(range(i), own, "write `" + own + "`");
}

bool SyntaxErrors::touches(size_t i) const {
  return i > 0 && valid(tokens_.at(i).id) && range(i - 1).end() == range(i).offset;
}

size_t SyntaxErrors::lineStart(size_t i) const {
  while (i > 0 && !tokens_.at(i).firstInLine) --i;
  return i;
}

bool SyntaxErrors::laterOnLine(size_t i, size_t wanted) const {
  for (size_t k = i + 1; type(k) != antlr4::Token::EOF && sameLine(k, i); ++k)
    if (type(k) == wanted) return true;
  return false;
}

std::string SyntaxErrors::words(size_t first, size_t last) const {
  return std::string(
      builder_.tree().source().text({range(first).offset, range(last).end() - range(first).offset}));
}

// A sign that the language does not know.
bool SyntaxErrors::foreignSign(size_t i) {
  Diagnostic told = builder_.make(Code::unknownSign, range(i), {std::string(text(i))});
  for (const Spelling& sign : signs)
    if (sign.foreign == text(i)) told.fix = Fix{range(i), std::string(sign.own), "write " + code(sign.own)};
  size_t end = i;
  while (type(end + 1) == P::OTHER && text(end + 1) == text(i)) ++end;
  TextRange all{range(i).offset, range(end).end() - range(i).offset};
  if (text(i) == "&") told.fix->range = all;
  if (text(i) == "|") told.fix = Fix{all, "or", "write `or`"};
  if (text(i) == "!") {
    bool unequal = type(i + 1) == P::EQUALS;
    if (unequal) all.length = range(i + 1).end() - all.offset;
    told.fix = Fix{all, unequal ? "is not" : "not ", unequal ? "write `is not`" : "write `not`"};
  }
  if (text(i) == ";" && i > 0 && type(i - 1) == P::INT && type(i + 1) == P::INT)
    told.fix = Fix{all, ",", "write `,`"};
  else if (text(i) == ";" && isName(i + 1) && type(i + 2) == P::COLON)
    told.fix = Fix{all, ",", "write `,`"};
  else if (text(i) == ";")
    told.fix = Fix{all, "", "strike it out: nothing ends a statement"};
  if (text(i) == "%") told.help.push_back("a hundredth part is a fraction, such as `1/2` for the half");
  if (text(i) == "#") {
    if (touches(i + 1)) {
      std::string colour = "\"" + words(i, i + 1) + "\"";
      told.fix = Fix{{range(i).offset, range(i + 1).end() - range(i).offset},
                     colour,
                     "a colour is a text: " + code(colour)};
    }
    told.help.push_back("a comment begins with `//`");
  }
  if (text(i) == "$" || text(i) == "@") told.help.push_back("a name stands bare");
  report(std::move(told));
  return true;
}

// What is wrong wherever it stands.
bool SyntaxErrors::foreignSlip(size_t i) {
  size_t t = type(i);
  if (i == 0) return false;
  if (misspeltBefore(i)) return true;
  if (wordForSign(i)) return true;
  // `for each s in Austria, Prussia {`
  if (t == P::COMMA &&
      isOneOf(type(lineStart(i)), {P::KW_FOR, P::KW_EXPECT, P::KW_IF, P::KW_SET, P::KW_LET, P::KW_CHOOSE})) {
    report(
        builder_.make(Code::unexpected, range(i), {"`,`", ": several things stand in brackets, `(a, b)`"}));
    return true;
  }
  if (t == P::KW_AND && isName(i - 1) && isName(i + 1) &&
      isOneOf(type(lineStart(i)),
              {P::KW_HIDDEN, P::KW_TYPE, P::KW_OPTIONS, P::KW_USE, P::KW_OVER, P::KW_ACTION, P::KW_SIDE})) {
    report(exchange(i, ","));
    return true;
  }
  if ((t == P::KW_WITH || text(i) == "using") && type(lineStart(i)) == P::KW_MOVE) {
    report(exchange(i, "by"));
    return true;
  }
  if (t == P::QNAME && isOneOf(type(i - 1), {P::KW_DRAW, P::KW_SAY, P::KW_WINS, P::KW_AS})) {
    std::string quoted(text(i));
    std::replace(quoted.begin(), quoted.end(), '\'', '"');
    report(builder_.make(Code::unexpected, range(i), {describe(i), ": a text has double quotes"})
               .withFix(range(i), quoted, "write `" + quoted + "`"));
    return true;
  }
  if (isName(i) && type(i - 1) == P::TEXT && i > 1 && type(i - 2) == P::KW_WIN) {
    TextRange all{range(i - 2).offset, range(i).end() - range(i - 2).offset};
    report(rewrite(all, "win " + std::string(text(i)) + " " + std::string(text(i - 1))));
    return true;
  }
  // `distance[u, t]`: the mark swallows what was meant as arguments.
  for (size_t k : {i, i - 1})
    if (k > 0 && type(k) == P::MARK && touches(k) && isName(k - 1)) {
      std::string inside(text(k));
      inside = "(" + inside.substr(1, inside.size() - 2) + ")";
      report(builder_.make(Code::squareBrackets, range(k), {std::string(text(k - 1)) + inside})
                 .withFix(range(k), inside, "write `" + inside + "`"));
      return true;
    }
  if (t == P::GREATER && touches(i) && type(i - 1) == P::MINUSSIGN) {
    TextRange all{range(i - 1).offset, 2};
    report(builder_.make(Code::foreignSpelling, all, {"->", "."}).withFix(all, ".", "write `.`"));
    return true;
  }
  if (t == P::EQUALS && touches(i + 1) && (type(i + 1) == P::LESS || type(i + 1) == P::GREATER)) {
    std::string own = type(i + 1) == P::LESS ? "<=" : ">=";
    TextRange all{range(i).offset, 2};
    report(builder_.make(Code::foreignSpelling, all, {words(i, i + 1), own})
               .withFix(all, own, "write `" + own + "`"));
    return true;
  }
  if (t == P::QUESTION && !touches(i)) {
    report(builder_.make(Code::foreignSpelling, range(i), {"C ? a : b", "if C then a else b"}));
    return true;
  }
  for (const Spelling& branch : branches)
    if (text(i) == branch.foreign) {
      report(
          builder_
              .make(Code::foreignSpelling, range(i), {std::string(branch.foreign), std::string(branch.own)})
              .withFix(range(i), std::string(branch.own), "write " + code(branch.own)));
      return true;
    }
  bool endsBlock = std::find(std::begin(blockEnds), std::end(blockEnds), text(i)) != std::end(blockEnds);
  if (endsBlock || (t == P::KW_END && type(i - 1) == P::RIGHTBRACE &&
                    (type(i + 1) == P::KW_IF || type(i + 1) == P::KW_FOR || type(i + 1) == P::KW_REPEAT))) {
    size_t last = endsBlock ? i : i + 1;
    TextRange all{range(i).offset, range(last).end() - range(i).offset};
    report(builder_.make(Code::needlessWord, all, {words(i, last)})
               .withFix(all, "", "strike it out: a block ends with `}`"));
    return true;
  }
  // `hex(0605)`, `(MO-042)`, `{ u.hex }`
  if (t == P::LEFTPAREN && type(i - 1) == P::KW_HEX && (type(i + 1) == P::INT || type(i + 1) == P::LABEL)) {
    TextRange all{range(i - 1).offset, range(i + 2).end() - range(i - 1).offset};
    report(rewrite(all, "hex " + std::string(text(i + 1))));
    return true;
  }
  if (t == P::LEFTPAREN && isName(i + 1) && type(i + 2) == P::MINUSSIGN && type(i + 3) == P::INT &&
      type(i + 4) == P::RIGHTPAREN) {
    TextRange all{range(i).offset, range(i + 4).end() - range(i).offset};
    report(rewrite(all, "[" + words(i + 1, i + 3) + "]"));
    return true;
  }
  if (type(i - 1) == P::TEXT && touches(i) && isWord(i)) {
    report(builder_.make(Code::quoteInText, {range(i - 1).end() - 1, 1}));
    return true;
  }
  // `units in town`: an element would be followed by its `where`.
  if (t == P::KW_IN && i >= 2 && isName(i - 1) &&
      (type(i - 2) == P::KW_ANY || type(i - 2) == P::KW_NO || type(i - 2) == P::KW_OF) &&
      !laterOnLine(i, P::KW_WHERE)) {
    report(builder_.make(Code::unexpected, range(i), {"`in`", ": counters stand `at` a hex"})
               .withFix(range(i), "at", "write `at`"));
    return true;
  }
  for (const Preposition& p : prepositions)
    if (t == p.wrong && type(i - 1) == p.after && sameLine(i, i - 1)) {
      report(exchange(i, std::string(spelling(kindOfType(p.right)))));
      return true;
    }
  if (i >= 2 && type(i - 2) == P::KW_PHASE && isName(i - 1) && (t == P::KW_OF || t == P::KW_FOR)) {
    report(exchange(i, "by"));
    return true;
  }
  if (t == P::KW_NEXT && type(i + 1) == P::KW_TO) {
    report(rewrite({range(i).offset, range(i + 1).end() - range(i).offset}, "adjacent to"));
    return true;
  }
  // Hexes of the map: `0504-0505`, `along 0104 to 0804`, and a mark that lacks its brackets.
  if (t == P::MINUSSIGN && type(i - 1) == P::INT && type(i + 1) == P::INT && text(i - 1).size() >= 4 &&
      text(i + 1).size() >= 4) {
    TextRange all{range(i - 1).offset, range(i + 1).end() - range(i - 1).offset};
    report(rewrite(all, std::string(text(i - 1)) + "/" + std::string(text(i + 1))));
    return true;
  }
  if (t == P::KW_TO && type(i - 1) == P::INT && type(i + 1) == P::INT && text(i - 1).size() >= 4) {
    report(exchange(i, ".."));
    return true;
  }
  if (isName(i) && type(i - 1) == P::TEXT && type(i + 1) == P::MINUSSIGN && type(i + 2) == P::INT) {
    TextRange all{range(i).offset, range(i + 2).end() - range(i).offset};
    report(rewrite(all, "[" + words(i, i + 2) + "]"));
    return true;
  }
  // `river from a to b`
  if (t == P::KW_FROM && isName(i - 1) && isName(i + 1) && type(i + 2) == P::KW_TO && isName(i + 3)) {
    TextRange all{range(i - 1).offset, range(i + 3).end() - range(i - 1).offset};
    report(rewrite(all, std::string(text(i - 1)) + " between " + std::string(text(i + 1)) + " and " +
                            std::string(text(i + 3))));
    return true;
  }
  if (t == P::KW_IF && sameLine(i, i - 1) && type(i - 1) != P::LEFTBRACE && type(i - 1) != P::RIGHTBRACE) {
    size_t head = type(lineStart(i));
    if (head == P::KW_PHASE || head == P::KW_AFTER || head == P::KW_BEFORE || head == P::KW_SHOW ||
        head == P::KW_ACTION || head == P::KW_STOP || head == P::KW_HIDDEN || head == P::KW_OR) {
      report(builder_.make(Code::unexpected, range(i), {"`if`", ": a condition follows `when`"})
                 .withFix(range(i), "when", "write `when`"));
      return true;
    }
  }
  // `decide t = t us = g`, `with a = 1 b = 2`
  if (isName(i) && type(i + 1) == P::EQUALS && sameLine(i, i - 1) && !tokens_.at(i).firstInLine &&
      type(i - 1) != P::LEFTBRACE && type(i - 1) != P::COMMA && type(i - 1) != P::LEFTPAREN &&
      isOneOf(type(lineStart(i)), {P::KW_DECIDE, P::KW_PLACE, P::KW_STATE, P::KW_PRINTED, P::KW_SETUP})) {
    report(builder_.make(Code::unexpected, range(i), {describe(i), ": `,` is wanted before it"})
               .withFix({range(i).offset, 0}, ", ", "put `,` before it"));
    return true;
  }
  // `all us is ready`
  if (isOneOf(t, {P::KW_IS, P::LESS, P::LESSEQUAL, P::GREATER, P::GREATEREQUAL, P::KW_HAS, P::KW_IN}) &&
      !(t == P::KW_IN && laterOnLine(i, P::KW_WHERE)) && quantifierSlip(i))
    return true;
  if (t == P::TEXT && i >= 2 && isOneOf(type(i - 1), {P::KW_END, P::KW_ONCE}) &&
      type(i - 2) == P::VICTORY_AT) {
    report(rewrite(range(i), "at " + std::string(text(i - 1)) + " S wins " + std::string(text(i))));
    return true;
  }
  return false;
}

// `left minus 1`, `u.range is greater than 2`
bool SyntaxErrors::wordForSign(size_t i) {
  static constexpr Spelling operators[] = {
      {"minus", "-"}, {"times", "*"}, {"equals", "is"}, {"isnt", "is not"}};
  for (const Spelling& word : operators)
    if (text(i) == word.foreign && sameLine(i, i - 1)) {
      report(
          builder_.make(Code::foreignSpelling, range(i), {std::string(word.foreign), std::string(word.own)})
              .withFix(range(i), std::string(word.own), "write " + code(word.own)));
      return true;
    }
  static constexpr Spelling comparisons[] = {
      {"greater", ">"}, {"more", ">"},  {"larger", ">"},  {"bigger", ">"}, {"higher", ">"},
      {"less", "<"},    {"fewer", "<"}, {"smaller", "<"}, {"lower", "<"},  {"equal", "is"}};
  for (size_t k : {i, i - 1})
    if (k > 0)
      for (const Spelling& word : comparisons)
        if (text(k) == word.foreign && (text(k + 1) == "than" || type(k + 1) == P::KW_TO)) {
          size_t first = type(k - 1) == P::KW_IS ? k - 1 : k;
          report(rewrite({range(first).offset, range(k + 1).end() - range(first).offset},
                         std::string(word.own)));
          return true;
        }
  return false;
}

// A quantifier whose condition lacks its `where`.
bool SyntaxErrors::quantifierSlip(size_t i) {
  size_t depth = 0;
  for (size_t k = i; k-- > 0 && i - k < 40;) {
    size_t t = type(k);
    if (t == P::RIGHTPAREN) ++depth;
    if (t == P::LEFTPAREN && depth-- == 0) return false;
    if (depth > 0) continue;
    if (isOneOf(t, {P::KW_WHERE, P::KW_AND, P::KW_OR, P::KW_WHEN, P::KW_IF, P::LEFTBRACE, P::RIGHTBRACE,
                    P::TEXT, P::MARK}))
      return false;
    if (!isOneOf(t, {P::KW_ALL, P::KW_ANY, P::KW_NO})) continue;
    if (k > 0 && isOneOf(type(k - 1), {P::KW_IS, P::KW_TO, P::EQUALS, P::KW_HAS, P::KW_CHOOSE}) &&
        t == P::KW_NO)
      return false;
    if (k + 1 == i) return false;
    report(builder_
               .make(Code::conditionWithoutWhere, range(i),
                     {words(k, i - 1) + " where it " + std::string(text(i)) + " .."})
               .withFix({range(i).offset, 0}, "where it ", "put `where it` before it"));
    return true;
  }
  return false;
}

// What begins no item of the list that it stands in.
bool SyntaxErrors::foreignJunk(size_t rule, size_t i) {
  size_t t = type(i);
  if (isOpenName(i)) return true; // told where the file was split into words
  bool statements = rule == P::RuleBlock || rule == P::RuleTestBody;
  bool begins = i == 0 || tokens_.at(i).firstInLine || isOneOf(type(i - 1), {P::LEFTBRACE, P::RIGHTBRACE});
  // `left = left - 1`, `u.moved := yes`, `n += 1`
  if (statements && begins && isName(i)) {
    size_t last = i;
    while (type(last + 1) == P::DOT && isWord(last + 2)) last += 2;
    size_t sign = last + 1;
    if (isOneOf(type(sign), {P::PLUSSIGN, P::MINUSSIGN, P::STAR, P::SLASH, P::COLON})) ++sign;
    if (type(sign) == P::EQUALS || (type(last + 1) == P::PLUSSIGN && type(last + 2) == P::PLUSSIGN)) {
      bool plain = type(last + 1) == P::EQUALS || type(last + 1) == P::COLON;
      std::string target = words(i, last);
      std::string own =
          "set " + target + " to " + (plain ? ".." : target + " " + std::string(text(last + 1)) + " ..");
      report(builder_.make(Code::changeWithoutSet, range(i), {own}));
      return true;
    }
  }
  if (t == P::SLASH && type(i + 1) == P::STAR) {
    report(builder_.make(Code::foreignComment, {range(i).offset, 2}));
    return true;
  }
  // A list of names without its commas, or a name of several words.
  if (!begins && isName(i) && (isName(i - 1)) && sameLine(i, i - 1)) {
    size_t head = lineStart(i);
    bool listed = false;
    for (size_t k = head; k < i; ++k) listed = listed || type(k) == P::KW_IS;
    if (listed && isOneOf(type(head), {P::KW_TYPE, P::KW_TERRAIN})) {
      report(builder_.make(Code::unexpected, range(i), {describe(i), ": `,` is wanted before it"})
                 .withFix({range(i).offset, 0}, ", ", "put `,` before it"));
      return true;
    }
    if (isOneOf(type(head), {P::KW_USE, P::KW_OPTIONS, P::KW_REMOVE, P::KW_SCENARIO, P::KW_MAP}) &&
        !isReservedWord(kindOfType(t)))
      return severalWords(i);
  }
  if (rule == P::RuleRowBody && i > 1 && type(i - 1) == P::LEFTBRACE && isName(i)) {
    size_t head = lineStart(i);
    if (isOneOf(type(head), {P::KW_TYPE, P::KW_TERRAIN})) {
      report(rewrite({range(i - 1).offset, range(i).end() - range(i - 1).offset},
                     "is " + std::string(text(i)) + ", .."));
      return true;
    }
  }
  if ((isName(i) || t == P::INT) && tokens_.at(i).firstInLine && laterOnLine(i, P::PIPE) &&
      isOneOf(rule, {P::RuleRowBody, P::RuleTableBody, P::RuleForceBody})) {
    report(builder_.make(Code::rowWithoutPipe, range(i))
               .withFix({range(i).offset, 0}, "| ", "put `| ` before it"));
    return true;
  }
  if (i > 1 && type(i - 1) == P::KW_DECISION && type(i - 2) == P::KW_EXPECT) {
    report(builder_.make(Code::incomplete, range(i - 1), {"`decision`", "a text in double quotes"}));
    return true;
  }
  if (t == P::INT && type(i - (i > 0 ? 1 : 0)) == P::INT && sameLine(i, i - 1)) {
    report(builder_.make(Code::unexpected, range(i), {describe(i), ": `,` is wanted before it"})
               .withFix({range(i).offset, 0}, ", ", "put `,` before it"));
    return true;
  }
  if (t == P::COMMA && i > 1 && isName(i - 1) && type(i - 2) == P::KW_FACES) {
    report(builder_.make(
        Code::unexpected, range(i),
        {"`,`", ": the faces are the values of one type, `type F is " + words(i - 1, i + 1) + "`"}));
    return true;
  }
  return foreignSlip(i);
}

// What the item under way does not go on with.
bool SyntaxErrors::foreignError(size_t rule, size_t i, const Bits& expected) {
  size_t t = type(i);
  if (isOpenName(i)) return true;
  auto wants = [&](size_t what) { return what < expected.size() && expected[what]; };
  if (t == P::PIPE && i > 0 && isName(i - 1) && tokens_.at(i - 1).firstInLine && wants(P::LEFTBRACE)) {
    report(builder_.make(Code::rowWithoutPipe, range(i - 1))
               .withFix({range(i - 1).offset, 0}, "| ", "put `| ` before it"));
    return true;
  }
  if (t == P::KW_NOT && i > 0 && type(i - 1) == P::KW_CAN) {
    report(rewrite({range(i - 1).offset, range(i).end() - range(i - 1).offset}, "not can"));
    return true;
  }
  if (t == P::COLON && wants(P::EQUALS) && isOneOf(type(lineStart(i)), {P::KW_PLACE, P::KW_SETUP})) {
    report(exchange(i, "="));
    return true;
  }
  if (i > 3 && type(i - 1) == P::KW_FOR && type(i - 3) == P::KW_PHASE && type(i - 4) == P::KW_BEGIN) {
    report(exchange(i - 1, "of"));
    return true;
  }
  // `roll d6 "Attack"`
  if (rule == P::RuleRoll && wants(P::EQUALS) && t == P::TEXT && i > 1) {
    report(rewrite({range(i - 2).offset, range(i - 1).end() - range(i - 2).offset},
                   "roll die = " + std::string(text(i - 1))));
    return true;
  }
  if (i > 0 && wants(P::KW_AT) && i >= 2 && type(i - 2) == P::KW_PERFORM) {
    report(builder_.make(Code::incomplete, range(i - 1), {code(text(i - 1)), "`at most n times`"})
               .withFix({range(i - 1).end(), 0}, " at most 100 times", "write ` at most 100 times`"));
    return true;
  }
  // `state moved: no`
  if (i >= 2 && type(i - 1) == P::COLON &&
      isOneOf(t, {P::KW_YES, P::KW_NO, P::KW_NONE, P::INT, P::MINUSSIGN, P::FRACTION, P::TEXT}) &&
      isWord(i - 2)) {
    report(builder_.make(Code::unexpected, range(i - 1), {"`:`", ": what a name stands for follows `=`"})
               .withFix(range(i - 1), " =", "write `=`"));
    return true;
  }
  if (text(i > 0 ? i - 1 : i) == "case" && (isName(i) || t == P::INT)) {
    report(
        builder_.make(Code::needlessWord, range(i - 1), {"case"}).withFix(range(i - 1), "", "strike it out"));
    return true;
  }
  // `with works_face = w, nw, sw`
  if (wants(P::EQUALS) && i >= 2 && isWord(i - 1) && type(i - 2) == P::COMMA &&
      laterOnLine(lineStart(i), P::KW_WITH)) {
    report(builder_.make(Code::unexpected, range(i - 2),
                         {"`,`", ": several values stand in brackets, `(a, b)`"}));
    return true;
  }
  if (t == P::INT && type(i + 1) == P::DOT && type(i + 2) == P::INT && wants(P::ODDS)) {
    TextRange all{range(i).offset, range(i + 2).end() - range(i).offset};
    report(rewrite(all, std::string(text(i)) + ":" + std::string(text(i + 2))));
    return true;
  }
  if (i > 1 && isName(i) && isName(i - 1) && !isSoftWord(kindOfType(t)) && sameLine(i, i - 1) &&
      isOneOf(type(lineStart(i)), {P::KW_ARRIVE, P::KW_PLACE, P::KW_USE, P::KW_REMOVE, P::KW_FORCES}))
    return severalWords(i);
  // `choose 2 us`, `choose one u`
  if (rule == P::RuleChoose || rule == P::RuleNumber || rule == P::RulePostfix || rule == P::RuleDecision) {
    if (i > 1 && isName(i) && type(i - 1) == P::INT && type(i - 2) == P::KW_CHOOSE) {
      report(rewrite(range(i - 1), "exactly " + std::string(text(i - 1))));
      return true;
    }
    if (i > 1 && isName(i) && (text(i - 1) == "one" || text(i - 1) == "a" || text(i - 1) == "an") &&
        type(i - 2) == P::KW_CHOOSE) {
      report(builder_.make(Code::needlessWord, range(i - 1), {std::string(text(i - 1))})
                 .withFix(range(i - 1), "", "strike it out: one is chosen where no number stands"));
      return true;
    }
  }
  if (wants(P::COMMA) && isName(i) && isName(i - 1) && sameLine(i, i - 1) && !goesOn(i) && !wants(P::ID) &&
      isOneOf(type(lineStart(i)), {P::KW_PLAYER, P::KW_OVER, P::KW_OPTIONS, P::KW_REMOVE, P::KW_ACTION})) {
    report(builder_.make(Code::unexpected, range(i), {describe(i), ": `,` is wanted before it"})
               .withFix({range(i).offset, 0}, ", ", "put `,` before it"));
    return true;
  }
  if (i > 0 && type(i - 1) == P::DOT && t != P::INT) {
    report(builder_.make(Code::incomplete, range(i - 1), {"`.`", "a field"}));
    return true;
  }
  // `attackers: set`
  if (i > 1 && type(i - 1) == P::KW_SET && type(i - 2) == P::COLON) {
    report(builder_.make(Code::incomplete, range(i - 1), {"`set`", "`of` and a type"}));
    return true;
  }
  // `us: Unit set`
  if (t == P::KW_SET && i > 1 && isName(i - 1) && type(i - 2) == P::COLON) {
    report(rewrite({range(i - 1).offset, range(i).end() - range(i - 1).offset},
                   "set of " + std::string(text(i - 1))));
    return true;
  }
  if (t == P::COMMA && i > 0 && isWord(i - 1) && wants(P::COLON)) {
    report(builder_.make(Code::incomplete, range(i - 1), {code(text(i - 1)), "`: ` and a type"}));
    return true;
  }
  if (t == P::COLON && wants(P::KW_AT) && wants(P::KW_IN) && type(lineStart(i)) == P::KW_PLACE) {
    report(exchange(i, "="));
    return true;
  }
  if (t == P::TEXT && i > 0 && type(i - 1) == P::KW_WINS && wants(P::KW_WINS)) {
    report(builder_.make(Code::incomplete, range(i - 2), {"`side`", "a name, as in `any side s wins`"}));
    return true;
  }
  // What narrows a set stands in brackets where one thing may stand.
  if (isOneOf(t, {P::KW_OF, P::KW_WITHIN, P::KW_ADJACENT, P::KW_EXCEPT, P::KW_PLUS, P::KW_WHERE}) && i > 0 &&
      isOneOf(type(lineStart(i)), {P::KW_PLACE, P::KW_MOVE, P::KW_ARRIVE, P::KW_WALK}) && isWord(i - 1)) {
    report(builder_.make(
        Code::unexpected, range(i),
        {describe(i), ": what is narrowed down stands in brackets, `(" + words(i - 1, i) + " ..)`"}));
    return true;
  }
  if (t == P::KW_OF && i > 1 && type(i - 2) == P::KW_SET && isWord(i + 1)) {
    TextRange all{range(i - 1).offset, range(i + 1).end() - range(i - 1).offset};
    report(rewrite(all, std::string(text(i + 1)) + "." + std::string(text(i - 1))));
    return true;
  }
  // Quotes of the other sort.
  if (t == P::TEXT && wants(P::QNAME) && !wants(P::INT) && !wants(P::TEXT)) {
    std::string quoted(text(i));
    std::replace(quoted.begin(), quoted.end(), '"', '\'');
    report(builder_.make(Code::textForThing, range(i)).withFix(range(i), quoted, "write `" + quoted + "`"));
    return true;
  }
  if (t == P::QNAME && wants(P::TEXT) && !wants(P::QNAME)) {
    std::string quoted(text(i));
    std::replace(quoted.begin(), quoted.end(), '\'', '"');
    report(builder_.make(Code::unexpected, range(i), {describe(i), ": a text has double quotes"})
               .withFix(range(i), quoted, "write `" + quoted + "`"));
    return true;
  }
  return foreignSlip(i);
}

// What stands in several places of the file is a name, not a misspelt word.
bool SyntaxErrors::standsElsewhere(size_t index) const {
  size_t count = 0;
  for (size_t k = 0; type(k) != antlr4::Token::EOF; ++k)
    if (type(k) == P::ID && text(k) == text(index) && ++count > 1) return true;
  return false;
}

// The word before is near a word of the language that would fit: `Any units`, `refuse attack(..)`.
bool SyntaxErrors::misspeltBefore(size_t i) {
  if (i == 0 || type(i - 1) != P::ID || !sameLine(i, i - 1) || text(i - 1).size() < 3) return false;
  if (!isWord(i) && !isOneOf(type(i), {P::LEFTPAREN, P::INT, P::LEFTBRACE})) return false;
  // A field keeps its name; and if the word itself is a misspelt one, that is the slip.
  if ((i > 1 && type(i - 2) == P::DOT) || goesOn(i) || standsElsewhere(i - 1)) return false;
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made;
    for (int k = 0; k <= static_cast<int>(TokenKind::kw_other); ++k)
      if (auto kind = static_cast<TokenKind>(k); isKeyword(kind)) made.emplace_back(spelling(kind));
    return made;
  }();
  std::string lower(text(i - 1));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::string near;
  for (const std::string& word : all) {
    bool more = word.size() == lower.size() + 1 && word.starts_with(lower),
         less = lower.size() == word.size() + 1 && lower.starts_with(word);
    if (word == lower || (lower.size() > 3 && (more || less))) near = word;
  }
  if (near.empty() && lower.size() > 4 && !isOneOf(type(i), {P::LEFTBRACE, P::LEFTPAREN})) {
    near = nearest(lower, all);
    if (!near.empty() && spellingDistance(lower, near) > (lower.size() >= 8 ? 2U : 1U)) near.clear();
  }
  if (near.empty()) return false;
  report(builder_.make(Code::unexpected, range(i - 1), {describe(i - 1), ""})
             .withFix(range(i - 1), near, "did you mean `" + near + "`?"));
  return true;
}

// Two names side by side: something between them, or the quotes of a name, are missing.
bool SyntaxErrors::twoNames(size_t i) {
  if (i == 0 || !isName(i) || !isName(i - 1) || !sameLine(i, i - 1) || isSoftWord(kindOfType(type(i))))
    return false;
  if (goesOn(i)) return false;
  size_t head = lineStart(i);
  bool listed = false, condition = isOneOf(type(head), {P::KW_EXPECT, P::KW_IF});
  for (size_t k = head; k + 1 < i; ++k) {
    listed = listed || type(k) == P::KW_IS;
    condition = condition || isOneOf(type(k), {P::KW_WHEN, P::KW_WHERE, P::KW_WHILE});
  }
  if (listed || text(i - 1) == "that") {
    if (text(i - 1) != "that") return false;
    report(
        builder_.make(Code::needlessWord, range(i - 1), {"that"}).withFix(range(i - 1), "", "strike it out"));
    return true;
  }
  Diagnostic told =
      builder_.make(Code::unexpected, range(i), {describe(i), ": something is missing before it"});
  if (isOneOf(type(head),
              {P::KW_WIN, P::KW_DRAW, P::KW_SAY, P::VICTORY_AT, P::KW_DESIGNER, P::KW_BOX, P::KW_FORBID}))
    told.help.push_back("a text stands in double quotes: `\"..\"`");
  if (condition)
    told.help.push_back(code(std::string(text(i - 1)) + " is " + std::string(text(i))) + " asks what it is");
  told.help.push_back("a name of several words has single quotes: " + code("'" + words(i - 1, i) + "'"));
  report(std::move(told));
  return true;
}

// A name that lacks its quotes: from the word before i to the last word that can belong to it.
bool SyntaxErrors::severalWords(size_t i) {
  if (type(i - 1) == P::QNAME || type(i) == P::QNAME) {
    report(builder_.make(Code::unexpected, range(i), {describe(i), ": `,` is wanted before it"})
               .withFix({range(i).offset, 0}, ", ", "put `,` before it"));
    return true;
  }
  size_t last = i;
  while (sameLine(last + 1, i) && isName(last + 1) && !isSoftWord(kindOfType(type(last + 1)))) ++last;
  TextRange all{range(i - 1).offset, range(last).end() - range(i - 1).offset};
  std::string quoted = "'" + words(i - 1, last) + "'";
  Diagnostic told =
      builder_.make(Code::nameOfSeveralWords, all, {quoted}).withFix(all, quoted, "write `" + quoted + "`");
  if (type(lineStart(i)) == P::KW_PLACE) told.fix.reset();
  if (type(lineStart(i)) == P::KW_PLACE)
    told.help.push_back("the counter of a side stands behind a dot: `Side.Name`");
  report(std::move(told));
  return true;
}

} // namespace hellwig
