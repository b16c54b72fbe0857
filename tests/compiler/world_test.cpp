// SPDX-License-Identifier: Apache-2.0
// The world that the compiler builds from declarations: expectations are counted off the texts by hand.

#include "tests/compiler/package_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace hellwig {
namespace {

using hir::Type;
using hir::TypeKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Type hexType{TypeKind::hex, 0, false, false};

Type enumType(const World& world, const std::string& name) {
  for (const Symbol& symbol : *world.find(name))
    if (symbol.kind == SymbolKind::enumeration) return {TypeKind::enumeration, symbol.id, false, false};
  return {};
}
Type kindType(const World& world, const std::string& name) {
  for (const Symbol& symbol : *world.find(name))
    if (symbol.kind == SymbolKind::counterKind) return {TypeKind::counter, symbol.id, false, false};
  return {};
}
Word valueOf(const World& world, const std::string& type, const std::string& value) {
  const auto& names = world.module.enums[enumType(world, type).id].names;
  return std::find(names.begin(), names.end(), value) - names.begin();
}
const Column& column(const World& world, const Type& owner, const std::string& name) {
  std::int32_t id = world.columnOf(owner, name);
  EXPECT_GE(id, 0) << name;
  return world.module.columns.at(static_cast<std::size_t>(std::max(id, 0)));
}
int counter(const World& world, int side, const std::string& name) {
  for (std::size_t c = 0; c < world.module.counters.size(); ++c)
    if (world.module.counters[c].side == side && world.module.counters[c].name == name)
      return static_cast<int>(c);
  return -1;
}
std::size_t hex(const World& world, const std::string& label) {
  return static_cast<std::size_t>(hexByLabel(world.module.board, label));
}
std::vector<std::string> hexesOfArea(const World& world, const std::string& name) {
  std::vector<std::string> out;
  for (const AreaInfo& area : world.module.areas)
    if (area.name == name)
      for (int h = 0; h < world.module.board.n; ++h)
        if (area.hexes[static_cast<std::size_t>(h) / 64] >> (h % 64) & 1U)
          out.push_back(world.module.board.label[static_cast<std::size_t>(h)]);
  return out;
}
std::vector<std::string> rulesOf(const World& world, std::uint16_t marks) {
  std::vector<std::string> out;
  for (std::uint16_t rule : world.module.marks.at(marks).rules) out.push_back(world.module.rules.at(rule).id);
  return out;
}

// ---- The game of this project

class Mollwitz : public testing::Test {
protected:
  static void SetUpTestSuite() {
    package = loadPackage(std::string(HELLWIG_GAMES) + "/mollwitz", sink);
    ASSERT_TRUE(package);
    Selection selection;
    selection.scenario = "Historical set-up";
    Folded folded = fold(*package, selection, sink);
    world = WorldBuilder(*package, folded, sink).build();
    ASSERT_EQ(sink.errorCount(), 0U) << render(sink);
  }
  static inline std::shared_ptr<Package> package;
  static inline DiagnosticSink sink;
  static inline World world;
};

TEST_F(Mollwitz, PackageIsDescribed) {
  EXPECT_EQ(package->title, "The Battle of Mollwitz");
  EXPECT_EQ(package->hash.size(), 16U);
  ASSERT_EQ(package->scenarios.size(), 2U);
  EXPECT_EQ(package->scenarios[0].name, "Historical set-up");
  EXPECT_TRUE(package->scenarios[0].playable);
  ASSERT_EQ(package->options.size(), 5U);
  EXPECT_EQ(package->options[1].name,
            "Road column"); // the order of `options` in the game, not of the alphabet
  EXPECT_FALSE(package->options[1].defaultOn);
}

TEST_F(Mollwitz, SidesAndBoxesStandAsDeclared) {
  EXPECT_EQ(world.module.designer, "Christopher Salander");
  EXPECT_EQ(world.module.sides[0].name, "Prussia");
  EXPECT_EQ(world.module.sides[1].display, "Austrians");
  ASSERT_EQ(world.module.boxes.size(), 2U);
  EXPECT_EQ(world.module.boxes[0].display, "Not yet on the map");
}

TEST_F(Mollwitz, BoardHasElevenColumnsAndFifteenRows) {
  EXPECT_EQ(world.module.board.n, 11 * 15);
  EXPECT_EQ(world.module.board.label[hex(world, "1115")], "1115");
}

TEST_F(Mollwitz, TerrainIsPaintedByLettersThenByName) {
  const Column& terrain = world.module.columns.at(static_cast<std::size_t>(world.module.terrainColumn));
  auto is = [&](const std::string& label, const std::string& value) {
    return terrain.initial[hex(world, label)] == valueOf(world, "Ground", value);
  };
  EXPECT_TRUE(is("0901", "woods")); // row 01: ninth and tenth letter
  EXPECT_TRUE(is("1001", "woods"));
  EXPECT_TRUE(is("1101", "clear"));
  EXPECT_TRUE(is("0102", "marsh")); // row 02 begins with M
  EXPECT_TRUE(is("0203", "woods")); // row 03: M W
  EXPECT_TRUE(is("0504", "town"));  // `town Mollwitz at 0504 0604`
  EXPECT_TRUE(is("0314", "town"));
  EXPECT_TRUE(is("0713", "woods")); // row 13: the seventh letter
  EXPECT_EQ(terrain.planes, 4);
  EXPECT_EQ(std::count(terrain.initial.begin(), terrain.initial.end(), valueOf(world, "Ground", "town")), 5);
}

TEST_F(Mollwitz, RoadsJoinNeighbours) {
  const EnumFacts& way = world.enumFacts[enumType(world, "Way").id];
  const Column& paths = world.module.columns.at(static_cast<std::size_t>(way.mapColumn));
  // 0604 lies on the Ohlau road (0603, 0605), the Hermsdorf road (0705) and the Grueningen road (0703).
  EXPECT_EQ(std::popcount(static_cast<std::uint64_t>(paths.initial[hex(world, "0604")])), 4);
  EXPECT_EQ(std::popcount(static_cast<std::uint64_t>(paths.initial[hex(world, "0615")])), 1);
  EXPECT_EQ(paths.initial[hex(world, "0101")], 0);
  // 0601 to 0602: row 2 is pushed right, so the lower hex of the same column lies to the south-east
  // (direction 2).
  EXPECT_EQ(paths.initial[hex(world, "0601")], 1 << 2);
  EXPECT_EQ(world.columnOf(hexType, "Way"), -1);
}

TEST_F(Mollwitz, AreasAreSetsOfHexes) {
  EXPECT_THAT(hexesOfArea(world, "solid_A"), ElementsAre("0610", "0810"));
  EXPECT_THAT(hexesOfArea(world, "Mollwitz"), ElementsAre("0504", "0604"));
  // hollow: i, c, a and l together
  EXPECT_THAT(hexesOfArea(world, "hollow"),
              testing::UnorderedElementsAre("0406", "0506", "0706", "0605", "0306", "0806", "0906", "0905",
                                            "0606", "0206"));
  EXPECT_EQ(world.module.areas[static_cast<std::size_t>(world.find("hollow_I")->front().value)].label, "i");
  EXPECT_EQ(hexesOfArea(world, "Ohlau road").size(), 15U);
}

TEST_F(Mollwitz, CountersStandInTheOrderOfBattle) {
  const auto& counters = world.module.counters;
  ASSERT_EQ(counters.size(), 10U + 11U); // 1 + 5 + 2 + 2 and 1 + 3 + 1 + 1 + 4 + 1
  EXPECT_EQ(counters[0].name, "Grenadiers");
  EXPECT_EQ(counters[1].name, "Infantry 1");
  EXPECT_EQ(world.module.strings[counters[1].copiesOf], "Infantry");
  EXPECT_EQ(counters[9].name, "Cavalry 2");
  EXPECT_EQ(counters[10].side, 1);
  EXPECT_EQ(counters[20].name, "Hussars");
  EXPECT_EQ(counters[0].startBox, 0);
  EXPECT_EQ(counters[0].startHex, -1);
  const Symbol& infantry = world.find("Infantry")->at(1);
  EXPECT_EQ(infantry.kind, SymbolKind::counters);
  EXPECT_EQ(infantry.side, 1);
  EXPECT_EQ(world.counterSets[infantry.id][0], (std::uint64_t{1} << 11) | (1U << 12) | (1U << 13));
  EXPECT_EQ(world.module.kinds[0].members[0], (std::uint64_t{1} << 21) - 1);
}

TEST_F(Mollwitz, PrintedFieldsComeFromTheRows) {
  Type unit = kindType(world, "Unit");
  auto printed = [&](const std::string& name, int side, const std::string& field) {
    return column(world, unit, field).initial[static_cast<std::size_t>(counter(world, side, name))];
  };
  EXPECT_EQ(printed("Grenadiers", 0, "attack"), 4);
  EXPECT_EQ(printed("Infantry 5", 0, "defense"), 7);
  EXPECT_EQ(printed("Croats", 1, "defense"), 8);
  EXPECT_EQ(printed("Hussars", 1, "move"), 5);
  EXPECT_EQ(printed("Croats", 1, "arm"), valueOf(world, "Arm", "light_infantry"));
  EXPECT_EQ(printed("Hussars", 1, "letter"), none);
  EXPECT_EQ(printed("Artillery 2", 0, "letter"), world.find("solid_A")->front().value);
  EXPECT_EQ(column(world, unit, "attack").bytes, 1);
  EXPECT_EQ(column(world, unit, "arm").planes, 6);
  EXPECT_TRUE(column(world, unit, "attack").constant);
  EXPECT_EQ(column(world, unit, "face").planes, 2);
  EXPECT_EQ(column(world, unit, "moved").resets, SpanKind::playerTurn);
  EXPECT_EQ(column(world, unit, "moved").bytes, 1);
}

TEST_F(Mollwitz, PropertiesTakeTheirTypeFromTheCells) {
  Type ground = enumType(world, "Ground");
  const Column& defense = column(world, ground, "defense");
  EXPECT_EQ(defense.type.kind, ValueKind::integer);
  EXPECT_THAT(defense.initial, ElementsAre(0, 2, 2, 0));
  EXPECT_THAT(column(world, ground, "blocks_sight").initial, ElementsAre(0, 1, 1, 0));
  std::int32_t stops = world.columnOf(ground, "stops");
  EXPECT_THAT(rulesOf(world, world.columnFacts[static_cast<std::size_t>(stops)].marks),
              ElementsAre("MO-012"));
  EXPECT_EQ(world.columnOf(ground, "code"), -1);
}

TEST_F(Mollwitz, CombatResultsIsDense) {
  const Table& table = world.module.tables[world.tablesByName["CombatResults"].front()];
  ASSERT_EQ(table.axes.size(), 2U);
  EXPECT_EQ(table.axes[0].positions, 3);
  EXPECT_EQ(table.axes[0].keys[0].low, none); // ..-1
  EXPECT_EQ(table.axes[0].keys[0].high, -1);
  EXPECT_EQ(table.axes[0].keys[2].high, none);
  Word flip = valueOf(world, "Result", "flip"), gone = valueOf(world, "Result", "eliminate");
  EXPECT_THAT(table.cells, ElementsAre(0, 0, flip, gone, gone, gone));
  EXPECT_THAT(rulesOf(world, table.marks[2]), ElementsAre("MO-037"));
  EXPECT_THAT(rulesOf(world, table.tableMarks), ElementsAre("MO-036"));
}

TEST_F(Mollwitz, DomainsAndState) {
  ASSERT_GE(world.module.domains.size(), static_cast<std::size_t>(firstEnumDomain));
  EXPECT_EQ(world.module.domains[domainCounters].size, 21U);
  EXPECT_EQ(world.module.domains[domainHexes].size, 165U);
  EXPECT_EQ(world.setWords(hexType), 3U);
  const Symbol& state = world.find("must_close")->front();
  EXPECT_EQ(state.id, firstFreeGlobal);
  EXPECT_EQ(world.module.globals[state.id].resets, SpanKind::playerTurn);
  EXPECT_THAT(world.module.globals[state.id].initial, ElementsAre(0));
  EXPECT_EQ(world.module.rules[5].note.substr(0, 7), "reading");
}

// ---- Small packages

const char* const start = R"(game "G" { language 1 side Red "Red" side Blue "Blue" }
box Reserve "Reserve"
type Face is ready, flipped
type Arm { | arm | mounted | | foot | no | | horse | yes | }
terrain hex Ground { | ground | code | cost | | clear | . | 1 | | woods | w | 2 | | lake | l | - | }
terrain hexside Edge is river, bridge
terrain path Way is road, rail
terrain feature Site is city, fort
)";
const char* const unitKind =
    "counter Unit, units { printed cf: int, arm: Arm = foot faces Face state moved = no }\n";
