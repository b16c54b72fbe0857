// SPDX-License-Identifier: Apache-2.0
// Numbers, places, neighbours, hexsides, joined sheets and edges of a board.
#include "runtime/board.h"
#include "tests/runtime/board_oracle.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace hellwig {
namespace {

using namespace oracle;

Board mollwitzGrid() {
  return built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
}

std::string around(const Board& board, const char* label) {
  std::ostringstream text;
  int h = hexByLabel(board, label);
  for (int d = 0; d < 6; ++d) {
    int other = board.neighbour[h * 6 + d];
    if (d > 0) text << ' ';
    if (other < 0)
      text << '-';
    else
      text << board.label[other];
  }
  return text.str();
}

// Worked out on paper. Row 07 is not pushed, so hex 0607 lies between columns 05 and 06 of the pushed rows 06
// and 08; row 06 is pushed right, so 0606 lies between columns 06 and 07 of rows 05 and 07. Order: ne e se sw
// w nw.
TEST(Board, NeighboursByHandOfEvenRowsPushedRight) {
  Board board = mollwitzGrid();
  ASSERT_EQ(board.n, 165);
  EXPECT_EQ(board.words, 3);
  EXPECT_EQ(around(board, "0607"), "0606 0707 0608 0508 0507 0506");
  EXPECT_EQ(around(board, "0606"), "0705 0706 0707 0607 0506 0605");
  EXPECT_EQ(around(board, "0101"), "- 0201 0102 - - -");
  EXPECT_EQ(around(board, "0102"), "0201 0202 0203 0103 - 0101");
  EXPECT_EQ(around(board, "1115"), "1114 - - - 1015 1014");
  EXPECT_EQ(around(board, "1114"), "- - - 1115 1014 1113");
}

// Column 03 is odd and pushed up by half a hex, so 0305 lies level with the joint of rows 04 and 05 of
// columns 02, 04. Order: n ne se s sw nw.
TEST(Board, NeighboursByHandOfOddColumnsPushedUp) {
  Board board = built(oneSheet(GridShape::flat, Parity::odd, Push::up, Numbering::columnRow, 34, 24));
  EXPECT_EQ(around(board, "0305"), "0304 0404 0405 0306 0205 0204");
  EXPECT_EQ(around(board, "0405"), "0404 0505 0506 0406 0306 0305");
}

TEST(Board, NeighboursOfEveryKindOfGridAgreeWithPlaces) {
  for (const BoardSpec& spec : allGrids(6, 5)) {
    Board board = built(spec);
    ASSERT_EQ(board.n, 30);
    std::vector<int> expected = neighbourTable(spec, board);
    for (int i = 0; i < board.n * 6; ++i) {
      EXPECT_EQ(board.neighbour[i], expected[i]);
      EXPECT_EQ(board.adjacent[i], expected[i]);
    }
  }
}

TEST(Board, FirstNumberOtherThanOneKeepsTheParityOfPrintedNumbers) {
  BoardSpec spec = oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 6, 5);
  spec.sheets[0].firstColumn = 0;
  spec.sheets[0].firstRow = 8;
  Board board = built(spec);
  EXPECT_EQ(board.label[0], "0008");
  std::vector<int> expected = neighbourTable(spec, board);
  for (int i = 0; i < board.n * 6; ++i) EXPECT_EQ(board.neighbour[i], expected[i]);
}

TEST(Board, StandardOrderIsBySheetAndNumber) {
  for (const BoardSpec& spec : allGrids(6, 5)) {
    Board board = built(spec);
    EXPECT_TRUE(std::is_sorted(board.label.begin(), board.label.end()));
    for (int h = 0; h < board.n; ++h) {
      EXPECT_EQ(hexByLabel(board, board.label[h]), h);
      EXPECT_EQ(hexByNumber(board, 0, board.hex[h].column, board.hex[h].row), h);
      EXPECT_EQ(hexAt(board, board.hex[h].q, board.hex[h].r), h);
    }
  }
  Board rowsFirst =
      built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::rowColumn, 3, 2));
  EXPECT_EQ(rowsFirst.label, (std::vector<std::string>{"0101", "0102", "0103", "0201", "0202", "0203"}));
  EXPECT_EQ(rowsFirst.hex[1].column, 2);
  EXPECT_EQ(rowsFirst.hex[1].row, 1);
}

