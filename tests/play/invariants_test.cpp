// SPDX-License-Identifier: Apache-2.0
// Some hundred random games in which every state is held against what must always be true.
#include "runtime/players.h"
#include "runtime/record.h"
#include "tests/play/play_fixture.h"

#include <algorithm>
#include <set>

namespace hellwig {
namespace {

struct Table {
  const char* scenario;
  std::vector<std::string> options;
  int games;
};

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"Historical set-up", {}, 80},
      {"Free set-up", {}, 60},
      {"Historical set-up", {"Road column", "Nimble light infantry"}, 40},
      {"Historical set-up", {"Snow storm"}, 40},
      {"Free set-up",
       {"Cavalry keeps out of towns and woods", "Road column", "Austrian light cavalry",
        "Nimble light infantry", "Snow storm"},
       30},
  };
  return all;
}

/// Every counter is in one place alone, and stacks and boxes agree with the counters.
void expectPlaces(const Machine& machine) {
  const Module& module = machine.program().module();
  std::vector<int> found(module.counters.size(), 0);
  for (int h = 0; h < module.board.n; ++h) {
    std::vector<std::uint16_t> stack = machine.stackAt(static_cast<std::uint16_t>(h));
    EXPECT_LE(stack.size(), 1U) << "one unit in a hex [MO-001]: "
                                << module.board.label[static_cast<std::size_t>(h)];
    for (std::uint16_t counter : stack) {
      ++found[counter];
      EXPECT_EQ(machine.hexOf(counter), h);
      EXPECT_EQ(machine.boxOf(counter), -1);
    }
  }
  for (std::size_t box = 0; box < module.boxes.size(); ++box)
    for (std::uint16_t counter : machine.inBox(static_cast<std::uint16_t>(box))) {
      ++found[counter];
      EXPECT_EQ(machine.boxOf(counter), static_cast<std::int32_t>(box));
      EXPECT_EQ(machine.hexOf(counter), -1);
    }
  for (std::size_t c = 0; c < found.size(); ++c) EXPECT_EQ(found[c], 1) << module.counters[c].name;
}

/// Planes say the same as columns.
void expectPlanes(const Machine& machine) {
  const Module& module = machine.program().module();
  for (std::size_t c = 0; c < module.columns.size(); ++c) {
    const Column& column = module.columns[c];
    if (column.owner != Owner::counter || column.planes == 0 || column.constant) continue;
    for (std::uint32_t u = 0; u < module.counters.size(); ++u)
      for (std::uint16_t v = 0; v < column.planes; ++v)
        EXPECT_EQ(machine.plane(static_cast<std::uint16_t>(c), v, u),
                  machine.column(static_cast<std::uint16_t>(c), u) == v);
  }
}

/// Clauses as sets and floods answer what the clauses say one edge at a time.
void expectSameReach(Machine& machine) {
  const Module& module = machine.program().module();
  for (std::size_t r = 0; r < module.routes.size(); ++r) {
    if (!module.routes[r].hasMover || module.routes[r].parameters != 1) continue;
    for (Word u = 0; u < static_cast<Word>(module.counters.size()); ++u) {
      if (machine.hexOf(static_cast<std::uint16_t>(u)) < 0) continue;
      const auto route = static_cast<std::uint16_t>(r);
      std::vector<std::uint64_t> fast = machine.reach(route, {&u, 1});
      machine.setPlainSearch(true);
      std::vector<std::uint64_t> plain = machine.reach(route, {&u, 1});
      machine.setPlainSearch(false);
      EXPECT_EQ(fast, plain) << module.routes[r].name << " of "
                             << module.counters[static_cast<std::size_t>(u)].name;
    }
  }
}

