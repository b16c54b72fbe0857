// SPDX-License-Identifier: Apache-2.0
// Sequences made into one instruction compute what they computed apart.
#include "runtime/fuse.h"
#include "tests/runtime/module_builder.h"

namespace hellwig::test {
namespace {

bool isFused(const Instruction& in, FusedOp op) {
  return in.op == static_cast<Op>(op);
}

TEST(Fuse, PutsOneInstructionOverTheFirstAndKeepsTheOthers) {
  ModuleBuilder b;
  const std::uint16_t g = b.addGlobal("sum", 0);
  auto s = b.body("sequence", BodyKind::procedure, 0, 4, 0);
  s.op(Op::loadImm, 0, 0, 0, 5);
  const auto top = s.op(Op::jumpLtImm, 0, 1);
  s.op(Op::modImm, 1, 0, 0, 3);
  s.op(Op::addImm, 1, 1, 0, 7);
  s.op(Op::getGlobal, 2, 0, 0, g);
  s.op(Op::addImm, 3, 2, 0, 10);
  s.op(Op::setGlobal, 3, 0, 0, g);
  s.op(Op::addImm, 0, 0, 0, -1);
  s.op(Op::jumpBack, 0, 0, 0, top);
  s.land(top);
  s.op(Op::ret);
  const std::vector<Instruction> fused = fuse(b.m, s.body().code);
  ASSERT_EQ(fused.size(), s.body().code.size());
  EXPECT_TRUE(isFused(fused[2], FusedOp::modAdd));
  EXPECT_EQ(fused[3].op, Op::addImm);
  EXPECT_TRUE(isFused(fused[4], FusedOp::addToGlobal));
  EXPECT_EQ(fused[6].op, Op::setGlobal);
  EXPECT_TRUE(isFused(fused[7], FusedOp::countDown));
  b.m.sequenceBody = s.id;
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  EXPECT_EQ(m.step(), Status::ended);
  EXPECT_EQ(m.global(g), 50) << "five rounds";
}

TEST(Fuse, LeavesWhatOnlyLooksAlike) {
  ModuleBuilder b;
  const std::uint16_t g = b.addGlobal("one", 0), h = b.addGlobal("other", 0);
  auto s = b.body("sequence", BodyKind::procedure, 0, 4, 0);
  s.op(Op::modImm, 1, 0, 0, 3);
  s.op(Op::addImm, 1, 2, 0, 7); // of another register
  s.op(Op::getGlobal, 2, 0, 0, g);
  s.op(Op::addImm, 3, 2, 0, 10);
  s.op(Op::setGlobal, 3, 0, 0, h); // to another global
  s.op(Op::jumpEqImm, 0, 0, 0, 7);
  s.op(Op::jumpEqImm, 0, 1, 0, 7); // two are too few
  s.op(Op::ret);
  const std::vector<Instruction>& code = s.body().code;
  const std::vector<Instruction> fused = fuse(b.m, code);
  for (std::size_t i = 0; i < code.size(); ++i) EXPECT_EQ(fused[i].op, code[i].op) << i;
}

TEST(Fuse, AMatchGoesToItsCaseOrOn) {
  ModuleBuilder b;
  auto s = b.body("case", BodyKind::pure, 1, 2, 1);
  // 0: what is -1, 0, 1, 2 gives 10, 11, 12, 13, all else 99; entered at its second test, if not below 0.
  const auto skip = s.op(Op::jumpGeImm, 0, 0);
  std::int32_t tests[4];
  for (int i = 0; i < 4; ++i) {
    if (i == 1) s.land(skip);
    tests[i] = s.op(Op::jumpEqImm, 0, i - 1);
  }
  s.op(Op::loadImm, 0, 0, 0, 99);
  s.op(Op::ret, 0, 0, 0, 0, 1);
  for (int i = 0; i < 4; ++i) {
    s.land(tests[i]);
    s.op(Op::loadImm, 0, 0, 0, 10 + i);
    s.op(Op::ret, 0, 0, 0, 0, 1);
  }
  EXPECT_TRUE(isFused(fuse(b.m, s.body().code)[1], FusedOp::jumpByImm));
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  const std::pair<Word, Word> expected[] = {{-1, 10}, {0, 11},  {1, 12},    {2, 13},
                                            {3, 99},  {-2, 99}, {none, 99}, {INT64_MAX, 99}};
  for (const auto& [given, result] : expected) {
    const auto found = m.evaluate(s.id, {&given, 1});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->front(), result) << given;
  }
}

TEST(Fuse, HexesOfAllCountersOfASideStandInTheImage) {
  ModuleBuilder b;
  auto s = b.body("hexes", BodyKind::pure, 1, 10, 1);
  // The hexes of side r0; with those of all counters besides, they are as many as all.
  s.op(Op::countersOf, 1, 0, 0, 0);
  s.op(Op::hexesOf, 2, 1);
  s.op(Op::counters, 3, 0, 0, 0);
  s.op(Op::hexesOf, 4, 3);
  s.op(Op::setCount, 5, 2, 0, 0, 1);
  s.op(Op::setCount, 6, 4, 0, 0, 1);
  s.op(Op::mulImm, 5, 5, 0, 10);
  s.op(Op::add, 0, 5, 6);
  s.op(Op::ret, 0, 0, 0, 0, 1);
  auto program = b.load();
  ASSERT_TRUE(program);
  const Module& m = program->module();
  EXPECT_TRUE(isFused(fuse(m, s.body().code)[0], FusedOp::hexesOfSide));
  EXPECT_TRUE(isFused(fuse(m, s.body().code)[2], FusedOp::hexesOfAll));
  Machine machine(program);
  machine.start(1);
  // Counters 1 and 3 of the first side share a hex, 2 and 4 of the second stand apart.
  machine.place(0, 7, -1);
  machine.place(2, 7, -1);
  machine.place(1, 3, -1);
  machine.place(3, 5, -1);
  for (const Word side : {0, 1}) {
    const auto found = machine.evaluate(s.id, {&side, 1});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->front(), (side == 0 ? 10 : 20) + 3);
  }
}

