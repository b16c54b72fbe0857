// SPDX-License-Identifier: Apache-2.0
// Lowered rules on the machine: results worked out by hand, and set operations against plain loops over
// elements.

#include "compiler/lower.h"
#include "compiler/sema.h"
#include "runtime/machine.h"
#include "runtime/random.h"
#include "tests/compiler/lowering_game.h"
#include "tests/compiler/package_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hellwig {
namespace {

using testing::ElementsAre;

std::string reportsOf(const PackageFixture& fixture) {
  std::string out;
  for (const std::string& report : fixture.reports()) out += report + "\n";
  return out;
}

std::shared_ptr<const Program> programOf(bool plainSets) {
  PackageFixture fixture(test::loweringGame);
  Selection selection;
  selection.scenario = "Only one";
  const Folded folded = fixture.fold(selection);
  auto checked = analyse(*fixture.package, folded, {}, fixture.sink);
  EXPECT_EQ(fixture.sink.errorCount(), 0U) << reportsOf(fixture);
  Module module = std::move(checked->world.module);
  module.files = {"game.hlw"};
  lower(checked->hir, *fixture.package, module, checked->extras, LowerOptions{plainSets});
  auto loaded = Program::load(std::move(module));
  if (const std::string* wrong = std::get_if<std::string>(&loaded)) {
    ADD_FAILURE() << *wrong;
    return nullptr;
  }
  return std::get<std::shared_ptr<const Program>>(loaded);
}

class Lowering : public testing::Test {
protected:
  static void SetUpTestSuite() {
    sets = programOf(false);
    plain = programOf(true);
    ASSERT_TRUE(sets && plain);
  }
  void SetUp() override {
    machine.beginTest(1);
    machine.setGlobal(globalPlayer, 0);
  }

