// SPDX-License-Identifier: Apache-2.0
// The formatter: walks the tokens line by line, sets each line's indentation and the gaps within it.

#include "lang/format.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hellwig {
namespace {

size_t width(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

constexpr size_t longCell = 40;

class Formatter {
public:
  explicit Formatter(const SyntaxTree& tree) : tree_(tree), startsItem_(tree.fileTokenCount(), false) {}

  std::string run() {
    markItems();
    splitLines();
    for (size_t i = 0; i < lines_.size(); ++i) writeLine(i);
    return std::move(out_);
  }

private:
  // The tokens of one line, white space left out; `gaps[i]` is the white space before tokens[i] in the
  // source.
  struct Line {
    std::vector<uint32_t> tokens;
    std::vector<size_t> gaps;
    bool blankBefore = false;
  };
  struct OpenBlock {
    size_t inner;   // the indentation of its items
    size_t closing; // and of its closing brace
    bool hanging;   // its first item stands in the line of the brace, the others where the author put them
    size_t line;    // the indentation of the line of the brace, now
    size_t oldLine; // and in the source
  };

  const Token& token(uint32_t index) const { return tree_.token(index); }
  std::string_view text(uint32_t index) const {
    std::string_view all = tree_.text(static_cast<TokenId>(index));
    // Blanks at the end of a comment go.
    if (token(index).kind == TokenKind::comment) all = all.substr(0, all.find_last_not_of(" \t") + 1);
    return all;
  }

  // Where items of lists begin, and which rows are to be aligned with each other.
  void markItems() {
    std::vector<NodeId> open{tree_.root()};
    while (!open.empty()) {
      NodeId id = open.back();
      open.pop_back();
      for (NodeId child : tree_.children(id)) {
        open.push_back(child);
        if (tree_.kind(id) == NodeKind::MapRows) mapRows_.insert(child);
        const Node& node = tree_.node(child);
        NodeKind parent = tree_.kind(id);
        bool item = parent == NodeKind::File || parent == NodeKind::Block || node.role == Role::arm ||
                    (parent == NodeKind::Menu && node.role == Role::item);
        if (item && node.firstToken < startsItem_.size()) startsItem_[node.firstToken] = true;
        if (parent == NodeKind::IfStmt || parent == NodeKind::Match || node.role == Role::otherwise ||
            node.role == Role::alternative)
          markBranch(node);
      }
      if (tree_.kind(id) == NodeKind::Block) alignRows(id);
    }
  }

  // The word before a block that belongs to the statement around: `else`, `otherwise`, `or`.
  void markBranch(const Node& node) {
    TokenKind word = node.role == Role::elseBody      ? TokenKind::kw_else
                     : node.role == Role::otherwise   ? TokenKind::kw_otherwise
                     : node.role == Role::alternative ? TokenKind::kw_or
                                                      : TokenKind::none;
    if (word == TokenKind::none) return;
    uint32_t at = std::min(node.firstToken, tree_.fileTokenCount() - 1);
    while (at > 0 && token(at).kind != word) --at;
    branches_.insert(at);
  }

  // The cells of the rows that have a line of their own, padded to the widest of their column.
  void alignRows(NodeId block) {
    std::vector<NodeId> rows;
    for (NodeId row : tree_.children(block, Role::row))
      if (standsAlone(row)) rows.push_back(row);
    std::vector<size_t> widths;
    for (NodeId row : rows) {
      size_t column = 0;
      for (NodeId cell : tree_.children(row, Role::cell)) {
        if (column == widths.size()) widths.push_back(0);
        // A long cell at the end of a row sticks out; padding all others to it would help nobody.
        size_t wide = width(cellSource(block, cell));
        if (valid(tree_.node(cell).nextSibling) || wide <= longCell)
          widths[column] = std::max(widths[column], wide);
        ++column;
      }
    }
    for (NodeId row : rows) {
      std::string aligned = "|";
      size_t column = 0;
      for (NodeId cell : tree_.children(row, Role::cell)) {
        std::string source = cellSource(block, cell);
        size_t wide = std::max(widths[column++], width(source));
        // The letters of a map are a picture; nothing is added to them.
        if (mapRows_.count(block) != 0) wide = width(source);
        aligned += " " + source + std::string(wide - width(source), ' ') + " |";
      }
      alignedRows_.emplace(tree_.node(row).firstToken, std::pair(aligned, row));
    }
  }

  // A row with nothing else in its line, but for a mark and a comment behind it.
  bool standsAlone(NodeId row) const {
    uint32_t first = tree_.node(row).firstToken, end = tree_.node(row).endToken;
    auto hasLineEnd = [&](uint32_t t) {
      return token(t).kind == TokenKind::space &&
             tree_.text(static_cast<TokenId>(t)).find_first_of("\r\n") != std::string_view::npos;
    };
    if (first > 0 && !hasLineEnd(first - 1)) return false;
    for (uint32_t t = end; t < tree_.fileTokenCount(); ++t) {
      if (hasLineEnd(t)) return true;
      if (!isTrivia(token(t).kind)) return false;
    }
    return true;
  }

  // In the rows of a map the blanks before the letters show how the rows are staggered.
  std::string cellSource(NodeId block, NodeId cell) const {
    uint32_t at = tree_.node(cell).firstToken;
    std::string source(tree_.text(static_cast<TokenId>(at)));
    bool letters = mapRows_.count(block) != 0;
    if (letters && at > 0 && token(at - 1).kind == TokenKind::space && token(at - 1).length > 1)
      source.insert(0, token(at - 1).length - 1, ' ');
    return source;
  }

  void splitLines() {
    Line line;
    size_t gap = 0, lineEnds = 0;
    bool blank = false;
    auto flush = [&] {
      if (line.tokens.empty()) return;
      line.blankBefore = blank;
      lines_.push_back(std::move(line));
      line = Line();
      blank = false;
    };
    for (uint32_t t = 0; t < tree_.fileTokenCount(); ++t) {
      if (token(t).kind == TokenKind::space) {
        std::string_view space = tree_.text(static_cast<TokenId>(t));
        gap = 0;
        lineEnds = 0;
        for (size_t i = 0; i < space.size(); ++i) {
          if (space[i] == '\n' || (space[i] == '\r' && (i + 1 == space.size() || space[i + 1] != '\n'))) {
            ++lineEnds;
            gap = 0;
          } else if (space[i] == ' ' || space[i] == '\t') {
            ++gap;
          }
        }
        if (lineEnds > 0) flush();
        blank |= lineEnds > 1;
        continue;
      }
      line.tokens.push_back(t);
      line.gaps.push_back(gap);
      gap = 0;
    }
    flush();
  }

  // Whether a line begins an item, a row or a closing brace; a comment goes with what follows it.
  bool beginsAnew(size_t index) const {
    for (size_t i = index; i < lines_.size(); ++i) {
      uint32_t first = lines_[i].tokens[0];
      if (token(first).kind == TokenKind::comment) continue;
      return startsItem_[first] || token(first).kind == TokenKind::rightBrace;
    }
    return true;
  }

  void writeLine(size_t index) {
    const Line& line = lines_[index];
    uint32_t first = line.tokens[0];
    TokenKind kind = token(first).kind;
    size_t indent = blocks_.empty() ? 0 : blocks_.back().inner;
    bool anew = beginsAnew(index);
    bool branch = branches_.count(first) != 0;
    if (kind == TokenKind::rightBrace) {
      indent = blocks_.empty() ? 0 : blocks_.back().closing;
    } else if (!anew) {
      // A line that goes on with an item keeps its distance from the item's first line.
      size_t least = itemIndent_ + (branch ? 0 : 2);
      size_t moved = line.gaps[0] + itemIndent_;
      indent = std::max(least, moved > oldItemIndent_ ? moved - oldItemIndent_ : 0);
    } else if (!blocks_.empty() && blocks_.back().hanging) {
      size_t moved = line.gaps[0] + blocks_.back().line;
      indent = std::max(indent, moved > blocks_.back().oldLine ? moved - blocks_.back().oldLine : 0);
    }
    if (anew && kind != TokenKind::comment) {
      itemIndent_ = indent;
      oldItemIndent_ = line.gaps[0];
    }
    // Blocks hang on the item's first line, those of a branch on the line of the branch.
    size_t hang = anew || branch ? indent : itemIndent_;

    bool afterBrace = index > 0 && token(lines_[index - 1].tokens.back()).kind == TokenKind::leftBrace;
    if (line.blankBefore && index > 0 && !afterBrace && kind != TokenKind::rightBrace) out_ += '\n';
    out_.append(indent, ' ');
    for (size_t i = 0; i < line.tokens.size(); ++i) {
      uint32_t t = line.tokens[i];
      if (i > 0) out_.append(gapBetween(line.tokens[i - 1], t, line.gaps[i]), ' ');
      if (auto row = alignedRows_.find(t); row != alignedRows_.end()) {
        out_ += row->second.first;
        // The mark and a comment behind the row follow in the loop.
        uint32_t end = lastPipe(row->second.second);
        while (i + 1 < line.tokens.size() && line.tokens[i + 1] <= end) ++i;
        continue;
      }
      out_ += text(t);
      if (token(t).kind == TokenKind::leftBrace) {
        bool last = i + 1 == line.tokens.size() || token(line.tokens[i + 1]).kind == TokenKind::comment;
        blocks_.push_back({hang + 2, hang, !last, indent, line.gaps[0]});
        outerItems_.emplace_back(itemIndent_, oldItemIndent_);
      } else if (token(t).kind == TokenKind::rightBrace && !blocks_.empty()) {
        // What follows on this line belongs to the item around the block.
        hang = blocks_.back().closing;
        blocks_.pop_back();
        std::tie(itemIndent_, oldItemIndent_) = outerItems_.back();
        outerItems_.pop_back();
      }
    }
    out_ += '\n';
  }

  uint32_t lastPipe(NodeId row) const {
    uint32_t last = tree_.node(row).endToken - 1;
    while (token(last).kind != TokenKind::pipe) --last;
    return last;
  }

  // The blanks between two tokens of a line. More than one is the author's alignment and stays.
  size_t gapBetween(uint32_t before, uint32_t after, size_t gap) const {
    TokenKind a = token(before).kind, b = token(after).kind;
    switch (b) {
    case TokenKind::comma:
    case TokenKind::rightParen:
    case TokenKind::question:
    case TokenKind::dot: return 0;
    case TokenKind::colon: return 0;
    case TokenKind::leftParen:
    case TokenKind::dotDot:
    case TokenKind::slash:
    case TokenKind::minus:
      return gap == 0 && touches(a) ? 0 : std::max<size_t>(gap, a == TokenKind::leftParen ? 0 : 1);
    default: break;
    }
    switch (a) {
    case TokenKind::leftParen:
    case TokenKind::dot: return 0;
    case TokenKind::dotDot:
    case TokenKind::slash:
    case TokenKind::minus: return gap;
    default: return std::max<size_t>(gap, 1);
    }
  }

  // Whether what follows may stand close to it, as in `f(x)`, `0610..0615`, `a/b`, `(-1`.
  static bool touches(TokenKind kind) {
    switch (kind) {
    case TokenKind::comma:
    case TokenKind::colon:
    case TokenKind::equals:
    case TokenKind::plus:
    case TokenKind::star:
    case TokenKind::less:
    case TokenKind::lessEqual:
    case TokenKind::greater:
    case TokenKind::greaterEqual: return false;
    default: return true;
    }
  }

  const SyntaxTree& tree_;
  std::vector<bool> startsItem_;
  std::map<uint32_t, std::pair<std::string, NodeId>> alignedRows_; // by the first token of the row
  std::set<uint32_t> branches_; // the first tokens of `else`, `otherwise`, `or` with what belongs to them
  std::set<NodeId> mapRows_;    // the blocks of `rows { }` in maps
  std::vector<Line> lines_;
  std::vector<OpenBlock> blocks_;
  std::vector<std::pair<size_t, size_t>> outerItems_;
  size_t itemIndent_ = 0;    // of the line in which the current item begins, now
  size_t oldItemIndent_ = 0; // and in the source
  std::string out_;
};

} // namespace

std::string format(const SyntaxTree& tree) {
  if (tree.hasErrors()) return std::string(tree.source().text());
  return Formatter(tree).run();
}

} // namespace hellwig