const char* const smallMap = R"(map M { grid pointed, even rows pushed right size 4 by 3 number column row
  rows { | 01 | . w . . | | 02 | . . . . | | 03 | l . . . | } }
)";

TEST(World, OptionalPropertyAndLevel) {
  PackageFixture game(std::string(start) +
                      "map M { grid flat, odd columns pushed down size 3 by 2 number row column fill clear\n"
                      "  level 2 at 0101 .. 0103 }");
  World world = game.world();
  EXPECT_THAT(game.reports(), IsEmpty());
  const Column& cost = column(world, enumType(world, "Ground"), "cost");
  EXPECT_TRUE(cost.type.optional);
  EXPECT_THAT(cost.initial, ElementsAre(1, 2, none));
  EXPECT_EQ(column(world, hexType, "level").initial[hex(world, "0103")], 2); // row 1, column 3
  EXPECT_EQ(column(world, hexType, "level").initial[hex(world, "0201")], 0);
}

TEST(World, HexsidesFeaturesAndStateOfHexes) {
  PackageFixture game(std::string(start) + R"(state of hex owner: side? = none, blown = no
map M { grid pointed, even rows pushed right size 4 by 3 number column row fill clear
  river Oder on 0101/0201 0201SE   city Breslau at 0302 with owner = Blue   fort at 0302
  rail along 0101 0201 .. 0401   place Hill at 0103
  area around = hexes within 1 of Hill plus hex 0401   area west = column(1) except around })");
  World world = game.world();
  EXPECT_THAT(game.reports(), IsEmpty());
  const Board& board = world.module.board;
  const Column& sides = world.module.columns.at(
      static_cast<std::size_t>(world.enumFacts[enumType(world, "Edge").id].mapColumn));
  EXPECT_EQ(sides.initial[static_cast<std::size_t>(hexsideByLabel(board, "0101E"))], 1);
  EXPECT_EQ(sides.owner, Owner::hexside);
  EXPECT_EQ(std::count(sides.initial.begin(), sides.initial.end(), 1), 2);
  const Column& sites = world.module.columns.at(
      static_cast<std::size_t>(world.enumFacts[enumType(world, "Site").id].mapColumn));
  EXPECT_EQ(sites.initial[hex(world, "0302")], 3);
  const Column& ways =
      world.module.columns.at(static_cast<std::size_t>(world.enumFacts[enumType(world, "Way").id].mapColumn));
  // rail is the second value: its six bits begin at 6; e is direction 1, w is 4
  EXPECT_EQ(ways.initial[hex(world, "0201")], (1 << (6 + 1)) | (1 << (6 + 4)));
  EXPECT_EQ(column(world, hexType, "owner").initial[hex(world, "0302")], 1);
  EXPECT_EQ(column(world, hexType, "owner").initial[hex(world, "0101")], none);
  // 0103 stands in an odd row: its neighbours are 0203 and, above, 0102 (north-east).
  EXPECT_THAT(hexesOfArea(world, "around"), testing::UnorderedElementsAre("0102", "0103", "0203", "0401"));
  EXPECT_THAT(hexesOfArea(world, "west"), ElementsAre("0101"));
  EXPECT_THAT(hexesOfArea(world, "Oder"), testing::Not(IsEmpty()));
}

