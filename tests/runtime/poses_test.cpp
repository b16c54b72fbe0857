// SPDX-License-Identifier: Apache-2.0
// What counters cover and which aspect they turn where, against plane geometry, on all grids and facings.
#include "runtime/poses.h"
#include "tests/runtime/board_oracle.h"

#include <gtest/gtest.h>

#include <climits>
#include <map>

namespace hellwig {
namespace {

using namespace oracle;

// The shapes of a chart: for each hex the way to it, and the aspect of each hexside (-1: another hex).
std::vector<ArcsShape> shapes() {
  return {
      {Faces::side, {{{}, {0, 0, 2, 1, 2, 0}}}},                                // block
      {Faces::nothing, {{{}, {0, 0, 0, 0, 0, 0}}}},                             // all round
      {Faces::corner, {{{}, {0, -1, 1, 1, 2, 0}}, {{1}, {0, 2, 1, 1, -1, 0}}}}, // pair
      {Faces::corner, {{{}, {0, -1, 1, 1, -1, 0}}, {{1}, {0, 2, 1, 1, -1, 0}}, {{4}, {0, -1, 1, 1, 2, 0}}}},
      {Faces::side, {{{}, {0, -1, 2, 1, 2, 0}}, {{1}, {0, 0, -1, 2, -1, 1}}, {{1, 2}, {2, 2, 1, 0, 0, -1}}}},
  };
}

struct Trial {
  Module module;
  Poses poses;
  explicit Trial(const BoardSpec& spec) {
    EXPECT_EQ(buildBoard(spec, module.board), "");
    module.counters.resize(1);
    module.kinds.resize(1);
    module.kinds[0].members = {1};
    module.columns.resize(1);
    Arcs arcs;
    arcs.facingColumn = 0;
    arcs.shapes = shapes();
    module.arcs.push_back(arcs);
    poses.build(module);
  }
};

// The same by points in the plane.
class Plane {
public:
  Plane(const BoardSpec& spec, const Board& board) : spec_(spec), board_(board) {
    for (int h = 0; h < board.n; ++h) {
      const Point p = centre(spec, board, h);
      hexAt_[{p.x, p.y}] = h;
    }
  }
  Point place(int lead, const ArcsPart& part, int facing) const {
    static const Point pointed[6] = {{1, -3}, {2, 0}, {1, 3}, {-1, 3}, {-2, 0}, {-1, -3}};
    static const Point flat[6] = {{0, -2}, {3, -1}, {3, 1}, {0, 2}, {-3, 1}, {-3, -1}};
    Point at = centre(spec_, board_, lead);
    for (const int hexside : part.way) {
      const Point step = (spec_.shape == GridShape::pointed ? pointed : flat)[(hexside + facing) % 6];
      at = {at.x + step.x, at.y + step.y};
    }
    return at;
  }
  int hexOf(int lead, const ArcsPart& part, int facing) const {
    const Point at = place(lead, part, facing);
    const auto found = hexAt_.find({at.x, at.y});
    if (part.way.empty()) return lead;
    return found == hexAt_.end() || !hasBit(board_.inPlay.data(), found->second) ? -1 : found->second;
  }
  long distance(Point a, Point b) const {
    long along = std::abs(a.x - b.x), across = std::abs(a.y - b.y);
    if (spec_.shape == GridShape::flat) std::swap(along, across);
    const long lines = across / 3;
    return lines + std::max(0L, (along - lines) / 2);
  }
  int aspect(int lead, const ArcsShape& shape, int facing, int h) const {
    if (shape.faces == Faces::nothing) facing = 0;
    const Point target = centre(spec_, board_, h);
    int best = INT_MAX;
    for (const ArcsPart& part : shape.parts)
      if (hexOf(lead, part, facing) == h) return -1;
    for (const ArcsPart& part : shape.parts) {
      if (hexOf(lead, part, facing) < 0) continue;
      const int d = stepDirection(spec_.shape, place(lead, part, facing), target);
      if (d >= 0) take(best, part, facing, d);
    }
    if (best != INT_MAX) return best;
    long nearest = LONG_MAX;
    for (const ArcsPart& part : shape.parts)
      nearest = std::min(nearest, distance(place(lead, part, facing), target));
    for (const ArcsPart& part : shape.parts) {
      const Point from = place(lead, part, facing);
      if (nearest == 0 || distance(from, target) != nearest) continue;
      const Point ray{target.x - from.x, target.y - from.y};
      const auto cross = [](Point p, Point q) { return p.x * q.y - p.y * q.x; };
      for (int d = 0; d < 6; ++d) {
        auto [start, end] = hexsideCorners(spec_.shape, d);
        if (cross(start, ray) >= 0 && cross(ray, end) >= 0) take(best, part, facing, d);
      }
    }
    return best == INT_MAX ? -1 : best;
  }

private:
  static void take(int& best, const ArcsPart& part, int facing, int direction) {
    const int aspect = part.aspect[static_cast<std::size_t>((direction - facing + 6) % 6)];
    if (aspect >= 0) best = std::min(best, aspect);
  }
  const BoardSpec& spec_;
  const Board& board_;
  std::map<std::pair<long, long>, int> hexAt_;
};

void expectAsInThePlane(const BoardSpec& spec, Trial& trial) {
  const Board& board = trial.module.board;
  const Plane plane(spec, board);
  const std::vector<ArcsShape> all = shapes();
  for (std::size_t s = 0; s < all.size(); ++s)
    for (int facing = 0; facing < 6; ++facing)
      for (int lead = 0; lead < board.n; ++lead) {
        if (!hasBit(board.inPlay.data(), lead)) continue;
        const std::int32_t pose = trial.poses.pose(0, static_cast<Word>(s), facing);
        Set covered = emptySet(board), expected = emptySet(board);
        setBit(covered.data(), lead);
        trial.poses.eachBesides(board, pose, lead, [&](int h) { setBit(covered.data(), h); });
        bool whole = true;
        for (const ArcsPart& part : all[s].parts) {
          const int h = plane.hexOf(lead, part, facing);
          whole = whole && h >= 0;
          if (h >= 0) setBit(expected.data(), h);
        }
        ASSERT_EQ(covered, expected);
        ASSERT_EQ(trial.poses.staysInPlay(board, pose, lead), whole);
        std::vector<Set> near(3, emptySet(board));
        for (int h = 0; h < board.n; ++h) {
          const int aspect = plane.aspect(lead, all[s], facing, h);
          ASSERT_EQ(trial.poses.aspectOf(board, pose, lead, h), aspect)
              << board.label[static_cast<std::size_t>(lead)] << " to "
              << board.label[static_cast<std::size_t>(h)] << ", shape " << s << ", facing " << facing;
          bool touches = false;
          for (const int member : members(expected))
            touches = touches ||
                      stepDirection(spec.shape, centre(spec, board, member), centre(spec, board, h)) >= 0;
          if (touches && aspect >= 0 && hasBit(board.inPlay.data(), h))
            setBit(near[static_cast<std::size_t>(aspect)].data(), h);
        }
        for (int aspect = 0; aspect < 3; ++aspect) {
          Set hexes = emptySet(board);
          trial.poses.aspectHexes(board, pose, lead, aspect, hexes.data());
          ASSERT_EQ(hexes, near[static_cast<std::size_t>(aspect)]);
        }
      }
}

TEST(Poses, FootprintsAndAspectsAreThoseOfThePlane) {
  for (const BoardSpec& spec : allGrids(6, 5)) {
    Trial trial(spec);
    expectAsInThePlane(spec, trial);
  }
}

TEST(Poses, WhatIsOutOfPlayIsLeftOut) {
  std::mt19937 random(7);
  for (const BoardSpec& spec : allGrids(6, 5)) {
    Trial trial(spec);
    const Set mask = randomSet(trial.module.board, random, 75);
    restrictToPlay(trial.module.board, mask.data());
    expectAsInThePlane(spec, trial);
  }
}

// A line of two on a pointed grid that faces north: it covers its hex and the one east of it.
TEST(Poses, ALineByHand) {
  const BoardSpec spec = oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 9, 9);
  Trial trial(spec);
  const Board& board = trial.module.board;
  const auto hex = [&](const char* label) { return hexByLabel(board, label); };
  const std::int32_t pose = trial.poses.pose(0, 2, cornerByName(GridShape::pointed, "n"));
  std::vector<int> besides;
  trial.poses.eachBesides(board, pose, hex("0505"), [&](int h) { besides.push_back(h); });
  EXPECT_EQ(besides, std::vector<int>{hex("0605")});
  const auto aspect = [&](const char* label) {
    return trial.poses.aspectOf(board, pose, hex("0505"), hex(label));
  };
  constexpr int front = 0, rear = 1, flank = 2;
  EXPECT_EQ(aspect("0504"), front); // reached from both hexes
  EXPECT_EQ(aspect("0404"), front);
  EXPECT_EQ(aspect("0604"), front);
  EXPECT_EQ(aspect("0405"), flank);
  EXPECT_EQ(aspect("0705"), flank);
  EXPECT_EQ(aspect("0506"), rear);
  EXPECT_EQ(aspect("0605"), -1);
  EXPECT_EQ(aspect("0501"), front);
  EXPECT_EQ(aspect("0509"), rear);
  EXPECT_EQ(aspect("0105"), flank);
  // From 0605 the line to 0704 leaves through the corner between hexsides 0 and 1: the front is declared
  // first.
  EXPECT_EQ(aspect("0704"), front);
  EXPECT_EQ(aspect("0703"), front); // straight on
}

TEST(Poses, CornersHaveTheNamesOfTheFacingsBehindThem) {
  const auto corner = [](GridShape shape, const char* name) {
    return directionName(shape, cornerByName(shape, name));
  };
  EXPECT_EQ(corner(GridShape::pointed, "n"), "ne");
  EXPECT_EQ(corner(GridShape::pointed, "s"), "sw");
  EXPECT_EQ(corner(GridShape::pointed, "wnw"), "nw");
  EXPECT_EQ(corner(GridShape::flat, "nne"), "ne");
  EXPECT_EQ(corner(GridShape::flat, "e"), "se");
  EXPECT_EQ(corner(GridShape::flat, "nnw"), "n");
  EXPECT_EQ(cornerByName(GridShape::flat, "n"), -1);
}

// Sheets counted from the east: through the joins columns and rows go on, and of two columns as near the one
// of the lower number counts, which is the eastern one.
TEST(Board, BeyondGoesByColumnsAndRowsThroughSheets) {
  const BoardSpec spec = threeSheets();
  Board board;
  ASSERT_EQ(buildBoard(spec, board), "");
  const auto set = [&](std::initializer_list<const char*> labels) {
    Set out = emptySet(board);
    for (const char* label : labels) setBit(out.data(), hexByLabel(board, label));
    return out;
  };
  Set out = emptySet(board);
  // Numbers are row, then column: E0405 is row 4, column 5 of the eastern sheet, next to C0401.
  beyondSet(board, Compass::west, false, set({"E0403"}).data(), out.data());
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "E0404")));
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "C0404")));
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "W0101"))); // the only row that has some is the nearest
  EXPECT_FALSE(hasBit(out.data(), hexByLabel(board, "E0403")));
  EXPECT_FALSE(hasBit(out.data(), hexByLabel(board, "E0402")));
  // Columns 1 and 3 have their hexes in different rows; for column 2 between them column 1 decides.
  const Set two = set({"E0201", "E0603"});
  beyondSet(board, Compass::north, false, two.data(), out.data());
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "E0102")));
  EXPECT_FALSE(hasBit(out.data(), hexByLabel(board, "E0202")));
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "E0505")));
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "W0504")));
  EXPECT_FALSE(hasBit(out.data(), hexByLabel(board, "E0201")));
  beyondSet(board, Compass::north, true, two.data(), out.data());
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "E0201")));
  EXPECT_TRUE(hasBit(out.data(), hexByLabel(board, "E0603")));
}

} // namespace
} // namespace hellwig
