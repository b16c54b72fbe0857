// SPDX-License-Identifier: Apache-2.0
// The other yardsticks: loops, search of moves and Hex. The figures of loops and searches were computed by a
// script in Python that reads the packages' own text (map, forces, table) and works with exact fractions.

#include "tests/bench/yardstick_hex.h"
#include "tests/bench/yardstick_loops.h"
#include "tests/bench/yardstick_march.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace hellwig::bench {
namespace {

TEST(YardstickLoops, Arithmetic) {
  EXPECT_EQ(loops::arithmetic(1, loops::arithmeticSteps), 28298);
  EXPECT_EQ(loops::arithmetic(3, loops::arithmeticSteps), 28277);
  EXPECT_EQ(loops::arithmetic(loops::arithmeticRounds, loops::arithmeticSteps), 27584); // this one: Lua 5.4
}

TEST(YardstickLoops, Odds) {
  Random random = Random::fromSeed(1);
  EXPECT_EQ(loops::odds(1, loops::oddsSteps, random), (std::array{6957, 20887, 22924, 25775, 23457}));
}

// The number of ends and the sum of their costs in halves, for every stack of a kind.
struct Sums {
  int ends, halves;
  friend bool operator==(const Sums&, const Sums&) = default;
};
Sums sums(int firstStack, int count) {
  const march::State state = march::begin();
  const auto reach = std::make_unique<march::Reach>();
  Sums result{0, 0};
  for (int stack = firstStack; stack < firstStack + count; ++stack) {
    march::march(state, 3 * stack, *reach);
    result.ends += reach->endCount;
    for (int i = 0; i < reach->endCount; ++i) result.halves += reach->cost[reach->ends[i]];
  }
  return result;
}

TEST(YardstickMarch, ReachesWhatPlainDijkstraReaches) {
  EXPECT_EQ(sums(0, 34), (Sums{1652, 9773}));
  EXPECT_EQ(sums(34, 12), (Sums{2323, 26457}));
  EXPECT_EQ(sums(46, 4), (Sums{3900, 98618}));
  EXPECT_EQ(sums(50, 34), (Sums{1528, 9057}));
  EXPECT_EQ(sums(84, 12), (Sums{2031, 22812}));
  EXPECT_EQ(sums(96, 4), (Sums{2957, 77539}));
  const auto reach = std::make_unique<march::Reach>();
  march::survey(march::begin(), 0, *reach);
  int halves = 0;
  for (int i = 0; i < reach->endCount; ++i) halves += reach->cost[reach->ends[i]];
  EXPECT_EQ(reach->endCount, 1977); // all hexes but 22 of lake and its own
  EXPECT_EQ(halves, 66764);
}

// Is there a chain of the side's stones between its edges? By plain flooding.
bool joined(const hex::State& s, int side) {
  const auto owner = [&s](int h) {
    if (s.empty[h >> 6] >> (h & 63) & 1) return -1;
    return s.red[h >> 6] >> (h & 63) & 1 ? 0 : 1;
  };
  std::vector<int> open;
  std::array<bool, hex::hexCount> seen{};
  for (int i = 0; i < hex::size; ++i) open.push_back(side == 0 ? i : i * hex::size);
  while (!open.empty()) {
    const int h = open.back();
    open.pop_back();
    if (seen[h] || owner(h) != side) continue;
    seen[h] = true;
    const int row = h / hex::size, column = h % hex::size;
    if ((side == 0 ? row : column) == hex::size - 1) return true;
    for (int dr = -1; dr <= 1; ++dr)
      for (int dc = -1; dc <= 1; ++dc)
        if (dr != dc && row + dr >= 0 && row + dr < hex::size && column + dc >= 0 && column + dc < hex::size)
          open.push_back(h + dr * hex::size + dc);
  }
  return false;
}

TEST(YardstickHex, EndsWithTheFirstChain) {
  Random random = Random::fromSeed(5);
  for (int game = 0; game < 50; ++game) {
    hex::State s = hex::begin();
    int left = hex::hexCount;
    while (s.winner < 0) {
      EXPECT_EQ(s.listed, left--);
      EXPECT_FALSE(joined(s, 0) || joined(s, 1));
      hex::apply(s, random.below(s.listed));
    }
    EXPECT_TRUE(joined(s, s.winner));
    EXPECT_FALSE(joined(s, 1 - s.winner));
  }
}

} // namespace
} // namespace hellwig::bench
