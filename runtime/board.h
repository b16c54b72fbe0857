// SPDX-License-Identifier: Apache-2.0
// The hex board: its description, the tables built from it, and what can be read off them directly.
#pragma once

#include "runtime/bitset_words.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hellwig {

// Hexes are numbered 0 .. n-1 in the standard order: by sheet, then by printed number. Where there may be no
// hex, -1 stands for none. Directions are 0 .. 5 clockwise: pointed ne e se sw w nw, flat n ne se s sw nw.
inline constexpr int noHex = -1;
inline constexpr int noHexside = -1;
inline constexpr int noDirection = -1;
inline constexpr int maxBoardHexes = 8192;

// Pointed hexes stand on a corner and lie in straight rows; flat hexes lie in straight columns.
enum class GridShape : std::uint8_t { pointed, flat };
enum class Parity : std::uint8_t { even, odd };
enum class Push : std::uint8_t { left, right, up, down };
enum class Numbering : std::uint8_t { columnRow, rowColumn };
enum class Compass : std::uint8_t { north, east, south, west };

struct SheetSpec {
  std::string name;
  std::string prefix; // before the digits of each number; may be empty
  int columns = 0;
  int rows = 0;
  int firstColumn = 1; // the lowest printed column and row number, >= 0
  int firstRow = 1;
  bool countedEastToWest = false; // the lowest column is the eastern one
  bool countedSouthToNorth = false;
};

// `join first firstEdge to second secondEdge`: the two edges lie side by side, so they are opposite ones.
// Rows (columns, for north and south) of the same printed number lie in one line; if the sheets count in
// opposite ways, the northern (western) ends are level.
struct JoinSpec {
  int first = 0; // positions in BoardSpec::sheets
  Compass firstEdge = Compass::west;
  int second = 0;
  Compass secondEdge = Compass::east;
};

// Rows or columns whose printed number has the parity `pushedParity` lie half a hex further `push`. Pointed
// grids push rows left or right, flat grids push columns up or down; anything else is an error.
struct BoardSpec {
  GridShape shape = GridShape::pointed;
  Parity pushedParity = Parity::even;
  Push push = Push::right;
  Numbering numbering = Numbering::columnRow;
  int digits = 2; // of each of column and row, 1 .. 4
  std::vector<SheetSpec> sheets;
  std::vector<JoinSpec> joins;
};

struct Sheet {
  std::string name;
  std::string prefix;
  int firstHex = 0; // its hexes are firstHex .. firstHex + hexes - 1
  int hexes = 0;
  int columns = 0, rows = 0, firstColumn = 1, firstRow = 1;
};

struct Hex {
  std::int16_t column, row; // as printed
  std::int16_t sheet;
  std::int16_t q, r; // cube coordinates; the third is -q - r
  std::int16_t x, y; // offset coordinates on the whole board: x rises eastwards, y southwards
  std::int32_t cell; // position in Board::cells
};

struct Hexside {
  std::int16_t first;    // the lower hex of the two
  std::int16_t second;   // the other hex, or -1 at the rim of the board
  std::int8_t direction; // from first to second
};

// How a set of hexes of a single sheet is moved by one step with four shifts; see hex_geometry.cpp. Strides
// are differences of ids, > 0.
struct ShiftPlan {
  bool usable = false;
  int along = 0;  // of two hexes side by side in a straight line of hexes (pointed: a row, flat: a column)
  int across = 0; // of two hexes at the same place of neighbouring lines
  bool small = false;         // the strides and the number of words are small enough for SmallShift
  int maskWords = 0;          // of each mask: Board::words, or more if `small`
  std::vector<SetWord> masks; // shiftMaskCount sets, in the order of ShiftMask
};
enum ShiftMask { acrossUp, acrossDown, alongUp, alongDown, fromUp, fromDown, shiftMaskCount };

// Sight lines that are the same for all pairs of hexes with the same difference; see sight_line.cpp.
struct SightPattern {
  std::int32_t firstHexItem = 0, hexItems = 0;
  std::int32_t firstSideItem = 0, sideItems = 0;
};
struct SightCell { // two cells relative to the cell of the hex that looks; equal for a single hex
  std::int32_t first, second;
};
// Two hexsides, each as cell and direction, and its other cell; equal for a single one.
struct SightSide {
  std::array<std::int32_t, 2> cell, otherCell;
  std::array<std::int8_t, 2> direction;
};
inline constexpr int sightPatternRadius = 8;

// Immutable after buildBoard, but for restrictToPlay.
struct Board {
  BoardSpec spec; // what it was built from
  GridShape shape = GridShape::pointed;
  Numbering numbering = Numbering::columnRow;
  int digits = 2;
  // Whether lines of odd y (pointed) or x (flat) lie half a hex further right or down, or else the even ones.
  bool oddFurther = false;
  int n = 0;     // hexes, in play or not
  int words = 0; // of a set of hexes
  int hexsides = 0;
  std::vector<Hex> hex;
  std::vector<std::string> label; // "0508", "E3829"
  std::vector<Sheet> sheets;

