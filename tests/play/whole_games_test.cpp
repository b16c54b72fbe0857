// SPDX-License-Identifier: Apache-2.0
// Random games of the packages of tests/play: what was played is replayed, and taken back byte for byte.
#include "runtime/players.h"
#include "runtime/record.h"
#include "tests/play/play_fixture.h"

namespace hellwig {
namespace {

class WholeGames : public testing::TestWithParam<const char*> {};

TEST_P(WholeGames, AreReplayedAndTakenBack) {
  auto program = programOf(std::string("tests/play/packages/") + GetParam());
  ASSERT_TRUE(program);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Session session(program, seed);
    auto player = randomPlayer(seed);
    std::vector<std::vector<std::uint64_t>> images;
    while (session.machine().status() == Status::decision) {
      Machine& machine = session.machine();
      for (std::uint32_t k = 0; k < machine.pending().optionCount; ++k)
        ASSERT_TRUE(machine.isLegal(machine.optionAt(k)));
      images.push_back(machine.saveImage());
      const std::uint64_t before = machine.hash();
      const Answer answer = player->choose(machine);
      ASSERT_EQ(machine.hash(), before) << "a player changed the state it looked at";
      std::string why;
      ASSERT_TRUE(session.answer(answer, &why)) << "seed " << seed << ": " << why;
      ASSERT_LT(images.size(), 5000U);
    }
    ASSERT_EQ(session.machine().status(), Status::ended)
        << "seed " << seed << ": " << session.machine().fault().message;

    auto read = readRecord(writeRecord(session.record()));
    ASSERT_TRUE(std::holds_alternative<Record>(read)) << std::get<RecordError>(read).message;
    auto replayed = Session::replay(program, std::get<Record>(read));
    ASSERT_TRUE(std::holds_alternative<Session>(replayed)) << std::get<RecordError>(replayed).message;
    ASSERT_EQ(std::get<Session>(replayed).machine().hash(), session.machine().hash());

    while (!images.empty()) {
      ASSERT_TRUE(session.undo());
      ASSERT_EQ(session.machine().saveImage(), images.back())
          << "seed " << seed << ", entry " << images.size();
      images.pop_back();
    }
  }
}

TEST_P(WholeGames, AreFinishedByGreedyPlayers) {
  auto program = programOf(std::string("tests/play/packages/") + GetParam());
  ASSERT_TRUE(program);
  Machine machine(program);
  machine.start(3);
  auto first = greedyPlayer(1), second = greedyPlayer(2);
  while (machine.step() == Status::decision)
    ASSERT_TRUE(machine.answer((machine.pending().owner == 0 ? first : second)->choose(machine)));
  EXPECT_EQ(machine.status(), Status::ended) << machine.fault().message;
}

INSTANTIATE_TEST_SUITE_P(Packages, WholeGames, testing::Values("menus", "losses", "walks"),
                         [](const testing::TestParamInfo<const char*>& parameter) {
                           return std::string(parameter.param);
                         });

} // namespace
} // namespace hellwig