  const Module& m() const { return sets->module(); }
  const NamedBody& named(NamedBody::What what, const std::string& name) const {
    for (const NamedBody& body : m().named)
      if (body.what == what && body.name == name) return body;
    ADD_FAILURE() << "nothing is called " << name;
    return m().named.front();
  }
  const NamedBody& value(const std::string& name) const { return named(NamedBody::What::value, name); }
  Word eval(const std::string& name, std::vector<Word> arguments = {}) {
    const auto result = machine.evaluate(value(name).body, arguments);
    EXPECT_TRUE(result.has_value()) << name;
    return result ? result->front() : none;
  }
  std::uint16_t column(const std::string& name) const {
    for (std::size_t i = 0; i < m().columns.size(); ++i)
      if (m().columns[i].name == name && m().columns[i].owner == Owner::counter && !m().columns[i].constant)
        return static_cast<std::uint16_t>(i);
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
  std::uint16_t global(const std::string& name) const {
    for (std::size_t i = 0; i < m().globals.size(); ++i)
      if (m().globals[i].name == name) return static_cast<std::uint16_t>(i);
    ADD_FAILURE() << "no state " << name;
    return 0;
  }
  /// The n-th counter of a row, from 1, of side 0 or 1.
  std::uint16_t unit(int side, const std::string& row, int n = 1) const {
    for (std::size_t i = 0; i < m().counters.size(); ++i)
      if (m().counters[i].side == side && m().strings[m().counters[i].copiesOf] == row && --n == 0)
        return static_cast<std::uint16_t>(i);
    ADD_FAILURE() << "no counter " << row;
    return 0;
  }
  std::int32_t hex(const char* label) const { return hexByLabel(m().board, label); }
  void put(std::uint16_t counter, const char* label) { machine.place(counter, hex(label), -1); }
  std::vector<std::string> hexes(const std::vector<Word>& set) const {
    std::vector<std::string> out;
    for (int h = 0; h < m().board.n; ++h)
      if ((static_cast<std::uint64_t>(set[static_cast<std::size_t>(h / 64)]) >> (h % 64) & 1U) != 0)
        out.push_back(m().board.label[static_cast<std::size_t>(h)]);
    return out;
  }
  std::vector<std::string> hexSet(const std::string& name, std::vector<Word> arguments = {}) {
    const auto result = machine.evaluate(value(name).body, arguments);
    return result ? hexes(*result) : std::vector<std::string>{"fault"};
  }
  Status run(const std::string& procedure, std::vector<Word> arguments = {}) {
    EXPECT_TRUE(machine.startBody(named(NamedBody::What::procedure, procedure).body, arguments));
    return go();
  }
  Status go() {
    Status status = machine.step();
    while (status == Status::ready) status = machine.step();
    EXPECT_NE(status, Status::faulted) << machine.fault().message;
    return status;
  }
  Status answer(std::int32_t option) {
    EXPECT_TRUE(machine.answer(Answer{option, {}}));
    return go();
  }

  static inline std::shared_ptr<const Program> sets, plain;
  Machine machine{sets};
};

TEST_F(Lowering, Arithmetic) {
  EXPECT_EQ(eval("arith", {2, 3}), 13); // 5 * 3 - 2
  EXPECT_EQ(eval("arith", {-1, 3}), 3); // 2 * 3 - 3, for -1 mod 4 is 3
  EXPECT_EQ(eval("ratio", {1, 2}), packRatio(3, 2));
  EXPECT_EQ(eval("picked", {2}), 20);
  EXPECT_EQ(eval("picked", {9}), 7);
  EXPECT_EQ(eval("twice", {1}), 6);
  EXPECT_EQ(eval("nested", {5}), 1);
  EXPECT_EQ(eval("nested", {20}), 1);
  EXPECT_EQ(eval("nested", {9}), 0);
}

TEST_F(Lowering, StepsActInOrder) {
  EXPECT_EQ(eval("steps", {3}), 12); // (3 + 5) x 3/2
  EXPECT_EQ(eval("steps", {1}), 2);  // 1 x 3/2, rounded up
  EXPECT_EQ(eval("steps", {50}), 99);
  machine.setGlobal(global("noise"), 1);
  EXPECT_EQ(eval("steps", {3}), 11);
  EXPECT_EQ(eval("steps", {30}), 19); // 53 at most 20, less 1
}

TEST_F(Lowering, ExplanationHasALineForEachStepThatChangedTheFigure) {
  std::vector<Word> result;
  const std::vector<Word> three{3};
  const Explanation told = machine.explain(value("steps").explainBody, three, &result);
  ASSERT_EQ(told.lines.size(), 3U);
  EXPECT_EQ(told.lines[0].figure, 3);
  EXPECT_EQ(told.lines[1].figure, 8);
  EXPECT_EQ(told.lines[1].operand, 5);
  EXPECT_EQ(told.lines[1].text, "bonus");
  EXPECT_EQ(told.lines[2].step, StepKind::multiplyRoundUp);
  EXPECT_EQ(told.lines[2].figure, packRatio(12, 1)); // shown as a fraction, since it was multiplied by one
  EXPECT_EQ(result.at(0), 12);
}

TEST_F(Lowering, NoneIsAbsorbed) {
  const std::uint16_t foot = unit(0, "Foot");
  EXPECT_EQ(eval("where_is", {foot}), none);
  EXPECT_EQ(eval("how_far", {foot, hex("0303")}), 99);
  put(foot, "0305");
  EXPECT_EQ(eval("how_far", {foot, hex("0303")}), 2);
}

TEST_F(Lowering, TablesAndFractions) {
  const std::uint16_t gun = unit(1, "Gun");
  EXPECT_EQ(eval("outcome", {0, gun}), 0);
  EXPECT_EQ(eval("outcome", {2, gun}), 1);
  machine.setColumn(column("face"), gun, 1);
  EXPECT_EQ(eval("outcome", {2, gun}), 2);
  EXPECT_EQ(eval("halves", {gun}), packRatio(1, 2));
  machine.setColumn(column("moved"), gun, 1);
  EXPECT_EQ(eval("halves", {gun}), packRatio(5, 6));
}

TEST_F(Lowering, RefusalsNameTheDecidingClause) {
  const std::uint16_t gun = unit(0, "Gun"), foe = unit(1, "Foot"), other = unit(1, "Foot", 2);
  put(gun, "0406");
  put(foe, "0404");
  put(other, "0506");
  const NamedBody& hit = named(NamedBody::What::permission, "hit");
  const auto refusal = [&] {
    std::vector<Word> result;
    const std::vector<Word> arguments{gun, foe};
    const Explanation told = machine.explain(hit.explainBody, arguments, &result);
    EXPECT_EQ(result.at(0), machine.evaluate(hit.body, arguments)->at(0));
    return told.lines.empty() ? std::string("allowed") : told.lines[0].text;
  };
  EXPECT_EQ(refusal(),
            "allowed"); // from 0406 to 0404 the line runs between 0405 and 0505, a hill in 0505 only
  machine.setColumn(column("moved"), gun, 1);
  EXPECT_EQ(refusal(), "guns have moved");
  machine.setColumn(column("moved"), gun, 0);
  put(foe, "0401"); // 0403 and 0503 are forest
  EXPECT_EQ(refusal(), "Foot 1 of Blue is too far"); // both sides have a Foot 1
  put(foe, "0206");
  put(other, "0306");
  EXPECT_EQ(refusal(), "a unit in 0306 is in the way"); // the reason of `sight`, handed on
}

TEST_F(Lowering, ReachFollowsTheClauses) {
  const std::uint16_t rider = unit(0, "Rider");
  put(rider, "0101");
  EXPECT_THAT(hexSet("road_to", {rider}), ElementsAre("0201", "0301", "0302", "0303"));
  const std::uint16_t foe = unit(1, "Foot");
  put(foe, "0302");
  // The foe watches its open neighbours, 0301 and 0303 among them; so the road ends before these.
  EXPECT_THAT(hexSet("road_to", {rider}), ElementsAre("0201"));
  EXPECT_EQ(eval("can_reach", {rider, hex("0103")}), 1);
  EXPECT_EQ(eval("can_reach", {rider, hex("0302")}), 0);
  EXPECT_EQ(eval("supplied", {0, hex("0404")}), 1); // 0304, 0204, 0104, 0103
  EXPECT_EQ(eval("supplied", {0, hex("0706")}), 0); // eight hexes
}

// ---- Set operations against loops

TEST_F(Lowering, SetsAgreeWithPlainLoops) {
  Machine loops{plain};
  loops.beginTest(1);
  Random random = Random::fromSeed(5);
  const auto below = [&](std::uint32_t n) { return static_cast<std::int32_t>(random.below(n)); };
  std::size_t compared = 0;
  for (int round = 0; round < 150; ++round) {
    const bool search = round % 2 == 1;
    loops.setPlainSearch(search);
    for (std::uint16_t u = 0; u < m().counters.size(); ++u) {
      const std::int32_t where = below(static_cast<std::uint32_t>(m().board.n) + 4);
      const bool off = where >= m().board.n;
      const Word face = below(2), moved = below(2), level = below(11);
      for (Machine* each : {&machine, &loops}) {
        each->place(u, off ? -1 : where, off ? 0 : -1);
        each->setColumn(column("face"), u, face);
        each->setColumn(column("moved"), u, moved);
        each->setColumn(column("level"), u, level);
      }
    }
    const Word noise = below(4);
    machine.setGlobal(global("noise"), noise);
    loops.setGlobal(global("noise"), noise);
    for (const NamedBody& body : m().named) {
      if (body.what != NamedBody::What::value && body.what != NamedBody::What::permission) continue;
      for (int variant = 0; variant < 6; ++variant) {
        std::vector<Word> arguments;
        for (const ValueType& type : body.parameterTypes) switch (type.kind) {
          case ValueKind::side: arguments.push_back(below(2)); break;
          case ValueKind::hex: arguments.push_back(below(static_cast<std::uint32_t>(m().board.n))); break;
          case ValueKind::counter:
            arguments.push_back(below(static_cast<std::uint32_t>(m().counters.size())));
            break;
          default: arguments.push_back(below(6)); break;
          }
        const auto expected = loops.evaluate(body.body, arguments);
        if (!expected) continue; // the plain loop read something that is not there
        const auto found = machine.evaluate(body.body, arguments);
        ASSERT_TRUE(found.has_value()) << body.name;
        ASSERT_EQ(*found, *expected) << body.name << " in round " << round;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20000U);
}

TEST_F(Lowering, WhereBecomesSetOperations) {
  // None of these has a loop left.
  for (const char* name : {"fresh_ones", "mixed", "slow_ones", "idle_foes", "heavy", "quiet", "free_hexes",
                           "hot_hexes", "road_hexes", "crowded", "sparse", "open_for", "some_far", "counted", "strong_near"}) {
    const Body& body = m().bodies[value(name).body];
    const bool loop = std::any_of(body.code.begin(), body.code.end(),
                                  [](const Instruction& in) { return in.op == Op::jumpBack; });
    EXPECT_FALSE(loop) << name;
  }
  for (const Route& route : m().routes) {
    if (route.name != "march") continue;
    EXPECT_NE(route.edges[0].blockedSetBody, noBody);
    EXPECT_NE(route.edges[0].restForbidBody, noBody); // `a in West and b is hill` needs both ends
    EXPECT_TRUE(route.edges[0].forbidIsSet);
    EXPECT_TRUE(route.edges[0].stopIsSet);
    EXPECT_TRUE(route.endIsSet);
    EXPECT_FALSE(route.readsMover);
  }
}

// ---- Statements

TEST_F(Lowering, LoopsMatchAndReturn) {
  put(unit(0, "Gun"), "0104");
  put(unit(1, "Foot"), "0404");
  EXPECT_EQ(run("loops", {9}), Status::idle);
  // In the order of battle: the gun (2), then the foot (5); then noise 0 -> 2 -> 4 -> 6; then one unit of
  // each side.
  EXPECT_EQ(machine.global(global("tally")), 27);
  EXPECT_EQ(machine.global(global("noise")), 6);
  EXPECT_EQ(run("sorted", {2}), Status::idle);
  EXPECT_EQ(machine.global(global("noise")), 7);
}

TEST_F(Lowering, PickWithoutBlockSkipsTheRestAndEndsTheRepeat) {
  put(unit(0, "Gun"), "0104");
  put(unit(0, "Foot"), "0404");
  put(unit(0, "Rider"), "0505");
  ASSERT_EQ(run("ask_often"), Status::decision);
  EXPECT_EQ(machine.promptText(), "Which unit?");
  EXPECT_EQ(machine.pending().elementCount, 3U);
  ASSERT_EQ(answer(0), Status::decision);
  EXPECT_EQ(machine.pending().elementCount, 2U);
  EXPECT_EQ(answer(2), Status::idle); // two units stand before the pass
  EXPECT_EQ(machine.global(global("tally")), 101);
}

TEST_F(Lowering, ChooseEachOffersWhatIsLeft) {
  put(unit(0, "Gun"), "0104");   // strength 2
  put(unit(0, "Foot"), "0404");  // 4
  put(unit(0, "Rider"), "0505"); // 3
  ASSERT_EQ(run("ask_each"), Status::decision);
  EXPECT_EQ(machine.pending().elementCount, 1U); // the weakest is preferred
  ASSERT_EQ(answer(0), Status::decision);
  ASSERT_EQ(answer(0), Status::decision);
  EXPECT_EQ(answer(0), Status::idle); // and with none left it is as if passed
  EXPECT_EQ(machine.global(global("tally")), 234);
}

TEST_F(Lowering, SubsetMustSatisfyWhatIsProvided) {
  const std::uint16_t gun = unit(0, "Gun"), foot = unit(0, "Foot"), rider = unit(0, "Rider");
  put(gun, "0104");
  put(foot, "0404");
  put(rider, "0505");
  ASSERT_EQ(run("ask_some"), Status::decision);
  EXPECT_EQ(machine.pending().least, 1);
  EXPECT_EQ(machine.pending().most, 2);
  // In the order of battle: foot 4, gun 2, rider 3. Foot and rider make 7.
  EXPECT_FALSE(machine.isLegal(Answer{-1, {0, 1}}));
  ASSERT_TRUE(machine.isLegal(Answer{-1, {0, 2}}));
  ASSERT_TRUE(machine.answer(Answer{-1, {0, 2}}));
  EXPECT_EQ(go(), Status::idle);
  EXPECT_EQ(machine.column(column("moved"), foot), 1);
  EXPECT_EQ(machine.column(column("moved"), rider), 1);
  EXPECT_EQ(machine.column(column("moved"), gun), 0);
}

TEST_F(Lowering, MenuAndHookBeforeAProcedure) {
  ASSERT_EQ(run("ask_menu"), Status::decision);
  EXPECT_EQ(machine.global(global("tally")), 3); // `before ask_menu`
  EXPECT_EQ(machine.pending().openAlternatives, 7U);
  EXPECT_EQ(machine.optionText(Answer{0, {}}), "Shout");
  EXPECT_EQ(answer(2), Status::idle);
  EXPECT_EQ(machine.global(global("tally")), 5);
  machine.setGlobal(global("noise"), 9);
  ASSERT_EQ(run("ask_menu"), Status::decision);
  EXPECT_EQ(machine.pending().openAlternatives, 6U);
}

TEST_F(Lowering, NothingToChooseTakesOtherwise) {
  const std::uint16_t gun = unit(0, "Gun");
  put(gun, "0104");
  EXPECT_EQ(run("ask_target", {gun}), Status::idle);
  EXPECT_EQ(machine.global(global("tally")), 13);
}

TEST_F(Lowering, RefusedElementIsExplained) {
  const std::uint16_t gun = unit(0, "Gun"), near = unit(1, "Foot"), other = unit(1, "Foot", 2),
                      far = unit(1, "Gun");
  put(gun, "0104");
  put(near, "0204");
  put(other, "0105");
  put(far, "0704");
  ASSERT_EQ(run("ask_target", {gun}), Status::decision);
  EXPECT_EQ(machine.pending().elementCount, 2U);
  const Explanation why = machine.whyNotOption(far);
  ASSERT_EQ(why.lines.size(), 1U);
  EXPECT_EQ(why.lines[0].text, "Gun 1 is too far");
}

TEST_F(Lowering, MoveByARouteRunsTheHooksOfEachHex) {
  const std::uint16_t rider = unit(0, "Rider");
  put(rider, "0301");
  EXPECT_EQ(run("go", {rider, hex("0101")}), Status::idle);
  EXPECT_EQ(machine.hexOf(rider), hex("0101"));
  EXPECT_EQ(machine.column(column("level"), rider), 2); // entered 0201 and 0101, both in the west
  EXPECT_EQ(machine.global(global("noise")), 10);       // `after move` once
}

TEST_F(Lowering, SpansRunTheirHooksAndReset) {
  const std::uint16_t foot = unit(1, "Foot"), rider = unit(0, "Rider");
  put(foot, "0404");
  put(rider, "0101");
  machine.start(3);
  machine.place(foot, hex("0404"), -1);
  machine.place(rider, hex("0101"), -1);
  ASSERT_EQ(go(), Status::decision); // turn 2, Blue, the second phase
  EXPECT_EQ(machine.global(globalTurn), 2);
  EXPECT_EQ(machine.global(globalPlayer), 1);
  EXPECT_EQ(machine.global(global("tally")), 3001); // 1000 before, 1 within, 2000 after the opening
  EXPECT_EQ(machine.global(global("noise")), 0);    // a tally of 1001 is above 2: the procedure returned
  ASSERT_EQ(answer(0), Status::decision);
  EXPECT_EQ(machine.column(column("level"), foot), 0); // reset at the end of the player turn
  EXPECT_EQ(machine.global(globalPlayer), 0);
  ASSERT_EQ(answer(1), Status::decision);
  EXPECT_EQ(machine.global(globalTurn), 3);
  ASSERT_EQ(answer(1), Status::decision);
  EXPECT_EQ(answer(1), Status::ended);
  EXPECT_EQ(machine.result().winner, -1);
  EXPECT_EQ(machine.result().text, "it is over");
}

TEST_F(Lowering, SequenceCanBeEnteredAtAPhase) {
  const std::uint16_t rider = unit(0, "Rider");
  put(rider, "0101");
  machine.setGlobal(globalTurn, 3);
  machine.setGlobal(globalEntrySide, 0);
  std::uint32_t pc = 0;
  for (const PhaseEntry& entry : m().entries)
    if (entry.span == SpanKind::phase && m().phases[entry.phase].name == "Closing") pc = entry.pc;
  ASSERT_NE(pc, 0U);
  ASSERT_TRUE(machine.enterSequence(pc));
  ASSERT_EQ(go(), Status::decision);
  EXPECT_EQ(machine.global(globalPlayer), 0);
  EXPECT_EQ(machine.global(globalTurn), 3);
  EXPECT_EQ(answer(1), Status::ended); // Red is last, and turn 3 too
}

} // namespace
} // namespace hellwig
