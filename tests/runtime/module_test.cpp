// SPDX-License-Identifier: Apache-2.0
// Modules as bytes, the verifier, and what it is there for: that no module, however broken, does harm.
#include "random_module.h"

#include "runtime/disassemble.h"
#include "runtime/module_io.h"
#include "runtime/path_block.h"

#include <cstdlib>
#include <functional>

namespace hellwig::test {
namespace {

/// The small game with a sequence that moves, decides, rolls, says and rests, so that most instructions
/// occur.
SmallGame wholeGame() {
  SmallGame game;
  ModuleBuilder& b = game.b;
  const int counterWords = b.counterWords(), hexWords = b.hexWords();
  const int pathWords = static_cast<int>(pathShape(b.m).words());
  b.m.rules.push_back({"R-1", "Rule", "", ""});
  b.m.marks.push_back({{0}, ""});
  b.m.phases.push_back({"Movement", {1}});
  for (std::size_t u = 0; u < b.m.counters.size(); ++u)
    b.m.counters[u].startHex = static_cast<std::int32_t>(3 * u);

  Table table;
  table.name = "losses";
  TableAxis die;
  die.positions = 3;
  die.keys = {{1, 2, 0}, {3, 4, 1}, {5, 6, 2}};
  TableAxis ratio;
  ratio.scale = 1;
  ratio.rounding = Rounding::down;
  ratio.clampBelow = ratio.clampAbove = true;
  ratio.positions = 2;
  ratio.keys = {{packRatio(1, 1), packRatio(1, 1), 0}, {packRatio(3, 2), packRatio(3, 2), 1}};
  table.axes = {ratio, die};
  table.cells = {0, 1, 2, 3, 4, 5};
  table.filled.assign(6, 1);
  table.marks.assign(6, 1);
  b.m.tables.push_back(table);

  // Registers: 0 die, 1 side, 2 turn, 3 answer, 4 chosen, 5 hex, 6..8 keys, 9..10 shifts, 11 cursor .. 13,
  // 14.. counters, hexes, path.
  const int units = 14, hexes = units + counterWords, path = hexes + hexWords;
  auto s = b.body("sequence", BodyKind::procedure, 0, static_cast<std::uint16_t>(path + pathWords), 0);
  s.op(Op::loadImm, 2, 0, 0, 1);
  const auto turn = s.here();
  s.op(Op::setGlobal, 2, 0, 0, globalTurn);
  s.op(Op::spanBegin, static_cast<int>(SpanKind::turn), 1, 0, -1);
  s.op(Op::spanBegin, static_cast<int>(SpanKind::phase), 1, 0, 0);
  s.op(Op::modImm, 1, 2, 0, 2);
  s.op(Op::countersOf, units, 1);
  s.op(Op::decide, 0, 0, 0, 0);
  const auto passed = s.op(Op::jumpNeImm, 3, static_cast<std::uint16_t>(-1));
  s.op(Op::reach, hexes, 0, 4, 1);
  const auto nowhere = s.op(Op::jumpEmpty, hexes, 0, 0, 0, hexWords);
  s.op(Op::rollOneOf, 5, hexes, 1 + domainHexes, 0, hexWords);
  const auto purpose = s.here() - 1;
  s.op(Op::path, path, 5, 4, 1);
  s.op(Op::moveAlong, 4, path);
  s.op(Op::say, 0, 0, 0, 0);
  const auto told = s.here() - 1;
  s.op(Op::roll, 0, 0, 0, -1);
  s.op(Op::loadImm, 7, 0, 0, 4);
  s.op(Op::loadImm, 8, 0, 0, 3);
  s.op(Op::makeOdds, 6, 7, 8);
  s.op(Op::move, 7, 0);
  s.op(Op::loadImm, 9, 0, 0, 0);
  s.op(Op::loadImm, 10, 0, 0, 1);
  s.op(Op::table, 8, 6, 9, 0, 1);
  s.op(Op::loadImm, 7, 0, 0, 0);
  s.op(Op::set, 4, 7, 0, game.ready);
  s.op(Op::lineStart, 11, 5, 5);
  s.land(passed);
  s.land(nowhere);
  s.op(Op::rest, 1);
  s.op(Op::spanEnd, static_cast<int>(SpanKind::phase));
  s.op(Op::spanEnd, static_cast<int>(SpanKind::turn));
  s.op(Op::resetSpan, 0, 0, 0, static_cast<int>(SpanKind::turn));
  s.op(Op::addImm, 2, 2, 0, 1);
  const auto over = s.op(Op::jumpGeImm, 2, 9);
  s.op(Op::jumpBack, 0, 0, 0, turn);
  s.land(over);
  s.op(Op::ret);
  s.body().code[static_cast<std::size_t>(purpose)].d = s.here();
  s.body().code[static_cast<std::size_t>(told)].d = s.here();
  Decision d;
  d.prompt = s.here();
  s.op(Op::textString, 0, 0, 0, b.string("Move which of "));
  s.op(Op::textValue, units, 0, 0, 3);
  s.op(Op::cite, 0, 0, 0, 1);
  s.op(Op::endFragment);
  d.binds = "u";
  d.domain = domainCounters;
  d.set = static_cast<std::uint16_t>(units);
  d.owner = 1;
  d.open = 1;
  d.answer = 3;
  d.chosen = 4;
  d.alternatives.emplace_back();
  d.alternatives.back().pass = true;
  d.mayBeNothing = true;
  b.m.columns[game.ready].resets = SpanKind::turn;
  b.m.decisions.push_back(d);
  b.m.decisionBody.push_back(s.id);
  b.m.sequenceBody = s.id;
  b.m.entries.push_back({SpanKind::turn, 0, 0});

  auto holds = b.body("victory", BodyKind::pure, 1, static_cast<std::uint16_t>(4 + counterWords), 1);
  holds.op(Op::countersOf, 4, 0);
  holds.op(Op::setCount, 1, 4, 0, 0, counterWords);
  holds.op(Op::loadImm, 2, 0, 0, 0);
  holds.op(Op::eq, 1, 1, 2);
  holds.op(Op::ret, 1, 0, 0, 0, 1);
  VictoryClause clause;
  clause.conditionBody = holds.id;
  clause.watches = Module::placeWatch;
  b.m.victory.push_back(clause);
  b.finish();
  return game;
}

/// Plays a few decisions with answers at random and looks at everything on the way.
void exercise(std::shared_ptr<const Program> program, std::uint64_t seed) {
  Machine m(program);
  m.setFuel(2000);
  m.start(seed);
  Random random = Random::fromSeed(seed);
  for (int i = 0; i < 12; ++i) {
    if (m.step() != Status::decision) break;
    static_cast<void>(m.promptText({0}));
    static_cast<void>(m.whyNotOption(random.below(16)));
    const std::uint32_t options = m.pending().optionCount;
    if (options == 0) break;
    const Answer answer = m.optionAt(random.below(options));
    static_cast<void>(m.optionText(answer, {1}));
    m.answer(answer);
  }
  for (std::uint16_t z = 0; z < program->module().zones.size(); ++z) static_cast<void>(m.zoneOfSide(z, 1));
  for (std::uint16_t r = 0; r < program->module().routes.size(); ++r) {
    const std::vector<Word> arguments(program->module().routes[r].parameters, 1);
    static_cast<void>(m.reach(r, arguments));
    static_cast<void>(m.whyNotReach(r, arguments, 0));
  }
  static_cast<void>(m.hash());
  EXPECT_TRUE(m.restoreImage(m.saveImage()));
}

TEST(ModuleIo, RoundTrip) {
  const SmallGame game = wholeGame();
  const std::vector<std::uint8_t> bytes = writeModule(game.b.m);
  auto read = readModule(bytes);
  ASSERT_TRUE(std::holds_alternative<Module>(read)) << std::get<std::string>(read);
  EXPECT_EQ(writeModule(std::get<Module>(read)), bytes);
  EXPECT_EQ(verifyModule(std::get<Module>(read)), std::nullopt);
  EXPECT_EQ(disassemble(std::get<Module>(read)), disassemble(game.b.m));
  EXPECT_NE(disassemble(game.b.m).find("body 1: blocked set, pure, 2 in, 2 out"), std::string::npos);
}

TEST(ModuleIo, PlaysLikeTheOriginal) {
  SmallGame game = wholeGame();
  auto program = game.b.load();
  ASSERT_TRUE(program);
  auto read = readModule(writeModule(game.b.m));
  auto again = Program::load(std::move(std::get<Module>(read)));
  ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const Program>>(again)) << std::get<std::string>(again);
  Machine a(program), b(std::get<std::shared_ptr<const Program>>(again));
  a.start(17);
  b.start(17);
  Random random = Random::fromSeed(1);
  int decisions = 0;
  while (a.step() == Status::decision) {
    ++decisions;
    ASSERT_EQ(b.step(), Status::decision);
    ASSERT_EQ(a.hash(), b.hash());
    EXPECT_EQ(a.promptText().substr(0, 14), "Move which of ");
    const Answer answer = a.optionAt(random.below(a.pending().optionCount));
    ASSERT_TRUE(a.answer(answer));
    ASSERT_TRUE(b.answer(answer));
  }
  EXPECT_EQ(a.status(), Status::ended) << a.fault().message;
  EXPECT_EQ(decisions, 8) << "turns 1 to 8";
}

TEST(ModuleIo, EveryDamagedByteIsRefused) {
  const std::vector<std::uint8_t> bytes = writeModule(wholeGame().b.m);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::uint8_t> damaged = bytes;
    damaged[i] ^= static_cast<std::uint8_t>(1U << (i % 8));
    EXPECT_TRUE(std::holds_alternative<std::string>(readModule(damaged))) << i;
  }
  for (std::size_t i = 0; i < bytes.size(); i += 97)
    EXPECT_TRUE(std::holds_alternative<std::string>(readModule({bytes.data(), i})));
}

