// SPDX-License-Identifier: Apache-2.0
// Instructions too long for the loop: fractions, odds, sets, the map, lines of sight, tables, paths.
#include "runtime/hex_geometry.h"
#include "runtime/machine_core.h"
#include "runtime/ratio.h"
#include "runtime/sight_line.h"

#include <algorithm>
#include <bit>

namespace hellwig {

namespace {

SetWord* setAt(Word* r, std::uint16_t i) {
  return reinterpret_cast<SetWord*>(r + i);
}

std::uint32_t checkedId(Word id, std::size_t count) {
  if (static_cast<std::uint64_t>(id) >= count)
    throw FaultError{id == none ? FaultCode::missingValue : FaultCode::outOfRange};
  return static_cast<std::uint32_t>(id);
}

std::int32_t checkedInt(Word v) {
  if (v != static_cast<std::int32_t>(v))
    throw FaultError{v == none ? FaultCode::missingValue : FaultCode::overflow};
  return static_cast<std::int32_t>(v);
}

} // namespace

const SetWord* MachineCore::checkedSet(const Word* r, std::uint32_t size) const {
  const auto* set = reinterpret_cast<const SetWord*>(r);
  if (size % 64 != 0 && set[size / 64] >> (size % 64) != 0) raise(FaultCode::setElement);
  return set;
}

void MachineCore::fractionOp(Op op, Word* r, const Instruction& in) {
  Word& to = r[in.a];
  const Word b = r[in.b], c = r[in.c];
  switch (op) {
  case Op::div: to = makeFraction(checkedInt(b), checkedInt(c)); break;
  case Op::fadd: to = addFractions(b, c); break;
  case Op::fsub: to = addFractions(b, negateFraction(c)); break;
  case Op::fmul: to = multiplyFractions(b, c); break;
  case Op::fdiv: to = divideFractions(b, c); break;
  case Op::fneg: to = negateFraction(b); break;
  case Op::flt: to = fractionLess(b, c); break;
  case Op::fle: to = !fractionLess(c, b); break;
  case Op::fsmaller: to = fractionLess(c, b) ? c : b; break;
  case Op::flarger: to = fractionLess(b, c) ? c : b; break;
  case Op::round: to = roundFraction(b, in.c); break;
  case Op::rawOdds:
  case Op::makeOdds: to = makeOdds(checkedInt(b), checkedInt(c)); break;
  case Op::olt:
    checkOdds(b);
    checkOdds(c);
    to = oddsLess(b, c);
    break;
  case Op::ole:
    checkOdds(b);
    checkOdds(c);
    to = !oddsLess(c, b);
    break;
  default: raise(FaultCode::unreachable);
  }
}

void MachineCore::setOperation(Op op, Word* r, const Instruction& in) {
  const std::uint32_t words = program_.counterWords();
  const auto counterCount = static_cast<std::uint32_t>(module_.counters.size());
  SetWord* to = setAt(r, in.a);
  switch (op) {
  case Op::setRange: {
    const std::int64_t size = std::int64_t{in.e} * 64;
    const Word first = checkedInt(r[in.b]), last = checkedInt(r[in.c]);
    clearSet(to, in.e);
    if (first > last) break;
    if (first < in.d || last - in.d >= size) raise(FaultCode::setElement);
    for (Word i = first; i <= last; ++i) setBit(to, static_cast<int>(i - in.d));
    break;
  }
  case Op::orderCounters: {
    const SetWord* set = checkedSet(r + in.b, counterCount);
    std::int32_t hex = -1;
    bool same = true;
    for (int u = nextBit(set, 0, words); u >= 0 && same; u = nextBit(set, u + 1, words)) {
      const std::int32_t at = image_.hexOf(static_cast<std::uint32_t>(u));
      same = at >= 0 && (hex < 0 || at == hex);
      hex = at;
    }
    r[in.a] = same;
    break;
  }
  case Op::countersEver: {
    copySet(to, module_.kinds[in.d].members.data(), static_cast<int>(words));
    for (const std::uint16_t u : host_.lifted) clearBit(to, u);
    break;
  }
  case Op::atHex: {
    const std::uint32_t hex = checkedId(r[in.c], module_.board.n);
    // The result may be the set that is read, so what is found is kept aside: only counters of the stack
    // stay.
    const SetWord* set = setAt(r, in.b);
    std::vector<std::uint64_t>& found = host_.order;
    found.assign(words, 0);
    for (std::int32_t u = image_.top(hex); u >= 0; u = image_.below(static_cast<std::uint32_t>(u)))
      if (hasBit(set, u)) setBit(found.data(), u);
    if (image_.hasPoses() && hasBit(image_.spread(), static_cast<int>(hex)))
      for (std::uint32_t i = 0; i < words; ++i)
        for (SetWord rest = set[i] & image_.wide()[i]; rest != 0; rest &= rest - 1)
          if (image_.coversBesides(i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)), hex))
            found[i] |= rest & -rest;
    copySet(to, found.data(), static_cast<int>(words));
    break;
  }
  case Op::atHexes: {
    const SetWord* set = setAt(r, in.b);
    const SetWord* hexes = setAt(r, in.c);
    const SetWord* onMap = image_.onMap();
    const bool within = (in.d & 1) == 0;
    if (image_.hasPoses() && in.d < 2) {
      std::vector<std::uint64_t>& kept = host_.order;
      kept.assign(words, 0);
      for (std::uint32_t i = 0; i < words; ++i)
        for (SetWord rest = set[i] & onMap[i]; rest != 0; rest &= rest - 1)
          if (meets(i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)), hexes) == within)
            kept[i] |= rest & -rest;
      copySet(to, kept.data(), static_cast<int>(words));
      break;
    }
    if (words == 1) {
      SetWord kept = 0;
      for (SetWord rest = *set & *onMap; rest != 0; rest &= rest - 1)
        if (hasBit(hexes, image_.hexOf(static_cast<std::uint32_t>(std::countr_zero(rest)))) == within)
          kept |= rest & -rest;
      *to = kept;
      break;
    }
    std::vector<std::uint64_t>& found = host_.order;
    found.assign(words, 0);
    for (std::uint32_t i = 0; i < words; ++i)
      for (SetWord rest = set[i] & onMap[i]; rest != 0; rest &= rest - 1) {
        const std::uint32_t u = i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
        if (hasBit(hexes, image_.hexOf(u)) == within) found[i] |= rest & -rest;
      }
    copySet(to, found.data(), static_cast<int>(words));
    break;
  }
  default: raise(FaultCode::unreachable);
  }
}

