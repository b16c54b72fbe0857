// SPDX-License-Identifier: Apache-2.0
// Two plain loops, the bound for the package packages/loops and for the script loops.lua: the same work, step
// by step.
#pragma once

#include "runtime/random.h"

#include <array>
#include <cstdint>

namespace hellwig::bench::loops {

// `rounds` times 100000 steps of whole-number arithmetic with a branch; the answer is the last x, 0 ..
// 1000002.
//
//   x = 1; repeat rounds { i = 0; repeat 100000 { i = i + 1
//     if x mod 7 < 3 { x = x + 3 i } else { x = x - i }
//     x = x mod 1000003 } }           (mod as in the language: never negative)
std::int32_t arithmetic(std::int32_t rounds, std::int32_t steps);
constexpr std::int32_t arithmeticRounds = 500; // 50 million steps
constexpr std::int32_t arithmeticSteps = 100000;

// `rounds` times 100000 attacks, each a die on a table of odds from 1:3 to 6:1, with strengths that change:
// the attacker's goes through 1 .. 23, the defender's through 1 .. 11.
enum Outcome : std::uint8_t {
  attackerEliminated,
  attackerRetreats,
  exchange,
  defenderRetreats,
  defenderEliminated
};
std::array<std::int32_t, 5> odds(std::int32_t rounds, std::int32_t steps, Random& random);
constexpr std::int32_t oddsRounds = 50; // 5 million rolls
constexpr std::int32_t oddsSteps = 100000;

} // namespace hellwig::bench::loops
