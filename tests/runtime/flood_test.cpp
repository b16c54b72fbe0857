// SPDX-License-Identifier: Apache-2.0
// Floods against walks counted step by step, and their best paths against a list of all paths.
#include "runtime/flood.h"
#include "tests/runtime/board_oracle.h"

#include <gtest/gtest.h>

#include <climits>

namespace hellwig {
namespace {

using namespace oracle;

// layer[k]: the hexes that some legal walk of exactly k steps enters last.
std::vector<std::vector<bool>> walks(const Board& board, const Set& start, const Set& blocked,
                                     const Set& stop, int steps) {
  std::vector<std::vector<bool>> layer(static_cast<std::size_t>(steps) + 1,
                                       std::vector<bool>(static_cast<std::size_t>(board.n)));
  for (int h : members(start)) layer[0][h] = hasBit(board.inPlay.data(), h);
  for (int k = 0; k < steps; ++k)
    for (int h = 0; h < board.n; ++h) {
      if (!layer[k][h] || (k > 0 && hasBit(stop.data(), h))) continue;
      for (int d = 0; d < 6; ++d)
        if (int b = board.neighbour[h * 6 + d]; b >= 0 && !hasBit(blocked.data(), b)) layer[k + 1][b] = true;
    }
  return layer;
}

std::vector<BoardSpec> floodBoards() {
  std::vector<BoardSpec> specs = allGrids(11, 15);                            // three words
  for (auto [columns, rows] : {std::pair{6, 5}, {9, 13}, {15, 16}, {20, 17}}) // one, two, four, six words
    specs.push_back(
        oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, columns, rows));
  specs.push_back(threeSheets());
  return specs;
}

TEST(Flood, ReachesWhatWalksReach) {
  std::mt19937 random(7);
  for (const BoardSpec& spec : floodBoards()) {
    Board board = built(spec);
    ASSERT_GT(board.n, 0);
    for (int round = 0; round < 40; ++round) {
      if (round == 20) restrictToPlay(board, randomSet(board, random, 85).data());
      Set start = emptySet(board), blocked = randomSet(board, random, round % 5 * 10);
      Set stop = randomSet(board, random, round % 4 * 12), goals = randomSet(board, random, 3);
      for (int i = 0; i <= round % 3; ++i) setBit(start.data(), static_cast<int>(random() % board.n));
      int steps = static_cast<int>(random() % 9);
      auto layer = walks(board, start, blocked, stop, 40);
      Set expected = emptySet(board), reached = emptySet(board), everything = emptySet(board);
      std::vector<Set> first(41, emptySet(board));
      int layers = 0;
      for (int h = 0; h < board.n; ++h)
        for (int k = 1; k <= 40; ++k) {
          if (!layer[k][h]) continue;
          if (k <= steps) setBit(expected.data(), h);
          if (!hasBit(everything.data(), h)) {
            setBit(first[k].data(), h);
            layers = std::max(layers, k);
          }
          setBit(everything.data(), h);
        }
      FloodClauses clauses{blocked.data(), stop.data()};
      floodReach(board, start.data(), clauses, steps, reached.data());
      ASSERT_EQ(reached, expected);
      ASSERT_EQ(floodReaches(board, start.data(), clauses, steps, goals.data()),
                anyCommonBit(expected.data(), goals.data(), board.words));
      if (layers >= 40) continue; // the walks may have more to find
      floodReach(board, start.data(), clauses, unlimitedSteps, reached.data());
      ASSERT_EQ(reached, everything);
      ASSERT_EQ(floodReaches(board, start.data(), clauses, unlimitedSteps, goals.data()),
                anyCommonBit(everything.data(), goals.data(), board.words));
      Set found(static_cast<std::size_t>(board.words) * 40);
      ASSERT_EQ(floodLayers(board, start.data(), clauses, 40, found.data()), layers);
      for (int k = 1; k <= layers; ++k)
        ASSERT_TRUE(equalSets(found.data() + (k - 1) * board.words, first[k].data(), board.words));
    }
  }
}

TEST(Flood, StartsAndStops) {
  Board board = built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
  int h = hexByLabel(board, "0607");
  Set start = emptySet(board), out = emptySet(board), all = emptySet(board);
  setBit(start.data(), h);
  setAll(all.data(), board.n, board.words);
  floodReach(board, start.data(), {}, 0, out.data());
  EXPECT_EQ(out, emptySet(board));
  floodReach(board, start.data(), {}, 1, out.data());
  EXPECT_EQ(countBits(out.data(), board.words), 6);
  // With two steps the start is entered again; around one hex there are 1 + 6 + 12 within 2.
  floodReach(board, start.data(), {}, 2, out.data());
  EXPECT_EQ(countBits(out.data(), board.words), 19);
  // A start in `stop` may be left, what is reached may not.
  floodReach(board, start.data(), {nullptr, all.data()}, 5, out.data());
  EXPECT_EQ(countBits(out.data(), board.words), 6);
  floodReach(board, start.data(), {all.data(), nullptr}, 5, out.data());
  EXPECT_EQ(out, emptySet(board));
  EXPECT_FALSE(floodReaches(board, start.data(), {start.data(), nullptr}, 5, start.data()));
  EXPECT_TRUE(floodReaches(board, start.data(), {}, 2, start.data()));
  EXPECT_FALSE(floodReaches(board, start.data(), {}, 1, start.data()));
}

// The best path by trying every walk of `left` steps, directions clockwise.
bool firstWalk(const Board& board, const Set& blocked, const Set& stop, int goal, int left, bool atStart,
               std::vector<std::int16_t>& path) {
  int at = path.back();
  if (left == 0) return at == goal;
  if (!atStart && hasBit(stop.data(), at)) return false;
  for (int d = 0; d < 6; ++d) {
    int b = board.neighbour[at * 6 + d];
    if (b < 0 || hasBit(blocked.data(), b)) continue;
    path.push_back(static_cast<std::int16_t>(b));
    if (firstWalk(board, blocked, stop, goal, left - 1, false, path)) return true;
    path.pop_back();
  }
  return false;
}

TEST(Flood, BestPaths) {
  std::mt19937 random(8);
  for (const BoardSpec& spec :
       {oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 6, 6),
        oneSheet(GridShape::flat, Parity::odd, Push::up, Numbering::rowColumn, 20, 17), threeSheets()}) {
    Board board = built(spec);
    for (int round = 0; round < 60; ++round) {
      Set start = emptySet(board), blocked = randomSet(board, random, 20),
          stop = randomSet(board, random, 15);
      for (int i = 0; i <= round % 2; ++i) setBit(start.data(), static_cast<int>(random() % board.n));
      constexpr int maxLayers = 5;
      Set layers(static_cast<std::size_t>(board.words) * maxLayers);
      FloodClauses clauses{blocked.data(), stop.data()};
      int count = floodLayers(board, start.data(), clauses, maxLayers, layers.data());
      for (int goal = 0; goal < board.n; ++goal) {
        std::vector<std::int16_t> path(maxLayers + 1), expected;
        int steps = floodPath(board, start.data(), clauses, layers.data(), count, goal, path.data());
        bool found = false;
        int length = 1;
        for (; length <= maxLayers && !found; ++length)
          for (int from : members(start)) {
            expected = {static_cast<std::int16_t>(from)};
            found = firstWalk(board, blocked, stop, goal, length, true, expected);
            if (found) break;
          }
        ASSERT_EQ(steps, found ? length - 1 : -1);
        if (!found) continue;
        path.resize(static_cast<std::size_t>(steps) + 1);
        ASSERT_EQ(path, expected);
      }
    }
  }
}

} // namespace
} // namespace hellwig
