// SPDX-License-Identifier: Apache-2.0
// Sight lines against plane geometry in exact fractions, and by hand.
#include "runtime/hex_geometry.h"
#include "runtime/sight_line.h"
#include "tests/runtime/board_oracle.h"

#include <gtest/gtest.h>

#include <sstream>

namespace hellwig {
namespace {

using namespace oracle;

// A fraction with a denominator above 0.
struct Fraction {
  long top, bottom;
};
bool operator<(Fraction a, Fraction b) {
  return a.top * b.bottom < b.top * a.bottom;
}

long cross(Point a, Point b) {
  return a.x * b.y - a.y * b.x;
}
Point minus(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}
Point plus(Point a, Point b) {
  return {a.x + b.x, a.y + b.y};
}

struct Event {
  Fraction when;
  int first, second;
};

// What the segment meets, found hex by hex and hexside by hexside over the whole board.
struct Picture {
  std::vector<SightItem> hexes;
  std::vector<SightSideItem> sides;
};

struct SideAt {
  Point start, end;
  int id;
};

// The part of the segment from + t * way, 0 < t < 1, that lies strictly inside a convex hex; false if there
// is none.
bool insideHex(GridShape shape, Point from, Point way, Point middle, Fraction& enters) {
  Fraction low{0, 1}, high{1, 1};
  for (int d = 0; d < 6; ++d) {
    auto [start, end] = hexsideCorners(shape, d);
    Point edge = minus(end, start);
    // Inside is where cross(edge, p - start) > 0 (y points down, corners run clockwise): a + b t > 0.
    long a = cross(edge, minus(from, plus(middle, start))), b = cross(edge, way);
    if (b == 0) {
      if (a <= 0) return false;
    } else if (b > 0) {
      if (low < Fraction{-a, b}) low = {-a, b};
    } else if (Fraction{a, -b} < high) {
      high = {a, -b};
    }
  }
  enters = low;
  return low < high;
}

Picture draw(const BoardSpec& spec, const Board& board, int a, int b) {
  Point from = centre(spec, board, a), way = minus(centre(spec, board, b), from);
  std::vector<Event> hexes, sides;
  if (a == b) return {};
  for (int h = 0; h < board.n; ++h) {
    Fraction enters{0, 1};
    if (h != a && h != b && insideHex(spec.shape, from, way, centre(spec, board, h), enters))
      hexes.push_back({enters, h, h});
  }
  std::vector<SideAt> all;
  for (int h = 0; h < board.n; ++h)
    for (int d = 0; d < 6; ++d) {
      if (board.hexside[hexsideOf(board, h, d)].first != h) continue;
      auto [start, end] = hexsideCorners(spec.shape, d);
      Point middle = centre(spec, board, h);
      all.push_back({plus(middle, start), plus(middle, end), hexsideOf(board, h, d)});
    }
  auto along = [&](Point p) { // the place of a point of the line, as t
    return way.x != 0 ? Fraction{(p.x - from.x) * (way.x < 0 ? -1 : 1), std::abs(way.x)}
                      : Fraction{(p.y - from.y) * (way.y < 0 ? -1 : 1), std::abs(way.y)};
  };
  for (const SideAt& side : all) {
    long start = cross(way, minus(side.start, from)), end = cross(way, minus(side.end, from));
    if (start == 0 && end == 0) {
      Fraction one = along(side.start), other = along(side.end);
      Fraction low = one < other ? one : other, high = one < other ? other : one;
      if (low < Fraction{0, 1} || Fraction{1, 1} < high) continue;
      hexes.push_back({low, board.hexside[side.id].first, board.hexside[side.id].second});
      for (Point corner : {side.start, side.end}) {
        std::vector<int> met;
        for (const SideAt& next : all)
          if (next.id != side.id && (next.start == corner || next.end == corner)) met.push_back(next.id);
        std::sort(met.begin(), met.end());
        if (met.size() == 1) sides.push_back({along(corner), met[0], -1});
        if (met.size() == 2) sides.push_back({along(corner), met[0], met[1]});
      }
    } else if ((start < 0) != (end < 0) && start != 0 && end != 0) {
      // The line crosses the hexside inside; where, as t: the cut of two lines.
      Point edge = minus(side.end, side.start);
      long top = cross(minus(side.start, from), edge), bottom = cross(way, edge);
      Fraction when = bottom > 0 ? Fraction{top, bottom} : Fraction{-top, -bottom};
      if (Fraction{0, 1} < when && when < Fraction{1, 1}) sides.push_back({when, side.id, side.id});
    }
  }
  auto sooner = [](const Event& x, const Event& y) { return x.when < y.when; };
  std::stable_sort(hexes.begin(), hexes.end(), sooner);
  std::stable_sort(sides.begin(), sides.end(), sooner);
  Picture picture;
  for (const Event& event : hexes)
    picture.hexes.push_back(
        {static_cast<std::int16_t>(event.first), static_cast<std::int16_t>(event.second)});
  for (const Event& event : sides) picture.sides.push_back({event.first, event.second});
  return picture;
}

void expectPictures(const BoardSpec& spec) {
  Board board = built(spec);
  ASSERT_GT(board.n, 0);
  std::vector<SightItem> hexes(static_cast<std::size_t>(board.sightCapacity));
  std::vector<SightSideItem> sides(static_cast<std::size_t>(board.sightCapacity));
  for (int a = 0; a < board.n; ++a)
    for (int b = 0; b < board.n; ++b) {
      Picture expected = draw(spec, board, a, b);
      int count = sightHexes(board, a, b, hexes.data());
      ASSERT_LE(count, board.sightCapacity);
      ASSERT_EQ(std::vector<SightItem>(hexes.begin(), hexes.begin() + count), expected.hexes)
          << board.label[a] << " " << board.label[b];
      count = sightHexsides(board, a, b, sides.data());
      ASSERT_LE(count, board.sightCapacity);
      ASSERT_EQ(std::vector<SightSideItem>(sides.begin(), sides.begin() + count), expected.sides)
          << board.label[a] << " " << board.label[b];
    }
}

TEST(SightLine, AgreesWithPlaneGeometryOnEveryKindOfGrid) {
  for (const BoardSpec& spec : allGrids(5, 6)) expectPictures(spec);
}

TEST(SightLine, AgreesWithPlaneGeometryBeyondThePatterns) {
  expectPictures(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 13));
  expectPictures(oneSheet(GridShape::flat, Parity::odd, Push::up, Numbering::rowColumn, 13, 9));
}

// "a b|c": a single item, then a pair; a missing second is "-".
template<class Item, class Label> std::string listed(const std::vector<Item>& items, int count, Label label) {
  std::ostringstream text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text << ' ';
    text << label(items[i].first);
    if (items[i].second == items[i].first) continue;
    text << '|';
    if (items[i].second < 0)
      text << '-';
    else
      text << label(items[i].second);
  }
  return text.str();
}

