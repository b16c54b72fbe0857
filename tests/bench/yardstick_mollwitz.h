// SPDX-License-Identifier: Apache-2.0
// A hand-written engine of the Battle of Mollwitz: the bound that the language's own play is measured
// against.
//
// It plays the same game as the package in the rules language: the historical set-up, movement of up to three
// units, attacks with up to two, rallying, the duty to close, victory at two unflipped units, a draw after
// turn 60; no optional rules. Every question is staged as there (first a unit, then a hex), only what can be
// done is offered, the offers are listed at every decision, and what leaves only one answer is neither asked
// nor counted.
//
// Two readings, which the language's text leaves open, are fixed so: a move never ends in the hex where it
// began (not even by way of another hex), and of a pair of hexes along a line of sight one that is off the
// map never blocks.
#pragma once

#include "runtime/random.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace hellwig::bench::mollwitz {

// Cells of the board: (column - 1) * 16 + (row - 1), so that cells are in the order of the hex numbers; the
// sixteenth row is never a hex. 176 cells, 165 hexes.
using Cell = std::uint8_t;
constexpr int columns = 11;
constexpr int rows = 15;
constexpr int stride = 16;
constexpr int cellCount = columns * stride;
constexpr Cell offMap = 255;

constexpr Cell cellOf(int column, int row) {
  return static_cast<Cell>((column - 1) * stride + row - 1);
}

// A set of cells.
struct Bits {
  std::array<std::uint64_t, 3> word{};

  constexpr bool has(int cell) const { return (word[cell >> 6] >> (cell & 63)) & 1; }
  constexpr void add(int cell) { word[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
  constexpr void remove(int cell) { word[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
  constexpr bool any() const { return (word[0] | word[1] | word[2]) != 0; }
  friend constexpr Bits operator|(Bits a, const Bits& b) {
    for (int i = 0; i < 3; ++i) a.word[i] |= b.word[i];
    return a;
  }
  friend constexpr Bits operator&(Bits a, const Bits& b) {
    for (int i = 0; i < 3; ++i) a.word[i] &= b.word[i];
    return a;
  }
  // The cells of a that are not in b.
  friend constexpr Bits operator-(Bits a, const Bits& b) {
    for (int i = 0; i < 3; ++i) a.word[i] &= ~b.word[i];
    return a;
  }
  friend constexpr bool operator==(const Bits&, const Bits&) = default;
};

// Units 0 .. 9 are the Prussians, 10 .. 19 the Austrians, each in the order of battle. The Austrian hussars
// stay off the map in the historical set-up and are left out.
constexpr int unitCount = 20;
constexpr int unitsPerSide = 10;
enum Side : std::uint8_t { prussia, austria };
enum class Arm : std::uint8_t { infantry, artillery, cavalry, lightInfantry };
struct UnitData {
  std::string_view name;
  Arm arm;
  std::uint8_t attack, defense, move, range;
};
extern const std::array<UnitData, unitCount> unitTable;

enum class Question : std::uint8_t {
  placeUnit,    // options: cells for `unit`
  moveUnit,     // options: units; pass
  moveTo,       // options: cells
  attackTarget, // options: units; pass
  attackers,    // options: units, of which minimum .. maximum are taken
  retreat,      // options: cells; then, if `hold`, to hold the town or wood
  followUp,     // options: units; pass
  rally,        // options: units, of which any number are taken
  over          // the game has ended: `result`
};
enum class Result : std::uint8_t { open, prussiaWins, austriaWins, draw };

// What is asked. Picks are answered by the number of an option; after the `listed` options in standard order
// comes the pass or the button to hold, if there is one. Subsets are answered by a mask over the options.
struct Decision {
  Question question = Question::over;
  Side owner = prussia;
  std::uint8_t listed = 0;
  std::uint8_t answers = 0; // of a pick: listed, and one more for a pass or a hold
  std::uint8_t minimum = 0; // of a subset; a pick has maximum 0
  std::uint8_t maximum = 0;
  std::array<std::uint8_t, 128> options; // only the first `listed` have a meaning

  bool isSubset() const { return maximum != 0; }
};

// Where play goes on when the pending decision is answered.
enum class Stage : std::uint8_t {
  place,
  beginPlayerTurn,
  chooseMover,
  chooseMoveTo,
  endMovement,
  chooseTarget,
  chooseAttackers,
  resolveAttack,
  chooseRetreat,
  advance,
  chooseRally,
  endPlayerTurn,
  done
};

// The whole game; copied to be cloned.
struct State {
  Random random;
  std::array<Bits, 2> occupied;
  std::array<Bits, 2> zone;                    // hexes in the zones of control of that side's units
  std::array<std::uint8_t, 192> unitAt;        // noUnit where there is none
  std::array<std::uint8_t, 192> blocks;        // 1 where the terrain or a unit stops sight
  std::array<Cell, unitCount> hexOf;           // offMap when eliminated or not placed
  std::uint32_t onMap, ready, moved, attacked; // a bit per unit; ready means on the map and not flipped
  std::uint8_t turn;                           // 1 .. 60
  Side player;
  bool mustClose;
  std::uint8_t movesLeft, attackRounds, attackersLeft, placing;
  std::uint8_t unit, target;
  Cell leftHex;
  std::uint32_t chosen; // the attackers
  Stage stage;
  Result result;
  Decision decision;
};
constexpr std::uint8_t noUnit = 255;

enum class Setup : std::uint8_t {
  asked, // every placement is a decision of its owner
  fixed  // each unit, in the order of battle, stands on the first free letter of its type; nothing is asked
};

// A new game, standing at its first decision.
State begin(std::uint64_t seed, Setup setup);
// Answers the pending decision and plays on to the next one, or to the end. The answer must be legal: below
// `answers` for a pick, a mask of minimum .. maximum bits below 1 << listed for a subset.
void apply(State& state, std::uint32_t answer);
// A random answer. Picks are uniform. For a subset first its size is drawn, each of minimum .. maximum as
// likely, then its elements one after another from those that are left.
std::uint32_t randomAnswer(const Decision& decision, Random& random);

// Parts that are tested on their own.
// The state in which only these units stand on the map, at the start of the Attack phase of a side. No
// decision is pending until `resume`, which plays on to the first.
struct Placed {
  std::uint8_t unit;
  Cell cell;
  bool flipped = false;
};
State position(std::uint64_t seed, Side player, const Placed* placed, int count);
void resume(State& state);
Bits marchReach(const State& state, int unit);
bool canSee(const State& state, Cell from, Cell to); // at most 4 hexes apart
bool canAttack(const State& state, int unit, int target);
int distance(Cell a, Cell b);

// The figures of many games with random players.
struct Tally {
  std::int64_t games = 0, decisions = 0, options = 0, turns = 0;
  std::array<std::int64_t, 4> results{}; // by Result
};
void playRandom(std::uint64_t seed, Setup setup, Tally& tally);

} // namespace hellwig::bench::mollwitz
