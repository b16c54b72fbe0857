// SPDX-License-Identifier: Apache-2.0
// Geometry on a board: distances, directions, and sets grown by shifts where the board allows it.
#include "runtime/hex_geometry.h"

#include "runtime/board_tables.h"
#include "runtime/shift_kernel.h"

#include <algorithm>
#include <cstdlib>

namespace hellwig {

void makeShiftPlan(Board& board) {
  if (board.sheets.size() != 1) return;
  const Sheet& sheet = board.sheets[0];
  bool columnsFirst = board.numbering == Numbering::columnRow;
  int columnStride = columnsFirst ? sheet.rows : 1, rowStride = columnsFirst ? 1 : sheet.columns;
  bool pointed = board.shape == GridShape::pointed;
  ShiftPlan& plan = board.shift;
  plan.along = pointed ? columnStride : rowStride;
  plan.across = pointed ? rowStride : columnStride;
  plan.small = plan.along < 64 && plan.across < 64 && board.words <= 16;
  plan.maskWords = !plan.small || board.words <= 4 ? board.words : (board.words + 3) / 4 * 4;
  plan.masks.assign(static_cast<std::size_t>(plan.maskWords) * shiftMaskCount, 0);
  auto mask = [&](ShiftMask which) { return plan.masks.data() + which * plan.maskWords; };

  auto alongPlace = [&](int h) { return pointed ? board.hex[h].x : board.hex[h].y; };
  auto acrossPlace = [&](int h) { return pointed ? board.hex[h].y : board.hex[h].x; };
  auto beside = [&](int a, int b, bool sameLine) {
    if (a < 0 || b < 0 || a >= board.n || b >= board.n) return false;
    int along = std::abs(alongPlace(a) - alongPlace(b)), across = std::abs(acrossPlace(a) - acrossPlace(b));
    return sameLine ? along == 1 && across == 0 : along == 0 && across == 1;
  };
  // Places fall along the line on sheets counted east to west or south to north.
  bool rises = plan.along >= board.n || alongPlace(plan.along) > alongPlace(0);
  for (int h = 0; h < board.n; ++h) {
    if (beside(h, h - plan.across, false)) setBit(mask(acrossUp), h);
    if (beside(h, h + plan.across, false)) setBit(mask(acrossDown), h);
    if (beside(h, h - plan.along, true)) setBit(mask(alongUp), h);
    if (beside(h, h + plan.along, true)) setBit(mask(alongDown), h);
    // A hex of a line that lies further came from one that does not, whose other neighbour is one place back.
    bool further = ((acrossPlace(h) & 1) != 0) == board.oddFurther;
    setBit(mask(further == rises ? fromDown : fromUp), h);
  }
  plan.usable = true;
}

void makeBalls(Board& board) {
  constexpr int largest = 512, radii = 8;
  board.ballRadius = 0;
  board.balls.clear();
  if (board.n > largest) return;
  board.balls.resize(static_cast<std::size_t>(radii) * board.n * board.words);
  for (int radius = 1; radius <= radii; ++radius)
    for (int h = 0; h < board.n; ++h)
      withinOfHex(board, h, radius,
                  board.balls.data() + (static_cast<std::size_t>(radius - 1) * board.n + h) * board.words);
  board.ballRadius = radii;
}

int hexDistanceToSet(const Board& board, int a, const SetWord* set) {
  int least = -1;
  forEachBit(set, board.words, [&](int b) {
    int distance = hexDistance(board, a, b);
    if (least < 0 || distance < least) least = distance;
  });
  return least;
}

int setDistance(const Board& board, const SetWord* a, const SetWord* b) {
  int least = -1;
  forEachBit(a, board.words, [&](int h) {
    int distance = least == 0 ? 0 : hexDistanceToSet(board, h, b);
    if (least < 0 || distance < least) least = distance;
  });
  return least;
}

int leavingDirections(GridShape shape, int dq, int dr, int* out) {
  // How far the end lies beyond each pair of opposite hexsides; the farthest pair is where the line leaves.
  const int beyond[3] = {dq - dr, 2 * dq + dr, dq + 2 * dr}; // ne, e, se of a pointed grid
  int count = 0, farthest = 0;
  for (int d = 0; d < 3; ++d) {
    const int far = std::abs(beyond[d]);
    if (far < farthest) continue;
    if (far > farthest) count = 0;
    farthest = far;
    out[count++] = beyond[d] > 0 ? d : d + 3;
  }
  // Two as far are neighbours in the circle: the later one, unless the circle closes between them.
  if (count == 2 && (out[0] + 1) % 6 != out[1]) std::swap(out[0], out[1]);
  if (shape == GridShape::flat)
    for (int i = 0; i < count; ++i) out[i] = (out[i] + 1) % 6;
  return count;
}

int hexDirection(const Board& board, int a, int b) {
  const Hex& from = board.hex[a];
  const Hex& to = board.hex[b];
  if (from.q == to.q && from.r == to.r) return noDirection;
  int directions[3];
  return directions[leavingDirections(board.shape, to.q - from.q, to.r - from.r, directions) - 1];
}

int directionToNeighbour(const Board& board, int a, int b) {
  for (int d = 0; d < 6; ++d)
    if (board.adjacent[a * 6 + d] == b) return d;
  return noDirection;
}

namespace {

// The neighbours of a set, in play or not.
void anyNeighbours(const Board& board, const SetWord* set, SetWord* out) {
  if (board.shift.small)
    return withSmallShift(board, [&]<int W>() {
      SetWord s[W], result[W];
      SmallShift<W>::load(board, set, s);
      SmallShift<W>(board).step(s, result);
      SmallShift<W>::store(board, result, out);
    });
  // A few hexes are done sooner by their lists than all words by shifts.
  if (board.shift.usable && countBits(set, board.words) > board.words) {
    int low = 0, high = board.words - 1;
    LargeShift(board).step(set, out, low, high);
    return;
  }
  clearSet(out, board.words);
  forEachBit(set, board.words, [&](int h) {
    for (int d = 0; d < 6; ++d)
      if (int other = board.adjacent[h * 6 + d]; other != noHex) setBit(out, other);
  });
}

// Adds the hexes in play within `radius`, by the rows of cube coordinates.
void addBall(const Board& board, int hexId, int radius, SetWord* out) {
  const Hex& centre = board.hex[hexId];
  int q = centre.q - board.cellMinQ, r = centre.r - board.cellMinR;
  int lowR = std::max(0, r - radius), highR = std::min(board.cellHeight - 1, r + radius);
  for (int row = lowR; row <= highR; ++row) {
    int lowQ = std::max({0, q - radius, q - radius - (row - r)});
    int highQ = std::min({board.cellWidth - 1, q + radius, q + radius - (row - r)});
    const std::int16_t* cells = board.playCells.data() + static_cast<std::size_t>(row) * board.cellWidth;
    for (int i = lowQ; i <= highQ; ++i)
      if (cells[i] != noHex) setBit(out, cells[i]);
  }
}

} // namespace

void neighboursOf(const Board& board, const SetWord* set, SetWord* out) {
  anyNeighbours(board, set, out);
  andSet(out, out, board.inPlay.data(), board.words);
}

void expandSet(const Board& board, const SetWord* set, SetWord* out) {
  anyNeighbours(board, set, out);
  for (int i = 0; i < board.words; ++i) out[i] = (out[i] | set[i]) & board.inPlay[i];
}

void adjacentTo(const Board& board, const SetWord* set, SetWord* out) {
  anyNeighbours(board, set, out);
  for (int i = 0; i < board.words; ++i) out[i] = out[i] & ~set[i] & board.inPlay[i];
}

void withinOfHex(const Board& board, int hexId, int radius, SetWord* out) {
  if (radius >= 1 && radius <= board.ballRadius) return copySet(out, board.ball(hexId, radius), board.words);
  clearSet(out, board.words);
  addBall(board, hexId, radius, out);
}

void withinOfSet(const Board& board, const SetWord* set, int radius, SetWord* out) {
  if (radius < 0) return clearSet(out, board.words);
  if (radius == 0) return andSet(out, set, board.inPlay.data(), board.words);
  if (radius <= board.ballRadius && countBits(set, board.words) <= 4 * radius) {
    clearSet(out, board.words);
    forEachBit(set, board.words, [&](int h) { orSet(out, out, board.ball(h, radius), board.words); });
    return;
  }
  // On a board of one sheet a shortest way over the board is as short as any, so the set may grow step by
  // step.
  if (board.shift.usable) {
    SetWord grown[wordsFor(maxBoardHexes)];
    copySet(out, set, board.words);
    for (int i = 0; i < radius; ++i) {
      anyNeighbours(board, out, grown);
      if (isSubset(grown, out, board.words)) break;
      orSet(out, out, grown, board.words);
    }
    andSet(out, out, board.inPlay.data(), board.words);
    return;
  }
  // Elsewhere each member counts by itself; what lies within reach of one inside the set is in the set or
  // within reach of one at its rim.
  andSet(out, set, board.inPlay.data(), board.words);
  forEachBit(set, board.words, [&](int h) {
    for (int d = 0; d < 6; ++d) {
      int other = board.adjacent[h * 6 + d];
      if (other != noHex && hasBit(set, other)) continue;
      addBall(board, h, radius, out);
      break;
    }
  });
}

void ringOfHex(const Board& board, int hexId, int radius, SetWord* out) {
  withinOfHex(board, hexId, radius, out);
  forEachBit(out, board.words, [&](int h) {
    if (hexDistance(board, hexId, h) < radius) clearBit(out, h);
  });
}

} // namespace hellwig