bool MachineCore::nextCounter(Word* r, const Instruction& in) {
  const std::uint32_t words = program_.counterWords();
  SetWord* set = setAt(r, in.b);
  checkedSet(r + in.b, static_cast<std::uint32_t>(module_.counters.size()));
  std::int32_t best = nextBit(set, 0, static_cast<int>(words));
  if (best < 0) return false;
  if (r[in.c] == 1) {
    // A stack lies in the order of arrival, the latest on top.
    for (std::int32_t u = nextBit(set, best + 1, static_cast<int>(words)); u >= 0;
         u = nextBit(set, u + 1, static_cast<int>(words)))
      if (image_.arrival(static_cast<std::uint32_t>(u)) > image_.arrival(static_cast<std::uint32_t>(best)))
        best = u;
  }
  clearBit(set, best);
  r[in.a] = best;
  return true;
}

void MachineCore::mapOperation(Op op, Word* r, const Instruction& in) {
  const Board& board = module_.board;
  const auto hexCount = static_cast<std::uint32_t>(board.n);
  const int words = board.words;
  SetWord* to = setAt(r, in.a);
  // Kernels may not write over what they read.
  std::vector<std::uint64_t>& out = host_.order;
  auto finish = [&] { copySet(to, out.data(), words); };
  auto hexId = [&](Word w) { return static_cast<int>(checkedId(w, hexCount)); };
  switch (op) {
  case Op::hexesOf: {
    const SetWord* set = checkedSet(r + in.b, static_cast<std::uint32_t>(module_.counters.size()));
    // The usual questions, for all counters on the map or all of a side, are answered already.
    const SetWord *onMap = image_.onMap(), *first = program_.sideCounters(0);
    bool all = true, ofFirst = true, ofSecond = true;
    for (std::uint32_t i = 0; i < program_.counterWords(); ++i) {
      all = all && set[i] == onMap[i];
      ofFirst = ofFirst && set[i] == (onMap[i] & first[i]);
      ofSecond = ofSecond && set[i] == (onMap[i] & ~first[i]);
    }
    if (all) {
      orSet(to, image_.sideHexes(0), image_.sideHexes(1), words);
      break;
    }
    if (ofFirst || ofSecond) {
      copySet(to, image_.sideHexes(ofFirst ? 0 : 1), words);
      break;
    }
    if (image_.hasPoses()) {
      out.assign(static_cast<std::size_t>(words), 0);
      std::vector<std::uint64_t> covered(static_cast<std::size_t>(words), 0);
      forEachBit(set, static_cast<int>(program_.counterWords()),
                 [&](int u) { coverInto(static_cast<std::uint32_t>(u), covered.data()); });
      copySet(to, covered.data(), words);
      break;
    }
    if (program_.counterWords() == 1) {
      SetWord rest = *set;
      clearSet(to, words);
      for (; rest != 0; rest &= rest - 1) {
        const std::int32_t hex = image_.hexOf(static_cast<std::uint32_t>(std::countr_zero(rest)));
        if (hex >= 0) setBit(to, hex);
      }
      break;
    }
    out.assign(static_cast<std::size_t>(words), 0);
    forEachBit(set, static_cast<int>(program_.counterWords()), [&](int u) {
      const std::int32_t hex = image_.hexOf(static_cast<std::uint32_t>(u));
      if (hex >= 0) setBit(out.data(), hex);
    });
    finish();
    break;
  }
  case Op::hexesHolding: {
    const auto counters = static_cast<std::uint32_t>(module_.counters.size());
    const SetWord *set = checkedSet(r + in.b, counters), *onMap = image_.onMap();
    if (r[in.c] == none) raise(FaultCode::missingValue);
    const Word least = std::clamp<Word>(r[in.c], -1, counters) + in.e;
    out.assign(static_cast<std::size_t>(words), 0);
    if (least <= 0) setAll(out.data(), board.n, words);
    if (least > 0) {
      std::vector<std::uint16_t>& held = host_.held;
      held.assign(hexCount, 0);
      const auto holds = [&](int hex) {
        if (++held[static_cast<std::size_t>(hex)] == least) setBit(out.data(), hex);
      };
      std::vector<std::uint64_t> covered(image_.hasPoses() ? static_cast<std::size_t>(words) : 0);
      for (std::uint32_t i = 0; i < program_.counterWords(); ++i)
        for (SetWord rest = set[i] & onMap[i]; rest != 0; rest &= rest - 1) {
          const std::uint32_t counter = i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
          if (covered.empty()) {
            holds(image_.hexOf(counter));
            continue;
          }
          clearSet(covered.data(), words);
          coverInto(counter, covered.data());
          forEachBit(covered.data(), words, holds);
        }
    }
    finish();
    break;
  }
  case Op::adjacentTo:
    out.assign(static_cast<std::size_t>(words), 0);
    if (in.d == 0)
      adjacentTo(board, checkedSet(r + in.b, hexCount), out.data());
    else
      neighboursOf(board, checkedSet(r + in.b, hexCount), out.data());
    finish();
    break;
  case Op::within:
  case Op::withinHex: {
    const Word radius = r[in.c];
    if (radius == none) raise(FaultCode::missingValue);
    const int steps = static_cast<int>(std::min<Word>(radius, maxBoardHexes));
    if (op == Op::withinHex && radius >= 1 && radius <= board.ballRadius) {
      copySet(to, board.ball(hexId(r[in.b]), steps), words);
      break;
    }
    out.assign(static_cast<std::size_t>(words), 0);
    if (op == Op::within) {
      const SetWord* from = checkedSet(r + in.b, hexCount);
      if (steps >= 0) withinOfSet(board, from, steps, out.data());
    } else {
      const int from = hexId(r[in.b]);
      if (steps >= 0) withinOfHex(board, from, steps, out.data());
    }
    finish();
    break;
  }
  case Op::beyond: {
    const SetWord* from = checkedSet(r + in.b, hexCount);
    static constexpr Compass compass[] = {Compass::north, Compass::south, Compass::east, Compass::west};
    out.assign(static_cast<std::size_t>(words), 0);
    beyondSet(board, compass[in.c & 3], (in.c & 4) != 0, from, out.data());
    finish();
    break;
  }
  case Op::edgeHexes: {
    static constexpr Compass compass[] = {Compass::north, Compass::south, Compass::east, Compass::west};
    out.assign(static_cast<std::size_t>(words), 0);
    edgeSet(board, compass[in.b & 3], in.d, out.data());
    finish();
    break;
  }
  case Op::lineHexes: {
    const Word from = r[in.b], last = r[in.c];
    out.assign(static_cast<std::size_t>(words), 0);
    if (from == none || last == none) raise(FaultCode::missingValue);
    for (int h = 0; h < board.n; ++h) {
      const int number = in.d == 0 ? board.hex[h].row : board.hex[h].column;
      if (in.e != 0 && board.hex[h].sheet != in.e - 1) continue;
      if (number >= from && number <= last && hasBit(board.inPlay.data(), h)) setBit(out.data(), h);
    }
    finish();
    break;
  }
  case Op::setDistance: {
    const int steps = setDistance(board, checkedSet(r + in.b, hexCount), checkedSet(r + in.c, hexCount));
    r[in.a] = steps < 0 ? none : steps;
    break;
  }
  case Op::direction: {
    const int direction = hexDirection(board, hexId(r[in.b]), hexId(r[in.c]));
    r[in.a] = direction < 0 ? none : direction;
    break;
  }
  case Op::hexsideBetween: {
    const int side = hexsideBetween(board, hexId(r[in.b]), hexId(r[in.c]));
    r[in.a] = side < 0 ? none : side;
    break;
  }
  case Op::hexsideHas: {
    if (r[in.b] == none) {
      r[in.a] = 0;
      break;
    }
    const std::uint32_t side = checkedId(r[in.b], static_cast<std::size_t>(board.hexsides));
    r[in.a] = bears(program_.columns()[in.d], side, in.e);
    break;
  }
  case Op::pathBetween: {
    const int from = hexId(r[in.b]), other = hexId(r[in.c]);
    const int direction = directionToNeighbour(board, from, other);
    const Word joined = image_.get(program_.columns()[in.d], static_cast<std::uint32_t>(from));
    r[in.a] = direction >= 0 && joined != none && (joined >> (6 * in.e + direction) & 1) != 0;
    break;
  }
  case Op::hexsidesOf: {
    const int hex = hexId(r[in.b]);
    clearSet(to, static_cast<int>(program_.hexsideWords()));
    for (int d = 0; d < 6; ++d) setBit(to, hexsideOf(board, hex, d));
    break;
  }
  case Op::hexesOfSides: {
    const SetWord* sides = checkedSet(r + in.b, static_cast<std::uint32_t>(board.hexsides));
    out.assign(static_cast<std::size_t>(words), 0);
    forEachBit(sides, static_cast<int>(program_.hexsideWords()), [&](int s) {
      const Hexside& side = board.hexside[s];
      if (side.first >= 0 && hasBit(board.inPlay.data(), side.first)) setBit(out.data(), side.first);
      if (side.second >= 0 && hasBit(board.inPlay.data(), side.second)) setBit(out.data(), side.second);
    });
    finish();
    break;
  }
  case Op::crossingHexes: {
    const int hex = hexId(r[in.b]);
    const ColumnAccess& column = program_.columns()[in.d];
    clearSet(to, words);
    for (int d = 0; d < 6; ++d) {
      const int other = board.neighbour[hex * 6 + d];
      const auto side = static_cast<std::uint32_t>(hexsideOf(board, hex, d));
      if (other < 0) continue;
      if (bears(column, side, in.e)) setBit(to, other);
    }
    break;
  }
  case Op::lineStart: {
    const int from = hexId(r[in.b]), end = hexId(r[in.c]);
    r[in.a] = from + (Word{end} << 16) + (Word{in.d != 0} << 32);
    r[in.a + 1] = 0;
    r[in.a + 2] = 0;
    break;
  }
  case Op::lineBlocked:
    r[in.a] = sightBlocked(board, hexId(r[in.b]), hexId(r[in.c]), checkedSet(r + in.e, hexCount), in.d != 0);
    break;
  default: raise(FaultCode::unreachable);
  }
}

