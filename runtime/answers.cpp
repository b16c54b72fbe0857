// SPDX-License-Identifier: Apache-2.0
// Whole answers, subsets and allotments: which are legal, whether there is one, drawing one by chance. What
// rests on sums is decided exactly, whatever else by a bounded number of tries.
#include "runtime/machine_core.h"
#include "runtime/ratio.h"

#include <algorithm>

namespace hellwig {

namespace {

constexpr int mostTries = 10'000, randomTries = 64;
constexpr std::int64_t mostNumbers = 100'000, mostScaled = std::int64_t{1} << 40;

/// An int or fraction as a multiple of 1 / denominator.
std::int64_t scaled(Word figure, bool fraction, std::int64_t denominator) {
  if (figure == none) throw FaultError{FaultCode::missingValue};
  const std::int64_t value = fraction ? numeratorOf(figure) * (denominator / denominatorOf(figure)) : figure;
  if (value > mostScaled || value < -mostScaled) throw FaultError{FaultCode::overflow};
  return value;
}

/// All subsets by size in the standard order: the whole, single elements, then the others, the empty one
/// last. Ends when the visitor answers yes.
template<class Visit>
bool eachSubset(std::int32_t count, std::int32_t least, std::int32_t most, Visit&& visit) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count), 1), places;
  if (count > 0 && count >= least && count <= most && visit(numbers)) return true;
  for (std::int32_t size = std::max(least, 1); size <= std::min(most, count - 1); ++size) {
    places.resize(static_cast<std::size_t>(size));
    for (std::int32_t i = 0; i < size; ++i) places[static_cast<std::size_t>(i)] = i;
    for (;;) {
      std::fill(numbers.begin(), numbers.end(), 0);
      for (const std::int32_t p : places) numbers[static_cast<std::size_t>(p)] = 1;
      if (visit(numbers)) return true;
      std::int32_t i = size - 1;
      while (i >= 0 && places[static_cast<std::size_t>(i)] == count - size + i) --i;
      if (i < 0) break;
      ++places[static_cast<std::size_t>(i)];
      for (std::int32_t k = i + 1; k < size; ++k)
        places[static_cast<std::size_t>(k)] = places[static_cast<std::size_t>(k - 1)] + 1;
    }
  }
  std::fill(numbers.begin(), numbers.end(), 0);
  return least <= 0 && most >= 0 && visit(numbers);
}

Answer answerOf(const Decision& decision, const std::vector<std::int32_t>& numbers) {
  Answer answer;
  if (decision.kind == ChoiceKind::allotment) {
    answer.numbers = numbers;
    return answer;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != 0) answer.members.push_back(static_cast<std::uint16_t>(i));
  return answer;
}

/// Ranks line by line: less than 0 if a is better.
int compareRanks(const std::vector<Word>& a, const std::vector<Word>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (a[i] != b[i]) return fractionLess(a[i], b[i]) ? -1 : 1;
  return 0;
}

} // namespace

WholeAnswers MachineCore::wholeAnswers(const Decision& decision, const Word* r) {
  WholeAnswers whole;
  orderOf(reinterpret_cast<const SetWord*>(r + decision.set), program_.domainWords(decision.domain),
          decision.domain, whole.order);
  const auto count = static_cast<Word>(whole.order.size());
  if (decision.kind == ChoiceKind::subset) {
    whole.low.assign(whole.order.size(), 0);
    whole.high.assign(whole.order.size(), 1);
    whole.least = static_cast<std::int32_t>(std::clamp<Word>(r[decision.least], 0, INT32_MAX));
    whole.most = static_cast<std::int32_t>(std::clamp<Word>(r[decision.most], -1, count));
    return whole;
  }
  for (const std::uint16_t element : whole.order) {
    whole.low.push_back(allotted(r + decision.least, element));
    whole.high.push_back(allotted(r + decision.most, element));
  }
  return whole;
}