std::string show(const Board& board, const char* a, const char* b) {
  std::vector<SightItem> items(static_cast<std::size_t>(board.sightCapacity));
  int count = sightHexes(board, hexByLabel(board, a), hexByLabel(board, b), items.data());
  return listed(items, count, [&](int h) { return board.label[h]; });
}

std::string showSides(const Board& board, const char* a, const char* b) {
  std::vector<SightSideItem> items(static_cast<std::size_t>(board.sightCapacity));
  int count = sightHexsides(board, hexByLabel(board, a), hexByLabel(board, b), items.data());
  return listed(items, count, [&](int s) { return hexsideLabel(board, s); });
}

// Drawn by hand on the grid of Mollwitz: even rows pushed right.
TEST(SightLine, ByHand) {
  Board board = built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
  EXPECT_EQ(show(board, "0607", "0607"), "");
  EXPECT_EQ(show(board, "0607", "0707"), "");
  EXPECT_EQ(show(board, "0607", "0907"), "0707 0807");
  // Due north: 0607 lies between 0506 and 0606 of the row above.
  EXPECT_EQ(show(board, "0607", "0605"), "0506|0606");
  EXPECT_EQ(show(board, "0607", "0603"), "0506|0606 0605 0504|0604");
  // At the western rim the other hex is missing.
  EXPECT_EQ(show(board, "0103", "0101"), "0102|-");
  // One step e and two se, which is symmetric about the middle of 0711/0811.
  EXPECT_EQ(show(board, "0610", "0812"), "0711 0811");
  EXPECT_EQ(showSides(board, "0610", "0812"), "0610/0711 0711/0811 0811/0812");
  EXPECT_EQ(showSides(board, "0607", "0707"), "0607/0707");
  // nw and ne of 0607, then sw and se of 0605.
  EXPECT_EQ(showSides(board, "0607", "0605"), "0506/0607|0606/0607 0506/0605|0605/0606");
}