TEST(Board, NumbersThatAreNotThere) {
  Board board = mollwitzGrid();
  for (const char* label : {"", "0", "0016", "0001", "1201", "0116", "E0101", "01011", "01a1", "-101"})
    EXPECT_EQ(hexByLabel(board, label), noHex) << label;
  EXPECT_EQ(hexByNumber(board, 1, 1, 1), noHex);
  EXPECT_EQ(hexAt(board, -1000, 5), noHex);
}

TEST(Board, MoreDigits) {
  BoardSpec spec = oneSheet(GridShape::flat, Parity::even, Push::down, Numbering::columnRow, 3, 120);
  EXPECT_EQ(built(spec).n, 0);
  spec.digits = 3;
  Board board = built(spec);
  EXPECT_EQ(board.label[board.n - 1], "003120");
  EXPECT_EQ(hexByLabel(board, "003120"), 359);
}

TEST(Board, HexsidesInStandardOrder) {
  for (const BoardSpec& spec : allGrids(6, 5)) {
    Board board = built(spec);
    // Each hexside has one or two hexes; 30 hexes have 180 sides.
    int shared = 0, last = -1;
    for (int s = 0; s < board.hexsides; ++s) {
      const Hexside& side = board.hexside[s];
      EXPECT_EQ(hexsideOf(board, side.first, side.direction), s);
      EXPECT_EQ(board.adjacent[side.first * 6 + side.direction], side.second);
      if (side.second >= 0) {
        ++shared;
        EXPECT_LT(side.first, side.second);
        EXPECT_EQ(hexsideOf(board, side.second, oppositeDirection(side.direction)), s);
        EXPECT_EQ(hexsideBetween(board, side.second, side.first), s);
      }
      EXPECT_EQ(hexsideByLabel(board, hexsideLabel(board, s)), s);
      EXPECT_GT(side.first * 6 + side.direction, last);
      last = side.first * 6 + side.direction;
    }
    EXPECT_EQ(board.hexsides + shared, 180);
  }
}

TEST(Board, HexsidesByLabel) {
  Board board = mollwitzGrid();
  // se of 0610, which lies in a pushed row, is 0711.
  EXPECT_EQ(hexsideByLabel(board, "0610SE"), hexsideByLabel(board, "0610/0711"));
  EXPECT_EQ(hexsideByLabel(board, "0610SE"), hexsideByLabel(board, "0711NW"));
  EXPECT_EQ(hexsideLabel(board, hexsideByLabel(board, "0711/0610")), "0610/0711");
  EXPECT_EQ(hexsideLabel(board, hexsideByLabel(board, "0101W")), "0101W");
  for (const char* label : {"", "/", "0610", "0610X", "0610N", "0610/0612", "0610/", "9999SE", "SE"})
    EXPECT_EQ(hexsideByLabel(board, label), noHexside) << label;
}

// The rulebook of Kolin calls E2417 to E1914 a line of hexes (scenario 2); columns rise westwards. The road
// of its map crosses from sheet to sheet.
TEST(Board, KolinGrid) {
  BoardSpec spec = threeSheets();
  for (SheetSpec& sheet : spec.sheets) {
    sheet.rows = 70;
    sheet.columns = sheet.name == "East" ? 33 : 34;
  }
  Board board = built(spec);
  ASSERT_EQ(board.n, 70 * (33 + 34 + 34));
  const char* line[] = {"E2417", "E2316", "E2216", "E2115", "E2015", "E1914"};
  int direction = -1;
  for (int i = 0; i < 5; ++i) {
    int a = hexByLabel(board, line[i]), b = hexByLabel(board, line[i + 1]), found = -1;
    for (int d = 0; d < 6; ++d)
      if (board.neighbour[a * 6 + d] == b) found = d;
    ASSERT_GE(found, 0) << line[i];
    EXPECT_TRUE(i == 0 || found == direction);
    direction = found;
  }
  EXPECT_EQ(directionName(board.shape, direction), "ne");
  // C2301 lies west of E2333, W2001 of C2034.
  EXPECT_EQ(board.neighbour[hexByLabel(board, "C2301") * 6 + 1], hexByLabel(board, "E2333"));
  EXPECT_EQ(board.neighbour[hexByLabel(board, "W2001") * 6 + 1], hexByLabel(board, "C2034"));
}