void MachineCore::putWhole(const Decision& decision, const WholeAnswers& whole,
                           const std::vector<std::int32_t>& numbers, Word* frame) const {
  Word* const to = frame + decision.chosenSet;
  if (decision.kind == ChoiceKind::subset) {
    SetWord* const set = reinterpret_cast<SetWord*>(to);
    clearSet(set, static_cast<int>(program_.domainWords(decision.domain)));
    for (std::size_t i = 0; i < whole.order.size(); ++i)
      if (numbers[i] != 0) setBit(set, whole.order[i]);
    return;
  }
  std::fill(to, to + allotmentWords(module_.domains[decision.domain].size),
            packRatio(notAllotted, notAllotted));
  for (std::size_t i = 0; i < whole.order.size(); ++i) setAllotted(to, whole.order[i], numbers[i]);
}

bool MachineCore::provided(const Decision& decision, const WholeAnswers& whole,
                           const std::vector<std::int32_t>& numbers) {
  if (decision.provided == noFragment) return true;
  bool verdict = false;
  runFragment(
      decision.provided, [&](Word* copy) { putWhole(decision, whole, numbers, copy); },
      [&](const Word* copy) { verdict = copy[decision.verdict] != 0; });
  return verdict;
}

std::vector<Word> MachineCore::ranksOf(const Decision& decision, const WholeAnswers& whole,
                                       const std::vector<std::int32_t>& numbers) {
  std::vector<Word> ranks;
  for (const AnswerPrefer& prefer : decision.prefers) {
    Word rank = none;
    runFragment(
        prefer.rank, [&](Word* copy) { putWhole(decision, whole, numbers, copy); },
        [&](const Word* copy) { rank = copy[prefer.figure]; });
    checkFraction(rank);
    ranks.push_back(reduceFraction(numeratorOf(rank), denominatorOf(rank)));
  }
  return ranks;
}

AnswerTable MachineCore::answerTable(const Decision& decision, const Word* r, const WholeAnswers& whole,
                                     bool ranked) {
  const std::size_t elements = whole.order.size(), sums = decision.sums.size();
  std::int64_t all = 0;
  for (std::size_t e = 0; e < elements; ++e) all += std::int64_t{whole.high[e]} - whole.low[e] + 1;
  if (all > mostNumbers) raise(FaultCode::tooManyNodes);

  // Figures first, as words; then as whole numbers of the least common part.
  std::vector<std::vector<std::vector<Word>>> figures(elements);
  const bool subset = decision.kind == ChoiceKind::subset;
  for (std::size_t e = 0; e < elements; ++e)
    for (std::int64_t number = whole.low[e]; number <= whole.high[e]; ++number) {
      figures[e].emplace_back(sums, 0);
      for (std::size_t s = 0; s < sums; ++s) {
        const AnswerSum& sum = decision.sums[s];
        if (subset && number == 0) {
          figures[e].back()[s] = sum.fraction ? packRatio(0, 1) : 0;
          continue;
        }
        runFragment(
            sum.gives,
            [&](Word* copy) {
              copy[sum.element] = Word{whole.order[e]} + (decision.domain == domainInts ? lowestSetInt : 0);
              if (subset) return;
              Word* const block = copy + decision.chosenSet;
              std::fill(block, block + allotmentWords(module_.domains[decision.domain].size),
                        packRatio(notAllotted, notAllotted));
              setAllotted(block, whole.order[e], static_cast<std::int32_t>(number));
            },
            [&](const Word* copy) { figures[e].back()[s] = copy[sum.figure]; });
      }
    }
  std::vector<std::int64_t> denominators(sums, 1);
  const auto widen = [&](std::size_t s, Word figure) {
    if (!decision.sums[s].fraction) return;
    checkFraction(figure);
    denominators[s] = std::lcm(denominators[s], std::int64_t{denominatorOf(figure)});
    if (denominators[s] > INT32_MAX) raise(FaultCode::overflow);
  };
  for (std::size_t s = 0; s < sums; ++s) {
    for (const auto& element : figures)
      for (const std::vector<Word>& gives : element) widen(s, gives[s]);
    for (const AnswerTest& test : decision.tests)
      if (test.sum == s) widen(s, r[test.bound]);
  }

  AnswerProblem problem;
  problem.gives.resize(elements);
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t k = 0; k < figures[e].size(); ++k) {
      std::vector<std::int64_t> gives;
      for (std::size_t s = 0; s < sums; ++s)
        gives.push_back(scaled(figures[e][k][s], decision.sums[s].fraction, denominators[s]));
      if (subset) gives.push_back(static_cast<std::int64_t>(k)); // how many are chosen
      problem.gives[e].push_back(std::move(gives));
    }
  const auto testOf = [&](const AnswerTest& test) {
    return AnswerProblem::Test{
        test.sum, test.compare,
        scaled(r[test.bound], decision.sums[test.sum].fraction, denominators[test.sum])};
  };
  for (std::size_t t = 0; t < decision.providedTests; ++t) problem.tests.push_back(testOf(decision.tests[t]));
  if (subset) {
    const auto size = static_cast<std::uint16_t>(sums);
    if (whole.least > 0) problem.tests.push_back({size, AnswerTest::Compare::atLeast, whole.least});
    if (whole.most < static_cast<std::int32_t>(elements))
      problem.tests.push_back({size, AnswerTest::Compare::atMost, whole.most});
  }
  for (const AnswerPrefer& prefer : decision.prefers) {
    if (!ranked) break;
    AnswerProblem::Rank rank;
    rank.byTest = prefer.by == AnswerPrefer::By::test;
    if (rank.byTest)
      rank.test = testOf(decision.tests[prefer.sum]);
    else
      rank.sum = prefer.sum;
    rank.sign = prefer.by == AnswerPrefer::By::greatest ? -1 : 1;
    problem.ranks.push_back(rank);
  }
  std::optional<AnswerTable> table = AnswerTable::build(std::move(problem));
  if (!table) raise(FaultCode::tooManyNodes);
  return std::move(*table);
}

