// SPDX-License-Identifier: Apache-2.0
// Areas that are given by an expression, and the part of the map that is in play.

#include "compiler/world_parts.h"

#include <algorithm>
#include <cstdlib>

namespace hellwig {

namespace {

bool inSet(const HexSet& set, int hex) {
  auto bit = static_cast<std::size_t>(hex);
  return bit / 64 < set.size() && (set[bit / 64] >> (bit % 64) & 1U) != 0;
}
void addTo(HexSet& set, int hex) {
  auto bit = static_cast<std::size_t>(hex);
  if (bit / 64 < set.size()) set[bit / 64] |= std::uint64_t{1} << (bit % 64);
}
int distanceOf(const Hex& a, const Hex& b) {
  int dq = a.q - b.q, dr = a.r - b.r;
  return std::max({std::abs(dq), std::abs(dr), std::abs(dq + dr)});
}

} // namespace

void Building::evaluateAreas() {
  Board& board = world.module.board;
  auto words = static_cast<std::size_t>(board.words);
  auto evaluate = [&] {
    for (AreaSource& source : areaSources) source.state = 0;
    for (std::size_t i = 0; i < areaSources.size(); ++i) areaSet(i);
  };
  evaluate();
  NodeRef within = present(folded.playOn) && nameOf(package, folded.playOn) == folded.map
                       ? childOf(package, folded.playOn, Role::within)
                       : NodeRef{};
  if (present(within) && board.n > 0) {
    if (std::optional<HexSet> play = hexSetOf(within)) {
      restrictToPlay(board, play->data());
      evaluate(); // edges and rows lie elsewhere now
    }
  }
  for (std::size_t i = 0; i < areaSources.size(); ++i) {
    HexSet& hexes = world.module.areas[i].hexes;
    hexes.resize(words, 0);
    for (std::size_t w = 0; w < words; ++w) hexes[w] &= board.inPlay[w];
  }
  labelMap();
}

HexSet Building::areaSet(std::size_t area) {
  AreaSource& source = areaSources[area];
  HexSet& hexes = world.module.areas[area].hexes;
  if (source.state == 2) return hexes;
  if (source.state == 1) {
    if (!source.faulty && !source.exprs.empty())
      sink.report(diagnosticAt(package, source.exprs.front(), DiagnosticCode::recursion,
                               {source.name, "its hexes are told by itself"}));
    source.faulty = true;
    return source.painted;
  }
  source.state = 1;
  HexSet set = source.painted;
  for (NodeRef expr : source.exprs) {
    if (source.faulty) break;
    std::optional<HexSet> more = hexSetOf(expr);
    if (!more) source.faulty = true;
    for (std::size_t w = 0; more && w < set.size() && w < more->size(); ++w) set[w] |= (*more)[w];
  }
  source.state = 2;
  return hexes = std::move(set);
}

std::optional<Word> Building::intOfExpr(NodeRef expr) {
  return constantOf(world, package, expr, {hir::TypeKind::integer, 0, false, false}, sink);
}

std::optional<HexSet> Building::hexSetOf(NodeRef expr) {
  const Board& board = world.module.board;
  HexSet set(static_cast<std::size_t>(board.words), 0);
  if (isFaulty(package, expr)) return std::nullopt;
  switch (kindOf(package, expr)) {
  case NodeKind::Paren: return hexSetOf(childOf(package, expr, Role::value));
  case NodeKind::ListParen:
    for (NodeRef item : childrenOf(package, expr, Role::item)) {
      std::optional<HexSet> part = hexSetOf(item);
      if (!part) return std::nullopt;
      for (std::size_t w = 0; w < set.size(); ++w) set[w] |= (*part)[w];
    }
    return set;
  case NodeKind::HexLiteral: {
    std::int32_t hex = hexOf(childOf(package, expr, Role::ref));
    if (hex < 0) return std::nullopt;
    addTo(set, hex);
    return set;
  }
  case NodeKind::Constant:
    if (opOf(package, expr) == TokenKind::kw_hexes) return HexSet(board.inPlay.begin(), board.inPlay.end());
    if (opOf(package, expr) == TokenKind::kw_none) return set;
    break;
  case NodeKind::NameExpr: {
    std::string name = nameOf(package, expr);
    if (const std::vector<Symbol>* symbols = world.find(name))
      for (const Symbol& symbol : *symbols) {
        if (symbol.kind == SymbolKind::area) return areaSet(static_cast<std::size_t>(symbol.value));
        if (symbol.kind == SymbolKind::hexLabel) {
          addTo(set, static_cast<int>(symbol.value));
          return set;
        }
        if (symbol.kind == SymbolKind::sheet) {
          sheetSet(board, static_cast<int>(symbol.value), set.data());
          return set;
        }
      }
    std::vector<std::string> known;
    for (const AreaSource& source : areaSources) known.push_back(source.name);
    sink.report(
        suggesting(diagnosticAt(package, expr, DiagnosticCode::unknownName, {name, "area"}), name, known));
    return std::nullopt;
  }
  case NodeKind::Filter: return filteredSet(expr);
  case NodeKind::Call: return calledSet(expr);
  default: break;
  }
  if (kindOf(package, expr) == NodeKind::Binary) {
    sink.report(
        diagnosticAt(package, expr, DiagnosticCode::typeMismatch, {"a sum or a condition", "a set of hexes"})
            .withHelp("areas are joined with `plus`, and `except` takes away"));
    return std::nullopt;
  }
  refuse(expr, std::string(treeOf(package, expr).text(expr.node)));
  return std::nullopt;
}

std::optional<HexSet> Building::filteredSet(NodeRef expr) {
  const Board& board = world.module.board;
  std::optional<HexSet> base = hexSetOf(childOf(package, expr, Role::base));
  NodeRef first = childOf(package, expr, Role::operand), second = childOf(package, expr, Role::operand2);
  TokenKind op = opOf(package, expr);
  if (!base) return std::nullopt;
  std::optional<Word> reach;
  if (op == TokenKind::kw_within) {
    reach = intOfExpr(first);
    if (!reach) return std::nullopt;
    first = second;
  }
  std::optional<HexSet> of = hexSetOf(first);
  if (!of) return std::nullopt;
  HexSet set(base->size(), 0);
  auto near = [&](int most) {
    std::vector<int> sources;
    for (int h = 0; h < board.n; ++h)
      if (inSet(*of, h)) sources.push_back(h);
    for (int h = 0; h < board.n; ++h)
      if (inSet(*base, h))
        for (int s : sources)
          if (distanceOf(board.hex[static_cast<std::size_t>(h)], board.hex[static_cast<std::size_t>(s)]) <=
              most) {
            addTo(set, h);
            break;
          }
  };
  switch (op) {
  case TokenKind::kw_plus:
    for (std::size_t w = 0; w < set.size(); ++w) set[w] = (*base)[w] | (*of)[w];
    return set;
  case TokenKind::kw_except:
    for (std::size_t w = 0; w < set.size(); ++w) set[w] = (*base)[w] & ~(*of)[w];
    return set;
  case TokenKind::kw_of:
    for (std::size_t w = 0; w < set.size(); ++w) set[w] = (*base)[w] & (*of)[w];
    return set;
  case TokenKind::kw_within: near(static_cast<int>(std::clamp<Word>(*reach, -1, maxBoardHexes))); return set;
  case TokenKind::kw_adjacent:
    near(1);
    for (std::size_t w = 0; w < set.size(); ++w) set[w] &= ~(*of)[w];
    return set;
  case TokenKind::kw_north:
  case TokenKind::kw_south:
  case TokenKind::kw_east:
  case TokenKind::kw_west:
    beyondSet(board,
              op == TokenKind::kw_north   ? Compass::north
              : op == TokenKind::kw_south ? Compass::south
              : op == TokenKind::kw_east  ? Compass::east
                                          : Compass::west,
              hasFlag(package, expr, NodeFlags::orOn), of->data(), set.data());
    for (std::size_t w = 0; w < set.size(); ++w) set[w] &= (*base)[w];
    return set;
  default: refuse(expr, std::string(spelling(op))); return std::nullopt;
  }
}

std::optional<HexSet> Building::calledSet(NodeRef expr) {
  const Board& board = world.module.board;
  std::string name = nameOf(package, expr);
  HexSet set(static_cast<std::size_t>(board.words), 0);
  std::vector<NodeRef> arguments;
  for (NodeRef arg : childrenOf(package, expr, Role::arg))
    arguments.push_back(childOf(package, arg, Role::value));
  int sheet = -1;
  std::erase_if(arguments, [&](NodeRef argument) {
    if (kindOf(package, argument) != NodeKind::NameExpr) return false;
    if (const std::vector<Symbol>* symbols = world.find(nameOf(package, argument)))
      for (const Symbol& symbol : *symbols)
        if (symbol.kind == SymbolKind::sheet) {
          sheet = static_cast<int>(symbol.value);
          return true;
        }
    return false;
  });
  std::size_t wanted = name == "rows" || name == "columns" ? 2 : 1;
  if (name == "edge" || name == "row" || name == "column" || wanted == 2) {
    if (arguments.size() != wanted) {
      sink.report(diagnosticAt(package, expr, DiagnosticCode::wrongArgumentCount,
                               {name, std::to_string(wanted), std::to_string(arguments.size())}));
      return std::nullopt;
    }
    if (name == "edge") {
      std::string edge = nameOf(package, arguments.front());
      if (edge != "north" && edge != "east" && edge != "south" && edge != "west") {
        sink.report(diagnosticAt(package, arguments.front(), DiagnosticCode::wordNotOneOf,
                                 {edge, "`north`, `east`, `south`, `west`"}));
        return std::nullopt;
      }
      edgeSet(board,
              edge == "north"   ? Compass::north
              : edge == "east"  ? Compass::east
              : edge == "south" ? Compass::south
                                : Compass::west,
              sheet, set.data());
      return set;
    }
    std::optional<Word> from = intOfExpr(arguments.front()), to = intOfExpr(arguments.back());
    if (!from || !to) return std::nullopt;
    for (Word line = std::max<Word>(*from, 0); line <= std::min<Word>(*to, 9999); ++line) {
      HexSet one(set.size(), 0);
      if (name.starts_with("row"))
        rowSet(board, sheet, static_cast<int>(line), one.data());
      else
        columnSet(board, sheet, static_cast<int>(line), one.data());
      for (std::size_t w = 0; w < set.size(); ++w) set[w] |= one[w];
    }
    return set;
  }
  refuse(expr, name);
  return std::nullopt;
}

} // namespace hellwig