bool MachineCore::lineNext(Word* r, const Instruction& in) {
  const Board& board = module_.board;
  const Word line = r[in.b];
  const bool sides = (line >> 32) == 1;
  const Word from = line & 0xffff, to = line >> 16 & 0xffff;
  if ((line >> 32) != (in.e != 0) || from >= board.n || to >= board.n) raise(FaultCode::outOfRange);
  std::vector<std::int32_t>& items = host_.sightItems;
  if (host_.sightLine != line) {
    items.clear();
    host_.sightLine = line;
    if (sides) {
      std::vector<SightSideItem> found(static_cast<std::size_t>(board.sightCapacity) + 1);
      const int count = sightHexsides(board, static_cast<int>(from), static_cast<int>(to), found.data());
      for (int i = 0; i < count; ++i) items.insert(items.end(), {found[i].first, found[i].second});
    } else {
      std::vector<SightItem> found(static_cast<std::size_t>(board.sightCapacity) + 1);
      const int count = sightHexes(board, static_cast<int>(from), static_cast<int>(to), found.data());
      for (int i = 0; i < count; ++i) items.insert(items.end(), {found[i].first, found[i].second});
    }
  }
  const Word place = r[in.b + 1];
  if (static_cast<std::uint64_t>(place) >= items.size() / 2) return false;
  r[in.b + 1] = place + 1;
  std::int32_t first = items[2 * place], second = items[2 * place + 1];
  // Of a pair with one part off the board, the part that exists stands first.
  if (first < 0) std::swap(first, second);
  r[in.a] = first < 0 ? none : first;
  r[in.a + 1] = second == first ? none : second; // -1: the other part of a pair is off the board
  return true;
}

