// SPDX-License-Identifier: Apache-2.0
// Where parsing goes on after a mistake. Only the items of lists in braces recover; what begins no item is
// skipped.

#include "lang/syntax_errors.h"

#include <map>

namespace hellwig {
namespace {

using P = HellwigParser;

const std::map<size_t, const char*> wordings = {
    {P::RuleFile, "a declaration"},
    {P::RuleFieldBody, "a field"},
    {P::RuleRowBody, "a row"},
    {P::RuleGameBody, "an item of a game"},
    {P::RuleCounterBody, "a clause of a counter"},
    {P::RuleGroupBody, "a clause of a group"},
    {P::RuleTableBody, "a clause or row of a table"},
    {P::RuleStepBody, "a step"},
    {P::RuleClauseBody, "a clause"},
    {P::RuleVictoryBody, "a clause of victory"},
    {P::RuleRouteBody, "an item of a route"},
    {P::RuleEdgeBody, "an item of a step"},
    {P::RuleEndBody, "an item of an end"},
    {P::RuleMapBody, "an item of a map"},
    {P::RuleForceBody, "a part of the forces"},
    {P::RuleLookBody, "an item of a look"},
    {P::RuleLookPropBody, "a property of a look"},
    {P::RuleDeclBody, "a declaration"},
    {P::RuleScenarioBody, "an item of a scenario"},
    {P::RulePhaseBody, "an amendment of a phase"},
    {P::RuleBlock, "a statement"},
    {P::RuleMatchBody, "an arm of `match`"},
    {P::RuleMenuBody, "an item of a menu"},
    {P::RuleTestBody, "an item of a test"},
};

} // namespace

const std::vector<SyntaxErrors::Container>& SyntaxErrors::containers(antlr4::Parser* parser) {
  static const std::vector<Container> table = [&] {
    const antlr4::atn::ATN& atn = parser->getATN();
    std::vector<Container> made(parser->getRuleNames().size());
    for (const auto& [rule, wording] : wordings) made[rule].wording = wording;
    for (antlr4::atn::ATNState* state : atn.states) {
      if (!state || state->getStateType() != antlr4::atn::ATNState::STAR_LOOP_ENTRY ||
          !made[state->ruleIndex].wording)
        continue;
      Bits& first = made[state->ruleIndex].first;
      first.assign(atn.maxTokenType + 1, false);
      for (ssize_t t : atn.nextTokens(state).toList())
        if (t > 0) first[static_cast<size_t>(t)] = true;
      first[P::RIGHTBRACE] = false;
    }
    return made;
  }();
  return table;
}

SyntaxErrors::SyntaxErrors(TreeBuilder& builder, TokenList& tokens, bool fragment)
    : builder_(builder), tokens_(tokens), fragment_(fragment) {
  missing_.index = noIndex;
}

const SyntaxErrors::Container* SyntaxErrors::containerOf(antlr4::RuleContext* context) const {
  if (!context || !containers_) return nullptr;
  const Container& container = (*containers_)[context->getRuleIndex()];
  return container.wording ? &container : nullptr;
}

// A word that begins an item here, does not follow a dot, and stands first in its line or behind a brace,
// mark or text.
bool SyntaxErrors::isSyncPoint(const Container& container, size_t index) const {
  size_t t = type(index);
  if (t == antlr4::Token::EOF || t >= container.first.size() || !container.first[t]) return false;
  if (index == 0) return true;
  size_t before = type(index - 1);
  if (before == P::DOT && !tokens_.at(index).firstInLine) return false;
  return tokens_.at(index).firstInLine || before == P::LEFTBRACE || before == P::RIGHTBRACE ||
         before == P::MARK || before == P::TEXT;
}

void SyntaxErrors::skip(antlr4::Parser* parser, const Container& container, bool wholeFile) {
  skipping_ = true;
  size_t depth = 0;
  for (;;) {
    size_t index = tokens_.index();
    size_t t = type(index);
    if (t == antlr4::Token::EOF) break;
    if (t == P::RIGHTBRACE && depth == 0 && !wholeFile) break;
    if (depth == 0 && isSyncPoint(container, index)) break;
    if (t == P::LEFTBRACE) ++depth;
    if (t == P::RIGHTBRACE && depth > 0) --depth;
    parser->consume();
  }
  skipping_ = false;
}

// `length` and, on the next line, `step from ..`: the item before took the word that begins the next one for
// a name.
bool SyntaxErrors::giveBackWord(antlr4::Parser* parser, const Container& container) {
  size_t index = tokens_.index();
  if (index < 2) return false;
  size_t word = index - 1;
  if (!isSyncPoint(container, word) || !tokens_.at(word).firstInLine || !isSoftWord(kindOfType(type(word))))
    return false;
  auto& siblings = parser->getContext()->children;
  auto* item = siblings.empty() ? nullptr : dynamic_cast<antlr4::ParserRuleContext*>(siblings.back());
  auto* start = item ? static_cast<const ParseToken*>(item->getStart()) : nullptr;
  if (!start || start->index >= word) return false;
  reportIncompleteBefore(word);
  // Every context that ends with the word ends before it now.
  while (item) {
    item->stop = const_cast<ParseToken*>(&tokens_.at(word - 1));
    item->exception = std::make_exception_ptr(0);
    item = item->children.empty() ? nullptr : dynamic_cast<antlr4::ParserRuleContext*>(item->children.back());
  }
  tokens_.seek(word);
  return true;
}

void SyntaxErrors::sync(antlr4::Parser* parser) {
  if (fragment_) return;
  if (!containers_) containers_ = &containers(parser);
  const Container* container = containerOf(parser->getContext());
  if (!container) return;
  bool wholeFile = parser->getContext()->getRuleIndex() == P::RuleFile;
  size_t t = tokens_.LA(1);
  if (t == antlr4::Token::EOF || (t == P::RIGHTBRACE && !wholeFile)) return;
  if (t < container->first.size() && container->first[t]) {
    quiet_ = false;
    return;
  }
  if (!quiet_ && giveBackWord(parser, *container)) return;
  if (!quiet_) reportJunk(parser, *container);
  skip(parser, *container, wholeFile);
  quiet_ = false;
}

antlr4::Token* SyntaxErrors::recoverInline(antlr4::Parser* parser) {
  // A missing `)` is supplied where what follows shows that the bracket has ended.
  if (!fragment_) {
    antlr4::misc::IntervalSet wanted =
        parser->getATN().nextTokens(parser->getATN().states[parser->getState()]);
    size_t index = tokens_.index();
    size_t t = type(index);
    bool ends = t == P::TEXT || t == P::MARK || t == P::LEFTBRACE || t == P::RIGHTBRACE ||
                t == antlr4::Token::EOF || (tokens_.at(index).firstInLine && t != P::EQUALS);
    if (wanted.size() == 1 && wanted.contains(static_cast<size_t>(P::RIGHTPAREN)) && ends) {
      size_t depth = 0, opener = index;
      while (opener-- > 0) {
        if (type(opener) == P::RIGHTPAREN) ++depth;
        if (type(opener) == P::LEFTPAREN && depth-- == 0) break;
      }
      if (!reported_ && !quiet_ && opener < index) {
        TextRange after{range(index - 1).end(), 0};
        report(builder_.make(DiagnosticCode::notClosed, range(opener), {"("})
                   .withFix(after, ")", "close it with `)`"));
      }
      quiet_ = true;
      return &missing_;
    }
  }
  throw antlr4::InputMismatchException(parser);
}

void SyntaxErrors::recover(antlr4::Parser* parser, std::exception_ptr error) {
  auto* context = parser->getContext();
  auto* parent = dynamic_cast<antlr4::RuleContext*>(context->parent);
  if (!parent) {
    reported_ = false;
    return;
  }
  const Container* container = fragment_ ? nullptr : containerOf(parent);
  if (!container) std::rethrow_exception(error);
  const auto* start = static_cast<const ParseToken*>(context->getStart());
  const size_t first = start ? start->index : 0;
  if (resumeAt_ && *resumeAt_ > first) {
    // The item ends before a word that the parser had taken for a name.
    tokens_.seek(*resumeAt_);
    resumeAt_.reset();
  } else {
    resumeAt_.reset();
    // The word that does not fit is no new beginning, unless it stands where one would.
    if (tokens_.index() > first && !tokens_.at(tokens_.index()).firstInLine &&
        type(tokens_.index()) != P::LEFTBRACE && type(tokens_.index()) != P::RIGHTBRACE &&
        tokens_.LA(1) != antlr4::Token::EOF) {
      skipping_ = true;
      parser->consume();
      skipping_ = false;
    }
    // An item that fails at its first word would begin there again and again.
    if (tokens_.index() <= first && tokens_.LA(1) != antlr4::Token::EOF) {
      skipping_ = true;
      parser->consume();
      skipping_ = false;
    }
    skip(parser, *container, parent->getRuleIndex() == P::RuleFile);
  }
  reported_ = false;
  quiet_ = false;
}

} // namespace hellwig
