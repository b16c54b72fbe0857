// SPDX-License-Identifier: Apache-2.0
// How syntax errors are worded: common slips get a message of their own, all else names what could stand
// there.

#include "lang/syntax_errors.h"

#include <algorithm>
#include <numeric>

namespace hellwig {
namespace {

using P = HellwigParser;
using Code = DiagnosticCode;

// What may continue an item; a misspelt one is found among these.
const std::vector<std::string> continuations = {
    "when",     "where", "with", "from", "to", "by",        "in",      "at",      "and",    "or",   "not",
    "provided", "is",    "of",   "like", "as", "otherwise", "rounded", "between", "within", "along"};

// Words of other languages, and what is written for them here.
std::string wordMeant(std::string_view foreign, const std::vector<std::string>& possible) {
  static const std::pair<std::string_view, std::string_view> meant[] = {
      {"if", "when"},         {"while", "repeat at most n times while"},
      {"unless", "when not"}, {"function", "value"},
      {"func", "value"},      {"def", "procedure"},
      {"rule", "permission"}, {"foreach", "for each"},
      {"var", "let"},         {"const", "value"},
      {"print", "say"},       {"deny", "forbid"},
      {"loop", "repeat"},     {"switch", "match"},
      {"enum", "type"},       {"unit", "counter"},
      {"elseif", "else if"},  {"class", "counter"}};
  for (auto [word, own] : meant)
    if (word == foreign &&
        std::find(possible.begin(), possible.end(), own.substr(0, own.find(' '))) != possible.end())
      return std::string(own);
  return {};
}

std::string wordOf(size_t type) {
  return std::string(spelling(kindOfType(type)));
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += "`" + words[i] + "`";
  }
  return out;
}

} // namespace

Diagnostic decimalNumber(TreeBuilder& builder, TextRange at) {
  std::string_view words = builder.tree().source().text(at);
  std::string whole(words.substr(0, words.find('.'))), decimals(words.substr(words.find('.') + 1));
  if (whole.size() + decimals.size() > 8) return builder.make(Code::decimalNumber, at, {"such as `1/2`"});
  // 2.50 is 250/100, made smaller by what both have in common.
  long top = std::stol(whole + decimals), bottom = 1;
  for (size_t k = 0; k < decimals.size(); ++k) bottom *= 10;
  long common = std::gcd(top, bottom);
  std::string fraction =
      std::to_string(top / common) + (bottom == common ? "" : "/" + std::to_string(bottom / common));
  return builder.make(Code::decimalNumber, at, {"`" + fraction + "`"})
      .withFix(at, fraction, "write `" + fraction + "`");
}

// ---- Tokens

TextRange SyntaxErrors::range(size_t index) const {
  const ParseToken& token = tokens_.at(index);
  const SyntaxTree& tree = builder_.tree();
  if (valid(token.id)) return tree.range(token.id);
  // The end, or a supplied brace: just behind the last word.
  uint32_t at = token.treePosition < tree.tokenCount() ? tree.token(token.treePosition).offset
                                                       : static_cast<uint32_t>(tree.source().text().size());
  for (size_t i = std::min(index, tokens_.at(index).index); i-- > 0;)
    if (valid(tokens_.at(i).id)) return {tree.range(tokens_.at(i).id).end(), 0};
  return {at, 0};
}

bool SyntaxErrors::sameLine(size_t a, size_t b) const {
  const SourceText& source = builder_.tree().source();
  return source.lineOf(range(a).offset) == source.lineOf(range(b).offset);
}

bool SyntaxErrors::isName(size_t index) const {
  TokenKind kind = kindOfType(type(index));
  return kind == TokenKind::name || kind == TokenKind::label || kind == TokenKind::quotedName ||
         isSoftWord(kind);
}

bool SyntaxErrors::isWord(size_t index) const {
  return isName(index) || isKeyword(kindOfType(type(index)));
}

