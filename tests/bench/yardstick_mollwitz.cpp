// SPDX-License-Identifier: Apache-2.0
// The hand-written Mollwitz: sets of hexes as three words, everything fixed worked out before the first game.

#include "tests/bench/yardstick_mollwitz.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

namespace hellwig::bench::mollwitz {

const std::array<UnitData, unitCount> unitTable = {{
    {"Prussia.Grenadiers", Arm::infantry, 4, 7, 2, 2},   {"Prussia.Infantry 1", Arm::infantry, 3, 7, 2, 2},
    {"Prussia.Infantry 2", Arm::infantry, 3, 7, 2, 2},   {"Prussia.Infantry 3", Arm::infantry, 3, 7, 2, 2},
    {"Prussia.Infantry 4", Arm::infantry, 3, 7, 2, 2},   {"Prussia.Infantry 5", Arm::infantry, 3, 7, 2, 2},
    {"Prussia.Artillery 1", Arm::artillery, 3, 5, 1, 4}, {"Prussia.Artillery 2", Arm::artillery, 3, 5, 1, 4},
    {"Prussia.Cavalry 1", Arm::cavalry, 2, 6, 4, 1},     {"Prussia.Cavalry 2", Arm::cavalry, 2, 6, 4, 1},
    {"Austria.Grenadiers", Arm::infantry, 4, 7, 2, 2},   {"Austria.Infantry 1", Arm::infantry, 3, 7, 2, 2},
    {"Austria.Infantry 2", Arm::infantry, 3, 7, 2, 2},   {"Austria.Infantry 3", Arm::infantry, 3, 7, 2, 2},
    {"Austria.Croats", Arm::lightInfantry, 2, 8, 3, 2},  {"Austria.Artillery", Arm::artillery, 3, 5, 1, 4},
    {"Austria.Cavalry 1", Arm::cavalry, 4, 6, 4, 1},     {"Austria.Cavalry 2", Arm::cavalry, 4, 6, 4, 1},
    {"Austria.Cavalry 3", Arm::cavalry, 4, 6, 4, 1},     {"Austria.Cavalry 4", Arm::cavalry, 4, 6, 4, 1},
}};

namespace {

constexpr int lastTurn = 60;
constexpr int maxRange = 4;
constexpr int beaten = 2; // a side with no more unflipped units has lost

// The map as printed in the rows of the package; towns are T.
constexpr std::array<std::string_view, rows> mapRows = {
    "........WW.", "M........T.", "MW.....W...", "M...TT.....", "M..........",
    "...........", "M.........T", "M..........", ".M.......W.", "M.........W",
    "M........W.", "M..........", ".M....W....", "..T........", "...........",
};
// Letters by side and arm, in hex number order; infantry and grenadiers share theirs.
constexpr std::array<int, 6> solidInfantry = {410, 510, 512, 710, 712, 811};
constexpr std::array<int, 2> solidArtillery = {610, 810};
constexpr std::array<int, 2> solidCavalry = {311, 910};
constexpr std::array<int, 4> hollowInfantry = {406, 506, 605, 706};
constexpr std::array<int, 1> hollowArtillery = {606};
constexpr std::array<int, 4> hollowCavalry = {306, 806, 905, 906};
constexpr std::array<int, 1> hollowLight = {206};

constexpr Bits shiftUp(const Bits& b, int n) {
  return {{b.word[0] << n, (b.word[1] << n) | (b.word[0] >> (64 - n)),
           (b.word[2] << n) | (b.word[1] >> (64 - n))}};
}
constexpr Bits shiftDown(const Bits& b, int n) {
  return {{(b.word[0] >> n) | (b.word[1] << (64 - n)), (b.word[1] >> n) | (b.word[2] << (64 - n)),
           b.word[2] >> n}};
}

// At most four hexes or pairs of hexes that a line of sight crosses; a hex alone stands twice, and `nowhere`,
// which never blocks, fills what is left.
constexpr Cell nowhere = 191;
using Line = std::array<Cell, 8>;

struct Tables {
  Bits board, pushed, stops, barsCavalry;
  std::array<std::uint8_t, 192> blocks{}, addsDefense{}, mayHold{};
  std::array<std::array<Bits, maxRange + 1>, cellCount> within{}; // the hex itself left out
  std::array<std::array<std::uint8_t, cellCount>, cellCount> distance{};
  std::array<std::array<std::uint16_t, cellCount>, cellCount> lineOf{};
  std::vector<Line> lines;
  std::array<Bits, unitCount> letters{};

