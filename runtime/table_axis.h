// SPDX-License-Identifier: Apache-2.0
// Where an input of a table falls among its keys, with what the table says of rounding and clamping.
#pragma once

#include "runtime/module.h"
#include "runtime/ratio.h"

namespace hellwig {

/// The position of a key on an axis before shifts, -1 if it has none.
template<bool ratio> inline std::int32_t keyPosition(const TableAxis& axis, bool ascending, Word key) {
  const auto less = [](Word a, Word b) {
    if constexpr (ratio)
      return oddsLess(a, b);
    else
      return a < b;
  };
  // Keys before and after the value, for rounding and clamping.
  const TableAxis::Key* below = nullptr;
  const TableAxis::Key* above = nullptr;
  for (const TableAxis::Key& k : axis.keys) {
    if (k.low == key) return k.index;
    if (ascending) {
      if (less(key, k.low)) {
        above = &k;
        break;
      }
      if (!less(k.high, key)) return k.index;
      below = &k;
      continue;
    }
    const bool afterLow = k.low == none || !less(key, k.low);
    const bool beforeHigh = k.high == none || !less(k.high, key);
    if (afterLow && beforeHigh) return k.index;
    if (!beforeHigh && (below == nullptr || less(below->high, k.high))) below = &k;
    if (!afterLow && (above == nullptr || less(k.low, above->low))) above = &k;
  }
  if (axis.anyOther >= 0) return axis.anyOther;
  if (below != nullptr && above != nullptr) {
    switch (axis.rounding) {
    case Rounding::none: return -1;
    case Rounding::down: return below->index;
    case Rounding::up: return above->index;
    case Rounding::near:
      return nearerIsLow(below->high, above->low, key, axis.scale == 1) ? below->index : above->index;
    }
  }
  if (below != nullptr && above == nullptr && axis.clampAbove) return below->index;
  if (above != nullptr && below == nullptr && axis.clampBelow) return above->index;
  return -1;
}

/// The same by what the axis holds.
inline std::int32_t axisPosition(const TableAxis& axis, bool ascending, Word key) {
  if (axis.scale == 1) {
    checkOdds(key);
    return keyPosition<true>(axis, ascending, key);
  }
  // Most axes count up by one; keys do not overlap, so a key that fits is the only one.
  if (!axis.keys.empty()) {
    const auto guess = static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(axis.keys[0].low);
    if (guess < axis.keys.size() && axis.keys[guess].low == key && key != none) return axis.keys[guess].index;
  }
  return keyPosition<false>(axis, ascending, key);
}

} // namespace hellwig
