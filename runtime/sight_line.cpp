// SPDX-License-Identifier: Apache-2.0
// Sight lines in integers. What a line crosses depends only on the difference of its ends, so for short lines
// it is worked out once per board and kept as differences of cells.
#include "runtime/sight_line.h"

#include "runtime/board_tables.h"
#include "runtime/hex_geometry.h"

#include <algorithm>
#include <cstdlib>

namespace hellwig {

namespace {

constexpr int stepQ[6] = {1, 1, 0, -1, -1, 0};
constexpr int stepR[6] = {-1, 0, 1, 1, 0, -1};

// How far a point lies beyond the pairs of opposite hexsides of the hex at the origin: ne (-) sw, e (-) w, se
// (-) nw. The hex is where all three are between -1 and 1, and a step in direction d < 3 changes the d-th
// by 2.
constexpr int beyond(int axis, int q, int r) {
  return axis == 0 ? q - r : axis == 1 ? 2 * q + r : q + 2 * r;
}

// Walks from the centre of (0, 0) to that of (dq, dr) and tells the sink what is crossed:
//   hexes(q1, r1, q2, r2)         a hex (both the same) or the two along whose hexside the line runs
//   sides(q1, r1, d1, q2, r2, d2) a hexside (both the same) or the two that meet at a corner
// with directions 0 .. 5 of a pointed grid.
template<class Sink> void walkLine(int dq, int dr, Sink&& sink) {
  int q = 0, r = 0;
  while (q != dq || r != dr) {
    // Along each axis the line leaves the present hex at the fraction reach / length of its way.
    int least = -1, second = -1;
    std::int64_t leastReach = 0, leastLength = 1;
    int direction[3];
    for (int axis = 0; axis < 3; ++axis) {
      std::int64_t total = beyond(axis, dq, dr);
      if (total == 0) continue;
      int sign = total > 0 ? 1 : -1;
      direction[axis] = total > 0 ? axis : axis + 3;
      std::int64_t reach = std::int64_t{sign} * beyond(axis, q, r) + 1, length = sign * total;
      std::int64_t difference = least < 0 ? -1 : reach * leastLength - leastReach * length;
      if (difference < 0) {
        least = axis;
        second = -1;
        leastReach = reach;
        leastLength = length;
      } else if (difference == 0) {
        second = axis;
      }
    }
    int a = direction[least];
    if (second < 0) {
      sink.sides(q, r, a, q, r, a);
      q += stepQ[a];
      r += stepR[a];
    } else {
      // Through a corner, between the hexes in directions a and b.
      int b = direction[second], third = 3 - least - second;
      int along = beyond(third, dq, dr);
      if (along == 0) {
        sink.sides(q, r, a, q, r, b);
        sink.hexes(q + stepQ[a], r + stepR[a], q + stepQ[b], r + stepR[b]);
        q += stepQ[a] + stepQ[b];
        r += stepR[a] + stepR[b];
        sink.sides(q, r, oppositeDirection(a), q, r, oppositeDirection(b));
      } else {
        // The hex beyond the corner is the one on whose side the line goes on.
        bool towardsA = (beyond(third, stepQ[a], stepR[a]) > 0) == (along > 0);
        q += stepQ[towardsA ? a : b];
        r += stepR[towardsA ? a : b];
      }
    }
    if (q != dq || r != dr) sink.hexes(q, r, q, r);
  }
}

// The walk as differences of cells and directions of the board's own shape.
struct CellWalk {
  const Board& board;
  int turn;
  explicit CellWalk(const Board& given) : board(given), turn(given.shape == GridShape::flat ? 1 : 0) {}
  SightCell hexCells(int q1, int r1, int q2, int r2) const {
    return {q1 + r1 * board.cellWidth, q2 + r2 * board.cellWidth};
  }
  SightSide sideCells(int q1, int r1, int d1, int q2, int r2, int d2) const {
    SightSide side;
    d1 = (d1 + turn) % 6;
    d2 = (d2 + turn) % 6;
    side.cell = {q1 + r1 * board.cellWidth, q2 + r2 * board.cellWidth};
    side.otherCell = {side.cell[0] + board.cellStep[d1], side.cell[1] + board.cellStep[d2]};
    side.direction = {static_cast<std::int8_t>(d1), static_cast<std::int8_t>(d2)};
    return side;
  }
};

// Calls visit(first, second) for the hexes of a line, as SightItem has them, until it returns true; returns
// whether it did. A line that is too long for the patterns is walked.
template<class Visit> bool visitHexes(const Board& board, int a, int b, Visit&& visit) {
  const Hex& from = board.hex[a];
  const Hex& to = board.hex[b];
  const std::int16_t* cells = board.playCells.data() + from.cell;
  auto found = [&](SightCell cell) {
    int first = cells[cell.first];
    if (cell.first == cell.second) return first != noHex && visit(first, first);
    int second = cells[cell.second];
    if (second != noHex && (first == noHex || second < first)) std::swap(first, second);
    return first != noHex && visit(first, second);
  };
  int dq = to.q - from.q, dr = to.r - from.r;
  constexpr int radius = sightPatternRadius, width = 2 * radius + 1;
  if (std::abs(dq) <= radius && std::abs(dr) <= radius && std::abs(dq + dr) <= radius) {
    const SightPattern& pattern = board.sightPatterns[(dq + radius) * width + dr + radius];
    const SightCell* item = board.sightCells.data() + pattern.firstHexItem;
    for (int i = 0; i < pattern.hexItems; ++i)
      if (found(item[i])) return true;
    return false;
  }
  struct Sink {
    CellWalk walk;
    decltype(found)& use;
    bool done = false;
    void hexes(int q1, int r1, int q2, int r2) { done = done || use(walk.hexCells(q1, r1, q2, r2)); }
    void sides(int, int, int, int, int, int) {}
  } sink{CellWalk(board), found};
  walkLine(dq, dr, sink);
  return sink.done;
}

// The same for hexsides.
template<class Visit> bool visitSides(const Board& board, int a, int b, Visit&& visit) {
  const Hex& from = board.hex[a];
  const Hex& to = board.hex[b];
  const std::int16_t* cells = board.cells.data() + from.cell;
  auto sideAt = [&](const SightSide& side, int i) {
    if (int h = cells[side.cell[i]]; h != noHex) return board.hexsideOf[h * 6 + side.direction[i]];
    if (int h = cells[side.otherCell[i]]; h != noHex)
      return board.hexsideOf[h * 6 + oppositeDirection(side.direction[i])];
    return static_cast<std::int32_t>(noHexside);
  };
  auto found = [&](const SightSide& side) {
    int first = sideAt(side, 0);
    if (side.cell[0] == side.cell[1] && side.direction[0] == side.direction[1])
      return first != noHexside && visit(first, first);
    int second = sideAt(side, 1);
    if (second != noHexside && (first == noHexside || second < first)) std::swap(first, second);
    return first != noHexside && visit(first, second);
  };
  int dq = to.q - from.q, dr = to.r - from.r;
  constexpr int radius = sightPatternRadius, width = 2 * radius + 1;
  if (std::abs(dq) <= radius && std::abs(dr) <= radius && std::abs(dq + dr) <= radius) {
    const SightPattern& pattern = board.sightPatterns[(dq + radius) * width + dr + radius];
    const SightSide* item = board.sightSides.data() + pattern.firstSideItem;
    for (int i = 0; i < pattern.sideItems; ++i)
      if (found(item[i])) return true;
    return false;
  }
  struct Sink {
    CellWalk walk;
    decltype(found)& use;
    bool done = false;
    void hexes(int, int, int, int) {}
    void sides(int q1, int r1, int d1, int q2, int r2, int d2) {
      done = done || use(walk.sideCells(q1, r1, d1, q2, r2, d2));
    }
  } sink{CellWalk(board), found};
  walkLine(dq, dr, sink);
  return sink.done;
}

} // namespace

void makeSightPatterns(Board& board) {
  constexpr int radius = sightPatternRadius, width = 2 * radius + 1;
  board.sightPatterns.assign(width * width, SightPattern{});
  struct Sink {
    Board& board;
    CellWalk walk;
    void hexes(int q1, int r1, int q2, int r2) { board.sightCells.push_back(walk.hexCells(q1, r1, q2, r2)); }
    void sides(int q1, int r1, int d1, int q2, int r2, int d2) {
      board.sightSides.push_back(walk.sideCells(q1, r1, d1, q2, r2, d2));
    }
  } sink{board, CellWalk(board)};
  for (int dq = -radius; dq <= radius; ++dq)
    for (int dr = -radius; dr <= radius; ++dr) {
      if (std::abs(dq + dr) > radius) continue;
      SightPattern& pattern = board.sightPatterns[(dq + radius) * width + dr + radius];
      pattern.firstHexItem = static_cast<std::int32_t>(board.sightCells.size());
      pattern.firstSideItem = static_cast<std::int32_t>(board.sightSides.size());
      walkLine(dq, dr, sink);
      pattern.hexItems = static_cast<std::int32_t>(board.sightCells.size()) - pattern.firstHexItem;
      pattern.sideItems = static_cast<std::int32_t>(board.sightSides.size()) - pattern.firstSideItem;
    }
  // Each item of a line is one hex or one hexside further; a line over the distance d meets at most 2 d of
  // either. No two hexes are farther apart than the sides of the table of cells together.
  board.sightCapacity = 2 * (board.cellWidth + board.cellHeight);
}

int sightHexes(const Board& board, int a, int b, SightItem* out) {
  int count = 0;
  visitHexes(board, a, b, [&](int first, int second) {
    out[count++] = {static_cast<std::int16_t>(first), static_cast<std::int16_t>(second)};
    return false;
  });
  return count;
}

int sightHexsides(const Board& board, int a, int b, SightSideItem* out) {
  int count = 0;
  visitSides(board, a, b, [&](int first, int second) {
    out[count++] = {first, second};
    return false;
  });
  return count;
}

bool sightBlocked(const Board& board, int a, int b, const SetWord* blocking, bool either) {
  return visitHexes(board, a, b, [&](int first, int second) {
    bool one = hasBit(blocking, first);
    if (first == second) return one;
    bool other = second != noHex && hasBit(blocking, second);
    return either ? one || other : one && other;
  });
}

bool sightCrosses(const Board& board, int a, int b, const SetWord* blocking, bool either) {
  return visitSides(board, a, b, [&](int first, int second) {
    bool one = hasBit(blocking, first);
    if (first == second) return one;
    bool other = second != noHexside && hasBit(blocking, second);
    return either ? one || other : one && other;
  });
}

} // namespace hellwig
