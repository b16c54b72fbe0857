// SPDX-License-Identifier: Apache-2.0
// Counters that face or cover several hexes: keeping their poses, and what is asked of them.
#include "runtime/hex_geometry.h"
#include "runtime/machine_core.h"

#include <algorithm>
#include <climits>

namespace hellwig {

namespace {

SetWord* setAt(Word* r, std::uint16_t i) {
  return reinterpret_cast<SetWord*>(r + i);
}

/// Fields of a counter, its lead hex among them, that are other than they are while this lives.
class Supposition {
public:
  Supposition(MachineCore& core, std::uint32_t counter) : core_(core), counter_(counter) {}
  ~Supposition() {
    for (auto i = before_.rbegin(); i != before_.rend(); ++i) {
      Word dropped = 0;
      if (i->first < 0)
        core_.image_.pokeHex(counter_, static_cast<std::int32_t>(i->second));
      else
        core_.image_.suppose(core_.program_.columns()[static_cast<std::size_t>(i->first)], counter_,
                             i->second, dropped);
    }
  }
  Supposition(const Supposition&) = delete;
  Supposition& operator=(const Supposition&) = delete;

  void suppose(Word column, Word value) {
    if (column < 0) {
      if (static_cast<std::uint64_t>(value) >= static_cast<std::uint64_t>(core_.module_.board.n))
        core_.raise(value == none ? FaultCode::missingValue : FaultCode::outOfRange);
      before_.emplace_back(column, core_.image_.hexOf(counter_));
      core_.image_.pokeHex(counter_, static_cast<std::int32_t>(value));
      return;
    }
    Word before = 0;
    if (!core_.image_.suppose(core_.program_.columns()[static_cast<std::size_t>(column)], counter_, value,
                              before))
      core_.raise(FaultCode::overflow);
    before_.emplace_back(column, before);
  }

private:
  MachineCore& core_;
  std::uint32_t counter_;
  std::vector<std::pair<Word, Word>> before_;
};

} // namespace

// ---- Poses

std::int32_t MachineCore::poseNow(std::uint32_t counter) {
  const std::int32_t id = program_.poses().arcsOf(counter);
  if (id < 0) return noPose;
  const Arcs& arcs = module_.arcs[static_cast<std::size_t>(id)];
  Word* frame = top_;
  if (framesEnd_ - frame < static_cast<std::ptrdiff_t>(program_.bodies()[arcs.shapeBody].needWords))
    raise(FaultCode::stackTooDeep);
  frame[0] = counter;
  runBody(arcs.shapeBody, frame);
  return program_.poses().pose(
      id, frame[0], image_.get(program_.columns()[static_cast<std::size_t>(arcs.facingColumn)], counter));
}

std::int32_t MachineCore::quietPose(std::uint32_t counter) {
  std::int32_t pose = noPose;
  quietly([&] { pose = poseNow(counter); });
  return pose;
}

bool MachineCore::isLifted(std::uint32_t counter) const {
  return std::find(host_.lifted.begin(), host_.lifted.end(), counter) != host_.lifted.end();
}

std::int32_t MachineCore::poseOf(std::uint32_t counter) {
  if (!image_.hasPoses()) return noPose;
  return isLifted(counter) ? poseNow(counter) : image_.pose(counter);
}

// What a search varies of a lifted counter is asked anew each time, and is back when it is put down.
void MachineCore::settlePose(std::uint32_t counter) {
  if (program_.poses().arcsOf(counter) < 0 || isLifted(counter)) return;
  const std::int32_t pose = quietPose(counter);
  if (pose == image_.pose(counter)) return;
  image_.unsettle(counter);
  image_.setPose(counter, pose);
  image_.unsettle(counter);
}

void MachineCore::refreshPoses() {
  if (!image_.hasPoses()) return;
  for (std::uint32_t u = 0; u < module_.counters.size(); ++u)
    if (program_.poses().arcsOf(u) >= 0 && !isLifted(u)) image_.setPose(u, quietPose(u));
}

void MachineCore::wrote(std::int64_t counter) {
  if (counter >= 0 && !program_.poses().ofOthers()) return settlePose(static_cast<std::uint32_t>(counter));
  for (std::uint32_t u = 0; u < module_.counters.size(); ++u) settlePose(u);
}

void MachineCore::moved(std::uint32_t counter) {
  if (image_.hasPoses() && program_.poses().onPlaces()) wrote(counter);
}

void MachineCore::coverInto(std::uint32_t counter, SetWord* out) {
  const std::int32_t lead = image_.hexOf(counter);
  if (lead < 0) return;
  setBit(out, lead);
  if (image_.isWide(counter) || isLifted(counter))
    program_.poses().eachBesides(module_.board, poseOf(counter), lead, [out](int h) { setBit(out, h); });
}

bool MachineCore::meets(std::uint32_t counter, const SetWord* hexes) const {
  const std::int32_t lead = image_.hexOf(counter);
  bool found = hasBit(hexes, lead);
  if (!found && image_.isWide(counter))
    program_.poses().eachBesides(module_.board, image_.pose(counter), lead,
                                 [&](int h) { found = found || hasBit(hexes, h); });
  return found;
}

bool MachineCore::staysInPlay(std::uint32_t counter, std::int32_t hex) {
  return program_.poses().staysInPlay(module_.board, poseOf(counter), hex);
}

// ---- What is asked of them

std::int32_t MachineCore::coverDistance(Word a, bool counterA, Word b, bool counterB) {
  const Board& board = module_.board;
  const auto hexes = [&](Word thing, bool counter, std::vector<std::int32_t>& out) {
    const std::size_t count = counter ? module_.counters.size() : static_cast<std::size_t>(board.n);
    if (static_cast<std::uint64_t>(thing) >= count)
      raise(thing == none ? FaultCode::missingValue : FaultCode::outOfRange);
    const auto id = static_cast<std::uint32_t>(thing);
    const std::int32_t lead = counter ? image_.hexOf(id) : static_cast<std::int32_t>(id);
    if (lead < 0) raise(FaultCode::offMap);
    out.push_back(lead);
    if (counter && (image_.isWide(id) || isLifted(id)))
      program_.poses().eachBesides(board, poseOf(id), lead, [&out](int h) { out.push_back(h); });
  };
  std::vector<std::int32_t> first, second;
  hexes(a, counterA, first);
  hexes(b, counterB, second);
  int least = INT_MAX;
  for (const std::int32_t x : first)
    for (const std::int32_t y : second) least = std::min(least, hexDistance(board, x, y));
  return least;
}

void MachineCore::footprintOperation(Op op, Word* r, const Instruction& in) {
  const Board& board = module_.board;
  const Poses& poses = program_.poses();
  if (op == Op::distanceOver) {
    r[in.a] = coverDistance(r[in.b], (in.d & 1) != 0, r[in.c], (in.d & 2) != 0);
    return;
  }
  const Word thing = r[in.b];
  if (static_cast<std::uint64_t>(thing) >= module_.counters.size())
    raise(thing == none ? FaultCode::missingValue : FaultCode::outOfRange);
  const auto counter = static_cast<std::uint32_t>(thing);
  const bool supposes = op == Op::footprintIf || op == Op::aspectIf;
  const bool aspect = op == Op::aspect || op == Op::aspectIf;
  const Word target = aspect ? r[in.c] : 0;
  if (static_cast<std::uint64_t>(target) >= static_cast<std::uint64_t>(board.n))
    raise(target == none ? FaultCode::missingValue : FaultCode::outOfRange);
  Supposition supposed(*this, counter);
  if (supposes) {
    const Word* values = r + in.c + (op == Op::aspectIf ? 1 : 0);
    for (std::uint16_t i = 0; i < in.e; ++i)
      supposed.suppose(module_.constants[static_cast<std::size_t>(in.d) + i], values[i]);
  }
  const std::int32_t lead = image_.hexOf(counter);
  if (op == Op::facingShown) {
    r[in.a] = none;
    const std::int32_t arcs = poses.arcsOf(counter);
    if (arcs < 0) return;
    const std::int32_t column = module_.arcs[static_cast<std::size_t>(arcs)].facingColumn;
    const Word facing = image_.get(program_.columns()[static_cast<std::size_t>(column)], counter);
    const Faces faces = poses.faces(poseOf(counter));
    if (static_cast<std::uint64_t>(facing) < 6 && faces != Faces::nothing)
      r[in.a] = faces == Faces::corner ? facing + 6 : facing;
    return;
  }
  if (lead < 0) raise(FaultCode::offMap);
  const std::int32_t pose = supposes ? poseNow(counter) : poseOf(counter);
  switch (op) {
  case Op::footprint:
  case Op::footprintIf: {
    SetWord* to = setAt(r, in.a);
    clearSet(to, board.words);
    setBit(to, lead);
    poses.eachBesides(board, pose, lead, [to](int h) { setBit(to, h); });
    break;
  }
  case Op::aspect:
  case Op::aspectIf: {
    const int found = poses.aspectOf(board, pose, lead, static_cast<std::int32_t>(target));
    r[in.a] = found < 0 ? none : found;
    break;
  }
  case Op::aspectHexes: poses.aspectHexes(board, pose, lead, in.c, setAt(r, in.a)); break;
  default: raise(FaultCode::unreachable);
  }
}

// ---- Terrain as sets of values

void MachineCore::terrainValues(Op op, Word* r, const Instruction& in) {
  const Board& board = module_.board;
  const ColumnAccess& column = program_.columns()[static_cast<std::size_t>(in.d)];
  const Word thing = r[in.b];
  const auto id = [&](Word w, std::size_t count) {
    if (static_cast<std::uint64_t>(w) >= count)
      raise(w == none ? FaultCode::missingValue : FaultCode::outOfRange);
    return static_cast<std::uint32_t>(w);
  };
  std::uint64_t values = 0;
  const auto paths = [&](std::uint64_t joined, std::uint64_t mask) {
    for (unsigned value = 0; value < 10; ++value)
      if ((joined >> (6 * value) & mask) != 0) values |= std::uint64_t{1} << value;
  };
  switch (op) {
  case Op::hexsideValues: {
    if (thing == none) break;
    const std::uint32_t side = id(thing, static_cast<std::size_t>(board.hexsides));
    if (column.setWords != 0) {
      const std::uint64_t* given = image_.getSet(column, side);
      SetWord* to = setAt(r, in.a);
      for (int i = 0; i < in.e; ++i) to[i] = i < column.setWords ? given[i] : 0;
      return;
    }
    const Word bits = image_.get(column, side);
    values = bits == none ? 0 : static_cast<std::uint64_t>(bits);
    break;
  }
  case Op::pathValues: {
    const std::uint32_t from = id(thing, static_cast<std::size_t>(board.n));
    const std::uint32_t to = id(r[in.c], static_cast<std::size_t>(board.n));
    const int direction = directionToNeighbour(board, static_cast<int>(from), static_cast<int>(to));
    const Word joined = image_.get(column, from);
    if (direction >= 0 && joined != none)
      paths(static_cast<std::uint64_t>(joined), std::uint64_t{1} << direction);
    break;
  }
  default: {
    const Word bits = image_.get(column, id(thing, static_cast<std::size_t>(board.n)));
    if (bits == none) break;
    if (in.c == 0)
      values = static_cast<std::uint64_t>(bits);
    else
      paths(static_cast<std::uint64_t>(bits), 63);
    break;
  }
  }
  SetWord* to = setAt(r, in.a);
  clearSet(to, in.e);
  to[0] = values;
}

} // namespace hellwig
