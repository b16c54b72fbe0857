// SPDX-License-Identifier: Apache-2.0
// The table of whole answers against looking at every answer.
#include "runtime/answer_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hellwig {
namespace {

using Places = std::vector<std::uint32_t>;

std::int64_t sumOf(const AnswerProblem& p, const Places& answer, std::size_t sum) {
  std::int64_t out = 0;
  for (std::size_t e = 0; e < answer.size(); ++e) out += p.gives[e][answer[e]][sum];
  return out;
}
bool passes(const AnswerProblem& p, const Places& answer) {
  return std::all_of(p.tests.begin(), p.tests.end(), [&](const AnswerProblem::Test& test) {
    return holds(test.compare, sumOf(p, answer, test.sum), test.bound);
  });
}
std::vector<std::int64_t> rankOf(const AnswerProblem& p, const Places& answer) {
  std::vector<std::int64_t> rank;
  for (const AnswerProblem::Rank& r : p.ranks)
    rank.push_back(r.byTest ? !holds(r.test.compare, sumOf(p, answer, r.test.sum), r.test.bound)
                            : r.sign * sumOf(p, answer, r.sum));
  return rank;
}

/// All answers in the order of their numbers, then only the best of those that pass.
std::vector<Places> bestOf(const AnswerProblem& p) {
  std::vector<Places> all{{}};
  for (const auto& element : p.gives) {
    std::vector<Places> longer;
    for (const Places& begun : all)
      for (std::uint32_t k = 0; k < element.size(); ++k) {
        longer.push_back(begun);
        longer.back().push_back(k);
      }
    all = std::move(longer);
  }
  std::erase_if(all, [&](const Places& answer) { return !passes(p, answer); });
  if (all.empty()) return all;
  auto best = rankOf(p, all.front());
  for (const Places& answer : all) best = std::min(best, rankOf(p, answer));
  std::erase_if(all, [&](const Places& answer) { return rankOf(p, answer) != best; });
  return all;
}

AnswerProblem problemOf(Random& random) {
  AnswerProblem p;
  const std::uint32_t sums = 1 + random.below(3);
  p.gives.resize(random.below(6));
  for (auto& element : p.gives) {
    element.resize(1 + random.below(3));
    for (auto& number : element)
      for (std::uint32_t s = 0; s < sums; ++s) number.push_back(static_cast<int>(random.below(7)) - 2);
  }
  const auto test = [&] {
    return AnswerProblem::Test{static_cast<std::uint16_t>(random.below(sums)),
                               static_cast<AnswerTest::Compare>(random.below(6)),
                               static_cast<int>(random.below(9)) - 2};
  };
  for (std::uint32_t i = random.below(3); i > 0; --i) p.tests.push_back(test());
  for (std::uint32_t i = random.below(3); i > 0; --i) {
    AnswerProblem::Rank rank;
    rank.byTest = random.below(3) == 0;
    if (rank.byTest) rank.test = test();
    rank.sum = static_cast<std::uint16_t>(random.below(sums));
    rank.sign = random.below(2) == 0 ? 1 : -1;
    p.ranks.push_back(rank);
  }
  return p;
}

TEST(AnswerTable, FindsWhatLookingAtAllAnswersFinds) {
  Random random = Random::fromSeed(7);
  int possible = 0;
  for (int round = 0; round < 3000; ++round) {
    const AnswerProblem problem = problemOf(random);
    const std::vector<Places> wanted = bestOf(problem);
    const auto table = AnswerTable::build(problem);
    ASSERT_TRUE(table);
    ASSERT_EQ(table->possible(), !wanted.empty()) << round;
    std::vector<Places> found;
    table->visit([&](const Places& answer) {
      found.push_back(answer);
      return false;
    });
    ASSERT_EQ(found, wanted) << round;
    if (wanted.empty()) continue;
    ++possible;
    for (int i = 0; i < 3; ++i) {
      const Places drawn = table->draw(random);
      ASSERT_NE(std::find(wanted.begin(), wanted.end(), drawn), wanted.end()) << round;
    }
  }
  EXPECT_GT(possible, 1000);
}

// Sixty elements have 2^60 answers: of the steps of 1 .. 60 the least sum that is at least 1000 is 1000
// itself.
TEST(AnswerTable, DecidesMoreAnswersThanCanBeLookedAt) {
  AnswerProblem problem;
  for (std::int64_t e = 1; e <= 60; ++e) problem.gives.push_back({{0}, {e}});
  problem.tests.push_back({0, AnswerTest::Compare::atLeast, 1000});
  problem.ranks.push_back({false, {}, 0, 1});
  const auto table = AnswerTable::build(problem);
  ASSERT_TRUE(table);
  Random random = Random::fromSeed(1);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sumOf(problem, table->draw(random), 0), 1000);
}

TEST(AnswerTable, TooManySumsAreRefused) {
  AnswerProblem problem;
  for (int e = 0; e < 40; ++e) problem.gives.push_back({{0}, {std::int64_t{1} << e}});
  problem.tests.push_back({0, AnswerTest::Compare::equal, 5});
  EXPECT_FALSE(AnswerTable::build(problem));
}

} // namespace
} // namespace hellwig