/// How many broken modules each test tries; HELLWIG_MUTATIONS asks for more, for a long run with sanitizers.
const int modules =
    std::getenv("HELLWIG_MUTATIONS") != nullptr ? std::atoi(std::getenv("HELLWIG_MUTATIONS")) : 600;

/// Makes the checksum and length right again, so that what is behind them is put to the test.
void seal(std::vector<std::uint8_t>& bytes) {
  std::uint64_t h = 0xcbf29ce484222325U;
  const std::size_t end = bytes.size() - 8;
  for (std::size_t i = 0; i < end; ++i) h = (h ^ bytes[i]) * 0x100000001b3U;
  for (std::size_t i = 0; i < 8; ++i) bytes[end + i] = static_cast<std::uint8_t>(h >> (8 * i));
}

TEST(Verifier, MutatedModulesDoNoHarm) {
  const SmallGame game = wholeGame();
  const std::vector<std::uint8_t> bytes = writeModule(game.b.m);
  Random random = Random::fromSeed(2024);
  int read = 0, verified = 0;
  for (int i = 0; i < modules; ++i) {
    std::vector<std::uint8_t> damaged = bytes;
    for (std::uint32_t k = random.below(3) + 1; k-- > 0;)
      damaged[16 + random.below(static_cast<std::uint32_t>(bytes.size()) - 24)] =
          static_cast<std::uint8_t>(random.below(256));
    seal(damaged);
    auto module = readModule(damaged);
    if (std::holds_alternative<std::string>(module)) continue;
    ++read;
    auto program = Program::load(std::move(std::get<Module>(module)));
    if (std::holds_alternative<std::string>(program)) continue;
    ++verified;
    exercise(std::get<std::shared_ptr<const Program>>(program), random.next());
  }
  EXPECT_GT(read, modules / 10);
  EXPECT_GT(verified, modules / 100);
}