/// The zone of a side is the union of the zones of its counters, each reckoned anew.
void expectSameZones(Machine& machine) {
  const Module& module = machine.program().module();
  for (std::size_t z = 0; z < module.zones.size(); ++z)
    for (std::uint16_t side = 0; side < 2; ++side) {
      std::vector<std::uint64_t> sum(machine.program().hexWords(), 0);
      for (std::uint16_t u = 0; u < module.counters.size(); ++u) {
        bool member = (module.kinds[module.zones[z].kind].members[u / 64] >> (u % 64)) & 1U;
        if (!member || module.counters[u].side != side || machine.hexOf(u) < 0) continue;
        const Word argument = u;
        auto cover = machine.evaluate(module.zones[z].coverBody, {&argument, 1});
        ASSERT_TRUE(cover);
        for (std::size_t w = 0; w < sum.size(); ++w) sum[w] |= static_cast<std::uint64_t>((*cover)[w]);
      }
      EXPECT_EQ(machine.zoneOfSide(static_cast<std::uint16_t>(z), side), sum);
    }
}

void expectLegalOptions(Machine& machine) {
  const Pending& pending = machine.pending();
  EXPECT_GE(pending.optionCount + pending.elementCount, 1U);
  for (std::uint32_t k = 0; k < pending.optionCount; ++k) EXPECT_TRUE(machine.isLegal(machine.optionAt(k)));
  Answer beyond;
  beyond.option = static_cast<std::int32_t>(pending.elementCount) + 40;
  EXPECT_FALSE(machine.isLegal(beyond));
}

TEST(Invariants, HoldInEveryStateOfRandomGames) {
  std::uint64_t seed = 100;
  for (const Table& table : tables()) {
    auto program = programOf("games/mollwitz", table.scenario, table.options);
    ASSERT_TRUE(program);
    for (int game = 0; game < table.games; ++game, ++seed) {
      Session session(program, seed);
      auto player = randomPlayer(seed);
      std::uint64_t decisions = 0;
      while (session.machine().status() == Status::decision) {
        Machine& machine = session.machine();
        if (decisions % 7 == 0) {
          expectPlaces(machine);
          expectPlanes(machine);
          expectLegalOptions(machine);
        }
        if (decisions % 41 == 0) {
          expectSameReach(machine);
          expectSameZones(machine);
        }
        const std::uint64_t before = machine.hash();
        Answer answer = player->choose(machine);
        EXPECT_EQ(machine.hash(), before) << "a player changed the state it looked at";
        std::string why;
        ASSERT_TRUE(session.answer(answer, &why)) << why;
        ++decisions;
        ASSERT_FALSE(testing::Test::HasFailure())
            << table.scenario << ", seed " << seed << ", decision " << decisions;
      }
      ASSERT_EQ(session.machine().status(), Status::ended) << session.machine().fault().message;

      // The record, written and read again, leads to the same state.
      auto read = readRecord(writeRecord(session.record()));
      ASSERT_TRUE(std::holds_alternative<Record>(read)) << std::get<RecordError>(read).message;
      auto replayed = Session::replay(program, std::get<Record>(read));
      ASSERT_TRUE(std::holds_alternative<Session>(replayed)) << std::get<RecordError>(replayed).message;
      EXPECT_EQ(std::get<Session>(replayed).machine().hash(), session.machine().hash());
    }
  }
}

TEST(Invariants, UndoRestoresTheImageByteForByte) {
  auto program = programOf("games/mollwitz", "Free set-up", {"Snow storm"});
  ASSERT_TRUE(program);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Session session(program, seed);
    auto player = randomPlayer(seed);
    std::vector<std::vector<std::uint64_t>> images;
    while (session.machine().status() == Status::decision && images.size() < 150) {
      images.push_back(session.machine().saveImage());
      ASSERT_TRUE(session.answer(player->choose(session.machine())));
    }
    while (!images.empty()) {
      ASSERT_TRUE(session.undo());
      ASSERT_EQ(session.machine().saveImage(), images.back())
          << "seed " << seed << ", entry " << images.size();
      images.pop_back();
    }
  }
}

TEST(Invariants, GreedyPlayersFinish) {
  auto program = programOf("games/mollwitz", "Historical set-up");
  ASSERT_TRUE(program);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Machine machine(program);
    machine.start(seed);
    auto first = greedyPlayer(seed), second = greedyPlayer(seed + 1);
    while (machine.step() == Status::decision)
      ASSERT_TRUE(machine.answer((machine.pending().owner == 0 ? first : second)->choose(machine)));
    EXPECT_EQ(machine.status(), Status::ended) << machine.fault().message;
  }
}

} // namespace
} // namespace hellwig