bool MachineCore::anyWhole(const Decision& decision, Word* r, const WholeAnswers& whole,
                           std::vector<std::int32_t>* witness) {
  const bool subset = decision.kind == ChoiceKind::subset;
  if (subset && whole.least > whole.most) return false;
  for (std::size_t i = 0; i < whole.low.size(); ++i)
    if (whole.low[i] > whole.high[i] || whole.low[i] == notAllotted) return false;
  if (decision.provided == noFragment && decision.prefers.empty()) {
    if (witness == nullptr) return true;
    *witness = whole.low;
    for (std::int32_t i = 0; subset && i < whole.least; ++i) (*witness)[static_cast<std::size_t>(i)] = 1;
    return true;
  }
  std::vector<std::int32_t> found;
  std::vector<Word> best;
  int tries = 0;
  const auto take = [&](const std::vector<std::int32_t>& numbers) {
    if (++tries > mostTries) return true;
    if (!provided(decision, whole, numbers)) return false;
    std::vector<Word> ranks = ranksOf(decision, whole, numbers);
    if (best.empty() || compareRanks(ranks, best) < 0) {
      found = numbers;
      best = std::move(ranks);
    }
    return decision.prefers.empty() || decision.exact;
  };
  // An answer of no elements at all has no numbers: that one was found is told apart from it.
  bool any = false;
  const auto visit = [&](const std::vector<std::int32_t>& numbers) {
    const bool end = take(numbers);
    any = any || !best.empty() || (end && tries <= mostTries);
    return end;
  };
  if (subset && !decision.exact) {
    eachSubset(static_cast<std::int32_t>(whole.order.size()), whole.least, whole.most, visit);
  } else {
    answerTable(decision, r, whole, decision.exact).visit([&](const std::vector<std::uint32_t>& places) {
      std::vector<std::int32_t> numbers = whole.low;
      for (std::size_t i = 0; i < places.size(); ++i) numbers[i] += static_cast<std::int32_t>(places[i]);
      return visit(numbers);
    });
  }
  if (!any) return false;
  for (std::size_t i = 0; i < best.size(); ++i) r[decision.prefers[i].best] = best[i];
  if (witness != nullptr) *witness = std::move(found);
  return true;
}

