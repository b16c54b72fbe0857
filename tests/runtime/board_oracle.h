// SPDX-License-Identifier: Apache-2.0
// An independent picture of the board for the tests: places computed from printed numbers by the words of
// docs/language.md (which lines are pushed where), and exact plane geometry in integers.
#pragma once

#include "runtime/board.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace hellwig::oracle {

struct Point {
  long x, y;
  bool operator==(const Point&) const = default;
};

// The centre of a hex of a single sheet, in a plane squeezed so that all corners are whole: pointed hexes are
// 2 wide with rows 3 apart, flat hexes 2 high with columns 3 apart. Squeezing keeps straight lines straight.
inline Point centre(const BoardSpec& spec, int column, int row) {
  const SheetSpec& sheet = spec.sheets[0];
  bool pointed = spec.shape == GridShape::pointed;
  int line = pointed ? row : column;
  bool pushed = (line % 2 == 0) == (spec.pushedParity == Parity::even);
  long push = !pushed ? 0 : spec.push == Push::right || spec.push == Push::down ? 1 : -1;
  long x = sheet.countedEastToWest ? -column : column;
  long y = sheet.countedSouthToNorth ? -row : row;
  return pointed ? Point{2 * x + push, 3 * y} : Point{3 * x, 2 * y + push};
}

inline Point centre(const BoardSpec& spec, const Board& board, int hex) {
  return centre(spec, board.hex[hex].column, board.hex[hex].row);
}

// The corners of hexside d of a hex, the counter-clockwise end first, relative to its centre.
inline std::pair<Point, Point> hexsideCorners(GridShape shape, int d) {
  static const Point pointed[6] = {{0, -2}, {1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}};
  static const Point flat[6] = {{-1, -1}, {1, -1}, {2, 0}, {1, 1}, {-1, 1}, {-2, 0}};
  const Point* corner = shape == GridShape::pointed ? pointed : flat;
  return {corner[d], corner[(d + 1) % 6]};
}

// The direction in which the second centre is next to the first, or -1.
inline int stepDirection(GridShape shape, Point from, Point to) {
  static const Point pointed[6] = {{1, -3}, {2, 0}, {1, 3}, {-1, 3}, {-2, 0}, {-1, -3}};
  static const Point flat[6] = {{0, -2}, {3, -1}, {3, 1}, {0, 2}, {-3, 1}, {-3, -1}};
  for (int d = 0; d < 6; ++d)
    if (Point{to.x - from.x, to.y - from.y} == (shape == GridShape::pointed ? pointed : flat)[d]) return d;
  return -1;
}

// neighbours[h * 6 + d] by comparing all pairs of centres.
inline std::vector<int> neighbourTable(const BoardSpec& spec, const Board& board) {
  std::vector<int> table(static_cast<std::size_t>(board.n) * 6, -1);
  for (int a = 0; a < board.n; ++a)
    for (int b = 0; b < board.n; ++b)
      if (int d = stepDirection(spec.shape, centre(spec, board, a), centre(spec, board, b)); d >= 0)
        table[a * 6 + d] = b;
  return table;
}

// Steps from `start` to every hex, -1 where there is no way.
inline std::vector<int> breadthFirst(const std::vector<int>& neighbours, int start) {
  std::vector<int> steps(neighbours.size() / 6, -1);
  std::deque<int> queue{start};
  steps[start] = 0;
  for (; !queue.empty(); queue.pop_front())
    for (int d = 0; d < 6; ++d)
      if (int b = neighbours[queue.front() * 6 + d]; b >= 0 && steps[b] < 0) {
        steps[b] = steps[queue.front()] + 1;
        queue.push_back(b);
      }
  return steps;
}

inline BoardSpec oneSheet(GridShape shape, Parity parity, Push push, Numbering numbering, int columns,
                          int rows) {
  BoardSpec spec;
  spec.shape = shape;
  spec.pushedParity = parity;
  spec.push = push;
  spec.numbering = numbering;
  SheetSpec sheet;
  sheet.columns = columns;
  sheet.rows = rows;
  spec.sheets.push_back(sheet);
  return spec;
}

// The eight kinds of grid, each with both numberings and both ways of counting columns.
inline std::vector<BoardSpec> allGrids(int columns, int rows) {
  std::vector<BoardSpec> specs;
  for (GridShape shape : {GridShape::pointed, GridShape::flat})
    for (Parity parity : {Parity::even, Parity::odd})
      for (bool further : {true, false})
        for (Numbering numbering : {Numbering::columnRow, Numbering::rowColumn})
          for (bool turned : {false, true}) {
            Push push = shape == GridShape::pointed ? (further ? Push::right : Push::left)
                                                    : (further ? Push::down : Push::up);
            BoardSpec spec = oneSheet(shape, parity, push, numbering, columns, rows);
            spec.sheets[0].countedEastToWest = turned;
            specs.push_back(spec);
          }
  return specs;
}

// Three sheets of 7 rows counted from the east, as the map of Kolin has them.
inline BoardSpec threeSheets() {
  BoardSpec spec = oneSheet(GridShape::pointed, Parity::odd, Push::left, Numbering::rowColumn, 5, 7);
  spec.sheets[0].countedEastToWest = true;
  spec.sheets.resize(3, spec.sheets[0]);
  const char* names[3] = {"East", "Center", "West"};
  for (int i = 0; i < 3; ++i) {
    spec.sheets[i].name = names[i];
    spec.sheets[i].prefix = names[i][0];
    if (i > 0) spec.sheets[i].columns = 4;
  }
  spec.joins = {{0, Compass::west, 1, Compass::east}, {1, Compass::west, 2, Compass::east}};
  return spec;
}

using Set = std::vector<SetWord>;

inline Set emptySet(const Board& board) {
  return Set(static_cast<std::size_t>(board.words), 0);
}

inline Set randomSet(const Board& board, std::mt19937& random, int percent) {
  Set set = emptySet(board);
  for (int h = 0; h < board.n; ++h)
    if (static_cast<int>(random() % 100) < percent) setBit(set.data(), h);
  return set;
}

inline std::vector<int> members(const Set& set) {
  std::vector<int> list;
  for (int i = 0; i < static_cast<int>(set.size()) * 64; ++i)
    if ((set[i / 64] >> (i % 64)) & 1) list.push_back(i);
  return list;
}

inline Board built(const BoardSpec& spec) {
  Board board;
  std::string error = buildBoard(spec, board);
  if (!error.empty()) board.n = 0;
  return board;
}

} // namespace hellwig::oracle