  Tables();
  void findLine(Cell a, Cell b);
};

struct Axial {
  int q, r;
};
Axial axialOf(int cell) {
  const int column = cell / stride, row = cell % stride;
  return {column - row / 2, row}; // rows 2, 4 .. (1, 3 .. counted from 0) stand half a hex to the right
}
int axialDistance(Axial a, Axial b) {
  const int q = a.q - b.q, r = a.r - b.r;
  return (std::abs(q) + std::abs(r) + std::abs(q + r)) / 2;
}

// Centres and corners in whole numbers: half a hex's width across, a third of the distance of rows down. This
// stretches the board, which changes no crossing of lines.
struct Point {
  int x, y;
};
Point centreOf(int cell) {
  const int column = cell / stride, row = cell % stride;
  return {2 * column + (row & 1), 3 * row};
}
constexpr std::array<Point, 6> cornerOffsets = {{{0, -2}, {1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}}};

void Tables::findLine(Cell a, Cell b) {
  const Point from = centreOf(a), to = centreOf(b);
  const int dx = to.x - from.x, dy = to.y - from.y;
  Line line;
  line.fill(nowhere);
  int used = 0;
  struct Side {
    Point first, second;
    Cell cell;
    bool left;
  };
  std::vector<Side> sides; // hexsides along which the line runs, seen from the hex on one side of it
  for (int cell = 0; cell < cellCount; ++cell) {
    if (!board.has(cell) || cell == a || cell == b) continue;
    if (distance[a][cell] >= distance[a][b] || distance[b][cell] >= distance[a][b]) continue;
    const Point centre = centreOf(cell);
    int left = 0, right = 0;
    std::vector<Point> touched;
    for (const Point& offset : cornerOffsets) {
      const Point corner{centre.x + offset.x, centre.y + offset.y};
      const int turn = dx * (corner.y - from.y) - dy * (corner.x - from.x);
      if (turn > 0) ++left;
      if (turn < 0) ++right;
      if (turn == 0) touched.push_back(corner);
    }
    if (left != 0 && right != 0) {
      line[used++] = static_cast<Cell>(cell);
      line[used++] = static_cast<Cell>(cell);
    } else if (touched.size() == 2) {
      if (touched[0].y > touched[1].y || (touched[0].y == touched[1].y && touched[0].x > touched[1].x))
        std::swap(touched[0], touched[1]);
      sides.push_back({touched[0], touched[1], static_cast<Cell>(cell), left != 0});
    }
  }
  for (const Side& one : sides)
    for (const Side& other : sides)
      if (one.left && !other.left && one.first.x == other.first.x && one.first.y == other.first.y) {
        line[used++] = one.cell;
        line[used++] = other.cell;
      }
  lineOf[a][b] = static_cast<std::uint16_t>(lines.size());
  lines.push_back(line);
}

Tables::Tables() {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int cell = column * stride + row;
      board.add(cell);
      if (row & 1) pushed.add(cell);
      const char letter = mapRows[row][column];
      if (letter != '.') stops.add(cell);
      if (letter == 'T' || letter == 'W') blocks[cell] = addsDefense[cell] = mayHold[cell] = 1;
    }
  barsCavalry = stops;
  for (std::uint8_t& defense : addsDefense) defense = static_cast<std::uint8_t>(defense * 2);
  for (int a = 0; a < cellCount; ++a)
    for (int b = 0; b < cellCount; ++b) {
      if (!board.has(a) || !board.has(b)) continue;
      const int d = axialDistance(axialOf(a), axialOf(b));
      distance[a][b] = static_cast<std::uint8_t>(d);
      for (int n = std::max(d, 1); n <= maxRange; ++n)
        if (a != b) within[a][n].add(b);
    }
  lines.push_back({nowhere, nowhere, nowhere, nowhere, nowhere, nowhere, nowhere, nowhere});
  for (int a = 0; a < cellCount; ++a)
    for (int b = 0; b < cellCount; ++b)
      if (board.has(a) && board.has(b) && distance[a][b] >= 2 && distance[a][b] <= maxRange)
        findLine(static_cast<Cell>(a), static_cast<Cell>(b));
  const auto letter = [this](int first, int last, const auto& numbers) {
    for (int unit = first; unit <= last; ++unit)
      for (int number : numbers) letters[unit].add(cellOf(number / 100, number % 100));
  };
  letter(0, 5, solidInfantry);
  letter(6, 7, solidArtillery);
  letter(8, 9, solidCavalry);
  letter(10, 13, hollowInfantry);
  letter(14, 14, hollowLight);
  letter(15, 15, hollowArtillery);
  letter(16, 19, hollowCavalry);
}

const Tables tables;

constexpr std::uint32_t sideMask(Side side) {
  return side == prussia ? 0x003FFu : 0xFFC00u;
}
constexpr Side enemyOf(Side side) {
  return side == prussia ? austria : prussia;
}
constexpr Side sideOf(int unit) {
  return unit < unitsPerSide ? prussia : austria;
}

template<typename F> void forEachBit(std::uint64_t bits, F&& f) {
  for (; bits != 0; bits &= bits - 1) f(std::countr_zero(bits));
}
template<typename F> void forEachCell(const Bits& bits, F&& f) {
  for (int i = 0; i < 3; ++i) forEachBit(bits.word[i], [&](int bit) { f(i * 64 + bit); });
}

Bits neighbours(const Bits& bits) {
  const Bits right = bits & tables.pushed;
  const Bits spread = bits | shiftUp(right, stride) | shiftDown(bits - right, stride);
  return (shiftUp(bits, stride) | shiftDown(bits, stride) | shiftUp(spread, 1) | shiftDown(spread, 1)) &
         tables.board;
}

void remakeZone(State& s, Side side) {
  Bits zone;
  forEachBit(s.ready & sideMask(side), [&](int unit) { zone = zone | tables.within[s.hexOf[unit]][1]; });
  s.zone[side] = zone;
}

void putOn(State& s, int unit, Cell cell) {
  s.hexOf[unit] = cell;
  s.unitAt[cell] = static_cast<std::uint8_t>(unit);
  s.blocks[cell] = 1;
  s.occupied[sideOf(unit)].add(cell);
  s.onMap |= 1u << unit;
}

void liftOff(State& s, int unit) {
  const Cell cell = s.hexOf[unit];
  s.unitAt[cell] = noUnit;
  s.blocks[cell] = tables.blocks[cell];
  s.occupied[sideOf(unit)].remove(cell);
}

void moveTo(State& s, int unit, Cell cell) {
  liftOff(s, unit);
  putOn(s, unit, cell);
  if (s.ready >> unit & 1) remakeZone(s, sideOf(unit));
}

void eliminate(State& s, int unit) {
  liftOff(s, unit);
  s.hexOf[unit] = offMap;
  s.onMap &= ~(1u << unit);
  if (s.ready >> unit & 1) {
    s.ready &= ~(1u << unit);
    remakeZone(s, sideOf(unit));
  }
}

bool engaged(const State& s, int unit) {
  return s.zone[enemyOf(sideOf(unit))].has(s.hexOf[unit]);
}

bool lineIsFree(const State& s, Cell from, Cell to) {
  const Line& line = tables.lines[tables.lineOf[from][to]];
  return ((s.blocks[line[0]] & s.blocks[line[1]]) | (s.blocks[line[2]] & s.blocks[line[3]]) |
          (s.blocks[line[4]] & s.blocks[line[5]]) | (s.blocks[line[6]] & s.blocks[line[7]])) == 0;
}

bool closedUp(const State& s, int unit) {
  return (tables.within[s.hexOf[unit]][unitTable[unit].range] & s.occupied[enemyOf(sideOf(unit))]).any();
}
bool anyClosedUp(const State& s, Side side) {
  std::uint32_t units = s.onMap & sideMask(side);
  for (; units != 0; units &= units - 1)
    if (closedUp(s, std::countr_zero(units))) return true;
  return false;
}

bool anyMarch(const State& s, int unit) {
  const Cell origin = s.hexOf[unit];
  const Bits& zone = s.zone[enemyOf(sideOf(unit))];
  Bits free = tables.within[origin][1] - s.occupied[0] - s.occupied[1];
  if (zone.has(origin)) free = free - zone;
  return free.any() || (unitTable[unit].move > 1 && marchReach(s, unit).any());
}

bool anyAbleToClose(const State& s, Side side) {
  std::array<Bits, maxRange + 1> near{};
  forEachCell(s.occupied[enemyOf(side)], [&](int cell) {
    for (int n = 1; n <= maxRange; ++n) near[n] = near[n] | tables.within[cell][n];
  });
  std::uint32_t units = s.ready & sideMask(side);
  for (; units != 0; units &= units - 1) {
    const int unit = std::countr_zero(units);
    if ((marchReach(s, unit) & near[unitTable[unit].range]).any()) return true;
  }
  return false;
}

// For each enemy of the phasing side, who may attack it: a mask of units, by enemy number within its side.
struct AttackMap {
  std::array<std::uint32_t, unitsPerSide> attackers{};
  std::uint32_t targets = 0;
};
AttackMap attackMap(const State& s) {
  AttackMap map;
  const Side foe = enemyOf(s.player);
  const int firstFoe = foe * unitsPerSide;
  std::uint32_t able = s.ready & ~s.attacked & sideMask(s.player);
  for (; able != 0; able &= able - 1) {
    const int unit = std::countr_zero(able);
    const UnitData& data = unitTable[unit];
    const Cell hex = s.hexOf[unit];
    if (data.range > 1 && (s.moved >> unit & 1)) continue;
    if (data.arm == Arm::cavalry && tables.barsCavalry.has(hex)) continue;
    const bool held = engaged(s, unit);
    const Bits candidates = tables.within[hex][held ? 1 : data.range] & s.occupied[foe];
    forEachCell(candidates, [&](int cell) {
      const int target = s.unitAt[cell];
      if (held && !(s.ready >> target & 1)) return;
      if (!lineIsFree(s, hex, static_cast<Cell>(cell))) return;
      map.attackers[target - firstFoe] |= 1u << unit;
      map.targets |= 1u << target;
    });
  }
  return map;
}

void listUnits(Decision& d, std::uint32_t units) {
  int n = 0;
  forEachBit(units, [&](int unit) { d.options[n++] = static_cast<std::uint8_t>(unit); });
  d.listed = static_cast<std::uint8_t>(n);
}
void listCells(Decision& d, const Bits& cells) {
  int n = 0;
  forEachCell(cells, [&](int cell) { d.options[n++] = static_cast<std::uint8_t>(cell); });
  d.listed = static_cast<std::uint8_t>(n);
}

void finish(State& s, Result result) {
  s.result = result;
  s.stage = Stage::done;
  s.decision.question = Question::over;
  s.decision.listed = s.decision.answers = s.decision.minimum = s.decision.maximum = 0;
}

// The test at every rest of play. Only the losses of one side can have just become true.
bool victory(State& s) {
  if (std::popcount(s.ready & sideMask(austria)) <= beaten) return finish(s, Result::prussiaWins), true;
  if (std::popcount(s.ready & sideMask(prussia)) <= beaten) return finish(s, Result::austriaWins), true;
  return false;
}

void answer(State& s, std::uint32_t reply);

// Says what is asked; true if there is a choice, else the only answer is given at once.
bool ask(State& s, Question question, Side owner, Stage stage, bool extra) {
  Decision& d = s.decision;
  d.question = question;
  d.owner = owner;
  d.minimum = d.maximum = 0;
  d.answers = static_cast<std::uint8_t>(d.listed + (extra ? 1 : 0));
  s.stage = stage;
  if (d.answers > 1) return true;
  answer(s, 0);
  return false;
}
bool askSubset(State& s, Question question, Side owner, Stage stage, int minimum, int maximum) {
  Decision& d = s.decision;
  d.question = question;
  d.owner = owner;
  d.answers = 0;
  d.minimum = static_cast<std::uint8_t>(minimum);
  d.maximum = static_cast<std::uint8_t>(maximum);
  s.stage = stage;
  if (d.listed > 1 || minimum == 0) return true;
  answer(s, 1);
  return false;
}

void resolve(State& s) {
  int total = 0;
  forEachBit(s.chosen, [&](int unit) { total += unitTable[unit].attack; });
  s.attacked |= s.chosen;
  const int target = s.target;
  s.leftHex = s.hexOf[target];
  total += static_cast<int>(s.random.below(6)) + 1;
  const int margin = total - unitTable[target].defense - tables.addsDefense[s.leftHex];
  const bool ready = s.ready >> target & 1;
  s.stage = Stage::advance;
  if (margin < 0) return;
  if (margin >= 2 || !ready) return eliminate(s, target);
  s.ready &= ~(1u << target);
  remakeZone(s, sideOf(target));
  s.stage = Stage::chooseRetreat;
}

Bits retreatHexes(const State& s) {
  const Cell from = s.hexOf[s.target];
  Bits ends = tables.within[from][1] - s.occupied[0] - s.occupied[1] - s.zone[s.player];
  forEachBit(s.chosen, [&](int unit) {
    const auto& far = tables.distance[s.hexOf[unit]];
    forEachCell(ends, [&](int cell) {
      if (far[cell] <= far[from]) ends.remove(cell);
    });
  });
  return ends;
}

std::uint32_t followers(const State& s) {
  std::uint32_t units = 0;
  forEachBit(s.chosen, [&](int unit) {
    if (unitTable[unit].range > 1 && tables.distance[s.hexOf[unit]][s.leftHex] == 1 && !engaged(s, unit))
      units |= 1u << unit;
  });
  return units;
}

std::uint32_t movers(const State& s) {
  std::uint32_t able = 0;
  forEachBit(s.ready & ~s.moved & sideMask(s.player), [&](int unit) {
    if (anyMarch(s, unit)) able |= 1u << unit;
  });
  return able;
}

std::uint32_t ralliers(const State& s) {
  std::uint32_t able = 0;
  forEachBit(s.onMap & ~s.ready & sideMask(s.player), [&](int unit) {
    if (!engaged(s, unit)) able |= 1u << unit;
  });
  return able;
}

// The order in which units are placed: the Austrians, then the Prussians, each by order of battle.
constexpr int placedUnit(int n) {
  return n < unitsPerSide ? unitsPerSide + n : n - unitsPerSide;
}

void startPlay(State& s) {
  s.ready = s.onMap;
  remakeZone(s, prussia);
  remakeZone(s, austria);
  s.turn = 1;
  s.player = prussia;
  s.stage = Stage::beginPlayerTurn;
}

// Carries out an answer and says where play goes on; asks nothing itself.
void answer(State& s, std::uint32_t reply) {
  Decision& d = s.decision;
  switch (d.question) {
  case Question::placeUnit:
    putOn(s, s.unit, d.options[reply]);
    ++s.placing;
    s.stage = Stage::place;
    break;
  case Question::moveUnit:
    if (reply == d.listed) {
      s.stage = Stage::endMovement;
    } else {
      s.unit = d.options[reply];
      s.stage = Stage::chooseMoveTo;
    }
    break;
  case Question::moveTo:
    moveTo(s, s.unit, d.options[reply]);
    s.moved |= 1u << s.unit;
    --s.movesLeft;
    s.stage = Stage::chooseMover;
    break;
  case Question::attackTarget:
    if (reply == d.listed) {
      s.stage = Stage::chooseRally;
    } else {
      s.target = d.options[reply];
      s.stage = Stage::chooseAttackers;
    }
    break;
  case Question::attackers:
    s.chosen = 0;
    forEachBit(reply, [&](int n) { s.chosen |= 1u << d.options[n]; });
    s.attackersLeft = static_cast<std::uint8_t>(s.attackersLeft - std::popcount(reply));
    --s.attackRounds;
    s.stage = Stage::resolveAttack;
    break;
  case Question::retreat:
    if (reply < d.listed) moveTo(s, s.target, d.options[reply]);
    s.stage = Stage::advance;
    break;
  case Question::followUp:
    if (reply < d.listed) moveTo(s, d.options[reply], s.leftHex);
    s.stage = Stage::chooseTarget;
    break;
  case Question::rally:
    forEachBit(reply, [&](int n) { s.ready |= 1u << d.options[n]; });
    if (reply != 0) remakeZone(s, s.player);
    s.stage = Stage::endPlayerTurn;
    break;
  case Question::over: break;
  }
}

// Plays on until something must be asked or the game is over.
void run(State& s) {
  Decision& d = s.decision;
  for (;;) switch (s.stage) {
    case Stage::place: {
      if (s.placing == unitCount) {
        startPlay(s);
        break;
      }
      s.unit = static_cast<std::uint8_t>(placedUnit(s.placing));
      listCells(d, tables.letters[s.unit] - s.occupied[0] - s.occupied[1]);
      if (ask(s, Question::placeUnit, sideOf(s.unit), Stage::place, false)) return;
      break;
    }
    case Stage::beginPlayerTurn:
      s.movesLeft = 3;
      s.mustClose = s.player == prussia && !anyClosedUp(s, prussia) && anyAbleToClose(s, prussia);
      s.stage = Stage::chooseMover;
      break;
    case Stage::chooseMover:
      if (s.movesLeft == 0) {
        s.stage = Stage::endMovement;
        break;
      }
      if (victory(s)) return;
      listUnits(d, movers(s));
      if (ask(s, Question::moveUnit, s.player, Stage::chooseMover, true)) return;
      break;
    case Stage::chooseMoveTo:
      listCells(d, marchReach(s, s.unit));
      if (ask(s, Question::moveTo, s.player, Stage::chooseMoveTo, false)) return;
      break;
    case Stage::endMovement:
      if (s.mustClose && !anyClosedUp(s, prussia)) return finish(s, Result::austriaWins);
      s.attackRounds = s.attackersLeft = 2;
      s.stage = Stage::chooseTarget;
      break;
    case Stage::chooseTarget:
      if (victory(s)) return;
      if (s.attackRounds == 0 || s.attackersLeft == 0) {
        s.stage = Stage::chooseRally;
        break;
      }
      listUnits(d, attackMap(s).targets);
      if (ask(s, Question::attackTarget, s.player, Stage::chooseTarget, true)) return;
      break;
    case Stage::chooseAttackers:
      listUnits(d, attackMap(s).attackers[s.target - enemyOf(s.player) * unitsPerSide]);
      if (askSubset(s, Question::attackers, s.player, Stage::chooseAttackers, 1,
                    std::min<int>(s.attackersLeft, d.listed)))
        return;
      break;
    case Stage::resolveAttack: resolve(s); break;
    case Stage::chooseRetreat: {
      if (victory(s)) return;
      listCells(d, retreatHexes(s));
      const bool hold = tables.mayHold[s.leftHex] != 0;
      if (d.listed == 0 && !hold) {
        eliminate(s, s.target);
        s.stage = Stage::advance;
        break;
      }
      if (ask(s, Question::retreat, enemyOf(s.player), Stage::chooseRetreat, hold)) return;
      break;
    }
    case Stage::advance:
      if (s.unitAt[s.leftHex] != noUnit) {
        s.stage = Stage::chooseTarget;
        break;
      }
      if (victory(s)) return;
      listUnits(d, followers(s));
      if (ask(s, Question::followUp, s.player, Stage::advance, true)) return;
      break;
    case Stage::chooseRally: {
      listUnits(d, ralliers(s));
      if (d.listed == 0) {
        s.stage = Stage::endPlayerTurn;
        break;
      }
      if (askSubset(s, Question::rally, s.player, Stage::chooseRally, 0, d.listed)) return;
      break;
    }
    case Stage::endPlayerTurn:
      s.moved = s.attacked = 0;
      s.stage = Stage::beginPlayerTurn;
      if (s.player == prussia) {
        s.player = austria;
      } else if (s.turn == lastTurn) {
        return finish(s, Result::draw);
      } else {
        s.player = prussia;
        ++s.turn;
      }
      break;
    case Stage::done: return;
    }
}

State emptyState(std::uint64_t seed) {
  State s{};
  s.random = Random::fromSeed(seed);
  s.unitAt.fill(noUnit);
  s.blocks = tables.blocks;
  s.hexOf.fill(offMap);
  return s;
}

} // namespace