TEST(World, SheetsLegendAndThePartInPlay) {
  PackageFixture game(std::string(start) + R"(
map M { grid pointed, even rows pushed right number column row fill clear legend x = woods, 7 = lake
  sheet West prefix W size 3 by 2 { rows { | 1 | 2 | x 7 | } }
  sheet East prefix E size 2 by 2 { }
  join West east to East west
  road along W0301 E0101
  area Shore = edge(east) plus W0101   area Middle = hexes within 1 of E0101 except East }
scenario 'S' { play on M within (West plus column(1)) }
)");
  Selection selection;
  selection.scenario = "S";
  World world = game.world(selection);
  EXPECT_THAT(game.reports(), IsEmpty());
  const Column& terrain = column(world, hexType, "terrain");
  EXPECT_EQ(terrain.initial[hex(world, "W0101")], 0);
  EXPECT_EQ(terrain.initial[hex(world, "W0201")], 1); // the row begins in the second column
  EXPECT_EQ(terrain.initial[hex(world, "W0301")], 2);
  EXPECT_EQ(world.find("E0101")->front().kind, SymbolKind::hexLabel);
  EXPECT_EQ(world.find("East")->front().kind, SymbolKind::sheet);
  // In play are West and the first column of both sheets, so the eastern edge is the first column of East.
  EXPECT_THAT(hexesOfArea(world, "Shore"), testing::UnorderedElementsAre("W0101", "E0101", "E0102"));
  // Row 1 is not pushed: the western neighbours of E0101 are W0301 and, below, W0302.
  EXPECT_THAT(hexesOfArea(world, "Middle"), testing::UnorderedElementsAre("W0301", "W0302"));
}

