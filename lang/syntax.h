// SPDX-License-Identifier: Apache-2.0
// The syntax tree of one source file: every token of it, comments and blanks included, and nodes over the
// tokens.
//
// A tree is a value. Nodes and tokens are named by index, never by pointer, so that they stay good when the
// tree is copied or moved. syntax_nodes.def gives the shape of every kind of node.
#pragma once

#include "lang/source_text.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" // enumerators may be called as a name of the runtime is
#endif

namespace hellwig {

enum class TokenKind : uint8_t {
#define HELLWIG_TOKEN(kind, spelling) kind,
#include "lang/syntax_tokens.def"
};

enum class NodeKind : uint8_t {
#define HELLWIG_NODE(kind) kind,
#include "lang/syntax_nodes.def"
};

enum class Role : uint8_t {
#define HELLWIG_ROLE(role, name) role,
#include "lang/syntax_roles.def"
};

std::string_view spelling(TokenKind kind); // "forbid", "<=", "a name"
std::string_view nodeKindName(NodeKind kind);
std::string_view roleName(Role role);
bool isKeyword(TokenKind kind);
bool isSoftWord(TokenKind kind);     // a word of the language that may also be a name
bool isReservedWord(TokenKind kind); // one that may not
bool isTrivia(TokenKind kind);       // white space or a comment

enum class TokenId : uint32_t { none = 0xffffffff };
enum class NodeId : uint32_t { none = 0xffffffff };

constexpr bool valid(NodeId id) {
  return id != NodeId::none;
}
constexpr bool valid(TokenId id) {
  return id != TokenId::none;
}

struct Token {
  TokenKind kind = TokenKind::none;
  uint32_t offset = 0;
  uint32_t length = 0;
};

namespace NodeFlags {
inline constexpr uint8_t optional = 1;  // TypeName with `?`
inline constexpr uint8_t negated = 2;   // `is not`, `not in`, `has no`
inline constexpr uint8_t orOn = 2;      // Filter `on or north of`
inline constexpr uint8_t hasParams = 4; // ValueDecl with brackets, even empty ones
inline constexpr uint8_t hasArgs = 4;   // Member with brackets, even empty ones
inline constexpr uint8_t pass = 8;      // Alternative and Bind
inline constexpr uint8_t draw = 8;      // VictoryClause `draw`
inline constexpr uint8_t isNew = 8;     // Place `new N like`
inline constexpr uint8_t together = 8;  // ArriveDecl
inline constexpr uint8_t once = 8;      // ExpectHappened
inline constexpr uint8_t faulty = 0x80; // a syntax error inside: report nothing that may follow from it
} // namespace NodeFlags

struct Node {
  NodeKind kind = NodeKind::Error;
  Role role = Role::none;
  TokenKind op = TokenKind::none;
  uint8_t flags = 0;
  uint32_t firstToken = 0; // the tokens [firstToken, endToken), without trivia at either end
  uint32_t endToken = 0;
  NodeId firstChild = NodeId::none;
  NodeId nextSibling = NodeId::none;
};

class SyntaxTree;

// The children of a node, all or those of one role: for (NodeId p : tree.children(n, Role::param)).
class ChildRange {
public:
  class Iterator {
  public:
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = const NodeId*;
    using reference = NodeId;

    Iterator() = default;
    Iterator(const SyntaxTree* tree, NodeId node, Role role) : tree_(tree), node_(node), role_(role) {
      skip();
    }
    NodeId operator*() const { return node_; }
    inline Iterator& operator++();
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    bool operator==(const Iterator& other) const { return node_ == other.node_; }

  private:
    inline void skip();
    const SyntaxTree* tree_ = nullptr;
    NodeId node_ = NodeId::none;
    Role role_ = Role::none;
  };

  ChildRange(const SyntaxTree& tree, NodeId first, Role role) : tree_(&tree), first_(first), role_(role) {}
  Iterator begin() const { return {tree_, first_, role_}; }
  Iterator end() const { return {tree_, NodeId::none, role_}; }
  bool empty() const { return begin() == end(); }
  size_t size() const { return static_cast<size_t>(std::distance(begin(), end())); }

private:
  const SyntaxTree* tree_;
  NodeId first_;
  Role role_;
};

class SyntaxTree {
public:
  SyntaxTree() = default;
  explicit SyntaxTree(std::shared_ptr<const SourceText> source) : source_(std::move(source)) {}

  const SourceText& source() const { return *source_; }
  const std::shared_ptr<const SourceText>& sharedSource() const { return source_; }
  NodeId root() const { return root_; }
  // Whether the parse reported an error anywhere in the file itself (small parses of cells do not count).
  bool hasErrors() const { return hasErrors_; }

  // Of NodeId::none, and so of whatever is missing in a faulty file, a faulty Error node without anything in it.
  const Node& operator[](NodeId id) const { return node(id); }
  const Node& node(NodeId id) const { return valid(id) ? nodes_[static_cast<uint32_t>(id)] : missing; }
  NodeKind kind(NodeId id) const { return node(id).kind; }
  TokenKind op(NodeId id) const { return node(id).op; }
  bool has(NodeId id, uint8_t flag) const { return (node(id).flags & flag) != 0; }
  size_t nodeCount() const { return nodes_.size(); }