// Four steps e and one se. In half hexes the line runs from (12, 7) to (21, 8); at (15, 7 1/3) it passes the
// southern corner of 0707/0807, at (18, 7 2/3) the northern one of 0808/0908, and at (16 1/2, 7 1/2) it
// crosses 0807/0808.
TEST(SightLine, ThroughLoneCorners) {
  Board board = built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
  EXPECT_EQ(show(board, "0607", "1008"), "0707 0807 0808 0908");
  EXPECT_EQ(showSides(board, "0607", "1008"), "0607/0707 0807/0808 0908/1008");
}

TEST(SightLine, WhatIsOutOfPlayIsLeftOut) {
  Board board = built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
  Set playing = emptySet(board);
  setAll(playing.data(), board.n, board.words);
  clearBit(playing.data(), hexByLabel(board, "0506"));
  clearBit(playing.data(), hexByLabel(board, "0605"));
  restrictToPlay(board, playing.data());
  EXPECT_EQ(show(board, "0607", "0603"), "0606|- 0504|0604");
}

TEST(SightLine, OnJoinedSheets) {
  Board board = built(threeSheets());
  // Row 03 runs through all sheets; columns are counted from the east.
  EXPECT_EQ(show(board, "E0304", "W0302"), "E0305 C0301 C0302 C0303 C0304 W0301");
}

TEST(SightLine, BlockedBySets) {
  std::mt19937 random(6);
  for (auto [columns, rows] : {std::pair{11, 15}, {30, 20}}) {
    Board board =
        built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, columns, rows));
    std::vector<SightItem> items(static_cast<std::size_t>(board.sightCapacity));
    std::vector<SightSideItem> sides(static_cast<std::size_t>(board.sightCapacity));
    for (int round = 0; round < 2000; ++round) {
      Set blocking = randomSet(board, random, 15);
      Set walls(static_cast<std::size_t>(wordsFor(board.hexsides)));
      for (SetWord& word : walls) word = random() & random();
      int a = static_cast<int>(random() % board.n), b = static_cast<int>(random() % board.n);
      for (bool either : {false, true}) {
        bool blocked = false, crosses = false;
        for (int i = 0, n = sightHexes(board, a, b, items.data()); i < n; ++i) {
          bool one = hasBit(blocking.data(), items[i].first);
          bool other = items[i].second >= 0 && hasBit(blocking.data(), items[i].second);
          blocked = blocked || (either ? one || other : one && other);
        }
        for (int i = 0, n = sightHexsides(board, a, b, sides.data()); i < n; ++i) {
          bool one = hasBit(walls.data(), sides[i].first);
          bool other = sides[i].second >= 0 && hasBit(walls.data(), sides[i].second);
          crosses = crosses || (either ? one || other : one && other);
        }
        ASSERT_EQ(sightBlocked(board, a, b, blocking.data(), either), blocked);
        ASSERT_EQ(sightCrosses(board, a, b, walls.data(), either), crosses);
      }
    }
  }
}

} // namespace
} // namespace hellwig