TEST(World, ForcesAreMergedAmendedAndRemoved) {
  PackageFixture game(
      {{"a.hlw", std::string(start) + unitKind + smallMap},
       {"b.hlw",
        "forces Red at Reserve { Unit { | name | copies | cf | | Foot | 3 | 4 | | Guard | 1 | 5 | } }"},
       {"c.hlw", "forces Red { Unit (moved = yes) { | name | cf | at | | Late | 1 | 0201 | } }\nforces Blue "
                 "at Reserve { Unit { | name | cf | at | | B | 1 | - | } }"},
       {"mod/m.hlw",
        "amend forces Red { Unit { | name | copies | cf | | Foot | 2 | 6 | | Relief | 1 | 2 | } }\n"
        "remove forces Red.Guard"}});
  World world = game.world();
  EXPECT_THAT(game.reports(), IsEmpty());
  std::vector<std::string> names;
  for (const CounterInfo& info : world.module.counters) names.push_back(info.name);
  EXPECT_THAT(names, ElementsAre("Foot 1", "Foot 2", "Foot 3", "Guard", "Late", "Relief", "B"));
  Type unit = kindType(world, "Unit");
  EXPECT_EQ(column(world, unit, "cf").initial[0], 6);
  EXPECT_EQ(column(world, unit, "cf").initial[4], 1);
  EXPECT_EQ(column(world, unit, "arm").initial[4], 0); // the formula of the kind: foot
  EXPECT_EQ(world.module.counters[2].startBox, -1);    // dropped by `copies 2`
  EXPECT_EQ(world.module.counters[3].startBox, -1);    // removed
  EXPECT_EQ(world.module.counters[5].startBox, 0);     // the only box of the game's forces
  EXPECT_EQ(world.module.counters[4].startHex, static_cast<int>(hex(world, "0201")));
  EXPECT_EQ(world.module.kinds[0].members[0], 0b1110011U);
  EXPECT_EQ(world.module.counters[6].startBox, 0); // `-`: where the head says
}

