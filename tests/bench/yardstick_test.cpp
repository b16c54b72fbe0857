// SPDX-License-Identifier: Apache-2.0
// A yardstick that plays other rules measures nothing: the hand-written Mollwitz against printed rules and
// plain code.

#include "tests/bench/yardstick_mollwitz.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <vector>

namespace hellwig::bench::mollwitz {
namespace {

constexpr int grenadier = 0, infantry = 1, gun = 6, cavalry = 8; // Prussian
constexpr int foeInfantry = 11, foeGun = 15, foeCavalry = 16;    // Austrian

constexpr Cell at(int number) {
  return cellOf(number / 100, number % 100);
}
std::set<int> numbers(const Bits& bits) {
  std::set<int> result;
  for (int cell = 0; cell < cellCount; ++cell)
    if (bits.has(cell)) result.insert((cell / stride + 1) * 100 + cell % stride + 1);
  return result;
}
State make(Side player, std::vector<Placed> placed) {
  return position(1, player, placed.data(), static_cast<int>(placed.size()));
}

// The examples of play follow those of the game's package; the marks are the numbers of its rulebook.

TEST(Yardstick, ZoneToZone) { // MO-027, MO-030, MO-031
  const State s = make(prussia, {{gun, at(608)}, {cavalry, at(610)}, {foeInfantry, at(607)}});
  EXPECT_TRUE(numbers(marchReach(s, gun)).contains(609));
  EXPECT_FALSE(numbers(marchReach(s, gun)).contains(508));
  EXPECT_TRUE(numbers(marchReach(s, cavalry)).contains(508));
  EXPECT_FALSE(numbers(marchReach(s, cavalry)).contains(506));
  EXPECT_FALSE(numbers(marchReach(s, gun)).contains(607));
}

TEST(Yardstick, WoodsStopAMarch) { // MO-012: 0203 and 0102 are woods and marsh
  const State s = make(austria, {{10, at(204)}});
  EXPECT_TRUE(numbers(marchReach(s, 10)).contains(203));
  EXPECT_FALSE(numbers(marchReach(s, 10)).contains(102));
}

TEST(Yardstick, WhoMayAttack) { // MO-014, MO-032, MO-033
  const State woods = make(austria, {{foeCavalry, at(803)}, {infantry, at(704)}});
  EXPECT_FALSE(canAttack(woods, foeCavalry, infantry));
  EXPECT_TRUE(canAttack(make(prussia, {{foeCavalry, at(803)}, {infantry, at(704)}}), infantry, foeCavalry));
  EXPECT_TRUE(canAttack(make(prussia, {{gun, at(610)}, {foeGun, at(606)}}), gun, foeGun));
  EXPECT_FALSE(
      canAttack(make(prussia, {{gun, at(610)}, {foeGun, at(606)}, {cavalry, at(608)}}), gun, foeGun));
}

TEST(Yardstick, HeldByAZone) { // MO-034
  const State s = make(prussia, {{infantry, at(608)}, {foeInfantry, at(607)}, {foeGun, at(606)}});
  EXPECT_TRUE(canAttack(s, infantry, foeInfantry));
  EXPECT_FALSE(canAttack(s, infantry, foeGun));
}

// A position with three distant units more on each side, so that nobody has lost already, and a seed whose
// first die is the one wanted.
State fight(int die, Side player, std::vector<Placed> placed) {
  for (int n = 0; n < 3; ++n) {
    placed.push_back({static_cast<std::uint8_t>(3 + n), cellOf(9 + n, 15)});
    placed.push_back({static_cast<std::uint8_t>(17 + n), cellOf(5 + n, 1)});
  }
  std::uint64_t seed = 0;
  while (Random::fromSeed(seed).below(6) + 1 != static_cast<std::uint32_t>(die)) ++seed;
  State s = position(seed, player, placed.data(), static_cast<int>(placed.size()));
  resume(s);
  return s;
}
std::set<int> cells(const Decision& d) {
  Bits bits;
  for (int i = 0; i < d.listed; ++i) bits.add(d.options[i]);
  return numbers(bits);
}

TEST(Yardstick, RetreatAndFollowUp) { // MO-037, MO-042: 3 + 4 = 7 against 7
  State s = fight(4, prussia, {{infantry, at(608)}, {foeInfantry, at(607)}});
  ASSERT_EQ(s.decision.question, Question::attackTarget);
  EXPECT_EQ(s.decision.answers, 2); // the infantry, or to end; the only attacker is not asked for
  apply(s, 0);
  ASSERT_EQ(s.decision.question, Question::retreat);
  EXPECT_EQ(s.decision.owner, austria);
  EXPECT_EQ(cells(s.decision), (std::set{506, 606, 507}));
  apply(s, 2); // in the order of numbers: 0506, 0507, 0606
  EXPECT_EQ(s.hexOf[foeInfantry], at(606));
  ASSERT_EQ(s.decision.question, Question::followUp);
  apply(s, 0);
  EXPECT_EQ(s.hexOf[infantry], at(607));
}

TEST(Yardstick, HoldTheTown) { // MO-016, MO-017, MO-035: 6 + 4 = 10 against 7 + 2
  State s = fight(4, prussia, {{foeInfantry, at(604)}, {infantry, at(605)}, {2, at(705)}});
  apply(s, 0);
  ASSERT_EQ(s.decision.question, Question::attackers);
  EXPECT_EQ(s.decision.listed, 2);
  EXPECT_EQ(s.decision.minimum, 1);
  EXPECT_EQ(s.decision.maximum, 2);
  apply(s, 3);
  ASSERT_EQ(s.decision.question, Question::retreat);
  apply(s, s.decision.listed);
  EXPECT_EQ(s.hexOf[foeInfantry], at(604));
  EXPECT_FALSE(s.ready >> foeInfantry & 1);
  EXPECT_EQ(s.player, austria); // nobody may follow, two have attacked, nobody needs rallying
}

TEST(Yardstick, Eliminated) {
  // MO-041: between two cavalry units there is no way back.
  State none = fight(4, prussia, {{infantry, at(608)}, {8, at(406)}, {9, at(706)}, {foeInfantry, at(607)}});
  apply(none, 0);
  if (none.decision.question == Question::attackers) apply(none, 1);
  EXPECT_EQ(none.hexOf[foeInfantry], offMap);
  // MO-038: 4 + 3 = 7 against 7, but flipped already.
  State twice = fight(3, prussia, {{grenadier, at(608)}, {foeInfantry, at(607), true}});
  apply(twice, 0);
  EXPECT_EQ(twice.hexOf[foeInfantry], offMap);
  // MO-039: 3 + 4 = 7 against 5, four hexes off: nobody may follow up.
  State far = fight(4, prussia, {{gun, at(610)}, {foeGun, at(606)}});
  apply(far, 0);
  EXPECT_EQ(far.hexOf[foeGun], offMap);
  EXPECT_EQ(far.player, austria);
  EXPECT_EQ(far.hexOf[gun], at(610));
}

TEST(Yardstick, DownToTwo) { // MO-043
  std::vector<Placed> placed = {{infantry, at(608)},    {2, at(710)},          {gun, at(712)},
                                {foeInfantry, at(607)}, {foeCavalry, at(601)}, {17, at(701)}};
  std::uint64_t seed = 0;
  while (Random::fromSeed(seed).below(6) != 5) ++seed;
  State s = position(seed, prussia, placed.data(), static_cast<int>(placed.size()));
  resume(s);
  apply(s, 0);
  EXPECT_EQ(s.result, Result::prussiaWins);
}

// Sight by another way: the hexes on both sides of many points of the line, found by rounding.
std::optional<Cell> cellAt(double x, double y) { // distances of neighbouring centres are 1
  double q = x - y / std::sqrt(3.0), r = y * 2 / std::sqrt(3.0), t = -q - r;
  double rq = std::round(q), rr = std::round(r), rt = std::round(t);
  if (std::abs(rq - q) > std::abs(rr - r) && std::abs(rq - q) > std::abs(rt - t)) {
    rq = -rr - rt;
  } else if (std::abs(rr - r) > std::abs(rt - t)) {
    rr = -rq - rt;
  }
  const int row = static_cast<int>(rr), column = static_cast<int>(rq) + (row - (row & 1)) / 2;
  if (row < 0 || row >= rows || column < 0 || column >= columns) return std::nullopt;
  return cellOf(column + 1, row + 1);
}
bool sampledSight(const State& s, Cell a, Cell b) {
  const auto x = [](Cell c) { return c / stride + 0.5 * (c % stride & 1); };
  const auto y = [](Cell c) { return c % stride * std::sqrt(3.0) / 2; };
  const double dx = x(b) - x(a), dy = y(b) - y(a), length = std::hypot(dx, dy);
  const auto open = [&](std::optional<Cell> c) { return !c || *c == a || *c == b || s.blocks[*c] == 0; };
  for (double t = 0.00037; t < 1; t += 0.00171) {
    const double px = x(a) + t * dx, py = y(a) + t * dy, nx = -dy / length * 1e-7, ny = dx / length * 1e-7;
    if (!open(cellAt(px + nx, py + ny)) && !open(cellAt(px - nx, py - ny))) return false;
  }
  return true;
}

std::set<int> plainReach(const State& s, int unit) {
  const bool isPrussian = unit < unitsPerSide;
  const Cell origin = s.hexOf[unit];
  std::set<int> enemies, friends, zone;
  for (int other = 0; other < unitCount; ++other) {
    if (s.hexOf[other] == offMap || other == unit) continue;
    ((other < unitsPerSide) == isPrussian ? friends : enemies).insert(s.hexOf[other]);
    if ((other < unitsPerSide) != isPrussian && (s.ready >> other & 1))
      for (int cell = 0; cell < cellCount; ++cell)
        if (cell % stride < rows && distance(s.hexOf[other], static_cast<Cell>(cell)) == 1) zone.insert(cell);
  }
  static constexpr std::array<int, 20> stopping = {504,  604,  1002, 1107, 314, 901, 1001, 203, 803, 1009,
                                                   1110, 1011, 713,  102,  103, 104, 105,  107, 108, 209};
  std::set<int> stops{at(110), at(111), at(112), at(213)};
  for (int number : stopping) stops.insert(at(number));
  std::set<int> seen{origin}, result;
  std::deque<std::pair<int, int>> queue{{origin, 0}};
  while (!queue.empty()) {
    const auto [cell, spent] = queue.front();
    queue.pop_front();
    if (spent == unitTable[unit].move || (spent > 0 && (stops.contains(cell) || zone.contains(cell))))
      continue;
    for (int next = 0; next < cellCount; ++next) {
      if (next % stride >= rows || distance(static_cast<Cell>(cell), static_cast<Cell>(next)) != 1) continue;
      if (enemies.contains(next) || (zone.contains(origin) && zone.contains(next)) ||
          !seen.insert(next).second)
        continue;
      queue.emplace_back(next, spent + 1);
      if (!friends.contains(next)) result.insert(next / stride * 100 + 101 + next % stride);
    }
  }
  return result;
}

TEST(Yardstick, AgreesWithPlainCodeInRandomPlay) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    State s = begin(seed, Setup::asked);
    Random player = Random::fromSeed(seed + 100);
    for (int n = 0; s.decision.question != Question::over; ++n) {
      const Decision& d = s.decision;
      ASSERT_GT(d.isSubset() ? d.listed - d.minimum + 1 : d.answers, 1);
      for (int unit = 0; unit < unitCount; ++unit) {
        if (s.hexOf[unit] == offMap) continue;
        EXPECT_EQ(s.unitAt[s.hexOf[unit]], unit);
        if (n % 7 == 0) {
          EXPECT_EQ(numbers(marchReach(s, unit)), plainReach(s, unit));
        }
      }
      if (d.question == Question::moveUnit) {
        std::uint32_t offered = 0, expected = 0;
        for (int i = 0; i < d.listed; ++i) offered |= 1u << d.options[i];
        for (int unit = s.player * unitsPerSide; unit < (s.player + 1) * unitsPerSide; ++unit)
          if ((s.ready & ~s.moved) >> unit & 1 && !plainReach(s, unit).empty()) expected |= 1u << unit;
        EXPECT_EQ(offered, expected);
      }
      if (n % 23 == 0)
        for (int a = 0; a < cellCount; ++a)
          for (int b = a % 5; b < cellCount; b += 5)
            if (a % stride < rows && b % stride < rows && a != b &&
                distance(static_cast<Cell>(a), static_cast<Cell>(b)) <= 4) {
              EXPECT_EQ(canSee(s, static_cast<Cell>(a), static_cast<Cell>(b)),
                        sampledSight(s, static_cast<Cell>(a), static_cast<Cell>(b)))
                  << a << ' ' << b;
            }
      apply(s, randomAnswer(d, player));
    }
    EXPECT_NE(s.result, Result::open);
  }
}

TEST(Yardstick, FirstDecisions) {
  const State asked = begin(1, Setup::asked);
  EXPECT_EQ(asked.decision.question, Question::placeUnit); // Austria's grenadiers on one of four letters
  EXPECT_EQ(asked.decision.owner, austria);
  EXPECT_EQ(asked.decision.answers, 4);
  const State fixed = begin(1, Setup::fixed);
  EXPECT_EQ(fixed.decision.question, Question::moveUnit); // all ten Prussians can move; or pass
  EXPECT_EQ(fixed.decision.answers, 11);
  EXPECT_FALSE(fixed.mustClose); // both batteries have the Austrian one at distance 4
}

} // namespace
} // namespace hellwig::bench::mollwitz