std::string SyntaxErrors::describe(size_t index) const {
  size_t t = type(index);
  if (t == antlr4::Token::EOF) return "the end of the file";
  if (!valid(tokens_.at(index).id)) return "the end of the declaration";
  switch (t) {
  case P::MARK: return "a mark";
  case P::TEXT: return "a text";
  case P::CELL: return "a cell";
  case P::PIPE: return "a row";
  default: return "`" + std::string(text(index)) + "`";
  }
}

void SyntaxErrors::report(Diagnostic diagnostic) {
  reportedAt_.push_back(diagnostic.range.offset);
  builder_.report(std::move(diagnostic));
}

// "did you mean", if a word that could stand there is near in spelling; else a list of at most five.
void SyntaxErrors::suggest(Diagnostic& diagnostic, size_t index,
                           const std::vector<std::string>& words) const {
  if (words.empty() || diagnostic.fix) return;
  if (isWord(index)) {
    std::string near = wordMeant(text(index), words);
    // A word of the language is no misspelling of another one, and two letters are near to too much.
    if (near.empty() && text(index).size() > 2 && !isKeyword(kindOfType(type(index))))
      near = nearest(text(index), words);
    if (near == text(index)) return;
    if (!near.empty()) {
      diagnostic.fix = Fix{range(index), near, "did you mean `" + near + "`?"};
      return;
    }
  }
}

// Whether a misspelt word was to go on with the item under way: `adn`, `wher`.
bool SyntaxErrors::goesOn(size_t index) const {
  return isName(index) && text(index).size() > 2 && !nearest(text(index), continuations).empty();
}

// ---- Slips that have a message of their own

// Slips within expressions, wherever they end up being noticed.
bool SyntaxErrors::reportSlip(size_t i, bool inExpression) {
  size_t t = type(i);
  if (t == P::OTHER) return foreignSign(i);
  if (i == 0) return false;
  if (t == P::EQUALS && inExpression && !(touches(i + 1) && isOneOf(type(i + 1), {P::LESS, P::GREATER}))) {
    report(builder_.make(Code::equalsInCondition, range(i)).withFix(range(i), "is", "write `is`"));
    return true;
  }
  if (t == P::INT && i >= 2 && type(i - 1) == P::DOT && type(i - 2) == P::INT) {
    report(decimalNumber(builder_, {range(i - 2).offset, range(i).end() - range(i - 2).offset}));
    return true;
  }
  if (t == P::KW_OF && i >= 2 && type(i - 1) == P::INT && type(i - 2) == P::KW_PLACE) {
    report(builder_.make(Code::placeCount, range(i - 1), {std::string(text(i - 1))}));
    return true;
  }
  if (t == P::KW_IN && i >= 2 && isName(i - 1) && laterOnLine(i, P::KW_WHERE)) {
    size_t before = type(i - 2);
    if (before == P::KW_ANY || before == P::KW_NO || before == P::KW_ALL || before == P::KW_OF ||
        before == P::KW_OVER || before == P::KW_THOSE) {
      report(builder_.make(Code::elementWithIn, range(i)).withFix(range(i), "from", "write `from`"));
      return true;
    }
  }
  return false;
}