  const Token& token(TokenId id) const { return tokens_[static_cast<uint32_t>(id)]; }
  const Token& token(uint32_t index) const { return tokens_[index]; }
  // The tokens [0, fileTokenCount()) are the file, byte for byte; those behind them are the finer tokens of
  // cells and of the holes in texts, whose offsets point into the same file.
  uint32_t fileTokenCount() const { return fileTokenCount_; }
  size_t tokenCount() const { return tokens_.size(); }

  // The first child with this role, or none.
  NodeId child(NodeId parent, Role role) const;
  ChildRange children(NodeId parent) const { return {*this, node(parent).firstChild, Role::none}; }
  ChildRange children(NodeId parent, Role role) const { return {*this, node(parent).firstChild, role}; }

  TextRange range(TokenId id) const { return {token(id).offset, token(id).length}; }
  // From the first to the last token of the node, without the blanks and comments around it. A node without
  // tokens (only in a faulty file) has an empty range where it would stand.
  TextRange range(NodeId id) const;
  std::string_view text(TokenId id) const { return source_->text(range(id)); }
  std::string_view text(NodeId id) const { return source_->text(range(id)); }
  // The range of the operator or leading keyword of a node: its first token of the kind `op`, else its first
  // token.
  TextRange opRange(NodeId id) const;

  // The name that a Name, NameExpr or Word (one token) means: without its single quotes (the apostrophe
  // ’ inside stays as written); `word` and `'word'` give the same. Of a node with a child `name`, the name of
  // that child; else "".
  std::string nameOf(NodeId id) const;
  // The value of an IntLiteral (or a cell or HexRef of digits only); nullopt if it does not fit 32 bits.
  std::optional<int32_t> intOf(NodeId id) const;
  // The two numbers of a FractionLiteral or OddsLiteral.
  std::optional<std::pair<int32_t, int32_t>> pairOf(NodeId id) const;
  // A TextPart with its escapes undone; of a Text without holes, the whole; holes are kept as `{..}` as
  // written.
  std::string textOf(NodeId id) const;
  // The source text of a cell without its marks and the blanks around it, and where it stands.
  std::string_view cellText(NodeId cell) const { return source_->text(cellRange(cell)); }
  TextRange cellRange(NodeId cell) const;

private:
  friend class TreeBuilder;
  static constexpr Node missing{NodeKind::Error, Role::none, TokenKind::none, NodeFlags::faulty, 0, 0, NodeId::none, NodeId::none};
  std::shared_ptr<const SourceText> source_;
  std::vector<Token> tokens_;
  std::vector<Node> nodes_;
  uint32_t fileTokenCount_ = 0;
  NodeId root_ = NodeId::none;
  bool hasErrors_ = false;
};

inline ChildRange::Iterator& ChildRange::Iterator::operator++() {
  node_ = tree_->node(node_).nextSibling;
  skip();
  return *this;
}
inline void ChildRange::Iterator::skip() {
  while (role_ != Role::none && valid(node_) && tree_->node(node_).role != role_)
    node_ = tree_->node(node_).nextSibling;
}

// A mark taken apart. `KO-146..KO-149` is written out as the four ids, each with the range of the whole.
struct MarkId {
  std::string id;
  TextRange range;
};
struct MarkText {
  std::vector<MarkId> ids;
  bool reconstructed = false;
  std::string reason; // after `reconstructed:`, without the blanks around it
};
MarkText readMark(const SyntaxTree& tree, NodeId mark);

// ---- Parsing

// Parses a whole file. Never throws and never gives up: what cannot be read is reported to the sink and kept
// as Error nodes. Several threads may parse different files at once, each with a sink of its own.
SyntaxTree parse(std::shared_ptr<const SourceText> source, DiagnosticSink& sink);

// How the text of a cell is to be read.
enum class CellGrammar : uint8_t {
  expression, // an expression, a list `a, b` (ListParen without brackets), or `-` (Nothing)
  keys,       // Keys: `3-5`, `-3 .. -1`, `..2`, `4:20 ..`, `any other`, `a, b`, `2` ..
  heading,    // `week: text` gives a Field; `village, town` Keys, a single name a Name, `1:1` Keys
  name,       // one Name (several words without quotes are an error with a fix)
  names,      // a list: Keys of NameExpr only
  type,       // a type
  letters,    // as it stands (Letters); a text in double quotes gives Text
};

// Reads a cell and hangs the result on it as its child with the role `value`, in place of an earlier reading;
// returns it. On an error it reports to the sink and returns a node with the flag `faulty`. The same cell may
// be read again with another grammar.
NodeId parseCell(SyntaxTree& tree, NodeId cell, CellGrammar grammar, DiagnosticSink& sink);

// Reads a text as one expression, for a console ("explain defense(Infantry)"). The root of the tree is the
// expression.
SyntaxTree parseExpression(std::shared_ptr<const SourceText> source, DiagnosticSink& sink);

// The tree as indented lines `role Kind op "text"`, for tests and debugging.
std::string dumpTree(const SyntaxTree& tree, NodeId node);

} // namespace hellwig

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
