// SPDX-License-Identifier: Apache-2.0
// Distance, direction, and sets of hexes grown by one or more steps.
#pragma once

#include "runtime/board.h"

#include <cstdlib>

namespace hellwig {

// In hexes, by the geometry alone: hexes out of play or missing do not lengthen it.
inline int hexDistance(const Board& board, int a, int b) {
  const Hex& from = board.hex[a];
  const Hex& to = board.hex[b];
  int dq = to.q - from.q, dr = to.r - from.r;
  return (std::abs(dq) + std::abs(dr) + std::abs(dq + dr)) / 2;
}

// The least distance from a hex to a set, or of two sets; -1 if a set is empty.
int hexDistanceToSet(const Board& board, int a, const SetWord* set);
int setDistance(const Board& board, const SetWord* a, const SetWord* b);

// The direction of the neighbour of a to which b lies; between two, the clockwise one; -1 if a is b.
int hexDirection(const Board& board, int a, int b);

// The one or two directions in which the line from one hex to another leaves it, two if it leaves through a
// corner, the clockwise one last. They go by the difference of cube coordinates, which is not (0, 0); returns
// how many there are.
int leavingDirections(GridShape shape, int dq, int dr, int* out);

// The neighbour in play, or -1.
inline int hexNeighbour(const Board& board, int hexId, int direction) {
  return board.neighbour[hexId * 6 + direction];
}

// The direction from a to its neighbour b (in play or not), or -1 if they are not adjacent.
int directionToNeighbour(const Board& board, int a, int b);

// Sets have board.words words. `out` must not be `set`. All results hold hexes in play only, and members of
// `set` out of play count as if they were in play.
//
// The hexes with a neighbour in `set`; may hold members of it.
void neighboursOf(const Board& board, const SetWord* set, SetWord* out);
// `set` (its part in play) and its neighbours.
void expandSet(const Board& board, const SetWord* set, SetWord* out);
// The hexes at distance 1 from the set: its neighbours outside it.
void adjacentTo(const Board& board, const SetWord* set, SetWord* out);
// The hexes within `radius` (>= 0) of a hex, of a set; exactly at `radius` from a hex.
void withinOfHex(const Board& board, int hexId, int radius, SetWord* out);
void withinOfSet(const Board& board, const SetWord* set, int radius, SetWord* out);
void ringOfHex(const Board& board, int hexId, int radius, SetWord* out);

} // namespace hellwig