// Slips that leave something behind which begins no item of the list.
bool SyntaxErrors::junkSlip(antlr4::Parser* parser, size_t i) {
  size_t rule = parser->getContext()->getRuleIndex();
  size_t t = type(i);
  bool statements = rule == P::RuleBlock || rule == P::RuleTestBody;
  if (t != P::OTHER && foreignJunk(rule, i)) return true;
  if (reportSlip(i, i > 0 && !tokens_.at(i).firstInLine && type(i - 1) != P::LEFTBRACE)) return true;
  if (t == P::MARK) {
    report(builder_.make(Code::markOutOfPlace, range(i)));
    return true;
  }
  if (i > 0 && type(i - 1) == P::MARK && i > 1 && type(i - 2) == P::PIPE && sameLine(i, i - 1)) {
    report(builder_.make(Code::markInCell, range(i - 1)));
    return true;
  }
  if (rule == P::RuleStepBody && (t == P::PLUSSIGN || t == P::MINUSSIGN)) {
    std::string word = t == P::PLUSSIGN ? "add" : "subtract";
    report(builder_.make(Code::stepWithoutWord, range(i), {word + " " + std::string(text(i + 1))})
               .withFix({range(i).offset, range(i + 1).offset - range(i).offset}, word + " ",
                        "write `" + word + "`"));
    return true;
  }
  if (statements && isName(i) && type(i + 1) == P::LEFTPAREN &&
      (i == 0 || tokens_.at(i).firstInLine || !isWord(i - 1) || type(i - 1) == P::KW_ELSE)) {
    std::string name(text(i));
    report(builder_.make(Code::callWithoutDo, range(i), {"do " + name + "(..)"})
               .withFix({range(i).offset, 0}, "do ", "put `do` before it"));
    return true;
  }
  if (statements && t == P::KW_REMOVE) {
    report(builder_.make(Code::removeAsStatement, range(i), {std::string(text(i + 1))})
               .withHelp("the boxes of the game are declared with `box`"));
    return true;
  }
  if (i > 0 && (type(i - 1) == P::KW_FORBID || type(i - 1) == P::KW_ALLOW) && t != P::KW_IF &&
      sameLine(i, i - 1) && wordMeant(text(i), {"when"}).empty() && nearest(text(i), {"when"}).empty()) {
    report(builder_.make(Code::incomplete, range(i - 1), {"`" + std::string(text(i - 1)) + "`", "`when`"})
               .withFix({range(i).offset, 0}, "when ", "put `when` before the condition"));
    return true;
  }
  if (rule == P::RuleBlock && (t == P::KW_EXPECT || t == P::KW_DICE || t == P::KW_DECIDE)) {
    report(builder_.make(Code::misplacedStatement, range(i), {std::string(text(i)), "a test"}));
    return true;
  }
  if (statements && t == P::KW_ELSE) {
    report(builder_.make(Code::noItem, range(i), {"`else`", "a statement"})
               .withHelp("`else` stands behind the `}` of an `if`; what is done if there is nothing to "
                         "choose is `otherwise`"));
    return true;
  }
  if (statements && t == P::KW_OTHERWISE && i > 0 && type(i - 1) == P::RIGHTBRACE) {
    report(builder_.make(Code::otherwiseForElse, range(i)).withFix(range(i), "else", "write `else`"));
    return true;
  }
  if (statements && t == P::KW_STATE) {
    std::string name(text(i + 1));
    report(builder_.make(Code::stateAsStatement, range(i), {name}));
    return true;
  }
  if (rule == P::RulePhaseBody && t < (*containers_)[P::RuleBlock].first.size() &&
      (*containers_)[P::RuleBlock].first[t]) {
    std::string phase = "N";
    for (size_t k = i; k-- > 1;)
      if (type(k - 1) == P::KW_PHASE) {
        phase = std::string(text(k));
        break;
      }
    report(builder_.make(Code::statementInPhaseAmendment, range(i), {phase}));
    return true;
  }
  if (rule == P::RuleFile || rule == P::RuleDeclBody || rule == P::RuleScenarioBody) return hookSlip(i);
  return false;
}

// `at end of player turn { }`, `on turn { }`: the line begins so, even if an expression before it took in its
// first words.
bool SyntaxErrors::hookSlip(size_t i) {
  size_t head = i;
  while (head > 0 && !tokens_.at(head).firstInLine) --head;
  bool at = (type(head) == P::VICTORY_AT || type(head) == P::KW_AT) && type(head + 2) == P::KW_OF;
  bool atEnd = at && type(head + 1) == P::KW_END;
  bool atStart = at && (type(head + 1) == P::KW_START || text(head + 1) == "beginning");
  if (!atEnd && !atStart && type(head) != P::KW_ON) return false;
  size_t k = at ? head + 3 : head + 1;
  std::string what = atEnd ? "after" : "before";
  for (size_t n = 0; n < 3 && isWord(k) && type(k) != P::KW_WHEN; ++n, ++k)
    what += " " + std::string(text(k));
  TextRange all{range(head).offset, range(k - 1).end() - range(head).offset};
  report(builder_.make(Code::hookWording, all, {what + " { }"}).withFix(all, what, "write `" + what + "`"));
  return true;
}

