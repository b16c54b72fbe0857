// SPDX-License-Identifier: Apache-2.0
// Positions of keys on the axes of tables, against the rule said plainly: the key that covers the value; else
// the position for all others; else the neighbour that rounding or clamping takes.
#include "runtime/machine_core.h"
#include "runtime/random.h"
#include "runtime/table_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace hellwig {
namespace {

/// A value of an axis as an exact fraction; a denominator of 0 is above all.
struct Exact {
  std::int64_t n, d;
  bool operator<(const Exact& other) const { return n * other.d < other.n * d; }
};

Exact exact(const TableAxis& axis, Word w) {
  return axis.scale == 1 ? Exact{numeratorOf(w), denominatorOf(w)} : Exact{w, 1};
}

std::int32_t byTheRule(const TableAxis& axis, Word key) {
  const Exact value = exact(axis, key);
  const TableAxis::Key* below = nullptr;
  const TableAxis::Key* above = nullptr;
  for (const TableAxis::Key& k : axis.keys) {
    const bool tooLow = k.low != none && value < exact(axis, k.low);
    const bool tooHigh = k.high != none && exact(axis, k.high) < value;
    if (!tooLow && !tooHigh) return k.index;
    if (tooHigh && (below == nullptr || exact(axis, below->high) < exact(axis, k.high))) below = &k;
    if (tooLow && (above == nullptr || exact(axis, k.low) < exact(axis, above->low))) above = &k;
  }
  if (axis.anyOther >= 0) return axis.anyOther;
  if (below == nullptr || above == nullptr) {
    if (below != nullptr && axis.clampAbove) return below->index;
    if (above != nullptr && axis.clampBelow) return above->index;
    return -1;
  }
  if (axis.rounding == Rounding::none) return -1;
  if (axis.rounding == Rounding::down) return below->index;
  if (axis.rounding == Rounding::up) return above->index;
  const Exact low = exact(axis, below->high), high = exact(axis, above->low);
  if (high.d == 0) return below->index;
  const double up = static_cast<double>(high.n) / static_cast<double>(high.d),
               down = static_cast<double>(low.n) / static_cast<double>(low.d),
               at = static_cast<double>(value.n) / static_cast<double>(value.d);
  return at - down <= up - at + 1e-12 ? below->index : above->index;
}

TableAxis randomAxis(Random& random, bool ratios) {
  TableAxis axis;
  axis.scale = ratios ? 1 : 0;
  axis.rounding = static_cast<Rounding>(random.below(4));
  axis.clampBelow = random.below(2) != 0;
  axis.clampAbove = random.below(2) != 0;
  const std::int32_t step = ratios || random.below(4) != 0 ? 1 : 3000;
  std::int32_t at = static_cast<std::int32_t>(random.below(5)) - 2;
  const std::uint32_t count = 1 + random.below(9);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t low = at, high = at + static_cast<std::int32_t>(random.below(2)) * step;
    TableAxis::Key key{low, high, static_cast<std::uint16_t>(i)};
    if (ratios) key = {packRatio(1 + i, count + 1 - i), packRatio(1 + i, count + 1 - i), key.index};
    axis.keys.push_back(key);
    at = high + (1 + static_cast<std::int32_t>(random.below(3))) * step;
  }
  if (!ratios && random.below(3) == 0) axis.keys.front().low = none;
  if (!ratios && random.below(3) == 0) axis.keys.back().high = none;
  axis.positions = static_cast<std::uint16_t>(count);
  if (random.below(5) == 0) axis.anyOther = axis.positions++;
  if (random.below(2) == 0) std::reverse(axis.keys.begin(), axis.keys.end());
  return axis;
}

TEST(TableIndex, FindsNumbersByTheRule) {
  Random random = Random::fromSeed(3);
  for (int round = 0; round < 300; ++round) {
    const TableAxis axis = randomAxis(random, false);
    const AxisIndex index(axis);
    for (Word key = -40; key < 60; ++key)
      EXPECT_EQ(index.position(key), byTheRule(axis, key)) << round << ", key " << key;
    for (Word key = -9000; key < 60000; key += 500)
      EXPECT_EQ(index.position(key), byTheRule(axis, key)) << round << ", key " << key;
  }
}

TEST(TableIndex, FindsRatiosByTheRule) {
  Random random = Random::fromSeed(4);
  for (int round = 0; round < 200; ++round) {
    const TableAxis axis = randomAxis(random, true);
    const AxisIndex index(axis);
    // Below and above what is worked out beforehand, not always in lowest terms.
    for (int a = 0; a < 50; a += 1 + a / 12)
      for (int b = 0; b < 50; b += 1 + b / 12) {
        if (a == 0 && b == 0) continue;
        EXPECT_EQ(index.position(packRatio(a, b)), byTheRule(axis, packRatio(a, b)))
            << round << ", " << a << ":" << b;
      }
  }
}

TEST(TableIndex, NoRatioIsNoKey) {
  Random random = Random::fromSeed(5);
  const AxisIndex index(randomAxis(random, true));
  EXPECT_THROW(index.position(packRatio(0, 0)), FaultError);
  EXPECT_THROW(index.position(packRatio(-1, 2)), FaultError);
  EXPECT_THROW(index.position(none), FaultError);
}

TEST(TableIndex, ShiftsStayOnTheAxis) {
  Table table;
  for (int i = 0; i < 2; ++i) {
    TableAxis axis;
    for (std::uint16_t k = 0; k < 3; ++k) axis.keys.push_back({k + 1, k + 1, k});
    axis.positions = 3;
    table.axes.push_back(axis);
  }
  const TableIndex index(table);
  auto cell = [&](Word first, Word second, Word shiftFirst, Word shiftSecond) {
    const Word keys[] = {first, second}, shifts[] = {shiftFirst, shiftSecond};
    return index.cell(keys, shifts);
  };
  EXPECT_EQ(cell(1, 3, 0, 0), 2);   // row 0, column 2
  EXPECT_EQ(cell(2, 2, 1, -1), 6);  // row 2, column 0
  EXPECT_EQ(cell(3, 1, 5, -9), 6);  // both held at the end
  EXPECT_EQ(cell(4, 1, -1, 0), -1); // no such row, whatever the shift
  EXPECT_THROW(cell(1, 1, none, 0), FaultError);
}

} // namespace
} // namespace hellwig
