// SPDX-License-Identifier: Apache-2.0
// Searches by cost over a large map against the search that asks every edge.
#include "runtime/machine.h"
#include "runtime/random.h"
#include "tests/play/play_fixture.h"

namespace hellwig {
namespace {

TEST(March, ReachByCostIsReachByAskingEveryEdge) {
  auto program = programOf("tests/bench/packages/march", "Country");
  ASSERT_TRUE(program);
  const Module& module = program->module();
  Machine machine(program);
  machine.start(1);
  machine.step();
  Random random = Random::fromSeed(17);
  const auto hexes = static_cast<std::uint32_t>(module.board.n);
  std::size_t found = 0;
  for (int round = 0; round < 12; ++round) {
    // Crowded corners, so that zones, stacks and enemies stand in the way.
    const std::uint32_t within = round % 2 == 0 ? hexes : 160;
    for (std::uint16_t u = 0; u < module.counters.size(); ++u)
      machine.place(u, static_cast<std::int32_t>(random.below(within)), -1);
    for (int ask = 0; ask < 6; ++ask) {
      const Word u = random.below(static_cast<std::uint32_t>(module.counters.size()));
      for (std::uint16_t route = 0; route < module.routes.size(); ++route) {
        const auto fast = machine.reach(route, {&u, 1});
        machine.setPlainSearch(true);
        EXPECT_EQ(fast, machine.reach(route, {&u, 1}))
            << module.routes[route].name << " of counter " << u << " in round " << round;
        machine.setPlainSearch(false);
        for (const std::uint64_t word : fast) found += static_cast<std::size_t>(__builtin_popcountll(word));
      }
    }
  }
  EXPECT_GT(found, 1000U);
}

} // namespace
} // namespace hellwig