TEST(World, KindsFormulasAndState) {
  PackageFixture game(std::string(start) + smallMap + R"(
counter Unit, units { printed arm: Arm, cf: int, worth: fraction = it.cf / 2 + bonus_of, side_note: text? }
)");
  World world = game.world(); // `bonus_of` is no constant, but no counter asks for it
  EXPECT_THAT(game.reports(), IsEmpty());
  PackageFixture more(std::string(start) + smallMap + R"(
counter Unit, units { printed arm: Arm, cf: int, worth: fraction = it.cf / 2 + (if it.arm.mounted then 1 else 0), half: int = it.cf / 2 rounded up, low: int = smaller(it.cf, 2) }
kinds of Unit { | kind | plural | arm | | Hussars | hussars | horse | | Militia | - | - | }
counter Militiaman is Unit { printed cf = 1 }
state of Unit tired = no
forces Red at Reserve { Hussars { | name | cf | | H | 3 | } Unit { | name | arm | cf | | U | foot | 5 | } Militiaman { | name | arm | tired | | X | foot | yes | } }
)");
  World second = more.world();
  EXPECT_THAT(more.reports(), IsEmpty());
  Type unit = kindType(second, "Unit");
  EXPECT_TRUE(second.isKindOf(kindType(second, "Hussars").id, unit.id));
  EXPECT_FALSE(second.isKindOf(unit.id, kindType(second, "Hussars").id));
  EXPECT_THAT(column(second, unit, "worth").initial,
              ElementsAre(packRatio(5, 2), packRatio(5, 2), packRatio(1, 2)));
  EXPECT_THAT(column(second, unit, "half").initial, ElementsAre(2, 3, 1));
  EXPECT_THAT(column(second, unit, "low").initial, ElementsAre(2, 2, 1));
  EXPECT_THAT(column(second, unit, "tired").initial, ElementsAre(0, 0, 1));
  EXPECT_EQ(second.columnOf(kindType(second, "Hussars"), "tired"), second.columnOf(unit, "tired"));
}

TEST(World, AmendedTypesTerrainAndCounters) {
  PackageFixture game(
      {{"game.hlw", std::string(start) + unitKind + smallMap},
       {"mod/m.hlw", "amend terrain Ground { | ground | cost | | woods | 3 | | sand | 4 | }\n"
                     "amend counter Unit { printed steps: int = 2 state dug_in = no resets each own turn }\n"
                     "amend type Face { | face | | routed | }"}});
  World world = game.world();
  EXPECT_THAT(game.reports(), IsEmpty());
  EXPECT_THAT(column(world, enumType(world, "Ground"), "cost").initial, ElementsAre(1, 3, none, 4));
  EXPECT_EQ(world.module.enums[enumType(world, "Face").id].names.back(), "routed");
  EXPECT_EQ(column(world, kindType(world, "Unit"), "dug_in").resets, SpanKind::ownTurn);
}

TEST(World, BoxesOfEachSide) {
  PackageFixture game(
      std::string(start) +
      "box Dead each side \"Dead\"\nforces Blue at Dead { Unit { | name | cf | | B | 1 | } }\n" + unitKind +
      smallMap);
  World world = game.world();
  EXPECT_THAT(game.reports(), IsEmpty());
  ASSERT_EQ(world.module.boxes.size(), 3U);
  EXPECT_EQ(world.module.boxes[2].display, "Dead (Blue)");
  EXPECT_EQ(world.module.counters[0].startBox, 2);
}

// ---- Tables

World tableWorld(PackageFixture& game) {
  return game.world();
}
const Table& table(const World& world) {
  return world.module.tables.at(0);
}