void SyntaxErrors::reportJunk(antlr4::Parser* parser, const Container& container) {
  size_t i = tokens_.index();
  if (junkSlip(parser, i)) return;
  if (headSlip(i)) return;
  std::vector<std::string> words;
  for (size_t t = 1; t < container.first.size(); ++t)
    if (container.first[t] && isKeyword(kindOfType(t))) words.push_back(wordOf(t));
  bool begins = i == 0 || tokens_.at(i).firstInLine || type(i - 1) == P::LEFTBRACE;
  // What may follow a statement that ends with a text, a mark or a block.
  if (parser->getContext()->getRuleIndex() == P::RuleBlock && i > 0 &&
      isOneOf(type(i - 1), {P::RIGHTBRACE, P::TEXT, P::MARK}))
    words.insert(words.end(), {"else", "otherwise", "or"});
  if (!begins) {
    bool field = isName(i) && type(i + 1) == P::COLON && i > 0 && isWord(i - 1);
    Diagnostic told =
        builder_.make(Code::unexpected, range(i), {describe(i), field ? ": `,` is wanted before it" : ""});
    std::vector<std::string> both = continuations;
    both.insert(both.end(), words.begin(), words.end());
    suggest(told, i, both);
    if (told.fix || field || !twoNames(i)) report(std::move(told));
    return;
  }
  Diagnostic told = builder_.make(Code::noItem, range(i), {describe(i), container.wording});
  suggest(told, i, words);
  // Lists of names (forces, fields) have no words of their own.
  bool names = container.first[P::ID];
  if (!told.fix && !words.empty() && !names) {
    std::vector<std::string> few = isWord(i) ? nearestFew(text(i), words, 5) : nearestFew("", words, 5);
    told.help.push_back(std::string(container.wording) + " begins with " + listed(few) +
                        (words.size() > few.size() ? " .." : ""));
  }
  report(std::move(told));
}

// `option Rally on 4+ {`, `counter move {`: the name in the head of a declaration.
bool SyntaxErrors::headSlip(size_t i) {
  if (i < 2 || !isName(i - 1) || !sameLine(i, i - 1)) return false;
  size_t head = type(i - 2);
  // Clauses and statements whose name is followed by a word of the language are not meant.
  switch (head) {
  case P::KW_OPTION:
  case P::KW_OPTIONS:
  case P::KW_SCENARIO:
  case P::KW_PHASE:
  case P::KW_COUNTER:
  case P::KW_GROUP:
  case P::KW_BOX:
  case P::KW_MAP:
  case P::KW_FORCES:
  case P::KW_TYPE:
  case P::KW_RECORD:
  case P::KW_PERMISSION:
  case P::KW_ROUTE:
  case P::KW_PROCEDURE:
  case P::KW_TABLE:
  case P::KW_ZONE:
  case P::KW_ACTION: break;
  default: return false;
  }
  if (!isWord(i) && type(i) != P::INT) return false;
  if (type(i - 1) == P::QNAME || type(i) == P::QNAME)
    return isName(i) && head == P::KW_OPTIONS && severalWords(i);
  if (isOneOf(head, {P::KW_COUNTER, P::KW_GROUP}) && isName(i) &&
      isOneOf(type(i + 1), {P::LEFTBRACE, P::KW_IS, P::MARK})) {
    report(builder_.make(Code::unexpected, range(i), {describe(i), ": `,` is wanted before it"})
               .withFix({range(i).offset, 0}, ", ", "put `,` before it"));
    return true;
  }
  if (head == P::KW_OPTION && isOneOf(type(i), {P::KW_OFF, P::KW_ON}) &&
      isOneOf(type(i + 1), {P::LEFTBRACE, P::TEXT, P::MARK})) {
    report(builder_.make(Code::incomplete, range(i - 1), {"`" + std::string(text(i - 1)) + "`", "`default`"})
               .withFix({range(i).offset, 0}, "default ", "put `default` before it"));
    return true;
  }
  size_t last = i;
  while (sameLine(last + 1, i) &&
         (isWord(last + 1) || type(last + 1) == P::INT || type(last + 1) == P::PLUSSIGN ||
          type(last + 1) == P::MINUSSIGN || type(last + 1) == P::OTHER) &&
         type(last + 1) != P::KW_IS && type(last + 1) != P::KW_DEFAULT && type(last + 1) != P::KW_EXTENDS &&
         type(last + 1) != P::KW_WHEN && type(last + 1) != P::KW_BY && type(last + 1) != P::KW_LIKE)
    ++last;
  TextRange all{range(i - 1).offset, range(last).end() - range(i - 1).offset};
  std::string name(builder_.tree().source().text(all));
  name.erase(std::remove(name.begin(), name.end(), '\''), name.end());
  std::string quoted = "'" + name + "'";
  report(
      builder_.make(Code::nameOfSeveralWords, all, {quoted}).withFix(all, quoted, "write `" + quoted + "`"));
  return true;
}

