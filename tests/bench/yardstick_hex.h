// SPDX-License-Identifier: Apache-2.0
// The game of Hex on 11 by 11, written by hand: the bound for the package packages/hex.
//
// Red joins the first and the last row, Blue the first and the last column; Red begins; nobody swaps. The
// empty hexes are listed before every move, in order. As in the language a last hex that is alone is placed
// unasked.
#pragma once

#include "runtime/random.h"

#include <array>
#include <cstdint>

namespace hellwig::bench::hex {

constexpr int size = 11;
constexpr int hexCount = size * size; // hex number: row * size + column

struct State {
  std::array<std::uint64_t, 2> empty;            // a bit per hex
  std::array<std::uint64_t, 2> red;              // the stones of Red; what is neither is Blue's
  std::array<std::uint8_t, hexCount + 4> leader; // union-find over stones and the four edges
  std::uint8_t player;                           // 0 Red, 1 Blue
  std::int8_t winner;                            // -1 while the game is open
  std::uint8_t listed;                           // how many options there are
  std::array<std::uint8_t, hexCount> options;
};

// A new game with the first options listed.
State begin();
// Places a stone on the option of this number, 0 .. listed - 1, and lists the next options or ends the game.
void apply(State& state, std::uint32_t option);

struct Tally {
  std::int64_t games = 0, moves = 0; // moves that were asked
  std::array<std::int64_t, 2> wins{};
};
void playRandom(Random& random, Tally& tally);

} // namespace hellwig::bench::hex
