// SPDX-License-Identifier: Apache-2.0
// Positions of keys: see table_index.h.
#include "runtime/table_index.h"

#include "runtime/ratio.h"

#include <algorithm>

namespace hellwig {

namespace {

/// Keys that span more numbers than this are looked for one by one.
constexpr Word widestDirect = 4096;

bool less(const TableAxis& axis, Word a, Word b) {
  return axis.scale == 1 ? oddsLess(a, b) : a < b;
}

bool ascending(const TableAxis& axis) {
  for (std::size_t k = 0; k < axis.keys.size(); ++k) {
    const TableAxis::Key& key = axis.keys[k];
    if (key.low == none || key.high == none || less(axis, key.high, key.low)) return false;
    if (k != 0 && !less(axis, axis.keys[k - 1].high, key.low)) return false;
  }
  return true;
}

} // namespace

AxisIndex::AxisIndex(const TableAxis& axis)
    : positions_(axis.positions), ratios_(axis.scale == 1), ordered_(ascending(axis)), axis_(axis) {
  if (ratios_) {
    for (std::uint32_t place = 0; place < smallRatio * smallRatio; ++place) {
      const Word key = packRatio(static_cast<std::int32_t>(place / smallRatio),
                                 static_cast<std::int32_t>(place % smallRatio));
      direct_.push_back(key == 0 ? -1 : ordered_ ? amongOrdered(key) : amongAny(key));
    }
    return;
  }
  // What lies between the least and the greatest end is worked out beforehand.
  Word least = INT64_MAX, greatest = INT64_MIN;
  for (const TableAxis::Key& key : axis.keys)
    for (const Word end : {key.low, key.high})
      if (end != none) {
        least = std::min(least, end);
        greatest = std::max(greatest, end);
      }
  if (least > greatest || least < INT32_MIN || greatest > INT32_MAX || greatest - least >= widestDirect)
    return;
  first_ = least;
  for (Word key = least; key <= greatest; ++key) direct_.push_back(amongAny(key));
}

std::int32_t AxisIndex::amongOrdered(Word key) const {
  const std::size_t count = axis_.keys.size();
  std::size_t notAbove = 0; // keys that begin at or below this one
  if (ratios_) checkOdds(key);
  while (notAbove < count && !less(axis_, key, axis_.keys[notAbove].low)) ++notAbove;
  const TableAxis::Key* const below = notAbove != 0 ? &axis_.keys[notAbove - 1] : nullptr;
  if (below != nullptr && !less(axis_, below->high, key)) return below->index;
  return between(below, notAbove != count ? &axis_.keys[notAbove] : nullptr, key);
}

std::int32_t AxisIndex::amongAny(Word key) const {
  if (ratios_) checkOdds(key);
  const TableAxis::Key* below = nullptr;
  const TableAxis::Key* above = nullptr;
  for (const TableAxis::Key& k : axis_.keys) {
    if (k.low == key) return k.index;
    const bool afterLow = k.low == none || !less(axis_, key, k.low);
    const bool beforeHigh = k.high == none || !less(axis_, k.high, key);
    if (afterLow && beforeHigh) return k.index;
    if (!beforeHigh && (below == nullptr || less(axis_, below->high, k.high))) below = &k;
    if (!afterLow && (above == nullptr || less(axis_, k.low, above->low))) above = &k;
  }
  return between(below, above, key);
}

/// A key that none covers, with its neighbours: rounded, clamped, or without a position.
std::int32_t AxisIndex::between(const TableAxis::Key* below, const TableAxis::Key* above, Word key) const {
  if (axis_.anyOther >= 0) return axis_.anyOther;
  if (below != nullptr && above != nullptr) {
    switch (axis_.rounding) {
    case Rounding::none: return -1;
    case Rounding::down: return below->index;
    case Rounding::up: return above->index;
    case Rounding::near:
      return nearerIsLow(below->high, above->low, key, ratios_) ? below->index : above->index;
    }
  }
  if (below != nullptr && above == nullptr && axis_.clampAbove) return below->index;
  if (above != nullptr && below == nullptr && axis_.clampBelow) return above->index;
  return -1;
}

std::int64_t TableIndex::shifted(std::int64_t position, Word shift, std::int32_t positions) {
  if (shift != static_cast<std::int32_t>(shift))
    throw FaultError{shift == none ? FaultCode::missingValue : FaultCode::overflow};
  return std::clamp<std::int64_t>(position + shift, 0, positions - 1);
}

} // namespace hellwig