TEST(Tables, RoundedOddsAndDice) {
  PackageFixture game(std::string(start) + R"(type Result is AE, EX, DE
table T(die: d6, ratio: odds): Result { round ratio down clamp ratio
  | die | 1:2 | 1:1 | 4:2 | | 1-3 | AE | EX | DE | | 4-6 | AE | AE | EX | })");
  World world = tableWorld(game);
  EXPECT_THAT(game.reports(), IsEmpty());
  const Table& t = table(world);
  EXPECT_EQ(t.axes[1].scale, 1);
  EXPECT_EQ(t.axes[1].rounding, Rounding::down);
  EXPECT_TRUE(t.axes[1].clampBelow);
  EXPECT_EQ(t.axes[1].keys[2].low, packRatio(2, 1)); // 4:2 in lowest terms
  EXPECT_EQ(t.axes[0].keys[1].low, 4);
  EXPECT_THAT(t.cells, ElementsAre(0, 1, 2, 0, 0, 1));
}

TEST(Tables, CellsHoldTheDice) {
  PackageFixture game(std::string(start) +
                      R"(table Losses(ratio: odds, dice: d66): int { round ratio down clamp ratio cells dice
  | ratio | 0 | 1 | 2 | | 1:1 | 11-53 | 54-65 | 66 | | 3:2 | 11-45 | 46-63 | 64-66 | })");
  World world = tableWorld(game);
  EXPECT_THAT(game.reports(), IsEmpty());
  const Table& t = table(world);
  ASSERT_EQ(t.axes[1].positions, 36);
  auto at = [&](std::size_t row, Word dice) {
    for (const auto& key : t.axes[1].keys)
      if (key.low == dice) return t.cells[row * 36 + key.index];
    return none;
  };
  EXPECT_EQ(at(0, 53), 0);
  EXPECT_EQ(at(0, 54), 1);
  EXPECT_EQ(at(1, 64), 2);
  EXPECT_EQ(at(1, 63), 1);
}

TEST(Tables, ResultsDownTheSide) {
  PackageFixture game(std::string(start) + R"(type Event is storm, calm
table Events(die: d10, roller: side): Event { cells die
  | result | Red | Blue | | storm | 0-2 | - | | calm | 3-9 | 0-9 | })");
  World world = tableWorld(game);
  EXPECT_THAT(game.reports(), IsEmpty());
  const Table& t = table(world);
  // axis 0: die, a position for each value; axis 1: Red, Blue
  EXPECT_EQ(t.cells[2 * 2 + 0], 0);
  EXPECT_EQ(t.cells[2 * 2 + 1], 1);
  EXPECT_EQ(t.cells[3 * 2 + 0], 1);
}

TEST(Tables, OneColumnAnyOtherAndNone) {
  PackageFixture game(std::string(start) + R"(table Cost(ground: Ground, arm: Arm) {
  | ground | foot | horse | | clear | 1 | 1 | | any other | 2 | - | }
table Weather(die: d6) { | die | weather | | 1-4 | ready | | 5, 6 | flipped | }
table Calendar(turn: int) { | turn | sites | | 1 | city, fort | | 2.. | - | })");
  World world = tableWorld(game);
  EXPECT_THAT(game.reports(), IsEmpty());
  EXPECT_TRUE(world.tableFacts[0].result.optional);
  EXPECT_EQ(table(world).axes[0].anyOther, 1);
  EXPECT_THAT(table(world).cells, ElementsAre(1, 1, 2, none));
  EXPECT_EQ(world.tableFacts[1].result.kind, TypeKind::enumeration);
  EXPECT_EQ(world.module.tables[1].axes[0].keys.size(), 3U);
  EXPECT_TRUE(world.tableFacts[2].result.set);
  EXPECT_THAT(world.module.tables[2].cells, ElementsAre(3, 0));
}

TEST(Tables, TwoKeyColumnsWithOtherwise) {
  PackageFixture game(std::string(start) +
                      R"(table Change(old: Ground, new: Ground, s: side): fraction? { otherwise none
  | old | new | Red | Blue | | clear | woods | 2 | 1/2 | | woods, lake | clear | 3 | 1 | })");
  World world = tableWorld(game);
  EXPECT_THAT(game.reports(), IsEmpty());
  const Table& t = table(world);
  ASSERT_EQ(t.axes[0].positions, 2);
  ASSERT_EQ(t.axes[1].positions, 2);
  EXPECT_THAT(t.filled, ElementsAre(1, 1, 0, 0, 0, 0, 1, 1));
  EXPECT_EQ(t.cells[1], packRatio(1, 2));
  EXPECT_THAT(t.otherwise, ElementsAre(none));
}

