// SPDX-License-Identifier: Apache-2.0
// Adding tokens and nodes to a syntax tree. Used only while parsing.
#pragma once

#include "lang/diagnostic.h"
#include "lang/syntax.h"

namespace hellwig {

class TreeBuilder {
public:
  explicit TreeBuilder(SyntaxTree& tree, DiagnosticSink& sink) : tree_(tree), sink_(sink) {}

  SyntaxTree& tree() { return tree_; }
  DiagnosticSink& sink() { return sink_; }

  TokenId addToken(TokenKind kind, TextRange range) {
    tree_.tokens_.push_back({kind, range.offset, range.length});
    return static_cast<TokenId>(tree_.tokens_.size() - 1);
  }
  void endOfFileTokens() { tree_.fileTokenCount_ = static_cast<uint32_t>(tree_.tokens_.size()); }

  NodeId add(NodeKind kind, uint32_t firstToken, uint32_t endToken) {
    Node node;
    node.kind = kind;
    node.firstToken = firstToken;
    node.endToken = endToken;
    tree_.nodes_.push_back(node);
    return static_cast<NodeId>(tree_.nodes_.size() - 1);
  }
  Node& node(NodeId id) { return tree_.nodes_[static_cast<uint32_t>(id)]; }

  void setRoot(NodeId root) { tree_.root_ = root; }
  void clearErrors() { tree_.hasErrors_ = false; }
  void markFaulty(NodeId id) { node(id).flags |= NodeFlags::faulty; }

  // Reports an error and remembers that the file has one.
  void report(Diagnostic diagnostic) {
    if (diagnostic.severity == Severity::error) tree_.hasErrors_ = true;
    sink_.report(std::move(diagnostic));
  }
  Diagnostic make(DiagnosticCode code, TextRange range, const std::vector<std::string>& arguments = {}) {
    return Diagnostic(code, tree_.source_, range, arguments);
  }

private:
  SyntaxTree& tree_;
  DiagnosticSink& sink_;
};

// Appends children to a node in order; a faulty child makes its parent faulty.
class ChildList {
public:
  ChildList(TreeBuilder& builder, NodeId parent) : builder_(builder), parent_(parent) {
    for (NodeId c = builder.node(parent).firstChild; valid(c); c = builder.node(c).nextSibling) last_ = c;
  }

  void append(NodeId child, Role role) {
    if (!valid(child)) return;
    builder_.node(child).role = role;
    builder_.node(child).nextSibling = NodeId::none;
    (valid(last_) ? builder_.node(last_).nextSibling : builder_.node(parent_).firstChild) = child;
    last_ = child;
    if (builder_.node(child).flags & NodeFlags::faulty) builder_.markFaulty(parent_);
  }
  // Takes over all children of another node with their roles, such as those of a helper rule.
  void adopt(NodeId other) {
    NodeId child = builder_.node(other).firstChild;
    builder_.node(other).firstChild = NodeId::none;
    while (valid(child)) {
      NodeId next = builder_.node(child).nextSibling;
      append(child, builder_.node(child).role);
      child = next;
    }
  }

private:
  TreeBuilder& builder_;
  NodeId parent_;
  NodeId last_ = NodeId::none;
};

} // namespace hellwig
