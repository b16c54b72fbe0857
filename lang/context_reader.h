// SPDX-License-Identifier: Apache-2.0
// Turns ANTLR's contexts into nodes of our tree. Declarations and statements go by a table of rules
// (context_table.cpp); expressions, texts and the few rules with a shape of their own have a function each.
#pragma once

#include "lang/antlr_input.h"
#include "lang/tree_builder.h"

namespace hellwig {

// How a rule of the grammar becomes a node.
struct RuleShape {
  struct RoleEntry {
    TokenKind after = TokenKind::none; // none: from the beginning of the rule
    std::vector<Role> roles;           // of the children that follow, in turn; the last repeats
  };
  NodeKind kind = NodeKind::Error;
  bool known = false;
  std::vector<RoleEntry> roles;
  Role numberRole = Role::none; // of an `intNumber`, if it differs
  Role textRole = Role::text;
  std::vector<TokenKind> ops;
  std::vector<std::pair<TokenKind, uint8_t>> flags;
};
// The shape for a rule index of HellwigParser; `known` is false for rules that are not in the table.
const RuleShape& ruleShape(size_t rule);
// Rules whose only child stands for them.
bool isWrapper(size_t rule);

class ContextReader {
public:
  // The parse tokens belong to the list that was parsed.
  explicit ContextReader(TreeBuilder& builder) : builder_(builder), tree_(builder.tree()) {}

  // The node for any context; its role is still none.
  NodeId read(antlr4::ParserRuleContext* context);
  NodeId readText(TokenId token);

private:
  using Context = antlr4::ParserRuleContext;

  // ---- context_reader.cpp
  NodeId open(NodeKind kind, Context* context);
  NodeId readShape(const RuleShape& shape, Context* context);
  void fill(NodeId node, ChildList& children, const RuleShape& shape, Context* context);
  void appendChild(NodeId node, ChildList& children, const RuleShape& shape, Context* child, Role role);
  void appendAll(ChildList& children, Context* context, Role role);
  NodeId readBody(Context* context);
  void appendItems(NodeId node, ChildList& children, Context* context, Role itemRole);
  void checkItems(NodeId block);
  NodeId readIf(Context* context);
  NodeId readDecision(Context* context);
  NodeId readType(Context* context);
  NodeId readRow(Context* context);
  NodeId readCell(Context* context);
  NodeId readMapRef(Context* context);
  NodeId leaf(NodeKind kind, Context* context);
  NodeId junk(Context* context, size_t& childIndex);

  // ---- expression_reader.cpp
  NodeId readExpression(Context* context);
  NodeId readIfExpression(Context* context);
  NodeId readDo(Context* context);
  NodeId readCondition(Context* context);
  NodeId readBinaryChain(Context* context);
  NodeId readNot(Context* context);
  NodeId readQuantifier(Context* context);
  NodeId readComparison(Context* context);
  NodeId readOperand(Context* context);
  NodeId readProduct(Context* context);
  NodeId readUnary(Context* context);
  NodeId readSetPhrase(Context* context);
  NodeId readFilter(NodeId base, Context* context);
  NodeId readPostfix(Context* context);
  NodeId readPrimary(Context* context);
  NodeId readCall(Context* context);
  NodeId readQuery(Context* context);
  NodeId readKeys(Context* context);
  NodeId readKey(Context* context);
  NodeId readKeyEnd(Context* sign, Context* end);
  bool hangWhere(NodeId phrase, NodeId condition, TextRange where, NodeId& hungOn);
  NodeId wrapInPlace(NodeId node, NodeKind kind, Role role);
  void shareElement(ChildList& children, Context* context);
  NodeId readTextParts(TokenId token);
  NodeId readHole(TextRange hole);

  // ---- small parts
  bool within(antlr4::tree::ParseTree* child, Context* context) const;
  static size_t ruleOf(antlr4::tree::ParseTree* child);
  static const ParseToken* terminal(antlr4::tree::ParseTree* child);
  static TokenKind terminalKind(antlr4::tree::ParseTree* child);
  uint32_t first(Context* context) const;
  uint32_t end(Context* context) const;
  uint32_t endOf(NodeId id) { return builder_.node(id).endToken; }
  NodeId binary(NodeKind kind, TokenKind op, NodeId left, NodeId right);

  // A second comparison in a row: where the first begins and where the second operator stands.
  struct DoubleComparison {
    uint32_t firstToken;
    uint32_t secondOperator; // token index
  };
  std::vector<DoubleComparison> doubleComparisons_;

  TreeBuilder& builder_;
  SyntaxTree& tree_;
};

// Lexes and parses a stretch of the file with one of the small start rules; its tokens are added behind those
// of the file. `expression` gives an expression, `list` an expression or a ListParen, `heading` a Field. On
// an error this reports `code` with `argument` at the place and gives a faulty Error node.
enum class Fragment : uint8_t { expression, list, heading, type, keys };
NodeId parseFragment(TreeBuilder& builder, TextRange range, Fragment fragment, DiagnosticCode code,
                     const std::string& argument = {});
// The same for tokens that are lexed already.
NodeId parseFragment(TreeBuilder& builder, TextRange range, const std::vector<LexedToken>& lexed,
                     Fragment fragment, DiagnosticCode code, const std::string& argument = {});

} // namespace hellwig
