// SPDX-License-Identifier: Apache-2.0
// Whole answers (a number for each of several elements) whose sums must pass tests and of which the best are
// wanted: decided exactly, however many there are, by a table over the sums reached element by element.
#pragma once

#include "runtime/module.h"
#include "runtime/random.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace hellwig {

struct AnswerProblem {
  struct Test {
    std::uint16_t sum = 0;
    AnswerTest::Compare compare = AnswerTest::Compare::below;
    std::int64_t bound = 0;
  };
  /// What ranks an answer: a sum, the less the better (`sign` 1) or the more (-1), or whether a test holds.
  struct Rank {
    bool byTest = false;
    Test test;
    std::uint16_t sum = 0;
    int sign = 1;
  };
  /// For each element, for each of its numbers in ascending order: what it gives to each sum.
  std::vector<std::vector<std::vector<std::int64_t>>> gives;
  std::vector<Test> tests; ///< all must hold
  std::vector<Rank> ranks; ///< earlier ones count first
};

bool holds(AnswerTest::Compare compare, std::int64_t figure, std::int64_t bound);

class AnswerTable {
public:
  /// Empty if more states were needed than `mostStates`.
  static std::optional<AnswerTable> build(AnswerProblem problem);
  static constexpr std::size_t mostStates = 100'000;

  /// Is there an answer that passes all tests?
  bool possible() const { return !layers_.front().best.empty() && layers_.front().best[0].has_value(); }
  /// A best answer by chance: for each element the place of its number. Only if there is one.
  std::vector<std::uint32_t> draw(Random& random) const;
  /// Visits all answers that pass the tests in ascending order of their numbers, the first element slowest,
  /// until the visitor answers yes. Where ranks are given, the best alone.
  bool visit(const std::function<bool(const std::vector<std::uint32_t>&)>& visitor) const;

private:
  using Sums = std::vector<std::int64_t>;
  struct Layer { ///< the sums that the elements before this one can come to
    std::map<Sums, std::uint32_t> index;
    std::vector<Sums> states;
    std::vector<std::optional<std::vector<std::int64_t>>> best; ///< ranks of the best that follows, if any
  };
  bool onBestWay(std::size_t element, std::uint32_t state, std::uint32_t place, std::uint32_t* next) const;
  Sums after(const Sums& sums, const std::vector<std::int64_t>& gives) const;
  std::vector<std::int64_t> rankOf(const std::vector<std::int64_t>& gives) const;

  AnswerProblem problem_;
  std::vector<std::uint16_t> kept_; ///< sums that some test reads
  std::vector<Layer> layers_;       ///< one more than elements
};

} // namespace hellwig
