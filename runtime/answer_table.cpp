// SPDX-License-Identifier: Apache-2.0
// The table of whole answers: sums forward, best ranks backward.
#include "runtime/answer_table.h"

#include <algorithm>

namespace hellwig {

bool holds(AnswerTest::Compare compare, std::int64_t figure, std::int64_t bound) {
  switch (compare) {
  case AnswerTest::Compare::below: return figure < bound;
  case AnswerTest::Compare::atMost: return figure <= bound;
  case AnswerTest::Compare::above: return figure > bound;
  case AnswerTest::Compare::atLeast: return figure >= bound;
  case AnswerTest::Compare::equal: return figure == bound;
  case AnswerTest::Compare::unequal: return figure != bound;
  }
  return false;
}

AnswerTable::Sums AnswerTable::after(const Sums& sums, const std::vector<std::int64_t>& gives) const {
  Sums out = sums;
  for (std::size_t i = 0; i < kept_.size(); ++i) out[i] += gives[kept_[i]];
  return out;
}

std::vector<std::int64_t> AnswerTable::rankOf(const std::vector<std::int64_t>& gives) const {
  std::vector<std::int64_t> out;
  for (const AnswerProblem::Rank& rank : problem_.ranks)
    out.push_back(rank.byTest ? 0 : rank.sign * gives[rank.sum]);
  return out;
}

std::optional<AnswerTable> AnswerTable::build(AnswerProblem problem) {
  AnswerTable table;
  table.problem_ = std::move(problem);
  const AnswerProblem& p = table.problem_;
  const auto keep = [&table](std::uint16_t sum) {
    if (std::find(table.kept_.begin(), table.kept_.end(), sum) == table.kept_.end())
      table.kept_.push_back(sum);
  };
  for (const AnswerProblem::Test& test : p.tests) keep(test.sum);
  for (const AnswerProblem::Rank& rank : p.ranks)
    if (rank.byTest) keep(rank.test.sum);

  std::size_t states = 1;
  table.layers_.resize(p.gives.size() + 1);
  table.layers_[0].index.emplace(Sums(table.kept_.size(), 0), 0);
  table.layers_[0].states.emplace_back(table.kept_.size(), 0);
  for (std::size_t e = 0; e < p.gives.size(); ++e) {
    Layer& to = table.layers_[e + 1];
    for (const Sums& from : table.layers_[e].states)
      for (const std::vector<std::int64_t>& gives : p.gives[e]) {
        Sums sums = table.after(from, gives);
        if (!to.index.try_emplace(sums, static_cast<std::uint32_t>(to.states.size())).second) continue;
        to.states.push_back(std::move(sums));
        if (++states > mostStates) return std::nullopt;
      }
  }

  const auto passes = [&table](const AnswerProblem::Test& test, const Sums& sums) {
    const auto place = std::find(table.kept_.begin(), table.kept_.end(), test.sum) - table.kept_.begin();
    return holds(test.compare, sums[static_cast<std::size_t>(place)], test.bound);
  };
  Layer& last = table.layers_.back();
  for (const Sums& sums : last.states) {
    const bool all = std::all_of(p.tests.begin(), p.tests.end(),
                                 [&](const AnswerProblem::Test& test) { return passes(test, sums); });
    last.best.emplace_back();
    if (!all) continue;
    std::vector<std::int64_t> rank;
    for (const AnswerProblem::Rank& r : p.ranks) rank.push_back(r.byTest && !passes(r.test, sums) ? 1 : 0);
    last.best.back() = std::move(rank);
  }
  for (std::size_t e = p.gives.size(); e-- > 0;) {
    Layer& layer = table.layers_[e];
    layer.best.resize(layer.states.size());
    for (std::size_t s = 0; s < layer.states.size(); ++s)
      for (const std::vector<std::int64_t>& gives : p.gives[e]) {
        const Layer& next = table.layers_[e + 1];
        const auto& follows = next.best[next.index.at(table.after(layer.states[s], gives))];
        if (!follows) continue;
        std::vector<std::int64_t> rank = table.rankOf(gives);
        for (std::size_t i = 0; i < rank.size(); ++i) rank[i] += (*follows)[i];
        if (!layer.best[s] || rank < *layer.best[s]) layer.best[s] = std::move(rank);
      }
  }
  return table;
}

/// May the element take this number on the way to a best answer? `next` gets the state that it leads to.
bool AnswerTable::onBestWay(std::size_t element, std::uint32_t state, std::uint32_t place,
                            std::uint32_t* next) const {
  const Layer &from = layers_[element], &to = layers_[element + 1];
  const std::vector<std::int64_t>& gives = problem_.gives[element][place];
  *next = to.index.at(after(from.states[state], gives));
  if (!to.best[*next]) return false;
  std::vector<std::int64_t> rank = rankOf(gives);
  for (std::size_t i = 0; i < rank.size(); ++i) rank[i] += (*to.best[*next])[i];
  return rank == *from.best[state];
}

std::vector<std::uint32_t> AnswerTable::draw(Random& random) const {
  std::vector<std::uint32_t> answer;
  std::uint32_t state = 0;
  for (std::size_t e = 0; e < problem_.gives.size(); ++e) {
    std::uint32_t seen = 0, chosen = 0, to = 0;
    for (std::uint32_t place = 0; place < problem_.gives[e].size(); ++place) {
      std::uint32_t next = 0;
      if (!onBestWay(e, state, place, &next)) continue;
      if (random.below(++seen) != 0) continue;
      chosen = place;
      to = next;
    }
    answer.push_back(chosen);
    state = to;
  }
  return answer;
}

bool AnswerTable::visit(const std::function<bool(const std::vector<std::uint32_t>&)>& visitor) const {
  if (!possible()) return false;
  std::vector<std::uint32_t> answer;
  std::vector<std::uint32_t> states{0};
  std::uint32_t place = 0;
  for (;;) {
    const std::size_t e = answer.size();
    if (e == problem_.gives.size()) {
      if (visitor(answer)) return true;
    } else {
      std::uint32_t next = 0;
      while (place < problem_.gives[e].size() && !onBestWay(e, states.back(), place, &next)) ++place;
      if (place < problem_.gives[e].size()) {
        answer.push_back(place);
        states.push_back(next);
        place = 0;
        continue;
      }
    }
    if (answer.empty()) return false;
    place = answer.back() + 1;
    answer.pop_back();
    states.pop_back();
  }
}

} // namespace hellwig