Bits marchReach(const State& s, int unit) {
  const Side foe = enemyOf(sideOf(unit));
  const Cell origin = s.hexOf[unit];
  const Bits& zone = s.zone[foe];
  Bits passable = tables.board - s.occupied[foe];
  if (zone.has(origin)) passable = passable - zone;
  passable.remove(origin);
  const Bits stops = tables.stops | zone;
  Bits frontier = tables.within[origin][1] & passable;
  Bits reached = frontier;
  for (int step = 1; step < unitTable[unit].move; ++step) {
    frontier = frontier - stops;
    if (!frontier.any()) break;
    frontier = (neighbours(frontier) & passable) - reached;
    reached = reached | frontier;
  }
  return reached - s.occupied[sideOf(unit)];
}

bool canSee(const State& s, Cell from, Cell to) {
  return lineIsFree(s, from, to);
}

bool canAttack(const State& s, int unit, int target) {
  if (sideOf(unit) != s.player || sideOf(target) == s.player) return false;
  return attackMap(s).attackers[target - enemyOf(s.player) * unitsPerSide] >> unit & 1;
}

int distance(Cell a, Cell b) {
  return tables.distance[a][b];
}

State begin(std::uint64_t seed, Setup setup) {
  State s = emptyState(seed);
  if (setup == Setup::fixed) {
    for (int n = 0; n < unitCount; ++n) {
      const int unit = placedUnit(n);
      listCells(s.decision, tables.letters[unit] - s.occupied[0] - s.occupied[1]);
      putOn(s, unit, s.decision.options[0]);
    }
    startPlay(s);
  }
  run(s);
  return s;
}