TEST(Tables, OverlappingKeyColumnsAreCut) {
  PackageFixture game(std::string(start) + R"(table T(a: int, b: side): int { clamp a
  | a | b | x | | 1-4 | Red | 1 | | 1-2 | Blue | 2 | | 3-4 | Blue | 3 | })");
  World world = tableWorld(game);
  EXPECT_THAT(game.reports(), IsEmpty());
  EXPECT_EQ(table(world).axes[0].positions, 2); // 1-2 and 3-4
  EXPECT_THAT(table(world).cells, ElementsAre(1, 2, 1, 3));
}

TEST(Tables, GapsAreNamed) {
  PackageFixture dice(std::string(start) +
                      "table T(die: d6, arm: Arm): int { | die | foot | | 1-3 | 1 | | 5 | 2 | }");
  dice.world();
  EXPECT_THAT(dice.reports(), ElementsAre("HW0501 the table has no cell for die 4, 6",
                                          "HW0501 the table has no cell for arm horse"));
  PackageFixture ints(std::string(start) + "table T(m: int): int { | m | x | | ..0 | 1 | | 3.. | 2 | }");
  ints.world();
  EXPECT_THAT(ints.reports(), ElementsAre("HW0501 the table has no cell for m 1 .. 2"));
  PackageFixture pair(
      std::string(start) +
      "table T(m: int, a: Arm): int { clamp m | m | a | x | | 1 | foot | 1 | | 1 | horse | 2 | | 2 | foot | 3 | }");
  pair.world();
  EXPECT_THAT(pair.reports(), ElementsAre("HW0501 the table has no cell for m 2, a horse"));
  PackageFixture cells(std::string(start) + "table T(die: d6): int { cells die | 1 | 2 | | 1-3 | 5-6 | }");
  cells.world();
  EXPECT_THAT(cells.reports(), ElementsAre("HW0501 the table has no cell for die 4"));
}

TEST(Tables, OverlapsAreNamed) {
  PackageFixture keys(std::string(start) + "table T(die: d6): int { | die | x | | 1-3 | 1 | | 3-6 | 2 | }");
  keys.world();
  EXPECT_THAT(keys.reports(), ElementsAre("HW0502 two keys of the table fit die 3"));
  EXPECT_EQ(keys.spot(0), "3-6");
  ASSERT_EQ(keys.sink.all()[0].places.size(), 1U);
  PackageFixture twice(std::string(start) +
                       "table T(m: int, a: Arm): int { clamp m | m | a | x | | 1 | foot | 1 | | 1 | any | 2 | }");
  twice.world();
  EXPECT_THAT(twice.reports(), ElementsAre("HW0502 two keys of the table fit m 1, a foot"));
}

TEST(Tables, AmendedRowsAndCells) {
  PackageFixture game(
      {{"game.hlw", std::string(start) +
                        "table T(m: int, a: Arm): int { clamp m | m | foot | horse | | 1 | 1 | 2 | | 2 | 3 | 4 | }"},
       {"mod/m.hlw", "amend table T { | m | horse | | 2 | 9 | }"}});
  World world = tableWorld(game);
  EXPECT_THAT(game.reports(), IsEmpty());
  EXPECT_THAT(table(world).cells, ElementsAre(1, 2, 3, 9));
}

TEST(Tables, MissingInputAndWrongCells) {
  PackageFixture game(std::string(start) + R"(type R is AE, DE
table T(die: d6, arm: Arm, s: side): R { | die | x | | 1-6 | AE | }
table U(die: d6): R { | die | x | | 1-3 | AX | | 4-6 | 3 | })");
  game.world();
  EXPECT_THAT(game.reports(),
              ElementsAre("HW0521 the table has no column and no headings for its input `arm`",
                          "HW0301 there is no R `AX`", "HW0504 this cell is an int; the column holds R"));
}

// ---- What is told

std::vector<std::string> reportsOf(const std::string& text) {
  PackageFixture game(std::string(start) + text);
  game.world();
  return game.reports();
}

