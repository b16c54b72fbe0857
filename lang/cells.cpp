// SPDX-License-Identifier: Apache-2.0
// Reading the cells of tables, each with the grammar that its column asks for.

#include "lang/context_reader.h"

namespace hellwig {
namespace {

using P = HellwigParser;

class CellReader {
public:
  CellReader(TreeBuilder& builder, NodeId cell) : builder_(builder), range_(builder.tree().cellRange(cell)) {}

  NodeId read(CellGrammar grammar) {
    if (grammar == CellGrammar::letters) return readLetters();
    std::string_view text = builder_.tree().source().text(range_);
    lexed_ = lex(builder_.tree().source(), range_);
    if (lexed_.size() == 1 && text == "-") return one(NodeKind::Nothing);
    switch (grammar) {
    case CellGrammar::letters: break;
    case CellGrammar::expression: return checked(Fragment::list, "an expression");
    case CellGrammar::keys: return checked(Fragment::keys, "keys: values, numbers or ranges");
    case CellGrammar::type: return checked(Fragment::type, "a type");
    case CellGrammar::name: return isWord() ? one(NodeKind::Name) : checked(Fragment::type, "a name", true);
    case CellGrammar::names: return readNames();
    case CellGrammar::heading:
      if (isWord()) return one(NodeKind::Name);
      for (const LexedToken& token : lexed_)
        if (token.type == P::COLON)
          return checked(Fragment::heading, "a heading: a name, a colon and a type");
      return checked(Fragment::keys, "a heading: a name or keys");
    }
    return NodeId::none;
  }

private:
  bool isWord() const {
    if (lexed_.size() != 1) return false;
    TokenKind kind = kindOfType(lexed_[0].type);
    return kind == TokenKind::name || kind == TokenKind::label || kind == TokenKind::quotedName ||
           isKeyword(kind);
  }

  NodeId one(NodeKind kind) {
    auto at = static_cast<uint32_t>(
        builder_.addToken(kindOfType(lexed_[0].type), {lexed_[0].offset, lexed_[0].length}));
    return builder_.add(kind, at, at + 1);
  }

  NodeId faulty(Diagnostic diagnostic) {
    builder_.report(std::move(diagnostic));
    auto at = static_cast<uint32_t>(builder_.addToken(TokenKind::cell, range_));
    NodeId error = builder_.add(NodeKind::Error, at, at + 1);
    builder_.markFaulty(error);
    return error;
  }

  // The slips that are common in cells, then the fragment.
  NodeId checked(Fragment fragment, const char* what, bool nameWanted = false) {
    std::string text(builder_.tree().source().text(range_));
    if (lexed_.size() == 2 && lexed_[0].type == P::PLUSSIGN) {
      std::string figure(builder_.tree().source().text({lexed_[1].offset, lexed_[1].length}));
      return faulty(builder_.make(DiagnosticCode::plusInCell, range_, {figure})
                        .withFix(range_, figure, "write `" + figure + "`"));
    }
    bool words = lexed_.size() >= 2, letters = false;
    for (const LexedToken& token : lexed_) {
      TokenKind kind = kindOfType(token.type);
      bool word = kind == TokenKind::name || kind == TokenKind::label || isKeyword(kind);
      letters |= kind == TokenKind::name;
      words &= word || kind == TokenKind::integer || kind == TokenKind::unknown ||
               (nameWanted && kind != TokenKind::quotedName && kind != TokenKind::text);
    }
    bool operators = false; // `a plus b`, `no units`: an expression of words
    for (const LexedToken& token : lexed_) operators |= isReservedWord(kindOfType(token.type));
    bool anyOther = lexed_.size() == 2 && lexed_[0].type == P::KW_ANY;
    if (words && letters && !anyOther && (nameWanted || !operators)) {
      std::string quoted = "'" + text + "'";
      return faulty(builder_.make(DiagnosticCode::nameOfSeveralWords, range_, {quoted})
                        .withFix(range_, quoted, "write `" + quoted + "`"));
    }
    if (nameWanted) return faulty(builder_.make(DiagnosticCode::badCell, range_, {what}));
    NodeId node = parseFragment(builder_, range_, lexed_, fragment, DiagnosticCode::badCell, what);
    return node;
  }

  NodeId readNames() {
    NodeId keys = checked(Fragment::keys, "names");
    for (NodeId key : builder_.tree().children(keys))
      if (builder_.tree().kind(keys) == NodeKind::Keys && builder_.tree().kind(key) != NodeKind::NameExpr) {
        builder_.report(builder_.make(DiagnosticCode::badCell, builder_.tree().range(key), {"a name"}));
        builder_.markFaulty(keys);
      }
    return keys;
  }

  NodeId readLetters() {
    std::string_view text = builder_.tree().source().text(range_);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
      TokenId token = builder_.addToken(TokenKind::text, range_);
      return ContextReader(builder_).readText(token);
    }
    auto at = static_cast<uint32_t>(builder_.addToken(TokenKind::cell, range_));
    return builder_.add(NodeKind::Letters, at, at + 1);
  }

  TreeBuilder& builder_;
  TextRange range_;
  std::vector<LexedToken> lexed_;
};

} // namespace

NodeId parseCell(SyntaxTree& tree, NodeId cell, CellGrammar grammar, DiagnosticSink& sink) {
  TreeBuilder builder(tree, sink);
  bool before = tree.hasErrors();
  NodeId value = CellReader(builder, cell).read(grammar);
  if (!before) builder.clearErrors();
  // An earlier reading is dropped; the marks stay.
  NodeId marks = NodeId::none, last = NodeId::none;
  for (NodeId child = tree.node(cell).firstChild; valid(child);) {
    NodeId next = tree.node(child).nextSibling;
    if (tree.node(child).role == Role::mark) {
      (valid(last) ? builder.node(last).nextSibling : marks) = child;
      builder.node(child).nextSibling = NodeId::none;
      last = child;
    }
    child = next;
  }
  builder.node(cell).firstChild = marks;
  ChildList(builder, cell).append(value, Role::value);
  return value;
}

} // namespace hellwig
