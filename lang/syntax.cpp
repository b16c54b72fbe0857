// SPDX-License-Identifier: Apache-2.0
// Reading a syntax tree: ranges, names, numbers, texts, marks.

#include "lang/syntax.h"

#include <charconv>

namespace hellwig {
namespace {

constexpr std::string_view spellings[] = {
#define HELLWIG_TOKEN(kind, spelling) spelling,
#include "lang/syntax_tokens.def"
};

constexpr std::string_view nodeNames[] = {
#define HELLWIG_NODE(kind) #kind,
#include "lang/syntax_nodes.def"
};

constexpr std::string_view roleNames[] = {
#define HELLWIG_ROLE(role, name) name,
#include "lang/syntax_roles.def"
};

enum class WordClass : uint8_t { other, soft, reserved };
constexpr WordClass wordClasses[] = {
#define HELLWIG_TOKEN(kind, spelling) WordClass::other,
#define HELLWIG_SOFT(word) WordClass::soft,
#define HELLWIG_RESERVED(word) WordClass::reserved,
#include "lang/syntax_tokens.def"
};

WordClass wordClass(TokenKind kind) {
  return wordClasses[static_cast<size_t>(kind)];
}

std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<int32_t> readInt(std::string_view digits) {
  int32_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty() || digits[0] == '-')
    return std::nullopt;
  return value;
}

} // namespace

std::string_view spelling(TokenKind kind) {
  return spellings[static_cast<size_t>(kind)];
}
std::string_view nodeKindName(NodeKind kind) {
  return nodeNames[static_cast<size_t>(kind)];
}
std::string_view roleName(Role role) {
  return roleNames[static_cast<size_t>(role)];
}
bool isKeyword(TokenKind kind) {
  return wordClass(kind) != WordClass::other;
}
bool isSoftWord(TokenKind kind) {
  return wordClass(kind) == WordClass::soft;
}
bool isReservedWord(TokenKind kind) {
  return wordClass(kind) == WordClass::reserved;
}
bool isTrivia(TokenKind kind) {
  return kind == TokenKind::space || kind == TokenKind::comment;
}

NodeId SyntaxTree::child(NodeId parent, Role role) const {
  for (NodeId c = node(parent).firstChild; valid(c); c = node(c).nextSibling)
    if (node(c).role == role) return c;
  return NodeId::none;
}

TextRange SyntaxTree::range(NodeId id) const {
  const Node& n = node(id);
  if (n.firstToken >= n.endToken) {
    if (n.firstToken < tokens_.size()) return {tokens_[n.firstToken].offset, 0};
    return {static_cast<uint32_t>(source_->text().size()), 0};
  }
  const Token& last = tokens_[n.endToken - 1];
  uint32_t begin = tokens_[n.firstToken].offset;
  uint32_t end = last.offset + last.length;
  return {begin, end < begin ? 0 : end - begin};
}

TextRange SyntaxTree::opRange(NodeId id) const {
  const Node& n = node(id);
  // The operator stands behind the first operand, if there is one before it.
  for (uint32_t t = n.firstToken; t < n.endToken; ++t) {
    if (tokens_[t].kind != n.op || n.op == TokenKind::none) continue;
    bool inChild = false;
    for (NodeId c : children(id)) inChild |= node(c).firstToken <= t && t < node(c).endToken;
    if (!inChild) return {tokens_[t].offset, tokens_[t].length};
  }
  if (n.firstToken < n.endToken) return {tokens_[n.firstToken].offset, tokens_[n.firstToken].length};
  return range(id);
}

std::string SyntaxTree::nameOf(NodeId id) const {
  if (!valid(id)) return {};
  NodeKind k = kind(id);
  if (k != NodeKind::Name && k != NodeKind::NameExpr && k != NodeKind::Word && k != NodeKind::IntLiteral &&
      k != NodeKind::HexRef)
    return nameOf(child(id, Role::name));
  std::string_view word = text(id);
  if (!word.empty() && word.front() == '\'') {
    word.remove_prefix(1);
    if (!word.empty() && word.back() == '\'') word.remove_suffix(1);
  }
  return std::string(word);
}

std::optional<int32_t> SyntaxTree::intOf(NodeId id) const {
  return readInt(kind(id) == NodeKind::Cell ? cellText(id) : text(id));
}

