// SPDX-License-Identifier: Apache-2.0
// Instructions, calls, fields, places, dice, victory and the image, on modules assembled by hand.
#include "module_builder.h"

#include <map>

namespace hellwig::test {
namespace {

using Words = std::vector<Word>;

/// Runs a body that takes and hands back words; a fault is reported as an empty list.
Words run(ModuleBuilder& b, std::uint32_t body, Words arguments) {
  auto program = b.load();
  if (!program) return {};
  Machine machine(program);
  machine.start(1);
  return machine.evaluate(body, arguments).value_or(Words{});
}

Words binary(Op op, Word x, Word y) {
  ModuleBuilder b;
  auto f = b.body("f", BodyKind::pure, 2, 3, 1);
  f.op(op, 2, 0, 1);
  f.op(Op::ret, 2, 0, 0, 0, 1);
  return run(b, f.id, {x, y});
}

TEST(Machine, Arithmetic) {
  EXPECT_EQ(binary(Op::add, 2, 3), Words{5});
  EXPECT_EQ(binary(Op::sub, 2, 3), Words{-1});
  EXPECT_EQ(binary(Op::mul, -4, 3), Words{-12});
  EXPECT_EQ(binary(Op::mod, -7, 3), Words{2});
  EXPECT_EQ(binary(Op::mod, 7, -3), Words{-2});
  EXPECT_EQ(binary(Op::smaller, 7, -3), Words{-3});
  EXPECT_EQ(binary(Op::d66Add, 16, 1), Words{21});
  EXPECT_EQ(binary(Op::d66Add, 65, 5), Words{66});
  EXPECT_EQ(binary(Op::d66Add, 12, -5), Words{11});
}

TEST(Machine, ArithmeticFaults) {
  EXPECT_TRUE(binary(Op::add, INT32_MAX, 1).empty());
  EXPECT_TRUE(binary(Op::sub, INT32_MIN, 1).empty());
  EXPECT_TRUE(binary(Op::mul, 65536, 65536).empty());
  EXPECT_TRUE(binary(Op::mod, 1, 0).empty());
  EXPECT_TRUE(binary(Op::add, none, 1).empty());
  EXPECT_TRUE(binary(Op::div, 1, 0).empty());
  EXPECT_TRUE(binary(Op::d66Add, 17, 1).empty());
  EXPECT_TRUE(binary(Op::makeOdds, 0, 0).empty());
  EXPECT_TRUE(binary(Op::fadd, 0, 0).empty()) << "0 has no denominator";
}

TEST(Machine, FractionsAndOdds) {
  EXPECT_EQ(binary(Op::div, 6, 4), Words{packRatio(3, 2)});
  EXPECT_EQ(binary(Op::div, 6, -4), Words{packRatio(-3, 2)});
  EXPECT_EQ(binary(Op::fadd, packRatio(1, 2), packRatio(1, 3)), Words{packRatio(5, 6)});
  EXPECT_EQ(binary(Op::fsub, packRatio(1, 2), packRatio(1, 2)), Words{packRatio(0, 1)});
  EXPECT_EQ(binary(Op::fmul, packRatio(2, 3), packRatio(3, 4)), Words{packRatio(1, 2)});
  EXPECT_EQ(binary(Op::fdiv, packRatio(1, 2), packRatio(1, 4)), Words{packRatio(2, 1)});
  EXPECT_EQ(binary(Op::flt, packRatio(1, 3), packRatio(1, 2)), Words{1});
  EXPECT_EQ(binary(Op::makeOdds, 6, 4), Words{packRatio(3, 2)});
  EXPECT_EQ(binary(Op::makeOdds, 5, 0), Words{packRatio(1, 0)});
  EXPECT_EQ(binary(Op::olt, packRatio(9, 1), packRatio(1, 0)), Words{1}) << "a:0 is above every ratio";
  for (const auto& [value, down, up, near] :
       {std::tuple{packRatio(-3, 2), -2, -1, -1}, std::tuple{packRatio(3, 2), 1, 2, 2},
        std::tuple{packRatio(4, 3), 1, 2, 1}, std::tuple{packRatio(-4, 3), -2, -1, -1}}) {
    const int results[] = {down, up, near};
    for (int mode = 0; mode < 3; ++mode) {
      ModuleBuilder b;
      auto f = b.body("f", BodyKind::pure, 1, 2, 1);
      f.op(Op::round, 1, 0, mode);
      f.op(Op::ret, 1, 0, 0, 0, 1);
      EXPECT_EQ(run(b, f.id, {value}), Words{results[mode]}) << mode;
    }
  }
}

TEST(Machine, CallsAndLoops) {
  // square(x) = x * x; sum(n) = square(1) + .. + square(n). 1 + 4 + 9 + 16 = 30.
  ModuleBuilder b;
  auto square = b.body("square", BodyKind::pure, 1, 2, 1);
  square.op(Op::mul, 1, 0, 0);
  square.op(Op::ret, 1, 0, 0, 0, 1);
  auto sum = b.body("sum", BodyKind::pure, 1, 5, 1);
  sum.op(Op::loadImm, 1, 0, 0, 0);
  sum.op(Op::loadImm, 2, 0, 0, 1);
  const auto loop = sum.here();
  const auto out = sum.op(Op::jumpLt, 0, 2);
  sum.op(Op::move, 3, 2);
  sum.op(Op::call, 3, 0, 0, static_cast<int>(square.id));
  sum.op(Op::add, 1, 1, 3);
  sum.op(Op::addImm, 2, 2, 0, 1);
  sum.op(Op::jumpBack, 0, 0, 0, loop);
  sum.land(out);
  sum.op(Op::ret, 1, 0, 0, 0, 1);
  EXPECT_EQ(run(b, sum.id, {4}), Words{30});
}

TEST(Machine, SetsOfIntsAndLoopsOverThem) {
  ModuleBuilder b;
  auto f = b.body("f", BodyKind::pure, 2, 40, 1);
  f.op(Op::setRange, 4, 0, 1, lowestSetInt, 16);
  f.op(Op::loadImm, 2, 0, 0, 0);
  const auto loop = f.here();
  const auto out = f.op(Op::intNext, 3, 4, 0, 0, 16);
  f.op(Op::add, 2, 2, 3);
  f.op(Op::jumpBack, 0, 0, 0, loop);
  f.land(out);
  f.op(Op::ret, 2, 0, 0, 0, 1);
  EXPECT_EQ(run(b, f.id, {-3, 5}), Words{-3 - 2 - 1 + 1 + 2 + 3 + 4 + 5});
  EXPECT_EQ(run(b, f.id, {5, 3}), Words{0});
  EXPECT_TRUE(run(b, f.id, {0, 512}).empty()) << "512 cannot be in a set";
}

TEST(Machine, ColumnsKeepTheirPlanes) {
  ModuleBuilder b;
  const auto state = b.addColumn("state", Owner::counter, 1, 3, 1);
  auto f = b.body("count", BodyKind::pure, 0, 4, 1);
  f.op(Op::plane, 0, 0, 2, state);
  f.op(Op::setCount, 1, 0, 0, 0, 1);
  f.op(Op::ret, 1, 0, 0, 0, 1);
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine machine(program);
  machine.start(1);
  EXPECT_TRUE(machine.plane(state, 1, 3));
  machine.setColumn(state, 3, 2);
  machine.setColumn(state, 1, 2);
  machine.setColumn(state, 0, none);
  EXPECT_EQ(machine.column(state, 3), 2);
  EXPECT_EQ(machine.column(state, 0), none);
  EXPECT_FALSE(machine.plane(state, 1, 3));
  EXPECT_EQ(machine.evaluate(f.id, {}), Words{2});
  machine.setColumn(state, 2, 200); // does not fit eight bits, so it stays
  EXPECT_EQ(machine.column(state, 2), 1);
}

TEST(Machine, StacksAndBoxes) {
  ModuleBuilder b;
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  const std::vector<std::uint16_t> none_;
  m.place(0, 3, -1);
  m.place(1, 3, -1);
  m.place(2, 3, -1);
  EXPECT_EQ(m.stackAt(3), (std::vector<std::uint16_t>{2, 1, 0}));
  m.place(1, 4, -1);
  EXPECT_EQ(m.stackAt(3), (std::vector<std::uint16_t>{2, 0}));
  m.place(0, 3, -1);
  EXPECT_EQ(m.stackAt(3), (std::vector<std::uint16_t>{0, 2}));
  m.place(2, -1, 1);
  EXPECT_EQ(m.inBox(1), (std::vector<std::uint16_t>{2}));
  EXPECT_EQ(m.hexOf(2), -1);
  EXPECT_EQ(m.boxOf(2), 1);
  m.place(2, -1, -1);
  EXPECT_EQ(m.inBox(1), none_);
  EXPECT_EQ(m.stackAt(3), (std::vector<std::uint16_t>{0}));
}

TEST(Machine, FaultNamesPlaceAndCalls) {
  ModuleBuilder b;
  auto inner = b.body("value ratio", BodyKind::pure, 1, 3, 1);
  inner.op(Op::loadImm, 1, 0, 0, 0);
  inner.op(Op::div, 2, 0, 1);
  inner.op(Op::ret, 2, 0, 0, 0, 1);
  auto outer = b.body("procedure attack", BodyKind::procedure, 0, 4, 0);
  outer.op(Op::loadImm, 0, 0, 0, 7);
  outer.op(Op::call, 0, 0, 0, static_cast<int>(inner.id));
  outer.op(Op::ret);
  b.m.sequenceBody = outer.id;
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  EXPECT_EQ(m.step(), Status::faulted);
  EXPECT_EQ(m.fault().code, FaultCode::divisionByZero);
  EXPECT_EQ(m.fault().message, "division by zero");
  EXPECT_EQ(m.fault().calls,
            (std::vector<std::string>{"value ratio (test.hlw:2)", "procedure attack (test.hlw:2)"}));
}

TEST(Machine, FuelRunsOut) {
  ModuleBuilder b;
  auto f = b.body("forever", BodyKind::procedure, 0, 1, 0);
  f.op(Op::jumpBack, 0, 0, 0, 0);
  b.m.sequenceBody = f.id;
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.setFuel(1000);
  m.start(1);
  EXPECT_EQ(m.step(), Status::faulted);
  EXPECT_EQ(m.fault().code, FaultCode::noFuel);
}

} // namespace
} // namespace hellwig::test