TEST(Board, JoinedSheetsAreOneGrid) {
  Board joined = built(threeSheets());
  ASSERT_EQ(joined.n, 7 * 13);
  // The same ground as one sheet of 13 columns counted from the east: East 01..05, Center 06..09,
  // West 10..13.
  BoardSpec single = oneSheet(GridShape::pointed, Parity::odd, Push::left, Numbering::rowColumn, 13, 7);
  single.sheets[0].countedEastToWest = true;
  Board whole = built(single);
  std::vector<int> same(static_cast<std::size_t>(joined.n));
  for (int h = 0; h < joined.n; ++h)
    same[h] = hexByNumber(whole, 0,
                          joined.hex[h].column + (joined.hex[h].sheet == 0   ? 0
                                                  : joined.hex[h].sheet == 1 ? 5
                                                                             : 9),
                          joined.hex[h].row);
  for (int h = 0; h < joined.n; ++h)
    for (int d = 0; d < 6; ++d) {
      int here = joined.neighbour[h * 6 + d], there = whole.neighbour[same[h] * 6 + d];
      EXPECT_EQ(here < 0 ? -1 : same[here], there);
    }
  EXPECT_EQ(joined.hexsides, whole.hexsides);
}

TEST(Board, JoinsNorthAndSouth) {
  BoardSpec spec = oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 4, 6);
  spec.sheets.push_back(spec.sheets[0]);
  spec.sheets[0].name = "N", spec.sheets[0].prefix = "N";
  spec.sheets[1].name = "S", spec.sheets[1].prefix = "S";
  spec.joins = {{1, Compass::north, 0, Compass::south}};
  Board board = built(spec);
  // Row 06 of N is pushed right, row 01 of S is not: below N0206 lie S0201 (sw) and S0301 (se).
  EXPECT_EQ(around(board, "N0206"), "N0305 N0306 S0301 S0201 N0106 N0205");
  // Five rows would put row 05, not pushed, above row 01, not pushed.
  spec.sheets[0].rows = 5;
  EXPECT_NE(buildBoard(spec, board).find("do not fit"), std::string::npos);
}

TEST(Board, WrongDescriptionsAreReported) {
  auto error = [](auto change) {
    BoardSpec spec = threeSheets();
    change(spec);
    Board board;
    return buildBoard(spec, board);
  };
  EXPECT_EQ(error([](BoardSpec&) {}), "");
  EXPECT_EQ(error([](BoardSpec& s) { s.push = Push::up; }),
            "in a pointed grid rows are pushed left or right");
  EXPECT_EQ(error([](BoardSpec& s) { s.shape = GridShape::flat; }),
            "in a flat grid columns are pushed up or down");
  EXPECT_EQ(error([](BoardSpec& s) { s.sheets.clear(), s.joins.clear(); }), "the map has no hexes");
  EXPECT_EQ(error([](BoardSpec& s) { s.sheets[1].rows = 0; }), "sheet Center has no columns or no rows");
  EXPECT_EQ(error([](BoardSpec& s) { s.sheets[1].rows = 100; }),
            "sheet Center has numbers of more than 2 digits");
  EXPECT_EQ(error([](BoardSpec& s) { s.sheets[1].prefix = "E"; }),
            "sheet Center and sheet East have the same prefix");
  EXPECT_EQ(error([](BoardSpec& s) { s.joins.pop_back(); }), "sheet West is not joined to the others");
  EXPECT_EQ(error([](BoardSpec& s) { s.joins[0].second = 7; }), "a join names a sheet that does not exist");
  EXPECT_EQ(error([](BoardSpec& s) { s.joins[0].second = 0; }), "sheet East cannot be joined to itself");
  EXPECT_EQ(error([](BoardSpec& s) { s.joins[0].secondEdge = Compass::north; }),
            "a join needs opposite edges: east to west, or north to south");
  EXPECT_EQ(error([](BoardSpec& s) {
              s.joins.push_back({0, Compass::west, 2, Compass::east});
            }),
            "the joins of sheet West contradict each other");
  EXPECT_EQ(error([](BoardSpec& s) {
              s.joins[1] = {0, Compass::west, 2, Compass::east};
            }),
            "hexes C0101 and W0101 lie in one place");
  EXPECT_EQ(error([](BoardSpec& s) {
              s.digits = 4;
              s.sheets[0].columns = 8000;
            }),
            "a board has at most 8192 hexes");
}