void MachineCore::lookUp(Word* r, const Instruction& in) {
  const Table& table = module_.tables[in.d];
  const std::int64_t cell = program_.tableIndex(in.d).cell(r + in.b, r + in.c);
  const bool found = cell >= 0;
  const Word* result = nullptr;
  if (found && table.filled[cell] != 0)
    result = table.cells.data() + cell * table.resultWords;
  else if (table.hasOtherwise)
    result = table.otherwise.data();
  else
    raise(FaultCode::noTableCell);
  if (host_.covered != nullptr) {
    cover(table.tableMarks);
    if (found) cover(table.marks[cell]);
  }
  if (emission_ != nullptr) {
    if (table.tableMarks != 0) emission_->marks.push_back(table.tableMarks);
    if (found && table.marks[cell] != 0) emission_->marks.push_back(table.marks[cell]);
  }
  if (table.resultWords == 1)
    r[in.a] = *result;
  else
    std::copy(result, result + table.resultWords, r + in.a);
}

void MachineCore::resetSpan(SpanKind span) {
  const Word player = static_cast<Word>(image_.words()[program_.globals()[globalPlayer].offset]);
  bool poses = false;
  for (const std::uint16_t i : program_.resetColumns(span)) {
    const Column& column = module_.columns[i];
    const ColumnAccess& access = program_.columns()[i];
    poses = poses || access.poses;
    if (span != SpanKind::ownTurn && static_cast<std::uint64_t>(column.defaultValue) < access.planes) {
      // The plane of the default tells which things have another value.
      const SetWord* same = image_.planeOf(access, static_cast<std::uint32_t>(column.defaultValue));
      for (std::uint32_t first = 0; first < access.count; first += 64) {
        SetWord others = ~same[first / 64];
        if (access.count - first < 64) others &= (SetWord{1} << (access.count - first)) - 1;
        for (; others != 0; others &= others - 1)
          image_.set(access, first + static_cast<std::uint32_t>(std::countr_zero(others)),
                     column.defaultValue);
      }
      continue;
    }
    for (std::uint32_t thing = 0; thing < access.count; ++thing) {
      // What lasts for a turn of its own side ends with the next turn of that side.
      if (span == SpanKind::ownTurn && column.owner == Owner::counter && program_.sideOf(thing) != player)
        continue;
      if (span == SpanKind::ownTurn && column.owner == Owner::side && static_cast<Word>(thing) != player)
        continue;
      if (span == SpanKind::ownTurn && column.owner == Owner::group && module_.groups[thing].side != player)
        continue;
      if (access.setWords != 0)
        image_.setSet(access, thing,
                      reinterpret_cast<const std::uint64_t*>(column.initial.data()) +
                          static_cast<std::size_t>(thing) * access.setWords);
      else
        image_.set(access, thing, column.defaultValue);
    }
  }
  for (const std::uint16_t g : program_.resetGlobals(span)) {
    image_.setGlobal(program_.globals()[g], module_.globals[g].initial.data());
    poses = poses || program_.globals()[g].poses;
  }
  if (poses) refreshPoses();
}

