// SPDX-License-Identifier: Apache-2.0
// Many games: the same for any number of threads, in order, and a game that goes wrong stays alone.
#include "runtime/simulate.h"
#include "tests/runtime/gathering.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace hellwig {
namespace {

bool same(const GameOutcome& a, const GameOutcome& b) {
  return a.winner == b.winner && a.faulted == b.faulted && a.text == b.text && a.turns == b.turns &&
         a.decisions == b.decisions && a.stateHash == b.stateHash;
}

TEST(Simulate, ThreadsDoNotMatter) {
  const auto program = gathering::load(gathering::module());
  SimulationSpec spec;
  spec.games = 200;
  spec.seed = 7;
  spec.players = {"random", "greedy"};
  spec.threads = 1;
  const SimulationResult one = simulate(program, spec);
  ASSERT_EQ(one.outcomes.size(), 200u);
  for (const unsigned threads : {0u, 2u, 5u}) {
    spec.threads = threads;
    const SimulationResult many = simulate(program, spec);
    ASSERT_EQ(many.outcomes.size(), one.outcomes.size());
    for (std::size_t k = 0; k < one.outcomes.size(); ++k)
      EXPECT_TRUE(same(one.outcomes[k], many.outcomes[k])) << k;
  }
}

TEST(Simulate, AGameDependsOnSeedAndNumberAlone) {
  const auto program = gathering::load(gathering::module());
  SimulationSpec spec;
  spec.games = 10;
  const SimulationResult few = simulate(program, spec);
  spec.games = 50;
  const SimulationResult more = simulate(program, spec);
  for (std::size_t k = 0; k < few.outcomes.size(); ++k) EXPECT_TRUE(same(few.outcomes[k], more.outcomes[k]));
  spec.seed = 2;
  const SimulationResult other = simulate(program, spec);
  EXPECT_FALSE(same(more.outcomes[0], other.outcomes[0]));
  EXPECT_FALSE(same(more.outcomes[0], more.outcomes[1]));
}

TEST(Simulate, TellsHowGamesEnded) {
  SimulationSpec spec;
  spec.games = 100;
  spec.players = {"random", "greedy"};
  int greedyWins = 0;
  for (const GameOutcome& outcome : simulate(gathering::load(gathering::module()), spec).outcomes) {
    EXPECT_FALSE(outcome.faulted) << outcome.text;
    EXPECT_EQ(outcome.turns, gathering::rounds);
    EXPECT_EQ(outcome.decisions, 2u * gathering::rounds); // a hex and a set each round, none forced
    if (outcome.winner == 1) ++greedyWins;
  }
  // Greedy gathers 7 + 2 a round, random 3.1 + 1 on average.
  EXPECT_EQ(greedyWins, 100);
}

TEST(Simulate, AFaultIsKeptWithItsGame) {
  Module module = gathering::module();
  // A die of 4 or more stops the game instead of adding a point.
  for (std::size_t i = 0; i < module.bodies[0].code.size(); ++i) {
    Instruction& in = module.bodies[0].code[i];
    if (in.op == Op::addImm && in.d == 1) {
      in = Instruction{};
      in.op = Op::fault;
      in.d = static_cast<std::int32_t>(FaultCode::overflow);
      break;
    }
  }
  SimulationSpec spec;
  spec.games = 20;
  spec.threads = 2;
  const SimulationResult result = simulate(gathering::load(std::move(module)), spec);
  ASSERT_EQ(result.outcomes.size(), 20u);
  int faults = 0;
  for (const GameOutcome& outcome : result.outcomes) {
    faults += outcome.faulted ? 1 : 0;
    if (outcome.faulted) {
      EXPECT_FALSE(outcome.text.empty());
    }
  }
  EXPECT_GE(faults, 19); // twelve dice without a 4, 5 or 6 come once in 4096 games
}

TEST(Simulate, CanBeCancelledAndTellsProgress) {
  const auto program = gathering::load(gathering::module());
  SimulationSpec spec;
  spec.games = 5'000'000;
  std::atomic<bool> cancel = false;
  std::uint64_t last = 0;
  const SimulationResult result = simulate(
      program, spec,
      [&](std::uint64_t done) {
        last = done;
        cancel = true;
      },
      &cancel);
  EXPECT_LT(result.outcomes.size(), spec.games);
  EXPECT_GE(last + 64, result.outcomes.size());
}

TEST(Simulate, UnknownPlayersAreRefused) {
  SimulationSpec spec;
  spec.players = {"clever"};
  EXPECT_THROW(simulate(gathering::load(gathering::module()), spec), std::invalid_argument);
}

} // namespace
} // namespace hellwig
