// SPDX-License-Identifier: Apache-2.0
// Movement search where every step costs one and clauses are sets of hexes: a flood over packed sets.
#pragma once

#include "runtime/board.h"

#include <climits>

namespace hellwig {

inline constexpr int unlimitedSteps = INT_MAX;

// A step leads from a hex to a neighbour in play that is not in `blocked`. A hex of `stop` that was reached
// by a step may not be left; a start may always be left. `blocked` and `stop` may be null: no hexes. No
// output may be one of the inputs. Sets have board.words words.
struct FloodClauses {
  const SetWord* blocked = nullptr;
  const SetWord* stop = nullptr;
};

// Writes the hexes reached in 1 .. maxSteps steps. A start is among them only if it was entered again.
void floodReach(const Board& board, const SetWord* start, FloodClauses clauses, int maxSteps,
                SetWord* reached);

// Whether a hex of `goals` is reached in 1 .. maxSteps steps; ends as soon as it is known.
bool floodReaches(const Board& board, const SetWord* start, FloodClauses clauses, int maxSteps,
                  const SetWord* goals);

// Writes layer k - 1 of `layers` as the hexes first reached by k steps, for k = 1 .. at most maxLayers, and
// returns how many layers are not empty. `layers` has room for maxLayers * board.words words.
int floodLayers(const Board& board, const SetWord* start, FloodClauses clauses, int maxLayers,
                SetWord* layers);

// The best path to `goal` by the layers of floodLayers with the same start and clauses: fewest steps, then
// from the lowest start, then at the first difference the step clockwise first. Writes the start and the
// hexes entered; returns how many steps, -1 if the goal is in none of the layers. `path` has room for
// layerCount + 1 hexes.
int floodPath(const Board& board, const SetWord* start, FloodClauses clauses, const SetWord* layers,
              int layerCount, int goal, std::int16_t* path);

} // namespace hellwig
