// SPDX-License-Identifier: Apache-2.0
// Groups in the machine: joining one writes what stands above a thing and all below it; hostile modules are refused.
#include "module_builder.h"

namespace hellwig::test {
namespace {

/// Armies 0 and 3, corps 1 (of army 0) and 2 (of none); counters 0 and 1 in corps 1, counter 2 in army 3.
struct Battle {
  ModuleBuilder b;
  std::uint32_t joinCounter[2] = {}, joinGroup = 0, counterField[2] = {}, groupField = 0, below = 0;

  Battle() {
    b.m.groups = {{"A", "", 0, 0}, {"I", "", 0, 1}, {"II", "", 0, 1}, {"B", "", 1, 0}};
    for (std::uint16_t k = 0; k < 2; ++k) {
      const std::uint16_t counters = b.addColumn("above", Owner::counter, 2, 0, none);
      const std::uint16_t groups = b.addColumn("above", Owner::group, 2, 0, none);
      b.m.columns[groups].initial.assign(4, none);
      b.m.groupKinds.push_back({k == 0 ? "Army" : "Corps", "", {k == 0 ? 9U : 6U}, counters, groups});
    }
    b.m.columns[b.m.groupKinds[0].groupColumn].initial[1] = 0;
    for (const std::size_t u : {0U, 1U}) {
      b.m.columns[b.m.groupKinds[0].counterColumn].initial[u] = 0;
      b.m.columns[b.m.groupKinds[1].counterColumn].initial[u] = 1;
    }
    b.m.columns[b.m.groupKinds[0].counterColumn].initial[2] = 3;
    for (std::uint16_t k = 0; k < 2; ++k) {
      joinCounter[k] = joining(k, 0);
      counterField[k] = reading(b.m.groupKinds[k].counterColumn);
    }
    joinGroup = joining(0, 1);
    groupField = reading(b.m.groupKinds[0].groupColumn);
    auto f = b.body("below", BodyKind::pure, 1, 3, 1);
    f.op(Op::countersEver, 1, 0, 0, 0);
    f.op(Op::fieldIs, 1, 1, 0, b.m.groupKinds[1].counterColumn, 1);
    f.op(Op::ret, 1, 0, 0, 0, 1);
    below = f.id;
  }
  std::uint32_t joining(std::int32_t kind, int ofGroups) {
    auto f = b.body("join", BodyKind::procedure, 2, 2, 0);
    f.op(Op::joinGroup, 0, 1, 0, kind, ofGroups);
    f.op(Op::ret);
    return f.id;
  }
  std::uint32_t reading(std::uint16_t column) {
    auto f = b.body("above", BodyKind::pure, 1, 2, 1);
    f.op(Op::get, 1, 0, 0, column);
    f.op(Op::ret, 1, 0, 0, 0, 1);
    return f.id;
  }
};

struct Play {
  Battle battle;
  std::shared_ptr<const Program> program = battle.b.load();
  Machine machine{program};
  Play() { machine.start(1); }

