// SPDX-License-Identifier: Apache-2.0
// The loops in C++. The counts come as arguments of functions compiled apart from the caller, so that nothing
// can be worked out beforehand; each step needs the one before it, so that there is nothing to do at once.

#include "tests/bench/yardstick_loops.h"

#include <algorithm>

namespace hellwig::bench::loops {

std::int32_t arithmetic(std::int32_t rounds, std::int32_t steps) {
  std::int32_t x = 1;
  for (std::int32_t round = 0; round < rounds; ++round) {
    std::int32_t i = 0;
    for (std::int32_t step = 0; step < steps; ++step) {
      i = i + 1;
      if (x % 7 < 3) { // x is not negative here
        x = x + 3 * i;
      } else {
        x = x - i;
      }
      x = x % 1000003;
      if (x < 0) x = x + 1000003;
    }
  }
  return x;
}

namespace {

constexpr Outcome AE = attackerEliminated, AR = attackerRetreats, EX = exchange, DR = defenderRetreats,
                  DE = defenderEliminated;
// Rows are the faces 1 .. 6, columns 1:3 1:2 1:1 2:1 3:1 4:1 5:1 6:1.
constexpr std::array<std::array<Outcome, 8>, 6> combatResults = {{
    {AE, AE, AR, AR, EX, EX, DR, DR},
    {AE, AR, AR, EX, EX, DR, DR, DE},
    {AE, AR, EX, EX, DR, DR, DE, DE},
    {AR, AR, EX, DR, DR, DE, DE, DE},
    {AR, EX, DR, DR, DE, DE, DE, DE},
    {EX, DR, DR, DE, DE, DE, DE, DE},
}};

} // namespace

std::array<std::int32_t, 5> odds(std::int32_t rounds, std::int32_t steps, Random& random) {
  std::array<std::int32_t, 5> counts{};
  std::int32_t attack = 0, defense = 0;
  for (std::int32_t round = 0; round < rounds; ++round)
    for (std::int32_t step = 0; step < steps; ++step) {
      attack = attack % 23 + 1;
      defense = defense % 11 + 1;
      // The ratio rounded down to a column, and clamped at both ends.
      std::int32_t column = 0;
      if (attack >= defense) {
        column = 1 + std::min(attack / defense, 6);
      } else if (2 * attack >= defense) {
        column = 1;
      }
      const std::uint32_t face = random.below(6);
      ++counts[combatResults[face][column]];
    }
  return counts;
}

} // namespace hellwig::bench::loops