std::optional<std::pair<int32_t, int32_t>> SyntaxTree::pairOf(NodeId id) const {
  std::string_view both = text(id);
  size_t split = both.find_first_of("/:");
  if (split == std::string_view::npos) return std::nullopt;
  auto first = readInt(both.substr(0, split)), second = readInt(both.substr(split + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

std::string SyntaxTree::textOf(NodeId id) const {
  if (kind(id) == NodeKind::Text) {
    std::string all;
    for (NodeId part : children(id, Role::part))
      all += kind(part) == NodeKind::TextPart ? textOf(part) : std::string(text(part));
    return all;
  }
  std::string out;
  std::string_view raw = text(id);
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && i + 1 < raw.size()) {
      ++i;
      out += raw[i] == 'n' ? '\n' : raw[i];
    } else {
      out += raw[i];
    }
  }
  return out;
}

TextRange SyntaxTree::cellRange(NodeId cell) const {
  TextRange all = range(cell);
  uint32_t end = all.end();
  if (NodeId first = child(cell, Role::mark); valid(first)) end = range(first).offset;
  std::string_view body = trim(source_->text({all.offset, end - all.offset}));
  return {all.offset, static_cast<uint32_t>(body.size())};
}

MarkText readMark(const SyntaxTree& tree, NodeId mark) {
  MarkText result;
  TextRange all = tree.range(mark);
  std::string_view text = tree.source().text(all);
  uint32_t at = all.offset;
  if (!text.empty() && text.front() == '[') {
    text.remove_prefix(1);
    ++at;
  }
  if (!text.empty() && text.back() == ']') text.remove_suffix(1);

  constexpr std::string_view word = "reconstructed";
  std::string_view ids = text;
  size_t reason = std::string_view::npos;
  if (trim(text).substr(0, word.size()) == word) {
    reason = 0;
  } else if (size_t semicolon = text.find(';'); semicolon != std::string_view::npos) {
    if (trim(text.substr(semicolon + 1)).substr(0, word.size()) == word) reason = semicolon + 1;
  }
  if (reason != std::string_view::npos) {
    result.reconstructed = true;
    std::string_view rest = trim(text.substr(reason)).substr(word.size());
    rest = trim(rest);
    if (!rest.empty() && rest.front() == ':') rest.remove_prefix(1);
    result.reason = std::string(trim(rest));
    ids = text.substr(0, reason == 0 ? 0 : reason - 1);
  }
  size_t begin = 0;
  while (begin <= ids.size()) {
    size_t end = std::min(ids.find(',', begin), ids.size());
    std::string_view piece = ids.substr(begin, end - begin);
    std::string_view id = trim(piece);
    if (id.empty() && (end < ids.size() || begin > 0))
      result.ids.push_back({"", {at + static_cast<uint32_t>(std::min(begin, ids.size()) > 0 ? std::min(begin, ids.size()) - 1 : 0), 1}});
    if (!id.empty()) {
      TextRange range{at + static_cast<uint32_t>(id.data() - text.data()), static_cast<uint32_t>(id.size())};
      size_t dots = id.find("..");
      std::string_view first = trim(id.substr(0, dots)),
                       last = dots == std::string_view::npos ? "" : trim(id.substr(dots + 2));
      // `KO-146..KO-149`: the same prefix, then digits of which the first number is not the greater.
      size_t p = first.find_last_not_of("0123456789") + 1, q = last.find_last_not_of("0123456789") + 1;
      auto from = readInt(first.substr(p)), to = readInt(last.substr(std::min(q, last.size())));
      constexpr int32_t most = 1000;
      if (dots != std::string_view::npos && p == q && first.substr(0, p) == last.substr(0, q) && from && to &&
          *from <= *to && *to - *from < most) {
        size_t width = first.size() - p;
        for (int32_t n = *from; n <= *to; ++n) {
          std::string number = std::to_string(n);
          if (number.size() < width) number.insert(0, width - number.size(), '0');
          result.ids.push_back({std::string(first.substr(0, p)) + number, range});
        }
      } else {
        result.ids.push_back({std::string(id), range});
      }
    }
    begin = end + 1;
  }
  return result;
}

std::string dumpTree(const SyntaxTree& tree, NodeId node) {
  std::string out;
  auto dump = [&](auto&& self, NodeId id, size_t depth) -> void {
    const Node& n = tree[id];
    out.append(depth * 2, ' ');
    if (n.role != Role::none) out += std::string(roleName(n.role)) + " ";
    out += nodeKindName(n.kind);
    if (n.op != TokenKind::none) out += " " + std::string(spelling(n.op));
    if (n.flags & ~NodeFlags::faulty) out += " flags=" + std::to_string(n.flags & ~NodeFlags::faulty);
    if (n.flags & NodeFlags::faulty) out += " faulty";
    if (!valid(n.firstChild)) out += " `" + std::string(tree.text(id)) + "`";
    out += '\n';
    for (NodeId c : tree.children(id)) self(self, c, depth + 1);
  };
  if (valid(node)) dump(dump, node, 0);
  return out;
}

} // namespace hellwig
