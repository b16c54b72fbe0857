// SPDX-License-Identifier: Apache-2.0
// The random and the greedy player.
#include "runtime/players.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hellwig {
namespace {

constexpr int randomTries = 64;       // draws of a subset before a legal one is searched
constexpr int searchTries = 10'000;   // as many as the machine itself makes (language reference, decisions)
constexpr std::size_t maxLooks = 200; // answers that the greedy player tries
constexpr int drawnLooks = 24;        // of these, whole answers that the machine draws
constexpr int diceSamples = 3;        // copies of a game that are averaged where dice decide

/// The numbers of the elements, as an answer counts them.
std::vector<std::uint16_t> elementsOf(const Pending& pending) {
  std::vector<std::uint16_t> numbers(pending.elementCount);
  std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
  return numbers;
}

/// The sizes that a subset may have; none if low > high.
struct Sizes {
  std::int32_t low, high;
  std::uint32_t count() const { return low > high ? 0 : static_cast<std::uint32_t>(high - low + 1); }
};
Sizes sizesOf(const Pending& pending) {
  return {std::max(pending.least, 0),
          std::min(pending.most, static_cast<std::int32_t>(pending.elementCount))};
}

bool hasProvided(const Machine& machine) {
  return machine.program().module().decisions[machine.pending().decision].provided != noFragment;
}

/// Whole answers that the machine draws itself: allotments, and subsets that are ranked or rest on sums.
bool isDrawn(const Machine& machine) {
  const Decision& decision = machine.program().module().decisions[machine.pending().decision];
  return decision.kind == ChoiceKind::allotment ||
         (decision.kind == ChoiceKind::subset && (!decision.prefers.empty() || !decision.tests.empty()));
}

/// `size` of the elements, each set of that size as likely as any other, in ascending order.
Answer drawSubset(const std::vector<std::uint16_t>& elements, std::int32_t size, Random& random) {
  Answer answer;
  auto wanted = static_cast<std::uint32_t>(size);
  auto left = static_cast<std::uint32_t>(elements.size());
  for (const std::uint16_t element : elements) {
    if (wanted == 0) break;
    if (random.below(left--) < wanted) {
      answer.members.push_back(element);
      --wanted;
    }
  }
  return answer;
}

/// Calls `take` with the subsets of one size in the standard order until it returns true.
template<class Take>
bool eachSubset(const std::vector<std::uint16_t>& elements, std::int32_t size, const Take& take) {
  const auto n = static_cast<std::int32_t>(elements.size());
  std::vector<std::int32_t> place(static_cast<std::size_t>(size));
  for (std::int32_t i = 0; i < size; ++i) place[static_cast<std::size_t>(i)] = i;
  Answer answer;
  for (;;) {
    answer.members.clear();
    for (const std::int32_t p : place) answer.members.push_back(elements[static_cast<std::size_t>(p)]);
    if (take(answer)) return true;
    std::int32_t i = size - 1;
    while (i >= 0 && place[static_cast<std::size_t>(i)] == n - size + i) --i;
    if (i < 0) return false;
    ++place[static_cast<std::size_t>(i)];
    for (std::int32_t k = i + 1; k < size; ++k)
      place[static_cast<std::size_t>(k)] = place[static_cast<std::size_t>(k - 1)] + 1;
  }
}

/// A legal subset, found in the order in which the machine decides whether there is one: all elements, single
/// ones, then by size. An empty optional if the tries found none.
std::optional<Answer> findSubset(Machine& machine, const std::vector<std::uint16_t>& elements, Sizes sizes) {
  std::optional<Answer> found;
  int tries = searchTries;
  const auto take = [&](const Answer& answer) {
    if (machine.isLegal(answer)) found = answer;
    return found.has_value() || --tries <= 0;
  };
  if (sizes.high == static_cast<std::int32_t>(elements.size()) && take(Answer{-1, elements})) return found;
  if (sizes.low <= 1 && sizes.high >= 1 && eachSubset(elements, 1, take)) return found;
  for (std::int32_t size = sizes.low; size <= sizes.high; ++size)
    if (size != 1 && eachSubset(elements, size, take)) return found;
  return found;
}

Answer drawAnswer(Machine& machine, Random& random) {
  const Pending& pending = machine.pending();
  if (isDrawn(machine)) {
    const std::uint32_t way = random.below(pending.optionCount + 1);
    if (way < pending.optionCount) return machine.optionAt(way);
    if (std::optional<Answer> answer = machine.drawWhole(random)) return *answer;
    return pending.optionCount > 0 ? machine.optionAt(random.below(pending.optionCount)) : Answer{};
  }
  if (pending.kind != ChoiceKind::subset) return machine.optionAt(random.below(pending.optionCount));

  const Sizes sizes = sizesOf(pending);
  const std::uint32_t ways = pending.optionCount + sizes.count();
  const bool test = hasProvided(machine);
  const std::vector<std::uint16_t> elements = elementsOf(pending);
  for (int i = 0; i < randomTries && ways > 0; ++i) {
    const std::uint32_t way = random.below(ways);
    if (way < pending.optionCount) return machine.optionAt(way);
    Answer answer =
        drawSubset(elements, sizes.low + static_cast<std::int32_t>(way - pending.optionCount), random);
    if (!test || machine.isLegal(answer)) return answer;
  }
  if (std::optional<Answer> answer = findSubset(machine, elements, sizes)) return *answer;
  return pending.optionCount > 0 ? machine.optionAt(random.below(pending.optionCount)) : Answer{};
}

class RandomPlayer final : public Player {
public:
  explicit RandomPlayer(std::uint64_t seed) : random_(Random::fromSeed(seed)) {}
  Answer choose(Machine& machine) override { return drawAnswer(machine, random_); }

private:
  Random random_;
};

class GreedyPlayer final : public Player {
public:
  explicit GreedyPlayer(std::uint64_t seed) : random_(Random::fromSeed(seed)) {}

