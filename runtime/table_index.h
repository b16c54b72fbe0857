// SPDX-License-Identifier: Apache-2.0
// The keys of the axes of tables, arranged when a module is loaded so that a look-up need not read them one
// by one.
#pragma once

#include "runtime/module.h"

#include <vector>

namespace hellwig {

/// Where a key stands on an axis before shifts; -1 where it has no position.
class AxisIndex {
public:
  explicit AxisIndex(const TableAxis& axis);

  std::int32_t position(Word key) const {
    if (ratios_) {
      const auto numerator = static_cast<std::uint32_t>(numeratorOf(key)),
                 denominator = static_cast<std::uint32_t>(denominatorOf(key));
      if ((numerator | denominator) < smallRatio && key != 0)
        return direct_[numerator * smallRatio + denominator];
    } else {
      const auto place = static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(first_);
      if (place < direct_.size()) return direct_[place];
    }
    return ordered_ ? amongOrdered(key) : amongAny(key);
  }
  std::int32_t positions() const { return positions_; }

private:
  /// Ratios of numbers below this are worked out beforehand.
  static constexpr std::uint32_t smallRatio = 32;

  std::int32_t amongOrdered(Word key) const;
  std::int32_t amongAny(Word key) const;
  std::int32_t between(const TableAxis::Key* below, const TableAxis::Key* above, Word key) const;

  std::int32_t positions_ = 0;
  Word first_ = 0;                   ///< the key of the first of `direct_`
  std::vector<std::int32_t> direct_; ///< positions of keys one after another, where they are small numbers
                                     ///< (of ratios, the numerator before the denominator)
  bool ratios_ = false;
  bool ordered_ = false; ///< both ends of every key are there and stand from low to high
  TableAxis axis_;
};

class TableIndex {
public:
  explicit TableIndex(const Table& table) : axes_(table.axes.begin(), table.axes.end()) {}

  /// The cell for keys, a shift for each; -1 if there is none.
  std::int64_t cell(const Word* keys, const Word* shifts) const {
    std::int64_t cell = 0;
    for (const AxisIndex& axis : axes_) {
      std::int64_t position = axis.position(*keys++);
      if (position < 0) return -1;
      if (*shifts != 0) position = shifted(position, *shifts, axis.positions());
      ++shifts;
      cell = cell * axis.positions() + position;
    }
    return cell;
  }

private:
  static std::int64_t shifted(std::int64_t position, Word shift, std::int32_t positions);

  std::vector<AxisIndex> axes_;
};

} // namespace hellwig
