// SPDX-License-Identifier: Apache-2.0
// Finds a missing brace by depth and column: a word that begins a declaration in the first column ends what
// is open.

#include "lang/brace_check.h"

#include <algorithm>
#include <optional>

namespace hellwig {
namespace {

using P = HellwigParser;

struct OpenBrace {
  size_t token;
  size_t head; // the first token of the line in which the brace stands
};

class Check {
public:
  Check(const std::vector<LexedToken>& tokens, TreeBuilder& builder) : tokens_(tokens), builder_(builder) {
    lines_.reserve(tokens.size());
    firstOfLine_.reserve(tokens.size());
    for (const LexedToken& token : tokens) {
      lines_.push_back(source().lineOf(token.offset));
      size_t i = firstOfLine_.size();
      firstOfLine_.push_back(i > 0 && lines_[i - 1] == lines_[i] ? firstOfLine_[i - 1] : i);
    }
  }

  BraceCheck run() {
    if (nestsTooDeep()) return std::move(result_);
    if (balanced()) return std::move(result_);
    for (size_t i = 0; i < tokens_.size(); ++i) {
      size_t type = tokens_[i].type;
      if (column(i) == 1 && beginsDeclaration(type) && !open_.empty()) closeBefore(i);
      if (type == P::LEFTBRACE) {
        open_.push_back({i, firstOfLine(i)});
      } else if (type == P::RIGHTBRACE) {
        if (open_.empty()) {
          result_.stray.push_back(i);
          continue;
        }
        // A brace further left than what it closes shows that one was forgotten before it.
        size_t head = open_.back().head;
        if (firstOfLine(i) == i && column(i) < column(head) && !suspect_) suspect_ = open_.back();
        open_.pop_back();
        if (open_.empty()) suspect_.reset();
      }
    }
    if (!open_.empty()) report(tokens_.size(), open_.size());
    return std::move(result_);
  }

private:
  const SourceText& source() const { return builder_.tree().source(); }
  uint32_t column(size_t i) const { return tokens_[i].offset - source().line(lines_[i]).offset + 1; }
  size_t firstOfLine(size_t i) const { return firstOfLine_[i]; }
  TextRange range(size_t i) const { return {tokens_[i].offset, tokens_[i].length}; }

  bool nestsTooDeep() {
    size_t depth = 0;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      size_t type = tokens_[i].type;
      if (type == P::LEFTBRACE || type == P::LEFTPAREN) {
        if (++depth > nestingLimit) {
          builder_.report(
              builder_.make(DiagnosticCode::nestedTooDeep, range(i), {std::to_string(nestingLimit)}));
          return result_.tooDeep = true;
        }
      } else if ((type == P::RIGHTBRACE || type == P::RIGHTPAREN) && depth > 0) {
        --depth;
      }
    }
    return false;
  }

  // If the braces pair up, nothing is to be guessed, however the file is indented.
  bool balanced() const {
    size_t depth = 0;
    for (const LexedToken& token : tokens_) {
      if (token.type == P::LEFTBRACE) ++depth;
      if (token.type == P::RIGHTBRACE && depth-- == 0) return false;
    }
    return depth == 0;
  }

  void closeBefore(size_t i) {
    // Options and scenarios hold declarations; an author may not have indented those.
    size_t keep = 0;
    size_t outer = tokens_[open_.front().head].type;
    bool holds = outer == P::KW_OPTION || outer == P::KW_SCENARIO;
    if (holds && tokens_[i].type != P::KW_OPTION && tokens_[i].type != P::KW_SCENARIO &&
        !nextOptionIsIndented(i))
      keep = 1;
    if (open_.size() > keep) report(i, open_.size() - keep);
  }

  // Whether the declarations of the open option stand further right than its own head.
  bool nextOptionIsIndented(size_t i) const {
    for (size_t k = open_.front().token + 1; k < i; ++k)
      if (beginsDeclaration(tokens_[k].type) && firstOfLine(k) == k) return column(k) > 1;
    return false;
  }

  void report(size_t before, size_t count) {
    OpenBrace blamed = suspect_ ? *suspect_ : open_[open_.size() - count];
    TextRange head = range(blamed.head);
    TextRange whole{head.offset, range(blamed.token).end() - head.offset};
    std::string words(source().text({head.offset, range(blamed.token).offset - head.offset}));
    words.erase(words.find_last_not_of(" \t") + 1);
    words += words.empty() ? "{" : " {";
    Diagnostic told = builder_.make(DiagnosticCode::notClosed, whole, {words});
    if (before < tokens_.size())
      told.places.push_back(
          {builder_.tree().sharedSource(), range(before), "here the next declaration begins"});
    builder_.report(std::move(told));
    result_.supplied.emplace_back(before, count);
    open_.resize(open_.size() - count);
    suspect_.reset();
  }

  const std::vector<LexedToken>& tokens_;
  TreeBuilder& builder_;
  std::vector<uint32_t> lines_;
  std::vector<size_t> firstOfLine_;
  std::vector<OpenBrace> open_;
  std::optional<OpenBrace> suspect_;
  BraceCheck result_;
};

} // namespace

bool beginsDeclaration(size_t type) {
  switch (type) {
  case P::KW_GAME:
  case P::KW_MOD:
  case P::KW_RULEBOOK:
  case P::KW_TYPE:
  case P::KW_TERRAIN:
  case P::KW_RECORD:
  case P::KW_COUNTER:
  case P::KW_KINDS:
  case P::KW_GROUP:
  case P::KW_BOX:
  case P::KW_STATE:
  case P::KW_TABLE:
  case P::KW_VALUE:
  case P::KW_PERMISSION:
  case P::KW_ZONE:
  case P::KW_ROUTE:
  case P::KW_ARCS:
  case P::KW_HIDDEN:
  case P::KW_VICTORY:
  case P::KW_SEQUENCE:
  case P::KW_PROCEDURE:
  case P::KW_ACTION:
  case P::KW_BEFORE:
  case P::KW_AFTER:
  case P::KW_MAP:
  case P::KW_FORCES:
  case P::KW_SETUP:
  case P::KW_ARRIVE:
  case P::KW_LOOK:
  case P::KW_OPTION:
  case P::KW_SCENARIO:
  case P::KW_TEST:
  case P::KW_AMEND:
  case P::KW_REPLACE:
  case P::KW_REMOVE: return true;
  default: return false;
  }
}

BraceCheck checkBraces(const std::vector<LexedToken>& tokens, TreeBuilder& builder) {
  return Check(tokens, builder).run();
}

} // namespace hellwig
