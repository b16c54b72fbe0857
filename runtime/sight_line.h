// SPDX-License-Identifier: Apache-2.0
// What the straight line from the centre of one hex to that of another crosses, in order and exactly.
#pragma once

#include "runtime/board.h"

namespace hellwig {

// One thing on the way: a single hex or hexside, then first == second; or a pair of two that are met at once,
// the lower first. `first` is always there; `second` of a pair is -1 if it is not on the board (or, of hexes,
// not in play).
struct SightItem {
  std::int16_t first;
  std::int16_t second;
  bool operator==(const SightItem&) const = default;
};
struct SightSideItem {
  std::int32_t first;
  std::int32_t second;
  bool operator==(const SightSideItem&) const = default;
};

// Writes the hexes whose inside the line from a to b crosses, in order from a, both ends left out; where it
// runs along a hexside, the two hexes are a pair. What lies wholly off the board or out of play is left out.
// `out` has room for board.sightCapacity items; returns how many were written.
int sightHexes(const Board& board, int a, int b, SightItem* out);

// Writes the hexsides whose inside the line crosses, those of a and b included. Where the line enters or
// leaves a stretch along a hexside through a corner, the two hexsides that meet there are a pair; the hexside
// it runs along is not crossed, nor is any where it passes a corner from one hex into another.
int sightHexsides(const Board& board, int a, int b, SightSideItem* out);

// Whether the line is blocked when exactly the hexes of `blocking` block: any single hex does, a pair if both
// do, or with `either` if one does. The ends do not count.
bool sightBlocked(const Board& board, int a, int b, const SetWord* blocking, bool either);
// The same for a set of hexsides (wordsFor(board.hexsides) words).
bool sightCrosses(const Board& board, int a, int b, const SetWord* blocking, bool either);

} // namespace hellwig
