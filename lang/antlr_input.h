// SPDX-License-Identifier: Apache-2.0
// What the generated lexer and parser read and write: private to the parsing sources, for it includes ANTLR.
#pragma once

#include "lang/syntax.h"

#include "HellwigLexer.h"
#include "HellwigParser.h"
#include <antlr4-runtime.h>

#include <limits>
#include <typeinfo>

namespace hellwig {

// The index of a token that is in no list.
inline constexpr size_t noIndex = std::numeric_limits<size_t>::max();

// One word as the lexer gives it; the type is a token type of HellwigLexer.
struct LexedToken {
  size_t type = 0;
  uint32_t offset = 0; // in the file
  uint32_t length = 0;
};

// The tokens of a stretch of the source, without white space and comments.
std::vector<LexedToken> lex(const SourceText& source, TextRange range);

TokenKind kindOfType(size_t antlrType);

// A token as the parser sees it: its type, its place in the parser's list, and the token of the tree that it
// is. A brace that the brace check supplied is no token of the tree (id none).
class ParseToken final : public antlr4::Token {
public:
  ParseToken() = default;
  ParseToken(size_t type, TokenId treeToken, uint32_t position)
      : id(treeToken), treePosition(position), type_(type) {}

  TokenId id = TokenId::none;
  uint32_t treePosition =
      0; // the index of this token in the tree; of a supplied brace, of the token behind it
  size_t index = noIndex;
  bool firstInLine = false;

  std::string getText() const override { return {}; }
  size_t getType() const override { return type_; }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return 0; }
  size_t getChannel() const override { return 0; }
  size_t getTokenIndex() const override { return index; }
  size_t getStartIndex() const override { return index; }
  size_t getStopIndex() const override { return index; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }

private:
  size_t type_ = antlr4::Token::EOF;
};

// A list of tokens as ANTLR's token stream. The last token is the end of file.
class TokenList final : public antlr4::TokenStream {
public:
  explicit TokenList(std::vector<ParseToken> tokens);

  const ParseToken& at(size_t index) const { return tokens_[std::min(index, tokens_.size() - 1)]; }
  size_t type(size_t index) const { return at(index).getType(); }

  void consume() override;
  size_t LA(ssize_t offset) override;
  antlr4::Token* LT(ssize_t offset) override;
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  size_t index() override { return position_; }
  void seek(size_t index) override { position_ = std::min(index, tokens_.size() - 1); }
  size_t size() override { return tokens_.size(); }
  std::string getSourceName() const override { return {}; }
  antlr4::Token* get(size_t index) const override;
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

private:
  mutable std::vector<ParseToken> tokens_;
  size_t position_ = 0;
};

// What a child of a context is. ANTLR 4.9 keeps no kind in its nodes, and dynamic_cast took a fifth of all
// parsing.
inline bool isErrorNode(const antlr4::tree::ParseTree* child) {
  return typeid(*child) == typeid(antlr4::tree::ErrorNodeImpl);
}
inline bool isTerminal(const antlr4::tree::ParseTree* child) {
  return typeid(*child) == typeid(antlr4::tree::TerminalNodeImpl) || isErrorNode(child);
}
// The child as a context, or null if it is a token.
inline antlr4::ParserRuleContext* asRule(antlr4::tree::ParseTree* child) {
  return isTerminal(child) ? nullptr : static_cast<antlr4::ParserRuleContext*>(child);
}

// Thrown (and caught in parse) when a construct that nests without brackets, such as `if a then if b then
// ..`, would overflow the stack.
struct NestedTooDeep {
  size_t tokenIndex;
};

// The generated parser with a guard of the stack.
class GuardedParser final : public HellwigParser {
public:
  explicit GuardedParser(antlr4::TokenStream* input);
  void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t ruleIndex) override;

private:
  const char* stackBase_;
};

} // namespace hellwig