  bool join(std::uint32_t body, Word thing, Word group) {
    const Word arguments[] = {thing, group};
    std::string error;
    return machine.runAside(body, arguments, &error);
  }
  Word ask(std::uint32_t body, Word thing) {
    const auto words = machine.evaluate(body, {&thing, 1});
    return words ? words->front() : -77;
  }
  Word army(Word counter) { return ask(battle.counterField[0], counter); }
  Word corps(Word counter) { return ask(battle.counterField[1], counter); }
};

TEST(Groups, ACounterThatJoinsOneHasWhatStandsAboveIt) {
  Play play;
  EXPECT_EQ(play.army(0), 0);
  EXPECT_EQ(play.corps(0), 1);
  EXPECT_EQ(play.ask(play.battle.below, 1), 3);
  ASSERT_TRUE(play.join(play.battle.joinCounter[1], 0, 2));
  EXPECT_EQ(play.corps(0), 2);
  EXPECT_EQ(play.army(0), none) << "corps 2 is in no army";
  ASSERT_TRUE(play.join(play.battle.joinCounter[0], 1, 3));
  EXPECT_EQ(play.army(1), 3);
  EXPECT_EQ(play.corps(1), none) << "it hangs under the army itself";
  EXPECT_EQ(play.ask(play.battle.below, 1), 0);
}

TEST(Groups, NoneHangsItUnderWhatStandsAbove) {
  Play play;
  ASSERT_TRUE(play.join(play.battle.joinCounter[1], 0, none));
  EXPECT_EQ(play.army(0), 0);
  EXPECT_EQ(play.corps(0), none);
  ASSERT_TRUE(play.join(play.battle.joinCounter[1], 2, none)) << "it has no corps: nothing changes";
  EXPECT_EQ(play.army(2), 3);
  ASSERT_TRUE(play.join(play.battle.joinCounter[0], 1, none));
  EXPECT_EQ(play.corps(1), none);
}

TEST(Groups, WhatHangsBelowAGroupFollowsIt) {
  Play play;
  ASSERT_TRUE(play.join(play.battle.joinGroup, 1, 3));
  EXPECT_EQ(play.ask(play.battle.groupField, 1), 3);
  EXPECT_EQ(play.army(0), 3);
  EXPECT_EQ(play.corps(0), 1);
  ASSERT_TRUE(play.join(play.battle.joinGroup, 1, none));
  EXPECT_EQ(play.army(1), none);
  EXPECT_EQ(play.corps(1), 1);
}

TEST(Groups, WhatCannotHangThereIsAFault) {
  Play play;
  EXPECT_FALSE(play.join(play.battle.joinCounter[0], 0, 1)) << "a corps is no army";
  EXPECT_FALSE(play.join(play.battle.joinCounter[0], 0, 4));
  EXPECT_FALSE(play.join(play.battle.joinCounter[0], 4, 0));
  EXPECT_FALSE(play.join(play.battle.joinCounter[0], none, 0));
  EXPECT_FALSE(play.join(play.battle.joinGroup, 0, 3)) << "an army hangs under no army";
  EXPECT_EQ(play.army(0), 0);
}

TEST(Groups, HostileModulesAreRefused) {
  const auto problem = [](auto breach) {
    Battle battle;
    breach(battle.b.m);
    return battle.b.problem();
  };
  EXPECT_EQ(problem([](Module&) {}), "");
  EXPECT_NE(problem([](Module& m) { m.groups[1].kind = 2; }), "");
  EXPECT_NE(problem([](Module& m) { m.groups[1].side = 2; }), "");
  EXPECT_NE(problem([](Module& m) { m.groupKinds[0].members[0] = 16; }), "");
  EXPECT_NE(problem([](Module& m) { m.groupKinds[0].counterColumn = 99; }), "");
  EXPECT_NE(problem([](Module& m) { m.groupKinds[0].counterColumn = m.groupKinds[0].groupColumn; }), "");
  EXPECT_NE(problem([](Module& m) { m.columns[m.groupKinds[0].groupColumn].initial[0] = 3; }), "");
  EXPECT_NE(problem([](Module& m) { m.columns[m.groupKinds[1].counterColumn].initial[0] = 0; }), "");
  EXPECT_NE(problem([](Module& m) { m.columns[m.groupKinds[0].counterColumn].constant = true; }), "");
  EXPECT_NE(problem([](Module& m) { m.bodies[0].code[0].d = 2; }), "");
  EXPECT_NE(problem([](Module& m) { m.bodies[0].code[0].e = 2; }), "");
  EXPECT_NE(problem([](Module& m) { m.bodies.back().code[1].e = 2; }), "");
  EXPECT_NE(problem([](Module& m) {
              m.records.push_back({"R", {{"inner", {ValueKind::record, 0, false, false}}}});
            }),
            "");
}

} // namespace
} // namespace hellwig::test
