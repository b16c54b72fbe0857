// SPDX-License-Identifier: Apache-2.0
// Writes the package of generated_package.h.
#include "tests/bench/generated_package.h"

namespace hellwig::bench {

namespace {

/// The text with `#` for a number of its own: names stay apart.
std::string numbered(std::string text, int n) {
  const std::string number = std::to_string(n);
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + number.size()))
    text.replace(at, 1, number);
  return text;
}

std::string twoDigits(int n) {
  return (n < 10 ? "0" : "") + std::to_string(n);
}

std::string gameFile(const GeneratedSize& size) {
  std::string text = R"(// Title, sides, sequence of play.

game "A generated game" {
  designer "Nobody"
  language 1
  side     North "North"
  side     South "South"
)";
  if (size.options > 0) {
    text += "  options  ";
    for (int i = 1; i <= size.options; ++i)
      text += (i > 1 ? ", 'Option " : "'Option ") + std::to_string(i) + "'";
    text += "\n";
  }
  text += R"(}

box Reserve    "Not yet on the map"
box Eliminated "Eliminated"

sequence {
  turns 1 to 20 {
    player turn North, South {
      phase Movement { do move_units(6) }
)";
  for (int i = 1; i <= size.modules; ++i) text += numbered("      phase Assault_# { do assaults_#(2) }\n", i);
  text += R"(    }
  }
}

procedure move_units(n: int) {
  repeat at most n times {
    choose u from units of player where any reach march(it)   "Choose a unit to move"
      or pass "End movement"
    choose h from reach march(u)                              "Move {u} to which hex?"
    move u to h by march(u)
    set u.moved to yes
  }
}

value ready_units(s: side): int = count of units of s where it is ready

victory {
  at once any side s wins "The enemy has only {s.enemy.ready_units} units left" when s.enemy.ready_units <= 2
  at end  draw "Night falls"
}
)";
  return text;
}

std::string terrainFile() {
  return R"(// Terrain, sight, zones, stacking, movement.

terrain hex Ground {
  | ground | code | cost | blocks_sight | defense |
  | clear  | .    | 1    | no           | 0       |
  | woods  | w    | 2    | yes          | 1       |
  | hill   | h    | 2    | yes          | 2       |
  | marsh  | m    | 3    | no           | 0       |
  | lake   | l    | -    | no           | 0       |
}
terrain path Way is road

type Face is ready, flipped

type Arm {
  | arm       | mounted | weight |
  | infantry  | no      | 3      |
  | artillery | no      | 2      |
  | cavalry   | yes     | 4      |
}

counter Unit, units {
  printed arm: Arm, attack: int, defense: int, move: int, range: int
  faces   Face
  state   moved = no, attacked = no resets each player turn
}

permission see(a: hex, b: hex) {
  through h between a and b split both {
    forbid when h.terrain.blocks_sight   "the {h.terrain} in {h} blocks the line of sight"
    forbid when any units at h           "a unit in {h} blocks the line of sight"
  }
}

zone zoc(u: Unit) covers h in hexes adjacent to u {
  forbid when u is flipped   "a flipped unit has no zone of control"
}

value engaged(u: Unit): bool = u.hex in u.enemy.zoc

permission stack(u: Unit, h: hex) {
  forbid when (count of units at h) >= 3   "no more than three units may be in a hex"
}

route march(u: Unit) {
  budget u.move
  forbid when u is flipped   "a flipped unit may not move"
  forbid when u.moved        "{u} has already moved this turn"
  step from a to b {
    cost   b.terrain.cost {
      become 1/2   when road between a and b   as "road"
    }
    forbid when any units of u.enemy at b   "enemy units may not be moved through"
    stop   when b in u.enemy.zoc            "must stop in an enemy zone of control"
  }
  end at h {
    forbid when not can stack(u, h)
  }
}
)";
}

