// SPDX-License-Identifier: Apache-2.0
// A small game put together by hand, so that players, records and simulations are tested without a compiler.
//
// Each of twelve rounds belongs to one side, in turn. Its owner first picks one of eight hexes or passes: hex
// number k (from 0) is worth k points. Then it picks an even number of hexes, at most two, each worth a
// point. Then a die is rolled: 4 or more is worth another point. The side with more points wins.
#pragma once

#include "runtime/program.h"

#include <gtest/gtest.h>

namespace hellwig::gathering {

inline constexpr int rounds = 12;
inline constexpr std::uint16_t scoreColumn = 0;

class Code {
public:
  std::int32_t here() const { return static_cast<std::int32_t>(body_.code.size()); }
  std::int32_t put(Op op, int a = 0, int b = 0, int c = 0, std::int32_t d = 0, int e = 0) {
    Instruction in;
    in.op = op;
    in.a = static_cast<std::uint16_t>(a);
    in.b = static_cast<std::uint16_t>(b);
    in.c = static_cast<std::uint16_t>(c);
    in.d = d;
    in.e = static_cast<std::uint16_t>(e);
    body_.code.push_back(in);
    body_.lines.push_back(static_cast<std::uint32_t>(here()));
    return here() - 1;
  }
  /// Makes the jump at `pc` lead to the next instruction.
  void land(std::int32_t pc) { body_.code[static_cast<std::size_t>(pc)].d = here(); }
  /// Text as a fragment that jumps of the code do not reach; returns its place.
  std::int32_t fragment(std::int32_t string) {
    const std::int32_t over = put(Op::jump);
    const std::int32_t place = put(Op::textString, 0, 0, 0, string);
    put(Op::endFragment);
    land(over);
    return place;
  }
  Body take(const char* name, BodyKind kind, int parameters, int registers, int results) {
    body_.name = name;
    body_.kind = kind;
    body_.parameters = static_cast<std::uint16_t>(parameters);
    body_.registers = static_cast<std::uint16_t>(registers);
    body_.resultWords = static_cast<std::uint16_t>(results);
    return std::move(body_);
  }

private:
  Body body_;
};

inline Body sequence(Module& module) {
  enum { left, side, set, open, answer, hex, die, least, most, chosen, verdict, a, b, registers };
  Code code;
  const std::int32_t which = code.fragment(0), some = code.fragment(1), purpose = code.fragment(2);
  const std::int32_t pass = code.fragment(3);

  const std::int32_t over = code.put(Op::jump);
  const std::int32_t even = code.put(Op::setCount, a, chosen, 0, 0, 1);
  code.put(Op::modImm, a, a, 0, 2);
  code.put(Op::loadImm, b, 0, 0, 0);
  code.put(Op::eq, verdict, a, b);
  code.put(Op::endFragment);
  code.land(over);

  code.put(Op::loadImm, left, 0, 0, rounds);
  code.put(Op::loadImm, side, 0, 0, 0);
  const std::int32_t round = code.here();
  code.put(Op::setGlobal, side, 0, 0, globalPlayer);
  code.put(Op::loadImm, a, 0, 0, 1 + rounds);
  code.put(Op::sub, a, a, left);
  code.put(Op::setGlobal, a, 0, 0, globalTurn);
  code.put(Op::setFull, set, 0, 0, domainHexes, 1);
  code.put(Op::loadImm, open, 0, 0, 1);
  code.put(Op::decide, 0, 0, 0, 0);
  const std::int32_t passed = code.put(Op::jumpGeImm, answer, 0);
  code.put(Op::get, a, side, 0, scoreColumn);
  code.put(Op::add, a, a, hex);
  code.put(Op::set, side, a, 0, scoreColumn);
  code.land(passed);
  code.put(Op::setFull, set, 0, 0, domainHexes, 1);
  code.put(Op::loadImm, least, 0, 0, 0);
  code.put(Op::loadImm, most, 0, 0, 2);
  code.put(Op::decide, 0, 0, 0, 1);
  code.put(Op::setCount, b, chosen, 0, 0, 1);
  code.put(Op::get, a, side, 0, scoreColumn);
  code.put(Op::add, a, a, b);
  code.put(Op::set, side, a, 0, scoreColumn);
  code.put(Op::roll, die, static_cast<int>(DieKind::d6), 0, purpose);
  const std::int32_t low = code.put(Op::jumpLtImm, die, 4);
  code.put(Op::addImm, a, a, 0, 1);
  code.put(Op::set, side, a, 0, scoreColumn);
  code.land(low);
  code.put(Op::enemyOf, side, side);
  code.put(Op::addImm, left, left, 0, -1);
  const std::int32_t done = code.put(Op::jumpEqImm, left, 0);
  code.put(Op::jumpBack, 0, 0, 0, round);
  code.land(done);
  code.put(Op::loadImm, side, 0, 0, 0);
  code.put(Op::get, a, side, 0, scoreColumn);
  code.put(Op::loadImm, side, 0, 0, 1);
  code.put(Op::get, b, side, 0, scoreColumn);
  const std::int32_t second = code.put(Op::jumpLt, a, b);
  const std::int32_t same = code.put(Op::jumpEq, a, b);
  code.put(Op::loadImm, side, 0, 0, 0);
  code.put(Op::win, side, 0, 0, -1);
  code.land(second);
  code.put(Op::win, side, 0, 0, -1);
  code.land(same);
  code.put(Op::drawGame, 0, 0, 0, -1);

  Decision one;
  one.binds = "h";
  one.domain = domainHexes;
  one.owner = side;
  one.set = set;
  one.open = open;
  one.answer = answer;
  one.chosen = hex;
  one.alternatives.emplace_back();
  one.alternatives.back().label = pass;
  one.alternatives.back().pass = true;
  one.prompt = which;
  Decision subset = one;
  subset.kind = ChoiceKind::subset;
  subset.alternatives.clear();
  subset.least = least;
  subset.most = most;
  subset.chosenSet = chosen;
  subset.provided = even;
  subset.verdict = verdict;
  subset.prompt = some;
  module.decisions = {one, subset};
  module.decisionBody = {0, 0};
  return code.take("sequence", BodyKind::procedure, 0, registers, 0);
}

inline Body interest() {
  Code code;
  code.put(Op::get, 1, 0, 0, scoreColumn);
  code.put(Op::toFraction, 1, 1);
  code.put(Op::ret, 1, 0, 0, 0, 1);
  return code.take("value interest", BodyKind::pure, 1, 2, 1);
}

inline Module module(bool withInterest = true) {
  Module m;
  m.title = "Gathering";
  m.packageHash = "0123456789abcdef";
  m.strings = {"Which hex?", "Which hexes?", "Luck", "Pass"};
  BoardSpec spec;
  SheetSpec sheet;
  sheet.columns = 4;
  sheet.rows = 2;
  spec.sheets = {sheet};
  EXPECT_EQ(buildBoard(spec, m.board), "");
  m.sides = {{"Red", "Reds"}, {"Blue", "Blues"}};
  m.marks.resize(1);
  const auto domain = [&](ValueKind kind, std::uint32_t size) {
    m.domains.push_back({ValueType{kind, 0, false, false}, size});
  };
  domain(ValueKind::counter, 0);
  domain(ValueKind::hex, 8);
  domain(ValueKind::hexside, static_cast<std::uint32_t>(m.board.hexsides));
  domain(ValueKind::side, 2);
  domain(ValueKind::direction, 6);
  domain(ValueKind::area, 0);
  domain(ValueKind::box, 0);
  domain(ValueKind::group, 0);
  domain(ValueKind::integer, setIntCount);
  domain(ValueKind::path, mostPaths);
  Column score;
  score.name = "score";
  score.owner = Owner::side;
  score.type = {ValueKind::integer, 0, false, false};
  score.initial = {0, 0};
  m.columns = {score};
  m.columnWatch = {0};
  for (const char* name : {"turn", "clock", "player", "entry side", "winner"}) {
    Global global;
    global.name = name;
    global.type = {ValueKind::integer, 0, false, false};
    global.initial = {m.globals.size() == globalWinner ? none : 0};
    m.globals.push_back(global);
  }
  m.globalWatch.resize(m.globals.size());
  m.bodies.push_back(sequence(m));
  m.sequenceBody = 0;
  if (withInterest) {
    m.bodies.push_back(interest());
    m.interestBody = 1;
  }
  return m;
}

inline std::shared_ptr<const Program> load(Module m) {
  auto loaded = Program::load(std::move(m));
  if (const std::string* problem = std::get_if<std::string>(&loaded)) {
    ADD_FAILURE() << *problem;
    return nullptr;
  }
  return std::get<std::shared_ptr<const Program>>(loaded);
}

} // namespace hellwig::gathering