namespace {

std::uint32_t pathSteps(const Word* block, int hexes) {
  if (block[0] == none) throw FaultError{FaultCode::missingValue};
  return checkedId(block[0], static_cast<std::size_t>(hexes) + 1);
}

} // namespace

/// Hex i of the path in a block, 0 being the one where it begins.
static Word pathHex(const Word* block, std::uint32_t i) {
  if (i == 0) return block[3];
  return static_cast<std::uint16_t>(static_cast<std::uint64_t>(block[4 + (i - 1) / 4]) >>
                                    (16 * ((i - 1) % 4)));
}

void MachineCore::pathOperation(Op op, Word* r, const Instruction& in) {
  const int hexes = module_.board.n;
  const Word* block = r + in.b;
  const std::uint32_t steps = pathSteps(block, hexes);
  switch (op) {
  case Op::pathGet:
    switch (in.c) {
    case 0: r[in.a] = block[3]; break;
    case 1: r[in.a] = pathHex(block, steps); break;
    case 2: r[in.a] = steps; break;
    default: r[in.a] = block[2]; break;
    }
    break;
  case Op::pathHexes: {
    std::vector<std::uint64_t>& out = host_.order;
    out.assign(program_.hexWords(), 0);
    for (std::uint32_t i = 0; i <= steps; ++i) {
      const Word hex = pathHex(block, i);
      if (i == 0 && hex == none) continue;
      setBit(out.data(), static_cast<int>(checkedId(hex, static_cast<std::size_t>(hexes))));
    }
    copySet(setAt(r, in.a), out.data(), static_cast<int>(program_.hexWords()));
    break;
  }
  case Op::pathStep: {
    const Word i = r[in.c];
    if (i == none) raise(FaultCode::missingValue);
    r[in.a] = i < 0 || i > static_cast<Word>(steps) ? none : pathHex(block, static_cast<std::uint32_t>(i));
    break;
  }
  default: raise(FaultCode::unreachable);
  }
}

void MachineCore::moveAlong(std::uint32_t counter, const Word* path) {
  const auto hexes = static_cast<std::size_t>(module_.board.n);
  const std::uint32_t steps = pathSteps(path, module_.board.n);
  if (steps == 0) return;
  const std::uint32_t last = checkedId(pathHex(path, steps), hexes);
  const Word before = pathHex(path, steps - 1);
  image_.moveToHex(counter, last);
  if (image_.hasPoses()) moved(counter);
  if (before != none) image_.setCameFrom(counter, static_cast<std::int32_t>(checkedId(before, hexes)));
}

} // namespace hellwig