std::string mapFile(const GeneratedSize& size) {
  std::string text = "// The country.\n\nmap Country {\n  grid   pointed, even rows pushed right\n  size   " +
                     std::to_string(size.columns) + " by " + std::to_string(size.rows) +
                     "\n  number column row\n  rows {\n";
  // A plain sum that scatters woods and hills, always in the same way; the corner is left open.
  for (int row = 1; row <= size.rows; ++row) {
    text += "    | " + twoDigits(row) + " |" + (row % 2 == 0 ? " " : "");
    for (int column = 1; column <= size.columns; ++column) {
      const int roll = (row * 7919 + column * 104729 + row * column * 31) % 23;
      const bool open = row <= 4 || roll > 5;
      text += std::string(" ") + (open ? '.' : "wwhhml"[roll]);
    }
    text += " |\n";
  }
  text += "  }\n  road 'Great road' along 0101";
  for (int column = 2; column <= size.columns; ++column) text += " " + twoDigits(column) + "01";
  return text + "\n}\n";
}

std::string forcesFile(const GeneratedSize& size, bool north) {
  std::string text =
      std::string("// The order of battle.\n\nforces ") + (north ? "North" : "South") +
      " at Reserve {\n  Unit {\n    | name | copies | arm | attack | defense | move | range |\n";
  static const char* const arms[] = {"infantry", "artillery", "cavalry"};
  for (int i = 1; i <= size.units / 2; ++i)
    text += "    | '" + std::string(north ? "N" : "S") + " Regiment " + std::to_string(i) + "' | 1 | " +
            arms[i % 3] + " | " + std::to_string(1 + i % 4) + " | " + std::to_string(2 + i % 5) + " | " +
            std::to_string(i % 3 == 2 ? 6 : 4) + " | " + std::to_string(i % 3 == 1 ? 4 : 1) + " |\n";
  return text + "  }\n}\n";
}

std::string scenarioFile(int n) {
  return numbered(R"(scenario 'Scenario #' {
  play on Country
  amend value start_hexes(u: Unit) {
    add hexes within # of (hex 0101)   when u.side is North
    add hexes within # of (hex 0120)   when u.side is South
  }
  setup provided can stack(it, it.hex)
  setup by South {
    place (units of South at Reserve) in start_hexes(it)   "Place {it} on which hex?"
  }
  setup by North {
    place (units of North at Reserve) in start_hexes(it)   "Place {it} on which hex?"
  }
}
)",
                  n);
}

std::string optionFile(int n) {
  return numbered(R"(option 'Option #' default off {
  amend permission assault_1(u: Unit, t: Unit) {
    forbid when u.arm.mounted and t.hex.terrain is woods   "cavalry may not attack into {t.hex.terrain}"
  }
  amend value strength_1(u: Unit) {
    add # when u.arm is artillery   as "option #"
  }
  amend route march(u: Unit) {
    budget original + #
  }
}
)",
                  n);
}

std::string rulesFile(int n) {
  return numbered(R"(// Module # of the rules: who may assault whom, with what strength, and what comes of it.

type Result_# is held_#, pushed_#, broken_#, routed_#

state pressure_# = 0
state alarmed_#  = no resets each player turn

table Outcome_#(die: d6, ratio: odds): Result_# {
  round ratio down
  clamp ratio
  | die | 1:3      | 1:2      | 1:1      | 2:1      | 3:1      | 4:1      |
  | 1   | held_#   | held_#   | held_#   | pushed_# | pushed_# | broken_# |
  | 2   | held_#   | held_#   | pushed_# | pushed_# | broken_# | broken_# |
  | 3   | held_#   | pushed_# | pushed_# | broken_# | broken_# | routed_# |
  | 4   | pushed_# | pushed_# | broken_# | broken_# | routed_# | routed_# |
  | 5   | pushed_# | broken_# | broken_# | routed_# | routed_# | routed_# |
  | 6   | broken_# | broken_# | routed_# | routed_# | routed_# | routed_# |
}

value strength_#(u: Unit): int = u.attack + u.arm.weight {
  add u.hex.terrain.defense   as "{u.hex.terrain}"
  add 2                       when u is ready and not u.moved                    as "rested"
  subtract 1                  when any units of u.enemy within 2 of u.hex        as "threatened"
  subtract 1                  when u.engaged and u.arm.mounted                   as "hemmed in"
}
value total_#(us: set of Unit): int        = sum of strength_#(it) over us
value near_#(u: Unit): set of Unit         = units of u.enemy within u.range of u.hex
value targets_#(u: Unit): set of Unit      = near_#(u) where can assault_#(u, it)
value attackers_#(t: Unit): set of Unit    = units of t.enemy where can assault_#(it, t)
value weak_#(s: side): set of Unit         = units of s where it is flipped or strength_#(it) < 4
value worth_#(u: Unit): fraction = u.attack + u.defense {
  divide by 2 when u is flipped
}
value interest_#(s: side): fraction = sum of worth_#(it) over units of s {
  subtract sum of worth_#(it) over units of s.enemy
  add      count of weak_#(s.enemy)
}