TEST(Fuse, AKindThatIsNotEveryKindIsAskedForItsMembers) {
  ModuleBuilder b;
  KindInfo other;
  other.name = "Leader";
  other.plural = "leaders";
  b.m.kinds.push_back(other);
  b.m.kinds[1].members = {0b0110};
  auto s = b.body("hexes", BodyKind::pure, 1, 10, 1);
  s.op(Op::countersOf, 1, 0, 0, 1);
  s.op(Op::hexesOf, 2, 1);
  s.op(Op::setCount, 0, 2, 0, 0, 1);
  s.op(Op::ret, 0, 0, 0, 0, 1);
  auto program = b.load();
  ASSERT_TRUE(program);
  EXPECT_EQ(fuse(program->module(), s.body().code)[0].op, Op::countersOf);
  Machine machine(program);
  machine.start(1);
  for (std::uint16_t u = 0; u < 4; ++u) machine.place(u, u, -1);
  const Word side = 1;
  EXPECT_EQ(machine.evaluate(s.id, {&side, 1})->front(), 1) << "of the side's two one is a leader";
}

TEST(Fuse, FaultsAtTheInstructionThatFaults) {
  ModuleBuilder b;
  const std::uint16_t g = b.addGlobal("sum", INT32_MAX);
  auto s = b.body("sequence", BodyKind::procedure, 0, 4, 0);
  s.op(Op::getGlobal, 2, 0, 0, g);
  s.op(Op::addImm, 3, 2, 0, 1);
  s.op(Op::setGlobal, 3, 0, 0, g);
  s.op(Op::ret);
  b.m.sequenceBody = s.id;
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  EXPECT_EQ(m.step(), Status::faulted);
  EXPECT_EQ(m.fault().code, FaultCode::overflow);
  EXPECT_EQ(m.fault().place.line, 2u) << "the addition stands on the second line";
  EXPECT_EQ(m.global(g), INT32_MAX);
}

// ---- Hexes that hold so many counters

TEST(HexesHolding, CountsWhatStandsOnTheMap) {
  ModuleBuilder b(5, 4, 6);
  auto s = b.body("hexes", BodyKind::pure, 2, 6, 1);
  s.op(Op::countersEver, 2, 0, 0, 0);
  s.op(Op::setRemove, 2, 1, 0, 0, 1); // all counters but r1
  s.op(Op::hexesHolding, 3, 2, 0, 0, 0);
  s.op(Op::hexesHolding, 4, 2, 0, 0, 1);
  s.op(Op::setAndNot, 4, 3, 4, 0, 1); // exactly so many
  s.op(Op::setCount, 0, 3, 0, 0, 1);
  s.op(Op::setCount, 1, 4, 0, 0, 1);
  s.op(Op::mulImm, 0, 0, 0, 100);
  s.op(Op::add, 0, 0, 1);
  s.op(Op::ret, 0, 0, 0, 0, 1);
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine machine(program);
  machine.start(1);
  // Three in hex 4, two in hex 9, one off the map.
  for (std::uint16_t u = 0; u < 3; ++u) machine.place(u, 4, -1);
  for (std::uint16_t u = 3; u < 5; ++u) machine.place(u, 9, -1);
  auto ask = [&](Word least, Word without) {
    const Word arguments[] = {least, without};
    const auto found = machine.evaluate(s.id, arguments);
    return found ? found->front() : Word{-1};
  };
  EXPECT_EQ(ask(1, 5), 200);
  EXPECT_EQ(ask(2, 5), 201) << "hex 9 holds exactly two";
  EXPECT_EQ(ask(3, 5), 101);
  EXPECT_EQ(ask(3, 0), 0) << "without the first there are two in hex 4";
  EXPECT_EQ(ask(4, 5), 0);
  EXPECT_EQ(ask(0, 5), 20 * 100 + 18) << "each of the 20 hexes holds none or more";
  EXPECT_EQ(ask(-3, 5), 2000);
  EXPECT_EQ(ask(INT64_MAX, 5), 0);
  EXPECT_EQ(ask(none, 5), -1);
  b.m.bodies[s.id].code[2].e = 2;
  EXPECT_NE(b.problem(), "");
}

} // namespace
} // namespace hellwig::test
