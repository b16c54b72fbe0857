// SPDX-License-Identifier: Apache-2.0
// Paths, lists of paths and moves under way as they are held in registers.
#pragma once

#include "runtime/module.h"

#include <algorithm>
#include <span>

namespace hellwig {

/// The words of a path. Behind them stand the arguments of the query that found it (as many words as any
/// route takes), then its edges.
enum PathWord : std::uint32_t {
  pathEdges, ///< how many; none where there is no path
  pathRoute, ///< the route asked
  pathCost,  ///< fraction
  pathFirst, ///< hex where it begins
  pathLast,
  pathSteps, ///< its length: the edges that are steps
  pathWide,  ///< 1: an edge a word (packEdge); 0: steps, four to a word, as packStep
  pathPlace, ///< its place in the list that it was taken from
  pathHead
};

/// A step of a path over hexes alone: the hex entered, and above it the number of the item that leads there
/// among those of all ways, or 7 if that is larger.
constexpr std::uint16_t packStep(std::int32_t hex, std::size_t item) {
  return static_cast<std::uint16_t>(static_cast<std::uint32_t>(hex) |
                                    static_cast<std::uint32_t>(std::min<std::size_t>(item, 7)) << 13);
}
constexpr std::int32_t hexOfStep(std::uint16_t step) {
  return step & 0x1fff;
}
constexpr std::size_t itemOfStep(std::uint16_t step) {
  return step >> 13;
}
inline constexpr std::uint8_t anyItem = 0xff;

/// An edge of a path.
struct PathEdge {
  EdgeKind kind = EdgeKind::step;
  std::uint8_t way = 0;  ///< of the ways of the route asked: itself, then depth first those it allows `also`
  std::uint8_t item = 0; ///< of that way's route; anyItem: whichever allows it
  std::uint16_t choice = 0xffff; ///< turn: the facing; action: the number of x in its domain, 0xffff if none
  std::int32_t hex = -1;         ///< where the mover is when it is taken
  bool operator==(const PathEdge&) const = default;
};
constexpr Word packEdge(const PathEdge& edge) {
  return static_cast<Word>(static_cast<std::uint64_t>(static_cast<std::uint16_t>(edge.hex)) |
                           std::uint64_t{edge.choice} << 16 | std::uint64_t{edge.item} << 32 |
                           std::uint64_t{edge.way} << 40 | static_cast<std::uint64_t>(edge.kind) << 48);
}
constexpr PathEdge unpackEdge(Word word) {
  const auto bits = static_cast<std::uint64_t>(word);
  PathEdge edge;
  edge.hex = static_cast<std::int16_t>(bits & 0xffff);
  edge.choice = static_cast<std::uint16_t>(bits >> 16);
  edge.item = static_cast<std::uint8_t>(bits >> 32);
  edge.way = static_cast<std::uint8_t>(bits >> 40);
  edge.kind = static_cast<EdgeKind>(bits >> 48 & 3);
  return edge;
}

/// How large paths are in a module.
struct PathShape {
  std::uint32_t arguments = 0; ///< words
  std::uint32_t edgeWords = 0;
  std::uint32_t words() const { return pathHead + arguments + edgeWords; }
  std::uint32_t edges() const { return pathHead + arguments; } ///< where they begin
};
/// A path whose edges are more than steps has at most so many.
inline constexpr std::uint32_t mostWideEdges = 1000;
inline PathShape pathShape(const Module& module) {
  PathShape shape;
  shape.edgeWords = (static_cast<std::uint32_t>(module.board.n) + 3) / 4;
  for (const Route& route : module.routes) {
    shape.arguments = std::max<std::uint32_t>(shape.arguments, route.parameters);
    if (route.byNodes) shape.edgeWords = std::max(shape.edgeWords, mostWideEdges);
  }
  return shape;
}

/// The words of a list of paths. Behind them stand the arguments of the query, then the paths: how many edges
/// it has with the steps in the high half, its cost, its first hex with the last in the high half, the edges.
enum PathListWord : std::uint32_t { listCount, listUsed, listRoute, listWide, listHead };
inline constexpr std::uint32_t pathListWords = 8192;

/// A path found by a search.
struct PathRecord {
  std::int32_t first = -1;
  Word cost = packRatio(0, 1);
  bool wide = false;
  std::vector<PathEdge> edges;
  std::vector<Word> fields; ///< of the mover at its end, besides the hex
  std::int32_t last() const { return edges.empty() ? first : edges.back().hex; }
  std::uint32_t steps() const {
    return static_cast<std::uint32_t>(std::count_if(
        edges.begin(), edges.end(), [](const PathEdge& e) { return e.kind == EdgeKind::step; }));
  }
};

/// A route with the arguments of a query: the one asked, or one that it allows `also`.
struct Way {
  std::uint16_t route = 0;
  std::uint8_t number = 0;
  std::vector<Word> arguments;
};

/// The routes of all ways of a route, itself first. Those that a chain of `also` leads to are few.
inline void waysOf(const Module& module, std::uint16_t route, std::vector<std::uint16_t>& out) {
  out.push_back(route);
  for (const AlsoWay& way : module.routes[route].also) waysOf(module, way.route, out);
}

// ---- Travels

/// The words of a travel. The ways of a route are the route itself and, depth first, those it allows `also`;
/// one stays open as long as it has allowed all edges so far. Behind these words stand, for each way, what
/// was spent by it, what the edge under way costs by it, and the fields of the mover at the start
/// (node_query.h); then the arguments of the query.
enum TravelWord : std::uint32_t {
  travelMover,
  travelRoute,  ///< the route asked
  travelOrigin, ///< hex of the start; none as long as the mover is off the map
  travelOpen,   ///< bit w: way w is open
  travelStops,  ///< bit w: by way w the node may not be left
  travelTaken,  ///< edges taken
  travelSteps,  ///< steps among them
  travelOver,   ///< 1: the move has ended
  // The edge under way:
  travelKind,  ///< EdgeKind
  travelItem,  ///< the way whose effects act, times 256, with the number of its item
  travelLegal, ///< bit w: way w allows it
  travelHalts, ///< bit w: by way w the node reached may not be left
  travelFirst, ///< the first way that allows it: its hooks run, its effects act
  travelP,     ///< the two words that clauses and hooks get
  travelQ,
  travelHead
};

/// A walk has at most so many edges.
inline constexpr std::uint32_t mostWalkEdges = 1000;

/// How large travels are in a module.
struct TravelShape {
  std::uint32_t ways = 1, fields = 2, arguments = 0;
  std::uint32_t words() const { return travelHead + ways * (2 + fields) + arguments; }
  std::uint32_t spent(std::uint32_t way) const { return travelHead + way; }
  std::uint32_t cost(std::uint32_t way) const { return travelHead + ways + way; }
  std::uint32_t start(std::uint32_t way) const { return travelHead + 2 * ways + way * fields; }
  std::uint32_t given() const { return travelHead + ways * (2 + fields); }
};
inline TravelShape travelShape(const Module& module) {
  TravelShape shape;
  for (std::size_t r = 0; r < module.routes.size(); ++r) {
    const Route& route = module.routes[r];
    shape.arguments = std::max<std::uint32_t>(shape.arguments, route.parameters);
    shape.fields = std::max<std::uint32_t>(shape.fields, 2 + static_cast<std::uint32_t>(route.over.size()));
    std::vector<std::uint16_t> ways;
    waysOf(module, static_cast<std::uint16_t>(r), ways);
    shape.ways = std::max<std::uint32_t>(shape.ways, static_cast<std::uint32_t>(ways.size()));
  }
  return shape;
}

} // namespace hellwig