TEST(Verifier, MutatedInstructionsDoNoHarm) {
  const SmallGame game = wholeGame();
  Random random = Random::fromSeed(77);
  int verified = 0;
  for (int i = 0; i < modules; ++i) {
    Module module = game.b.m;
    for (std::uint32_t k = random.below(2) + 1; k-- > 0;) {
      Body& body = module.bodies[random.below(static_cast<std::uint32_t>(module.bodies.size()))];
      Instruction& in = body.code[random.below(static_cast<std::uint32_t>(body.code.size()))];
      switch (random.below(6)) {
      case 0: in.op = static_cast<Op>(random.below(200)); break;
      case 1: in.a = static_cast<std::uint16_t>(random.below(24)); break;
      case 2: in.b = static_cast<std::uint16_t>(random.below(24)); break;
      case 3: in.c = static_cast<std::uint16_t>(random.below(24)); break;
      case 4: in.d = static_cast<std::int32_t>(random.below(60)) - 2; break;
      default: in.e = static_cast<std::uint16_t>(random.below(4)); break;
      }
    }
    auto program = Program::load(std::move(module));
    if (std::holds_alternative<std::string>(program)) continue;
    ++verified;
    exercise(std::get<std::shared_ptr<const Program>>(program), random.next());
  }
  EXPECT_GT(verified, modules / 20);
}