bool MachineCore::isLegalWhole(const Decision& decision, const Answer& answer, std::string* why) {
  auto refuse = [why](const std::string& text) {
    if (why != nullptr) *why = text;
    return false;
  };
  const Word* r = decisionFrame();
  const WholeAnswers whole = wholeAnswers(decision, r);
  std::vector<std::int32_t> numbers = answer.numbers;
  if (decision.kind == ChoiceKind::subset) {
    if (!answer.numbers.empty()) return refuse("a set of elements is asked for");
    const auto size = static_cast<std::int32_t>(answer.members.size());
    if (size < whole.least) return refuse("too few are chosen");
    if (size > whole.most) return refuse("too many are chosen");
    numbers.assign(whole.order.size(), 0);
    for (std::size_t i = 0; i < answer.members.size(); ++i) {
      if (answer.members[i] >= numbers.size()) return refuse("there is no such element");
      if (i != 0 && answer.members[i] <= answer.members[i - 1])
        return refuse("the elements are not in order");
      numbers[answer.members[i]] = 1;
    }
  } else {
    if (!answer.members.empty() || numbers.size() != whole.order.size())
      return refuse("a number for each element is asked for");
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] < whole.low[i] || numbers[i] > whole.high[i])
        return refuse(std::to_string(numbers[i]) + " is outside " + std::to_string(whole.low[i]) + " .. " +
                      std::to_string(whole.high[i]));
  }
  bool legal = false, best = true;
  quietly([&] {
    legal = provided(decision, whole, numbers);
    if (!legal || decision.prefers.empty()) return;
    std::vector<Word> wanted;
    for (const AnswerPrefer& prefer : decision.prefers) wanted.push_back(r[prefer.best]);
    best = compareRanks(ranksOf(decision, whole, numbers), wanted) <= 0;
  });
  if (!legal)
    return refuse(decision.kind == ChoiceKind::subset ? "these cannot be chosen together"
                                                      : "these numbers do not fit together");
  return best ? true : refuse("another answer comes before this one");
}

std::optional<Answer> MachineCore::drawWhole(const Decision& decision, Random& random) {
  Word* r = decisionFrame();
  const WholeAnswers whole = wholeAnswers(decision, r);
  for (std::size_t i = 0; i < whole.low.size(); ++i)
    if (whole.low[i] > whole.high[i]) return std::nullopt;
  const bool allotment = decision.kind == ChoiceKind::allotment;
  if (decision.exact && (!decision.tests.empty() || !decision.prefers.empty())) {
    const AnswerTable table = answerTable(decision, r, whole, true);
    if (!table.possible()) return std::nullopt;
    std::vector<std::int32_t> numbers = whole.low;
    const std::vector<std::uint32_t> places = table.draw(random);
    for (std::size_t i = 0; i < places.size(); ++i) numbers[i] += static_cast<std::int32_t>(places[i]);
    return answerOf(decision, numbers);
  }
  for (int i = 0; i < randomTries; ++i) {
    std::vector<std::int32_t> numbers = whole.low;
    for (std::size_t e = 0; e < numbers.size(); ++e)
      numbers[e] += static_cast<std::int32_t>(
          random.below(static_cast<std::uint32_t>(std::min<std::int64_t>(
                           std::int64_t{whole.high[e]} - whole.low[e], INT32_MAX - 1)) +
                       1));
    const Answer answer = answerOf(decision, numbers);
    if (isLegalWhole(decision, answer, nullptr)) return answer;
    if (allotment && decision.provided == noFragment && decision.prefers.empty()) return answer;
  }
  std::vector<std::int32_t> witness;
  if (!anyWhole(decision, r, whole, &witness)) return std::nullopt;
  return answerOf(decision, witness);
}

} // namespace hellwig
