// SPDX-License-Identifier: Apache-2.0
// Distance, direction and grown sets against breadth-first search over neighbours found by place.
#include "runtime/hex_geometry.h"
#include "tests/runtime/board_oracle.h"

#include <gtest/gtest.h>

namespace hellwig {
namespace {

using namespace oracle;

// One to four words, more than four, strides above 64, and single lines.
std::vector<BoardSpec> someBoards() {
  std::vector<BoardSpec> specs = allGrids(6, 5);
  for (auto [columns, rows] :
       {std::pair{11, 15}, {9, 14}, {22, 10}, {1, 9}, {9, 1}, {1, 1}, {2, 40}, {70, 3}, {3, 70}})
    for (BoardSpec& spec : allGrids(columns, rows)) specs.push_back(spec);
  return specs;
}

TEST(HexGeometry, DistanceIsTheLengthOfAShortestWay) {
  for (const BoardSpec& spec : allGrids(7, 6)) {
    Board board = built(spec);
    std::vector<int> neighbours = neighbourTable(spec, board);
    for (int a = 0; a < board.n; ++a) {
      std::vector<int> steps = breadthFirst(neighbours, a);
      for (int b = 0; b < board.n; ++b) ASSERT_EQ(hexDistance(board, a, b), steps[b]);
    }
  }
}

TEST(HexGeometry, DistanceByHand) {
  Board board = built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
  auto distance = [&](const char* a, const char* b) {
    return hexDistance(board, hexByLabel(board, a), hexByLabel(board, b));
  };
  EXPECT_EQ(distance("0607", "0607"), 0);
  EXPECT_EQ(distance("0607", "0506"), 1);
  EXPECT_EQ(distance("0101", "1101"), 10); // along a row
  EXPECT_EQ(distance("0101", "0115"), 14); // down the edge, two rows a column
  EXPECT_EQ(distance("0101", "0815"), 14); // slantwise: fourteen rows give seven columns
  EXPECT_EQ(distance("0101", "0915"), 15);
}

// The hexside through which the ray from a leaves; through a corner, the hexside after it clockwise.
int directionByRay(const BoardSpec& spec, const Board& board, int a, int b) {
  Point from = centre(spec, board, a), to = centre(spec, board, b);
  Point ray{to.x - from.x, to.y - from.y};
  auto cross = [](Point p, Point q) { return p.x * q.y - p.y * q.x; };
  for (int d = 0; d < 6; ++d) {
    auto [start, end] = hexsideCorners(spec.shape, d);
    // y points down, so clockwise turns are positive. A ray in the direction of `start` belongs to d.
    if (cross(start, ray) >= 0 && cross(ray, end) > 0) return d;
  }
  return -1;
}

TEST(HexGeometry, DirectionIsWhereTheRayLeaves) {
  for (const BoardSpec& spec : allGrids(7, 6)) {
    Board board = built(spec);
    for (int a = 0; a < board.n; ++a)
      for (int b = 0; b < board.n; ++b)
        ASSERT_EQ(hexDirection(board, a, b), a == b ? -1 : directionByRay(spec, board, a, b))
            << board.label[a] << " " << board.label[b];
  }
}

TEST(HexGeometry, DirectionByHand) {
  Board board = built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
  auto direction = [&](const char* a, const char* b) {
    return directionName(board.shape, hexDirection(board, hexByLabel(board, a), hexByLabel(board, b)));
  };
  EXPECT_EQ(direction("0607", "0606"), "ne");
  EXPECT_EQ(direction("0607", "0605"), "ne"); // due north, between nw and ne
  EXPECT_EQ(direction("0607", "0609"), "sw"); // due south, between se and sw
  EXPECT_EQ(direction("0607", "1107"), "e");
  EXPECT_EQ(direction("0607", "0706"), "e");  // between ne and e
  EXPECT_EQ(direction("0607", "0708"), "se"); // between e and se
}

void expectSteps(const BoardSpec& spec, Board& board, std::mt19937& random, const Set& playing) {
  restrictToPlay(board, playing.data());
  std::vector<int> neighbours = neighbourTable(spec, board);
  for (int round = 0; round < 6; ++round) {
    Set set = randomSet(board, random, round * 15 + 5);
    Set near = emptySet(board), grown = emptySet(board), beside = emptySet(board), out = emptySet(board);
    for (int h = 0; h < board.n; ++h) {
      bool next = false, self = hasBit(set.data(), h);
      for (int d = 0; d < 6; ++d) {
        int other = neighbours[h * 6 + d];
        next = next || (other >= 0 && hasBit(set.data(), other));
      }
      bool in = hasBit(playing.data(), h);
      putBit(near.data(), h, in && next);
      putBit(grown.data(), h, in && (next || self));
      putBit(beside.data(), h, in && next && !self);
    }
    neighboursOf(board, set.data(), out.data());
    ASSERT_EQ(out, near);
    expandSet(board, set.data(), out.data());
    ASSERT_EQ(out, grown);
    adjacentTo(board, set.data(), out.data());
    ASSERT_EQ(out, beside);
  }
}

TEST(HexGeometry, StepsOfSetsAgreeWithNeighbours) {
  std::mt19937 random(1);
  for (const BoardSpec& spec : someBoards()) {
    Board board = built(spec);
    ASSERT_GT(board.n, 0);
    Set all = emptySet(board);
    setAll(all.data(), board.n, board.words);
    expectSteps(spec, board, random, all);
    expectSteps(spec, board, random, randomSet(board, random, 80));
  }
}

TEST(HexGeometry, StepsOnALargeBoard) {
  std::mt19937 random(2);
  for (Numbering numbering : {Numbering::columnRow, Numbering::rowColumn}) {
    BoardSpec spec = oneSheet(GridShape::pointed, Parity::odd, Push::left, numbering, 40, 33);
    Board board = built(spec);
    Set all = emptySet(board);
    setAll(all.data(), board.n, board.words);
    expectSteps(spec, board, random, all);
  }
}

TEST(HexGeometry, StepsOnJoinedSheets) {
  std::mt19937 random(3);
  Board board = built(threeSheets());
  for (int round = 0; round < 20; ++round) {
    Set set = randomSet(board, random, round * 5), expected = emptySet(board), out = emptySet(board);
    for (int h : members(set))
      for (int b = 0; b < board.n; ++b)
        if (hexDistance(board, h, b) == 1) setBit(expected.data(), b);
    neighboursOf(board, set.data(), out.data());
    ASSERT_EQ(out, expected);
  }
}

void expectWithin(Board& board, std::mt19937& random) {
  for (int radius = 0; radius < 12; ++radius)
    for (int percent : {0, 1, 5, 40}) {
      Set set = randomSet(board, random, percent), expected = emptySet(board), out = emptySet(board);
      int one = static_cast<int>(random() % board.n);
      Set ball = emptySet(board), ring = emptySet(board);
      for (int b = 0; b < board.n; ++b) {
        if (!hasBit(board.inPlay.data(), b)) continue;
        for (int h : members(set))
          if (hexDistance(board, h, b) <= radius) setBit(expected.data(), b);
        putBit(ball.data(), b, hexDistance(board, one, b) <= radius);
        putBit(ring.data(), b, hexDistance(board, one, b) == radius);
      }
      withinOfSet(board, set.data(), radius, out.data());
      ASSERT_EQ(out, expected) << radius;
      withinOfHex(board, one, radius, out.data());
      ASSERT_EQ(out, ball) << radius;
      ringOfHex(board, one, radius, out.data());
      ASSERT_EQ(out, ring) << radius;
    }
}

TEST(HexGeometry, WithinGoesByDistance) {
  std::mt19937 random(4);
  for (auto [columns, rows] : {std::pair{11, 15}, {30, 30}}) {
    Board board =
        built(oneSheet(GridShape::flat, Parity::odd, Push::up, Numbering::columnRow, columns, rows));
    expectWithin(board, random);
    restrictToPlay(board, randomSet(board, random, 60).data());
    expectWithin(board, random);
  }
  // Sheets of which the middle one is low: a way over the board from end to end is longer than the distance.
  BoardSpec spec = threeSheets();
  spec.sheets[1].rows = 1;
  Board board = built(spec);
  ASSERT_GT(board.n, 0);
  expectWithin(board, random);
}

TEST(HexGeometry, DistanceOfSets) {
  std::mt19937 random(5);
  Board board = built(threeSheets());
  Set empty = emptySet(board);
  for (int round = 0; round < 50; ++round) {
    Set a = randomSet(board, random, 4), b = randomSet(board, random, 4);
    int least = -1;
    for (int x : members(a))
      for (int y : members(b))
        if (least < 0 || hexDistance(board, x, y) < least) least = hexDistance(board, x, y);
    EXPECT_EQ(setDistance(board, a.data(), b.data()), least);
  }
  EXPECT_EQ(hexDistanceToSet(board, 0, empty.data()), -1);
}

} // namespace
} // namespace hellwig
