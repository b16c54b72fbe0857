// SPDX-License-Identifier: Apache-2.0
// Computer players: legal answers, fair draws, and the greedy one takes what counts.
#include "runtime/players.h"
#include "tests/runtime/gathering.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace hellwig {
namespace {

Machine atStart(const std::shared_ptr<const Program>& program) {
  Machine machine(program);
  machine.start(1);
  while (machine.status() == Status::ready) machine.step();
  return machine;
}
Machine atSubset(const std::shared_ptr<const Program>& program) {
  Machine machine = atStart(program);
  EXPECT_TRUE(machine.answer({0, {}}));
  while (machine.status() == Status::ready) machine.step();
  return machine;
}

TEST(Players, AreMadeByName) {
  EXPECT_NE(makePlayer("random", 1), nullptr);
  EXPECT_NE(makePlayer("greedy", 1), nullptr);
  EXPECT_EQ(makePlayer("clever", 1), nullptr);
}

// Nine options, 9000 draws: each should come 1000 times, and the square sum over 1000 has 8 degrees of
// freedom; 26.1 is exceeded once in a thousand. The seed is fixed, so the test does not waver.
TEST(Players, RandomDrawsEachOptionAsOften) {
  Machine machine = atStart(gathering::load(gathering::module()));
  const auto player = randomPlayer(42);
  std::vector<int> count(9);
  for (int i = 0; i < 9000; ++i) ++count[static_cast<std::size_t>(player->choose(machine).option)];
  double chi = 0;
  for (const int c : count) chi += (c - 1000.0) * (c - 1000.0) / 1000.0;
  EXPECT_LT(chi, 26.1);
}

TEST(Players, RandomDrawsLegalSubsetsOfEverySize) {
  Machine machine = atSubset(gathering::load(gathering::module()));
  const auto player = randomPlayer(42);
  std::map<std::size_t, int> sizes;
  std::map<std::vector<std::uint16_t>, int> pairs;
  for (int i = 0; i < 4000; ++i) {
    const Answer answer = player->choose(machine);
    ASSERT_TRUE(machine.isLegal(answer));
    ++sizes[answer.members.size()];
    if (answer.members.size() == 2) ++pairs[answer.members];
  }
  // Sizes 0, 1 and 2 are as likely, size 1 is rejected and drawn again: half and half, within four
  // deviations.
  EXPECT_EQ(sizes.size(), 2u);
  EXPECT_NEAR(sizes[0], 2000, 127);
  EXPECT_EQ(pairs.size(), 28u); // 8 over 2
}

// A test of the answer that draws seldom meet: only all eight together, or none.
TEST(Players, RandomFindsASubsetThatIsHardToDraw) {
  Module module = gathering::module();
  for (Instruction& in : module.bodies[0].code) {
    if (in.op == Op::modImm) in.d = 8;
    if (in.op == Op::loadImm && in.d == 2) in.d = 8;
  }
  // The empty set is not allowed: at least one.
  bool first = true;
  for (std::size_t i = 0; i + 1 < module.bodies[0].code.size(); ++i) {
    Instruction& in = module.bodies[0].code[i];
    if (first && in.op == Op::loadImm && in.d == 0 && module.bodies[0].code[i + 1].op == Op::loadImm &&
        module.bodies[0].code[i + 1].d == 8) {
      in.d = 1;
      first = false;
    }
  }
  ASSERT_FALSE(first);
  Machine machine = atSubset(gathering::load(std::move(module)));
  ASSERT_EQ(machine.status(), Status::decision);
  const auto player = randomPlayer(3);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(player->choose(machine).members.size(), 8u);
}

TEST(Players, GreedyTakesTheMost) {
  Machine machine = atStart(gathering::load(gathering::module()));
  const std::vector<std::uint64_t> before = machine.saveImage();
  const auto player = greedyPlayer(7);
  EXPECT_EQ(player->choose(machine), (Answer{7, {}})); // the hex that is worth 7
  EXPECT_EQ(machine.saveImage(), before);
  Machine subset = atSubset(gathering::load(gathering::module()));
  EXPECT_EQ(player->choose(subset).members.size(), 2u);
}

TEST(Players, GreedyBreaksTiesByChance) {
  Machine machine = atSubset(gathering::load(gathering::module()));
  const auto player = greedyPlayer(7);
  std::map<std::vector<std::uint16_t>, int> pairs;
  for (int i = 0; i < 100; ++i) ++pairs[player->choose(machine).members];
  EXPECT_GT(pairs.size(), 10u);
}

TEST(Players, GreedyWithoutInterestPlaysAtRandom) {
  Machine machine = atStart(gathering::load(gathering::module(false)));
  const auto player = greedyPlayer(7);
  std::map<std::int32_t, int> options;
  for (int i = 0; i < 200; ++i) ++options[player->choose(machine).option];
  EXPECT_EQ(options.size(), 9u);
}

TEST(Players, EqualSeedsPlayAlike) {
  const auto program = gathering::load(gathering::module());
  for (const char* name : {"random", "greedy"}) {
    std::vector<std::uint64_t> hashes;
    for (int run = 0; run < 2; ++run) {
      Machine machine = atStart(program);
      const auto player = makePlayer(name, 99);
      while (machine.status() == Status::decision) {
        ASSERT_TRUE(machine.answer(player->choose(machine)));
        while (machine.status() == Status::ready) machine.step();
      }
      hashes.push_back(machine.hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]) << name;
  }
}

} // namespace
} // namespace hellwig