void SyntaxErrors::reportIncompleteBefore(size_t word) {
  report(
      builder_.make(Code::incomplete, range(word - 1), {"`" + std::string(text(word - 1)) + "`", "something"})
          .also(builder_.tree().sharedSource(), range(word), "here the next item begins"));
}

// A word of the list that stands first in its line and was taken for a name: the mistake is before it.
bool SyntaxErrors::softWordSlip(antlr4::Parser* parser, size_t i) {
  for (size_t k = i; k > 0 && i - k < 2; --k) {
    size_t before = k - 1;
    if (!tokens_.at(before).firstInLine || !isSoftWord(kindOfType(type(before))) || before == 0) continue;
    for (antlr4::RuleContext* at = parser->getContext(); at;
         at = dynamic_cast<antlr4::RuleContext*>(at->parent)) {
      const Container* container = containerOf(dynamic_cast<antlr4::RuleContext*>(at->parent));
      if (!container) continue;
      auto* start = static_cast<const ParseToken*>(static_cast<antlr4::ParserRuleContext*>(at)->getStart());
      if (!start || start->index >= before || !container->first[type(before)]) return false;
      reportIncompleteBefore(before);
      resumeAt_ = before;
      return true;
    }
  }
  return false;
}

bool SyntaxErrors::expectationSlip(antlr4::Parser* parser, size_t i, const Bits& expected) {
  size_t rule = parser->getContext()->getRuleIndex();
  size_t t = type(i);
  auto wants = [&](size_t what) { return what < expected.size() && expected[what]; };
  if (t == P::EQUALS && rule == P::RuleSetStmt) {
    size_t k = i;
    while (k > 0 && type(k) != P::KW_SET) --k;
    std::string target(
        builder_.tree().source().text({range(k).offset, range(i - 1).end() - range(k).offset}));
    report(builder_.make(Code::setWithEquals, range(i), {target + " to .."})
               .withFix(range(i), "to", "write `to`"));
    return true;
  }
  if (t == P::KW_ON && wants(P::KW_LATER)) {
    std::string turn = type(i + 1) == P::KW_TURN && type(i + 2) == P::INT ? std::string(text(i + 2)) : "N";
    report(builder_.make(Code::onTurn, range(i), {turn}).withFix(range(i), "from", "write `from`"));
    return true;
  }
  if (rule == P::RuleVictoryClause || rule == P::RuleWinner || rule == P::RulePostfix ||
      rule == P::RulePrimary) {
    if (i >= 2 && (type(i - 1) == P::KW_END || type(i - 1) == P::KW_ONCE) && type(i - 2) == P::VICTORY_AT) {
      if (t == P::KW_WIN) {
        report(builder_.make(Code::winInVictory, range(i), {"at " + std::string(text(i - 1))}));
        return true;
      }
      if (t == P::KW_IF) {
        report(builder_.make(Code::ifInVictory, range(i)));
        return true;
      }
    }
  }
  if (i > 0 && type(i - 1) == P::KW_ON && tokens_.at(i - 1).firstInLine && wants(P::KW_OR) && hookSlip(i))
    return true;
  if (i > 0 && type(i - 1) == P::KW_REMOVE && isName(i)) {
    std::string what(text(i));
    for (size_t k = i + 1; type(k) == P::DOT && isWord(k + 1); k += 2) what += "." + std::string(text(k + 1));
    report(builder_.make(Code::removeWithoutForces, range(i), {what})
               .withFix({range(i).offset, 0}, "forces ", "put `forces` before it"));
    return true;
  }
  if (wants(P::KW_ELSE)) {
    for (size_t k = i; k-- > 0 && type(k) != P::KW_THEN && i - k < 200;)
      if (type(k) == P::KW_OTHERWISE) {
        report(builder_.make(Code::otherwiseForElse, range(k)).withFix(range(k), "else", "write `else`"));
        return true;
      }
    bool ended = tokens_.at(i).firstInLine || type(i) == P::RIGHTBRACE || type(i) == antlr4::Token::EOF;
    if (t != P::OTHER && !wants(P::ID) && (ended || !isName(i))) {
      report(builder_.make(Code::missingElse, range(i > 0 ? i - 1 : i)));
      return true;
    }
  }
  if (i > 1 && (type(i - 2) == P::KW_BEFORE || type(i - 2) == P::KW_AFTER) && tokens_.at(i - 2).firstInLine &&
      isName(i - 1) && wants(P::LEFTPAREN) && t != P::LEFTPAREN) {
    std::string hook(text(i - 2)), name(text(i - 1));
    report(builder_.make(Code::hookWording, range(i - 1),
                         {hook + " phase " + name + "` or, of a procedure, `" + hook + " " + name + "(..)"}));
    return true;
  }
  if (t == P::KW_OF && i > 1 && type(i - 2) == P::COLON && isName(i - 1)) {
    report(builder_.make(Code::unexpected, range(i - 1), {describe(i - 1), ": a type is wanted"})
               .withFix(range(i - 1), "set", "did you mean `set`?"));
    return true;
  }
  if (i > 0 && (type(i - 1) == P::KW_AMEND || type(i - 1) == P::KW_REPLACE) && isName(i) &&
      type(i + 1) == P::LEFTPAREN) {
    report(builder_.make(Code::unexpected, range(i),
                         {describe(i), ": before the name stands `value`, `permission`, `route` or `zone`"}));
    return true;
  }
  // A word of the language where only a name may stand.
  if (isReservedWord(kindOfType(t)) && i > 0 && type(i - 1) == P::LEFTPAREN && type(i + 1) == P::COLON) {
    std::string quoted = "'" + std::string(text(i)) + "'";
    report(builder_.make(Code::reservedWord, range(i), {std::string(text(i))})
               .withFix(range(i), quoted, "write `" + quoted + "`"));
    return true;
  }
  if (isReservedWord(kindOfType(t)) && wants(P::ID) && wants(P::QNAME) && isName(i + 1) &&
      sameLine(i + 1, i) && isOneOf(type(lineStart(i)), {P::KW_TYPE, P::KW_TERRAIN}))
    return severalWords(i + 1);
  if (isReservedWord(kindOfType(t)) && wants(P::ID) && wants(P::QNAME) && !wants(P::LEFTPAREN) &&
      !wants(P::TEXT) && (i == 0 || !tokens_.at(i).firstInLine)) {
    // In a list of names others may be words of the language, too.
    for (size_t at = i;; at += 2) {
      if (isReservedWord(kindOfType(type(at)))) {
        std::string quoted = "'" + std::string(text(at)) + "'";
        report(builder_.make(Code::reservedWord, range(at), {std::string(text(at))})
                   .withFix(range(at), quoted, "write `" + quoted + "`"));
      } else if (!isName(at)) {
        break;
      }
      if (type(at + 1) != P::COMMA) break;
    }
    return true;
  }
  if (t == P::PIPE && i > 0 && type(i - 1) == P::PIPE && wants(P::CELL)) {
    TextRange gap{range(i - 1).offset, range(i).end() - range(i - 1).offset};
    report(builder_.make(Code::emptyCell, gap).withFix(gap, "| - |", "write `| - |`"));
    return true;
  }
  if (i > 1 && type(i - 1) == P::PIPE && type(i - 2) == P::PIPE && sameLine(i - 1, i - 2) &&
      tokens_.at(i).firstInLine && wants(P::CELL)) {
    TextRange gap{range(i - 2).offset, range(i - 1).end() - range(i - 2).offset};
    report(builder_.make(Code::emptyCell, gap).withFix(gap, "| - |", "write `| - |`"));
    return true;
  }
  if (i > 0 && type(i - 1) == P::KW_REPEAT && wants(P::KW_AT)) {
    TextRange behind{range(i - 1).end(), 0};
    report(builder_.make(Code::incomplete, range(i - 1), {"`repeat`", "`at most n times`"})
               .withFix(behind, " at most 100 times", "write ` at most 100 times`"));
    return true;
  }
  if (t == P::TEXT && i > 0 && wants(P::INT) && wants(P::LEFTPAREN) && wants(P::ID)) {
    switch (type(i - 1)) {
    case P::KW_IS:
    case P::KW_NOT:
    case P::KW_TO:
    case P::KW_IN:
    case P::KW_OF:
    case P::KW_AT:
    case P::LEFTPAREN:
    case P::COMMA: {
      std::string quoted(text(i));
      std::replace(quoted.begin(), quoted.end(), '"', '\'');
      report(builder_.make(Code::textForThing, range(i)).withFix(range(i), quoted, "write `" + quoted + "`"));
      return true;
    }
    default:
      report(builder_.make(Code::incomplete, range(i - 1),
                           {"`" + std::string(text(i - 1)) + "`", "an expression"}));
      return true;
    }
  }
  if (t == P::MARK && i > 0 && type(i - 1) == P::PIPE && wants(P::CELL)) {
    report(builder_.make(Code::markInCell, range(i)));
    return true;
  }
  if (i > 0 && type(i - 1) == P::CELL && wants(P::PIPE)) {
    TextRange end{range(i - 1).end(), 0};
    report(builder_.make(Code::cellWithoutPipe, range(i - 1)).withFix(end, " |", "end the cell with ` |`"));
    return true;
  }
  return false;
}

