// SPDX-License-Identifier: Apache-2.0
// What happens when the parser meets what it does not expect: the message, and where parsing goes on.
#pragma once

#include "lang/antlr_input.h"
#include "lang/tree_builder.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace hellwig {

// `2.5` is `5/2`.
Diagnostic decimalNumber(TreeBuilder& builder, TextRange at);

class SyntaxErrors final : public antlr4::ANTLRErrorStrategy {
public:
  // With `fragment` nothing is reported and nothing recovers: the first error's range is kept in
  // firstError().
  SyntaxErrors(TreeBuilder& builder, TokenList& tokens, bool fragment);

  const std::optional<TextRange>& firstError() const { return firstError_; }
  // The offsets at which errors were reported.
  const std::vector<uint32_t>& reportedAt() const { return reportedAt_; }

  void reset(antlr4::Parser*) override {}
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void recover(antlr4::Parser* parser, std::exception_ptr error) override;
  void sync(antlr4::Parser* parser) override;
  bool inErrorRecoveryMode(antlr4::Parser*) override { return skipping_; }
  void reportMatch(antlr4::Parser*) override {}
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& error) override;

private:
  using Bits = std::vector<bool>;
  struct Container {
    const char* wording = nullptr; // "a clause"; null: the rule is no list
    Bits first;                    // types of tokens that begin an item
  };
  static const std::vector<Container>& containers(antlr4::Parser* parser);

  // ---- Recovery
  const Container* containerOf(antlr4::RuleContext* context) const;
  bool isSyncPoint(const Container& container, size_t index) const;
  bool giveBackWord(antlr4::Parser* parser, const Container& container);
  void skip(antlr4::Parser* parser, const Container& container, bool wholeFile);

  // ---- Messages (syntax_messages.cpp)
  void reportJunk(antlr4::Parser* parser, const Container& container);
  bool reportSlip(size_t index, bool inExpression);
  bool junkSlip(antlr4::Parser* parser, size_t index);
  bool headSlip(size_t index);
  bool hookSlip(size_t index);
  bool expectationSlip(antlr4::Parser* parser, size_t index, const Bits& expected);
  bool softWordSlip(antlr4::Parser* parser, size_t index);

  // ---- Slips from other languages and plain English (foreign_slips.cpp)
  bool foreignSign(size_t index);
  bool foreignSlip(size_t index);
  bool foreignJunk(size_t rule, size_t index);
  bool foreignError(size_t rule, size_t index, const Bits& expected);
  bool quantifierSlip(size_t index);
  bool wordForSign(size_t index);
  bool standsElsewhere(size_t index) const;
  bool severalWords(size_t index);
  bool misspeltBefore(size_t index);
  bool goesOn(size_t index) const;
  bool isOpenName(size_t index) const {
    return type(index) == HellwigParser::QNAME && !text(index).ends_with('\'');
  }
  bool twoNames(size_t index);
  Diagnostic rewrite(TextRange at, std::string own) const;         // "write `own`"
  Diagnostic exchange(size_t index, const std::string& own) const; // one word for another
  bool touches(size_t index) const;                                // no blank between it and the token before
  size_t lineStart(size_t index) const;
  bool laterOnLine(size_t index, size_t wanted) const;
  std::string words(size_t first, size_t last) const;
  static bool isOneOf(size_t type, std::initializer_list<size_t> list) {
    return std::find(list.begin(), list.end(), type) != list.end();
  }

  void reportIncompleteBefore(size_t word);
  Bits expectedTokens(antlr4::Parser* parser, const antlr4::RecognitionException& error) const;
  std::string expectation(const Bits& expected, size_t index, Diagnostic& diagnostic) const;
  void suggest(Diagnostic& diagnostic, size_t index, const std::vector<std::string>& words) const;
  std::string describe(size_t index) const;
  void report(Diagnostic diagnostic);

  TextRange range(size_t index) const;
  std::string_view text(size_t index) const { return builder_.tree().source().text(range(index)); }
  size_t type(size_t index) const { return tokens_.type(index); }
  bool sameLine(size_t a, size_t b) const;
  bool isName(size_t index) const;
  bool isWord(size_t index) const;

  TreeBuilder& builder_;
  TokenList& tokens_;
  bool fragment_;
  const std::vector<Container>* containers_ = nullptr;
  bool skipping_ = false;
  bool reported_ = false; // the error that is on its way to an item has been told
  bool quiet_ = false;    // what is left over on this item has been told
  std::optional<size_t> resumeAt_;
  ParseToken missing_;
  std::optional<TextRange> firstError_;
  std::vector<uint32_t> reportedAt_;
};

} // namespace hellwig
