// SPDX-License-Identifier: Apache-2.0
// The parts of building a board that stand beside the code which uses them. Not for other callers.
#pragma once

#include "runtime/board.h"

namespace hellwig {

// Fills board.shift; a board of several sheets gets none.
void makeShiftPlan(Board& board);
// Fills board.balls for the hexes in play.
void makeBalls(Board& board);
// Fills the sight patterns and board.sightCapacity.
void makeSightPatterns(Board& board);

} // namespace hellwig