TEST(Verifier, RefusesEachKindOfBreach) {
  struct Case {
    const char* expected; ///< part of the message
    std::function<void(Module&)> breach;
  };
  auto code = [](Module& m, std::size_t body, std::size_t pc) -> Instruction& {
    return m.bodies[body].code[pc];
  };
  const SmallGame game = wholeGame();
  const std::vector<Case> cases = {
      {"another format", [](Module& m) { m.formatVersion = 1; }},
      {"the map", [](Module& m) { m.board.spec.sheets[0].columns = 10; }},
      {"the map", [](Module& m) { m.board.neighbour[3] = 7; }},
      {"the map", [](Module& m) { m.board.inPlay.clear(); }},
      {"two sides", [](Module& m) { m.sides.pop_back(); }},
      {"has no side", [](Module& m) { m.counters[2].side = 2; }},
      {"names what does not exist", [](Module& m) { m.counters[2].kind = 1; }},
      {"begins nowhere", [](Module& m) { m.counters[2].startHex = 7200; }},
      {"another size", [](Module& m) { m.domains[domainHexes].size = 99; }},
      {"outside the domain", [](Module& m) { m.kinds[0].members[0] |= std::uint64_t{1} << 60; }},
      {"another number of values", [](Module& m) { m.columns[0].initial.pop_back(); }},
      {"no width", [](Module& m) { m.columns[0].bytes = 3; }},
      {"a value is too large", [](Module& m) { m.columns[0].initial[4] = 128; }},
      {"watch bits", [](Module& m) { m.columnWatch.pop_back(); }},
      {"fixed globals",
       [](Module& m) {
         m.globals.resize(3);
         m.globalWatch.resize(3);
       }},
      {"another number of cells", [](Module& m) { m.tables[0].cells.pop_back(); }},
      {"no such position", [](Module& m) { m.tables[0].axes[1].keys[2].index = 3; }},
      {"takes other arguments", [](Module& m) { m.zones[0].coverBody = m.routes[0].edges[0].forbidBody; }},
      {"has another result", [](Module& m) { m.zones[0].coverBody = m.routes[0].budgetBody; }},
      {"takes other arguments", [](Module& m) { m.routes[0].endForbidBody = m.routes[0].edges[0].stopBody; }},
      {"a cost below 0", [](Module& m) { m.routes[0].edges[0].fixedCost = packRatio(-1, 1); }},
      {"names what does not exist",
       [](Module& m) {
         m.routes[0].also.push_back({9, noBody});
       }},
      {"also forms a cycle",
       [](Module& m) {
         m.routes[1].also.push_back({1, noBody});
       }},
      {"outside the frame", [](Module& m) { m.decisions[0].chosen = 500; }},
      {"outside the frame",
       [](Module& m) {
         m.decisions[0].alternatives[0].picks = true;
         m.decisions[0].alternatives[0].set = 500;
       }},
      {"names what does not exist",
       [](Module& m) {
         m.decisions[0].alternatives[0].picks = true;
         m.decisions[0].alternatives[0].domain = 99;
       }},
      {"there is no such fragment", [](Module& m) { m.decisions[0].alternatives[0].why = 5000; }},
      {"only a whole answer is tested", [](Module& m) { m.decisions[0].sums.emplace_back(); }},
      {"outside the frame",
       [](Module& m) {
         m.decisions[0].kind = ChoiceKind::allotment;
         m.decisions[0].chosenSet = 500;
       }},
      {"another body",
       [](Module& m) {
         m.bodies.push_back(m.bodies[m.sequenceBody]);
         m.decisionBody[0] = static_cast<std::uint32_t>(m.bodies.size() - 1);
       }},
      {"does not exist", [](Module& m) { m.victory[0].conditionBody = 999; }},
      {"outside the sequence", [](Module& m) { m.entries[0].pc = 999; }},
      {"no such instruction", [&](Module& m) { code(m, 0, 0).op = static_cast<Op>(999); }},
      {"outside the frame", [&](Module& m) { code(m, 0, 0).a = 8; }},
      {"outside the frame", [&](Module& m) { code(m, 0, 1).a = 7; }},
      {"runs off its end",
       [](Module& m) {
         m.bodies[1].code.pop_back();
         m.bodies[1].lines.pop_back();
       }},
      {"only jumpBack may go back", [&](Module& m) { code(m, 0, 5).d = 2; }},
      {"there is no such place to jump to", [&](Module& m) { code(m, 0, 5).d = 200; }},
      {"not the words of the result", [](Module& m) { m.bodies[0].code.back().e = 1; }},
      {"only a procedure", [&](Module& m) { code(m, 0, 0) = Instruction{Op::roll, 1, 0, 0, -1, 0, 0}; }},
      {"may not emit", [&](Module& m) { code(m, 0, 0) = Instruction{Op::cite, 0, 0, 0, 0, 0, 0}; }},
      {"cycle", [&](Module& m) { code(m, 0, 0) = Instruction{Op::call, 0, 0, 0, 0, 0, 0}; }},
      {"cycle", [&](Module& m) { code(m, 0, 0) = Instruction{Op::inZone, 1, 0, 0, 0, 0, 0}; }},
      {"cycle",
       [&](Module& m) { code(m, m.routes[0].budgetBody, 0) = Instruction{Op::anyReach, 1, 0, 0, 0, 0, 0}; }},
      {"there is no such column", [&](Module& m) { code(m, 0, 4).d = 2; }},
      {"a column of other things", [&](Module& m) { code(m, 0, 2).d = 1; }},
      {"no such plane", [&](Module& m) { code(m, 0, 2).c = 2; }},
      {"too few or too many words", [&](Module& m) { code(m, 0, 3).e = 0; }},
      {"may not change the game", [&](Module& m) { m.decisions[0].prompt = 0; }},
      {"there is no such fragment", [&](Module& m) { m.decisions[0].prompt = 5000; }},
      {"constant column", [&](Module& m) { m.columns[1].constant = true; }},
  };
  for (const Case& c : cases) {
    Module module = game.b.m;
    c.breach(module);
    const std::string problem = verifyModule(module).value_or("nothing");
    EXPECT_NE(problem.find(c.expected), std::string::npos)
        << "expected " << c.expected << ", found " << problem;
    EXPECT_TRUE(std::holds_alternative<std::string>(Program::load(std::move(module))));
  }
}

TEST(Verifier, AcceptsTheWholeGame) {
  SmallGame game = wholeGame();
  EXPECT_EQ(game.b.problem(), "");
  exercise(game.b.load(), 1);
}

} // namespace
} // namespace hellwig::test