permission assault_#(u: Unit, t: Unit) {
  forbid when u is flipped                                  "a flipped unit may not attack"
  forbid when u.attacked                                    "{u} has already attacked this turn"
  forbid when u.moved and u.range > 1                       "a unit with a range above 1 may not attack after it moved"
  forbid when distance(u, t) > u.range                      "{t} is out of range"
  forbid when not can see(u.hex, t.hex)
  forbid when u.engaged and distance(u, t) > 1              "a unit in an enemy zone of control may only attack adjacent units"
}

route retreat_#(u: Unit) {
  length 1
  step from a to b {
    forbid when any units at b     "units may only retreat into empty hexes"
    forbid when b in u.enemy.zoc   "no retreat into an enemy zone of control"
  }
}

procedure assaults_#(n: int) {
  let left = n
  repeat at most n times while left > 0 {
    choose t from units of opponent where any attackers_#(it)   "Choose a unit to attack"
      or pass "End attacks"
    choose 1 to left us from attackers_#(t)                     "With which units?"
    set left to left - count of us
    do assault_by_#(us, t)
  }
}

procedure assault_by_#(us: set of Unit, t: Unit) {
  for each u in us { set u.attacked to yes }
  roll die = d6 "Attack on {t}"
  match Outcome_#(die, odds(total_#(us), t.defense)) {
    held_#   { set pressure_# to pressure_# + 1 }
    pushed_# { do push_#(t) }
    broken_# {
      set t.face to flipped
      do push_#(t)
    }
    routed_# { move t to Eliminated }
  }
  if pressure_# > 10 and not alarmed_# {
    set alarmed_# to yes
    set pressure_# to 0
    say "Module #: {player} is alarmed"
  }
}

procedure push_#(t: Unit) {
  ask t.side to choose h from reach retreat_#(t)   "Retreat {t} to which hex?" {
    move t to h by retreat_#(t)
  }
  or "Hold the {t.hex.terrain}" when t.hex.terrain is hill { }
  otherwise { move t to Eliminated }
}

test "Results of module #" {
  expect Outcome_#(1, odds(1, 1)) is held_#
  expect Outcome_#(4, odds(5, 2)) is broken_#
  expect Outcome_#(6, odds(9, 1)) is routed_#
}
)",
                  n);
}

} // namespace

std::vector<std::pair<std::string, std::string>> generatedPackage(const GeneratedSize& size) {
  std::vector<std::pair<std::string, std::string>> files = {{"forces/north.hlw", forcesFile(size, true)},
                                                            {"forces/south.hlw", forcesFile(size, false)},
                                                            {"game.hlw", gameFile(size)},
                                                            {"map.hlw", mapFile(size)}};
  for (int i = 1; i <= size.options; ++i)
    files.emplace_back("options/" + twoDigits(i) + ".hlw", optionFile(i));
  for (int i = 1; i <= size.modules; ++i) files.emplace_back("rules/" + twoDigits(i) + ".hlw", rulesFile(i));
  for (int i = 1; i <= size.scenarios; ++i)
    files.emplace_back("scenarios/" + twoDigits(i) + ".hlw", scenarioFile(i));
  files.emplace_back("setup.hlw",
                     "// Where may this unit start?\n\nvalue start_hexes(u: Unit): set of hex = none\n");
  files.emplace_back("terrain.hlw", terrainFile());
  return files;
}

} // namespace hellwig::bench