TEST(Board, RestrictedToPlay) {
  Board board = mollwitzGrid();
  Set mask = emptySet(board);
  setAll(mask.data(), board.n, board.words);
  clearBit(mask.data(), hexByLabel(board, "0607"));
  restrictToPlay(board, mask.data());
  EXPECT_EQ(around(board, "0607"), "- - - - - -");
  EXPECT_EQ(around(board, "0606"), "0705 0706 0707 - 0506 0605");
  EXPECT_EQ(board.adjacent[hexByLabel(board, "0606") * 6 + 3], hexByLabel(board, "0607"));
  setAll(mask.data(), board.n, board.words);
  restrictToPlay(board, mask.data());
  EXPECT_EQ(around(board, "0606"), "0705 0706 0707 0607 0506 0605");
}

std::set<std::string> labels(const Board& board, const Set& set) {
  std::set<std::string> out;
  for (int h : members(set)) out.insert(board.label[h]);
  return out;
}

TEST(Board, RowsColumnsAndEdges) {
  Board board = built(threeSheets());
  Set set = emptySet(board);
  rowSet(board, 2, 3, set.data());
  EXPECT_EQ(labels(board, set), (std::set<std::string>{"W0301", "W0302", "W0303", "W0304"}));
  columnSet(board, -1, 5, set.data());
  EXPECT_EQ(labels(board, set),
            (std::set<std::string>{"E0105", "E0205", "E0305", "E0405", "E0505", "E0605", "E0705"}));
  edgeSet(board, Compass::north, 2, set.data());
  EXPECT_EQ(labels(board, set), (std::set<std::string>{"W0101", "W0102", "W0103", "W0104"}));
  edgeSet(board, Compass::west, -1, set.data());
  EXPECT_EQ(labels(board, set),
            (std::set<std::string>{"W0104", "W0204", "W0304", "W0404", "W0504", "W0604", "W0704"}));
  edgeSet(board, Compass::west, 0, set.data());
  EXPECT_TRUE(labels(board, set).empty());
  // With East alone in play its west edge is the edge of play; without row 07 the southern edge is row 06.
  sheetSet(board, 0, set.data());
  restrictToPlay(board, set.data());
  edgeSet(board, Compass::west, 0, set.data());
  EXPECT_EQ(labels(board, set),
            (std::set<std::string>{"E0105", "E0205", "E0305", "E0405", "E0505", "E0605", "E0705"}));
  sheetSet(board, 0, set.data());
  for (int h = 0; h < board.n; ++h)
    if (board.hex[h].row == 7) clearBit(set.data(), h);
  restrictToPlay(board, set.data());
  edgeSet(board, Compass::south, -1, set.data());
  EXPECT_EQ(labels(board, set), (std::set<std::string>{"E0601", "E0602", "E0603", "E0604", "E0605"}));
}

TEST(Board, DirectionNames) {
  EXPECT_EQ(directionName(GridShape::pointed, 0), "ne");
  EXPECT_EQ(directionName(GridShape::flat, 0), "n");
  EXPECT_EQ(directionByName(GridShape::flat, "SW"), 4);
  EXPECT_EQ(directionByName(GridShape::pointed, "sw"), 3);
  EXPECT_EQ(directionByName(GridShape::pointed, "n"), noDirection);
}

} // namespace
} // namespace hellwig