TEST(WorldErrors, MapsAreChecked) {
  EXPECT_THAT(reportsOf("map M { grid pointed, even rows pushed right size 2 by 2 number column row\n"
                        "rows { | 01 | . q | | 02 | . . . | } }"),
              ElementsAre("HW0510 no terrain has the letter `q`",
                          "HW0511 this row has 3 hexes, the map has 2 in it"));
  EXPECT_THAT(reportsOf("map M { grid pointed, even rows pushed right size 2 by 2 number column row rows { | "
                        "01 | . . | } }"),
              ElementsAre("HW0515 the map has 2 rows, here are 1"));
  EXPECT_THAT(
      reportsOf("map M { grid pointed, even rows pushed right size 3 by 2 number column row fill clear\n"
                "road along 0101 0301 place X at 0909 city on 0101 rode along 0101 0201 river on 0101X }"),
      ElementsAre("HW0505 0101 and 0301 are not adjacent", "HW0506 hex 0909 is not on the map",
                  "HW0526 `city` is a feature: it is laid `at`", "HW0301 there is no terrain `rode`",
                  "HW0516 `0101X` is no hexside of this map"));
  EXPECT_THAT(reportsOf("map M { size 3 by 2 number column row fill clear }"),
              ElementsAre("HW0517 the map lacks its `grid`"));
  EXPECT_THAT(reportsOf("map M { grid pointed, even rows pushed right size 2 by 1 number column row fill "
                        "clear area a = b area b = a }"),
              ElementsAre(HasSubstr("HW0701")));
}

TEST(WorldErrors, ForcesAreChecked) {
  std::string before = std::string(unitKind) + smallMap;
  EXPECT_THAT(reportsOf(before + "forces Red at Reserve { Unit { | name | copies | | Foot | 2 | } }"),
              ElementsAre("HW0507 Foot lacks its field `cf`"));
  EXPECT_THAT(
      reportsOf(before + "forces Red at Reserve { Unit { | name | cf | | Foot | 2 | | Foot | 3 | } }"),
      ElementsAre("HW0512 the counter `Foot` is in the forces twice"));
  EXPECT_THAT(reportsOf(before + "forces Rad at Reserv { Unit { | name | cf | | Foot | 2 | } }"),
              ElementsAre("HW0301 there is no side `Rad`"));
  EXPECT_THAT(reportsOf(before + "forces Red at Reserv { Unit { | name | cf | attak | | Foot | 2 | 1 | } }"),
              ElementsAre("HW0301 there is no box `Reserv`", "HW0508 there is no column `attak` here"));
  EXPECT_THAT(reportsOf(before + "forces Red { Unit { | name | cf | | Foot | 2 | } }"),
              ElementsAre(HasSubstr("HW0520")));
  EXPECT_THAT(
      reportsOf(before + "forces Red { Unit { | name | cf | at | | Foot | x | 0909 | } }"),
      testing::UnorderedElementsAre("HW0301 there is no int `x`", "HW0506 hex 0909 is not on the map"));
}

TEST(WorldErrors, NamesAndMarks) {
  EXPECT_THAT(
      reportsOf("rulebook \"R\" { | id | title | | A-1 | One | | A-1 | Two | }\ntype X [A-2] is a, b, a"),
      ElementsAre("HW0309 the rulebook has `A-1` twice", "HW0305 the rulebook has no rule `A-2`",
                  "HW0306 `a` is declared twice"));
  EXPECT_THAT(reportsOf("counter Unit { printed cf: Int }"), ElementsAre("HW0301 there is no type `Int`"));
  EXPECT_THAT(reportsOf("type Y { | y | odd | | a | yes | | b | 3 | }"),
              ElementsAre("HW0504 this cell is int; the column holds bool"));
  EXPECT_THAT(reportsOf("group Army, armies { }\nrecord Battle { n: int }\nstate boss: Army? = none\n"
                        "state fight: Battle = none"),
              ElementsAre("HW0670 `Battle` is a bundle of fields, which lives in procedures only: it cannot be a field "
                          "or state"));
  PackageFixture sides("game \"G\" { side Red \"Red\" }");
  sides.world();
  EXPECT_THAT(sides.reports(), ElementsAre("HW0524 a game has two sides; here are 1"));
}

TEST(WorldErrors, SuggestionsComeWithTheFix) {
  PackageFixture game(std::string(start) + unitKind + smallMap +
                      "forces Red at Reserve { Unit { | name | cf | arm | | F | 1 | hors | } }");
  game.world();
  ASSERT_THAT(game.reports(), ElementsAre("HW0301 there is no Arm `hors`"));
  ASSERT_TRUE(game.sink.all()[0].fix);
  EXPECT_EQ(game.sink.all()[0].fix->replacement, "horse");
}

TEST(WorldErrors, FaultySourcesDoNotCrash) {
  // Every cut of a whole game must be survived; what is reported does not matter.
  std::string whole = std::string(start) + unitKind + smallMap +
                      "forces Red at Reserve { Unit { | name | cf | | Foot | 2 | } }\n"
                      "table T(die: d6): int { clamp die | die | x | | 1-3 | 1 | | 4-6 | 2 | }\nlook { side "
                      "Red { paper \"#fff\" } }";
  for (std::size_t cut = 0; cut < whole.size(); cut += 7) {
    PackageFixture game(whole.substr(0, cut));
    game.world();
  }
}

} // namespace
} // namespace hellwig