  Answer choose(Machine& machine) override {
    if (machine.program().module().interestBody == noBody) return drawAnswer(machine, random_);
    const std::uint16_t owner = machine.pending().owner;
    const std::vector<Answer> answers = candidates(machine);
    if (answers.size() == 1) return answers.front();

    // All answers are looked at in the same guess of what is hidden.
    Machine guess = machine;
    guess.sampleHidden(owner, random_);
    Machine copy = guess;
    double best = -std::numeric_limits<double>::infinity();
    std::uint32_t ties = 0;
    std::optional<Answer> chosen;
    for (const Answer& answer : answers) {
      const std::optional<double> worth = look(guess, copy, answer, owner);
      if (!worth || *worth < best) continue;
      ties = *worth > best ? 1 : ties + 1;
      best = *worth;
      if (random_.below(ties) == 0) chosen = answer;
    }
    return chosen ? *chosen : drawAnswer(machine, random_);
  }

private:
  /// All answers if they are few, else a sample without repetition.
  std::vector<Answer> candidates(Machine& machine) {
    const Pending& pending = machine.pending();
    std::vector<Answer> answers;
    for (std::uint32_t k = 0; k < pending.optionCount; ++k) answers.push_back(machine.optionAt(k));
    if (isDrawn(machine))
      addDrawn(machine, answers);
    else if (pending.kind == ChoiceKind::subset)
      addSubsets(machine, answers);
    for (std::size_t i = 0; i < maxLooks && answers.size() > maxLooks; ++i)
      std::swap(answers[i], answers[i + random_.below(static_cast<std::uint32_t>(answers.size() - i))]);
    if (answers.size() > maxLooks) answers.resize(maxLooks);
    if (answers.empty()) answers.push_back(drawAnswer(machine, random_));
    return answers;
  }

  void addDrawn(Machine& machine, std::vector<Answer>& answers) {
    for (int i = 0; i < drawnLooks; ++i) {
      const std::optional<Answer> answer = machine.drawWhole(random_);
      if (!answer) return;
      if (std::find(answers.begin(), answers.end(), *answer) == answers.end()) answers.push_back(*answer);
    }
  }

  void addSubsets(Machine& machine, std::vector<Answer>& answers) {
    const std::vector<std::uint16_t> elements = elementsOf(machine.pending());
    const Sizes sizes = sizesOf(machine.pending());
    const bool test = hasProvided(machine);
    const std::size_t room = answers.size() + maxLooks;
    int tries = searchTries;
    const auto take = [&](const Answer& answer) {
      if (!test || machine.isLegal(answer)) answers.push_back(answer);
      return answers.size() >= room || --tries <= 0;
    };
    // With up to 7 elements this is all there is; with more, the small sets, the whole, and some by chance.
    if (elements.size() <= 7) {
      for (std::int32_t size = sizes.low; size <= sizes.high; ++size)
        if (eachSubset(elements, size, take)) return;
      return;
    }
    if (sizes.low <= 0 && sizes.high >= 0 && take(Answer{})) return;
    if (sizes.high == static_cast<std::int32_t>(elements.size()) && take(Answer{-1, elements})) return;
    if (sizes.low <= 1 && sizes.high >= 1 && eachSubset(elements, 1, take)) return;
    if (sizes.count() == 0) return;
    for (int i = 0; i < static_cast<int>(maxLooks); ++i) {
      const std::int32_t size = sizes.low + static_cast<std::int32_t>(random_.below(sizes.count()));
      Answer answer = drawSubset(elements, size, random_);
      if (std::find(answers.begin(), answers.end(), answer) == answers.end() && take(answer)) return;
    }
  }

  /// What the position after the answer is worth to its owner: the interest, or more than any interest if the
  /// game is won. Where dice were rolled on the way, the mean of several throws. Empty if the answer does not
  /// exist in the guessed position or the game faults.
  std::optional<double> look(const Machine& guess, Machine& copy, const Answer& answer, std::uint16_t owner) {
    double sum = 0;
    for (int sample = 0; sample < diceSamples; ++sample) {
      copy = guess;
      copy.reseed(random_.next());
      if (!copy.answer(answer)) return std::nullopt;
      while (copy.status() == Status::ready) copy.step();
      if (copy.status() == Status::faulted) return std::nullopt;
      double worth = 0;
      if (copy.status() == Status::ended && copy.result().winner >= 0)
        worth = copy.result().winner == owner ? wonGame : -wonGame;
      else
        worth = copy.interest(owner).value_or(0);
      if (copy.rollCount() == guess.rollCount()) return worth;
      sum += worth;
    }
    return sum / diceSamples;
  }

  static constexpr double wonGame = 1e12;
  Random random_;
};

} // namespace

std::unique_ptr<Player> randomPlayer(std::uint64_t seed) {
  return std::make_unique<RandomPlayer>(seed);
}
std::unique_ptr<Player> greedyPlayer(std::uint64_t seed) {
  return std::make_unique<GreedyPlayer>(seed);
}
std::unique_ptr<Player> makePlayer(std::string_view name, std::uint64_t seed) {
  if (name == "random") return randomPlayer(seed);
  if (name == "greedy") return greedyPlayer(seed);
  return nullptr;
}

} // namespace hellwig
