// SPDX-License-Identifier: Apache-2.0
// The search of one counter's moves on 2000 hexes, and the state to be cloned, by hand: beside
// packages/march.
#pragma once

#include <array>
#include <cstdint>

namespace hellwig::bench::march {

constexpr int columns = 50, rows = 40, hexCount = columns * rows; // hex number: (row - 1) * 50 + column - 1
constexpr int unitCount = 300, stackCount = 100; // units 3 n .. 3 n + 2 stand in stack n at first
constexpr std::uint16_t unlimited = 0xFFFF;

// What a clone has to copy: all that changes in play.
struct State {
  std::array<std::uint16_t, unitCount> hexOf;
  std::array<std::uint8_t, unitCount> flags;                 // 1 flipped, 2 moved
  std::array<std::array<std::uint8_t, hexCount>, 2> unitsAt; // how many of each side stand in each hex
  std::array<std::array<std::uint8_t, hexCount>, 2> zoneAt;  // how many of each side have a zone there
  std::array<std::uint64_t, 4> random;
};
State begin();

// The hexes that the search comes to, with the least cost in halves of a point; `unreached` elsewhere.
constexpr std::uint16_t unreached = 0xFFFF;
struct Reach {
  std::array<std::uint16_t, hexCount> cost;
  std::array<std::uint16_t, hexCount> ends; // the hexes where the move may end, in the order found
  int endCount;
};
// As route march of the package: its allowance, enemies, zones, stacking.
void march(const State& state, int unit, Reach& reach);
// As route survey: terrain alone, without limit.
void survey(const State& state, int unit, Reach& reach);

} // namespace hellwig::bench::march