  std::vector<SetWord> inPlay;
  // [hex * 6 + direction]: the hex there, or -1. `neighbour` knows only hexes in play (and is -1 throughout
  // for those out of play), `adjacent` all hexes of the board.
  std::vector<std::int16_t> neighbour;
  std::vector<std::int16_t> adjacent;

  // Hexsides in standard order: by first hex, then clockwise. Those at the rim and of hexes out of play
  // count.
  std::vector<std::int32_t> hexsideOf; // [hex * 6 + direction], never -1
  std::vector<Hexside> hexside;

  // A dense map from cube coordinates to hexes: cell (q - cellMinQ) + (r - cellMinR) * cellWidth. It has a
  // margin, so that a step off the board from any of its hexes stays inside.
  std::vector<std::int16_t> cells;     // -1: no hex
  std::vector<std::int16_t> playCells; // the same, but -1 for hexes out of play too
  int cellMinQ = 0, cellMinR = 0, cellWidth = 0, cellHeight = 0;

  ShiftPlan shift;
  // Balls: the hexes in play within radius k of h, for k = 1 .. ballRadius, at ((k - 1) * n + h) * words.
  // Built for boards of up to 512 hexes, else ballRadius is 0.
  std::vector<SetWord> balls;
  int ballRadius = 0;

  std::array<std::int32_t, 6> cellStep{};  // the change of cell by a step in each direction
  std::vector<SightPattern> sightPatterns; // [(dq + radius) * (2 * radius + 1) + dr + radius]
  std::vector<SightCell> sightCells;
  std::vector<SightSide> sightSides;
  int sightCapacity = 0; // no sight line has more items than this, of hexes or of hexsides

  const SetWord* ball(int hexId, int radius) const {
    return balls.data() + (static_cast<std::size_t>(radius - 1) * n + hexId) * words;
  }
};

// Builds `board` from `spec`. Returns "" or what is wrong with the description; the board is then
// unspecified.
std::string buildBoard(const BoardSpec& spec, Board& board);

// Takes all hexes outside `mask` (board.words words) out of play. May be called again, with another mask.
void restrictToPlay(Board& board, const SetWord* mask);

// The hex of a number such as 0508 or E3829, in play or not; -1 if there is none.
int hexByLabel(const Board& board, std::string_view label);
// The hex of a column and row as printed on a sheet, or -1.
int hexByNumber(const Board& board, int sheet, int column, int row);
// A sheet by its name, or -1.
int sheetByName(const Board& board, std::string_view name);
// The hex with these cube coordinates, or -1; any values may be given.
int hexAt(const Board& board, int q, int r);

// "ne" .. as the shape names them, and back (-1 if unknown; letters of either case).
std::string_view directionName(GridShape shape, int direction);
int directionByName(GridShape shape, std::string_view name);
// Each direction is also the one that a corner points in, the corner at the counter-clockwise end of that
// hexside: pointed n ene ese s wsw wnw, flat nnw nne e sse ssw w.
std::string_view cornerName(GridShape shape, int direction);
int cornerByName(GridShape shape, std::string_view name);
// The change of cube coordinates by a step.
void directionStep(GridShape shape, int direction, int& q, int& r);
constexpr int oppositeDirection(int direction) {
  return direction < 3 ? direction + 3 : direction - 3;
}

// Sets of hexes in play, each of board.words words. Rows and columns go by printed number; a sheet of -1
// takes them on every sheet.
void rowSet(const Board& board, int sheet, int row, SetWord* out);
void columnSet(const Board& board, int sheet, int column, SetWord* out);
void sheetSet(const Board& board, int sheet, SetWord* out);
// The last hex in play of each column (north, south) or row (east, west) of the whole board on that side; of
// these the ones on the sheet, unless it is -1.
void edgeSet(const Board& board, Compass side, int sheet, SetWord* out);

// The hexes in play that lie north, south, east or west of `of`: beyond all its hexes in their column (north,
// south) or row. Where `of` has none in that line, its hexes in the nearest line that has some count, of two
// as near those in the line of the lower number. With `orOn` the hexes of `of` themselves count, too.
void beyondSet(const Board& board, Compass side, bool orOn, const SetWord* of, SetWord* out);

// The hexside of a hex and a direction; of two adjacent hexes (-1 if they are not adjacent).
inline int hexsideOf(const Board& board, int hexId, int direction) {
  return board.hexsideOf[hexId * 6 + direction];
}
int hexsideBetween(const Board& board, int a, int b);
// "0610/0611" or, at the rim, "0110W".
std::string hexsideLabel(const Board& board, int hexsideId);
// The hexside of "0610/0611" or "0610SE", or -1.
int hexsideByLabel(const Board& board, std::string_view label);

} // namespace hellwig