// ---- All else

SyntaxErrors::Bits SyntaxErrors::expectedTokens(antlr4::Parser* parser,
                                                const antlr4::RecognitionException& error) const {
  const antlr4::atn::ATN& atn = parser->getATN();
  Bits expected(atn.maxTokenType + 1, false);
  auto addAll = [&](const antlr4::misc::IntervalSet& set) {
    for (ssize_t t : set.toList())
      if (t > 0) expected[static_cast<size_t>(t)] = true;
  };
  if (auto* noAlternative = dynamic_cast<const antlr4::NoViableAltException*>(&error);
      noAlternative && noAlternative->getDeadEndConfigs() &&
      noAlternative->getOffendingToken() != noAlternative->getStartToken()) {
    for (const auto& config : noAlternative->getDeadEndConfigs()->configs)
      addAll(atn.nextTokens(config->state));
  } else {
    addAll(atn.nextTokens(atn.states[parser->getState()]));
  }
  return expected;
}

// "an expression is wanted", "`(` is wanted", or nothing if too much could stand there.
std::string SyntaxErrors::expectation(const Bits& expected, size_t index, Diagnostic& diagnostic) const {
  auto has = [&](size_t t) { return t < expected.size() && expected[t]; };
  std::vector<std::string> words, signs;
  bool name = has(P::ID), expression = has(P::INT) && has(P::LEFTPAREN) && name;
  for (size_t t = 1; t < expected.size(); ++t) {
    if (!expected[t]) continue;
    TokenKind kind = kindOfType(t);
    if (isKeyword(kind)) {
      if (!name || !isSoftWord(kind)) words.push_back(wordOf(t));
    } else if (t == P::TEXT) {
      signs.push_back("a text in double quotes");
    } else if (t == P::INT && !expression) {
      signs.push_back("a number");
    } else if (t != P::MARK && kind != TokenKind::none && kind != TokenKind::unknown && !name &&
               t != P::LABEL && t != P::CELL) {
      signs.push_back("`" + wordOf(t) + "`");
    }
  }
  suggest(diagnostic, index, words);
  if (expression) return "an expression";
  if (name) return "a name";
  // Words say more than signs; more than five would be no help.
  if (!words.empty()) {
    if (words.size() > 5 && signs.size() > 1) return "";
    return listed(words.size() <= 5 ? words
                  : isWord(index)   ? nearestFew(text(index), words, 5)
                                    : nearestFew("", words, 5));
  }
  std::string out;
  // Two things in a row within brackets: the comma is as likely to be missing as the bracket.
  if (signs.size() == 1 && signs[0] == "`)`" &&
      (isName(index) || type(index) == P::INT || type(index) == P::LEFTPAREN))
    signs.insert(signs.begin(), "`,`");
  for (const std::string& sign : signs) out += (out.empty() ? "" : " or ") + sign;
  return signs.size() <= 3 ? out : "";
}

