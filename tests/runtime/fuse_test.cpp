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
  const std::vector<Instruction> fused = fuse(s.body().code);
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
  const std::vector<Instruction> fused = fuse(code);
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
  EXPECT_TRUE(isFused(fuse(s.body().code)[1], FusedOp::jumpByImm));
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

} // namespace
} // namespace hellwig::test