State position(std::uint64_t seed, Side player, const Placed* placed, int count) {
  State s = emptyState(seed);
  for (int i = 0; i < count; ++i) putOn(s, placed[i].unit, placed[i].cell);
  startPlay(s);
  for (int i = 0; i < count; ++i)
    if (placed[i].flipped) s.ready &= ~(1u << placed[i].unit);
  remakeZone(s, prussia);
  remakeZone(s, austria);
  s.player = player;
  s.stage = Stage::chooseTarget;
  s.attackRounds = s.attackersLeft = 2;
  return s;
}

void resume(State& s) {
  run(s);
}

void apply(State& s, std::uint32_t reply) {
  answer(s, reply);
  run(s);
}

std::uint32_t randomAnswer(const Decision& d, Random& random) {
  if (!d.isSubset()) return random.below(d.answers);
  int size =
      d.minimum + static_cast<int>(random.below(static_cast<std::uint32_t>(d.maximum - d.minimum + 1)));
  std::uint32_t mask = 0;
  std::array<std::uint8_t, unitsPerSide> left{};
  for (std::uint8_t n = 0; n < d.listed; ++n) left[n] = n;
  for (int n = 0; n < size; ++n) {
    const std::uint32_t drawn = random.below(static_cast<std::uint32_t>(d.listed - n));
    mask |= 1u << left[drawn];
    left[drawn] = left[d.listed - n - 1];
  }
  return mask;
}

void playRandom(std::uint64_t seed, Setup setup, Tally& tally) {
  State s = begin(seed, setup);
  Random player = Random::fromSeed(~seed);
  while (s.decision.question != Question::over) {
    ++tally.decisions;
    tally.options += s.decision.isSubset() ? s.decision.listed : s.decision.answers;
    apply(s, randomAnswer(s.decision, player));
  }
  ++tally.games;
  tally.turns += s.turn;
  ++tally.results[static_cast<int>(s.result)];
}

} // namespace hellwig::bench::mollwitz