void SyntaxErrors::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& error) {
  auto* offending = static_cast<const ParseToken*>(error.getOffendingToken());
  size_t i = offending ? offending->index : tokens_.index();
  if (!firstError_) firstError_ = range(i);
  if (fragment_ || reported_) return;
  reported_ = true;
  if (quiet_) return;
  if (!containers_) containers_ = &containers(parser);
  Bits expected = expectedTokens(parser, error);
  if (type(i) != P::OTHER && foreignError(parser->getContext()->getRuleIndex(), i, expected)) return;
  if (expectationSlip(parser, i, expected)) return;
  if (softWordSlip(parser, i)) return;
  if (reportSlip(i, true)) return;
  if (headSlip(i)) return;
  // At the end of a list or declaration, or on a new line, what is missing is missing behind the last word.
  bool ended = i > 0 && (tokens_.at(i).firstInLine || type(i) == P::RIGHTBRACE || type(i) == P::MARK ||
                         type(i) == antlr4::Token::EOF || !valid(tokens_.at(i).id));
  if (ended) {
    Diagnostic told = builder_.make(Code::incomplete, range(i - 1), {"", ""});
    std::string wanted = expectation(expected, i, told);
    told.fix.reset();
    std::string what = type(i - 1) == P::TEXT || type(i - 1) == P::MARK || type(i - 1) == P::CELL
                           ? describe(i - 1)
                           : "`" + std::string(text(i - 1)) + "`";
    told.message = formatMessage(diagnosticInfo(Code::incomplete).message,
                                 {what, wanted.empty() ? "something" : wanted});
    report(std::move(told));
    return;
  }
  Diagnostic told = builder_.make(Code::unexpected, range(i), {describe(i), ""});
  std::string wanted = expectation(expected, i, told);
  if (wanted.empty() && !told.fix && twoNames(i)) return;
  if (!wanted.empty()) wanted = ": " + wanted + " is wanted";
  told.message = formatMessage(diagnosticInfo(Code::unexpected).message, {describe(i), wanted});
  report(std::move(told));
}

} // namespace hellwig
